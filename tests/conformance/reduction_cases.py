"""The reductions, by kind, and how tests call them."""

import pytest

SUMS = ["sum", "prod", "nansum", "nanprod"]
EXTREMES = ["min", "max", "amin", "amax", "nanmin", "nanmax", "ptp"]
LOGICAL = ["any", "all"]
MOMENTS = ["mean", "var", "std", "nanmean", "nanvar", "nanstd"]
POSITIONS = ["argmin", "argmax", "nanargmin", "nanargmax"]
COUNTS = ["count_nonzero"]
REDUCTIONS = SUMS + EXTREMES + LOGICAL + MOMENTS + POSITIONS + COUNTS

each_reduction = pytest.mark.parametrize("name", REDUCTIONS)


def call(xp, name, x, **kwargs):
    return getattr(xp, name)(x, **kwargs)
