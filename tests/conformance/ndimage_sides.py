"""SciPy's `ndimage` and ours under one call, for tests that compare them."""

import types
import warnings

import numpy as np
import scipy.ndimage

import cuprum as cp
import cuprum.scipy.ndimage

SCIPY = types.SimpleNamespace(xp=np, ndi=scipy.ndimage)
CUPRUM = types.SimpleNamespace(xp=cp, ndi=cuprum.scipy.ndimage)


def on_host(value):
    """Return results with NumPy's arrays in place of ours."""
    if isinstance(value, cp.ndarray):
        return value.get()
    if isinstance(value, (list, tuple)):
        return type(value)(on_host(item) for item in value)
    return value


def both(body):
    """Return what `body(xp, ndi)` gives with SciPy and with ours."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return body(SCIPY.xp, SCIPY.ndi), on_host(body(CUPRUM.xp, CUPRUM.ndi))


def close(body, eps=64, label=""):
    """Compare arrays; `eps` counts rounding errors of the dtype at the largest element of the result."""
    want, got = both(body)
    assert (got.shape, got.dtype) == (want.shape, want.dtype), label
    if want.size == 0:
        return
    if want.dtype.kind in "biu":
        np.testing.assert_array_equal(got, want, err_msg=label)
        return
    largest = np.max(np.abs(want[np.isfinite(want)]), initial=1)
    np.testing.assert_allclose(
        got, want, rtol=0, atol=eps * np.finfo(want.dtype).eps * largest, err_msg=label
    )


def equal(body, label=""):
    """Compare results to the bit, tuples and lists of them too."""
    want, got = both(body)
    compare(got, want, label)


def compare(got, want, label=""):
    if isinstance(want, (list, tuple)):
        assert type(got) is type(want) and len(got) == len(want), (label, got, want)
        for one, other in zip(got, want, strict=True):
            compare(one, other, label)
    elif isinstance(want, slice) or want is None:
        assert got == want, label
    else:
        assert np.shape(got) == np.shape(want), (label, got, want)
        np.testing.assert_array_equal(got, want, err_msg=label)


def same_error(body, error):
    """Both raise `error`; ours says in which function."""
    for side in (SCIPY, CUPRUM):
        try:
            body(side.xp, side.ndi)
        except error as raised:
            if side is CUPRUM:
                assert ": " in str(raised), raised
        else:
            raise AssertionError(f"{error.__name__} was not raised by {side.ndi.__name__}")
