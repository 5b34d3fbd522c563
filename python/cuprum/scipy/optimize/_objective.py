"""A function to be minimised, with its gradient: given, returned with the value, or by differences."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from .._results import plain

STOPPED = "`callback` raised `StopIteration`."
SQRT_EPS = float(np.finfo(np.float64).eps) ** 0.5
_DIFFERENCES = ("2-point", "3-point", "cs")


class Objective:
    """Counts evaluations and remembers the last one."""

    def __init__(
        self, fun: Callable[..., Any], x0: ndarray, args: tuple[Any, ...], jac: Any, eps: Any
    ) -> None:
        self._fun, self._args, self._jac, self._eps = fun, args, jac, eps
        self.nfev = self.njev = 0
        self._shape = x0.shape
        self._at: ndarray | None = None
        self._value, self._gradient = 0.0, x0
        self._has_gradient = False
        if not (jac is None or callable(jac) or jac is True or jac in (*_DIFFERENCES, False)):
            raise ValueError(f"jac must be a callable, a bool, '2-point', '3-point' or 'cs', got {jac!r}")

    def _evaluate(self, x: ndarray) -> Any:
        self.nfev += 1
        return self._fun(x, *self._args)

    def value(self, x: ndarray) -> float:
        """The function's value."""
        if x is not self._at:
            found = self._evaluate(x)
            self._at, self._has_gradient = x, False
            if self._jac is True:
                found, gradient = found
                self._gradient, self._has_gradient = self._checked(gradient), True
                self.njev += 1
            self._value = plain(found)
        return self._value

    def gradient(self, x: ndarray) -> ndarray:
        """The gradient."""
        self.value(x)
        if not self._has_gradient:
            self.njev += 1
            if callable(self._jac):
                self._gradient = self._checked(self._jac(x, *self._args))
            else:
                self._gradient = self._differences(x)
            self._has_gradient = True
        return self._gradient

    def _checked(self, gradient: Any) -> ndarray:
        array = as_array(gradient).astype(np.float64).reshape(-1)
        if array.shape != self._shape:
            raise ValueError(f"the gradient has shape {array.shape}, the argument {self._shape}")
        return array

    def _differences(self, x: ndarray) -> ndarray:
        if self._jac == "cs":
            slopes = [as_array(self._evaluate(moved)) for moved in imaginary_steps(x)]
            return cp.stack([one.reshape(()).imag for one in slopes]) / IMAGINARY_STEP
        central = self._jac == "3-point"
        step = cp.zeros_like(x) + (
            SQRT_EPS ** (2 / 3) if central else SQRT_EPS if self._eps is None else self._eps
        )
        step = (x + step) - x
        parts = []
        for i in range(x.size):
            moved = x.copy()
            moved[i] = x[i] + step[i]
            after = plain(self._evaluate(moved))
            before = self._value
            if central:
                moved = x.copy()
                moved[i] = x[i] - step[i]
                before = plain(self._evaluate(moved))
            parts.append(after - before)
        result: ndarray = cp.array(parts) / (2 * step if central else step)
        return result


# A derivative by a step along the imaginary axis has no difference in it, so that the step may be tiny.
IMAGINARY_STEP = 1e-20


def imaginary_steps(x: ndarray) -> Iterator[ndarray]:
    """Yield an argument with one component after the other moved along the imaginary axis."""
    for i in range(x.size):
        moved = x.astype(np.complex128)
        moved[i] += 1j * IMAGINARY_STEP
        yield moved


def checked_callback(callback: Any, **found: Any) -> bool:
    """Call a callback of the user; return whether it wants to stop."""
    if callback is None:
        return False
    import inspect

    from .._results import OptimizeResult

    try:
        names = set(inspect.signature(callback).parameters)
    except (TypeError, ValueError):
        names = set()
    try:
        if names == {"intermediate_result"}:
            callback(intermediate_result=OptimizeResult(**found))
        else:
            callback(found["x"].copy())
    except StopIteration:
        return True
    return False
