// Thrust's algorithms inside kernels: each thread does its own, with thrust::seq or thrust::device or without a policy.
#ifndef __CUPRUM_THRUST_ALGORITHMS_H
#define __CUPRUM_THRUST_ALGORITHMS_H
#include <cuprum/algorithms.h>
#include <thrust/functional.h>
#include <thrust/pair.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
namespace thrust {
// Both forms of an algorithm; what it returns is what it returns without a policy.
#define __CUPRUM_ALGORITHM(name)                                                                              \
    using __cuprum_algorithms::name;                                                                          \
    template <class First, class... Rest>                                                                     \
    __host__ __device__ inline auto name(detail::policy, First first, Rest... rest)                           \
        -> decltype(__cuprum_algorithms::name(first, rest...)) {                                              \
        return __cuprum_algorithms::name(first, rest...);                                                     \
    }
__CUPRUM_ALGORITHM(for_each)
__CUPRUM_ALGORITHM(for_each_n)
__CUPRUM_ALGORITHM(fill)
__CUPRUM_ALGORITHM(fill_n)
__CUPRUM_ALGORITHM(sequence)
__CUPRUM_ALGORITHM(generate)
__CUPRUM_ALGORITHM(tabulate)
__CUPRUM_ALGORITHM(copy)
__CUPRUM_ALGORITHM(copy_n)
__CUPRUM_ALGORITHM(copy_if)
__CUPRUM_ALGORITHM(transform)
__CUPRUM_ALGORITHM(gather)
__CUPRUM_ALGORITHM(scatter)
__CUPRUM_ALGORITHM(swap_ranges)
__CUPRUM_ALGORITHM(reverse)
__CUPRUM_ALGORITHM(reverse_copy)
__CUPRUM_ALGORITHM(replace)
__CUPRUM_ALGORITHM(replace_if)
__CUPRUM_ALGORITHM(remove)
__CUPRUM_ALGORITHM(remove_if)
__CUPRUM_ALGORITHM(unique)
__CUPRUM_ALGORITHM(unique_by_key)
__CUPRUM_ALGORITHM(reduce)
__CUPRUM_ALGORITHM(reduce_by_key)
__CUPRUM_ALGORITHM(transform_reduce)
__CUPRUM_ALGORITHM(inner_product)
__CUPRUM_ALGORITHM(inclusive_scan)
__CUPRUM_ALGORITHM(exclusive_scan)
__CUPRUM_ALGORITHM(adjacent_difference)
__CUPRUM_ALGORITHM(find)
__CUPRUM_ALGORITHM(find_if)
__CUPRUM_ALGORITHM(count)
__CUPRUM_ALGORITHM(count_if)
__CUPRUM_ALGORITHM(all_of)
__CUPRUM_ALGORITHM(any_of)
__CUPRUM_ALGORITHM(none_of)
__CUPRUM_ALGORITHM(equal)
__CUPRUM_ALGORITHM(min_element)
__CUPRUM_ALGORITHM(max_element)
__CUPRUM_ALGORITHM(minmax_element)
__CUPRUM_ALGORITHM(lower_bound)
__CUPRUM_ALGORITHM(upper_bound)
__CUPRUM_ALGORITHM(equal_range)
__CUPRUM_ALGORITHM(binary_search)
__CUPRUM_ALGORITHM(is_sorted)
__CUPRUM_ALGORITHM(is_sorted_until)
__CUPRUM_ALGORITHM(mismatch)
__CUPRUM_ALGORITHM(remove_copy)
__CUPRUM_ALGORITHM(replace_copy)
__CUPRUM_ALGORITHM(inclusive_scan_by_key)
__CUPRUM_ALGORITHM(exclusive_scan_by_key)
__CUPRUM_ALGORITHM(set_difference)
__CUPRUM_ALGORITHM(set_intersection)
__CUPRUM_ALGORITHM(set_union)
__CUPRUM_ALGORITHM(set_symmetric_difference)
__CUPRUM_ALGORITHM(set_difference_by_key)
__CUPRUM_ALGORITHM(set_intersection_by_key)
__CUPRUM_ALGORITHM(set_union_by_key)
__CUPRUM_ALGORITHM(set_symmetric_difference_by_key)
__CUPRUM_ALGORITHM(merge)
__CUPRUM_ALGORITHM(sort)
__CUPRUM_ALGORITHM(stable_sort)
__CUPRUM_ALGORITHM(sort_by_key)
__CUPRUM_ALGORITHM(stable_sort_by_key)
#undef __CUPRUM_ALGORITHM
}
#endif
