"""A typical program: it runs, and mypy and pyright find nothing in it at their strictest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import cuprum as cp
from cuprum.typing import ArrayLike, DTypeLike, NDArray


@dataclass
class Wave:
    """A signal over time, and its spectrum."""

    time: cp.ndarray
    values: cp.ndarray

    def spectrum(self) -> tuple[cp.ndarray, cp.ndarray]:
        step = float(self.time[1] - self.time[0])
        return cp.fft.rfftfreq(self.time.size, d=step), cp.abs(cp.fft.rfft(self.values))


def make(frequency: float, samples: int = 1000, dtype: DTypeLike = np.float64) -> Wave:
    time = cp.linspace(0, 1, samples, endpoint=False, dtype=dtype)
    return Wave(time, cp.sin(2 * cp.pi * frequency * time))


def clean(values: ArrayLike, bound: float) -> NDArray[np.float64]:
    array = cp.asarray(values, dtype=np.float64)
    kept = cp.where(cp.isfinite(array), array, 0.0)
    return cp.clip(kept, -bound, bound)


def fit(x: cp.ndarray, y: cp.ndarray) -> tuple[float, float]:
    matrix = cp.stack([x, cp.ones_like(x)], axis=1)
    slope, offset = cp.linalg.lstsq(matrix, y, rcond=None)[0]
    return float(slope), float(offset)


def main() -> dict[str, float]:
    wave = make(50.0)
    frequencies, strengths = wave.spectrum()
    peak = int(strengths.argmax())
    noisy = clean(wave.values + cp.random.default_rng(1).normal(0.0, 0.1, wave.values.shape), 2.0)
    whole, part = cp.divmod(noisy, 1.0)
    points, step = cp.linspace(0, 1, 11, retstep=True)
    slope, offset = fit(points, 3 * points + 1)
    (places,) = cp.where(noisy > 1.0)
    lowest, *_ = cp.sort(noisy)[:3]
    host = cp.asnumpy(noisy.reshape(10, -1).mean(axis=0, keepdims=True))
    return {
        "peak": float(frequencies[peak]),
        "rest": float((noisy - (whole + part)).max()),
        "step": float(step),
        "slope": round(slope + offset, 6),
        "places": float(places.size),
        "lowest": float(lowest),
        "columns": float(host.shape[1]),
    }


if __name__ == "__main__":
    print(main())
