// <cuda/std/complex> and <complex>: complex numbers, Thrust's under another name.
#ifndef __CUPRUM_STD_COMPLEX_H
#define __CUPRUM_STD_COMPLEX_H
namespace std {
#include <cuprum/complex_body.h>
}
namespace cuda { namespace std { using namespace ::std; } }
#endif
