"""Classes derived from ndarray: views, results and copies are of the class, as in NumPy and CuPy."""

import copy
import pickle

import numpy as np
import pytest

import cuprum as cp


def derived(base):
    """A class that carries a note along, of NumPy's array or of ours."""

    class Noted(base):
        def __new__(cls, *args, note=None, **kwargs):
            made = super().__new__(cls, *args, **kwargs)
            made.note = note
            return made

        def __array_finalize__(self, obj):
            self.seen = getattr(self, "seen", ()) + (type(obj).__name__,)
            if obj is not None:
                self.note = getattr(obj, "note", None)

    return Noted


class Noted(cp.ndarray):
    """A class that can be pickled."""

    def __array_finalize__(self, obj):
        self.note = getattr(obj, "note", None)


TWINS = [(np, derived(np.ndarray)), (cp, derived(cp.ndarray))]

# What is of the class in NumPy and here.
OF_THE_CLASS = {
    "slice": lambda xp, a: a[1:3],
    "row": lambda xp, a: a[0],
    "ellipsis": lambda xp, a: a[...],
    "new axis": lambda xp, a: a[None],
    "positions": lambda xp, a: a[[0, 1]],
    "mask": lambda xp, a: a[a > 2],
    "T": lambda xp, a: a.T,
    "reshape": lambda xp, a: a.reshape(-1),
    "ravel": lambda xp, a: a.ravel(),
    "flatten": lambda xp, a: a.flatten(),
    "transpose": lambda xp, a: a.transpose(1, 0),
    "copy": lambda xp, a: a.copy(),
    "copy.copy": lambda xp, a: copy.copy(a),
    "astype": lambda xp, a: a.astype("f4"),
    "view": lambda xp, a: a.view(),
    "view as bytes": lambda xp, a: a.view("u1"),
    "a + 1": lambda xp, a: a + 1,
    "1 - a": lambda xp, a: 1 - a,
    "a + a": lambda xp, a: a + a,
    "a * array": lambda xp, a: a * xp.ones(3),
    "array * a": lambda xp, a: xp.ones(3) * a,
    "-a": lambda xp, a: -a,
    "abs": lambda xp, a: abs(a),
    "a > 1": lambda xp, a: a > 1,
    "a ** 2": lambda xp, a: a**2,
    "a @ a.T": lambda xp, a: a @ a.T,
    "divmod": lambda xp, a: divmod(a, 2)[1],
    "sin": lambda xp, a: xp.sin(a),
    "add": lambda xp, a: xp.add(xp.ones(3), a),
    "modf": lambda xp, a: xp.modf(a)[0],
    "round": lambda xp, a: a.round(),
    "clip": lambda xp, a: a.clip(1, 2),
    "in place": lambda xp, a: a.__iadd__(1),
}

# What is a plain array here, as in CuPy, or in NumPy too.
PLAIN = {
    "out": lambda xp, a: xp.add(a, 1, out=xp.zeros((2, 3))),
    "view as the base": lambda xp, a: a.view(xp.ndarray),
    "astype without subclasses": lambda xp, a: a.astype("f4", subok=False),
    "array": lambda xp, a: xp.array(a),
}


def build(xp, cls):
    made = xp.arange(6.0).reshape(2, 3).view(cls)
    made.note = "a note"
    return made


@pytest.mark.parametrize("name", OF_THE_CLASS)
def test_results_of_the_class(name):
    outcomes = []
    for xp, cls in TWINS:
        result = OF_THE_CLASS[name](xp, build(xp, cls))
        assert type(result) is cls, (xp.__name__, type(result))
        outcomes.append((result.note, np.asarray(result if xp is np else cp.asnumpy(result))))
    (note, want), (our_note, got) = outcomes
    assert note == our_note == "a note"
    assert want.dtype == got.dtype and np.array_equal(want, got)


@pytest.mark.parametrize("name", PLAIN)
def test_results_of_the_base(name):
    for xp, cls in TWINS:
        assert type(PLAIN[name](xp, build(xp, cls))) is xp.ndarray, xp.__name__


def test_reductions_and_elements_are_plain_as_in_cupy():
    _, cls = TWINS[1]
    a = build(cp, cls)
    assert type(a.sum()) is cp.ndarray and type(a.sum(axis=0)) is cp.ndarray
    assert type(a[0, 0]) is cp.ndarray and float(a[0, 1]) == 1.0


def test_the_constructor():
    for xp, cls in TWINS:
        made = cls((2, 3), dtype="i4", note="new")
        assert type(made) is cls and made.shape == (2, 3) and made.dtype == np.int32
        assert made.note == "new" and made.seen == ("NoneType",), xp.__name__
        seen = made[1:].seen
        assert seen == ("Noted",), (xp.__name__, seen)


def test_views_of_a_class():
    for xp, cls in TWINS:
        a = xp.arange(4, dtype="i4")
        for view in (a.view(cls), a.view(type=cls), a.view("f4", cls), a.view(dtype="f4", type=cls)):
            assert type(view) is cls and view.base is a, xp.__name__
        assert a.view("f4", cls).dtype == np.float32
        a.view(cls)[0] = 7
        assert int(a[0]) == 7
        with pytest.raises(ValueError):
            a.view(cls, type=cls)
        with pytest.raises(TypeError):
            a.view("i4", dtype="i4")
        with pytest.raises(ValueError):
            a.view(type=int)


def test_the_highest_priority_decides():
    results = []
    for xp, _ in TWINS:
        low = type("Low", (xp.ndarray,), {"__array_priority__": 200.0})
        high = type("High", (xp.ndarray,), {"__array_priority__": 300.0})
        a, b = xp.ones(3).view(low), xp.ones(3).view(high)
        results.append([type(x).__name__ for x in (a + b, b + a, xp.add(a, b), a + a, xp.ones(3) + a)])
    assert results[0] == results[1] == ["High", "High", "High", "Low", "Low"]


def test_a_finalizer_that_raises_loses_nothing():
    class Refusing(cp.ndarray):
        refuses = False

        def __array_finalize__(self, obj):
            if Refusing.refuses:
                raise RuntimeError("no more of them")

    a = cp.arange(4.0).view(Refusing)
    Refusing.refuses = True
    for body in (
        lambda: a + 1,
        lambda: a[1:],
        lambda: cp.sin(a),
        lambda: a.copy(),
        lambda: Refusing(3),
        lambda: cp.arange(3).view(Refusing),
    ):
        with pytest.raises(RuntimeError, match="no more of them"):
            body()
    a += 1
    assert cp.asnumpy(a).tolist() == [1.0, 2.0, 3.0, 4.0]
    Refusing.refuses = False
    assert type(a + 1) is Refusing
    assert cp.asnumpy(a + 1).tolist() == [2.0, 3.0, 4.0, 5.0]


def test_a_class_without_a_finalizer():
    class Plain(cp.ndarray):
        __array_finalize__ = None

    a = cp.ones(3).view(Plain)
    assert type(a * 2) is Plain and type(Plain(3)) is Plain


def test_methods_of_a_class_call_those_of_the_base():
    class Doubling(cp.ndarray):
        def __add__(self, other):
            return super().__add__(other) * 2

        def sum(self, *args, **kwargs):
            return super().sum(*args, **kwargs) + 0.5

    a = cp.arange(3.0).view(Doubling)
    assert type(a + 1) is Doubling and cp.asnumpy(a + 1).tolist() == [2.0, 4.0, 6.0]
    assert float(a.sum()) == 3.5


def test_pickles_and_copies_keep_class_and_attributes():
    a = cp.arange(6.0).reshape(2, 3).view(Noted)
    a.note = "kept"
    for twin in (pickle.loads(pickle.dumps(a)), copy.copy(a), copy.deepcopy(a)):
        assert type(twin) is Noted and twin.note == "kept"
        assert cp.asnumpy(twin).tolist() == cp.asnumpy(a).tolist()


def test_derived_arrays_are_arrays_everywhere():
    a = cp.arange(6.0).reshape(2, 3).view(Noted)
    assert isinstance(a, cp.ndarray)
    assert np.asarray(a.get()).tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    assert float(cp.linalg.norm(a)) == float(np.linalg.norm(np.arange(6.0)))
    assert cp.concatenate([a, a]).shape == (4, 3)
    b = cp.zeros((2, 3))
    b[...] = a
    b += a
    assert float(b.sum()) == 30.0
    assert a.T.base is not None
    scale = cp.ElementwiseKernel("T x", "T y", "y = 2 * x", "scale_noted")
    assert float(scale(a).sum()) == 30.0


def test_further_classes():
    class Child(Noted):
        pass

    a = cp.arange(3.0).view(Child)
    a.note = "child"
    assert type(a[:2]) is Child and (a + 1).note == "child"
    assert type(a.view(Noted)) is Noted


def test_a_class_passes_on_what_its_own_constructor_took():
    class Mixin:
        def __init__(self, *args, note=None, **kwargs):
            self.note = note
            super().__init__(*args, **kwargs)

    class View(Mixin, cp.ndarray):
        def __new__(cls, source, note=None):
            return super().__new__(cls, source.shape, source.dtype, source.data, source.strides)

    a = cp.arange(6.0).reshape(2, 3)
    view = View(a, note="row")
    assert type(view) is View and view.note == "row"
    view[0, 0] = 9
    assert a[0, 0] == 9
