// Textures and surfaces: what tex1D, tex2D, tex3D, tex1Dfetch and surf*read/write do, as the programming guide says.
#pragma once

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2 };

namespace standin {

inline const TextureView& view_of(unsigned long long handle) { return *reinterpret_cast<const TextureView*>(handle); }

// The channels of an element, by their type: float for float4, and how many there are.
template <class T> struct Channels { using type = T; static constexpr unsigned count = 1; };
#define STANDIN_CHANNELS(part, name)                                                               \
    template <> struct Channels<name##1> { using type = part; static constexpr unsigned count = 1; }; \
    template <> struct Channels<name##2> { using type = part; static constexpr unsigned count = 2; }; \
    template <> struct Channels<name##4> { using type = part; static constexpr unsigned count = 4; };
STANDIN_CHANNELS(float, float)
STANDIN_CHANNELS(int, int)
STANDIN_CHANNELS(unsigned int, uint)
STANDIN_CHANNELS(short, short)
STANDIN_CHANNELS(unsigned short, ushort)
STANDIN_CHANNELS(signed char, char)
STANDIN_CHANNELS(unsigned char, uchar)
#undef STANDIN_CHANNELS

inline unsigned bytes_of_format(unsigned format) {
    switch (format) {
        case 0x01: case 0x08: return 1;
        case 0x02: case 0x09: case 0x10: return 2;
        default: return 4;
    }
}

// A channel as a number; integers as fractions where they are read so.
inline double channel(const TextureView& view, const unsigned char* at) {
    double fraction = 1;
    double value = 0;
    switch (view.format) {
        case 0x01: { unsigned char v; memcpy(&v, at, 1); value = v; fraction = 255; break; }
        case 0x02: { unsigned short v; memcpy(&v, at, 2); value = v; fraction = 65535; break; }
        case 0x03: { unsigned v; memcpy(&v, at, 4); value = v; break; }
        case 0x08: { signed char v; memcpy(&v, at, 1); value = v; fraction = 127; break; }
        case 0x09: { short v; memcpy(&v, at, 2); value = v; fraction = 32767; break; }
        case 0x0a: { int v; memcpy(&v, at, 4); value = v; break; }
        case 0x10: { _Float16 v; memcpy(&v, at, 2); value = v; break; }
        default: { float v; memcpy(&v, at, 4); value = v; }
    }
    if (view.as_integer || fraction == 1) return value;
    value /= fraction;
    return value < -1 ? -1 : value;
}

// The place of an element along an axis; -1 for the border.
inline long place(long at, unsigned long size, unsigned beyond, bool normalized) {
    long n = long(size);
    if (at >= 0 && at < n) return at;
    if (beyond == 3) return -1;
    if (beyond == 0 && normalized) return ((at % n) + n) % n;
    if (beyond == 2 && normalized) {
        long turn = ((at % (2 * n)) + 2 * n) % (2 * n);
        return turn < n ? turn : 2 * n - 1 - turn;
    }
    return at < 0 ? 0 : n - 1;
}

inline double element(const TextureView& view, long x, long y, long z, unsigned c) {
    x = place(x, view.width, view.beyond[0], view.normalized);
    y = place(y, view.height, view.beyond[1], view.normalized);
    z = place(z, view.depth, view.beyond[2], view.normalized);
    if (x < 0 || y < 0 || z < 0) return view.border[c];
    unsigned size = bytes_of_format(view.format);
    return channel(view, view.data + z * view.plane + y * view.pitch + (x * view.channels + c) * size);
}

inline double floor_of(double x) { return __builtin_floor(x); }

// The fraction has eight bits on a GPU.
inline double eighths(double x) { return __builtin_floor(x * 256 + 0.5) / 256; }

inline double sample(const TextureView& view, double x, double y, double z, unsigned dims, unsigned c) {
    if (view.normalized) x *= view.width, y *= dims > 1 ? view.height : 1, z *= dims > 2 ? view.depth : 1;
    if (!view.linear)
        return element(view, long(floor_of(x)), dims > 1 ? long(floor_of(y)) : 0, dims > 2 ? long(floor_of(z)) : 0, c);
    double at[3] = {x - 0.5, dims > 1 ? y - 0.5 : 0, dims > 2 ? z - 0.5 : 0};
    double sum = 0;
    for (unsigned corner = 0; corner < 1u << dims; corner++) {
        double weight = 1;
        long place[3] = {0, 0, 0};
        for (unsigned axis = 0; axis < dims; axis++) {
            double low = floor_of(at[axis]), part = eighths(at[axis] - low);
            bool upper = corner >> axis & 1;
            weight *= upper ? part : 1 - part;
            place[axis] = long(low) + upper;
        }
        if (weight != 0) sum += weight * element(view, place[0], place[1], place[2], c);
    }
    return sum;
}

template <class T, class F> T gathered(F channel) {
    T value;
    typename Channels<T>::type parts[Channels<T>::count];
    for (unsigned c = 0; c < Channels<T>::count; c++) parts[c] = static_cast<typename Channels<T>::type>(channel(c));
    memcpy(&value, parts, sizeof parts);
    return value;
}

// Where a surface's element begins, x in bytes; null beyond it, where the mode allows that.
template <class T>
unsigned char* surface_place(cudaSurfaceObject_t handle, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
    const TextureView& view = view_of(handle);
    long row = long(view.width) * view.channels * bytes_of_format(view.format);
    bool outside = x < 0 || x + long(sizeof(T)) > row || y < 0 || y >= long(view.height) || z < 0 || z >= long(view.depth);
    if (outside && mode == cudaBoundaryModeClamp) {
        long last = row - long(sizeof(T));
        x = x < 0 ? 0 : x > last ? int(last) : x;
        y = y < 0 ? 0 : y >= long(view.height) ? int(view.height) - 1 : y;
        z = z < 0 ? 0 : z >= long(view.depth) ? int(view.depth) - 1 : z;
        outside = false;
    }
    if (outside && mode == cudaBoundaryModeTrap) __builtin_trap();
    return outside ? nullptr : view.data + z * view.plane + y * view.pitch + x;
}

template <class T>
T surface_read(cudaSurfaceObject_t handle, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
    T value{};
    if (unsigned char* at = surface_place<T>(handle, x, y, z, mode)) memcpy(&value, at, sizeof(T));
    return value;
}

template <class T>
void surface_write(T value, cudaSurfaceObject_t handle, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
    if (unsigned char* at = surface_place<T>(handle, x, y, z, mode)) memcpy(at, &value, sizeof(T));
}

}  // namespace standin

template <class T> T tex1Dfetch(cudaTextureObject_t t, int x) {
    return standin::gathered<T>([&](unsigned c) { return standin::element(standin::view_of(t), x, 0, 0, c); });
}
template <class T> T tex1D(cudaTextureObject_t t, float x) {
    return standin::gathered<T>([&](unsigned c) { return standin::sample(standin::view_of(t), x, 0, 0, 1, c); });
}
template <class T> T tex2D(cudaTextureObject_t t, float x, float y) {
    return standin::gathered<T>([&](unsigned c) { return standin::sample(standin::view_of(t), x, y, 0, 2, c); });
}
template <class T> T tex3D(cudaTextureObject_t t, float x, float y, float z) {
    return standin::gathered<T>([&](unsigned c) { return standin::sample(standin::view_of(t), x, y, z, 3, c); });
}
template <class T> void tex1Dfetch(T* r, cudaTextureObject_t t, int x) { *r = tex1Dfetch<T>(t, x); }
template <class T> void tex1D(T* r, cudaTextureObject_t t, float x) { *r = tex1D<T>(t, x); }
template <class T> void tex2D(T* r, cudaTextureObject_t t, float x, float y) { *r = tex2D<T>(t, x, y); }
template <class T> void tex3D(T* r, cudaTextureObject_t t, float x, float y, float z) { *r = tex3D<T>(t, x, y, z); }

#define STANDIN_MODE cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap
template <class T> T surf1Dread(cudaSurfaceObject_t s, int x, STANDIN_MODE) { return standin::surface_read<T>(s, x, 0, 0, mode); }
template <class T> T surf2Dread(cudaSurfaceObject_t s, int x, int y, STANDIN_MODE) { return standin::surface_read<T>(s, x, y, 0, mode); }
template <class T> T surf3Dread(cudaSurfaceObject_t s, int x, int y, int z, STANDIN_MODE) { return standin::surface_read<T>(s, x, y, z, mode); }
template <class T> void surf1Dread(T* r, cudaSurfaceObject_t s, int x, STANDIN_MODE) { *r = standin::surface_read<T>(s, x, 0, 0, mode); }
template <class T> void surf2Dread(T* r, cudaSurfaceObject_t s, int x, int y, STANDIN_MODE) { *r = standin::surface_read<T>(s, x, y, 0, mode); }
template <class T> void surf3Dread(T* r, cudaSurfaceObject_t s, int x, int y, int z, STANDIN_MODE) { *r = standin::surface_read<T>(s, x, y, z, mode); }
template <class T> void surf1Dwrite(T v, cudaSurfaceObject_t s, int x, STANDIN_MODE) { standin::surface_write(v, s, x, 0, 0, mode); }
template <class T> void surf2Dwrite(T v, cudaSurfaceObject_t s, int x, int y, STANDIN_MODE) { standin::surface_write(v, s, x, y, 0, mode); }
template <class T> void surf3Dwrite(T v, cudaSurfaceObject_t s, int x, int y, int z, STANDIN_MODE) { standin::surface_write(v, s, x, y, z, mode); }
#undef STANDIN_MODE
