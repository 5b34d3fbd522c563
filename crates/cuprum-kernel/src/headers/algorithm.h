// <algorithm> and <numeric>.
#ifndef __CUPRUM_ALGORITHM_H
#define __CUPRUM_ALGORITHM_H
#include <cuprum/algorithms.h>
namespace std {
using __cuprum_algorithms::for_each; using __cuprum_algorithms::for_each_n; using __cuprum_algorithms::fill;
using __cuprum_algorithms::fill_n; using __cuprum_algorithms::iota; using __cuprum_algorithms::generate;
using __cuprum_algorithms::copy; using __cuprum_algorithms::copy_n; using __cuprum_algorithms::copy_if;
using __cuprum_algorithms::transform; using __cuprum_algorithms::swap_ranges; using __cuprum_algorithms::iter_swap;
using __cuprum_algorithms::reverse; using __cuprum_algorithms::reverse_copy; using __cuprum_algorithms::rotate;
using __cuprum_algorithms::replace; using __cuprum_algorithms::replace_if; using __cuprum_algorithms::remove;
using __cuprum_algorithms::remove_if; using __cuprum_algorithms::unique; using __cuprum_algorithms::reduce;
using __cuprum_algorithms::accumulate; using __cuprum_algorithms::inner_product;
using __cuprum_algorithms::inclusive_scan; using __cuprum_algorithms::exclusive_scan;
using __cuprum_algorithms::adjacent_difference; using __cuprum_algorithms::find;
using __cuprum_algorithms::find_if; using __cuprum_algorithms::count; using __cuprum_algorithms::count_if;
using __cuprum_algorithms::all_of; using __cuprum_algorithms::any_of; using __cuprum_algorithms::none_of;
using __cuprum_algorithms::equal; using __cuprum_algorithms::min_element; using __cuprum_algorithms::max_element;
using __cuprum_algorithms::minmax_element; using __cuprum_algorithms::lower_bound;
using __cuprum_algorithms::upper_bound; using __cuprum_algorithms::equal_range;
using __cuprum_algorithms::binary_search; using __cuprum_algorithms::is_sorted; using __cuprum_algorithms::merge;
using __cuprum_algorithms::sort; using __cuprum_algorithms::stable_sort;
}
namespace cuda { namespace std { using namespace ::std; } }
#endif
