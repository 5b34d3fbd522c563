// cupy/complex.cuh and thrust/complex.h: thrust::complex, and CuPy's names for it.
#ifndef __CUPRUM_COMPLEX_CUH
#define __CUPRUM_COMPLEX_CUH
namespace thrust {
#include <cuprum/complex_body.h>
}
using thrust::complex;
using thrust::conj;
using thrust::real;
using thrust::imag;
using thrust::arg;
#endif
