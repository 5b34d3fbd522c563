// What <span> and <mdspan> call a length that is not known when a kernel is compiled.
#ifndef __CUPRUM_DYNAMIC_EXTENT_H
#define __CUPRUM_DYNAMIC_EXTENT_H
namespace std {
constexpr size_t dynamic_extent = ~(size_t)0;
}
#endif
