"""Kernels of this package."""

from __future__ import annotations

from .._kernels import c_name, has_c_name, texts

__all__ = ["c_name", "has_c_name", "kernel"]

kernel = texts(__file__)
