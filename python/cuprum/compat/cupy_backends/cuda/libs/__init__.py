"""`cupy_backends.cuda.libs`: CUDA's libraries by their own names."""

from __future__ import annotations

from cuprum.cuda import cublas, curand, cusolver, cusparse, cutensor, nccl, nvrtc, nvtx

__all__ = ["cublas", "curand", "cusolver", "cusparse", "cutensor", "nccl", "nvrtc", "nvtx"]
