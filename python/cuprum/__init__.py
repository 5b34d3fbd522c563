"""Cuprum: NumPy's arrays with a core in Rust, fused and run on all cores.

Elementwise work is recorded and runs, in one pass over memory, when somebody looks at a result. Names,
arguments and results are NumPy's.

Examples
--------
>>> import cuprum as cp
>>> a = cp.linspace(0, 1, 5)
>>> cp.sqrt(a**2 + 1).sum()
array(5.81302396)
>>> a[a > 0.5]
array([0.75, 1.  ])
"""

import atexit as _atexit
import importlib as _importlib
from typing import Any as _Any

from numpy import bool

from . import _core
from ._bits import *
from ._choosing import *
from ._convolution import *
from ._core import flatiter, ndarray, ufunc
from ._creation import *
from ._device import *
from ._differences import *
from ._dtypes import *
from ._editing import *
from ._files import *
from ._filled import *
from ._fitting import *
from ._grid_histograms import *
from ._grids import *
from ._histograms import *
from ._indexing import *
from ._info import *
from ._interpolation import *
from ._iteration import *
from ._joining import *
from ._kernels import *
from ._logic import *
from ._manipulation import *
from ._math import *
from ._matrices import *
from ._namespace import __array_namespace_info__
from ._nan_reductions import *
from ._polynomials import *
from ._printing import *
from ._products import *
from ._quantiles import *
from ._ranges import *
from ._rearranging import *
from ._reductions import *
from ._scans import *
from ._sets import *
from ._sorting import *
from ._statistics import *
from ._ufuncs import *
from ._windows import *

_atexit.register(_core.finish_gpus)

__version__: str = _core.__version__

_SUBMODULES = (
    "compat",
    "cuda",
    "exceptions",
    "fft",
    "jit",
    "lib",
    "linalg",
    "polynomial",
    "random",
    "scipy",
    "testing",
)

__all__ = sorted([name for name in globals() if not name.startswith("_")] + ["__array_namespace_info__"])


def __getattr__(name: str) -> _Any:
    """Import submodules that most programs do not need when they are first named."""
    if name in _SUBMODULES:
        return _importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_SUBMODULES})
