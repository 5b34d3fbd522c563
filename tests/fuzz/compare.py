"""Compares a value with the oracle's, as exactly as its history allows."""

import numpy as np
from catalogue import CLOSE, NEAR, SHAPE, ULPS, ulps_of
from known import is_known
from twin import ulp_distance

import cuprum as cp


class Found(Exception):
    """A difference: which line it shows at, and what differs."""

    def __init__(self, number, what):
        super().__init__(number, what)
        self.number, self.what = number, what


def host_value(value):
    if isinstance(value, cp.ndarray):
        return cp.asnumpy(value)
    if isinstance(value, dict):
        return {key: host_value(one) for key, one in value.items()}
    if isinstance(value, tuple | list):
        return (
            type(value)(host_value(one) for one in value)
            if type(value) in (tuple, list)
            else [*map(host_value, value)]
        )
    return value


def compare(got, want, how, number, ufunc, line, scale, read, is_single):
    """Compare two values; return whether they differ in a known way."""
    if isinstance(want, tuple | list) and not isinstance(want, str):
        if len(got) != len(want):
            if is_known(line, got, want, read()):
                return True
            raise Found(number, f"{len(got)} values, {len(want)} of NumPy's")
        pairs = zip(got, want, strict=True)
        return any(
            [compare(one, other, how, number, ufunc, line, scale, read, is_single) for one, other in pairs]
        )
    if isinstance(want, dict):
        return compare([*got.items()], [*want.items()], how, number, ufunc, line, scale, read, is_single)
    if not isinstance(want, np.ndarray | np.generic | int | float | complex | bool):
        same = str(got) == str(want)
        if not same and how != SHAPE and not is_known(line, got, want, read()):
            raise Found(number, f"{got!r}, {want!r} of NumPy's")
        return not same
    typed = isinstance(want, np.ndarray | np.generic)
    got, want = np.asarray(got), np.asarray(want)
    if typed and (got.dtype != want.dtype or got.shape != want.shape):
        if not is_known(line, got, want, read()):
            raise Found(number, f"{got.dtype}{got.shape}, {want.dtype}{want.shape} of NumPy's")
        if got.shape != want.shape or not {got.dtype.kind, want.dtype.kind} <= {*"biufc"}:
            return True
        both = np.result_type(min(got.dtype, want.dtype, key=lambda one: one.itemsize), np.float16)
        got, want = got.astype(both), want.astype(both)
    elif "sp." in line and got.dtype.char in "dD" and ("'f4'" in line or is_single):
        # SciPy may have computed in single precision what it returns in double.
        got, want = (one.astype("f4" if one.dtype.kind == "f" else "c8") for one in (got, want))
    if how == SHAPE or got.size == 0 or _is_equal(got, want):
        return False
    if how == ULPS:
        real = ~(np.isnan(got) & np.isnan(want))
        far = ulp_distance(got[real], want[real])
        if np.all(far <= 2 * ulps_of(ufunc, want.dtype) + 4):
            return False
    if how == CLOSE and _is_close(got, want, scale):
        return False
    if how == NEAR and _is_near(got, want):
        return False
    if not is_known(line, got, want, read()):
        at = np.flatnonzero(~((got == want) | ((got != got) & (want != want))).ravel())
        if got.dtype.kind in "fc":
            far = np.nan_to_num(np.abs(got.ravel()[at] - want.ravel()[at]), nan=np.inf)
            at = at[np.argsort(-far, kind="stable")]
        at = at[:3]
        shown = f"{got.ravel()[at]!r}, {want.ravel()[at]!r} of NumPy's"
        raise Found(number, f"elements {at.tolist()} are {shown}")
    return True


def _is_equal(got, want):
    if got.dtype.kind == "b":
        # A view may hold other bytes than 0 and 1.
        return np.array_equal(got.view("u1") != 0, want.view("u1") != 0)
    if got.dtype.kind in "Mm":
        return np.array_equal(got.view("i8"), want.view("i8"))
    if got.dtype.names is not None:
        # What lies between fields is no value.
        return all(_is_equal(np.asarray(got[name]), np.asarray(want[name])) for name in got.dtype.names)
    if got.dtype.kind not in "fc":
        return np.array_equal(got, want)
    return np.array_equal(got, want, equal_nan=True)


def _is_near(got, want):
    if got.dtype.kind not in "fc":
        return False
    # SciPy computes some inverses in single precision.
    tolerance = {"e": 1e-2, "f": 1e-3, "F": 1e-3, "d": 2e-9, "D": 2e-9}[got.dtype.char]
    both = np.isfinite(got) & np.isfinite(want)
    same = (got == want) | (np.isnan(got) & np.isnan(want))
    return bool(np.all(same | both & (np.abs(got - want) <= tolerance * (np.abs(want) + 1e-290))))


def _is_close(got, want, scale):
    if got.dtype.kind not in "fc":
        return (
            bool(np.all(np.abs(got.astype(float) - want.astype(float)) <= 1))
            if got.dtype.kind in "iu"
            else False
        )
    epsilon = {"e": 1e-2, "f": 1e-4, "F": 1e-4, "d": 1e-9, "D": 1e-9}[got.dtype.char]
    both = np.isfinite(got) & np.isfinite(want)
    largest = np.max(np.abs(want[both]), initial=scale)
    # Infinities and NaNs may come from the order of additions.
    if not np.array_equal(np.isfinite(got), np.isfinite(want)):
        return bool(largest > 1e30) or not np.isfinite(want).all()
    return bool(np.all(np.abs(got[both] - want[both]) <= epsilon * largest))
