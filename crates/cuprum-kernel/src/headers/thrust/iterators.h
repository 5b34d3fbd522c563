// Thrust's iterators that compute what they point to: counting, constant, transform and permutation.
#ifndef __CUPRUM_THRUST_COUNTING_ITERATOR_H
#define __CUPRUM_THRUST_COUNTING_ITERATOR_H
#include <iterator>
namespace thrust {
using std::distance; using std::advance; using std::iterator_traits;
// What all of them do with a position: __CUPRUM_WALK(Name) within struct Name, which has `at` and `value(position)`.
#define __CUPRUM_WALK(Name)                                                                                     \
    __host__ __device__ reference operator*() const { return element(0); }                                      \
    __host__ __device__ reference operator[](ptrdiff_t i) const { return element(i); }                           \
    __host__ __device__ Name& operator++() { return *this = *this + 1; }                                        \
    __host__ __device__ Name& operator--() { return *this = *this - 1; }                                        \
    __host__ __device__ Name operator++(int) {                                                                  \
        Name before = *this;                                                                                    \
        *this = *this + 1;                                                                                      \
        return before;                                                                                          \
    }                                                                                                           \
    __host__ __device__ Name& operator+=(ptrdiff_t n) { return *this = *this + n; }                             \
    __host__ __device__ Name operator-(ptrdiff_t n) const { return *this + -n; }                                \
    __host__ __device__ ptrdiff_t operator-(const Name& other) const { return (ptrdiff_t)(at - other.at); }     \
    __host__ __device__ bool operator==(const Name& other) const { return at == other.at; }                     \
    __host__ __device__ bool operator!=(const Name& other) const { return at != other.at; }                     \
    __host__ __device__ bool operator<(const Name& other) const { return at < other.at; }
template <class T> struct counting_iterator {
    typedef T value_type;
    typedef T reference;
    T at;
    counting_iterator() = default;
    __host__ __device__ explicit counting_iterator(T start) : at(start) {}
    __host__ __device__ T element(ptrdiff_t i) const { return (T)(at + i); }
    __host__ __device__ counting_iterator operator+(ptrdiff_t n) const { return counting_iterator((T)(at + n)); }
    __CUPRUM_WALK(counting_iterator)
};
template <class T> struct constant_iterator {
    typedef T value_type;
    typedef T reference;
    T held;
    ptrdiff_t at;
    constant_iterator() = default;
    __host__ __device__ explicit constant_iterator(T value, ptrdiff_t start = 0) : held(value), at(start) {}
    __host__ __device__ T element(ptrdiff_t) const { return held; }
    __host__ __device__ constant_iterator operator+(ptrdiff_t n) const { return constant_iterator(held, at + n); }
    __CUPRUM_WALK(constant_iterator)
};
template <class F, class It> struct transform_iterator {
    It at;
    F f;
    typedef decltype(f(*at)) value_type;
    typedef value_type reference;
    __host__ __device__ transform_iterator(It start, F function) : at(start), f(function) {}
    __host__ __device__ value_type element(ptrdiff_t i) const { return f(at[i]); }
    __host__ __device__ transform_iterator operator+(ptrdiff_t n) const { return transform_iterator(at + n, f); }
    __CUPRUM_WALK(transform_iterator)
};
template <class It, class Map> struct permutation_iterator {
    typedef typename std::iterator_traits<It>::value_type value_type;
    typedef typename std::iterator_traits<It>::reference reference;
    It from;
    Map at;
    __host__ __device__ permutation_iterator(It elements, Map map) : from(elements), at(map) {}
    __host__ __device__ reference element(ptrdiff_t i) const { return from[at[i]]; }
    __host__ __device__ permutation_iterator operator+(ptrdiff_t n) const { return permutation_iterator(from, at + n); }
    __CUPRUM_WALK(permutation_iterator)
};
#undef __CUPRUM_WALK
template <class T> __host__ __device__ inline counting_iterator<T> make_counting_iterator(T start) {
    return counting_iterator<T>(start);
}
template <class T> __host__ __device__ inline constant_iterator<T> make_constant_iterator(T value) {
    return constant_iterator<T>(value);
}
template <class It, class F> __host__ __device__ inline transform_iterator<F, It> make_transform_iterator(It it, F f) {
    return transform_iterator<F, It>(it, f);
}
template <class It, class Map>
__host__ __device__ inline permutation_iterator<It, Map> make_permutation_iterator(It it, Map map) {
    return permutation_iterator<It, Map>(it, map);
}
// Pointers of the host's containers are pointers here.
template <class T> using device_ptr = T*;
template <class T> __host__ __device__ inline T* device_pointer_cast(T* p) { return p; }
template <class T> __host__ __device__ inline T* raw_pointer_cast(T* p) { return p; }
}
#endif
