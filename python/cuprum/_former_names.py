"""Old names of NumPy's, which NumPy 2 has given up: `cuprum.__getattr__` says what to write for them."""

from __future__ import annotations

_INSTEAD = {
    **dict.fromkeys(("Inf", "Infinity", "PINF", "infty"), "cp.inf"),
    "NINF": "-cp.inf",
    **dict.fromkeys(("NAN", "NaN"), "cp.nan"),
    "PZERO": "0.0",
    "NZERO": "-0.0",
    "float_": "cp.float64",
    **dict.fromkeys(("cfloat", "complex_"), "cp.complex128"),
    "singlecomplex": "cp.complex64",
    "bool8": "cp.bool_",
    "int": "int, which is Python's, or a dtype such as cp.int64",
    "float": "float, which is Python's, or a dtype such as cp.float64",
    "complex": "complex, which is Python's, or a dtype such as cp.complex128",
    "alltrue": "cp.all",
    "sometrue": "cp.any",
    "product": "cp.prod",
    "cumproduct": "cp.cumprod",
    "row_stack": "cp.vstack",
    "round_": "cp.round",
    "trapz": "cp.trapezoid",
    "msort": "cp.sort(a, axis=0)",
    "asfarray": "cp.asarray(a, dtype=cp.float64)",
    "asscalar": "a.item()",
    "find_common_type": "cp.result_type or cp.promote_types",
    "issubclass_": "issubclass",
    **{
        name: f"cp.exceptions.{name}"
        for name in ("AxisError", "ComplexWarning", "RankWarning", "VisibleDeprecationWarning")
    },
}


def instead(name: str) -> str | None:
    """Return what to write for an old name of NumPy's; None for all others."""
    return _INSTEAD.get(name)
