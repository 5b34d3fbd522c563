"""Messages of bad input: NumPy's exception class, the op's name and what it got, in a line of plain words."""

import functools

import numpy as np
import pytest
from case_texts import expectation
from error_texts import MESSAGES, value_of
from twin import Failure, check, exception_class, run

import cuprum as cp

# NumPy makes arrays of objects and of text; there is no such dtype here.
NUMPY_ACCEPTS = {"xp.array(['a'])", "xp.array(object())", "xp.array(None)", "xp.array(iter([1]))"}


@pytest.mark.parametrize(("text", "kind", "pattern"), MESSAGES, ids=[text for text, _, _ in MESSAGES])
def test_message_names_the_op_and_what_it_got(text, kind, pattern):
    with pytest.raises(kind, match="^" + pattern) as raised:
        value_of(text, cp)
    if text not in NUMPY_ACCEPTS:
        with pytest.raises(exception_class(raised.value)) as numpys:
            value_of(text, np)
        assert exception_class(raised.value) is exception_class(numpys.value)


# Library calls, each with the name that its message begins with.
LIBRARY = """
    sort: xp.sort(m, axis=2)  # AxisError
    sort: xp.sort(s)  # AxisError
    argsort: xp.argsort(m, axis=-3)  # AxisError
    partition: xp.partition(v, 9)  # ValueError
    argpartition: xp.argpartition(v, -7)  # ValueError
    searchsorted: xp.searchsorted(m, 1)  # ValueError
    searchsorted: xp.searchsorted(v, 1, side='x')  # ValueError
    unique: xp.unique(m, axis=2)  # AxisError
    lexsort: xp.lexsort(())  # TypeError
    bincount: xp.bincount([-1])  # ValueError
    bincount: xp.bincount([[1]])  # ValueError
    bincount: xp.bincount([1], weights=[1, 2])  # ValueError
    bincount: xp.bincount([1], minlength=-1)  # ValueError
    histogram: xp.histogram(w, bins=0)  # ValueError
    histogram: xp.histogram(w, bins=[3, 1, 2])  # ValueError
    histogram: xp.histogram([math.nan, 1.0])  # ValueError
    histogram: xp.histogram(w, range=(2, 1))  # ValueError
    digitize: xp.digitize(w, [1, 3, 2])  # ValueError
    percentile: xp.percentile(w, 101)  # ValueError
    quantile: xp.quantile(w, 1.5)  # ValueError
    percentile: xp.percentile(w, 50, method='x')  # ValueError
    median: xp.median(m, axis=2)  # AxisError
    average: xp.average(w, weights=[1, 2])  # TypeError
    average: xp.average(w, weights=xp.zeros(6))  # ZeroDivisionError
    cov: xp.cov(xp.ones((2, 2, 2)))  # ValueError
    interp: xp.interp(w, [1, 2], [1])  # ValueError
    interp: xp.interp(w, [], [])  # ValueError
    convolve: xp.convolve([], [1])  # ValueError
    convolve: xp.convolve(m, v)  # ValueError
    convolve: xp.convolve(v, v, 'x')  # ValueError
    cross: xp.cross(v, v)  # ValueError
    trace: xp.trace(v)  # ValueError
    diagonal: xp.diagonal(v)  # ValueError
    vdot: xp.vdot(v, w[:2])  # ValueError
    inner: xp.inner(m, v)  # ValueError
    einsum: xp.einsum('ij->k', m)  # ValueError
    solve: xp.linalg.solve(m, m)  # LinAlgError
    solve: xp.linalg.solve(xp.zeros((2, 2)), xp.ones(2))  # LinAlgError
    inv: xp.linalg.inv(m)  # LinAlgError
    inv: xp.linalg.inv(xp.zeros((2, 2)))  # LinAlgError
    cholesky: xp.linalg.cholesky(-xp.eye(2))  # LinAlgError
    eigh: xp.linalg.eigh(m)  # LinAlgError
    eig: xp.linalg.eig(xp.full((2, 2), math.nan))  # LinAlgError
    svd: xp.linalg.svd(v)  # LinAlgError
    svd: xp.linalg.svd(xp.full((2, 2), math.nan))  # LinAlgError
    qr: xp.linalg.qr(v)  # LinAlgError
    qr: xp.linalg.qr(m, mode='x')  # ValueError
    det: xp.linalg.det(m)  # LinAlgError
    matrix_power: xp.linalg.matrix_power(m, 2)  # LinAlgError
    norm: xp.linalg.norm(m, ord='x')  # ValueError
    lstsq: xp.linalg.lstsq(m, v)  # LinAlgError
    pinv: xp.linalg.pinv(v)  # LinAlgError
    cond: xp.linalg.cond(v)  # LinAlgError
    fft: xp.fft.fft(w, n=0)  # ValueError
    fft: xp.fft.fft(w, axis=1)  # IndexError
    fft: xp.fft.fft(w, norm='x')  # ValueError
    ifft: xp.fft.ifft(w, n=-1)  # ValueError
    fft2: xp.fft.fft2(w)  # IndexError
    rfft: xp.fft.rfft(c)  # TypeError
    SeedSequence: xp.random.default_rng(-1)  # ValueError
    SeedSequence: xp.random.default_rng('x')  # TypeError
    normal: xp.random.default_rng(0).normal(0, -1)  # ValueError
    integers: xp.random.default_rng(0).integers(5, 5)  # ValueError
    integers: xp.random.default_rng(0).integers(0, 300, dtype=xp.uint8)  # ValueError
    integers: xp.random.default_rng(0).integers(5, size=-1)  # ValueError
    choice: xp.random.default_rng(0).choice(0)  # ValueError
    choice: xp.random.default_rng(0).choice(3, 5, replace=False)  # ValueError
    choice: xp.random.default_rng(0).choice(3, p=[0.5, 0.5, 0.5])  # ValueError
    poisson: xp.random.default_rng(0).poisson(-1)  # ValueError
    binomial: xp.random.default_rng(0).binomial(5, 1.5)  # ValueError
    random: xp.random.default_rng(0).random(-1)  # ValueError
    random: xp.random.default_rng(0).random(3, dtype=xp.int32)  # TypeError
    gamma: xp.random.default_rng(0).gamma(2.0, size=(2, -1))  # ValueError
    uniform: xp.random.default_rng(0).uniform(0, math.inf)  # OverflowError
    permutation: xp.random.default_rng(0).permutation(s)  # AxisError
    shuffle: xp.random.default_rng(0).shuffle(frozen)  # ValueError
    unravel_index: xp.unravel_index(100, (3, 4))  # ValueError
    ravel_multi_index: xp.ravel_multi_index((3, 0), (3, 4))  # ValueError
    choose: xp.choose(v, [1, 2])  # ValueError
    select: xp.select([v > 1], [1, 2])  # ValueError
    compress: xp.compress([True, False], m, axis=2)  # AxisError
    place: xp.place(v, v > 1, [])  # ValueError
    take_along_axis: xp.take_along_axis(m, v, 0)  # ValueError
    piecewise: xp.piecewise(w, [w > 1, w < 0, w == 0], [1])  # ValueError
    nanargmax: xp.nanargmax(xp.full(3, math.nan))  # ValueError
    nanpercentile: xp.nanpercentile(w, 200)  # ValueError
    diff: xp.diff(v, n=-1)  # ValueError
    gradient: xp.gradient(v[:1])  # ValueError
    polyfit: xp.polyfit(w, w[:2], 1)  # TypeError
    roots: xp.roots(m)  # ValueError
    array_split: xp.array_split(v, 0)  # ValueError
    moveaxis: xp.moveaxis(m, 0, 5)  # AxisError
    rot90: xp.rot90(v)  # ValueError
    broadcast_shapes: xp.broadcast_shapes((2,), (3,))  # ValueError
    broadcast_shapes: xp.broadcast_shapes((2, -1))  # ValueError
    broadcast_to: xp.broadcast_to(s, (-1,))  # ValueError
    meshgrid: xp.meshgrid(v, indexing='x')  # ValueError
    indices: xp.indices((-1,))  # ValueError
    logspace: xp.logspace(0, 1, -1)  # ValueError
    packbits: xp.packbits(w)  # TypeError
    unpackbits: xp.unpackbits(v)  # TypeError
"""


@pytest.mark.parametrize("case", [line.strip() for line in LIBRARY.strip().splitlines()])
def test_library_calls_name_the_op(case):
    """NumPy's class, and a message that begins with the name of the call."""
    name, _, case = case.partition(": ")
    text, raised = expectation(case)
    check(functools.partial(value_of, text), label=text, raises=raised)
    failed = run(functools.partial(value_of, text), cp)
    assert isinstance(failed, Failure), f"{text} gave {failed!r}"
    assert str(failed.error).startswith(f"{name}: "), failed


def test_axis_errors_carry_numpys_attributes():
    with pytest.raises(np.exceptions.AxisError) as caught:
        cp.sum(cp.ones((2, 3)), axis=7)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, IndexError)


def test_messages_are_one_line_of_plain_words():
    """No Rust debug output, no source paths: the message is for the user of the array."""
    for text, kind, _ in MESSAGES:
        with pytest.raises(kind) as raised:
            value_of(text, cp)
        message = str(raised.value)
        assert "\n" not in message.strip(), f"{text}: {message}"
        for leak in ("src/", ".rs", "panicked", "unwrap", "Some(", "Err("):
            assert leak not in message, f"{text}: {message}"
