"""Which generators a program gets that names none."""

from __future__ import annotations

from typing import Literal

__all__ = ["get_default", "set_default"]

_default: Literal["philox", "numpy"] = "philox"


def get_default() -> str:
    """Return which generators `default_rng`, `RandomState` and the module's functions draw from.

    Returns
    -------
    {'philox', 'numpy'}
        The setting; see `set_default`.

    Examples
    --------
    >>> cp.random.get_default()
    'philox'
    """
    return _default


def set_default(name: Literal["philox", "numpy"]) -> None:
    """Choose which generators `default_rng`, `RandomState` and the module's functions draw from.

    Parameters
    ----------
    name : {'philox', 'numpy'}
        With 'numpy' all numbers are NumPy's, bit for bit: `default_rng(seed)` is on `PCG64`, and
        `RandomState(seed)` and the module's functions on NumPy's Mersenne Twister. The host draws them one
        after the other. With 'philox', the default, they are counter-based: drawn by all threads or by the
        GPU.

    Examples
    --------
    >>> cp.random.set_default("numpy")
    >>> cp.random.default_rng(42).random(2)
    array([0.77395605, 0.43887844])
    >>> cp.random.seed(0)
    >>> cp.random.rand(2)
    array([0.5488135 , 0.71518937])
    >>> cp.random.set_default("philox")
    """
    global _default
    if name not in ("philox", "numpy"):
        raise ValueError(f"set_default: name must be 'philox' or 'numpy', got {name!r}")
    if name == _default:
        return
    from ._module import reset_states

    _default = name
    reset_states()
