"""Whole programs, as users write them with an `xp` switch: Cuprum beside NumPy, or beside CuPy on a GPU.

    python benches/programs.py                     beside NumPy, on the device that CUPRUM_DEVICE names
    python benches/programs.py --libraries cupy    beside CuPy
    python benches/programs.py --only life         the programs whose name contains `life`
    python benches/programs.py --scale 0.25        smaller arrays, for a trial

Each program runs on each library by turns; the least time counts, results are compared.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

Program = Callable[[Any, float], Any]


def _noise(xp: Any, *shape: int, dtype: str = "float64", seed: int = 0) -> Any:
    return xp.asarray(np.random.default_rng(seed).random(shape).astype(dtype))


def _side(n: int, scale: float) -> int:
    return max(16, int(n * scale**0.5))


def life_by_rolls(xp: Any, scale: float) -> Any:
    """Conway's game of life on a torus: eight rolls added up."""
    n = _side(2048, scale)
    cells = (_noise(xp, n, n) > 0.6).astype("uint8")
    shifts = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]
    for _ in range(20):
        near = sum(xp.roll(xp.roll(cells, i, 0), j, 1) for i, j in shifts)
        cells = ((near == 3) | ((cells == 1) & (near == 2))).astype("uint8")
    return cells


def wave_by_slices(xp: Any, scale: float) -> Any:
    """The wave equation: five slices, zeros around."""
    n = _side(2048, scale)
    before, now = _noise(xp, n, n), _noise(xp, n, n, seed=1)
    for _ in range(20):
        after = xp.zeros_like(now)
        inner = now[1:-1, 1:-1]
        near = now[:-2, 1:-1] + now[2:, 1:-1] + now[1:-1, :-2] + now[1:-1, 2:]
        after[1:-1, 1:-1] = 2 * inner - before[1:-1, 1:-1] + 0.1 * (near - 4 * inner)
        before, now = now, after
    return now


def jacobi(xp: Any, scale: float) -> Any:
    """Jacobi's iteration on a small grid with a test every ten steps."""
    n = _side(128, scale)
    u = _noise(xp, n, n)
    for step in range(200):
        v = u.copy()
        v[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        if step % 10 == 9 and float(abs(v - u).max()) < 1e-9:
            break
        u = v
    return u


def runge_kutta(xp: Any, scale: float) -> Any:
    """Pendulums by the classical Runge-Kutta method."""
    y, h = _noise(xp, 2, int(10_000 * scale)), 0.01

    def f(y: Any) -> Any:
        return xp.stack([y[1], -xp.sin(y[0])])

    for _ in range(200):
        k1 = f(y)
        k2 = f(y + h / 2 * k1)
        k3 = f(y + h / 2 * k2)
        k4 = f(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y


def bodies(xp: Any, scale: float) -> Any:
    """Gravity between all pairs by broadcasting."""
    n = _side(1024, scale)
    place, speed = _noise(xp, n, 3), xp.zeros((n, 3))
    for _ in range(5):
        apart = place[None, :, :] - place[:, None, :]
        weight = ((apart * apart).sum(-1) + 0.01) ** -1.5
        speed = speed + 1e-4 * (apart * weight[:, :, None]).sum(1)
        place = place + 0.01 * speed
    return place


def black_scholes(xp: Any, scale: float) -> Any:
    """Prices of options by the formula, the normal distribution by tanh."""
    n = int(4_000_000 * scale)
    price, strike, years = (
        50 + 50 * _noise(xp, n),
        50 + 50 * _noise(xp, n, seed=1),
        0.1 + _noise(xp, n, seed=2),
    )

    def normal(x: Any) -> Any:
        return 0.5 * (1 + xp.tanh(0.7978845608 * (x + 0.044715 * x**3)))

    spread = 0.3 * xp.sqrt(years)
    d1 = (xp.log(price / strike) + 0.065 * years) / spread
    discounted = strike * xp.exp(-0.02 * years)
    call = price * normal(d1) - discounted * normal(d1 - spread)
    return call - price + discounted


def standardise(xp: Any, scale: float) -> Any:
    """Columns standardised, clipped and correlated."""
    m = _noise(xp, int(200_000 * scale), 40, dtype="float32")
    m = xp.clip((m - m.mean(axis=0)) / m.std(axis=0), -3, 3)
    return m.T @ m / len(m)


def logistic_regression(xp: Any, scale: float) -> Any:
    """Gradient descent for a logistic model."""
    x = _noise(xp, int(100_000 * scale), 64)
    wanted, w = (x[:, 0] > 0.5).astype("float64"), xp.zeros(64)
    for _ in range(20):
        error = 1 / (1 + xp.exp(-(x @ w))) - wanted
        w = w - 0.5 * (x.T @ error) / len(x)
    return w


def attention(xp: Any, scale: float) -> Any:
    """Causal attention of one batch."""
    n = _side(512, scale)
    q, k, v = (_noise(xp, 16, n, 64, dtype="float32", seed=i) for i in range(3))
    scores = q @ k.swapaxes(-1, -2) / 8
    scores = xp.where(xp.tri(n, dtype=bool), scores, xp.asarray(-1e9, dtype="float32"))
    scores = xp.exp(scores - scores.max(axis=-1, keepdims=True))
    return (scores / scores.sum(axis=-1, keepdims=True)) @ v


def mandelbrot(xp: Any, scale: float) -> Any:
    """The Mandelbrot set with all points iterated."""
    n = _side(512, scale)
    c = xp.linspace(-2, 1, n)[None, :] + 1j * xp.linspace(-1.5, 1.5, n)[:, None]
    z, count = xp.zeros_like(c), xp.zeros(c.shape, dtype="int32")
    for _ in range(50):
        inside = abs(z) < 2
        z = xp.where(inside, z * z + c, z)
        count = count + inside
    return count


def walks(xp: Any, scale: float) -> Any:
    """Random walks: running sums, running maxima, the share above a line."""
    steps = _noise(xp, int(2000 * scale) + 1, 1000) - 0.5
    paths = steps.cumsum(axis=1)
    return xp.stack([paths.max(axis=1), paths.min(axis=1), (paths > 5).mean(axis=1)])


def clusters(xp: Any, scale: float) -> Any:
    """Lloyd's algorithm: distances to all centres, means by one-hot products."""
    points = _noise(xp, int(100_000 * scale), 8)
    centres = points[:16]
    for _ in range(5):
        distance = (centres**2).sum(axis=1) - 2 * (points @ centres.T)
        nearest = (distance.argmin(axis=1)[:, None] == xp.arange(16)).astype("float64")
        centres = (nearest.T @ points) / nearest.sum(axis=0)[:, None]
    return centres


PROGRAMS: dict[str, Program] = {
    program.__name__: program
    for program in (
        *(life_by_rolls, wave_by_slices, jacobi, runge_kutta, bodies, black_scholes),
        *(standardise, logistic_regression, attention, mandelbrot, walks, clusters),
    )
}


def library(name: str) -> tuple[Any, Callable[[Any], np.ndarray]]:
    """Return a library and what brings its arrays to the host."""
    if name == "numpy":
        return np, np.asarray
    module = __import__(name)
    return module, module.asnumpy


def main() -> None:
    """Time the programs and print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--libraries", default="numpy", help="peers, by comma (default: numpy)")
    parser.add_argument("--only", default="", help="only programs whose name contains this")
    parser.add_argument("--scale", type=float, default=1.0, help="shrinks or enlarges the arrays")
    parser.add_argument("--rounds", type=int, default=5, help="times that each runs (default 5)")
    arguments = parser.parse_args()
    names = [*arguments.libraries.split(","), "cuprum"]
    libraries = {name: library(name) for name in names}
    print("| program | " + " | ".join(f"{name} ms" for name in names) + " | speed-up |")
    print("|---|" + "--:|" * (len(names) + 1))
    logs = []
    for title, program in PROGRAMS.items():
        if arguments.only not in title:
            continue
        best = dict.fromkeys(names, float("inf"))
        results: dict[str, np.ndarray] = {}
        for _ in range(arguments.rounds):
            for name, (xp, to_host) in libraries.items():
                began = time.perf_counter()
                results[name] = to_host(program(xp, arguments.scale))
                best[name] = min(best[name], time.perf_counter() - began)
        for name in names[:-1]:
            wide = np.result_type(results[name], "float32") == np.float32
            np.testing.assert_allclose(
                results["cuprum"], results[name], 1e-3 if wide else 1e-6, 1e-5, err_msg=title
            )
        ratio = best[names[0]] / best["cuprum"]
        logs.append(np.log(ratio))
        times = " | ".join(f"{best[name] * 1e3:.2f}" for name in names)
        print(f"| {title.replace('_', ' ')} | {times} | {ratio:.2f} |", flush=True)
    print(f"\ngeometric mean of the speed-ups over {names[0]}: {np.exp(np.mean(logs)):.2f}")


if __name__ == "__main__":
    main()
