"""Programs for PyCUDA run unchanged under `cuprum run`."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = '''
import numpy
import pycuda.autoinit
import pycuda.driver as drv
import pycuda.gpuarray as gpuarray
from pycuda import cumath
from pycuda.compiler import SourceModule
from pycuda.elementwise import ElementwiseKernel
from pycuda.reduction import ReductionKernel

mod = SourceModule("""
__global__ void multiply_them(float *dest, float *a, float *b)
{
  const int i = threadIdx.x;
  dest[i] = a[i] * b[i];
}
""")
multiply_them = mod.get_function("multiply_them")
a = numpy.random.randn(400).astype(numpy.float32)
b = numpy.random.randn(400).astype(numpy.float32)
dest = numpy.zeros_like(a)
multiply_them(drv.Out(dest), drv.In(a), drv.In(b), block=(400, 1, 1), grid=(1, 1))
assert (dest == a * b).all()

x = gpuarray.to_gpu(a)
doubled = (2 * x).get()
assert (doubled == 2 * a).all()
scale = ElementwiseKernel("float *x, float by", "x[i] *= by", "scale")
scale(x, 3)
assert abs(x.get() - 3 * a).max() < 1e-5
total = ReductionKernel(numpy.float32, "0", "a+b", "x[i] > 0 ? 1 : 0", "float *x")
assert total(x).get() == (a > 0).sum()
start, end = drv.Event(), drv.Event()
start.record(); cumath.exp(x); end.record(); end.synchronize()
print("ran on", pycuda.autoinit.device.name(), start.time_till(end) >= 0)
'''


def test_a_program_runs_unchanged(tmp_path):
    script = tmp_path / "program.py"
    script.write_text(PROGRAM, encoding="utf-8")
    command = [sys.executable, "-m", "cuprum", "run", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("ran on ") and done.stdout.rstrip().endswith("True")
