"""The pytest plugin for Chainer's tests: what they take of NumPy before 2.0, and of their own build.

Chainer's last release is of 2022. Names that NumPy has dropped since are given back before it is imported,
and `copy=False` asks for a copy where one is needed, as it did.
"""

from __future__ import annotations

import functools
import sys
import warnings
from types import ModuleType
from typing import Any

import numpy as np


def old_names() -> dict[str, Any]:
    """Return the names that NumPy 2.0 and releases shortly before it dropped."""
    sized = {"int": "i", "uint": "u", "float": "f"}
    kinds: dict[str, Any] = {
        name: [np.dtype(f"{kind}{size}").type for size in (1, 2, 4, 8) if kind != "f" or size > 1]
        for name, kind in sized.items()
    }
    return {
        "int": int,
        "float": float,
        "object": object,
        "complex": complex,
        "str": str,
        "product": np.prod,
        "cumproduct": np.cumprod,
        "sometrue": np.any,
        "alltrue": np.all,
        "in1d": np.isin,
        "float_": np.float64,
        "complex_": np.complex128,
        "NaN": np.nan,
        "Inf": np.inf,
        "infty": np.inf,
        "PINF": np.inf,
        "NINF": -np.inf,
        "sctypes": {**kinds, "complex": [np.complex64, np.complex128], "others": []},
    }


def _copies_where_needed(function: Any) -> Any:
    @functools.wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        if kwargs.get("copy", True) is False:
            kwargs["copy"] = None
        return function(*args, **kwargs)

    return wrapped


def give_back() -> None:
    """Put the old names in place."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, value in old_names().items():
            if not hasattr(np, name):
                setattr(np, name, value)
    np.array = _copies_where_needed(np.array)
    build = ModuleType("chainerx._build_info")
    build.build_chainerx = False  # type: ignore[attr-defined]
    sys.modules["chainerx._build_info"] = build
    # It asks NumPy's build for BLAS.
    distutils, info = ModuleType("numpy.distutils"), ModuleType("numpy.distutils.system_info")
    info.get_info = lambda *_, **__: {"libraries": []}  # type: ignore[attr-defined]
    distutils.system_info = info  # type: ignore[attr-defined]
    np.distutils = distutils  # type: ignore[attr-defined]
    sys.modules |= {distutils.__name__: distutils, info.__name__: info}


# Chainer's own conftest.py imports it before plugins are configured.
give_back()
