"""The module that `import cupy.testing` gives: Cuprum's assertions, and CuPy's decorators for tests that run
with NumPy and with it.
"""

from __future__ import annotations

from typing import Any

from cuprum.testing import (
    assert_allclose,
    assert_almost_equal,
    assert_approx_equal,
    assert_array_almost_equal,
    assert_array_almost_equal_nulp,
    assert_array_equal,
    assert_array_less,
    assert_array_max_ulp,
    assert_equal,
    assert_raises,
    assert_raises_regex,
    assert_warns,
)

from . import _cases, _comparisons, _data, _random, _repetitions  # noqa: F401
from ._cases import *  # noqa: F403
from ._comparisons import *  # noqa: F403
from ._data import *  # noqa: F403
from ._repetitions import *  # noqa: F403

__all__ = [
    "assert_allclose",
    "assert_almost_equal",
    "assert_approx_equal",
    "assert_array_almost_equal",
    "assert_array_almost_equal_nulp",
    "assert_array_equal",
    "assert_array_less",
    "assert_array_list_equal",
    "assert_array_max_ulp",
    "assert_equal",
    "assert_raises",
    "assert_raises_regex",
    "assert_warns",
]
__all__ += [*_cases.__all__, *_comparisons.__all__, *_data.__all__, *_repetitions.__all__]


def assert_array_list_equal(xlist: Any, ylist: Any, err_msg: str = "", verbose: bool = True) -> None:
    """Raise an AssertionError unless two lists hold equal arrays.

    Examples
    --------
    >>> from cuprum.compat.cupy import testing
    >>> testing.assert_array_list_equal([cp.arange(2)], [np.arange(2)])
    """
    if type(xlist) is not type(ylist):
        raise AssertionError(f"the lists have different types: {type(xlist)} and {type(ylist)}")
    if len(xlist) != len(ylist):
        raise AssertionError(f"the lists have {len(xlist)} and {len(ylist)} arrays")
    for x, y in zip(xlist, ylist, strict=True):
        assert_array_equal(x, y, err_msg=err_msg)
