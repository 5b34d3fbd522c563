// <cuda/std/span> and <span>: elements that lie side by side, by the first one's address and their number.
#ifndef __CUPRUM_SPAN_H
#define __CUPRUM_SPAN_H
#include <utility>
#include <cuprum/dynamic_extent.h>
namespace std {
template <class T, size_t extent_ = dynamic_extent> struct span {
    typedef T element_type;
    typedef remove_cv_t<T> value_type;
    T* first_;
    size_t size_;
    static constexpr size_t extent = extent_;

    __host__ __device__ constexpr span() : first_(nullptr), size_(0) {}
    __host__ __device__ constexpr span(T* first, size_t size) : first_(first), size_(size) {}
    template <size_t n> __host__ __device__ constexpr span(T (&items)[n]) : first_(items), size_(n) {}
    template <class U, size_t n> __host__ __device__ span(array<U, n>& items) : first_(items.data()), size_(n) {}
    template <class U, size_t n>
    __host__ __device__ constexpr span(const span<U, n>& other) : first_(other.data()), size_(other.size()) {}

    __host__ __device__ constexpr T& operator[](size_t i) const { return first_[i]; }
    __host__ __device__ constexpr T* data() const { return first_; }
    __host__ __device__ constexpr size_t size() const { return size_; }
    __host__ __device__ constexpr size_t size_bytes() const { return size_ * sizeof(T); }
    __host__ __device__ constexpr bool empty() const { return size_ == 0; }
    __host__ __device__ constexpr T* begin() const { return first_; }
    __host__ __device__ constexpr T* end() const { return first_ + size_; }
    __host__ __device__ constexpr T& front() const { return first_[0]; }
    __host__ __device__ constexpr T& back() const { return first_[size_ - 1]; }
    __host__ __device__ constexpr span<T> first(size_t count) const { return span<T>(first_, count); }
    __host__ __device__ constexpr span<T> last(size_t count) const { return span<T>(first_ + (size_ - count), count); }
    __host__ __device__ constexpr span<T> subspan(size_t from, size_t count = dynamic_extent) const {
        return span<T>(first_ + from, count == dynamic_extent ? size_ - from : count);
    }
};
}
namespace cuda { namespace std { using namespace ::std; } }
#endif
