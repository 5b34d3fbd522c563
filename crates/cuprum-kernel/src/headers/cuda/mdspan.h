// <cuda/std/mdspan> and <mdspan>: elements by several indices. In memory an mdspan is its address, then the extents that
// are not known when the kernel is compiled, then the strides of layout_stride.
#ifndef __CUPRUM_MDSPAN_H
#define __CUPRUM_MDSPAN_H
#include <type_traits>
#include <cuprum/dynamic_extent.h>
namespace std {
template <class Index, size_t place, size_t length> struct __cuprum_extent {
    __host__ __device__ constexpr void set(Index) {}
    __host__ __device__ constexpr Index get() const { return (Index)length; }
};
template <class Index, size_t place> struct __cuprum_extent<Index, place, dynamic_extent> {
    Index length_;
    __host__ __device__ constexpr void set(Index length) { length_ = length; }
    __host__ __device__ constexpr Index get() const { return length_; }
};
template <class Index, size_t... lengths> struct __cuprum_extents {
    static constexpr size_t dynamic = 0;
    __host__ __device__ constexpr void put() {}
    __host__ __device__ constexpr Index get(size_t) const { return 1; }
    __host__ __device__ static constexpr size_t known(size_t) { return 1; }
};
template <class Index, size_t first, size_t... rest>
struct __cuprum_extents<Index, first, rest...> : __cuprum_extent<Index, sizeof...(rest), first>,
                                                 __cuprum_extents<Index, rest...> {
    typedef __cuprum_extent<Index, sizeof...(rest), first> Own;
    typedef __cuprum_extents<Index, rest...> Rest;
    static constexpr size_t dynamic = (first == dynamic_extent ? 1 : 0) + Rest::dynamic;
    // All lengths, or those that are not known.
    template <class... More> __host__ __device__ constexpr void put(Index length, More... more) {
        if constexpr (sizeof...(more) == sizeof...(rest) || first == dynamic_extent) {
            Own::set(length);
            Rest::put(more...);
        } else {
            Rest::put(length, more...);
        }
    }
    __host__ __device__ constexpr void put() {}
    __host__ __device__ constexpr Index get(size_t axis) const { return axis == 0 ? Own::get() : Rest::get(axis - 1); }
    __host__ __device__ static constexpr size_t known(size_t axis) { return axis == 0 ? first : Rest::known(axis - 1); }
};
template <class Index, size_t... lengths> struct extents : __cuprum_extents<Index, lengths...> {
    typedef __cuprum_extents<Index, lengths...> Lengths;
    typedef Index index_type;
    typedef Index size_type;
    typedef size_t rank_type;

    extents() = default;
    template <class... Given> __host__ __device__ constexpr explicit extents(Given... given) : Lengths() {
        Lengths::put((Index)given...);
    }
    __host__ __device__ static constexpr size_t rank() { return sizeof...(lengths); }
    __host__ __device__ static constexpr size_t rank_dynamic() { return Lengths::dynamic; }
    __host__ __device__ static constexpr size_t static_extent(size_t axis) { return Lengths::known(axis); }
    __host__ __device__ constexpr Index extent(size_t axis) const { return Lengths::get(axis); }
};
template <class Index, size_t count, size_t... lengths>
struct __cuprum_dextents : __cuprum_dextents<Index, count - 1, dynamic_extent, lengths...> {};
template <class Index, size_t... lengths> struct __cuprum_dextents<Index, 0, lengths...> {
    typedef extents<Index, lengths...> type;
};
template <class Index, size_t rank> using dextents = typename __cuprum_dextents<Index, rank>::type;

struct layout_right {
    template <class Extents> struct mapping : Extents {
        typedef Extents extents_type;
        typedef typename Extents::index_type index_type;
        mapping() = default;
        __host__ __device__ constexpr mapping(const Extents& lengths) : Extents(lengths) {}
        template <class... At> __host__ __device__ constexpr index_type operator()(At... at) const {
            index_type offset = 0;
            size_t axis = 0;
            ((offset = offset * this->extent(axis) + (index_type)at, ++axis), ...);
            return offset;
        }
        __host__ __device__ constexpr index_type stride(size_t axis) const {
            index_type step = 1;
            for (size_t behind = axis + 1; behind < Extents::rank(); ++behind) step *= this->extent(behind);
            return step;
        }
        __host__ __device__ constexpr bool is_exhaustive() const { return true; }
    };
};
struct layout_left {
    template <class Extents> struct mapping : Extents {
        typedef Extents extents_type;
        typedef typename Extents::index_type index_type;
        mapping() = default;
        __host__ __device__ constexpr mapping(const Extents& lengths) : Extents(lengths) {}
        template <class... At> __host__ __device__ constexpr index_type operator()(At... at) const {
            index_type offset = 0, step = 1;
            size_t axis = 0;
            ((offset += (index_type)at * step, step *= this->extent(axis), ++axis), ...);
            return offset;
        }
        __host__ __device__ constexpr index_type stride(size_t axis) const {
            index_type step = 1;
            for (size_t before = 0; before < axis; ++before) step *= this->extent(before);
            return step;
        }
        __host__ __device__ constexpr bool is_exhaustive() const { return true; }
    };
};
template <class Index, size_t rank> struct __cuprum_strides {
    Index steps_[rank];
    __host__ __device__ constexpr Index step(size_t axis) const { return steps_[axis]; }
};
template <class Index> struct __cuprum_strides<Index, 0> {
    __host__ __device__ constexpr Index step(size_t) const { return 1; }
};
struct layout_stride {
    template <class Extents>
    struct mapping : Extents, __cuprum_strides<typename Extents::index_type, Extents::rank()> {
        typedef Extents extents_type;
        typedef typename Extents::index_type index_type;
        mapping() = default;
        template <class Steps> __host__ __device__ constexpr mapping(const Extents& lengths, const Steps& steps)
            : Extents(lengths), __cuprum_strides<typename Extents::index_type, Extents::rank()>() {
            for (size_t axis = 0; axis < Extents::rank(); ++axis) this->steps_[axis] = steps[axis];
        }
        template <class... At> __host__ __device__ constexpr index_type operator()(At... at) const {
            index_type offset = 0;
            size_t axis = 0;
            ((offset += (index_type)at * this->step(axis), ++axis), ...);
            return offset;
        }
        __host__ __device__ constexpr index_type stride(size_t axis) const { return this->step(axis); }
        __host__ __device__ constexpr bool is_exhaustive() const {
            index_type size = 1, span = 1;
            for (size_t axis = 0; axis < Extents::rank(); ++axis) {
                size *= this->extent(axis);
                span += (this->extent(axis) - 1) * this->step(axis);
            }
            return size == span;
        }
    };
};
template <class T> struct default_accessor { typedef T element_type; typedef T* data_handle_type; };
template <class T> struct __cuprum_handle { T* first_; };

template <class T, class Extents, class Layout = layout_right, class Accessor = default_accessor<T>>
struct mdspan : __cuprum_handle<T>, Layout::template mapping<Extents> {
    typedef typename Layout::template mapping<Extents> mapping_type;
    typedef Extents extents_type;
    typedef Layout layout_type;
    typedef Accessor accessor_type;
    typedef T element_type;
    typedef remove_cv_t<T> value_type;
    typedef typename Extents::index_type index_type;
    typedef typename Extents::index_type size_type;
    typedef size_t rank_type;
    typedef T* data_handle_type;
    typedef T& reference;

    mdspan() = default;
    __host__ __device__ constexpr mdspan(T* first, const mapping_type& map)
        : __cuprum_handle<T>{first}, mapping_type(map) {}
    __host__ __device__ constexpr mdspan(T* first, const Extents& lengths)
        : __cuprum_handle<T>{first}, mapping_type(lengths) {}
    template <class... Lengths> __host__ __device__ constexpr explicit mdspan(T* first, Lengths... lengths)
        : __cuprum_handle<T>{first}, mapping_type(Extents(lengths...)) {}

    template <class... At> __host__ __device__ constexpr T& operator()(At... at) const {
        return this->first_[mapping_type::operator()(at...)];
    }
    __host__ __device__ constexpr T& operator[](index_type at) const {
        return this->first_[mapping_type::operator()(at)];
    }
    __host__ __device__ constexpr T* data_handle() const { return this->first_; }
    __host__ __device__ constexpr const mapping_type& mapping() const { return *this; }
    __host__ __device__ constexpr const Extents& extents() const { return *this; }
    __host__ __device__ constexpr index_type size() const {
        index_type all = 1;
        for (size_t axis = 0; axis < Extents::rank(); ++axis) all *= this->extent(axis);
        return all;
    }
    __host__ __device__ constexpr bool empty() const { return size() == 0; }
};
}
namespace cuda { namespace std { using namespace ::std; } }
#endif
