"""Facts about the device that programs choose their ways by."""

from __future__ import annotations

from .driver import Context, Device

__all__ = ["has_double_support", "has_stack", "platform_bits", "sizeof"]


def platform_bits() -> int:
    """Return the bits of a pointer."""
    return 64


def has_stack() -> bool:
    """Return whether kernels can recurse."""
    return True


def has_double_support(dev: Device | None = None) -> bool:
    """Return whether kernels can compute in double precision."""
    return True


def sizeof(type_name: str, preamble: str = "") -> int:
    """Return the bytes of a C type as kernels see it."""
    import numpy as np

    from .compiler import SourceModule
    from .driver import mem_alloc, memcpy_dtoh

    kernel = f"__global__ void size_of(unsigned long long *out) {{ *out = sizeof({type_name}); }}"
    text = f'{preamble}\nextern "C" {kernel}'
    result = np.zeros(1, np.uint64)
    memory = mem_alloc(result.nbytes)
    SourceModule(text, no_extern_c=True).get_function("size_of")(memory, block=(1, 1, 1))
    Context.synchronize()
    memcpy_dtoh(result, memory)
    return int(result[0])
