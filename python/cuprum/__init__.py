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
import os as _os
import typing as _t

import numpy as _np
from numpy import bool as bool

from . import _core
from . import _forks as _forks
from . import _imports as _watched_imports
from . import _interpreter as _interpreter
from ._core import flatiter as flatiter
from ._core import ndarray as ndarray
from ._core import ufunc as ufunc
from ._dtypes import *
from ._names import MODULES as _MODULES
from ._ufuncs import *

_atexit.register(_core.finish_gpus)

__version__: str = _core.__version__
__array_api_version__ = "2024.12"

_SUBMODULES = (
    "compat",
    "cuda",
    "dask",
    "distributed",
    "exceptions",
    "fft",
    "jit",
    "lib",
    "linalg",
    "polynomial",
    "random",
    "scipy",
    "testing",
    "typing",
)

if _t.TYPE_CHECKING:
    # A private module named here is loaded when one of its names is first used: `make stubs` writes the names
    # to `_names.py`.
    from . import compat as compat
    from . import cuda as cuda
    from . import dask as dask
    from . import distributed as distributed
    from . import exceptions as exceptions
    from . import fft as fft
    from . import jit as jit
    from . import lib as lib
    from . import linalg as linalg
    from . import polynomial as polynomial
    from . import random as random
    from . import scipy as scipy
    from . import testing as testing
    from . import typing as typing
    from ._alignment import *
    from ._binary.packing import *
    from ._creation.fill import *
    from ._creation.from_data import *
    from ._creation.grids import *
    from ._creation.matrices import *
    from ._creation.ranges import *
    from ._creation.to_host import *
    from ._environment.info import *
    from ._environment.memory_pools import *
    from ._environment.namespace import __array_namespace_info__ as __array_namespace_info__
    from ._environment.notebook import *
    from ._environment.profiling import *
    from ._environment.settings import *
    from ._indexing.indexing import *
    from ._indexing.iterate import *
    from ._indexing.select import *
    from ._io.files import *
    from ._io.printing import *
    from ._io.streaming import *
    from ._kernels import *
    from ._logic.comparison import *
    from ._logic.content import *
    from ._logic.type_testing import *
    from ._manipulation.insert_delete import *
    from ._manipulation.join import *
    from ._manipulation.rearrange import *
    from ._manipulation.shape import *
    from ._math.calculus import *
    from ._math.convolution import *
    from ._math.cumulative import *
    from ._math.elementwise import *
    from ._math.interpolation import *
    from ._math.products import *
    from ._math.windows import *
    from ._polynomial.fit import *
    from ._polynomial.poly1d import *
    from ._sorting.sets import *
    from ._sorting.sort import *
    from ._statistics.averages import *
    from ._statistics.correlation import *
    from ._statistics.grid_histograms import *
    from ._statistics.histograms import *
    from ._statistics.medians import *
    from ._statistics.nan_reductions import *
    from ._statistics.quantiles import *
    from ._statistics.reductions import *
else:
    # Hidden from type checkers: to them a module with `__getattr__` has every name.
    _MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}
    __all__ = sorted([*(name for name in globals() if not name.startswith("_")), *_MODULE_OF])

    def __getattr__(name: str) -> _t.Any:
        """Load the module of a name, or a submodule, when it is first used."""
        if name in _MODULE_OF:
            value = getattr(_forks.load(f"{__name__}.{_MODULE_OF[name]}"), name)
            globals()[name] = value
            return value
        if name in _SUBMODULES:
            return _forks.load(f"{__name__}.{name}")
        if name == "special":
            # Where SciPy's own special functions look for those of an array namespace.
            return _forks.load(f"{__name__}.scipy.special")
        from ._former_names import instead

        if (now := instead(name)) is not None:
            hint = f": an old name of NumPy's; write {now}"
        else:
            hint = "" if name not in dir(_np) else f": numpy.{name} has no counterpart here"
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{hint}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *_MODULE_OF, *_SUBMODULES})


_watched_imports.watch()

if [name for name in _os.environ if name.startswith("CUPRUM_")]:
    from ._variables import warn_of_unknown as _warn_of_unknown

    _warn_of_unknown(stacklevel=2)
