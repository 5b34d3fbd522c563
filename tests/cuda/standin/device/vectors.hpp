// CUDA's vector types, with CUDA's alignment: float4 loads 16 bytes at once, and must be aligned so.
#pragma once

// STANDIN_VECTORS(float, float, 8, 16) makes float1 to float4 and make_float1 to make_float4.
#define STANDIN_VECTORS(type, name, align2, align4)                                                     \
    struct name##1 { type x; };                                                                         \
    struct alignas(align2) name##2 { type x, y; };                                                      \
    struct name##3 { type x, y, z; };                                                                   \
    struct alignas(align4) name##4 { type x, y, z, w; };                                                \
    inline name##1 make_##name##1(type x) { return {x}; }                                               \
    inline name##2 make_##name##2(type x, type y) { return {x, y}; }                                    \
    inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }                         \
    inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }

STANDIN_VECTORS(signed char, char, 2, 4)
STANDIN_VECTORS(unsigned char, uchar, 2, 4)
STANDIN_VECTORS(short, short, 4, 8)
STANDIN_VECTORS(unsigned short, ushort, 4, 8)
STANDIN_VECTORS(int, int, 8, 16)
STANDIN_VECTORS(unsigned int, uint, 8, 16)
STANDIN_VECTORS(long, long, 16, 16)
STANDIN_VECTORS(unsigned long, ulong, 16, 16)
STANDIN_VECTORS(long long, longlong, 16, 16)
STANDIN_VECTORS(unsigned long long, ulonglong, 16, 16)
STANDIN_VECTORS(float, float, 8, 16)
STANDIN_VECTORS(double, double, 16, 16)
#undef STANDIN_VECTORS

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};
