"""Signals: spectra, running statistics, filters in frequency."""

from __future__ import annotations

from typing import Any

import numpy as np

from .program import Program, count, noise, normals, side, whole


def spectrogram(xp: Any, signal: Any, window: Any) -> Any:
    """Power of overlapping frames in decibels."""
    frames = xp.stack(
        [signal[i * 256 : len(signal) - 768 + i * 256].reshape(-1, 256) for i in range(4)], axis=1
    )
    spectrum = xp.fft.rfft(frames.reshape(-1, 1024) * window)
    return 10 * xp.log10(spectrum.real**2 + spectrum.imag**2 + 1e-12)


def moving_statistics(xp: Any, x: Any) -> Any:
    """Means and deviations of windows by running sums; what lies far outside."""
    zero = xp.zeros(1)
    sums = xp.concatenate([zero, x.cumsum()])
    squares = xp.concatenate([zero, (x * x).cumsum()])
    mean = (sums[100:] - sums[:-100]) / 100
    spread = xp.sqrt(xp.maximum((squares[100:] - squares[:-100]) / 100 - mean * mean, 1e-12))
    score = (x[99:] - mean) / spread
    return mean, (abs(score) > 2.5).sum()


def low_pass(xp: Any, image: Any) -> Any:
    """An image without its high frequencies."""
    n = image.shape[0]
    rows, columns = xp.fft.fftfreq(n)[:, None], xp.fft.rfftfreq(n)
    kept = xp.exp(-200 * (rows * rows + columns * columns))
    return xp.fft.irfft2(xp.fft.rfft2(image) * kept, s=image.shape)


def normalise_channels(xp: Any, x: Any) -> Any:
    """Channels of a recording: trend removed, smoothed by a kernel of five, scaled by their largest."""
    x = x - x.mean(axis=1, keepdims=True)
    x = 0.1 * x[:, :-4] + 0.2 * x[:, 1:-3] + 0.4 * x[:, 2:-2] + 0.2 * x[:, 3:-1] + 0.1 * x[:, 4:]
    return x / abs(x).max(axis=1, keepdims=True)


def recording(scale: float) -> Any:
    return normals(256 * (count(8000, scale) + 3)), np.hanning(1024)


def line(scale: float) -> Any:
    return (noise(count(2_000_000, scale, 1000)),)


def channels(scale: float) -> Any:
    return (normals(64, count(50_000, scale)),)


PROGRAMS = [
    Program(spectrogram, recording, whole(spectrogram)),
    Program(moving_statistics, line, whole(moving_statistics)),
    Program(low_pass, lambda scale: (noise(side(1024, scale), side(1024, scale)),), whole(low_pass)),
    Program(normalise_channels, channels, whole(normalise_channels)),
]
