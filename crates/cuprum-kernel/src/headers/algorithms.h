// Algorithms on ranges, each done by one thread: <algorithm>, <numeric> and Thrust's algorithms inside kernels use them.
#ifndef __CUPRUM_ALGORITHMS_H
#define __CUPRUM_ALGORITHMS_H
#include <utility>
#include <iterator>
#define __CUPRUM_FN __host__ __device__ inline
namespace __cuprum_algorithms {
template <class It> using value_of = typename std::iterator_traits<It>::value_type;
template <class It> using less_of = std::less<value_of<It>>;
template <class It> using equal_of = std::equal_to<value_of<It>>;
template <class It> using plus_of = std::plus<value_of<It>>;

template <class A, class B> __CUPRUM_FN void iter_swap(A a, B b) {
    value_of<A> held = *a;
    *a = *b;
    *b = held;
}

// Walks over ranges.
template <class It, class F> __CUPRUM_FN It for_each(It first, It last, F f) {
    for (; first != last; ++first) f(*first);
    return first;
}
template <class It, class Size, class F> __CUPRUM_FN It for_each_n(It first, Size n, F f) {
    for (Size i = 0; i < n; ++i, ++first) f(*first);
    return first;
}
template <class It, class T> __CUPRUM_FN void fill(It first, It last, const T& value) {
    for (; first != last; ++first) *first = value;
}
template <class It, class Size, class T> __CUPRUM_FN It fill_n(It first, Size n, const T& value) {
    for (Size i = 0; i < n; ++i, ++first) *first = value;
    return first;
}
template <class It> __CUPRUM_FN void sequence(It first, It last) {
    value_of<It> i = 0;
    for (; first != last; ++first, i = i + 1) *first = i;
}
template <class It, class T> __CUPRUM_FN void sequence(It first, It last, T start) {
    for (; first != last; ++first, start = start + 1) *first = start;
}
template <class It, class T> __CUPRUM_FN void sequence(It first, It last, T start, T step) {
    for (T i = 0; first != last; ++first, i = i + 1) *first = start + i * step;
}
template <class It, class T> __CUPRUM_FN void iota(It first, It last, T start) {
    for (; first != last; ++first, ++start) *first = start;
}
template <class It, class F> __CUPRUM_FN void generate(It first, It last, F f) {
    for (; first != last; ++first) *first = f();
}
template <class It, class F> __CUPRUM_FN void tabulate(It first, It last, F f) {
    for (It it = first; it != last; ++it) *it = f(it - first);
}
template <class From, class To> __CUPRUM_FN To copy(From first, From last, To to) {
    for (; first != last; ++first, ++to) *to = *first;
    return to;
}
template <class From, class Size, class To> __CUPRUM_FN To copy_n(From first, Size n, To to) {
    for (Size i = 0; i < n; ++i, ++first, ++to) *to = *first;
    return to;
}
template <class From, class To, class P> __CUPRUM_FN To copy_if(From first, From last, To to, P wanted) {
    for (; first != last; ++first) {
        if (wanted(*first)) {
            *to = *first;
            ++to;
        }
    }
    return to;
}
template <class From, class Stencil, class To, class P>
__CUPRUM_FN To copy_if(From first, From last, Stencil stencil, To to, P wanted) {
    for (; first != last; ++first, ++stencil) {
        if (wanted(*stencil)) {
            *to = *first;
            ++to;
        }
    }
    return to;
}
template <class From, class To, class F> __CUPRUM_FN To transform(From first, From last, To to, F f) {
    for (; first != last; ++first, ++to) *to = f(*first);
    return to;
}
template <class A, class B, class To, class F> __CUPRUM_FN To transform(A first, A last, B second, To to, F f) {
    for (; first != last; ++first, ++second, ++to) *to = f(*first, *second);
    return to;
}
template <class Map, class From, class To> __CUPRUM_FN To gather(Map first, Map last, From from, To to) {
    for (; first != last; ++first, ++to) *to = from[*first];
    return to;
}
template <class From, class Map, class To> __CUPRUM_FN void scatter(From first, From last, Map map, To to) {
    for (; first != last; ++first, ++map) to[*map] = *first;
}
template <class A, class B> __CUPRUM_FN B swap_ranges(A first, A last, B second) {
    for (; first != last; ++first, ++second) iter_swap(first, second);
    return second;
}
template <class It> __CUPRUM_FN void reverse(It first, It last) {
    while (first != last && first != --last) {
        iter_swap(first, last);
        ++first;
    }
}
template <class From, class To> __CUPRUM_FN To reverse_copy(From first, From last, To to) {
    while (first != last) {
        --last;
        *to = *last;
        ++to;
    }
    return to;
}
template <class It> __CUPRUM_FN It rotate(It first, It middle, It last) {
    reverse(first, middle);
    reverse(middle, last);
    reverse(first, last);
    return first + (last - middle);
}
template <class It, class T> __CUPRUM_FN void replace(It first, It last, const T& old, const T& value) {
    for (; first != last; ++first) {
        if (*first == old) *first = value;
    }
}
template <class It, class P, class T> __CUPRUM_FN void replace_if(It first, It last, P wanted, const T& value) {
    for (; first != last; ++first) {
        if (wanted(*first)) *first = value;
    }
}
template <class It, class P> __CUPRUM_FN It remove_if(It first, It last, P unwanted) {
    It to = first;
    for (; first != last; ++first) {
        if (!unwanted(*first)) {
            *to = *first;
            ++to;
        }
    }
    return to;
}
template <class It, class T> __CUPRUM_FN It remove(It first, It last, const T& value) {
    It to = first;
    for (; first != last; ++first) {
        if (!(*first == value)) {
            *to = *first;
            ++to;
        }
    }
    return to;
}
template <class It, class Equal> __CUPRUM_FN It unique(It first, It last, Equal equal) {
    if (first == last) return last;
    It to = first;
    for (++first; first != last; ++first) {
        if (!equal(*to, *first)) {
            ++to;
            *to = *first;
        }
    }
    return ++to;
}
template <class It> __CUPRUM_FN It unique(It first, It last) { return unique(first, last, equal_of<It>()); }
template <class K, class V> __CUPRUM_FN std::pair<K, V> unique_by_key(K first, K last, V values) {
    if (first == last) return std::pair<K, V>(last, values);
    K key = first;
    V value = values;
    for (++first, ++values; first != last; ++first, ++values) {
        if (!(*key == *first)) {
            ++key;
            ++value;
            *key = *first;
            *value = *values;
        }
    }
    return std::pair<K, V>(++key, ++value);
}

// Sums and scans, from the first element on.
template <class It, class T, class Op> __CUPRUM_FN T reduce(It first, It last, T init, Op op) {
    for (; first != last; ++first) init = op(init, *first);
    return init;
}
template <class It, class T> __CUPRUM_FN T reduce(It first, It last, T init) {
    return reduce(first, last, init, std::plus<T>());
}
template <class It> __CUPRUM_FN value_of<It> reduce(It first, It last) {
    return reduce(first, last, value_of<It>(0), plus_of<It>());
}
template <class It, class T> __CUPRUM_FN T accumulate(It first, It last, T init) {
    for (; first != last; ++first) init = init + *first;
    return init;
}
template <class It, class T, class Op> __CUPRUM_FN T accumulate(It first, It last, T init, Op op) {
    return reduce(first, last, init, op);
}
template <class It, class F, class T, class Op>
__CUPRUM_FN T transform_reduce(It first, It last, F f, T init, Op op) {
    for (; first != last; ++first) init = op(init, f(*first));
    return init;
}
template <class A, class B, class T, class Add, class Times>
__CUPRUM_FN T inner_product(A first, A last, B second, T init, Add add, Times times) {
    for (; first != last; ++first, ++second) init = add(init, times(*first, *second));
    return init;
}
template <class A, class B, class T> __CUPRUM_FN T inner_product(A first, A last, B second, T init) {
    for (; first != last; ++first, ++second) init = init + *first * *second;
    return init;
}
template <class From, class To, class Op> __CUPRUM_FN To inclusive_scan(From first, From last, To to, Op op) {
    if (first == last) return to;
    value_of<From> sum = *first;
    *to = sum;
    for (++first, ++to; first != last; ++first, ++to) {
        sum = op(sum, *first);
        *to = sum;
    }
    return to;
}
template <class From, class To> __CUPRUM_FN To inclusive_scan(From first, From last, To to) {
    return inclusive_scan(first, last, to, plus_of<From>());
}
template <class From, class To, class T, class Op>
__CUPRUM_FN To exclusive_scan(From first, From last, To to, T init, Op op) {
    for (; first != last; ++first, ++to) {
        value_of<From> element = *first;
        *to = init;
        init = op(init, element);
    }
    return to;
}
template <class From, class To, class T> __CUPRUM_FN To exclusive_scan(From first, From last, To to, T init) {
    return exclusive_scan(first, last, to, init, std::plus<T>());
}
template <class From, class To> __CUPRUM_FN To exclusive_scan(From first, From last, To to) {
    return exclusive_scan(first, last, to, value_of<From>(0), plus_of<From>());
}
template <class From, class To> __CUPRUM_FN To adjacent_difference(From first, From last, To to) {
    if (first == last) return to;
    value_of<From> before = *first;
    *to = before;
    for (++first, ++to; first != last; ++first, ++to) {
        value_of<From> element = *first;
        *to = element - before;
        before = element;
    }
    return to;
}
template <class K, class V, class KeysOut, class ValuesOut>
__CUPRUM_FN std::pair<KeysOut, ValuesOut> reduce_by_key(K first, K last, V values, KeysOut keys, ValuesOut sums) {
    while (first != last) {
        value_of<K> key = *first;
        value_of<V> sum = *values;
        for (++first, ++values; first != last && *first == key; ++first, ++values) sum = sum + *values;
        *keys = key;
        *sums = sum;
        ++keys;
        ++sums;
    }
    return std::pair<KeysOut, ValuesOut>(keys, sums);
}

// Questions about ranges.
template <class It, class P> __CUPRUM_FN It find_if(It first, It last, P wanted) {
    while (first != last && !wanted(*first)) ++first;
    return first;
}
template <class It, class T> __CUPRUM_FN It find(It first, It last, const T& value) {
    while (first != last && !(*first == value)) ++first;
    return first;
}
template <class It, class P> __CUPRUM_FN ptrdiff_t count_if(It first, It last, P wanted) {
    ptrdiff_t n = 0;
    for (; first != last; ++first) n += wanted(*first) ? 1 : 0;
    return n;
}
template <class It, class T> __CUPRUM_FN ptrdiff_t count(It first, It last, const T& value) {
    ptrdiff_t n = 0;
    for (; first != last; ++first) n += *first == value ? 1 : 0;
    return n;
}
template <class It, class P> __CUPRUM_FN bool all_of(It first, It last, P wanted) {
    for (; first != last; ++first) {
        if (!wanted(*first)) return false;
    }
    return true;
}
template <class It, class P> __CUPRUM_FN bool any_of(It first, It last, P wanted) {
    return find_if(first, last, wanted) != last;
}
template <class It, class P> __CUPRUM_FN bool none_of(It first, It last, P wanted) {
    return !any_of(first, last, wanted);
}
template <class A, class B> __CUPRUM_FN bool equal(A first, A last, B second) {
    for (; first != last; ++first, ++second) {
        if (!(*first == *second)) return false;
    }
    return true;
}
template <class It, class Less> __CUPRUM_FN It min_element(It first, It last, Less less) {
    It best = first;
    for (; first != last; ++first) {
        if (less(*first, *best)) best = first;
    }
    return best;
}
template <class It> __CUPRUM_FN It min_element(It first, It last) { return min_element(first, last, less_of<It>()); }
template <class It, class Less> __CUPRUM_FN It max_element(It first, It last, Less less) {
    It best = first;
    for (; first != last; ++first) {
        if (less(*best, *first)) best = first;
    }
    return best;
}
template <class It> __CUPRUM_FN It max_element(It first, It last) { return max_element(first, last, less_of<It>()); }
template <class It> __CUPRUM_FN std::pair<It, It> minmax_element(It first, It last) {
    return std::pair<It, It>(min_element(first, last), max_element(first, last));
}
template <class It, class T, class Less> __CUPRUM_FN It lower_bound(It first, It last, const T& value, Less less) {
    ptrdiff_t n = last - first;
    while (n > 0) {
        ptrdiff_t half = n / 2;
        It middle = first + half;
        if (less(*middle, value)) {
            first = middle + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return first;
}
template <class It, class T> __CUPRUM_FN It lower_bound(It first, It last, const T& value) {
    return lower_bound(first, last, value, std::less<>());
}
template <class It, class T, class Less> __CUPRUM_FN It upper_bound(It first, It last, const T& value, Less less) {
    ptrdiff_t n = last - first;
    while (n > 0) {
        ptrdiff_t half = n / 2;
        It middle = first + half;
        if (!less(value, *middle)) {
            first = middle + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return first;
}
template <class It, class T> __CUPRUM_FN It upper_bound(It first, It last, const T& value) {
    return upper_bound(first, last, value, std::less<>());
}
template <class It, class T> __CUPRUM_FN std::pair<It, It> equal_range(It first, It last, const T& value) {
    return std::pair<It, It>(lower_bound(first, last, value), upper_bound(first, last, value));
}
template <class It, class T> __CUPRUM_FN bool binary_search(It first, It last, const T& value) {
    It at = lower_bound(first, last, value);
    return at != last && !(value < *at);
}
template <class It, class Less> __CUPRUM_FN bool is_sorted(It first, It last, Less less) {
    if (first == last) return true;
    for (It next = first + 1; next != last; ++first, ++next) {
        if (less(*next, *first)) return false;
    }
    return true;
}
template <class It> __CUPRUM_FN bool is_sorted(It first, It last) { return is_sorted(first, last, less_of<It>()); }
template <class It, class Less> __CUPRUM_FN It is_sorted_until(It first, It last, Less less) {
    if (first == last) return last;
    for (It next = first + 1; next != last; ++first, ++next) {
        if (less(*next, *first)) return next;
    }
    return last;
}
template <class It> __CUPRUM_FN It is_sorted_until(It first, It last) {
    return is_sorted_until(first, last, less_of<It>());
}
// For each of a range of values, the place or the answer.
template <class It, class V, class To> __CUPRUM_FN To lower_bound(It first, It last, V value, V value_last, To to) {
    for (; value != value_last; ++value, ++to) *to = lower_bound(first, last, *value) - first;
    return to;
}
template <class It, class V, class To> __CUPRUM_FN To upper_bound(It first, It last, V value, V value_last, To to) {
    for (; value != value_last; ++value, ++to) *to = upper_bound(first, last, *value) - first;
    return to;
}
template <class It, class V, class To> __CUPRUM_FN To binary_search(It first, It last, V value, V value_last, To to) {
    for (; value != value_last; ++value, ++to) *to = binary_search(first, last, *value);
    return to;
}
template <class A, class B> __CUPRUM_FN std::pair<A, B> mismatch(A first, A last, B second) {
    for (; first != last && *first == *second; ++first, ++second) {}
    return std::pair<A, B>(first, second);
}
template <class From, class To, class T> __CUPRUM_FN To remove_copy(From first, From last, To to, const T& value) {
    for (; first != last; ++first) {
        if (*first == value) continue;
        *to = *first;
        ++to;
    }
    return to;
}
template <class From, class To, class T>
__CUPRUM_FN To replace_copy(From first, From last, To to, const T& old, const T& value) {
    for (; first != last; ++first, ++to) *to = *first == old ? value : *first;
    return to;
}
// Scans that begin anew where the key changes.
template <class K, class V, class To> __CUPRUM_FN To inclusive_scan_by_key(K first, K last, V values, To to) {
    if (first == last) return to;
    value_of<V> sum = *values;
    *to = sum;
    for (K before = first++; first != last; ++before, ++first) {
        ++values;
        ++to;
        if (*before == *first) sum = sum + *values;
        else sum = *values;
        *to = sum;
    }
    return ++to;
}
template <class K, class V, class To, class T>
__CUPRUM_FN To exclusive_scan_by_key(K first, K last, V values, To to, T start) {
    if (first == last) return to;
    value_of<V> sum = start;
    for (K at = first; at != last; ++at, ++values, ++to) {
        if (at != first && !(*(at - 1) == *at)) sum = start;
        value_of<V> value = *values;
        *to = sum;
        sum = sum + value;
    }
    return to;
}
template <class K, class V, class To> __CUPRUM_FN To exclusive_scan_by_key(K first, K last, V values, To to) {
    return exclusive_scan_by_key(first, last, values, to, value_of<V>(0));
}
// Sets as sorted ranges. A value that is there m times in the first and n times in the second is in the union max(m, n)
// times, in the intersection min(m, n), in the difference max(m - n, 0), in the symmetric difference |m - n| times.
// `kept` says what is copied: elements of the first alone, of both, of the second alone. Values go along with keys.
struct NoValues {
    __host__ __device__ NoValues& operator++() { return *this; }
    __host__ __device__ NoValues& operator*() { return *this; }
    template <class T> __host__ __device__ operator T() const { return T(); }
};
template <bool left, bool both, bool right, class A, class B, class VA, class VB, class To, class VTo>
__CUPRUM_FN std::pair<To, VTo> joined_sets(A first, A last, B second, B second_last, VA values, VB second_values, To to,
                                           VTo values_to) {
    while (first != last || second != second_last) {
        bool from_first = second == second_last || (first != last && *first < *second);
        bool from_second = first == last || (second != second_last && *second < *first);
        if (from_second ? right : from_first ? left : both) {
            if (from_second) {
                *to = *second;
                *values_to = *second_values;
            } else {
                *to = *first;
                *values_to = *values;
            }
            ++to;
            ++values_to;
        }
        if (!from_second) {
            ++first;
            ++values;
        }
        if (!from_first) {
            ++second;
            ++second_values;
        }
    }
    return std::pair<To, VTo>(to, values_to);
}
#define __CUPRUM_SET(name, left, both, right)                                                                       \
    template <class A, class B, class To> __CUPRUM_FN To name(A first, A last, B second, B second_last, To to) {    \
        return joined_sets<left, both, right>(first, last, second, second_last, NoValues(), NoValues(), to, NoValues()) \
            .first;                                                                                                 \
    }
__CUPRUM_SET(set_difference, true, false, false)
__CUPRUM_SET(set_intersection, false, true, false)
__CUPRUM_SET(set_union, true, true, true)
__CUPRUM_SET(set_symmetric_difference, true, false, true)
#undef __CUPRUM_SET
#define __CUPRUM_SET(name, left, both, right)                                                                       \
    template <class A, class B, class VA, class VB, class To, class VTo>                                            \
    __CUPRUM_FN std::pair<To, VTo> name(A first, A last, B second, B second_last, VA values, VB second_values, To to, \
                                        VTo values_to) {                                                            \
        return joined_sets<left, both, right>(first, last, second, second_last, values, second_values, to, values_to); \
    }
__CUPRUM_SET(set_difference_by_key, true, false, false)
__CUPRUM_SET(set_union_by_key, true, true, true)
__CUPRUM_SET(set_symmetric_difference_by_key, true, false, true)
#undef __CUPRUM_SET
// The values are those of the first.
template <class A, class B, class VA, class To, class VTo>
__CUPRUM_FN std::pair<To, VTo> set_intersection_by_key(A first, A last, B second, B second_last, VA values, To to,
                                                       VTo values_to) {
    return joined_sets<false, true, false>(first, last, second, second_last, values, NoValues(), to, values_to);
}
template <class A, class B, class To, class Less>
__CUPRUM_FN To merge(A first, A last, B second, B second_last, To to, Less less) {
    while (first != last && second != second_last) {
        if (less(*second, *first)) {
            *to = *second;
            ++second;
        } else {
            *to = *first;
            ++first;
        }
        ++to;
    }
    return copy(second, second_last, copy(first, last, to));
}
template <class A, class B, class To> __CUPRUM_FN To merge(A first, A last, B second, B second_last, To to) {
    return merge(first, last, second, second_last, to, less_of<A>());
}
}
#include <cuprum/sorting_body.h>
#undef __CUPRUM_FN
#endif
