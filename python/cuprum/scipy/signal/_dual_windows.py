"""Windows of the inverse of a short-time Fourier transform."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray

if TYPE_CHECKING:
    from ..._typing import ArrayLike

__all__ = ["closest_STFT_dual_window"]


def dual_window(win: ndarray, hop: int) -> ndarray:
    """Return the window with which overlapping segments add up to the signal again."""
    if hop > win.size:
        raise ValueError(
            f"ShortTimeFFT: hop={hop} is larger than window length of {win.size} => STFT not invertible!"
        )
    padded = cp.zeros(-(-win.size // hop) * hop)
    padded[: win.size] = win.real**2 + win.imag**2
    sums = padded.reshape(-1, hop).sum(axis=0)
    least = np.finfo(win.real.dtype).resolution * float(sums.max())
    if not bool((sums >= least).all()):
        raise ValueError("ShortTimeFFT: Short-time Fourier Transform not invertible!")
    return win / cp.tile(sums, padded.size // hop)[: win.size]


def closest_STFT_dual_window(
    win: ArrayLike, hop: int, desired_dual: ArrayLike | None = None, *, scaled: bool = True
) -> tuple[ndarray, Any]:
    """Return the window of an inverse that is nearest to another.

    Parameters
    ----------
    win : (m,) array_like
        The window of the transform.
    hop : int
        By how many samples it moves.
    desired_dual : (m,) array_like, optional
        The window to be near to; a rectangle by default.
    scaled : bool, optional
        Whether that may be scaled.

    Returns
    -------
    dual_win : ndarray
        The window.
    alpha : number
        The scale.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.closest_STFT_dual_window(cp.ones(4), 2)[0]
    array([0.5, 0.5, 0.5, 0.5])
    """
    op, win = "closest_STFT_dual_window", as_array(win)
    wanted = cp.ones_like(win) if desired_dual is None else as_array(desired_dual)
    if not (win.ndim == 1 and win.shape == wanted.shape):
        raise ValueError(
            f"{op}: Parameters `win` and `desired_dual` are not 1d arrays of equal length "
            f"(win.shape={win.shape}, desired_dual.shape={wanted.shape})!"
        )
    for name, values in (("win", win), ("desired_dual", wanted)):
        if not bool(cp.isfinite(values).all()):
            raise ValueError(f"{op}: Parameter {name} must have finite entries!")
    if not (isinstance(hop, (int, np.integer)) and 1 <= hop <= win.size):
        raise ValueError(f"{op}: Parameter hop={hop} is not an integer between 1 and len(win)={win.size}!")
    dual = dual_window(win, hop)
    product = win.conj() * wanted
    # What overlapping windows add to each sample of one of them.
    rows = cp.zeros(-(-win.size // hop) * hop, product.dtype)
    rows[: win.size] = product
    sums = rows.reshape(-1, hop).sum(axis=0)
    part = dual * cp.tile(sums, rows.size // hop)[: win.size]
    if not scaled:
        return dual + wanted - part, 1.0
    top, bottom = (part.conj() @ dual).item(), float((part.real**2 + part.imag**2).sum())
    if not (abs(top) > 0 and bottom > np.finfo(dual.dtype).resolution):
        raise ValueError(
            f"{op}: Unable to calculate scaled closest dual window due to numerically unstable scaling "
            "factor! "
            "Try setting parameter `scaled` to False."
        )
    return dual + top / bottom * (wanted - part), top / bottom
