"""What the rows of the library table are made of: the libraries, a row, and how results are compared."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np


class Library:
    """The modules of one library under common names."""

    def __init__(
        self, xp: Any, ndimage: Any, signal: Any, sparse: Any, finish: Callable[[Any], Any], package: str
    ) -> None:
        self.xp = xp
        self.ndimage = ndimage
        self.signal = signal
        self.sparse = sparse
        self.finish = finish
        self._package = package

    def part(self, name: str) -> Any:
        """Return a further module of SciPy's names, as "spatial"."""
        return importlib.import_module(f"{self._package}.{name}")

    def take(self, operands: dict[str, Any]) -> SimpleNamespace:
        """Return the operands as this library's arrays, and sparse matrices as its own."""
        return SimpleNamespace(**{name: self._own(operand) for name, operand in operands.items()})

    def _own(self, operand: Any) -> Any:
        if hasattr(operand, "tocsr"):
            return getattr(self.sparse, f"{operand.format}_matrix")(operand)
        return self.xp.asarray(operand)


def _peer() -> Library:
    from scipy import ndimage, signal, sparse

    return Library(np, ndimage, signal, sparse, lambda result: None, "scipy")


def _cuprum() -> Library:
    import cuprum as cp
    import cuprum.testing
    from cuprum.scipy import ndimage, signal, sparse

    def finish(result: Any) -> None:
        for part in result if isinstance(result, tuple) else (result,):
            cuprum.testing.wait(part.data if sparse.issparse(part) else part)
        # What was launched on a GPU has not ended yet.
        cp.cuda.Stream.null.synchronize()

    return Library(cp, ndimage, signal, sparse, finish, "cuprum.scipy")


def _cupy() -> Library:
    import cupy
    import cupyx.scipy.ndimage
    import cupyx.scipy.signal
    import cupyx.scipy.sparse.csgraph
    import cupyx.scipy.sparse.linalg

    return Library(
        cupy,
        cupyx.scipy.ndimage,
        cupyx.scipy.signal,
        cupyx.scipy.sparse,
        lambda result: cupy.cuda.Device().synchronize(),
        "cupyx.scipy",
    )


LIBRARIES: dict[str, Callable[[], Library]] = {"numpy": _peer, "cuprum": _cuprum, "cupy": _cupy}


def to_numpy(result: Any) -> Any:
    """Return a result of Cuprum's as NumPy's arrays."""
    import cuprum as cp

    if isinstance(result, tuple):
        return tuple(to_numpy(part) for part in result)
    return result.get() if hasattr(result, "tocsr") else cp.asnumpy(result)


@dataclass(frozen=True)
class LibraryRow:
    """One line of the table.

    Attributes
    ----------
    name
        The call and its size as a reader would say it.
    operands
        Makes the operands, NumPy's, from a generator.
    run
        Calls it: `run(lib, d)`.
    check
        Raises unless Cuprum's result, the second, is the peer's.
    speedup
        The least ratio of the peer's time to Cuprum's that is asked for.
    peer
        Whose time stands in the table.
    """

    name: str
    operands: Callable[[np.random.Generator], dict[str, np.ndarray]]
    run: Callable[[Library, Any], Any]
    check: Callable[[Any, Any], None]
    speedup: float
    peer: str = "NumPy"


def equal(want: Any, got: Any) -> None:
    np.testing.assert_array_equal(got, want)


def close(rtol: float) -> Callable[[Any, Any], None]:
    """Within a part of the largest element."""

    def check(want: Any, got: Any) -> None:
        wants, gots = (value if isinstance(value, tuple) else (value,) for value in (want, got))
        for one, other in zip(wants, gots, strict=True):
            np.testing.assert_allclose(other, one, rtol=0, atol=rtol * float(np.max(np.abs(one))))

    return check


def uniform(*shape: int, dtype: str = "float64") -> Callable[[np.random.Generator], dict]:
    return lambda rng: {"x": (rng.random(shape) * 2 - 1).astype(dtype)}
