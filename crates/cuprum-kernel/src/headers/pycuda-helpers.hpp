// pycuda-helpers.hpp: textures of doubles and complex numbers, which the hardware reads as integers or pairs.
#ifndef __CUPRUM_PYCUDA_HELPERS_HPP
#define __CUPRUM_PYCUDA_HELPERS_HPP
#include <pycuda-complex.hpp>
typedef float fp_tex_float;
typedef float2 fp_tex_cfloat;
typedef int2 fp_tex_double;
typedef int4 fp_tex_cdouble;
#ifdef __CUPRUM_CPU__
#include <cuprum/texture.h>
// A fetch by a texture reference: elements as they are, but doubles and complex numbers put together.
#define __CUPRUM_FETCH(name, fetch, parameters, arguments)                                                        \
    template <class T, int axes, cudaTextureReadMode mode>                                                        \
    __device__ inline T name(texture<T, axes, mode> t, parameters) { return fetch(t, arguments); }                \
    template <int axes, cudaTextureReadMode mode>                                                                 \
    __device__ inline double name(texture<fp_tex_double, axes, mode> t, parameters) {                             \
        int2 bits = fetch(t, arguments);                                                                          \
        return __hiloint2double(bits.y, bits.x);                                                                  \
    }                                                                                                             \
    template <int axes, cudaTextureReadMode mode>                                                                 \
    __device__ inline pycuda::complex<float> name(texture<fp_tex_cfloat, axes, mode> t, parameters) {             \
        float2 pair = fetch(t, arguments);                                                                        \
        return pycuda::complex<float>(pair.x, pair.y);                                                            \
    }                                                                                                             \
    template <int axes, cudaTextureReadMode mode>                                                                 \
    __device__ inline pycuda::complex<double> name(texture<fp_tex_cdouble, axes, mode> t, parameters) {           \
        int4 bits = fetch(t, arguments);                                                                          \
        return pycuda::complex<double>(__hiloint2double(bits.y, bits.x), __hiloint2double(bits.w, bits.z));       \
    }
#define __CUPRUM_LIST(...) __VA_ARGS__
__CUPRUM_FETCH(fp_tex1Dfetch, tex1Dfetch, int i, i)
__CUPRUM_FETCH(fp_tex2D, tex2D, __CUPRUM_LIST(int i, int j), __CUPRUM_LIST(i + 0.5f, j + 0.5f))
__CUPRUM_FETCH(fp_tex3D, tex3D, __CUPRUM_LIST(int i, int j, int k), __CUPRUM_LIST(i + 0.5f, j + 0.5f, k + 0.5f))
__CUPRUM_FETCH(fp_tex2DLayered, tex2DLayered, __CUPRUM_LIST(int i, int j, int layer), __CUPRUM_LIST(i + 0.5f, j + 0.5f, layer))
#undef __CUPRUM_FETCH
// Surfaces by the numbers of elements: doubles and complex numbers have the bytes of their channels.
#define __CUPRUM_SURFACE(name, parameters, arguments)                                                             \
    template <class T, int type>                                                                                  \
    __device__ inline void fp_##name##read(T* to, surface<void, type> s, int i, parameters,                       \
                                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                 \
        name##read(to, s, i * (int)sizeof(T), arguments, mode);                                                   \
    }                                                                                                             \
    template <class T, int type>                                                                                  \
    __device__ inline void fp_##name##write(T value, surface<void, type> s, int i, parameters,                    \
                                            cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                \
        name##write(value, s, i * (int)sizeof(T), arguments, mode);                                               \
    }
__CUPRUM_SURFACE(surf2D, int j, j)
__CUPRUM_SURFACE(surf1DLayered, int layer, layer)
__CUPRUM_SURFACE(surf2DLayered, __CUPRUM_LIST(int j, int layer), __CUPRUM_LIST(j, layer))
__CUPRUM_SURFACE(surf3D, __CUPRUM_LIST(int j, int k), __CUPRUM_LIST(j, k))
#undef __CUPRUM_SURFACE
#undef __CUPRUM_LIST
#endif
#endif
