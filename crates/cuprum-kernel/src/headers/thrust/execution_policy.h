// thrust::seq and thrust::device: inside a kernel both mean that the calling thread does the work.
#ifndef __CUPRUM_THRUST_EXECUTION_POLICY_H
#define __CUPRUM_THRUST_EXECUTION_POLICY_H
namespace thrust {
namespace detail {
struct policy {};
}
__device__ static const detail::policy seq = {};
__device__ static const detail::policy device = {};
}
#endif
