"""Views of pending arrays, and arrays put together from pieces, fuse, and nobody can tell: beside NumPy."""

# ruff: noqa: B023 - a body runs at once, inside the loop that makes it

import numpy as np
import pytest
from deferral_programs import noise, program
from deferral_programs import ramp as ramp_of
from twin import check, to_numpy

import cuprum as cp

# So large that pieces are recorded on the CPU too, and writes to parts.
N = 140_011
M = 371


def ramp(xp):
    return ramp_of(xp, N)


def square(xp, seed=0):
    return noise(xp, (M, M), seed)


# ---------------------------------------------------------------------------------------------------------
# What fuses


def logged(body):
    """The Programs that a body's result took, and the result."""
    with cp.testing.fusion_log() as log:
        result = to_numpy(body())
    return list(log), result


@pytest.mark.fusion
def test_fusion_slices_of_a_pending_array_are_one_program():
    a, b = noise(cp, 200_000), noise(cp, 200_000, 1)
    log, _ = logged(lambda: cp.exp((a * b)[1:-1]))
    assert len(log) == 1, "\n\n".join(log)


@pytest.mark.fusion
def test_fusion_a_stencil_of_a_cheap_pending_array_is_one_program():
    a = noise(cp, (300, 400))

    def laplacian():
        u = a * 0.5
        return u[1:-1, 1:-1] * 4 - u[:-2, 1:-1] - u[2:, 1:-1]

    log, _ = logged(laplacian)
    assert len(log) == 1, "\n\n".join(log)


@pytest.mark.fusion
def test_fusion_eight_rolls_are_nine_boxes_and_no_copy():
    u = noise(cp, (300, 400))

    def neighbours():
        shifts = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]
        return sum(cp.roll(u, shift, (0, 1)) for shift in shifts)

    log, _ = logged(neighbours)
    assert len(log) == 9, "\n\n".join(log)
    assert all(text.count("add") == 8 for text in log)


@pytest.mark.fusion
def test_fusion_stacked_rows_are_read_where_they_are():
    y = noise(cp, (2, 50_000))
    log, _ = logged(lambda: y + 0.1 * cp.stack([y[1], -y[0]]))
    assert len(log) == 2, "\n\n".join(log)


@pytest.mark.fusion
def test_fusion_an_inner_part_is_written_with_the_rest():
    u = cp.ones((2100, 2100)) * 0.5  # smaller arrays are written twice on a GPU
    to_numpy(u)

    def step():
        v = u.copy()
        v[1:-1, 1:-1] = u[:-2, 1:-1] + u[2:, 1:-1]
        return v

    log, _ = logged(step)
    assert len(log) == 5, "\n\n".join(log)


# ---------------------------------------------------------------------------------------------------------
# What comes out


@program()
def test_parts_of_every_kind(xp):
    x, m = ramp(xp) * 2, square(xp) + 1
    return (
        (x[5:-7] + 1, x[::-1] * 3, x[10::3] - 1, x[-2::-5] + 0.5),
        ((m * 2)[3:, ::2] + 1, (m - 1).T * 2, (m + 2)[::-1, ::-1] / 2, (m * 3)[:, 4] - 1, (m * 4)[7] + m[2]),
        (xp.sqrt(m * m)[:, None, 2:9] + 1, xp.diagonal(m * 5) + 1, (m + m)[..., None].sum(axis=-1)),
        (
            x[: N // 3 * 3].reshape(-1, 3) * 2,
            (m + 3).reshape(-1) * 2,
            (m.T * 2).reshape(-1) + 1,
            m.ravel()[5:],
        ),
        (xp.broadcast_to((x + 1)[:, None], (N, 3))[:, 1] * 2, xp.swapaxes(m * 2, 0, 1)[1:] + m[:, 1:].T),
    )


@program()
def test_parts_of_positions(xp):
    n = xp.arange(N)
    return n[3:] * 2, n[::-1] + 1, (n * 2)[5:] - n[:-5], xp.arange(N)[7:][::2] + 0.5, xp.arange(N)[:50].sum()


# NumPy computes in place of large temporary operands, in their order.
@program(layout=False)
def test_rolls_of_ready_and_pending_arrays(xp):
    x, m = ramp(xp), square(xp)
    y = (m * 2)[1:]
    return (
        (
            xp.roll(x, 3) + x,
            xp.roll(x * 2, -5) - x,
            xp.roll(x, N) * 2,
            xp.roll(x, 0) + 1,
            xp.roll(x, -N - 2) + 1,
        ),
        (
            xp.roll(m, (1, -2), (0, 1)) + m,
            xp.roll(y, 4, 1)[:, ::2] * 2,
            xp.roll(m, 7) + 1,
            xp.roll(m.T, 2, 0) + m,
        ),
        xp.roll(xp.roll(m, 1, 0), 1, 1) + xp.roll(xp.roll(m, -1, 0), 2, 1)[::-1],
        xp.roll(m, 3, 0).min(axis=0),
        xp.roll(m, 3, 0).max(),
    )


@program()
def test_joined_and_padded_arrays(xp):
    x, m = ramp(xp), square(xp)
    i = xp.arange(N)
    return (
        (
            xp.concatenate([x, x * 2]) + 1,
            xp.concatenate([x[5:], i, x * 3])[::2] * 2,
            xp.stack([x, i * 2, -x])[1:] + 1,
        ),
        (xp.stack([x, x + 1], axis=1) * 2, xp.hstack([m, m * 2]).T + 1, xp.vstack([m[1:], m.T]) - 1),
        (xp.concatenate([x, x])[N - 5 : N + 5] * 2, xp.concatenate([x, x * 2])[: N // 2] + 1),
        (xp.pad(m, 2) + 1, xp.pad(m * 2, ((0, 3), (1, 0)), constant_values=((1, 2), (3, 4))) * 2),
        (xp.pad(x, (5, 0), constant_values=7)[3:8] + 1, xp.pad(m, 1)[1:-1, 1:-1] - m),
        xp.where(xp.concatenate([x, x]) > 3, xp.concatenate([x, x + 1]), 0),
        xp.concatenate([m, m * 2]).max(axis=1),
    )


@program()
def test_writes_into_parts_of_pending_arrays(xp):
    m = square(xp)
    u = m.copy()
    u[1:-1, 1:-1] = m[:-2, 1:-1] + m[2:, 1:-1]
    v = xp.zeros_like(m)
    v[2:] = m[:-2] * 2
    view = v[1:]
    w = m * 2
    w[1:] += 5
    w[:, 3:] *= w[:, :-3]
    before = w + 1
    w[...] = 3
    z = xp.ones((371, 400))
    z.T[5:, 10:] = xp.arange(361)
    z[:360] = xp.array(7)
    k = (m * 10).astype("int32")
    k[:300] = 2.75
    return u, v, view + 1, w, before, z, k


@program()
def test_a_history_of_writes(xp):
    u = square(xp)
    for step in range(12):
        v = u.copy()
        v[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        v[0] = step
        u = v
    return u, u.max(axis=1)


@program()
def test_life_by_rolls(xp):
    u = (square(xp) > 0).astype("uint8")
    for _ in range(5):
        n = sum(xp.roll(xp.roll(u, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))
        u = ((n == 3) | ((u == 1) & (n == 2))).astype("uint8")
    return u


@program()
def test_what_is_held_is_what_it_was(xp):
    x = ramp(xp)
    made = x * 2
    part = made[1:-1]
    both = xp.concatenate([made, part])
    first = both + 1
    x[:] = 0
    second = both[: N // 2] * 2
    made[:] = -1
    return first, second, both, part, made


UNARY = ["negative", "absolute", "square", "floor", "sign", "isfinite"]
BINARY = ["add", "subtract", "multiply", "maximum", "minimum", "less"]


def random_program(xp, seed):
    """Random values made of views, rolls, joined and padded arrays and writes to parts; exact ops only."""
    rng = np.random.default_rng(seed)
    rows, columns = (380, 390) if seed % 4 == 0 else (200, 210)
    values = [noise(xp, (rows, columns), seed + i) for i in range(3)]
    values += [noise(xp, (columns, rows), seed, "float32")]
    values += [xp.array(np.arange(rows * columns).reshape(rows, columns) % 17)]

    def pick():
        return values[int(rng.integers(len(values)))]

    def cut(a):
        """A part of an array with steps of either sign."""
        key = []
        for n in a.shape:
            start, step = int(rng.integers(0, 4)), int(rng.choice([1, 1, 1, 2, -1]))
            key.append(
                slice(start, n - int(rng.integers(0, 4)), step)
                if step > 0
                else slice(n - 1 - start, None, step)
            )
        return a[tuple(key)]

    def fit(a, b):
        """Parts of two arrays of one shape."""
        rows, columns = min(a.shape[0], b.shape[0]), min(a.shape[1], b.shape[1])
        return a[:rows, a.shape[1] - columns :], b[b.shape[0] - rows :, :columns]

    for _ in range(int(rng.integers(6, 30))):
        kind, a, b = int(rng.integers(0, 12)), pick(), pick()
        if kind < 2:
            made = getattr(xp, UNARY[int(rng.integers(len(UNARY)))])(a * 1)
        elif kind < 5:
            made = getattr(xp, BINARY[int(rng.integers(len(BINARY)))])(*fit(a * 1, b))
        elif kind == 5:
            made = cut(a)
        elif kind == 6:
            made = xp.roll(a, tuple(rng.integers(-9, 9, 2).tolist()), (0, 1))
        elif kind == 7:
            made = xp.concatenate([part * 1 for part in fit(a, b)], axis=int(rng.integers(2)))
        elif kind == 8:
            made = xp.pad(a, tuple((int(i), int(j)) for i, j in rng.integers(0, 3, (2, 2))))
        elif kind == 9:
            made = a.T
        elif kind == 10:
            made = a.reshape(a.shape[1], a.shape[0])
        else:
            made = (a + 0.0).astype("float64")
            top, left = (int(i) for i in rng.integers(0, 3, 2))
            target = made[top:, left : made.shape[1] - 1]
            target[...] = fit(b, made)[0].max() if rng.random() < 0.2 else target[::-1] * 2
        if min(made.shape) > rows // 2 and max(made.shape) < 4 * rows:
            values.append(made)
        if rng.random() < 0.4 and len(values) > 4:
            values.pop(int(rng.integers(len(values))))
    return values


@pytest.mark.parametrize("seed", range(40))
def test_random_programs_of_parts(seed):
    check(lambda xp: random_program(xp, seed), layout=False)


def test_programs_of_parts_have_the_same_bits_again():
    """A plan that is known gives what it gave the first time."""
    first = [to_numpy(value) for value in random_program(cp, 1001)]
    second = [to_numpy(value) for value in random_program(cp, 1001)]
    assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip(first, second, strict=True))


@pytest.mark.fusion
@pytest.mark.parametrize("join", [cp.concatenate, cp.stack])
def test_one_array_that_is_pending_is_joined_when_it_is_read(join):
    a = noise(cp, (300, 400))

    def squares():
        apart = a - 0.5
        joined = join([(apart**2).sum(axis=0)])
        assert "pending" in str(cp.pending(joined))
        return joined, apart

    with cp.testing.fusion_log() as log:
        joined, apart = squares()
        del apart
        got = to_numpy(joined)
    # What is reduced, and for a new axis its copy.
    assert len(log) == 1 + (join is cp.stack), "\n\n".join(log)
    np.testing.assert_allclose(got.ravel(), ((to_numpy(a) - 0.5) ** 2).sum(axis=0), rtol=1e-13)
    b = a[0] * 2
    copy = join([b])
    b[:] = 0
    np.testing.assert_array_equal(to_numpy(copy).ravel(), to_numpy(a)[0] * 2)
