"""States of filters as CuPy has them, against SciPy's filters in the states that they stand for."""

import numpy as np
import pytest
import scipy.signal as theirs

import cuprum as cp
from cuprum.scipy import signal as ours

RNG = np.random.default_rng(7)


def state_of(b, a, history):
    zeros = len(b) - 1
    return theirs.lfiltic(b, a, history[zeros:][::-1], history[:zeros][::-1])


@pytest.mark.parametrize("zeros, poles", [(1, 1), (2, 1), (1, 3), (3, 2)])
@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128"])
def test_lfilter_begins_with_its_last_inputs_and_outputs(zeros, poles, dtype):
    b, a = RNG.random(zeros + 1), np.r_[2.0, RNG.random(poles) * 0.3]
    x, history = RNG.random(20).astype(dtype), RNG.random(zeros + poles).astype(dtype)
    want, _ = theirs.lfilter(b, a, x, zi=state_of(b, a, history))
    got, end = ours.lfilter(b, a, cp.array(x), zi=cp.array(history))
    np.testing.assert_allclose(got.get(), want, rtol=1e-6 if dtype == "float32" else 1e-12)
    np.testing.assert_array_equal(end.get(), np.r_[x[-zeros:], got.get()[-poles:]].astype(got.dtype))


def test_a_signal_in_pieces_is_the_whole_signal():
    b, a, x = [0.2, 0.3, 0.1], [1.0, -0.4, 0.2], RNG.random((3, 31))
    whole = theirs.lfilter(b, a, x, axis=1)
    state, parts = cp.zeros((3, 4)), []
    for piece in np.split(x, [1, 2, 11], axis=1):
        part, state = ours.lfilter(b, a, cp.array(piece), axis=1, zi=state)
        parts.append(part.get())
    np.testing.assert_allclose(np.concatenate(parts, 1), whole, rtol=1e-12)


@pytest.mark.parametrize("axis", [0, 1])
def test_sections_begin_with_their_last_inputs_and_outputs(axis):
    sos = theirs.butter(5, 0.3, output="sos")
    x = RNG.random((6, 25)) if axis else RNG.random((25, 6))
    shape = [3, *x.shape]
    shape[axis + 1] = 4
    zi = RNG.random(shape)
    want = x
    for section, history in zip(sos, zi, strict=True):
        b, a = section[:3], section[3:]
        state = np.apply_along_axis(lambda one, b=b, a=a: state_of(b, a, one), axis, history)
        want, _ = theirs.lfilter(b, a, want, axis=axis, zi=state)
    got, end = ours.sosfilt(sos, cp.array(x), axis=axis, zi=cp.array(zi))
    np.testing.assert_allclose(got.get(), want, rtol=1e-12)
    again, _ = ours.sosfilt(sos, cp.array(x), axis=axis, zi=end)
    twice, _ = ours.sosfilt(sos, cp.array(np.concatenate((x, x), axis)), axis=axis, zi=cp.array(zi))
    np.testing.assert_allclose(again.get(), np.split(twice.get(), 2, axis)[1], rtol=1e-10)
    with pytest.raises(ValueError, match="Invalid zi shape"):
        ours.sosfilt(sos, cp.array(x), axis=axis, zi=cp.array(zi)[:2])
