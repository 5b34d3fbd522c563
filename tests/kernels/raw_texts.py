"""The kernel that tests of RawKernel and RawModule launch."""

import cuprum as cp

ADD = """
extern "C" __global__ void add(const float* x, const float* y, float* z, int n) {
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}
"""


def add_kernel():
    return cp.RawKernel(ADD, "add")


def knows_signature(kernel):
    return kernel.parameters is not None
