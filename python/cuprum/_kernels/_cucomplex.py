"""cuComplex.h's names for the complex numbers of `cupy/complex.cuh`, which have operators.

CuPy's `translate_cucomplex` asks for it: `cuCadd` and its like then take numbers of either precision.
"""

from __future__ import annotations

import re

__all__ = ["with_complex_numbers"]

_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]cuComplex\.h[>\"].*$", re.MULTILINE)
_TYPES = {"cuComplex": "float", "cuFloatComplex": "float", "cuDoubleComplex": "double"}
_FUNCTIONS = {
    # name: the type of the result, the number of complex arguments, what it computes
    "cuCadd": ("complex<T>", 2, "a + b"),
    "cuCsub": ("complex<T>", 2, "a - b"),
    "cuCmul": ("complex<T>", 2, "a * b"),
    "cuCdiv": ("complex<T>", 2, "a / b"),
    "cuCfma": ("complex<T>", 3, "a * b + c"),
    "cuConj": ("complex<T>", 1, "complex<T>(a.real(), -a.imag())"),
    "cuCabs": ("T", 1, "(T)hypot(a.real(), a.imag())"),
    "cuCreal": ("T", 1, "a.real()"),
    "cuCimag": ("T", 1, "a.imag()"),
}


def _declarations() -> str:
    lines = ["#include <cupy/complex.cuh>"]
    for name, part in _TYPES.items():
        lines.append(f"typedef complex<{part}> {name};")
        lines.append(
            f"static __device__ __forceinline__ complex<{part}> make_{name}({part} re, {part} im) "
            f"{{ return complex<{part}>(re, im); }}"
        )
    for name, (result, count, value) in _FUNCTIONS.items():
        params = ", ".join(f"complex<T> {letter}" for letter in "abc"[:count])
        for spelt in (name, f"{name}f"):
            lines.append(
                f"template <typename T> static __device__ __forceinline__ {result} {spelt}({params}) "
                f"{{ return {value}; }}"
            )
    for source, target in (("double", "float"), ("float", "double")):
        name = f"cuComplex{source.capitalize()}To{target.capitalize()}"
        lines.append(
            f"static __device__ __forceinline__ complex<{target}> {name}(complex<{source}> a) "
            f"{{ return complex<{target}>(a); }}"
        )
    return "\n".join(lines)


def with_complex_numbers(code: str, file: str) -> str:
    """Return a text whose cuComplex numbers are complex numbers with operators, its lines where they were."""
    name = file.replace("\\", "/").replace('"', "'")
    return f'{_declarations()}\n#line 1 "{name}"\n{_INCLUDE.sub("", code)}'
