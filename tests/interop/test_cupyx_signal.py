"""`cupyx.signal`: radar, cepstra and filters, against their definitions in NumPy."""

import numpy as np
import pytest

import cuprum as cp
from cuprum.compat.cupyx import signal

RNG = np.random.default_rng(2)
X = RNG.standard_normal((6, 40)) + 1j * RNG.standard_normal((6, 40))


def close(got, want, tolerance=1e-12):
    got = cp.asnumpy(got)
    assert got.shape == want.shape and np.abs(got - want).max() <= tolerance * max(1, np.abs(want).max())


def test_pulses():
    pulse = X[0, :8]
    want = np.fft.ifft(np.fft.fft(X, 64) * np.fft.fft(pulse / np.linalg.norm(pulse), 64).conj())
    close(signal.pulse_compression(cp.array(X), cp.array(pulse), True, nfft=64), want)
    want = np.fft.fft(X * np.hamming(6)[:, None], 8, axis=0)
    close(signal.pulse_doppler(cp.array(X), "hamming", 8), want)
    with pytest.raises(ValueError, match="window"):
        signal.pulse_doppler(cp.array(X), cp.ones(5))


@pytest.mark.parametrize("shape, guard, reference", [((50,), 2, 4), ((20, 30), (1, 2), (3, 2))])
def test_false_alarm_rates(shape, guard, reference):
    power = RNG.random(shape) + 0.1
    power[tuple(n // 2 for n in shape)] = 30.0
    threshold, targets = (cp.asnumpy(a) for a in signal.ca_cfar(cp.array(power), guard, reference, 1e-2))
    guards, references = np.broadcast_to(guard, len(shape)), np.broadcast_to(reference, len(shape))
    want = np.zeros(shape)
    for place in np.ndindex(*shape):
        reach = guards + references
        if any(p < r or p >= n - r for p, r, n in zip(place, reach, shape, strict=True)):
            continue
        outer = power[tuple(slice(p - r, p + r + 1) for p, r in zip(place, reach, strict=True))]
        inner = power[tuple(slice(p - g, p + g + 1) for p, g in zip(place, guards, strict=True))]
        cells = outer.size - inner.size
        want[place] = (outer.sum() - inner.sum()) / cells * signal.cfar_alpha(1e-2, cells)
    assert np.allclose(threshold, want, rtol=1e-11)
    assert np.array_equal(targets, power > want)


def test_beams():
    steering = np.exp(1j * np.arange(6))
    covariance = np.cov(X)
    weights = np.linalg.solve(covariance, steering)
    close(signal.mvdr(cp.array(X), cp.array(steering)), weights / (steering.conj() @ weights), 1e-10)
    with pytest.raises(ValueError, match="sensors"):
        signal.mvdr(cp.array(X.T), cp.array(steering))


@pytest.mark.parametrize("n", [16, 17])
def test_cepstra(n):
    x = np.r_[4.0, RNG.standard_normal(n - 1) * 0.3]
    close(signal.real_cepstrum(cp.array(x)), np.fft.ifft(np.log(np.abs(np.fft.fft(x)))).real)
    close(signal.inverse_complex_cepstrum(*signal.complex_cepstrum(cp.array(x))), x)
    least = cp.asnumpy(signal.minimum_phase(cp.array(np.roll(x, 3))))
    assert np.allclose(np.abs(np.fft.fft(least)), np.abs(np.fft.fft(x)), rtol=1e-10)


def test_filters_of_higher_order_and_channels():
    x, b2, b3 = RNG.standard_normal(20), RNG.standard_normal((3, 4)), RNG.standard_normal((2, 3, 4))
    two = [sum(x[i + 2 - p] * x[i + 3 - q] * b2[p, q] for p in range(3) for q in range(4)) for i in range(17)]
    close(signal.convolve1d2o(cp.array(x), cp.array(b2)), np.array(two))
    three = [
        sum(
            x[i + 1 - p] * x[i + 2 - q] * x[i + 3 - r] * b3[p, q, r]
            for p in range(2)
            for q in range(3)
            for r in range(4)
        )
        for i in range(17)
    ]
    close(signal.convolve1d3o(cp.array(x), cp.array(b3)), np.array(three))
    with pytest.raises(NotImplementedError, match="full"):
        signal.convolve1d2o(cp.array(x), cp.array(b2), "full")
    z, h = X[0], RNG.standard_normal(12)
    rows = np.zeros((10, 4), complex)
    for point in range(10):
        for channel in range(4):
            for tap in range(min(3, point + 1)):
                rows[point, channel] += h[tap * 4 + channel] * z[(point - tap) * 4 + 3 - channel].conj()
    close(signal.channelize_poly(cp.array(z), cp.array(h), 4), np.fft.fft(rows).conj().T)


def test_finite_responses():
    from scipy.signal import filtfilt, lfilter

    b, x = np.array([0.5, 0.3, 0.2]), X.real
    close(signal.firfilter(cp.array(b), cp.array(x)), lfilter(b, 1.0, x))
    close(signal.firfilter2(cp.array(b), cp.array(x)), filtfilt(b, 1.0, x))
    close(signal.freq_shift(cp.array(x[0]), 3.0, 40.0), x[0] * np.exp(-2j * np.pi * 3 / 40 * np.arange(40)))
