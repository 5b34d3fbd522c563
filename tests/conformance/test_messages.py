"""Messages of bad input: NumPy's exception class, the op's name and what it got, in a line of plain words."""

import functools

import numpy as np
import pytest
from error_texts import MESSAGES, value_of
from twin import Failure, check, exception_class, run

import cuprum as cp

# NumPy makes arrays of objects and of text; there is no such dtype here.
NUMPY_ACCEPTS = {"xp.array(['a'])", "xp.array(object())", "xp.array(None)"}


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
    sort: xp.sort(m, axis=2)
    sort: xp.sort(s)
    argsort: xp.argsort(m, axis=-3)
    partition: xp.partition(v, 9)
    argpartition: xp.argpartition(v, -7)
    searchsorted: xp.searchsorted(m, 1)
    searchsorted: xp.searchsorted(v, 1, side='x')
    unique: xp.unique(m, axis=2)
    lexsort: xp.lexsort(())
    bincount: xp.bincount([-1])
    bincount: xp.bincount([[1]])
    bincount: xp.bincount([1], weights=[1, 2])
    bincount: xp.bincount([1], minlength=-1)
    histogram: xp.histogram(w, bins=0)
    histogram: xp.histogram(w, bins=[3, 1, 2])
    histogram: xp.histogram([math.nan, 1.0])
    histogram: xp.histogram(w, range=(2, 1))
    digitize: xp.digitize(w, [1, 3, 2])
    percentile: xp.percentile(w, 101)
    quantile: xp.quantile(w, 1.5)
    percentile: xp.percentile(w, 50, method='x')
    median: xp.median(m, axis=2)
    average: xp.average(w, weights=[1, 2])
    average: xp.average(w, weights=xp.zeros(6))
    cov: xp.cov(xp.ones((2, 2, 2)))
    interp: xp.interp(w, [1, 2], [1])
    interp: xp.interp(w, [], [])
    convolve: xp.convolve([], [1])
    convolve: xp.convolve(m, v)
    convolve: xp.convolve(v, v, 'x')
    cross: xp.cross(v, v)
    trace: xp.trace(v)
    diagonal: xp.diagonal(v)
    vdot: xp.vdot(v, w[:2])
    inner: xp.inner(m, v)
    einsum: xp.einsum('ij->k', m)
    solve: xp.linalg.solve(m, m)
    solve: xp.linalg.solve(xp.zeros((2, 2)), xp.ones(2))
    inv: xp.linalg.inv(m)
    inv: xp.linalg.inv(xp.zeros((2, 2)))
    cholesky: xp.linalg.cholesky(-xp.eye(2))
    eigh: xp.linalg.eigh(m)
    eig: xp.linalg.eig(xp.full((2, 2), math.nan))
    svd: xp.linalg.svd(v)
    svd: xp.linalg.svd(xp.full((2, 2), math.nan))
    qr: xp.linalg.qr(v)
    qr: xp.linalg.qr(m, mode='x')
    det: xp.linalg.det(m)
    matrix_power: xp.linalg.matrix_power(m, 2)
    norm: xp.linalg.norm(m, ord='x')
    lstsq: xp.linalg.lstsq(m, v)
    pinv: xp.linalg.pinv(v)
    cond: xp.linalg.cond(v)
    fft: xp.fft.fft(w, n=0)
    fft: xp.fft.fft(w, axis=1)
    fft: xp.fft.fft(w, norm='x')
    ifft: xp.fft.ifft(w, n=-1)
    fft2: xp.fft.fft2(w)
    rfft: xp.fft.rfft(c)
    SeedSequence: xp.random.default_rng(-1)
    SeedSequence: xp.random.default_rng('x')
    normal: xp.random.default_rng(0).normal(0, -1)
    integers: xp.random.default_rng(0).integers(5, 5)
    integers: xp.random.default_rng(0).integers(0, 300, dtype=xp.uint8)
    integers: xp.random.default_rng(0).integers(5, size=-1)
    choice: xp.random.default_rng(0).choice(0)
    choice: xp.random.default_rng(0).choice(3, 5, replace=False)
    choice: xp.random.default_rng(0).choice(3, p=[0.5, 0.5, 0.5])
    poisson: xp.random.default_rng(0).poisson(-1)
    binomial: xp.random.default_rng(0).binomial(5, 1.5)
    random: xp.random.default_rng(0).random(-1)
    random: xp.random.default_rng(0).random(3, dtype=xp.int32)
    gamma: xp.random.default_rng(0).gamma(2.0, size=(2, -1))
    uniform: xp.random.default_rng(0).uniform(0, math.inf)
    permutation: xp.random.default_rng(0).permutation(s)
    shuffle: xp.random.default_rng(0).shuffle(frozen)
    unravel_index: xp.unravel_index(100, (3, 4))
    ravel_multi_index: xp.ravel_multi_index((3, 0), (3, 4))
    choose: xp.choose(v, [1, 2])
    select: xp.select([v > 1], [1, 2])
    compress: xp.compress([True, False], m, axis=2)
    place: xp.place(v, v > 1, [])
    take_along_axis: xp.take_along_axis(m, v, 0)
    piecewise: xp.piecewise(w, [w > 1, w < 0, w == 0], [1])
    nanargmax: xp.nanargmax(xp.full(3, math.nan))
    nanpercentile: xp.nanpercentile(w, 200)
    diff: xp.diff(v, n=-1)
    gradient: xp.gradient(v[:1])
    polyfit: xp.polyfit(w, w[:2], 1)
    roots: xp.roots(m)
    array_split: xp.array_split(v, 0)
    moveaxis: xp.moveaxis(m, 0, 5)
    rot90: xp.rot90(v)
    broadcast_shapes: xp.broadcast_shapes((2,), (3,))
    broadcast_shapes: xp.broadcast_shapes((2, -1))
    broadcast_to: xp.broadcast_to(s, (-1,))
    meshgrid: xp.meshgrid(v, indexing='x')
    indices: xp.indices((-1,))
    logspace: xp.logspace(0, 1, -1)
    packbits: xp.packbits(w)
    unpackbits: xp.unpackbits(v)
"""


@pytest.mark.parametrize("case", [line.strip() for line in LIBRARY.strip().splitlines()])
def test_library_calls_name_the_op(case):
    """NumPy's class, and a message that begins with the name of the call."""
    name, _, text = case.partition(": ")
    check(functools.partial(value_of, text), label=text)
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
    for text, _, _ in MESSAGES:
        try:
            value_of(text, cp)
        except Exception as error:
            message = str(error)
            assert "\n" not in message.strip(), f"{text}: {message}"
            for leak in ("src/", ".rs", "panicked", "unwrap", "Some(", "Err("):
                assert leak not in message, f"{text}: {message}"
