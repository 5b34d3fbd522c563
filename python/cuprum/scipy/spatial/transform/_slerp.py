"""Interpolation between rotations."""

from __future__ import annotations

import numpy as np

import cuprum as cp

from ...._convert import as_array
from ...._typing import ArrayLike
from ._rotation import Rotation

__all__ = ["Slerp"]


class Slerp:
    """Interpolation between rotations with constant speed.

    Parameters
    ----------
    times : (N,) array_like
        The times, rising.
    rotations : Rotation
        N rotations.

    Examples
    --------
    >>> from cuprum.scipy.spatial.transform import Rotation, Slerp
    >>> slerp = Slerp([0, 1], Rotation.from_euler("z", cp.array([[0.0], [90.0]]), degrees=True))
    >>> slerp(0.5).as_euler("xyz", degrees=True).round(6)
    array([ 0.,  0., 45.])
    """

    def __init__(self, times: ArrayLike, rotations: Rotation) -> None:
        if not isinstance(rotations, Rotation):
            raise TypeError("`rotations` must be a `Rotation` instance.")
        if rotations.single or len(rotations) == 1:
            raise ValueError("`rotations` must be a sequence of at least 2 rotations.")
        self.times = as_array(times).astype(np.float64)
        if self.times.ndim != 1:
            raise ValueError("Expected times to be specified in a 1 dimensional array")
        if self.times.size != len(rotations):
            raise ValueError(
                "Expected number of rotations to be equal to number of timestamps given, got "
                f"{len(rotations)} "
                f"rotations and {self.times.size} timestamps."
            )
        self.timedelta = cp.diff(self.times)
        if bool((self.timedelta <= 0).any()):
            raise ValueError("Times must be in strictly increasing order.")
        self.rotations = rotations[:-1]
        self.rotvecs = (self.rotations.inv() * rotations[1:]).as_rotvec()

    def __call__(self, times: ArrayLike) -> Rotation:
        """Interpolate at times.

        Parameters
        ----------
        times : float or (M,) array_like
            The times.

        Returns
        -------
        Rotation
            The rotations then.
        """
        at = as_array(times).astype(np.float64)
        if at.ndim > 1:
            raise ValueError("`times` must be at most 1-dimensional.")
        flat = at.reshape(-1)
        if bool(((flat < self.times[0]) | (flat > self.times[-1])).any()):
            raise ValueError(
                "Interpolation times must be within the range of the given times, both inclusive."
            )
        place = cp.clip(cp.searchsorted(self.times, flat) - 1, 0, self.times.size - 2)
        share = (flat - self.times[place]) / self.timedelta[place]
        result = self.rotations[place] * Rotation.from_rotvec(self.rotvecs[place] * share[:, None])
        return result if at.ndim else result[0]
