"""Views and aliasing: what is seen through shared memory, and writes that overlap their operands."""

import functools
import itertools

import numpy as np
import pytest
from twin import check, collect, twin
from view_cases import VIEWS, start

# ---------------------------------------------------------------------------- seeing through


@pytest.mark.parametrize("name", VIEWS)
def test_a_write_to_the_view_is_seen_in_the_base(name):
    def body(xp, write):
        base = start(xp)
        view = VIEWS[name](base)
        write(xp, view)
        return base, view

    writes = {
        "fill": lambda xp, view: view.fill(-1),
        "assign": lambda xp, view: view.__setitem__(..., -2),
        "assign array": lambda xp, view: view.__setitem__(..., xp.arange(view.size).reshape(view.shape)),
        "add": lambda xp, view: view.__iadd__(100),
        "multiply by itself": lambda xp, view: view.__imul__(view),
        "out": lambda xp, view: xp.negative(view, out=view),
        "mask": lambda xp, view: view.__setitem__(view > 10, 0),
    }
    with collect() as failures:
        for kind, write in writes.items():
            with failures:
                check(functools.partial(body, write=write), label=f"{name}: {kind}")


@pytest.mark.parametrize("name", VIEWS)
def test_a_write_to_the_base_is_seen_in_the_view(name):
    def body(xp, write):
        base = start(xp)
        view = VIEWS[name](base)
        write(xp, base)
        return view, view + 1, view.sum()

    writes = {
        "assign": lambda xp, base: base.__setitem__(..., 5),
        "row": lambda xp, base: base.__setitem__(1, -7),
        "through reversed": lambda xp, base: base[::-1].__setitem__(0, -8),
        "through transpose": lambda xp, base: base.T.__setitem__(2, -9),
        "add": lambda xp, base: base.__iadd__(base),
        "scatter": lambda xp, base: base.__setitem__(([0, 3], [1, 5]), 50),
    }
    with collect() as failures:
        for kind, write in writes.items():
            with failures:
                check(functools.partial(body, write=write), label=f"{name}: {kind}")


@pytest.mark.parametrize("name", VIEWS)
def test_a_result_computed_before_the_write_keeps_the_old_values(name):
    def body(xp, write):
        base = start(xp)
        view = VIEWS[name](base)
        of_view, of_base, reduced = view * 2 + 1, base - 3, view.sum()
        write(base)
        return of_view, of_base, reduced, base, view

    writes = {
        "base": lambda base: base.__setitem__(slice(None), 99),
        "slice": lambda base: base[:1].__setitem__(..., 9),
        "reversed": lambda base: base[::-1].__iadd__(1),
        "transposed": lambda base: base.T.__imul__(3),
        "same view": lambda base: VIEWS[name](base).__isub__(7),
    }
    with collect() as failures:
        for kind, write in writes.items():
            with failures:
                check(functools.partial(body, write=write), label=f"{name}: {kind}")


@twin()
def test_views_of_pending_arrays(xp):
    a = xp.arange(24.0).reshape(4, 6)
    pending = a * 2 + 1
    view = pending[1:, ::2]
    later = pending.T
    view[...] = -1
    pending[0] = 5
    return pending, view, later, later + 1


@twin()
def test_a_view_outlives_its_base(xp):
    def inner():
        base = xp.arange(1000.0)
        return base[10:20], (base * 2)[::100], base.reshape(10, 100).T[5]

    views = inner()
    churn = [xp.zeros(1000) for _ in range(8)]
    del churn
    return views


@twin()
def test_chained_views_reach_the_same_memory(xp):
    a = xp.arange(120).reshape(2, 3, 4, 5)
    b = a.transpose(3, 1, 0, 2)[1:, ::-1, :, ::2]
    c = b.swapaxes(1, 3)[..., 0][None]
    c[...] = -1
    d = a[..., 1][1]
    d += 1000
    return a, b, c, d


@twin()
def test_copies_do_not_alias(xp):
    a = start(xp)
    copies = [
        a.copy(),
        a + 0,
        +a,
        a[[0, 1]],
        a[a > 3],
        a.flatten(),
        a.T.ravel(),
        a.T.reshape(-1),
        a.astype(xp.float64),
        xp.array(a),
        xp.copy(a),
        xp.concatenate([a]),
        xp.tile(a, 1),
        xp.where(True, a, a),
        a.take([0, 1], axis=0),
        a.repeat(1, axis=0),
        xp.roll(a, 0),
        xp.clip(a, None, 100),
        a.round(),
        xp.positive(a),
        xp.pad(a, 0),
        xp.triu(a),
    ]
    a[...] = -5
    return copies


@twin()
def test_views_do_alias(xp):
    a = start(xp)
    views = [
        a.reshape(-1),
        a.ravel(),
        a.view(),
        a.T,
        a.transpose(),
        a.swapaxes(0, 1),
        a.squeeze(),
        xp.expand_dims(a, 0),
        xp.moveaxis(a, 0, 1),
        xp.rollaxis(a, 1),
        xp.flip(a, 0),
        xp.fliplr(a),
        xp.rot90(a),
        xp.broadcast_to(a, (2, 4, 6)),
        xp.split(a, 2)[1],
        xp.hsplit(a, 2)[0],
        xp.atleast_3d(a),
        xp.asarray(a),
        a.diagonal(),
        xp.diagonal(a, 1),
        a.real,
        a.astype(xp.float64, copy=False),
        a[...],
        a[()],
        a[True][0],
        xp.ravel(a.T, order="F"),
    ]
    a[...] = xp.arange(24.0).reshape(4, 6)[::-1]
    return views


@twin()
def test_an_array_without_axes_gives_its_value(xp):
    a = xp.array(5.0)
    value, view = a[()], a[...]
    a /= 4
    return value, view, a


@twin()
def test_real_and_imag_are_views(xp):
    c = xp.arange(4) * (1 + 2j)
    real, imag = c.real, c.imag
    real[1] = 50
    imag[::2] = -1
    c += 1
    return c, real, imag, real.strides


@twin()
def test_dtype_views_share_bytes(xp):
    a = xp.zeros(4, dtype=xp.float32)
    bits = a.view(xp.uint32)
    a[1] = 1.0
    bits[2] = 0x40000000
    halves = a.view(xp.uint16)
    halves[7] = 0xBF80
    return a, bits, halves


# ---------------------------------------------------------------------------- overlap


@pytest.mark.parametrize("size", [6, 1000, 100_000])
def test_in_place_with_overlapping_operands(size):
    statements = [
        "a[1:] += a[:-1]",
        "a[:-1] += a[1:]",
        "a[1:] -= a[:-1]",
        "a[::-1] += a",
        "a += a[::-1]",
        "a *= a[::-1]",
        "a[2:] = a[:-2] + a[1:-1]",
        "a[1:] = a[:-1]",
        "a[:-1] = a[1:]",
        "a[::-1] = a",
        "a[:] = a[::-1]",
        "a[::2] += a[1::2]",
        "a[1::2] = a[::2]",
        "a[: len(a) // 2] = a[len(a) // 2 :]",
        "a[1:] = a[:-1] * 2 + a[1:]",
        "a[1:] += a[:-1]; a[1:] += a[:-1]",
        "xp.add(a[:-1], a[1:], out=a[1:])",
        "xp.add(a, 1, out=a[::-1])",
        "xp.multiply(a[:-1], 2, out=a[1:])",
        "xp.add(a, a[::-1], out=a[::-1])",
        "xp.cumsum(a, out=a)",
        "xp.cumsum(a[::-1], out=a)",
        "xp.copyto(a[1:], a[:-1])",
        "xp.maximum(a[1:], a[:-1], out=a[:-1])",
        "a -= a.sum()",
        "a -= a[0]",
        "a += a[0:1]",
        "a[0] = a.sum(); a /= 2",
        "a[...] = xp.where(a > 2, a[::-1], a)",
    ]

    def body(xp, text):
        scope = {"xp": xp, "a": xp.arange(float(size)) % 17}
        exec(text, scope)
        return scope["a"]

    with collect() as failures:
        for text in statements:
            with failures:
                check(functools.partial(body, text=text), label=f"{text} ({size})")


@pytest.mark.parametrize("size", [4, 300])
def test_in_place_with_transposed_operands(size):
    statements = [
        "a += a.T",
        "a -= a.T",
        "a[...] = a.T",
        "a.T[...] = a",
        "a[:] = a[::-1].T",
        "a += a[0]",
        "a += a[:, :1]",
        "a -= a.mean(0)",
        "a[0] += a[:, 0]",
        "a[:, 0] += a[0]",
        "a[1:, 1:] += a[:-1, :-1]",
        "a[:-1, :-1] += a[1:, 1:]",
        "a[1:, 1:] = a[:-1, :-1].T",
        "a[:, 1:] = a[:, :-1]",
        "a[::2] += a[1::2]",
        "a[:, ::-1] -= a",
        "xp.add(a, a.T, out=a)",
        "xp.add(a, a.T, out=a.T)",
        "xp.subtract(a, a[::-1, ::-1], out=a.T)",
        "xp.sum(a, axis=0, out=a[0])",
        "xp.sum(a, axis=1, out=a[:, 1])",
        "xp.matmul(a, a, out=a)",
        "xp.matmul(a, a.T, out=a)",
        "a @= a.T",
        "xp.cumsum(a, axis=0, out=a)",
        "xp.cumsum(a, axis=1, out=a.T)",
        "xp.dot(a, a[0].copy(), out=a[1])",
    ]

    def body(xp, text):
        scope = {"xp": xp, "a": (xp.arange(float(size * size)) % 7).reshape(size, size)}
        exec(text, scope)
        return scope["a"]

    with collect() as failures:
        for text in statements:
            with failures:
                check(
                    functools.partial(body, text=text),
                    ulps=4 if "mean" in text else 0,
                    label=f"{text} ({size})",
                )


def test_every_pair_of_overlapping_slices():
    """target op= source for all pairs of equally long slices of one array."""
    n = 9
    slices = [slice(lo, hi, step) for lo in range(4) for hi in range(5, n + 1) for step in (1, 2, 3)]
    slices += [slice(hi, lo or None, -step) for lo in range(3) for hi in range(5, n) for step in (1, 2)]
    by_length = {}
    for part in slices:
        by_length.setdefault(len(range(n)[part]), []).append(part)

    def body(xp, pairs):
        results = []
        for target, source in pairs:
            a = xp.arange(n)
            a[target] = a[source] * 10
            b = xp.arange(n)
            b[target] += b[source]
            results += [a, b]
        return results

    with collect() as failures:
        for length, parts in by_length.items():
            pairs = list(itertools.product(parts[:14], parts[-14:]))
            with failures:
                check(
                    functools.partial(body, pairs=pairs), label=f"slices of length {length}: {pairs[:3]} ..."
                )


@twin()
def test_stencil_in_place(xp):
    """A relaxation sweep written the way it is in textbooks."""
    u = xp.zeros((20, 20))
    u[0] = 1
    for _ in range(30):
        u[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
    return u


@twin()
def test_fibonacci_through_single_elements(xp):
    a = xp.zeros(20, dtype=xp.int64)
    a[1] = 1
    for i in range(2, 20):
        a[i] = a[i - 1] + a[i - 2]
    return a


# ---------------------------------------------------------------------------- random programs


@pytest.mark.parametrize("seed", range(25))
def test_random_programs_of_views_and_writes(seed):
    """Forty random steps of looking, computing and writing; every array that lives must agree at the end."""

    def body(xp):
        rng = np.random.default_rng(seed)
        base = start(xp)
        live = [base, base * 2]
        for _ in range(40):
            array = live[int(rng.integers(len(live)))]
            action = int(rng.integers(8))
            if action <= 1 and array.ndim == 2 and min(array.shape) > 1:
                lo = [int(n) for n in rng.integers(0, 2, 2)]
                step = [int(rng.choice([-1, 1, 2])) for _ in range(2)]
                live.append(array[lo[0] :, lo[1] :][:: step[0], :: step[1]])
            elif action == 2:
                live.append(array.T)
            elif action == 3:
                live.append(array * 0.5 + float(rng.integers(5)))
            elif action == 4:
                other = live[int(rng.integers(len(live)))]
                if other.shape == array.shape:
                    array += other
                    array -= xp.floor(array / 64) * 64
                else:
                    array += float(rng.integers(5))
            elif action == 5 and array.shape[0] > 1:
                array[1:] = array[:-1] + 1
            elif action == 6:
                array[int(rng.integers(array.shape[0]))] = float(rng.integers(100))
            else:
                array[array > 40] = float(rng.integers(10))
            if len(live) > 12:
                del live[int(rng.integers(1, len(live)))]
        return [array.copy() for array in live]

    check(body, layout=False, label=f"seed {seed}")
