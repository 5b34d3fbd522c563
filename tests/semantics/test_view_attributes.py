"""What views say of themselves: shared memory, base, flags and strides; read-only views."""

import functools
import itertools

import numpy as np
import pytest
from twin import check, collect, twin
from view_cases import VIEWS, start

import cuprum as cp

# ---------------------------------------------------------------------------- who shares, who owns


def test_shares_memory():
    def body(xp, first, second, ask):
        base = start(xp)
        return bool(getattr(xp, ask)(VIEWS[first](base), VIEWS[second](base)))

    with collect() as failures:
        for first, second in itertools.product(VIEWS, VIEWS):
            for ask in ["shares_memory", "may_share_memory"]:
                with failures:
                    check(
                        functools.partial(body, first=first, second=second, ask=ask),
                        label=f"{ask} {first}, {second}",
                    )


@twin()
def test_memory_that_is_not_shared(xp):
    a, b = start(xp), start(xp)
    pairs = [
        (a, b),
        (a, a.copy()),
        (a[:2], a[2:]),
        (a[::2], a[1::2]),
        (a[:, :3], a[:, 3:]),
        (a, a + 1),
        (a[:0], a),
    ]
    return [bool(xp.shares_memory(x, y)) for x, y in pairs], [
        bool(xp.may_share_memory(x, y)) for x, y in pairs
    ]


@twin()
def test_base(xp):
    a = xp.arange(24)
    b = a.reshape(4, 6)
    c = b[1:]
    d = c.T[::2]
    return [
        a.base is None,
        b.base is a,
        c.base is a,
        d.base is a,
        a.view().base is a,
        (a + 1).base is None,
        a.copy().base is None,
        a[[0, 1]].base is None,
        a[a > 3].base is None,
        c.copy().base is None,
    ]


def test_flags_and_strides():
    def body(xp, name, dtype):
        view = VIEWS[name](start(xp).astype(dtype))
        flags = view.flags
        return (
            view.shape,
            view.size,
            view.nbytes,
            bool(flags.c_contiguous),
            bool(flags.f_contiguous),
            bool(flags.writeable),
        )

    def strides(xp, name, dtype):
        view = VIEWS[name](start(xp).astype(dtype))
        return [stride for stride, size in zip(view.strides, view.shape, strict=True) if size > 1]

    with collect() as failures:
        for name in VIEWS:
            for dtype in ["float64", "float32", "int8", "complex128"]:
                with failures:
                    check(functools.partial(body, name=name, dtype=dtype), label=f"flags {name} {dtype}")
                if name != "empty":
                    with failures:
                        check(
                            functools.partial(strides, name=name, dtype=dtype),
                            label=f"strides {name} {dtype}",
                        )


@twin()
def test_contiguity_of_degenerate_shapes(xp):
    results = []
    for shape in [(), (1,), (0,), (1, 1), (1, 5), (5, 1), (0, 5), (5, 0), (1, 5, 1), (2, 1, 3), (3, 0, 2)]:
        for view in [
            lambda a: a,
            lambda a: a.T,
            lambda a: a[..., ::-1] if a.ndim else a,
            lambda a: a[::1] if a.ndim else a,
        ]:
            a = view(xp.zeros(shape))
            results.append((a.shape, bool(a.flags.c_contiguous), bool(a.flags.f_contiguous)))
    return results


@twin()
def test_broadcast_views_are_read_only_and_have_zero_strides(xp):
    a = xp.broadcast_to(xp.arange(3), (2, 3))
    b, c = xp.broadcast_arrays(xp.arange(3), xp.zeros((2, 1)))
    return (
        a.strides,
        bool(a.flags.writeable),
        b.strides,
        c.strides,
        a.sum(),
        (a + 1).strides,
        a.T.strides,
        bool(a[0].flags.writeable),
    )


def test_read_only_views_refuse_every_write():
    statements = [
        "a[0, 0] = 1",
        "a[...] = 1",
        "a[0][0] = 1",
        "a.T[0] = 1",
        "a[a > 1] = 1",
        "a[[0, 1]] = 1",
        "a += 1",
        "a *= a",
        "a.fill(3)",
        "xp.add(1, 2, out=a)",
        "xp.sqrt(4.0, out=a[0])",
        "xp.copyto(a, 5)",
        "xp.put(a, 0, 5)",
        "xp.putmask(a, a > 1, 5)",
        "xp.place(a, a > 1, 5)",
        "xp.fill_diagonal(a, 1)",
        "xp.sum(xp.ones((2, 3, 2)), axis=2, out=a)",
        "xp.cumsum(a, axis=0, out=a)",
        "xp.matmul(xp.ones((2, 2)), xp.ones((2, 3)), out=a)",
        "xp.concatenate([xp.ones((1, 3)), xp.ones((1, 3))], out=a)",
        "xp.take(xp.ones(4), [[0, 1, 2], [1, 2, 3]], out=a)",
        "a.flat[0] = 1",
        "a.put(0, 1)",
        "a[:] += 1",
        "a.reshape(2, 3)[0, 0] = 1",
        "a.view()[0, 0] = 1",
    ]

    def body(xp, text):
        base = xp.arange(3.0)
        scope = {"xp": xp, "a": xp.broadcast_to(base, (2, 3))}
        try:
            exec(text, scope)
        finally:
            if xp is not np:
                assert base.tolist() == [0.0, 1.0, 2.0], f"{text} wrote"

    with collect() as failures:
        for text in statements:
            with failures:
                check(functools.partial(body, text=text), label=text, raises=ValueError)


@twin()
def test_making_an_array_read_only(xp):
    a = xp.arange(3)
    a.flags.writeable = False
    view = a[1:]
    states = [
        bool(a.flags.writeable),
        bool(view.flags.writeable),
        bool(a.copy().flags.writeable),
        bool((a + 1).flags.writeable),
    ]
    a.flags.writeable = True
    a[0] = 9
    return states, a


@pytest.mark.parametrize("owner", [True, False])
def test_a_broadcast_view_is_as_writeable_as_its_memory(owner):
    """Flags are given back where the memory may be written, and never where it may not."""

    def body(xp):
        source = xp.arange(3.0)
        source.flags.writeable = owner
        wide = xp.broadcast_to(source, (2, 3))
        before = bool(wide.flags.writeable)
        wide.setflags(write=True)
        wide[0, 1] = 7
        return before, bool(wide.flags.writeable), source

    check(body, raises=None if owner else ValueError)


def test_broadcast_view_follows_its_source():
    source = cp.arange(3)
    wide = cp.broadcast_to(source, (2, 3))
    before = wide + 0
    source[1] = 50
    np.testing.assert_array_equal(wide.get(), [[0, 50, 2], [0, 50, 2]])
    np.testing.assert_array_equal(before.get(), [[0, 1, 2], [0, 1, 2]])
