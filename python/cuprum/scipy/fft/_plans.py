"""Plans of transforms as CuPy's programs make them: what is to be transformed, known before it is.

The devices keep plans by themselves, so a plan made here only says what it was made for and refuses the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ..._convert import as_array
from ..._dtypes import kind_of
from ._arguments import Plan, shape_and_axes

if TYPE_CHECKING:
    from ..._typing import ArrayLike, AxisLike, ShapeLike


__all__ = ["get_fft_plan"]

_VALUE_TYPES = ("C2C", "R2C", "C2R")


def get_fft_plan(
    a: ArrayLike,
    shape: ShapeLike | None = None,
    axes: AxisLike | None = None,
    value_type: Literal["C2C", "R2C", "C2R"] = "C2C",
) -> Plan:
    """Return a plan for transforms of arrays like one.

    It may be given to a transform as `plan`, or be entered by `with`.

    Parameters
    ----------
    a : array_like
        An array of the shape and dtype that will be transformed.
    shape : int or tuple of int, optional
        The numbers of points along the axes; those of `a` when None.
    axes : int or tuple of int, optional
        The axes to transform along; the last ones, or all, when None.
    value_type : {"C2C", "R2C", "C2R"}, optional
        Whether complex numbers become complex ones, real ones complex, or complex ones real.

    Returns
    -------
    Plan
        The plan.

    Raises
    ------
    ValueError
        Where a transform is given the plan and an array that it was not made for.

    Examples
    --------
    >>> a = cp.array([1, 2, 3, 4], dtype=cp.complex128)
    >>> plan = cp.scipy.fft.get_fft_plan(a)
    >>> cp.scipy.fft.fft(a, plan=plan)
    array([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j])
    """
    a = as_array(a)
    if value_type not in _VALUE_TYPES:
        raise ValueError(
            f"get_fft_plan: value_type must be one of {', '.join(_VALUE_TYPES)}, got {value_type!r}"
        )
    if value_type == "R2C" and kind_of(a.dtype) == "c":
        raise TypeError(f"get_fft_plan: a plan of type R2C transforms no {a.dtype}")
    lengths, places = shape_and_axes("get_fft_plan", a, shape, axes)
    return Plan(a.shape, tuple(lengths), tuple(places), value_type)
