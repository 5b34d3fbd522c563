"""Index expressions put together at random, read and written."""

import functools

import numpy as np
import pytest
from twin import check, collect

# ---------------------------------------------------------------------------- random expressions

SHAPES = [(5,), (3, 4), (2, 3, 4), (4, 1, 3), (3, 2, 2, 3), (1, 5), (4, 5, 3), (6, 2), (3, 3, 3)]


RARE_SHAPES = [(0, 3), (2, 0, 3), ()]


BLOCK = 100


def random_slice(rng, size):
    def edge():
        return None if rng.random() < 0.6 else int(rng.integers(-size - 2, size + 3))

    step = None if rng.random() < 0.5 else int(rng.choice([-3, -2, -1, 1, 2, 3]))
    return slice(edge(), edge(), step)


def random_integers(rng, size, shape):
    if size == 0:
        return np.zeros((0,), np.int64)
    high = size + (1 if rng.random() < 0.03 else 0)
    return rng.integers(-size, high, shape).astype(rng.choice(["int64", "int32", "int8"]))


def random_index(rng, shape):
    """A tuple of index parts for an array of ``shape``; a few are out of range or one too many."""
    broadcast = [(), (1,), (3,), (2, 3), (2, 1), (1, 3)]
    shape_of_arrays = [broadcast[int(n)] for n in rng.integers(0, len(broadcast), 4)]
    if rng.random() < 0.06:
        shape_of_arrays = [(0,), (1,), (), (2, 0)]
    advanced = rng.random() < 0.85
    parts, axis, ellipsis = [], 0, False
    while axis < len(shape) and rng.random() < 0.96:
        draw = rng.random()
        if draw < 0.08 and not ellipsis:
            parts.append(Ellipsis)
            ellipsis = True
            axis += int(rng.integers(0, len(shape) - axis + 1))
        elif draw < 0.16:
            parts.append(None)
        elif draw < 0.19 and advanced:
            parts.append(bool(rng.random() < 0.7))
        elif draw < 0.26 and advanced and axis + 2 <= len(shape):
            parts.append(rng.random(shape[axis : axis + 2]) < 0.5)
            axis += 2
        elif draw < 0.34 and advanced:
            wrong = 1 if rng.random() < 0.04 else 0
            parts.append(rng.random(shape[axis] + wrong) < 0.5)
            axis += 1
        elif draw < 0.65 and advanced:
            wanted = shape_of_arrays[len(parts) % 4]
            parts.append(random_integers(rng, shape[axis], wanted))
            axis += 1
        elif draw < 0.77:
            size = shape[axis]
            wrong = 1 if rng.random() < 0.03 else 0
            parts.append(int(rng.integers(-size - wrong, size + wrong)) if size + wrong else 0)
            axis += 1
        else:
            parts.append(random_slice(rng, shape[axis]))
            axis += 1
    if rng.random() < 0.02:
        parts.append(0)
    return tuple(parts)


def random_cases(block):
    rng = np.random.default_rng(20240 + block)
    for _ in range(BLOCK):
        shapes = RARE_SHAPES if rng.random() < 0.08 else SHAPES
        shape = shapes[int(rng.integers(0, len(shapes)))]
        index = random_index(rng, shape)
        view = int(rng.integers(0, 4))
        # How an index array is handed over: as an array of xp, of NumPy, or as nested lists.
        forms = [int(n) for n in rng.choice(3, size=len(index), p=[0.6, 0.2, 0.2])]
        yield shape, index, view, forms, float(rng.random())


def described(index):
    parts = []
    for part in index:
        if isinstance(part, np.ndarray):
            parts.append(f"{part.dtype}{part.shape}:{part.tolist()}")
        else:
            parts.append(repr(part))
    return "[" + ", ".join(parts) + "]"


def handed_over(xp, index, forms):
    parts = []
    for part, form in zip(index, forms, strict=True):
        if not isinstance(part, np.ndarray):
            parts.append(part)
        elif form == 0 or part.size == 0:
            parts.append(xp.array(part))
        elif form == 1:
            parts.append(part)
        else:
            parts.append(part.tolist())
    return parts[0] if len(parts) == 1 else tuple(parts)


def random_target(xp, shape, view):
    """The same values of ``shape`` in one of four layouts, and the array that owns them."""
    size = int(np.prod(shape))
    values = np.arange(size).reshape(shape)
    if view == 0 or not shape:
        base = xp.array(values)
        return base, base
    if view == 1:
        base = xp.array(np.ascontiguousarray(values.T))
        return base.T, base
    if view == 2:
        base = xp.array(np.ascontiguousarray(values[::-1]))
        return base[::-1], base
    wide = np.repeat(values, 2, axis=-1)
    base = xp.array(wide)
    return base[..., ::2], base


def random_read(xp, case):
    shape, index, view, forms, _ = case
    target, _ = random_target(xp, shape, view)
    return target[handed_over(xp, index, forms)]


def random_write(xp, case):
    """Assign values that depend on the place written only: the order of duplicates cannot matter."""
    shape, index, view, forms, draw = case
    host = np.arange(int(np.prod(shape))).reshape(shape) * 7 + 1000
    picked = host[handed_over(np, index, [1] * len(forms))]
    target, base = random_target(xp, shape, view)
    # A mask on its own takes values of one dimension at most; every other index takes extra leading ones.
    lone_mask = len(index) == 1 and isinstance(index[0], np.ndarray) and index[0].dtype.kind == "b"
    if draw < 0.3 or np.ndim(picked) == 0:
        value = -1
    elif draw < 0.4:
        value = xp.array([-2.75])
    elif draw < 0.7 or lone_mask or picked.size == 0:
        value = xp.array(picked)
    elif draw < 0.8:
        value = xp.array(picked[None].astype(np.float32))
    else:
        value = picked.tolist()
    target[handed_over(xp, index, forms)] = value
    return target, base


@pytest.mark.parametrize("block", range(20))
def test_random_expressions(block):
    with collect() as failures:
        for case in random_cases(block):
            label = f"shape {case[0]} layout {case[2]} index {described(case[1])}"
            basic = not any(isinstance(part, np.ndarray) for part in case[1])
            with failures:
                check(
                    functools.partial(random_read, case=case), layout=basic, label=label, may_raise=IndexError
                )
            with failures:
                check(
                    functools.partial(random_write, case=case), label=f"{label} = ...", may_raise=IndexError
                )
