"""Every public callable is documented with an example, and every example gives what it shows."""

import contextlib
import doctest
import inspect
import io
import typing

import numpy
import pytest
import reference

import cuprum

OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def public_modules():
    """The package and its public submodules."""
    yield "cuprum", cuprum
    for name, module in reference.public_submodules().items():
        yield f"cuprum.{name}", module


def is_numpys_own(name, value):
    """Dtypes, constants and exceptions that are handed on from NumPy keep NumPy's documentation."""
    origin = getattr(value, "__module__", None) or ""
    return getattr(numpy, name, None) is value or origin.split(".")[0] == "numpy"


def public_callables():
    """Pairs of dotted name and object, each object once, under its first name."""
    seen = set()
    for prefix, module in public_modules():
        names = getattr(module, "__all__", None) or [n for n in dir(module) if not n.startswith("_")]
        for name in sorted(names):
            value = getattr(module, name)
            if not callable(value) or inspect.ismodule(value) or is_numpys_own(name, value):
                continue
            if typing.get_origin(value) is not None:  # an alias of types
                continue
            if id(value) in seen:
                continue
            seen.add(id(value))
            yield f"{prefix}.{name}", value


CALLABLES = list(public_callables())
METHODS = [
    (f"cuprum.ndarray.{name}", getattr(cuprum.ndarray, name))
    for name in sorted(dir(cuprum.ndarray))
    if not name.startswith("_")
]


def needs_no_example(value):
    return inspect.isclass(value) and issubclass(value, BaseException)


def run_examples(name, text):
    """The report of the failing examples in ``text``; empty where all pass."""
    test = doctest.DocTestParser().get_doctest(text, {"cp": cuprum, "np": numpy}, name, None, 0)
    if not test.examples:
        return ""
    report = io.StringIO()
    with numpy.printoptions(), contextlib.redirect_stdout(io.StringIO()):
        doctest.DocTestRunner(optionflags=OPTIONS, verbose=False).run(test, out=report.write)
    return report.getvalue()


def test_the_package_has_public_callables():
    assert len(CALLABLES) > 200
    assert len(METHODS) > 50


def test_every_public_callable_has_a_docstring():
    missing = [name for name, value in CALLABLES + METHODS if not (inspect.getdoc(value) or "").strip()]
    assert not missing, missing


def test_every_public_callable_has_an_example():
    missing = [
        name
        for name, value in CALLABLES + [pair for pair in METHODS if callable(pair[1])]
        if not needs_no_example(value) and ">>>" not in (inspect.getdoc(value) or "")
    ]
    assert not missing, missing


def test_docstrings_begin_with_a_sentence_on_one_line():
    """The summary is what ``help`` and the reference pages list."""
    bad = []
    for name, value in CALLABLES:
        lines = (inspect.getdoc(value) or "").splitlines()
        if lines and (not lines[0].strip() or len(lines) > 1 and lines[1].strip()):
            bad.append(name)
    assert not bad, bad


@pytest.mark.parametrize("prefix", [name for name, _ in public_modules()])
def test_examples_of_public_callables(prefix):
    failures = []
    for name, value in CALLABLES:
        if name.rpartition(".")[0] == prefix:
            report = run_examples(name, inspect.getdoc(value) or "")
            if report:
                failures.append(report)
    assert not failures, "\n".join(failures)


def test_examples_of_array_methods():
    failures = [run_examples(name, inspect.getdoc(value) or "") for name, value in METHODS]
    failures = [report for report in failures if report]
    assert not failures, "\n".join(failures)


def test_the_package_docstring_runs():
    assert (cuprum.__doc__ or "").strip()
    assert run_examples("cuprum", cuprum.__doc__) == ""
