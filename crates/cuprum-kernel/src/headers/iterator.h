// <iterator>: what iterators point to.
#ifndef __CUPRUM_ITERATOR_H
#define __CUPRUM_ITERATOR_H
namespace std {
template <class It> struct iterator_traits {
    typedef typename It::value_type value_type;
    typedef typename It::reference reference;
    typedef ptrdiff_t difference_type;
};
template <class T> struct iterator_traits<T*> {
    typedef T value_type;
    typedef T& reference;
    typedef T* pointer;
    typedef ptrdiff_t difference_type;
};
template <class T> struct iterator_traits<const T*> {
    typedef T value_type;
    typedef const T& reference;
    typedef const T* pointer;
    typedef ptrdiff_t difference_type;
};
template <class It> __host__ __device__ inline ptrdiff_t distance(It first, It last) { return last - first; }
template <class It> __host__ __device__ inline It next(It it, ptrdiff_t n = 1) { return it + n; }
template <class It> __host__ __device__ inline It prev(It it, ptrdiff_t n = 1) { return it - n; }
template <class It> __host__ __device__ inline void advance(It& it, ptrdiff_t n) { it = it + n; }
}
#endif
