"""Images: sets of points, filters by slices, tables, running sums."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from .program import Program, count, noise, side, whole


def mandelbrot_step(xp: Any, c: Any, z: Any, steps: Any) -> Any:
    inside = abs(z) < 2
    return xp.where(inside, z * z + c, z), steps + inside


def mandelbrot(xp: Any, c: Any) -> Any:
    """The Mandelbrot set with all points iterated."""
    z, steps = xp.zeros_like(c), xp.zeros(c.shape, dtype="int32")
    for _ in range(50):
        z, steps = mandelbrot_step(xp, c, z, steps)
    return steps


def mandelbrot_jax(jax: Any) -> Callable[..., Any]:
    jnp = jax.numpy
    step = jax.jit(partial(mandelbrot_step, jnp))

    def run(c: Any) -> Any:
        z, steps = jnp.zeros_like(c), jnp.zeros(c.shape, dtype="int32")
        for _ in range(50):
            z, steps = step(c, z, steps)
        return steps

    return run


def edges(xp: Any, image: Any) -> Any:
    """Edges of a colour image: grey, blurred, differences both ways, those above the mean."""
    weights = [np.float32(w) for w in (0.299, 0.587, 0.114)]
    grey = sum(w * image[..., i].astype("float32") for i, w in enumerate(weights))
    grey = grey[:, :-4] + 4 * grey[:, 1:-3] + 6 * grey[:, 2:-2] + 4 * grey[:, 3:-1] + grey[:, 4:]
    grey = grey[:-4] + 4 * grey[1:-3] + 6 * grey[2:-2] + 4 * grey[3:-1] + grey[4:]
    down = grey[2:] - grey[:-2]
    down = down[:, :-2] + 2 * down[:, 1:-1] + down[:, 2:]
    across = grey[:, 2:] - grey[:, :-2]
    across = across[:-2] + 2 * across[1:-1] + across[2:]
    size = xp.sqrt(down * down + across * across)
    return xp.where(size > size.mean() + size.std(), size, 0)


def equalise(xp: Any, image: Any) -> Any:
    """A picture whose brightnesses are made equally frequent: a table of 256, looked up."""
    counts = xp.bincount(image.ravel(), minlength=256)
    shares = counts.cumsum() / image.size
    return (255 * shares).astype("uint8")[image]


def equalise_jax(jax: Any) -> Callable[..., Any]:
    @jax.jit
    def run(image: Any) -> Any:
        counts = jax.numpy.bincount(image.ravel(), length=256)
        shares = counts.cumsum() / image.size
        return (255 * shares).astype("uint8")[image]

    return run


def box_blur(xp: Any, image: Any) -> Any:
    """Means of 17 by 17 by running sums."""
    sums = xp.pad(image, ((1, 0), (1, 0))).cumsum(axis=0).cumsum(axis=1)
    return (sums[17:, 17:] - sums[:-17, 17:] - sums[17:, :-17] + sums[:-17, :-17]) / 289


def blend(xp: Any, below: Any, above: Any, mask: Any) -> Any:
    """Two pictures of bytes laid over each other: integers that are widened, mixed and clipped."""
    mixed = (below.astype("int32") * (255 - mask) + above.astype("int32") * mask) // 255
    return xp.clip(mixed + 12, 0, 255).astype("uint8")


def plane(scale: float) -> Any:
    n = side(512, scale)
    return (np.linspace(-2, 1, n)[None, :] + 1j * np.linspace(-1.5, 1.5, n)[:, None],)


def colours(scale: float) -> Any:
    n = side(1024, scale)
    return ((255 * noise(n, n, 3)).astype("uint8"),)


def grey_bytes(scale: float) -> Any:
    return ((255 * noise(count(2048, scale), 2048) ** 2).astype("uint8"),)


def layers(scale: float) -> Any:
    below, above, mask = ((255 * noise(count(2048, scale), 2048, seed=i)).astype("uint8") for i in range(3))
    return below, above, mask.astype("int32")


PROGRAMS = [
    Program(mandelbrot, plane, mandelbrot_jax),
    Program(edges, colours, whole(edges)),
    Program(equalise, grey_bytes, equalise_jax),
    Program(box_blur, lambda scale: (noise(side(1024, scale) + 1, side(1024, scale) + 1),), whole(box_blur)),
    Program(blend, layers, whole(blend)),
]
