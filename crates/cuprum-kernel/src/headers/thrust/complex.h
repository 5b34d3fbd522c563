// thrust/complex.h: complex numbers, and what Thrust's own header brings along.
#include <cupy/complex.cuh>
#include <type_traits>
