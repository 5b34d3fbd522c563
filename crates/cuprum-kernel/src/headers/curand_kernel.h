// curand_kernel.h: the device functions of cuRAND for XORWOW, Philox4x32-10 and MRG32k3a.
#ifndef __CUPRUM_CURAND_KERNEL_H
#define __CUPRUM_CURAND_KERNEL_H
#include <cuprum/curand_states.h>
#include <cuprum/curand_distributions.h>
#endif
