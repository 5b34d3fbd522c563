"""Functions of CUDA C for Numba's kernels: `declare_device`, and the texts that `link` names."""

from __future__ import annotations

import os
from typing import Any

from cuprum.jit._external import External
from cuprum.jit._signatures import declared, parsed_result, parsed_signature
from cuprum.jit._types import NONE

from . import config

__all__ = ["CUSource", "declare_device", "linked_texts"]


class CUSource:
    """CUDA C that kernels are linked with.

    Parameters
    ----------
    data : str or bytes
        The text.
    name : str, optional
        What messages call it.

    Examples
    --------
    >>> import numpy as np
    >>> from cuprum.compat.numba import cuda
    >>> text = 'extern "C" __device__ int twice(float* out, float x) { *out = x + x; return 0; }'
    >>> twice = cuda.declare_device("twice", "float32(float32)", link=cuda.CUSource(text))
    >>> @cuda.jit
    ... def fill(x):
    ...     x[cuda.grid(1)] = twice(x[cuda.grid(1)])
    >>> x = np.ones(2, np.float32)
    >>> fill[1, 2](x)
    >>> x
    array([2., 2.], dtype=float32)
    """

    kind = "cu"
    default_name = "<unnamed-cu>"

    def __init__(self, data: str | bytes, name: str | None = None, folder: str | None = None) -> None:
        self.text = data.decode() if isinstance(data, bytes) else str(data)
        self.data = data
        self.name = name or self.default_name
        self._folder = folder

    @property
    def folders(self) -> tuple[str, ...]:
        """Where its headers are looked for."""
        extra = str(config.CUDA_NVRTC_EXTRA_SEARCH_PATHS or "")
        own = (self._folder,) if self._folder else ()
        return (*own, *(folder for folder in extra.split(os.pathsep) if folder))


def linked_texts(link: Any) -> tuple[CUSource, ...]:
    """Return the texts that an argument `link` names: paths of CUDA C, `CUSource`, or several of them."""
    if link is None:
        return ()
    items = link if isinstance(link, (list, tuple, set, frozenset)) else (link,)
    return tuple(_text(item) for item in items)


def _text(item: Any) -> CUSource:
    if isinstance(item, CUSource):
        return item
    if not isinstance(item, (str, os.PathLike)):
        raise TypeError(f"link: expected a path or a CUSource, got {type(item).__name__}")
    path = os.fspath(item)
    if not path.endswith(".cu"):
        raise NotImplementedError(
            f"link: {os.path.basename(path)!r} is compiled code; give the CUDA C that it was made of (.cu)"
        )
    with open(path) as file:
        return CUSource(file.read(), path, os.path.dirname(os.path.abspath(path)))


def _names_result(sig: Any) -> bool:
    """Whether a signature says that a function returns nothing, rather than nothing of what it returns."""
    if isinstance(sig, str):
        return not sig.strip().startswith("(")
    return not isinstance(sig, tuple)


def declare_device(
    name: str, sig: Any, link: Any = None, use_cooperative: bool = False, abi: str = "numba"
) -> Any:
    """Declare a function of CUDA C that kernels call.

    Parameters
    ----------
    name : str
        Its name, which is `extern "C"`.
    sig : str or signature
        The types, such as ``'float32(float32, CPointer(int32))'``.
    link : path, CUSource or list of them, optional
        The CUDA C that it stands in; without it, kernels that call it name it themselves.
    use_cooperative : bool, optional
        Whether the function waits for the whole grid: kernels that call it are launched cooperatively.
    abi : {'numba', 'c'}, optional
        Whether it returns a status and writes its result where its first parameter points to, or returns
        its result.

    Returns
    -------
    External
    """
    if abi not in ("numba", "c"):
        raise NotImplementedError(f"declare_device: abi must be 'numba' or 'c', got {abi!r}")
    result = parsed_result(sig)
    if result is None and not _names_result(sig):
        raise TypeError(
            f"Return type must be provided for device declarations: {name!r} has none; write "
            "'void(...)' where it returns nothing"
        )
    return External(
        name,
        parsed_signature(sig),
        NONE if result is None else result,
        abi == "numba",
        linked_texts(link),
        declared(sig),
        bool(use_cooperative),
    )
