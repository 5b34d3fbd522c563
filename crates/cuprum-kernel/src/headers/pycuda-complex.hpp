// pycuda-complex.hpp: pycuda::complex.
#ifndef __CUPRUM_PYCUDA_COMPLEX_HPP
#define __CUPRUM_PYCUDA_COMPLEX_HPP
namespace pycuda {
#include <cuprum/complex_body.h>
}
#endif
