"""The ufuncs of two arguments, by kind, and data that all of them take."""

import numpy as np

ARITHMETIC = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "floor_divide",
    "remainder",
    "power",
    "maximum",
    "minimum",
    "fmax",
    "fmin",
]
LOGICAL = ["logical_and", "logical_or", "logical_xor"]
BITWISE = ["bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift", "gcd", "lcm"]
FLOATING = [
    "hypot",
    "logaddexp",
    "logaddexp2",
    "arctan2",
    "copysign",
    "fmod",
    "float_power",
    "nextafter",
    "heaviside",
]
COMPARISONS = ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"]
BINARY = ARITHMETIC + LOGICAL + BITWISE + FLOATING + COMPARISONS


def positive(dtype, shape, seed=0):
    """Return small positive data: legal for powers and shifts, exact under sums and short products."""
    values = np.random.default_rng(seed).integers(1, 4, shape)
    return values.astype(dtype)
