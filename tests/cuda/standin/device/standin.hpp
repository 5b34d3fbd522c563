// CUDA C++ for g++: the names that NVRTC gives a kernel text without any #include. Included before the text.
// Nothing here includes a system header, so a text that compiles here has not leaned on one.
#pragma once

#define CUPRUM_STANDIN 1

#define __host__
#define __device__
#define __managed__
#define __constant__ __attribute__((visibility("default")))
#define __global__ __attribute__((visibility("default")))
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __builtin_assume(condition) ((void)0)
#define __align__(bytes) __attribute__((aligned(bytes)))
// Blocks run one after the other, so one copy serves them all; the driver poisons it between blocks.
#define __shared__ static

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef long clock_t;

extern "C" {
int printf(const char*, ...);
void* memcpy(void*, const void*, size_t);
void* memset(void*, int, size_t);
}

#include "abi.hpp"
#include "traits.hpp"
#include "vectors.hpp"
#include "threads.hpp"
#include "warps.hpp"
#include "atomics.hpp"
#include "bits.hpp"
#include "conversions.hpp"
#include "math.hpp"
#include "textures.hpp"
#include "launch.hpp"
