"""Every public callable is documented with an example, and every example gives what it shows."""

import contextlib
import doctest
import inspect
import io
import re
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


CLASSES = [
    (name, value)
    for name, value in CALLABLES
    if inspect.isclass(value) and not issubclass(value, (BaseException, cuprum.ndarray))
]


def methods_of_classes():
    """Triples of a dotted name, a class and a method of ours that it has, each under its first name."""
    seen = set()
    for prefix, kind in CLASSES:
        for name in dir(kind):
            method = inspect.getattr_static(kind, name)
            owner = next(base for base in kind.__mro__ if name in vars(base))
            method = getattr(method, "__func__", method)
            ours = owner.__module__.startswith("cuprum") and not name.startswith("_")
            if ours and callable(method) and not inspect.isclass(method) and (owner, name) not in seen:
                seen.add((owner, name))
                yield f"{prefix}.{name}", kind, method


CLASS_METHODS = list(methods_of_classes())


def is_shown(kind, name):
    """Whether an example calls a method: its own, that of a method it replaces, or that of its class."""
    for base in kind.__mro__:
        own = vars(base).get(name)
        if ">>>" in (inspect.getdoc(getattr(own, "__func__", own)) or ""):
            return True
        lines = (vars(base).get("__doc__") or "").splitlines()
        examples = [line for line in lines if line.strip().startswith((">>>", "..."))]
        if any(re.search(rf"(\.|def ){name}\(", line) for line in examples):
            return True
    return False


def needs_no_example(value):
    return inspect.isclass(value) and issubclass(value, BaseException)


def needs_more_gpus(name):
    """Examples of distributed arrays name three devices: without a GPU there are as many as are asked for."""
    if cuprum.zeros(1).device == "cpu" or not name.startswith("cuprum.distributed.array."):
        return False
    return cuprum.cuda.runtime.getDeviceCount() < 3


def run_examples(name, text):
    """The report of the failing examples in ``text``; empty where all pass."""
    test = doctest.DocTestParser().get_doctest(text, {"cp": cuprum, "np": numpy}, name, None, 0)
    if not test.examples or needs_more_gpus(name):
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


def test_every_method_of_a_public_class_has_a_docstring_and_an_example():
    assert len(CLASS_METHODS) > 400
    bare = [name for name, _, method in CLASS_METHODS if not (inspect.getdoc(method) or "").strip()]
    assert not bare, bare
    missing = [name for name, kind, _ in CLASS_METHODS if not is_shown(kind, name.rpartition(".")[2])]
    assert not missing, missing


def test_examples_of_the_methods_of_classes():
    failures = [run_examples(name, inspect.getdoc(method) or "") for name, _, method in CLASS_METHODS]
    failures = [report for report in failures if report]
    assert not failures, "\n".join(failures)


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
