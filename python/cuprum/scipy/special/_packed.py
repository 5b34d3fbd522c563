"""Functions of four arguments. Ops have three at most: real ones come two by two, as complex numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ._documentation import documented
from ._results import PARTS, into

if TYPE_CHECKING:
    from ..._core import ndarray
    from ..._typing import ArrayLike

__all__ = ["elliprj", "hyp2f1"]


def _kind(arguments: tuple[Any, ...]) -> Any:
    """Return the real dtype that a function of these is computed in."""
    typed = [a.dtype for a in arguments if hasattr(a, "dtype")]
    if len(typed) < len(arguments):
        # Python's numbers take the dtype beside them; lists are arrays.
        typed += [as_array(a).dtype for a in arguments if isinstance(a, (list, tuple))]
    dtype = np.result_type(np.float32, *(typed or [np.float64]))
    return np.empty(0, dtype).real.dtype


def parts(first: Any, second: Any, dtype: Any) -> ndarray:
    """Return a complex array of two real ones."""
    first, second = cp.broadcast_arrays(first, second)
    packed = cp.empty(first.shape, np.result_type(dtype, np.complex64))
    packed.real = first
    packed.imag = second
    return packed


@documented
def hyp2f1(a: ArrayLike, b: ArrayLike, c: ArrayLike, z: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute Gauss's hypergeometric function 2F1.

    Parameters
    ----------
    a, b, c : array_like
        The parameters, real.
    z : array_like
        The argument, real or complex.
    {out}

    Returns
    -------
    result : ndarray
        The values, complex where `z` is; infinite at a real argument beyond one, unless the series ends.

    Notes
    -----
    Near zero the series is summed, in twice the precision where terms of a real argument cancel; elsewhere
    Taylor series of the differential equation lead from there to the argument, around one.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.hyp2f1(1.0, 1.0, 2.0, cp.array([-1.0, 0.5, 0.99]))
    array([0.69314718, 1.38629436, 4.65168706])
    """
    arguments = tuple(as_array(x) for x in (a, b, c))
    at = as_array(z)
    if any(x.dtype.kind == "c" for x in arguments):
        raise TypeError("hyp2f1: the parameters must be real")
    dtype = _kind((a, b, c, z))
    first = parts(arguments[0], arguments[1], dtype)
    if at.dtype.kind == "c":
        wide = np.result_type(dtype, np.complex64)
        result = PARTS["hyp2f1_value"](first, arguments[2].astype(wide), at.astype(wide, copy=False))
    else:
        result = PARTS["hyp2f1_real"](first, parts(arguments[2], at, dtype)).real
    found: ndarray = into(out, result)
    return found


@documented
def elliprj(x: ArrayLike, y: ArrayLike, z: ArrayLike, p: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute Carlson's symmetric elliptic integral of the third kind.

    Parameters
    ----------
    x, y, z : array_like
        The arguments, real and from zero on; at most one of them is zero.
    p : array_like
        The last argument, not zero; Cauchy's principal value is returned where it is negative.
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.elliprj(1.0, 2.0, 3.0, cp.array([4.0, -1.0]))
    array([ 0.2398481 , -0.09324045])
    """
    arguments = tuple(as_array(v) for v in (x, y, z, p))
    if any(v.dtype.kind == "c" for v in arguments):
        raise TypeError("elliprj: the arguments must be real")
    dtype = _kind((x, y, z, p))
    result = PARTS["elliprj_value"](
        parts(arguments[0], arguments[1], dtype), parts(arguments[2], arguments[3], dtype)
    ).real
    found: ndarray = into(out, result)
    return found
