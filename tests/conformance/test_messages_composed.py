"""Messages of functions that are made of others: they begin with the name that was called, not a part's."""

import functools

import numpy as np
import pytest
from case_texts import expectation
from error_texts import value_of
from twin import Failure, check, run

import cuprum as cp
import cuprum.scipy.ndimage as ndimage
import cuprum.scipy.signal as signal

# Calls that NumPy has too, each with the name that its message begins with.
COMPOSED = """
    allclose: xp.allclose(v, w[:2])  # ValueError
    isclose: xp.isclose(m, v)  # ValueError
    append: xp.append(m, m, axis=2)  # AxisError
    around: xp.around(w, out=xp.zeros(7))  # ValueError
    block: xp.block([[v], [w[:2]]])  # ValueError
    clip: xp.clip(w, xp.zeros(2), None)  # ValueError
    column_stack: xp.column_stack([v, w[:2]])  # ValueError
    corrcoef: xp.corrcoef(m, xp.ones((2, 2, 2)))  # ValueError
    cumulative_sum: xp.cumulative_sum(w, out=xp.zeros(7))  # ValueError
    divmod: xp.divmod(v, w[:2])  # ValueError
    divmod: xp.divmod(c, c)  # TypeError
    dstack: xp.dstack([v, w[:2]])  # ValueError
    empty_like: xp.empty_like(v, shape=-1)  # ValueError
    fix: xp.fix(c)  # TypeError
    frexp: xp.frexp(c)  # TypeError
    fromfunction: xp.fromfunction(lambda i: i, (-1,))  # ValueError
    full_like: xp.full_like(v, [1, 2])  # ValueError
    geomspace: xp.geomspace([1, 2], [1, 2, 3])  # ValueError
    hsplit: xp.hsplit(v, -1)  # ValueError
    hstack: xp.hstack([])  # ValueError
    linspace: xp.linspace([1, 2], [1, 2, 3])  # ValueError
    logspace: xp.logspace([1, 2], [1, 2, 3])  # ValueError
    mask_indices: xp.mask_indices(-1, xp.triu)  # ValueError
    matmul: xp.matmul(m, m, axes=[(0, 1), (0, 5), (0, 1)])  # AxisError
    matvec: xp.matvec(m, v)  # ValueError
    max: xp.max(m, axis=2)  # AxisError
    max: v[:0].max()  # ValueError
    min: m.min(axis=(0, 2))  # AxisError
    modf: xp.modf(c)  # TypeError
    nan_to_num: xp.nan_to_num(w, nan=[1, 2])  # ValueError
    nanargmax: xp.nanargmax(m, axis=2)  # AxisError
    nanmean: xp.nanmean(m, axis=2)  # AxisError
    nanprod: xp.nanprod(m, out=xp.zeros(7))  # ValueError
    nanstd: xp.nanstd(m, axis=2)  # AxisError
    nansum: xp.nansum(m, axis=2)  # AxisError
    nanvar: xp.nanvar(w, mean=[1, 2])  # ValueError
    ones_like: xp.ones_like(v, shape=-1)  # ValueError
    polyint: xp.polyint(m)  # ValueError
    sort_complex: xp.sort_complex(s)  # AxisError
    split: xp.split(v, -1)  # ValueError
    std: xp.std(w, mean=xp.ones(2))  # ValueError
    trapezoid: xp.trapezoid(w, x=[1, 2, 3])  # ValueError
    unstack: xp.unstack(m, axis=2)  # AxisError
    unwrap: xp.unwrap(c)  # TypeError
    var: xp.var(w, mean=xp.ones(2))  # ValueError
    vsplit: xp.vsplit(m, -1)  # ValueError
    vstack: xp.vstack([v, w[:2]])  # ValueError
    where: xp.where(s)  # ValueError
    cond: xp.linalg.cond(m[:, :3], p='x')  # ValueError
    matrix_norm: xp.linalg.matrix_norm(m, ord='x')  # ValueError
    matrix_power: xp.linalg.matrix_power(xp.zeros((2, 2)), -1)  # LinAlgError
    multi_dot: xp.linalg.multi_dot([m, m])  # ValueError
    norm: xp.linalg.norm(w, ord=xp.ones(2))  # ValueError
    pinv: xp.linalg.pinv(m, hermitian=True)  # LinAlgError
    tensorsolve: xp.linalg.tensorsolve(xp.zeros((2, 2)), xp.ones(2))  # LinAlgError
    vector_norm: xp.linalg.vector_norm(m, axis=2)  # AxisError
    rand: xp.random.rand(-1)  # ValueError
    randint: xp.random.randint(5, 5)  # ValueError
    randint: xp.random.randint(5, size=-1)  # ValueError
    randint: xp.random.RandomState(0).randint(0, 300, dtype=xp.uint8)  # ValueError
    randn: xp.random.randn(-1)  # ValueError
    random_sample: xp.random.random_sample(-1)  # ValueError
    standard_exponential: xp.random.standard_exponential(-1)  # ValueError
    standard_normal: xp.random.RandomState(0).standard_normal(-1)  # ValueError
"""


@pytest.mark.parametrize("case", [line.strip() for line in COMPOSED.strip().splitlines()])
def test_composed_calls_name_themselves(case):
    """NumPy's class, and a message that begins with the name of the call and says no other."""
    name, _, case = case.partition(": ")
    text, raised = expectation(case)
    check(functools.partial(value_of, text), label=text, raises=raised)
    failed = run(functools.partial(value_of, text), cp)
    assert isinstance(failed, Failure), f"{text} gave {failed!r}"
    message = str(failed.error)
    assert message.startswith(f"{'round' if name == 'around' else name}: "), message
    second = message.split(": ")[1]
    assert not hasattr(cp, second), message


def test_filters_name_themselves():
    image = cp.ones((3, 3))
    for name, call in [
        ("sobel", lambda: ndimage.sobel(image, mode="x")),
        ("laplace", lambda: ndimage.laplace(image, output=cp.ones(7))),
        ("convolve1d", lambda: ndimage.convolve1d(image, [])),
        ("uniform_filter", lambda: ndimage.uniform_filter(image, mode="x")),
        ("white_tophat", lambda: ndimage.white_tophat(image)),
        ("binary_opening", lambda: ndimage.binary_opening(image, structure=cp.ones(()))),
        ("order_filter", lambda: signal.order_filter(image, cp.ones((3, 3)), 99)),
    ]:
        with pytest.raises((ValueError, RuntimeError, TypeError), match=f"^{name}: "):
            call()


def test_axis_errors_keep_their_numbers():
    with pytest.raises(np.exceptions.AxisError, match=r"^append: axis 2 is out of bounds") as caught:
        cp.append(cp.ones((2, 3)), cp.ones((2, 3)), axis=2)
    assert (caught.value.axis, caught.value.ndim) == (2, 2)


def test_errors_of_a_users_function_are_left_alone():
    def broken(*places):
        raise ValueError("sum: not today")

    for call in (
        lambda: cp.fromfunction(broken, (2,)),
        lambda: cp.mask_indices(2, broken),
        lambda: cp.apply_along_axis(broken, 0, cp.ones(3)),
        lambda: cp.piecewise(cp.ones(3), [cp.ones(3) > 0], [broken]),
    ):
        with pytest.raises(ValueError, match="^sum: not today$"):
            call()


def test_what_python_says_of_a_call_is_left_alone():
    with pytest.raises(TypeError, match=r"^allclose\(\) missing"):
        cp.allclose(1)
    with pytest.raises(TypeError, match=r"^RandomState.randint\(\) missing"):
        cp.random.RandomState(0).randint()


def test_decorated_functions_keep_name_signature_and_text():
    import inspect

    assert cp.allclose.__name__ == "allclose"
    assert list(inspect.signature(cp.allclose).parameters) == ["a", "b", "rtol", "atol", "equal_nan"]
    assert cp.allclose.__doc__.startswith("Tell whether two arrays are equal")
