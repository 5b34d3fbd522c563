"""Deferral changes no bit: random programs beside NumPy, and all programs in both modes.

`test_both_modes_give_the_same_bits` runs every program in two fresh interpreters, with `CUPRUM_DEFER=1` and
`=0`, and compares the bytes of every result.
"""

# ruff: noqa: B023 - a body runs at once, inside the loop that makes it

import hashlib
import importlib
import pathlib

import numpy as np
import pytest
from deferral_programs import PROGRAMS, noise
from twin import check, fresh_python, quiet, run, to_numpy

import cuprum as cp

FUZZ_UNARY = ["negative", "absolute", "sqrt", "square", "floor", "sign", "isfinite", "logical_not"]


FUZZ_BINARY = ["add", "subtract", "multiply", "divide", "maximum", "minimum", "less", "remainder"]


def random_program(xp, seed):
    """Build random values from views, scalars, casts, in-place writes and reductions; exact ops only."""
    rng = np.random.default_rng(seed)
    values = [noise(xp, (40, 60), seed + i) for i in range(3)]
    values += [
        xp.array(np.arange(40 * 60).reshape(40, 60) % 17),
        noise(xp, (40, 60), seed, "float32"),
        noise(xp, 60, seed),
    ]
    for _ in range(int(rng.integers(5, 40))):
        kind = int(rng.integers(0, 12))
        a, b = (values[int(i)] for i in rng.integers(0, len(values), 2))
        if kind < 3:
            values.append(getattr(xp, FUZZ_UNARY[int(rng.integers(len(FUZZ_UNARY)))])(a))
        elif kind < 7:
            values.append(getattr(xp, FUZZ_BINARY[int(rng.integers(len(FUZZ_BINARY)))])(a + 0, b))
        elif kind == 7:
            values.append(a[..., ::-1] * float(rng.integers(-3, 4)))
        elif kind == 8 and a.ndim == 2:
            values.append(a[::-1] + xp.max(b, axis=-1, keepdims=True))
        elif kind == 9:
            values.append(a.astype(["float32", "float64", "int64", "bool"][int(rng.integers(4))]))
        elif kind == 10:
            target = (a + 0.0).astype("float64")
            view = target[..., 5:50:3]
            view *= 2
            target[..., 0] = 1
            values.append(target)
        else:
            values.append(xp.where(a > 0, a, b))
        if rng.random() < 0.2 and len(values) > 6:
            values.pop(int(rng.integers(len(values))))
    return values


@pytest.mark.parametrize("block", range(10))
def test_case40_many_structures_each_compute_their_own(block):
    """Random programs: no two of these structures may be taken for one another."""
    for seed in range(block * 30, block * 30 + 30):
        check(
            lambda xp: random_program(xp, seed),
            layout=False,
            signed_zero=False,
            label=f"random program {seed}",
            may_raise=TypeError,
        )


# ---------------------------------------------------------------------------------------------------------
# Both modes


def digests():
    """Return "name sha256" lines of every program's results, in this process's mode."""
    for module in ("writes", "values", "outside", "reductions", "parts", "rows", "loops"):
        importlib.import_module(f"test_deferral_{module}")
    bodies = dict(PROGRAMS)
    bodies.update({f"random {s}": lambda xp, s=s: random_program(xp, s) for s in range(60)})
    lines = []
    for name, body in bodies.items():
        sha = hashlib.sha256()
        feed(sha, run(body, cp))
        lines.append(f"{name.replace(' ', '_')} {sha.hexdigest()}")
    return "\n".join(lines)


def feed(sha, value):
    """Hash a nested result: dtype, shape, strides and bytes of arrays (NaN payloads unified), or text."""
    if isinstance(value, (tuple, list)):
        for item in value:
            feed(sha, item)
    elif hasattr(value, "dtype"):
        host = to_numpy(value)
        if host.dtype.kind in "fc":
            with quiet():
                host = np.where(np.isnan(host), np.asarray(np.nan, host.dtype), host)
        sha.update(f"{host.dtype}{value.shape}{tuple(value.strides)}".encode())
        sha.update(np.ascontiguousarray(host).tobytes())
    else:
        sha.update(repr(value).encode())


def test_both_modes_give_the_same_bits():
    here = str(pathlib.Path(__file__).resolve().parent)
    code = "sys.path.insert(0, sys.argv[1])\nimport test_deferral_modes\nprint(test_deferral_modes.digests())"
    deferred, eager = (
        dict(line.split() for line in fresh_python(code, here, timeout=600, CUPRUM_DEFER=mode).splitlines())
        for mode in ("1", "0")
    )
    assert deferred.keys() == eager.keys() and len(deferred) >= 80
    different = [name for name in deferred if deferred[name] != eager[name]]
    assert not different, f"deferred and immediate runs differ in {different}"
