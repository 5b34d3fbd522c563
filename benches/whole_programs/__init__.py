"""Whole programs, as users write them with an `xp` switch; a file a topic."""

from __future__ import annotations

from . import dynamic, grids, images, learning, particles, prices, signals
from .program import Program

__all__ = ["PROGRAMS", "Program"]

PROGRAMS: dict[str, Program] = {
    program.name: program
    for topic in (grids, particles, learning, prices, images, signals, dynamic)
    for program in topic.PROGRAMS
}
