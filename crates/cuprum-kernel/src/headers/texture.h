// Textures and surfaces on the CPU: an object is the address of a description of its memory and of how it is read.
// Linear filtering is the hardware's: the way between two elements has eight bits.
#ifndef __CUPRUM_TEXTURE_H
#define __CUPRUM_TEXTURE_H
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder };
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
enum { cudaTextureType1D = 1, cudaTextureType2D, cudaTextureType3D, cudaTextureType1DLayered = 0xf1, cudaTextureType2DLayered = 0xf2 };
enum { cudaSurfaceType1D = 1, cudaSurfaceType2D, cudaSurfaceType3D };

struct __cuprum_texture {
    unsigned long long mark;  // says that this is a description
    char* data;
    long long width, height, depth;  // elements; 0 for an axis that is not there
    long long pitch, plane;          // bytes from row to row and from plane to plane
    int resource;                    // 0: an array, 2: linear memory, 3: rows of memory
    int kind, bits, channels;        // of an element; kinds are signed, unsigned, float
    int modes[3];
    int linear, fractions, normalized, srgb, layered, writable, spare;
    float border[4];
};
#define __CUPRUM_TEXTURE_MARK 0x6d75727075437854ull

__device__ inline const __cuprum_texture* __cuprum_description(unsigned long long object) {
    const __cuprum_texture* t = (const __cuprum_texture*)object;
    __cuprum_assert(t->mark == __CUPRUM_TEXTURE_MARK, "the object is a texture or a surface that has not been destroyed");
    return t;
}
__device__ inline const __cuprum_texture* __cuprum_checked(unsigned long long object, int axes, bool layered,
                                                               bool surface = false) {
    const __cuprum_texture* t = __cuprum_description(object);
    __cuprum_assert(t->writable == 0 || surface, "the object is a texture, not a surface");
    __cuprum_assert(t->writable != 0 || !surface, "the object is a surface, not a texture");
    int has = layered ? (t->height ? 2 : 1) : t->depth ? 3 : t->height ? 2 : 1;
    __cuprum_assert(t->resource != 2, "memory without rows is read by tex1Dfetch");
    __cuprum_assert(has == axes && (t->layered != 0) == layered, "the texture has the axes that the function reads");
    return t;
}

// Where an element lies along an axis; -1 beyond the border.
__device__ inline long long __cuprum_place(long long i, long long n, int mode) {
    if (mode == 1) return i < 0 ? 0 : i >= n ? n - 1 : i;
    if (mode == 3) return i < 0 || i >= n ? -1 : i;
    if (mode == 0) {
        long long rest = i % n;
        return rest < 0 ? rest + n : rest;
    }
    long long rest = i % (2 * n);
    if (rest < 0) rest += 2 * n;
    return rest < n ? rest : 2 * n - 1 - rest;
}
// A coordinate in elements.
__device__ inline float __cuprum_coordinate(const __cuprum_texture* t, float x, long long n, int mode) {
    if (!t->normalized) return x;
    float whole = floorf(x);
    if (mode == 0) x -= whole;
    if (mode == 2) x = ((long long)whole & 1) ? 1.0f - (x - whole) : x - whole;
    return x * (float)n;
}
// A channel of an element as a float or as an integer.
__device__ inline float __cuprum_value(const __cuprum_texture* t, const char* at, int channel) {
    float x;
    if (t->kind == 2) {
        x = t->bits == 32 ? *(const float*)at : __cuprum_half_to_float(*(const unsigned short*)at);
    } else if (t->kind == 1) {
        x = t->bits == 8 ? (float)*(const unsigned char*)at / 255.0f : (float)*(const unsigned short*)at / 65535.0f;
    } else {
        // The least integer lies below -1: filters take it as it is, and cut their sum.
        x = t->bits == 8 ? (float)*(const signed char*)at / 127.0f : (float)*(const short*)at / 32767.0f;
    }
    if (t->srgb && channel < 3) x = x <= 0.04045f ? x / 12.92f : powf((x + 0.055f) / 1.055f, 2.4f);
    return x;
}
__device__ inline float __cuprum_cut(const __cuprum_texture* t, float x) {
    return t->kind == 0 && x < -1.0f ? -1.0f : x;
}
__device__ inline long long __cuprum_integer(const __cuprum_texture* t, const char* at) {
    if (t->kind == 1) {
        if (t->bits == 8) return *(const unsigned char*)at;
        return t->bits == 16 ? *(const unsigned short*)at : (long long)*(const unsigned int*)at;
    }
    if (t->bits == 8) return *(const signed char*)at;
    return t->bits == 16 ? *(const short*)at : *(const int*)at;
}
__device__ inline const char* __cuprum_element(const __cuprum_texture* t, long long i, long long j, long long k, int channel) {
    return t->data + k * t->plane + j * t->pitch + (i * t->channels + channel) * (t->bits / 8);
}

// One channel: `Read<float>` filters, others take the nearest element.
template <class Part> struct __cuprum_read {
    __device__ static Part at(const __cuprum_texture* t, long long i, long long j, long long k, int channel) {
        if (i < 0 || j < 0 || k < 0) return (Part)t->border[channel];
        return (Part)__cuprum_integer(t, __cuprum_element(t, i, j, k, channel));
    }
    __device__ static Part cut(const __cuprum_texture*, Part x) { return x; }
    __device__ static bool fits(const __cuprum_texture* t) { return t->kind != 2 && !t->fractions && !t->linear; }
};
template <> struct __cuprum_read<float> {
    __device__ static float at(const __cuprum_texture* t, long long i, long long j, long long k, int channel) {
        if (i < 0 || j < 0 || k < 0) return t->border[channel];
        return __cuprum_value(t, __cuprum_element(t, i, j, k, channel), channel);
    }
    __device__ static float cut(const __cuprum_texture* t, float x) { return __cuprum_cut(t, x); }
    __device__ static bool fits(const __cuprum_texture* t) { return t->kind == 2 || t->fractions; }
};
// Vectors of CUDA: their parts, and how many.
template <class T> struct __cuprum_parts { typedef T Part; static constexpr int count = 1; };
#define __CUPRUM_PARTS(type, name)                                                                              \
    template <> struct __cuprum_parts<name##1> { typedef type Part; static constexpr int count = 1; };          \
    template <> struct __cuprum_parts<name##2> { typedef type Part; static constexpr int count = 2; };          \
    template <> struct __cuprum_parts<name##4> { typedef type Part; static constexpr int count = 4; };
__CUPRUM_PARTS(signed char, char)
__CUPRUM_PARTS(unsigned char, uchar)
__CUPRUM_PARTS(short, short)
__CUPRUM_PARTS(unsigned short, ushort)
__CUPRUM_PARTS(int, int)
__CUPRUM_PARTS(unsigned int, uint)
__CUPRUM_PARTS(float, float)
#undef __CUPRUM_PARTS

template <class T> __device__ inline T __cuprum_sample(const __cuprum_texture* t, int axes, float x, float y, float z, int layer) {
    typedef typename __cuprum_parts<T>::Part Part;
    __cuprum_assert(__cuprum_read<Part>::fits(t), "the function's type is one that the texture can be read as");
    __cuprum_assert(__cuprum_parts<T>::count <= t->channels, "the texture has as many channels as the function's type");
    T result;
    Part* parts = (Part*)&result;
    long long plane = layer;
    x = __cuprum_coordinate(t, x, t->width, t->modes[0]);
    if (axes > 1) y = __cuprum_coordinate(t, y, t->height, t->modes[1]);
    if (axes > 2) z = __cuprum_coordinate(t, z, t->depth, t->modes[2]);
    if (!t->linear) {
        long long i = __cuprum_place((long long)floorf(x), t->width, t->modes[0]), j = 0, k = plane;
        if (axes > 1) j = __cuprum_place((long long)floorf(y), t->height, t->modes[1]);
        if (axes > 2) k = __cuprum_place((long long)floorf(z), t->depth, t->modes[2]);
        for (int c = 0; c < __cuprum_parts<T>::count; ++c) parts[c] = __cuprum_read<Part>::cut(t, __cuprum_read<Part>::at(t, i, j, k, c));
        return result;
    }
    float fx = floorf(x - 0.5f), fy = axes > 1 ? floorf(y - 0.5f) : 0.0f, fz = axes > 2 ? floorf(z - 0.5f) : 0.0f;
    float ax = rintf((x - 0.5f - fx) * 256.0f) / 256.0f;
    float ay = axes > 1 ? rintf((y - 0.5f - fy) * 256.0f) / 256.0f : 0.0f;
    float az = axes > 2 ? rintf((z - 0.5f - fz) * 256.0f) / 256.0f : 0.0f;
    for (int c = 0; c < __cuprum_parts<T>::count; ++c) {
        float sum = 0.0f;
        for (int dz = 0; dz < (axes > 2 ? 2 : 1); ++dz) {
            long long k = axes > 2 ? __cuprum_place((long long)fz + dz, t->depth, t->modes[2]) : plane;
            float wz = axes > 2 ? (dz ? az : 1.0f - az) : 1.0f;
            for (int dy = 0; dy < (axes > 1 ? 2 : 1); ++dy) {
                long long j = axes > 1 ? __cuprum_place((long long)fy + dy, t->height, t->modes[1]) : 0;
                float wy = axes > 1 ? (dy ? ay : 1.0f - ay) : 1.0f;
                for (int dx = 0; dx < 2; ++dx) {
                    long long i = __cuprum_place((long long)fx + dx, t->width, t->modes[0]);
                    float w = (dx ? ax : 1.0f - ax) * wy * wz;
                    // An element without weight may be infinite.
                    if (w != 0.0f) sum += w * (float)__cuprum_read<Part>::at(t, i, j, k, c);
                }
            }
        }
        parts[c] = __cuprum_read<Part>::cut(t, (Part)sum);
    }
    return result;
}
// The hardware takes the number of a layer as unsigned: one below 0 is beyond the last.
__device__ inline int __cuprum_layer(const __cuprum_texture* t, int layer) {
    return (unsigned int)layer >= (unsigned int)t->depth ? (int)t->depth - 1 : layer;
}

template <class T> __device__ inline T tex1Dfetch(cudaTextureObject_t object, int i) {
    typedef typename __cuprum_parts<T>::Part Part;
    const __cuprum_texture* t = __cuprum_description(object);
    __cuprum_assert(t->resource == 2, "tex1Dfetch reads memory without rows; arrays are read by tex1D");
    __cuprum_assert(__cuprum_read<Part>::fits(t), "the function's type is one that the texture can be read as");
    __cuprum_assert(__cuprum_parts<T>::count <= t->channels, "the texture has as many channels as the function's type");
    T result;
    Part* parts = (Part*)&result;
    for (int c = 0; c < __cuprum_parts<T>::count; ++c) {
        parts[c] = i < 0 || i >= t->width ? (Part)0 : __cuprum_read<Part>::cut(t, __cuprum_read<Part>::at(t, i, 0, 0, c));
    }
    return result;
}
template <class T> __device__ inline T tex1D(cudaTextureObject_t object, float x) {
    return __cuprum_sample<T>(__cuprum_checked(object, 1, false), 1, x, 0.0f, 0.0f, 0);
}
template <class T> __device__ inline T tex2D(cudaTextureObject_t object, float x, float y) {
    return __cuprum_sample<T>(__cuprum_checked(object, 2, false), 2, x, y, 0.0f, 0);
}
template <class T> __device__ inline T tex3D(cudaTextureObject_t object, float x, float y, float z) {
    return __cuprum_sample<T>(__cuprum_checked(object, 3, false), 3, x, y, z, 0);
}
template <class T> __device__ inline T tex1DLayered(cudaTextureObject_t object, float x, int layer) {
    const __cuprum_texture* t = __cuprum_checked(object, 1, true);
    return __cuprum_sample<T>(t, 1, x, 0.0f, 0.0f, __cuprum_layer(t, layer));
}
template <class T> __device__ inline T tex2DLayered(cudaTextureObject_t object, float x, float y, int layer) {
    const __cuprum_texture* t = __cuprum_checked(object, 2, true);
    return __cuprum_sample<T>(t, 2, x, y, 0.0f, __cuprum_layer(t, layer));
}
template <class T> __device__ inline void tex1Dfetch(T* to, cudaTextureObject_t t, int i) { *to = tex1Dfetch<T>(t, i); }
template <class T> __device__ inline void tex1D(T* to, cudaTextureObject_t t, float x) { *to = tex1D<T>(t, x); }
template <class T> __device__ inline void tex2D(T* to, cudaTextureObject_t t, float x, float y) { *to = tex2D<T>(t, x, y); }
template <class T> __device__ inline void tex3D(T* to, cudaTextureObject_t t, float x, float y, float z) {
    *to = tex3D<T>(t, x, y, z);
}

// Texture references: variables of a module that textures are bound to.
template <class T, int axes = 1, cudaTextureReadMode mode = cudaReadModeElementType> struct texture {
    cudaTextureObject_t __object;
};
template <class T, int mode> struct __cuprum_returned { typedef T type; };
template <int count> struct __cuprum_floats { typedef float type; };
template <> struct __cuprum_floats<2> { typedef float2 type; };
template <> struct __cuprum_floats<4> { typedef float4 type; };
template <class T> struct __cuprum_returned<T, 1> {
    typedef typename __cuprum_floats<__cuprum_parts<T>::count>::type type;
};
#define __CUPRUM_REFERENCE(name, parameters, arguments)                                                         \
    template <class T, int axes, cudaTextureReadMode mode>                                                      \
    __device__ inline typename __cuprum_returned<T, mode>::type name parameters {                               \
        __cuprum_assert(t.__object != 0, "a texture has been bound to the texture reference");                  \
        return name<typename __cuprum_returned<T, mode>::type> arguments;                                       \
    }
#define __CUPRUM_T texture<T, axes, mode> t
__CUPRUM_REFERENCE(tex1Dfetch, (__CUPRUM_T, int i), (t.__object, i))
__CUPRUM_REFERENCE(tex1D, (__CUPRUM_T, float x), (t.__object, x))
__CUPRUM_REFERENCE(tex2D, (__CUPRUM_T, float x, float y), (t.__object, x, y))
__CUPRUM_REFERENCE(tex3D, (__CUPRUM_T, float x, float y, float z), (t.__object, x, y, z))
__CUPRUM_REFERENCE(tex1DLayered, (__CUPRUM_T, float x, int layer), (t.__object, x, layer))
__CUPRUM_REFERENCE(tex2DLayered, (__CUPRUM_T, float x, float y, int layer), (t.__object, x, y, layer))
#undef __CUPRUM_T
#undef __CUPRUM_REFERENCE

// Surfaces: elements as they are, x in bytes.
__device__ inline char* __cuprum_surface(cudaSurfaceObject_t object, int axes, bool layered, int bytes, int x, int y, int z,
                                         cudaSurfaceBoundaryMode mode) {
    const __cuprum_texture* t = __cuprum_checked(object, axes, layered, true);
    int size = t->channels * (t->bits / 8), width = (int)t->width * size;
    __cuprum_assert(bytes == size, "the value has the bytes of an element of the surface");
    __cuprum_assert(x % size == 0, "x counts bytes and is a multiple of the element's");
    int height = t->height ? (int)t->height : 1, depth = t->depth ? (int)t->depth : 1;
    bool inside = x >= 0 && x + size <= width && y >= 0 && y < height && z >= 0 && z < depth;
    if (!inside) {
        __cuprum_assert(mode != cudaBoundaryModeTrap, "the place lies on the surface");
        if (mode == cudaBoundaryModeZero) return (char*)0;
        x = x < 0 ? 0 : x + size > width ? width - size : x;
        y = y < 0 ? 0 : y >= height ? height - 1 : y;
        z = z < 0 ? 0 : z >= depth ? depth - 1 : z;
    }
    return t->data + z * t->plane + y * t->pitch + x;
}
#define __CUPRUM_SURFACE(name, axes, layered, parameters, y, z)                                                 \
    template <class T>                                                                                          \
    __device__ inline T name##read(cudaSurfaceObject_t s, int x __CUPRUM_JOIN parameters,                       \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                       \
        T value;                                                                                                \
        char* at = __cuprum_surface(s, axes, layered, (int)sizeof(T), x, y, z, mode);                           \
        if (at) value = *(T*)at;                                                                                \
        else memset(&value, 0, sizeof(T));                                                                      \
        return value;                                                                                           \
    }                                                                                                           \
    template <class T>                                                                                          \
    __device__ inline void name##read(T* to, cudaSurfaceObject_t s, int x __CUPRUM_JOIN parameters,             \
                                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                    \
        char* at = __cuprum_surface(s, axes, layered, (int)sizeof(T), x, y, z, mode);                           \
        if (at) *to = *(T*)at;                                                                                  \
        else memset(to, 0, sizeof(T));                                                                          \
    }                                                                                                           \
    template <class T>                                                                                          \
    __device__ inline void name##write(T value, cudaSurfaceObject_t s, int x __CUPRUM_JOIN parameters,          \
                                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
        char* at = __cuprum_surface(s, axes, layered, (int)sizeof(T), x, y, z, mode);                           \
        if (at) *(T*)at = value;                                                                                \
    }
#define __CUPRUM_JOIN(...) , ##__VA_ARGS__
__CUPRUM_SURFACE(surf1D, 1, false, (), 0, 0)
__CUPRUM_SURFACE(surf2D, 2, false, (int y), y, 0)
__CUPRUM_SURFACE(surf3D, 3, false, (int y, int z), y, z)
__CUPRUM_SURFACE(surf1DLayered, 1, true, (int layer), 0, layer)
__CUPRUM_SURFACE(surf2DLayered, 2, true, (int y, int layer), y, layer)
#undef __CUPRUM_JOIN
#undef __CUPRUM_SURFACE

// Surface references: variables of a module that surfaces are bound to. The functions take them for the object.
#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2DLayered 0xF2
template <class T, int type = cudaSurfaceType1D> struct surface {
    cudaSurfaceObject_t __object;
    __device__ operator cudaSurfaceObject_t() const {
        __cuprum_assert(__object != 0, "a surface has been bound to the surface reference");
        return __object;
    }
};
#endif
