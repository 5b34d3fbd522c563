// thrust::seq, thrust::device and thrust::host: inside a kernel all mean that the calling thread does the work.
#ifndef __CUPRUM_THRUST_EXECUTION_POLICY_H
#define __CUPRUM_THRUST_EXECUTION_POLICY_H
namespace thrust {
namespace detail {
struct policy {};
}
__device__ static const detail::policy seq = {};
__device__ static const detail::policy device = {};
__device__ static const detail::policy host = {};
}
#endif
