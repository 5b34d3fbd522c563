"""The environment variables that Cuprum reads, and a warning about those that mean nothing to it.

A misspelt name would be ignored without a word: an import tells of it, with the name that is nearest.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Mapping

__all__ = ["VARIABLES", "warn_of_unknown"]

_ANY = ("(?s:.*)", "")
_SWITCH = ("[01]", "0 or 1")
_SECONDS = (r"\+?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", "a number of seconds")

VARIABLES: dict[str, tuple[str, str]] = {
    "CUPRUM_CACHE_DIR": _ANY,
    "CUPRUM_CACHE_SIZE": (r"\+?[0-9]+", "a number of bytes"),
    "CUPRUM_CHECK": _SWITCH,
    "CUPRUM_DASK_IPC": _SWITCH,
    "CUPRUM_DEFER": _SWITCH,
    "CUPRUM_DEVICE": _ANY,
    "CUPRUM_DISTRIBUTED_CHECK": _SWITCH,
    "CUPRUM_DISTRIBUTED_TIMEOUT": _SECONDS,
    "CUPRUM_EXIT_WAIT": _SECONDS,
    "CUPRUM_GRAPHS": ("0|1|always", "0, 1 or always"),
    "CUPRUM_LIBCUBLAS": _ANY,
    "CUPRUM_LIBCUDA": _ANY,
    "CUPRUM_LIBCUFFT": _ANY,
    "CUPRUM_LIBCUSOLVER": _ANY,
    "CUPRUM_LIBCUSPARSE": _ANY,
    "CUPRUM_LIBNCCL": _ANY,
    "CUPRUM_LIBNVRTC": _ANY,
    "CUPRUM_MEMORY": ("exact", "exact"),
    "CUPRUM_SIMD": ("portable|avx2|avx512", "portable, avx2 or avx512"),
    "CUPRUM_STRICT": _ANY,
    "CUPRUM_SVD_DRIVER": ("gesvd|gesvdj|gesvdp", "gesvd, gesvdj or gesvdp"),
    "CUPRUM_TEST_TARGET": _ANY,
    "CUPRUM_TF32": _SWITCH,
    "CUPRUM_THREADS": (r"\+?0*[1-9][0-9]*", "a number of threads, at least 1"),
}
"""The variables that are read, each with a pattern of its values, and words for them. Where all pass, what
reads the variable raises for a value that it cannot take."""

_OF_TESTS = re.compile("CUPRUM_(TEST|STANDIN|FUZZ|FAULTS|FREE_THREADED|SHOW|WRITE|PASSES|TOGETHER)(_.*)?")
_PAGE = "https://github.com/cuprum-developers/cuprum/blob/main/docs/guides/settings.md"


def warn_of_unknown(environment: Mapping[str, str] = os.environ, stacklevel: int = 1) -> None:
    """Warn about each variable named CUPRUM_... that Cuprum does not read, or that has none of its values."""
    for name, value in sorted(environment.items()):
        if name.startswith("CUPRUM_") and not _OF_TESTS.fullmatch(name):
            complaint = _complaint(name, value)
            if complaint:
                warnings.warn(complaint, stacklevel=stacklevel + 1)


def _complaint(name: str, value: str) -> str:
    if name in VARIABLES:
        pattern, words = VARIABLES[name]
        is_right = not value or re.fullmatch(pattern, value)
        return "" if is_right else f"the environment variable {name} must be {words}, got {value!r}"
    import difflib

    short = [known.removeprefix("CUPRUM_") for known in VARIABLES]
    near = difflib.get_close_matches(name.removeprefix("CUPRUM_"), short, n=1, cutoff=0.55)
    hint = f"did you mean CUPRUM_{near[0]}?" if near else f"{_PAGE} lists those that it reads"
    return f"the environment variable {name} is set, which Cuprum does not read: {hint}"
