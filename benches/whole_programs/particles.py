"""Motion: differential equations of many bodies, and of few."""

from __future__ import annotations

from typing import Any

import numpy as np

from .program import Program, count, loop, noise, side

H = 0.01


def pendulum_step(xp: Any, y: Any) -> Any:
    def f(y: Any) -> Any:
        return xp.stack([y[1], -xp.sin(y[0])])

    k1 = f(y)
    k2 = f(y + H / 2 * k1)
    k3 = f(y + H / 2 * k2)
    k4 = f(y + H * k3)
    return y + H / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def runge_kutta(xp: Any, y: Any) -> Any:
    """Pendulums by the classical Runge-Kutta method."""
    for _ in range(200):
        y = pendulum_step(xp, y)
    return y


def bodies_step(xp: Any, place: Any, speed: Any) -> Any:
    apart = place[None, :, :] - place[:, None, :]
    weight = ((apart * apart).sum(-1) + 0.01) ** -1.5
    speed = speed + 1e-4 * (apart * weight[:, :, None]).sum(1)
    return place + 0.01 * speed, speed


def bodies(xp: Any, place: Any, speed: Any) -> Any:
    """Gravity between all pairs by broadcasting."""
    for _ in range(5):
        place, speed = bodies_step(xp, place, speed)
    return place


def planets_step(xp: Any, mass: Any, place: Any, speed: Any) -> Any:
    apart = place[None] - place[:, None]
    distance = xp.sqrt((apart**2).sum(-1) + 0.05)
    force = (mass[None, :, None] * apart / distance[..., None] ** 3).sum(1)
    speed = speed + 0.001 * force
    return place + 0.001 * speed, speed


def planets(xp: Any, mass: Any, place: Any, speed: Any) -> Any:
    """A few bodies for many steps: small arrays in a loop."""
    for _ in range(300):
        place, speed = planets_step(xp, mass, place, speed)
    return place


PROGRAMS = [
    Program(runge_kutta, lambda scale: (noise(2, count(10_000, scale)),), loop(pendulum_step, 200), on_gpu=1),
    Program(
        bodies,
        lambda scale: (noise(side(1024, scale), 3), np.zeros((side(1024, scale), 3))),
        loop(bodies_step, 5),
        on_gpu=16,
    ),
    Program(
        planets,
        lambda scale: (noise(9), noise(9, 3, seed=1), noise(9, 3, seed=2)),
        loop(planets_step, 300, constants=1),
        on_gpu=1,
    ),
]
