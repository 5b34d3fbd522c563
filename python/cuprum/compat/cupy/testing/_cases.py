"""Test classes for several parameters, fixed random numbers, and conditions under which tests run."""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.metadata
import inspect
import itertools
import os
import random
import sys
import types
import unittest
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import numpy as np

import cuprum

__all__ = [
    "AssertFunctionIsCalled",
    "NumpyAliasBasicTestBase",
    "NumpyAliasValuesTestBase",
    "fix_random",
    "generate_seed",
    "installed",
    "multi_gpu",
    "numpy_satisfies",
    "parameterize",
    "product",
    "product_dict",
    "slow",
    "with_requires",
]


def product(parameter: dict[str, Any]) -> list[dict[str, Any]]:
    """Return all combinations of parameters' values.

    Examples
    --------
    >>> from cuprum.compat.cupy import testing
    >>> testing.product({"a": [1, 2], "b": [3]})
    [{'a': 1, 'b': 3}, {'a': 2, 'b': 3}]
    """
    names = sorted(parameter)
    rows = itertools.product(*(parameter[name] for name in names))
    return [dict(zip(names, row, strict=True)) for row in rows]


def product_dict(*parameters: Any) -> list[dict[str, Any]]:
    """Return all combinations of dicts, one of each list, joined.

    Examples
    --------
    >>> from cuprum.compat.cupy import testing
    >>> testing.product_dict([{"a": 1}, {"a": 2}], [{"b": 3}])
    [{'a': 1, 'b': 3}, {'a': 2, 'b': 3}]
    """
    return [dict(itertools.chain(*(one.items() for one in row))) for row in itertools.product(*parameters)]


class _Bundle:
    """The classes that `parameterize` has made of one. It stands in the place of that one and is no test."""

    __test__ = False

    def __init__(self, cases: list[type]) -> None:
        self.cases = cases


def _member(value: Any) -> Any:
    """Return a parameter as a member of a class: functions stay functions, not methods."""
    return staticmethod(value) if isinstance(value, types.FunctionType) else value


def _label(case: dict[str, Any]) -> str:
    shown = {name: getattr(value, "__name__", repr(value)) for name, value in sorted(case.items())}
    text = ", ".join(f"{name}={value}" for name, value in shown.items())
    return text if len(text) <= 200 else f"{text[:100]}...{text[-97:]}"


def parameterize(*params: dict[str, Any], _ids: bool = True, **kwargs: Any) -> Callable[[Any], Any]:
    """Make of a test class one for each set of attributes.

    Classes of `unittest` become several classes; those of pytest run their tests several times, under names
    that show the attributes unless `_ids` is False.

    Examples
    --------
    >>> import unittest
    >>> from cuprum.compat.cupy import testing
    >>> @testing.parameterize({"a": 1}, {"a": 2})
    ... class TestSquare(unittest.TestCase):
    ...     def test_square(self):
    ...         assert self.a**2 == self.a * self.a
    >>> [case.a for case in TestSquare.cases]
    [1, 2]
    """

    def decorate(case: Any) -> Any:
        if isinstance(case, _Bundle):
            made = [decorate(one) for one in case.cases]
            for one in case.cases:
                delattr(sys.modules[one.__module__], one.__name__)
            return _Bundle([one for bundle in made for one in bundle.cases])
        if issubclass(case, unittest.TestCase):
            if kwargs:
                raise TypeError("parameterize: classes of unittest take no keywords")
            return _of_unittest(case, params)
        return _of_pytest(case, params, _ids, kwargs)

    return decorate


def _of_unittest(case: type, params: tuple[dict[str, Any], ...]) -> _Bundle:
    module = sys.modules[case.__module__]
    made = []
    for number, values in enumerate(params):
        name = f"{case.__name__}_param_{number}_{{{_label(values)}}}"
        members = {key: _member(value) for key, value in values.items()}
        one = type(name, (case,), {**members, "__module__": case.__module__})
        setattr(module, name, one)
        made.append(one)
    return _Bundle(made)


def _of_pytest(case: type, params: tuple[dict[str, Any], ...], named: bool, kwargs: dict[str, Any]) -> type:
    pytest = importlib.import_module("pytest")
    # Each decorator has a fixture of its own, so that several can stand over one class.
    argument = f"_parameters_{sum(name.startswith('_set_parameters') for name in dir(case))}"

    def set_parameters(self: Any, **given: dict[str, Any]) -> None:
        for name, value in given[argument].items():
            setattr(self, name, value)

    signature = inspect.signature(set_parameters)
    kinds = inspect.Parameter
    own = [kinds("self", kinds.POSITIONAL_OR_KEYWORD), kinds(argument, kinds.POSITIONAL_OR_KEYWORD)]
    set_parameters.__signature__ = signature.replace(parameters=own)  # type: ignore[attr-defined]
    fixture = pytest.fixture(autouse=True)(set_parameters)
    made = type(
        case.__name__,
        (case,),
        {f"_set_parameters{argument}": fixture, "__module__": case.__module__, "__doc__": case.__doc__},
    )
    if named:
        kwargs = {"ids": list(map(_label, params)), **kwargs}
    marked: type = pytest.mark.parametrize(argument, params, **kwargs)(made)
    return marked


# Random numbers

_states: list[Any] = []


def fix_seeds(varied: bool = False) -> None:
    """Fix all random numbers until `give_back_states`; each call needs one of that."""
    _states.append((random.getstate(), np.random.get_state(), cuprum.random.get_random_state()))
    if len(_states) == 1:
        varied = varied or os.environ.get("CUPY_TEST_RANDOM_NONDETERMINISTIC", "0") != "0"
        random.seed(None if varied else 99)
        np.random.seed(None if varied else 100)
        cuprum.random.set_random_state(cuprum.random.RandomState(None if varied else 101))


def give_back_states() -> None:
    """Go on with the random numbers from before `fix_seeds`."""
    plain, numpys, ours = _states.pop()
    if not _states:
        random.setstate(plain)
        np.random.set_state(numpys)
        cuprum.random.set_random_state(ours)


def generate_seed() -> int:
    """Return a seed, within a test that `fix_random` decorates."""
    if not _states:
        raise AssertionError("generate_seed: random numbers are not fixed; decorate the test with fix_random")
    return int(np.random.randint(0x7FFFFFFF))


def fix_random() -> Callable[[Any], Any]:
    """Fix the random numbers of Python, NumPy and Cuprum within a test, or the tests of a class.

    Examples
    --------
    >>> from cuprum.compat.cupy import testing
    >>> @testing.fix_random()
    ... def test_draws(self=None):
    ...     return np.random.rand()
    >>> test_draws() == test_draws()
    True
    """

    def decorate(case: Any) -> Any:
        if isinstance(case, types.FunctionType):

            @functools.wraps(case)
            def fixed(*args: Any, **kwargs: Any) -> Any:
                fix_seeds()
                try:
                    return case(*args, **kwargs)
                finally:
                    give_back_states()

            return fixed
        if not (isinstance(case, type) and issubclass(case, unittest.TestCase)):
            raise ValueError(f"fix_random: cannot be applied to {case!r}")
        set_up, tear_down = case.setUp, case.tearDown

        def fixed_set_up(self: Any) -> None:
            fix_seeds()
            self.addCleanup(give_back_states)
            set_up(self)

        case.setUp = fixed_set_up  # type: ignore[method-assign]
        case.tearDown = tear_down  # type: ignore[method-assign]
        return case

    return decorate


# Conditions


def _skip_unless(condition: bool, reason: str) -> Callable[[Any], Any]:
    try:
        pytest = importlib.import_module("pytest")
    except ImportError:
        return unittest.skipUnless(condition, reason)
    marked: Callable[[Any], Any] = pytest.mark.skipif(not condition, reason=reason)
    return marked


def installed(*specifiers: str) -> bool:
    """Return whether packages are installed in the versions that specifiers such as 'numpy>=1.20' name.

    Examples
    --------
    >>> from cuprum.compat.cupy import testing
    >>> testing.installed("numpy>=1.20"), testing.installed("numpy<1.20")
    (True, False)
    """
    requirements = importlib.import_module("packaging.requirements")
    for specifier in specifiers:
        wanted = requirements.Requirement(specifier)
        try:
            found = importlib.metadata.version(wanted.name)
        except importlib.metadata.PackageNotFoundError:
            owners = importlib.metadata.packages_distributions().get(wanted.name)
            if not owners:
                return False
            found = importlib.metadata.version(owners[0])
        if wanted.specifier and not wanted.specifier.contains(found, prereleases=True):
            return False
    return True


def numpy_satisfies(version_range: str) -> bool:
    """Return whether NumPy's version lies in a range such as '>=1.20'."""
    return installed(f"numpy{version_range}")


def with_requires(*requirements: str) -> Callable[[Any], Any]:
    """Run a test only where packages are installed: `installed` says how they are named."""
    return _skip_unless(installed(*requirements), f"requires: {','.join(requirements)}")


def slow(*args: Any, **kwargs: Any) -> Any:
    """Mark a test as slow, for pytest's `-m`."""
    return importlib.import_module("pytest").mark.slow(*args, **kwargs)


def multi_gpu(gpu_num: int) -> Callable[[Any], Any]:
    """Mark a test that needs several GPUs: it is skipped where there are fewer."""
    if gpu_num < 2:
        raise ValueError(f"multi_gpu: gpu_num must be at least 2, got {gpu_num}")
    limit = int(os.environ.get("CUPY_TEST_GPU_LIMIT", "-1"))
    there = cuprum.cuda.runtime.getDeviceCount() if limit < 0 else limit
    marked = importlib.import_module("pytest").mark.multi_gpu
    skip = _skip_unless(there >= gpu_num, f"{gpu_num} GPUs required")
    return lambda test: skip(marked(test))


@contextlib.contextmanager
def AssertFunctionIsCalled(*args: Any, times_called: int = 1, **kwargs: Any) -> Iterator[None]:
    """Demand that what `unittest.mock.patch` takes the place of is called so often within a block."""
    with mock.patch(*args, **kwargs) as stand_in:
        yield
    if stand_in.call_count != times_called:
        raise AssertionError(f"called {stand_in.call_count} times, not {times_called}")


class _NumpyAlias(unittest.TestCase):
    """A function that stands under the same name in NumPy and in Cuprum."""

    func: str
    args: tuple[Any, ...]

    @property
    def cupy_func(self) -> Any:
        """Cuprum's function."""
        return getattr(cuprum, self.func)

    @property
    def numpy_func(self) -> Any:
        """NumPy's function."""
        return getattr(np, self.func)


class NumpyAliasBasicTestBase(_NumpyAlias):
    """Tests that a function has NumPy's parameters and a documentation of its own."""

    __test__ = False

    def __init_subclass__(cls) -> None:
        cls.__test__ = True

    def test_argspec(self) -> None:
        """The parameters are the same."""
        assert inspect.signature(self.cupy_func) == inspect.signature(self.numpy_func)

    def test_docstring(self) -> None:
        """There is a documentation, and it is not NumPy's."""
        assert self.cupy_func.__doc__
        assert self.cupy_func.__doc__ is not self.numpy_func.__doc__


class NumpyAliasValuesTestBase(_NumpyAlias):
    """Tests that a function gives what NumPy's gives for `self.args`."""

    __test__ = False

    def __init_subclass__(cls) -> None:
        cls.__test__ = True

    def test_values(self) -> None:
        """The values are the same."""
        assert self.cupy_func(*self.args) == self.numpy_func(*self.args)
