"""Views by strides: `as_strided`, which stays inside the memory, and `sliding_window_view`."""

import numpy as np
import pytest
from twin import check, twin

import cuprum as cp

WINDOWS = [
    ((6,), 3, None),
    ((6,), 6, None),
    ((6,), 7, None),
    ((6,), 0, None),
    ((6,), -1, None),
    ((6,), (2, 2), None),
    ((6,), 2.5, None),
    ((4, 5), (2, 3), None),
    ((4, 5), 2, 0),
    ((4, 5), 2, -1),
    ((4, 5), 2, 2),
    ((4, 5), (2, 3), (1, 0)),
    ((4, 5), (2, 2), (1, 1)),
    ((4, 5), 2, None),
    ((4, 5), (2, 3), 0),
    ((0, 5), 2, 1),
    ((), (), None),
    ((), 1, None),
]


@pytest.mark.parametrize(("shape", "window", "axis"), WINDOWS)
def test_windows(shape, window, axis):
    def body(xp, arrange):
        a = arrange(xp.arange(int(np.prod(shape))).reshape(shape))
        view = xp.lib.stride_tricks.sliding_window_view(a, window, axis=axis)
        return view, view.sum(-1) if view.ndim else view, view.flags.writeable

    check(lambda xp: body(xp, lambda a: a), may_raise=(np.exceptions.AxisError, TypeError, ValueError))
    check(
        lambda xp: body(xp, lambda a: a[::-1] if a.ndim else a),
        may_raise=(np.exceptions.AxisError, TypeError, ValueError),
    )
    check(lambda xp: body(xp, xp.asfortranarray), may_raise=(np.exceptions.AxisError, TypeError, ValueError))


@twin()
def test_windows_see_later_writes(xp):
    a = xp.zeros(5)
    view = xp.lib.stride_tricks.sliding_window_view(a, 3, writeable=True)
    before = view + 1
    a[2] = 7
    view[0, 0] = 5
    return before, view, a


STRIDED = [
    ((3, 3), (8, 8)),
    ((3, 2), (16, 8)),
    ((2, 3), (0, 8)),
    ((6,), (0,)),
    ((2, 2, 2), (8, 8, 8)),
    ((0, 100), (8, 8)),
    ((), ()),
    (None, (0,)),
    ((3,), None),
]


@pytest.mark.parametrize(("shape", "strides"), STRIDED)
def test_other_strides(shape, strides):
    check(lambda xp: xp.lib.stride_tricks.as_strided(xp.arange(6), shape, strides))
    check(lambda xp: xp.lib.stride_tricks.as_strided(xp.arange(6), shape, strides) + 1)


@twin()
def test_strides_that_go_back(xp):
    a = xp.arange(6)[5:]
    return xp.lib.stride_tricks.as_strided(a, (6,), (-8,)), xp.lib.stride_tricks.as_strided(a, (1,), (8,))


@twin()
def test_strided_views_are_views(xp):
    a = xp.arange(6.0)
    view = xp.lib.stride_tricks.as_strided(a, (3,), (16,))
    view += 10
    fixed = xp.lib.stride_tricks.as_strided(a, (3,), (16,), writeable=False)
    return a, fixed.flags.writeable


def test_a_view_stays_inside_the_memory():
    a = cp.arange(6)
    outside = [((7,), (8,)), ((2,), (48,)), ((2,), (-8,)), ((2, 2), (40, 16)), ((2**40, 2), (8, 8))]
    for shape, strides in outside:
        with pytest.raises(ValueError, match="as_strided"):
            cp.lib.stride_tricks.as_strided(a, shape, strides)
    with pytest.raises(ValueError, match="multiples"):
        cp.lib.stride_tricks.as_strided(a, (2,), (3,))
    with pytest.raises(ValueError):
        cp.lib.stride_tricks.as_strided(a, (2, 2), (8,))
    part = a[2:4]
    assert cp.lib.stride_tricks.as_strided(part, (4,), (8,)).tolist() == [2, 3, 4, 5]


def test_pending_arrays_have_memory_too():
    a = cp.arange(100_000.0) * 2
    view = cp.lib.stride_tricks.as_strided(a, (3,), (8,))
    assert view.tolist() == [0.0, 2.0, 4.0]
