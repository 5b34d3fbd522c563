#include <cupy/complex.cuh>
extern "C" __global__ void k(complex<float>* x, int n){ complex<float> a(1,2), b=a*a+complex<float>(0,1);
    x[0]=exp(b)/a; x[1]=conj(x[0])*2.0f; x[2]=complex<float>(abs(a), arg(b));
    x[3] = x[0].real() + x[1]; if (a == b) x[4] = -a; }
