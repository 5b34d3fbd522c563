"""Rotations as unit quaternions, scalar last."""

from __future__ import annotations

import math
import re
import warnings
from typing import Any

import numpy as np

import cuprum as cp

from ...._convert import as_array
from ...._core import ndarray
from ...._typing import ArrayLike

__all__ = ["Rotation"]

_AXES = {"x": 0, "y": 1, "z": 2}


def _product(p: ndarray, q: ndarray) -> ndarray:
    """Return the products of quaternions, which are broadcast."""
    v, w, a, b = p[..., :3], p[..., 3:], q[..., :3], q[..., 3:]
    scalar = w * b - (v * a).sum(-1, keepdims=True)
    return cp.concatenate((w * a + b * v + cp.cross(v, a), scalar), axis=-1)


def _floats(values: Any) -> ndarray:
    result: ndarray = as_array(values).astype(np.float64)
    return result


def _about(axis: int, angle: ndarray) -> ndarray:
    """Return the quaternions of turns about a coordinate axis."""
    parts = [cp.zeros_like(angle)] * 3
    parts[axis] = cp.sin(angle / 2)
    return cp.stack([*parts, cp.cos(angle / 2)], -1)


def _sequence(seq: str) -> tuple[list[int], bool]:
    """Return the axes of Euler angles, and whether they turn with the body."""
    if not re.fullmatch("[xyz]{1,3}|[XYZ]{1,3}", seq):
        raise ValueError(
            "Expected axes from `seq` to be from ['x', 'y', 'z'] or ['X', 'Y', 'Z'], 1 to 3 of one case, "
            f"got {seq!r}"
        )
    if any(a == b for a, b in zip(seq, seq[1:], strict=False)):
        raise ValueError(f"Expected consecutive axes to be different, got {seq}")
    return [_AXES[one] for one in seq.lower()], seq.isupper()


class Rotation:
    """One rotation in space, or an array of them.

    Rotations are made by the class methods `from_quat`, `from_matrix`, `from_rotvec`, `from_euler`,
    `from_mrp`, `identity` and `random`. ``p * q`` turns by q first, then by p.

    Parameters
    ----------
    quat : (..., 4) array_like
        Quaternions, scalar last unless `scalar_first`.
    normalize : bool, optional
        Whether they are divided by their norms.
    copy : bool, optional
        Whether the array is copied.
    scalar_first : bool, optional
        Whether the scalar comes first.

    Examples
    --------
    >>> from cuprum.scipy.spatial.transform import Rotation
    >>> turn = Rotation.from_euler("z", 90, degrees=True)
    >>> turn.apply(cp.array([1.0, 0.0, 0.0])).round(6)
    array([0., 1., 0.])
    """

    def __init__(
        self, quat: ArrayLike, normalize: bool = True, copy: bool = True, scalar_first: bool = False
    ) -> None:
        q = _floats(quat)
        if q.ndim == 0 or q.shape[-1] != 4:
            raise ValueError(f"Expected `quat` to have shape (..., 4), got {q.shape}.")
        if scalar_first:
            q = cp.roll(q, -1, axis=-1)
        if normalize:
            norm = cp.sqrt((q**2).sum(-1, keepdims=True))
            if bool((norm == 0).any()):
                raise ValueError("Found zero norm quaternions in `quat`.")
            q = q / norm
        elif copy:
            q = q.copy()
        self._quat = q

    @classmethod
    def _of(cls, quat: ndarray) -> Rotation:
        self = object.__new__(cls)
        self._quat = quat
        return self

    @classmethod
    def from_quat(cls, quat: ArrayLike, *, scalar_first: bool = False) -> Rotation:
        """Make rotations of quaternions, which need not have unit norm.

        Examples
        --------
        >>> from cuprum.scipy.spatial.transform import Rotation
        >>> float(Rotation.from_quat(cp.asarray([0.0, 0, 0, 1])).magnitude())
        0.0
        """
        return cls(quat, scalar_first=scalar_first)

    @classmethod
    def from_matrix(cls, matrix: ArrayLike, *, assume_valid: bool = False) -> Rotation:
        """Make rotations of matrices; those that are not orthogonal are replaced by the nearest that are.

        Examples
        --------
        >>> from cuprum.scipy.spatial.transform import Rotation
        >>> float(Rotation.from_matrix(cp.eye(3)).magnitude())
        0.0
        """
        m = _floats(matrix)
        if m.ndim < 2 or m.shape[-2:] != (3, 3):
            raise ValueError(f"Expected `matrix` to have shape (..., 3, 3), got {m.shape}")
        if not assume_valid:
            if bool((cp.linalg.det(m) <= 0).any()):
                raise ValueError(
                    "Non-positive determinant (left-handed or null coordinate frame) in rotation matrix"
                )
            error = abs(m @ cp.swapaxes(m, -1, -2) - cp.eye(3)).max() if m.size else 0.0
            if float(error) > 1e-12:
                u, _, vt = cp.linalg.svd(m)
                m = u @ vt
        d = [m[..., i, i] for i in range(3)]
        trace = d[0] + d[1] + d[2]
        # Of four formulas the one with the largest component loses no digits.
        choice = cp.argmax(cp.stack([*d, trace], -1), axis=-1)[..., None]
        rows = []
        for i in range(3):
            j, k = (i + 1) % 3, (i + 2) % 3
            parts: list[Any] = [None] * 4
            parts[i] = 1 - trace + 2 * d[i]
            parts[j] = m[..., j, i] + m[..., i, j]
            parts[k] = m[..., k, i] + m[..., i, k]
            parts[3] = m[..., k, j] - m[..., j, k]
            rows.append(cp.stack(parts, -1))
        last = [
            m[..., 2, 1] - m[..., 1, 2],
            m[..., 0, 2] - m[..., 2, 0],
            m[..., 1, 0] - m[..., 0, 1],
            1 + trace,
        ]
        rows.append(cp.stack(last, -1))
        q = cp.where(
            choice == 0, rows[0], cp.where(choice == 1, rows[1], cp.where(choice == 2, rows[2], rows[3]))
        )
        return cls(q)

    @classmethod
    def from_rotvec(cls, rotvec: ArrayLike, degrees: bool = False) -> Rotation:
        """Make rotations of vectors along their axes, as long as their angles.

        Examples
        --------
        >>> from cuprum.scipy.spatial.transform import Rotation
        >>> round(float(Rotation.from_rotvec(cp.asarray([0.0, 0, 0.5])).magnitude()), 6)
        0.5
        """
        v = _floats(rotvec)
        if v.ndim == 0 or v.shape[-1] != 3:
            raise ValueError(f"Expected `rot_vec` to have shape (..., 3), got {v.shape}")
        if degrees:
            v = cp.deg2rad(v)
        angle = cp.sqrt((v**2).sum(-1, keepdims=True))
        small = angle <= 1e-3
        safe = cp.where(small, 1.0, angle)
        scale = cp.where(small, 0.5 - angle**2 / 48 + angle**4 / 3840, cp.sin(safe / 2) / safe)
        return cls._of(cp.concatenate((scale * v, cp.cos(angle / 2)), axis=-1))

    @classmethod
    def from_euler(cls, seq: str, angles: ArrayLike, degrees: bool = False) -> Rotation:
        """Make rotations of angles about up to three axes, fixed ("xyz") or of the body ("XYZ")."""
        axes, intrinsic = _sequence(seq)
        a = _floats(angles)
        if degrees:
            a = cp.deg2rad(a)
        if len(axes) == 1:
            if a.ndim and a.shape[-1] != 1:
                raise ValueError(
                    f"Expected last dimension of `angles` to match number of axes: 1, got {a.shape}"
                )
            columns = [a[..., 0] if a.ndim else a]
        else:
            if a.ndim == 0 or a.shape[-1] != len(axes):
                raise ValueError(
                    f"Expected last dimension of `angles` to match number of axes: {len(axes)}, got {a.shape}"
                )
            columns = [a[..., i] for i in range(len(axes))]
        result = _about(axes[0], columns[0])
        for axis, angle in zip(axes[1:], columns[1:], strict=True):
            turn = _about(axis, angle)
            result = _product(result, turn) if intrinsic else _product(turn, result)
        return cls._of(result)

    @classmethod
    def from_mrp(cls, mrp: ArrayLike) -> Rotation:
        """Make rotations of modified Rodrigues parameters.

        Examples
        --------
        >>> from cuprum.scipy.spatial.transform import Rotation
        >>> float(Rotation.from_mrp(cp.zeros(3)).magnitude())
        0.0
        """
        v = _floats(mrp)
        if v.ndim == 0 or v.shape[-1] != 3:
            raise ValueError(f"Expected `mrp` to have shape (..., 3), got {v.shape}")
        square = (v**2).sum(-1, keepdims=True)
        return cls._of(cp.concatenate((2 * v, 1 - square), axis=-1) / (1 + square))

    @classmethod
    def identity(cls, num: int | None = None, *, shape: Any = None) -> Rotation:
        """Make rotations that turn nothing.

        Examples
        --------
        >>> from cuprum.scipy.spatial.transform import Rotation
        >>> float(Rotation.identity().magnitude())
        0.0
        """
        if num is not None and shape is not None:
            raise ValueError("Only one of `num` or `shape` can be specified.")
        lead = (
            () if num is None and shape is None else (num,) if shape is None else tuple(np.atleast_1d(shape))
        )
        return cls._of(cp.broadcast_to(cp.array([0.0, 0.0, 0.0, 1.0]), (*lead, 4)).copy())

    @classmethod
    def random(cls, num: int | None = None, rng: Any = None, *, shape: Any = None) -> Rotation:
        """Make uniformly distributed rotations; `rng` is a generator of `cuprum.random` or a seed.

        Examples
        --------
        >>> from cuprum.scipy.spatial.transform import Rotation
        >>> len(Rotation.random(3, rng=1))
        3
        """
        generator = rng if hasattr(rng, "standard_normal") else cp.random.default_rng(rng)
        lead = (
            () if num is None and shape is None else (num,) if shape is None else tuple(np.atleast_1d(shape))
        )
        return cls(generator.standard_normal((*lead, 4)))

    @classmethod
    def concatenate(cls, rotations: Any) -> Rotation:
        """Join rotations one after the other.

        Examples
        --------
        >>> from cuprum.scipy.spatial.transform import Rotation
        >>> r = Rotation.from_euler("z", 90, degrees=True)
        >>> len(Rotation.concatenate([r, r]))
        2
        """
        parts = [rotations] if isinstance(rotations, Rotation) else list(rotations)
        if not all(isinstance(part, Rotation) for part in parts):
            raise TypeError("input must contain Rotation objects only")
        return cls._of(cp.concatenate([part._quat.reshape(-1, 4) for part in parts]))

    @property
    def single(self) -> bool:
        """Whether there is one rotation alone."""
        return self._quat.ndim == 1

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array of rotations."""
        return self._quat.shape[:-1]

    def __len__(self) -> int:
        if self.single:
            raise TypeError("Single rotation has no len().")
        return int(self._quat.shape[0])

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, index: Any) -> Rotation:
        if self.single:
            raise TypeError("Single rotation is not subscriptable.")
        return self._of(self._quat[index])

    def __repr__(self) -> str:
        return f"Rotation.from_matrix({self.as_matrix()!r})"

    def as_quat(self, canonical: bool = False, *, scalar_first: bool = False) -> ndarray:
        """Return quaternions; `canonical` ones have a scalar that is not negative.

        Examples
        --------
        >>> from cuprum.scipy.spatial.transform import Rotation
        >>> r = Rotation.from_euler("z", 90, degrees=True)
        >>> r.as_quat().round(4)
        array([0.    , 0.    , 0.7071, 0.7071])
        """
        q = self._quat
        if canonical:
            x, y, z, w = (q[..., i] for i in range(4))
            flip = (w < 0) | (w == 0) & ((x < 0) | (x == 0) & ((y < 0) | (y == 0) & (z < 0)))
            q = cp.where(flip[..., None], -q, q)
        return cp.roll(q, 1, axis=-1) if scalar_first else q.copy()

    def as_matrix(self) -> ndarray:
        """Return matrices.

        Examples
        --------
        >>> from cuprum.scipy.spatial.transform import Rotation
        >>> r = Rotation.from_euler("z", 90, degrees=True)
        >>> r.as_matrix().shape
        (3, 3)
        """
        x, y, z, w = (self._quat[..., i] for i in range(4))
        rows = [
            [x * x - y * y - z * z + w * w, 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), -x * x + y * y - z * z + w * w, 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), -x * x - y * y + z * z + w * w],
        ]
        return cp.stack([cp.stack(row, -1) for row in rows], -2)

    def as_rotvec(self, degrees: bool = False) -> ndarray:
        """Return vectors along the axes, as long as the angles.

        Examples
        --------
        >>> from cuprum.scipy.spatial.transform import Rotation
        >>> r = Rotation.from_euler("z", 90, degrees=True)
        >>> float(r.as_rotvec()[2].round(4))
        1.5708
        """
        q = cp.where(self._quat[..., 3:] < 0, -self._quat, self._quat)
        size = cp.sqrt((q[..., :3] ** 2).sum(-1, keepdims=True))
        angle = 2 * cp.arctan2(size, q[..., 3:])
        small = angle <= 1e-3
        safe = cp.where(small, 1.0, angle)
        scale = cp.where(small, 2 + angle**2 / 12 + 7 * angle**4 / 2880, safe / cp.sin(safe / 2))
        result = scale * q[..., :3]
        return cp.rad2deg(result) if degrees else result

    def as_mrp(self) -> ndarray:
        """Return modified Rodrigues parameters.

        Examples
        --------
        >>> from cuprum.scipy.spatial.transform import Rotation
        >>> r = Rotation.from_euler("z", 90, degrees=True)
        >>> r.as_mrp().shape
        (3,)
        """
        q = cp.where(self._quat[..., 3:] < 0, -self._quat, self._quat)
        result: ndarray = q[..., :3] / (1 + q[..., 3:])
        return result

    def as_euler(self, seq: str, degrees: bool = False, *, suppress_warnings: bool = False) -> ndarray:
        """Return angles about three axes: fixed ones ("xyz") or those of the body ("XYZ").

        Examples
        --------
        >>> from cuprum.scipy.spatial.transform import Rotation
        >>> r = Rotation.from_euler("z", 90, degrees=True)
        >>> float(r.as_euler("zyx", degrees=True)[0].round(6))
        90.0
        """
        if len(seq) != 3:
            raise ValueError(f"Expected 3 axes, got {seq}.")
        axes, intrinsic = _sequence(seq)
        i, j, k = axes[::-1] if intrinsic else axes
        symmetric = i == k
        if symmetric:
            k = 3 - i - j
        sign = (i - j) * (j - k) * (k - i) // 2
        q = self._quat
        if symmetric:
            a, b, c, d = q[..., 3], q[..., i], q[..., j], q[..., k] * sign
        else:
            a, b = q[..., 3] - q[..., j], q[..., i] + q[..., k] * sign
            c, d = q[..., j] + q[..., 3], q[..., k] * sign - q[..., i]
        middle = 2 * cp.arctan2(cp.hypot(c, d), cp.hypot(a, b))
        low, high = abs(middle) <= 1e-7, abs(middle - math.pi) <= 1e-7
        half_sum, half_difference = cp.arctan2(b, a), cp.arctan2(d, c)
        locked = low | high
        first = half_sum - half_difference
        third = half_sum + half_difference
        # Where two axes coincide only a sum of angles is known: the third one is taken as zero.
        if intrinsic:
            third = cp.where(low, 2 * half_sum, cp.where(high, 2 * half_difference, third))
            first = cp.where(locked, 0.0, first)
        else:
            first = cp.where(low, 2 * half_sum, cp.where(high, -2 * half_difference, first))
            third = cp.where(locked, 0.0, third)
        if not symmetric:
            third, middle = third * sign, middle - math.pi / 2
        angles = cp.stack((third, middle, first) if intrinsic else (first, middle, third), -1)
        angles = cp.where(angles < -math.pi, angles + 2 * math.pi, angles)
        angles = cp.where(angles > math.pi, angles - 2 * math.pi, angles)
        if not suppress_warnings and bool(locked.any()):
            warnings.warn(
                "Gimbal lock detected. Setting third angle to zero since it is not possible to "
                "uniquely determine "
                "all angles.",
                stacklevel=2,
            )
        return cp.rad2deg(angles) if degrees else angles

    def apply(self, vectors: ArrayLike, inverse: bool = False) -> ndarray:
        """Turn vectors: one each, or all by one rotation."""
        v = _floats(vectors)
        if v.ndim == 0 or v.shape[-1] != 3:
            raise ValueError(f"Expected input of shape (3,) or (..., 3), got {v.shape}.")
        if v.ndim > 1 and not self.single and v.shape[0] not in (1, self.shape[0]) and self.shape[0] != 1:
            raise ValueError(
                f"Expected equal numbers of rotations and vectors, got {self.shape} and {v.shape}."
            )
        m = self.as_matrix()
        if inverse:
            m = cp.swapaxes(m, -1, -2)
        return (m * v[..., None, :]).sum(-1)

    def inv(self) -> Rotation:
        """Return the rotations back.

        Examples
        --------
        >>> from cuprum.scipy.spatial.transform import Rotation
        >>> r = Rotation.from_euler("z", 90, degrees=True)
        >>> round(float((r * r.inv()).magnitude()), 6)
        0.0
        """
        return self._of(self._quat * cp.array([-1.0, -1.0, -1.0, 1.0]))

    def magnitude(self) -> ndarray:
        """Return the angles, from 0 to pi.

        Examples
        --------
        >>> from cuprum.scipy.spatial.transform import Rotation
        >>> r = Rotation.from_euler("z", 90, degrees=True)
        >>> round(float(r.magnitude()), 4)
        1.5708
        """
        size = cp.sqrt((self._quat[..., :3] ** 2).sum(-1))
        result: ndarray = 2 * cp.arctan2(size, abs(self._quat[..., 3]))
        return result

    def __mul__(self, other: Rotation) -> Rotation:
        if not isinstance(other, Rotation):
            return NotImplemented
        try:
            product = _product(*(p.copy() for p in cp.broadcast_arrays(self._quat, other._quat)))
        except ValueError as error:
            raise ValueError(
                "Expected equal number of rotations in both or a single rotation in either "
                f"object, got {self.shape} "
                f"and {other.shape}"
            ) from error
        return Rotation(product)

    def __pow__(self, n: float, modulus: None = None) -> Rotation:
        if modulus is not None:
            raise NotImplementedError("a power of rotations has no modulus")
        if n == 1:
            return self._of(self._quat.copy())
        return self.inv() if n == -1 else self.from_rotvec(n * self.as_rotvec())

    def approx_equal(self, other: Rotation, atol: float | None = None, degrees: bool = False) -> ndarray:
        """Return whether rotations differ by less than an angle.

        Examples
        --------
        >>> from cuprum.scipy.spatial.transform import Rotation
        >>> r = Rotation.from_euler("z", 90, degrees=True)
        >>> bool(r.approx_equal(r))
        True
        """
        limit = 1e-8 if atol is None else math.radians(atol) if degrees else atol
        return (other * self.inv()).magnitude() < limit

    def mean(self, weights: ArrayLike | None = None) -> Rotation:
        """Return the rotation in the middle, by the largest eigenvector of the quaternions' products.

        Examples
        --------
        >>> from cuprum.scipy.spatial.transform import Rotation
        >>> r = Rotation.from_euler("z", 90, degrees=True)
        >>> round(float(Rotation.concatenate([r, r]).mean().magnitude()), 4)
        1.5708
        """
        q = self._quat.reshape(-1, 4)
        w = cp.ones(q.shape[0]) if weights is None else _floats(weights)
        if w.shape != (q.shape[0],):
            raise ValueError(
                f"Expected `weights` to have number of values equal to number of rotations, got {w.shape}"
            )
        if bool((w < 0).any()):
            raise ValueError("`weights` must be non-negative.")
        return Rotation(cp.linalg.eigh((q.T * w) @ q)[1][:, -1])

    @classmethod
    def align_vectors(
        cls, a: ArrayLike, b: ArrayLike, weights: ArrayLike | None = None, return_sensitivity: bool = False
    ) -> tuple[Any, ...]:
        """Return the rotation that turns vectors `b` to `a` best, and the root of what is left (Kabsch).

        Examples
        --------
        >>> from cuprum.scipy.spatial.transform import Rotation
        >>> turned, distance = Rotation.align_vectors(cp.asarray([[0.0, 1, 0]]), cp.asarray([[1.0, 0, 0]]))
        >>> round(float(turned.magnitude()), 4)
        1.5708
        """
        first, second = (_floats(v).reshape(-1, np.shape(v)[-1] if np.ndim(v) else 1) for v in (a, b))
        if first.shape != second.shape or first.shape[-1] != 3:
            raise ValueError(
                f"Expected inputs `a` and `b` to have same shapes, got {first.shape} and {second.shape}"
            )
        w = cp.ones(first.shape[0]) if weights is None else _floats(weights)
        if w.shape != (first.shape[0],):
            raise ValueError(
                f"Expected `weights` to have number of values equal to number of vectors, got {w.shape}"
            )
        if bool((w < 0).any()):
            raise ValueError("`weights` may not contain negative values")
        u, s, vt = cp.linalg.svd((first.T * w) @ second)
        turn = cp.array([1.0, 1.0, float(cp.sign(cp.linalg.det(u) * cp.linalg.det(vt)))])
        left = float((w * (first**2 + second**2).sum(1)).sum()) - 2 * float((s * turn).sum())
        result = cls.from_matrix((u * turn) @ vt)
        root = math.sqrt(max(left, 0.0))
        if not return_sensitivity:
            return result, root
        kappa = turn * s
        weight = cp.stack([(kappa[1] + kappa[2]), (kappa[0] + kappa[2]), (kappa[0] + kappa[1])])
        spread = (u * (1 / weight)) @ u.T
        return result, root, spread * (w.sum() / w.size)
