"""Polynomials by their coefficients, the lowest power first: what CuPy has of `numpy.polynomial`."""

from __future__ import annotations

from . import polynomial, polyutils

__all__ = ["polynomial", "polyutils"]

_SUBMODULES = ("polynomial", "polyutils")
