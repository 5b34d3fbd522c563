# Written by `make stubs` from the package's own signatures. Do not edit.

import builtins
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Literal, SupportsIndex, TypeAlias

from numpy import (
    False_ as False_,
    True_ as True_,
    bool as bool,
    bool_ as bool_,
    byte as byte,
    cdouble as cdouble,
    complex128 as complex128,
    complex64 as complex64,
    complexfloating as complexfloating,
    csingle as csingle,
    double as double,
    dtype as dtype,
    e as e,
    errstate as errstate,
    euler_gamma as euler_gamma,
    finfo as finfo,
    float16 as float16,
    float32 as float32,
    float64 as float64,
    floating as floating,
    generic as generic,
    geterr as geterr,
    half as half,
    iinfo as iinfo,
    inexact as inexact,
    inf as inf,
    int16 as int16,
    int32 as int32,
    int64 as int64,
    int8 as int8,
    int_ as int_,
    intc as intc,
    integer as integer,
    intp as intp,
    little_endian as little_endian,
    long as long,
    longlong as longlong,
    mintypecode as mintypecode,
    nan as nan,
    ndindex as ndindex,
    newaxis as newaxis,
    number as number,
    pi as pi,
    seterr as seterr,
    short as short,
    signedinteger as signedinteger,
    single as single,
    typename as typename,
    ubyte as ubyte,
    uint as uint,
    uint16 as uint16,
    uint32 as uint32,
    uint64 as uint64,
    uint8 as uint8,
    uintc as uintc,
    uintp as uintp,
    ulong as ulong,
    ulonglong as ulonglong,
    unsignedinteger as unsignedinteger,
    ushort as ushort,
)
from numpy.typing import NDArray

from . import compat as compat
from . import cuda as cuda
from . import exceptions as exceptions
from . import fft as fft
from . import jit as jit
from . import lib as lib
from . import linalg as linalg
from . import polynomial as polynomial
from . import random as random
from . import scipy as scipy
from . import testing as testing

__version__: str
__all__: list[str]

_Array: TypeAlias = Any
_DType: TypeAlias = Any
_Shape: TypeAlias = SupportsIndex | Sequence[SupportsIndex]
_Axis: TypeAlias = SupportsIndex | tuple[SupportsIndex, ...] | None
_Order: TypeAlias = Literal["C", "F", "A", "K"] | None
_Casting: TypeAlias = Literal["no", "equiv", "safe", "same_kind", "unsafe"]

class ndarray:
    """An array of numbers of one dtype, with any number of axes."""

    def __new__(cls, shape: _Shape, dtype: _DType | None = ..., order: _Order = ...) -> ndarray: ...
    def __array__(self, dtype: _DType | None = ..., copy: builtins.bool | None = ...) -> NDArray[Any]: ...
    def __bool__(self) -> builtins.bool: ...
    def __complex__(self) -> complex: ...
    def __contains__(self, value: Any, /) -> builtins.bool: ...
    def __float__(self) -> float: ...
    def __getitem__(self, key: Any, /) -> ndarray: ...
    def __index__(self) -> int: ...
    def __int__(self) -> int: ...
    def __iter__(self) -> Iterator[ndarray]: ...
    def __len__(self) -> int: ...
    def __setitem__(self, key: Any, value: Any, /) -> None: ...
    def __add__(self, other: Any, /) -> ndarray: ...
    def __radd__(self, other: Any, /) -> ndarray: ...
    def __iadd__(self, other: Any, /) -> ndarray: ...
    def __and__(self, other: Any, /) -> ndarray: ...
    def __rand__(self, other: Any, /) -> ndarray: ...
    def __iand__(self, other: Any, /) -> ndarray: ...
    def __floordiv__(self, other: Any, /) -> ndarray: ...
    def __rfloordiv__(self, other: Any, /) -> ndarray: ...
    def __ifloordiv__(self, other: Any, /) -> ndarray: ...
    def __lshift__(self, other: Any, /) -> ndarray: ...
    def __rlshift__(self, other: Any, /) -> ndarray: ...
    def __ilshift__(self, other: Any, /) -> ndarray: ...
    def __matmul__(self, other: Any, /) -> ndarray: ...
    def __rmatmul__(self, other: Any, /) -> ndarray: ...
    def __imatmul__(self, other: Any, /) -> ndarray: ...
    def __mod__(self, other: Any, /) -> ndarray: ...
    def __rmod__(self, other: Any, /) -> ndarray: ...
    def __imod__(self, other: Any, /) -> ndarray: ...
    def __mul__(self, other: Any, /) -> ndarray: ...
    def __rmul__(self, other: Any, /) -> ndarray: ...
    def __imul__(self, other: Any, /) -> ndarray: ...
    def __or__(self, other: Any, /) -> ndarray: ...
    def __ror__(self, other: Any, /) -> ndarray: ...
    def __ior__(self, other: Any, /) -> ndarray: ...
    def __pow__(self, other: Any, /) -> ndarray: ...
    def __rpow__(self, other: Any, /) -> ndarray: ...
    def __ipow__(self, other: Any, /) -> ndarray: ...
    def __rshift__(self, other: Any, /) -> ndarray: ...
    def __rrshift__(self, other: Any, /) -> ndarray: ...
    def __irshift__(self, other: Any, /) -> ndarray: ...
    def __sub__(self, other: Any, /) -> ndarray: ...
    def __rsub__(self, other: Any, /) -> ndarray: ...
    def __isub__(self, other: Any, /) -> ndarray: ...
    def __truediv__(self, other: Any, /) -> ndarray: ...
    def __rtruediv__(self, other: Any, /) -> ndarray: ...
    def __itruediv__(self, other: Any, /) -> ndarray: ...
    def __xor__(self, other: Any, /) -> ndarray: ...
    def __rxor__(self, other: Any, /) -> ndarray: ...
    def __ixor__(self, other: Any, /) -> ndarray: ...
    def __divmod__(self, other: Any, /) -> tuple[ndarray, ndarray]: ...
    def __rdivmod__(self, other: Any, /) -> tuple[ndarray, ndarray]: ...
    def __abs__(self) -> ndarray: ...
    def __invert__(self) -> ndarray: ...
    def __neg__(self) -> ndarray: ...
    def __pos__(self) -> ndarray: ...
    def __ge__(self, other: Any, /) -> ndarray: ...
    def __gt__(self, other: Any, /) -> ndarray: ...
    def __le__(self, other: Any, /) -> ndarray: ...
    def __lt__(self, other: Any, /) -> ndarray: ...
    def __eq__(self, other: Any, /) -> ndarray: ...  # type: ignore[override]
    def __ne__(self, other: Any, /) -> ndarray: ...  # type: ignore[override]
    __hash__: None  # type: ignore[assignment]
    @property
    def T(self) -> ndarray: ...
    def all(
        self,
        /,
        axis: _Axis = ...,
        out: ndarray | None = ...,
        keepdims: builtins.bool = ...,
        *,
        where: Any = ...,
    ) -> ndarray: ...
    def any(
        self,
        /,
        axis: _Axis = ...,
        out: ndarray | None = ...,
        keepdims: builtins.bool = ...,
        *,
        where: Any = ...,
    ) -> ndarray: ...
    def argmax(
        self,
        /,
        axis: _Axis = ...,
        out: ndarray | None = ...,
        *,
        keepdims: builtins.bool = ...,
    ) -> ndarray: ...
    def argmin(
        self,
        /,
        axis: _Axis = ...,
        out: ndarray | None = ...,
        *,
        keepdims: builtins.bool = ...,
    ) -> ndarray: ...
    def argpartition(
        self,
        /,
        kth: Any,
        axis: _Axis = ...,
        kind: Any = ...,
        order: _Order = ...,
    ) -> ndarray: ...
    def argsort(
        self,
        /,
        axis: _Axis = ...,
        kind: Any = ...,
        order: _Order = ...,
        *,
        stable: Any = ...,
    ) -> ndarray: ...
    def astype(
        self,
        /,
        dtype: _DType | None,
        order: _Order = ...,
        casting: _Casting = ...,
        subok: builtins.bool = ...,
        copy: builtins.bool | None = ...,
    ) -> ndarray: ...
    @property
    def base(self) -> ndarray | None: ...
    def byteswap(self, /, inplace: Any = ...) -> ndarray: ...
    def choose(self, /, choices: Any, out: ndarray | None = ..., mode: Any = ...) -> ndarray: ...
    def clip(
        self,
        /,
        min: Any = ...,
        max: Any = ...,
        out: ndarray | None = ...,
        *,
        dtype: _DType | None = ...,
        casting: _Casting = ...,
        order: _Order = ...,
        where: Any = ...,
    ) -> ndarray: ...
    def compress(self, /, condition: Any, axis: _Axis = ..., out: ndarray | None = ...) -> ndarray: ...
    def conj(self, /) -> ndarray: ...
    def conjugate(self, /) -> ndarray: ...
    def copy(self, /, order: _Order = ...) -> ndarray: ...
    @property
    def ctypes(self) -> Any: ...
    def cumprod(
        self,
        /,
        axis: _Axis = ...,
        dtype: _DType | None = ...,
        out: ndarray | None = ...,
    ) -> ndarray: ...
    def cumsum(
        self,
        /,
        axis: _Axis = ...,
        dtype: _DType | None = ...,
        out: ndarray | None = ...,
    ) -> ndarray: ...
    @property
    def data(self) -> Any: ...
    @property
    def device(self) -> Any: ...
    def diagonal(self, /, offset: Any = ..., axis1: Any = ..., axis2: Any = ...) -> ndarray: ...
    def dot(self, /, b: Any, out: ndarray | None = ...) -> ndarray: ...
    @property
    def dtype(self) -> Any: ...
    def dump(self, /, file: Any) -> ndarray: ...
    def dumps(self, /) -> ndarray: ...
    def fill(self, /, value: Any) -> None: ...
    @property
    def flags(self) -> Any: ...
    @property
    def flat(self) -> flatiter: ...
    def flatten(self, /, order: _Order = ...) -> ndarray: ...
    def get(
        self,
        /,
        stream: Any = ...,
        order: _Order = ...,
        out: NDArray[Any] | None = ...,
        blocking: Any = ...,
    ) -> NDArray[Any]: ...
    def getfield(self, /, dtype: _DType | None, offset: Any = ...) -> ndarray: ...
    @property
    def imag(self) -> ndarray: ...
    def item(self, /, *args: Any) -> Any: ...
    @property
    def itemsize(self) -> int: ...
    @property
    def mT(self) -> ndarray: ...
    def max(
        self,
        /,
        axis: _Axis = ...,
        out: ndarray | None = ...,
        keepdims: builtins.bool = ...,
        initial: Any = ...,
        where: Any = ...,
    ) -> ndarray: ...
    def mean(
        self,
        /,
        axis: _Axis = ...,
        dtype: _DType | None = ...,
        out: ndarray | None = ...,
        keepdims: builtins.bool = ...,
        *,
        where: Any = ...,
    ) -> ndarray: ...
    def min(
        self,
        /,
        axis: _Axis = ...,
        out: ndarray | None = ...,
        keepdims: builtins.bool = ...,
        initial: Any = ...,
        where: Any = ...,
    ) -> ndarray: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def ndim(self) -> int: ...
    def nonzero(self, /) -> tuple[ndarray, ...]: ...
    def partition(self, /, kth: Any, axis: _Axis = ..., kind: Any = ..., order: _Order = ...) -> ndarray: ...
    def prod(
        self,
        /,
        axis: _Axis = ...,
        dtype: _DType | None = ...,
        out: ndarray | None = ...,
        keepdims: builtins.bool = ...,
        initial: Any = ...,
        where: Any = ...,
    ) -> ndarray: ...
    def ptp(
        self,
        /,
        axis: _Axis = ...,
        out: ndarray | None = ...,
        keepdims: builtins.bool = ...,
    ) -> ndarray: ...
    def put(self, /, indices: Any, values: Any, mode: Any = ...) -> None: ...
    def ravel(self, /, order: _Order = ...) -> ndarray: ...
    @property
    def real(self) -> ndarray: ...
    def reduced_view(self, /) -> ndarray: ...
    def repeat(self, /, repeats: Any, axis: _Axis = ...) -> ndarray: ...
    def reshape(self, /, *shape: Any, order: _Order = ..., copy: builtins.bool | None = ...) -> ndarray: ...
    def resize(self, /, *new_shape: Any, refcheck: Any = ...) -> None: ...
    def round(self, /, decimals: Any = ..., out: ndarray | None = ...) -> ndarray: ...
    def scatter_add(self, /, slices: Any, value: Any) -> None: ...
    def scatter_max(self, /, slices: Any, value: Any) -> None: ...
    def scatter_min(self, /, slices: Any, value: Any) -> None: ...
    def searchsorted(self, /, v: Any, side: Any = ..., sorter: Any = ...) -> ndarray: ...
    def set(self, /, arr: Any, stream: Any = ...) -> None: ...
    def setfield(self, /, val: Any, dtype: _DType | None, offset: Any = ...) -> None: ...
    def setflags(self, /, write: Any = ..., align: Any = ..., uic: Any = ...) -> ndarray: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def size(self) -> int: ...
    def sort(
        self,
        /,
        axis: _Axis = ...,
        kind: Any = ...,
        order: _Order = ...,
        *,
        stable: Any = ...,
    ) -> ndarray: ...
    def squeeze(self, /, axis: _Axis = ...) -> ndarray: ...
    def std(
        self,
        /,
        axis: _Axis = ...,
        dtype: _DType | None = ...,
        out: ndarray | None = ...,
        ddof: Any = ...,
        keepdims: builtins.bool = ...,
        *,
        where: Any = ...,
        mean: Any = ...,
        correction: Any = ...,
    ) -> ndarray: ...
    @property
    def strides(self) -> tuple[int, ...]: ...
    def sum(
        self,
        /,
        axis: _Axis = ...,
        dtype: _DType | None = ...,
        out: ndarray | None = ...,
        keepdims: builtins.bool = ...,
        initial: Any = ...,
        where: Any = ...,
    ) -> ndarray: ...
    def swapaxes(self, /, axis1: Any, axis2: Any) -> ndarray: ...
    def take(
        self,
        /,
        indices: Any,
        axis: _Axis = ...,
        out: ndarray | None = ...,
        mode: Any = ...,
    ) -> ndarray: ...
    def toDlpack(self, /) -> Any: ...
    def to_device(self, device: Literal["cpu"] | None, /, *, stream: Any = ...) -> ndarray: ...
    def tobytes(self, /, order: _Order = ...) -> bytes: ...
    def tofile(self, /, fid: Any, sep: Any = ..., format: Any = ...) -> ndarray: ...
    def tolist(self, /) -> Any: ...
    def trace(
        self,
        /,
        offset: Any = ...,
        axis1: Any = ...,
        axis2: Any = ...,
        dtype: _DType | None = ...,
        out: ndarray | None = ...,
    ) -> ndarray: ...
    def transpose(self, /, *axes: Any) -> ndarray: ...
    def var(
        self,
        /,
        axis: _Axis = ...,
        dtype: _DType | None = ...,
        out: ndarray | None = ...,
        ddof: Any = ...,
        keepdims: builtins.bool = ...,
        *,
        where: Any = ...,
        mean: Any = ...,
        correction: Any = ...,
    ) -> ndarray: ...
    def view(self, /, dtype: _DType | None = ...) -> ndarray: ...

class ufunc:
    """A function that works element by element, with NumPy's keywords and methods."""

    @property
    def __name__(self) -> str: ...
    @property
    def nin(self) -> int: ...
    @property
    def nout(self) -> int: ...
    @property
    def nargs(self) -> int: ...
    @property
    def ntypes(self) -> int: ...
    @property
    def types(self) -> list[str]: ...
    @property
    def identity(self) -> Any: ...
    @property
    def name(self) -> str: ...
    def resolve_dtypes(
        self,
        dtypes: tuple[Any, ...],
        *,
        signature: Any = ...,
        casting: _Casting | None = ...,
        reduction: builtins.bool = ...,
    ) -> tuple[dtype[Any], ...]: ...
    def __call__(
        self,
        *args: _Array,
        out: ndarray | tuple[ndarray | None, ...] | None = ...,
        where: _Array = ...,
        dtype: _DType | None = ...,
        casting: _Casting = ...,
        order: _Order = ...,
    ) -> Any: ...
    def reduce(
        self,
        array: _Array,
        axis: _Axis = ...,
        dtype: _DType | None = ...,
        out: ndarray | tuple[ndarray] | None = ...,
        keepdims: builtins.bool = ...,
        initial: Any = ...,
        where: _Array = ...,
    ) -> ndarray: ...
    def accumulate(
        self,
        array: _Array,
        axis: SupportsIndex = ...,
        dtype: _DType | None = ...,
        out: ndarray | tuple[ndarray] | None = ...,
    ) -> ndarray: ...
    def reduceat(
        self,
        array: _Array,
        indices: _Array,
        axis: SupportsIndex = ...,
        dtype: _DType | None = ...,
        out: ndarray | tuple[ndarray] | None = ...,
    ) -> ndarray: ...
    def outer(self, A: _Array, B: _Array, /, **kwargs: Any) -> Any: ...
    def at(self, a: ndarray, indices: Any, b: _Array = ..., /) -> None: ...

abs: ufunc
absolute: ufunc
acos: ufunc
acosh: ufunc
add: ufunc
arccos: ufunc
arccosh: ufunc
arcsin: ufunc
arcsinh: ufunc
arctan: ufunc
arctan2: ufunc
arctanh: ufunc
asin: ufunc
asinh: ufunc
atan: ufunc
atan2: ufunc
atanh: ufunc
bitwise_and: ufunc
bitwise_count: ufunc
bitwise_invert: ufunc
bitwise_left_shift: ufunc
bitwise_not: ufunc
bitwise_or: ufunc
bitwise_right_shift: ufunc
bitwise_xor: ufunc
cbrt: ufunc
ceil: ufunc
conj: ufunc
conjugate: ufunc
copysign: ufunc
cos: ufunc
cosh: ufunc
deg2rad: ufunc
degrees: ufunc
divide: ufunc
divmod: ufunc
equal: ufunc
exp: ufunc
exp2: ufunc
expm1: ufunc
fabs: ufunc
float_power: ufunc
floor: ufunc
floor_divide: ufunc
fmax: ufunc
fmin: ufunc
fmod: ufunc
frexp: ufunc
gcd: ufunc
greater: ufunc
greater_equal: ufunc
heaviside: ufunc
hypot: ufunc
invert: ufunc
isfinite: ufunc
isinf: ufunc
isnan: ufunc
lcm: ufunc
ldexp: ufunc
left_shift: ufunc
less: ufunc
less_equal: ufunc
log: ufunc
log10: ufunc
log1p: ufunc
log2: ufunc
logaddexp: ufunc
logaddexp2: ufunc
logical_and: ufunc
logical_not: ufunc
logical_or: ufunc
logical_xor: ufunc
maximum: ufunc
minimum: ufunc
mod: ufunc
modf: ufunc
multiply: ufunc
negative: ufunc
nextafter: ufunc
not_equal: ufunc
positive: ufunc
pow: ufunc
power: ufunc
rad2deg: ufunc
radians: ufunc
reciprocal: ufunc
remainder: ufunc
right_shift: ufunc
rint: ufunc
sign: ufunc
signbit: ufunc
sin: ufunc
sinh: ufunc
spacing: ufunc
sqrt: ufunc
square: ufunc
subtract: ufunc
tan: ufunc
tanh: ufunc
true_divide: ufunc
trunc: ufunc

bfloat16: Any
c_: Any
index_exp: Any
mgrid: Any
ogrid: Any
r_: Any
s_: Any
sctypeDict: Any
typecodes: Any

class ElementwiseKernel:
    def __init__(
        self,
        in_params: Any,
        out_params: Any,
        operation: Any,
        name: Any = ...,
        reduce_dims: Any = ...,
        preamble: Any = ...,
        no_return: Any = ...,
        return_tuple: Any = ...,
        *,
        options: Any = ...,
        loop_prep: Any = ...,
        after_loop: Any = ...,
    ) -> None: ...
    def __call__(self, *args: Any, size: Any = ..., block_size: Any = ..., stream: Any = ...) -> Any: ...
    @property
    def kwargs(self) -> dict[str, Any]: ...
    @property
    def cached_codes(self) -> dict[tuple[Any, ...], str]: ...
    @property
    def cached_code(self) -> str: ...

class NpzFile:
    def __init__(self, opened: Any) -> None: ...
    @property
    def files(self) -> list[str]: ...
    def __iter__(self) -> Iterator[str]: ...
    def close(self) -> None: ...
    def get(self, key: Any, default: Any = ...) -> Any: ...
    def keys(self) -> Any: ...
    def items(self) -> Any: ...
    def values(self) -> Any: ...

class RawKernel:
    def __init__(
        self,
        code: Any,
        name: Any,
        options: Any = ...,
        backend: Any = ...,
        *,
        translate_cucomplex: Any = ...,
        enable_cooperative_groups: Any = ...,
        jitify: Any = ...,
    ) -> None: ...
    def compile(self, log_stream: Any = ...) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def code(self) -> str | None: ...
    @property
    def file_path(self) -> str | None: ...
    @property
    def kernel(self) -> Any: ...
    @property
    def parameters(self) -> list[tuple[Any, ...]] | None: ...
    @property
    def attributes(self) -> dict[str, int]: ...
    @property
    def max_dynamic_shared_size_bytes(self) -> int: ...
    @property
    def preferred_shared_memory_carveout(self) -> int: ...
    @property
    def max_threads_per_block(self) -> int: ...
    @property
    def shared_size_bytes(self) -> int: ...
    @property
    def const_size_bytes(self) -> int: ...
    @property
    def local_size_bytes(self) -> int: ...
    @property
    def num_regs(self) -> int: ...
    @property
    def ptx_version(self) -> int: ...
    @property
    def binary_version(self) -> int: ...
    @property
    def cache_mode_ca(self) -> builtins.bool: ...
    @property
    def options(self) -> tuple[str, ...]: ...
    @property
    def backend(self) -> str: ...
    @property
    def enable_cooperative_groups(self) -> builtins.bool: ...
    def __call__(self, /, *args: Any, **kwargs: Any) -> Any: ...

class RawModule:
    def __init__(
        self,
        *,
        code: Any = ...,
        path: Any = ...,
        options: Any = ...,
        backend: Any = ...,
        translate_cucomplex: Any = ...,
        enable_cooperative_groups: Any = ...,
        name_expressions: Any = ...,
        jitify: Any = ...,
    ) -> None: ...
    def get_function(self, name: Any) -> RawKernel: ...
    def get_global(self, name: Any) -> cuda.MemoryPointer: ...
    def compile(self, log_stream: Any = ...) -> None: ...
    @property
    def code(self) -> str | None: ...
    @property
    def file_path(self) -> str | None: ...
    @property
    def name_expressions(self) -> tuple[str, ...]: ...
    @property
    def module(self) -> Any: ...
    @property
    def options(self) -> tuple[str, ...]: ...
    @property
    def backend(self) -> str: ...
    @property
    def enable_cooperative_groups(self) -> builtins.bool: ...

class ReductionKernel:
    def __init__(
        self,
        in_params: Any,
        out_params: Any,
        map_expr: Any,
        reduce_expr: Any,
        post_map_expr: Any,
        identity: Any,
        name: Any = ...,
        reduce_type: Any = ...,
        reduce_dims: Any = ...,
        preamble: Any = ...,
        options: Any = ...,
    ) -> None: ...
    def __call__(
        self,
        *args: Any,
        out: ndarray | None = ...,
        axis: _Axis = ...,
        keepdims: builtins.bool = ...,
        stream: Any = ...,
    ) -> Any: ...
    @property
    def cached_codes(self) -> dict[tuple[Any, ...], str]: ...
    @property
    def cached_code(self) -> str: ...

class broadcast:
    def __init__(self, *args: Any) -> None: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def ndim(self) -> int: ...
    @property
    def nd(self) -> int: ...
    @property
    def values(self) -> list[ndarray]: ...
    @property
    def size(self) -> int: ...
    @property
    def iters(self) -> tuple[Iterator[Any], ...]: ...
    def reset(self) -> None: ...
    def __iter__(self) -> broadcast: ...
    def __next__(self) -> tuple[Any, ...]: ...
    index: int
    numiter: int

class flatiter:
    def __iter__(self, /) -> Any: ...
    def __next__(self, /) -> Any: ...
    @property
    def base(self) -> Any: ...
    @property
    def coords(self) -> Any: ...
    def copy(self, /) -> Any: ...
    @property
    def index(self) -> Any: ...

class ndenumerate:
    def __init__(self, arr: Any) -> None: ...
    def __next__(self) -> tuple[tuple[int, ...], Any]: ...
    def __iter__(self) -> ndenumerate: ...

class poly1d:
    def __init__(self, c_or_r: Any, r: Any = ..., variable: Any = ...) -> None: ...
    def get(self, stream: Any = ..., order: _Order = ..., out: NDArray[Any] | None = ...) -> Any: ...
    def set(self, polyin: Any, stream: Any = ...) -> None: ...
    @property
    def coeffs(self) -> ndarray: ...
    @property
    def order(self) -> int: ...
    @property
    def roots(self) -> ndarray: ...
    @property
    def variable(self) -> str: ...
    @property
    def c(self) -> ndarray: ...
    @property
    def coef(self) -> ndarray: ...
    @property
    def coefficients(self) -> ndarray: ...
    @property
    def o(self) -> int: ...
    @property
    def r(self) -> ndarray: ...
    def __call__(self, val: Any) -> Any: ...
    def __iter__(self) -> Any: ...
    def deriv(self, m: Any = ...) -> poly1d: ...
    def integ(self, m: Any = ..., k: Any = ...) -> poly1d: ...

class vectorize:
    def __init__(
        self,
        pyfunc: Any,
        otypes: Any = ...,
        doc: Any = ...,
        excluded: Any = ...,
        cache: Any = ...,
        signature: Any = ...,
    ) -> None: ...
    def __call__(self, *args: Any) -> Any: ...

def all(
    a: Any,
    axis: _Axis = ...,
    out: ndarray | None = ...,
    keepdims: builtins.bool = ...,
    *,
    where: Any = ...,
) -> ndarray: ...
def allclose(
    a: Any,
    b: Any,
    rtol: Any = ...,
    atol: Any = ...,
    equal_nan: builtins.bool = ...,
) -> builtins.bool: ...
def angle(z: Any, deg: Any = ...) -> ndarray: ...
def any(
    a: Any,
    axis: _Axis = ...,
    out: ndarray | None = ...,
    keepdims: builtins.bool = ...,
    *,
    where: Any = ...,
) -> ndarray: ...
def append(arr: Any, values: Any, axis: _Axis = ...) -> ndarray: ...
def apply_along_axis(func1d: Any, axis: _Axis, arr: Any, *args: Any, **kwargs: Any) -> ndarray: ...
def apply_over_axes(func: Any, a: Any, axes: Any) -> ndarray: ...
def arange(
    start: Any = ...,
    stop: Any = ...,
    step: Any = ...,
    dtype: _DType | None = ...,
    *,
    device: Literal["cpu"] | None = ...,
) -> ndarray: ...
def argmax(
    a: Any,
    axis: _Axis = ...,
    out: ndarray | None = ...,
    *,
    keepdims: builtins.bool = ...,
) -> ndarray: ...
def argmin(
    a: Any,
    axis: _Axis = ...,
    out: ndarray | None = ...,
    *,
    keepdims: builtins.bool = ...,
) -> ndarray: ...
def argpartition(a: Any, kth: Any, axis: _Axis = ..., kind: Any = ..., order: _Order = ...) -> ndarray: ...
def argsort(
    a: Any,
    axis: _Axis = ...,
    kind: Any = ...,
    order: _Order = ...,
    *,
    stable: Any = ...,
) -> ndarray: ...
def argwhere(a: Any) -> ndarray: ...
def array(
    object: Any,
    dtype: _DType | None = ...,
    *,
    copy: builtins.bool | None = ...,
    order: _Order = ...,
    subok: builtins.bool = ...,
    ndmin: SupportsIndex = ...,
) -> ndarray: ...
def array2string(
    a: Any,
    max_line_width: Any = ...,
    precision: Any = ...,
    suppress_small: Any = ...,
    separator: Any = ...,
    prefix: Any = ...,
    *,
    formatter: Any = ...,
    threshold: Any = ...,
    edgeitems: Any = ...,
    sign: Any = ...,
    floatmode: Any = ...,
    suffix: Any = ...,
    legacy: Any = ...,
) -> str: ...
def array_equal(a1: Any, a2: Any, equal_nan: builtins.bool = ...) -> builtins.bool: ...
def array_equiv(a1: Any, a2: Any) -> builtins.bool: ...
def array_repr(
    arr: Any,
    max_line_width: Any = ...,
    precision: Any = ...,
    suppress_small: Any = ...,
) -> str: ...
def array_split(ary: Any, indices_or_sections: Any, axis: _Axis = ...) -> list[ndarray]: ...
def array_str(a: Any, max_line_width: Any = ..., precision: Any = ..., suppress_small: Any = ...) -> str: ...
def asanyarray(
    a: Any,
    dtype: _DType | None = ...,
    order: _Order = ...,
    *,
    device: Literal["cpu"] | None = ...,
    copy: builtins.bool | None = ...,
) -> ndarray: ...
def asarray(
    a: Any,
    dtype: _DType | None = ...,
    order: _Order = ...,
    *,
    device: Literal["cpu"] | None = ...,
    copy: builtins.bool | None = ...,
) -> ndarray: ...
def asarray_chkfinite(a: Any, dtype: _DType | None = ..., order: _Order = ...) -> ndarray: ...
def ascontiguousarray(a: Any, dtype: _DType | None = ...) -> ndarray: ...
def asfortranarray(a: Any, dtype: _DType | None = ...) -> ndarray: ...
def asnumpy(
    a: Any,
    stream: Any = ...,
    order: _Order = ...,
    out: NDArray[Any] | None = ...,
    blocking: Any = ...,
) -> NDArray[Any]: ...
def astype(
    x: Any,
    dtype: _DType | None,
    /,
    *,
    copy: builtins.bool | None = ...,
    device: Literal["cpu"] | None = ...,
) -> ndarray: ...
def atleast_1d(*arys: Any) -> ndarray | tuple[ndarray, ...]: ...
def atleast_2d(*arys: Any) -> ndarray | tuple[ndarray, ...]: ...
def atleast_3d(*arys: Any) -> ndarray | tuple[ndarray, ...]: ...
def average(
    a: Any,
    axis: _Axis = ...,
    weights: Any = ...,
    returned: builtins.bool = ...,
    *,
    keepdims: builtins.bool = ...,
) -> Any: ...
def bartlett(M: Any) -> ndarray: ...
def base_repr(number: Any, base: Any = ..., padding: Any = ...) -> str: ...
def binary_repr(num: SupportsIndex, width: Any = ...) -> str: ...
def bincount(x: Any, /, weights: Any = ..., minlength: Any = ...) -> ndarray: ...
def blackman(M: Any) -> ndarray: ...
def block(arrays: Any) -> ndarray: ...
def broadcast_arrays(*args: Any, subok: builtins.bool = ...) -> tuple[ndarray, ...]: ...
def broadcast_shapes(*args: Any) -> tuple[int, ...]: ...
def broadcast_to(array: Any, shape: _Shape, subok: builtins.bool = ...) -> ndarray: ...
def can_cast(from_: Any, to: Any, casting: _Casting = ...) -> builtins.bool: ...
def choose(a: Any, choices: Any, out: ndarray | None = ..., mode: Any = ...) -> ndarray: ...
def clear_memo() -> None: ...
def clip(
    a: Any,
    a_min: Any = ...,
    a_max: Any = ...,
    out: ndarray | None = ...,
    *,
    min: Any = ...,
    max: Any = ...,
    **kwargs: Any,
) -> ndarray: ...
def column_stack(tup: Any) -> ndarray: ...
def common_type(*arrays: Any) -> Any: ...
def compress(condition: Any, a: Any, axis: _Axis = ..., out: ndarray | None = ...) -> ndarray: ...
def concatenate(
    arrays: Any,
    /,
    axis: _Axis = ...,
    out: ndarray | None = ...,
    *,
    dtype: _DType | None = ...,
    casting: _Casting = ...,
) -> ndarray: ...
def convolve(a: Any, v: Any, mode: Any = ...) -> ndarray: ...
def copy(a: Any, order: _Order = ..., subok: builtins.bool = ...) -> ndarray: ...
def copyto(dst: Any, src: Any, casting: _Casting = ..., where: Any = ...) -> None: ...
def corrcoef(x: Any, y: Any = ..., rowvar: Any = ..., *, dtype: _DType | None = ...) -> ndarray: ...
def correlate(a: Any, v: Any, mode: Any = ...) -> ndarray: ...
def count_nonzero(a: Any, axis: _Axis = ..., *, keepdims: builtins.bool = ...) -> ndarray: ...
def cov(
    m: Any,
    y: Any = ...,
    rowvar: Any = ...,
    bias: Any = ...,
    ddof: Any = ...,
    fweights: Any = ...,
    aweights: Any = ...,
    *,
    dtype: _DType | None = ...,
) -> ndarray: ...
def cross(
    a: Any,
    b: Any,
    axisa: Any = ...,
    axisb: Any = ...,
    axisc: Any = ...,
    axis: _Axis = ...,
) -> ndarray: ...
def cumprod(a: Any, axis: _Axis = ..., dtype: _DType | None = ..., out: ndarray | None = ...) -> ndarray: ...
def cumsum(a: Any, axis: _Axis = ..., dtype: _DType | None = ..., out: ndarray | None = ...) -> ndarray: ...
def cumulative_prod(
    x: Any,
    /,
    *,
    axis: _Axis = ...,
    dtype: _DType | None = ...,
    out: ndarray | None = ...,
    include_initial: builtins.bool = ...,
) -> ndarray: ...
def cumulative_sum(
    x: Any,
    /,
    *,
    axis: _Axis = ...,
    dtype: _DType | None = ...,
    out: ndarray | None = ...,
    include_initial: builtins.bool = ...,
) -> ndarray: ...
def delete(arr: Any, obj: Any, axis: _Axis = ...) -> ndarray: ...
def diag(v: Any, k: Any = ...) -> ndarray: ...
def diag_indices(n: Any, ndim: Any = ...) -> tuple[ndarray, ...]: ...
def diag_indices_from(arr: Any) -> tuple[ndarray, ...]: ...
def diagflat(v: Any, k: Any = ...) -> ndarray: ...
def diagonal(a: Any, offset: Any = ..., axis1: Any = ..., axis2: Any = ...) -> ndarray: ...
def diff(a: Any, n: Any = ..., axis: _Axis = ..., prepend: Any = ..., append: Any = ...) -> ndarray: ...
def digitize(x: Any, bins: Any, right: Any = ...) -> ndarray: ...
def dot(a: Any, b: Any, out: ndarray | None = ...) -> ndarray: ...
def dsplit(ary: Any, indices_or_sections: Any) -> list[ndarray]: ...
def dstack(tup: Any) -> ndarray: ...
def ediff1d(ary: Any, to_end: Any = ..., to_begin: Any = ...) -> ndarray: ...
def einsum(
    *operands: Any,
    out: ndarray | None = ...,
    dtype: _DType | None = ...,
    optimize: Any = ...,
    **kwargs: Any,
) -> ndarray: ...
def einsum_path(*operands: Any, optimize: Any = ..., einsum_call: Any = ...) -> tuple[list[Any], Any]: ...
def empty(
    shape: _Shape,
    dtype: _DType | None = ...,
    order: _Order = ...,
    *,
    device: Literal["cpu"] | None = ...,
) -> ndarray: ...
def empty_like(
    prototype: Any,
    /,
    dtype: _DType | None = ...,
    order: _Order = ...,
    subok: builtins.bool = ...,
    shape: _Shape | None = ...,
    *,
    device: Literal["cpu"] | None = ...,
) -> ndarray: ...
def expand_dims(a: Any, axis: _Axis) -> ndarray: ...
def extract(condition: Any, arr: Any) -> ndarray: ...
def eye(
    N: Any,
    M: Any = ...,
    k: Any = ...,
    dtype: _DType | None = ...,
    order: _Order = ...,
    *,
    device: Literal["cpu"] | None = ...,
) -> ndarray: ...
def fill_diagonal(a: Any, val: Any, wrap: builtins.bool = ...) -> None: ...
def fix(x: Any, out: ndarray | None = ...) -> ndarray: ...
def flatnonzero(a: Any) -> ndarray: ...
def flip(m: Any, axis: _Axis = ...) -> ndarray: ...
def fliplr(m: Any) -> ndarray: ...
def flipud(m: Any) -> ndarray: ...
def format_float_positional(
    x: Any,
    precision: Any = ...,
    unique: Any = ...,
    fractional: Any = ...,
    trim: Any = ...,
    sign: Any = ...,
    pad_left: Any = ...,
    pad_right: Any = ...,
    min_digits: Any = ...,
) -> str: ...
def format_float_scientific(
    x: Any,
    precision: Any = ...,
    unique: Any = ...,
    trim: Any = ...,
    sign: Any = ...,
    pad_left: Any = ...,
    exp_digits: Any = ...,
    min_digits: Any = ...,
) -> str: ...
def fromDlpack(dltensor: Any) -> ndarray: ...
def from_dlpack(
    x: Any,
    /,
    *,
    device: Literal["cpu"] | None = ...,
    copy: builtins.bool | None = ...,
) -> ndarray: ...
def frombuffer(buffer: Any, dtype: _DType | None = ..., count: Any = ..., offset: Any = ...) -> ndarray: ...
def fromfile(
    file: Any,
    dtype: _DType | None = ...,
    count: Any = ...,
    sep: Any = ...,
    offset: Any = ...,
) -> ndarray: ...
def fromfunction(function: Any, shape: _Shape, *, dtype: _DType | None = ..., **kwargs: Any) -> Any: ...
def fromiter(iter: Any, dtype: _DType | None, count: Any = ...) -> ndarray: ...
def fromstring(string: Any, dtype: _DType | None = ..., count: Any = ..., *, sep: Any) -> ndarray: ...
def full(
    shape: _Shape,
    fill_value: Any,
    dtype: _DType | None = ...,
    order: _Order = ...,
    *,
    device: Literal["cpu"] | None = ...,
) -> ndarray: ...
def full_like(
    a: Any,
    fill_value: Any,
    dtype: _DType | None = ...,
    order: _Order = ...,
    subok: builtins.bool = ...,
    shape: _Shape | None = ...,
    *,
    device: Literal["cpu"] | None = ...,
) -> ndarray: ...
def fuse(*args: Any, **kwargs: Any) -> Any: ...
def fusion_log() -> AbstractContextManager[Sequence[str]]: ...
def genfromtxt(fname: Any, *args: Any, **kwargs: Any) -> ndarray: ...
def geomspace(
    start: Any,
    stop: Any,
    num: SupportsIndex = ...,
    endpoint: builtins.bool = ...,
    dtype: _DType | None = ...,
    axis: _Axis = ...,
) -> ndarray: ...
def get_array_module(*args: Any) -> Any: ...
def get_default_memory_pool() -> cuda.MemoryPool: ...
def get_default_pinned_memory_pool() -> cuda.PinnedMemoryPool: ...
def get_printoptions() -> dict[str, Any]: ...
def gradient(
    f: Any,
    *varargs: Any,
    axis: _Axis = ...,
    edge_order: Any = ...,
) -> ndarray | tuple[ndarray, ...]: ...
def hamming(M: Any) -> ndarray: ...
def hanning(M: Any) -> ndarray: ...
def histogram(
    a: Any,
    bins: Any = ...,
    range: Any = ...,
    density: Any = ...,
    weights: Any = ...,
) -> tuple[ndarray, ndarray]: ...
def histogram2d(
    x: Any,
    y: Any,
    bins: Any = ...,
    range: Any = ...,
    density: Any = ...,
    weights: Any = ...,
) -> tuple[ndarray, ndarray, ndarray]: ...
def histogram_bin_edges(a: Any, bins: Any = ..., range: Any = ..., weights: Any = ...) -> ndarray: ...
def histogramdd(
    sample: Any,
    bins: Any = ...,
    range: Any = ...,
    density: Any = ...,
    weights: Any = ...,
) -> tuple[ndarray, list[ndarray]]: ...
def hsplit(ary: Any, indices_or_sections: Any) -> list[ndarray]: ...
def hstack(tup: Any, *, dtype: _DType | None = ..., casting: _Casting = ...) -> ndarray: ...
def i0(x: Any) -> ndarray: ...
def identity(n: Any, dtype: _DType | None = ...) -> ndarray: ...
def imag(val: Any) -> Any: ...
def in1d(ar1: Any, ar2: Any, assume_unique: Any = ..., invert: Any = ...) -> ndarray: ...
def indices(
    dimensions: Any,
    dtype: _DType | None = ...,
    sparse: builtins.bool = ...,
) -> ndarray | tuple[ndarray, ...]: ...
def info() -> dict[str, Any]: ...
def inner(a: Any, b: Any, /) -> ndarray: ...
def insert(arr: Any, obj: Any, values: Any, axis: _Axis = ...) -> ndarray: ...
def interp(x: Any, xp: Any, fp: Any, left: Any = ..., right: Any = ..., period: Any = ...) -> ndarray: ...
def intersect1d(ar1: Any, ar2: Any, assume_unique: Any = ..., return_indices: Any = ...) -> Any: ...
def is_available() -> builtins.bool: ...
def isclose(a: Any, b: Any, rtol: Any = ..., atol: Any = ..., equal_nan: builtins.bool = ...) -> ndarray: ...
def iscomplex(x: Any) -> ndarray: ...
def iscomplexobj(x: Any) -> builtins.bool: ...
def isdtype(dtype: _DType | None, kind: Any) -> builtins.bool: ...
def isfortran(a: Any) -> builtins.bool: ...
def isin(
    element: Any,
    test_elements: Any,
    assume_unique: Any = ...,
    invert: Any = ...,
    *,
    kind: Any = ...,
) -> ndarray: ...
def isneginf(x: Any, out: ndarray | None = ...) -> ndarray: ...
def isposinf(x: Any, out: ndarray | None = ...) -> ndarray: ...
def isreal(x: Any) -> ndarray: ...
def isrealobj(x: Any) -> builtins.bool: ...
def isscalar(element: Any) -> builtins.bool: ...
def issubdtype(arg1: Any, arg2: Any) -> builtins.bool: ...
def iterable(y: Any) -> builtins.bool: ...
def ix_(*args: Any) -> tuple[ndarray, ...]: ...
def kaiser(M: Any, beta: Any) -> ndarray: ...
def kron(a: Any, b: Any) -> ndarray: ...
def lexsort(keys: Any, axis: _Axis = ...) -> ndarray: ...
def linspace(
    start: Any,
    stop: Any,
    num: SupportsIndex = ...,
    endpoint: builtins.bool = ...,
    retstep: builtins.bool = ...,
    dtype: _DType | None = ...,
    axis: _Axis = ...,
    *,
    device: Literal["cpu"] | None = ...,
) -> ndarray | tuple[ndarray, Any]: ...
def load(file: Any, mmap_mode: Any = ..., allow_pickle: Any = ..., **kwargs: Any) -> ndarray | NpzFile: ...
def loadtxt(fname: Any, *args: Any, **kwargs: Any) -> ndarray: ...
def logspace(
    start: Any,
    stop: Any,
    num: SupportsIndex = ...,
    endpoint: builtins.bool = ...,
    base: Any = ...,
    dtype: _DType | None = ...,
    axis: _Axis = ...,
) -> ndarray: ...
def mask_indices(n: Any, mask_func: Any, k: Any = ...) -> tuple[ndarray, ...]: ...
def matmul(
    x1: Any,
    x2: Any,
    /,
    out: ndarray | None = ...,
    *,
    casting: _Casting = ...,
    order: _Order = ...,
    dtype: _DType | None = ...,
    subok: builtins.bool = ...,
    axes: Any = ...,
) -> ndarray: ...
def matrix_transpose(x: Any, /) -> ndarray: ...
def matvec(x1: Any, x2: Any, /) -> ndarray: ...
def max(
    a: Any,
    axis: _Axis = ...,
    out: ndarray | None = ...,
    keepdims: builtins.bool = ...,
    initial: Any = ...,
    where: Any = ...,
) -> ndarray: ...
def may_share_memory(a: Any, b: Any, /, max_work: Any = ...) -> builtins.bool: ...
def mean(
    a: Any,
    axis: _Axis = ...,
    dtype: _DType | None = ...,
    out: ndarray | None = ...,
    keepdims: builtins.bool = ...,
    *,
    where: Any = ...,
) -> ndarray: ...
def median(
    a: Any,
    axis: _Axis = ...,
    out: ndarray | None = ...,
    overwrite_input: Any = ...,
    keepdims: builtins.bool = ...,
) -> ndarray: ...
def memoize(for_each_device: Any = ...) -> Callable[[Any], Any]: ...
def meshgrid(
    *xi: Any,
    copy: builtins.bool | None = ...,
    sparse: builtins.bool = ...,
    indexing: Any = ...,
) -> tuple[ndarray, ...]: ...
def min(
    a: Any,
    axis: _Axis = ...,
    out: ndarray | None = ...,
    keepdims: builtins.bool = ...,
    initial: Any = ...,
    where: Any = ...,
) -> ndarray: ...
def min_scalar_type(a: Any, /) -> Any: ...
def moveaxis(a: Any, source: _Shape, destination: _Shape) -> ndarray: ...
def nan_to_num(
    x: Any,
    copy: builtins.bool | None = ...,
    nan: Any = ...,
    posinf: Any = ...,
    neginf: Any = ...,
) -> ndarray: ...
def nanargmax(
    a: Any,
    axis: _Axis = ...,
    out: ndarray | None = ...,
    *,
    keepdims: builtins.bool = ...,
) -> ndarray: ...
def nanargmin(
    a: Any,
    axis: _Axis = ...,
    out: ndarray | None = ...,
    *,
    keepdims: builtins.bool = ...,
) -> ndarray: ...
def nancumprod(
    a: Any,
    axis: _Axis = ...,
    dtype: _DType | None = ...,
    out: ndarray | None = ...,
) -> ndarray: ...
def nancumsum(
    a: Any,
    axis: _Axis = ...,
    dtype: _DType | None = ...,
    out: ndarray | None = ...,
) -> ndarray: ...
def nanmax(
    a: Any,
    axis: _Axis = ...,
    out: ndarray | None = ...,
    keepdims: builtins.bool = ...,
    initial: Any = ...,
    where: Any = ...,
) -> ndarray: ...
def nanmean(
    a: Any,
    axis: _Axis = ...,
    dtype: _DType | None = ...,
    out: ndarray | None = ...,
    keepdims: builtins.bool = ...,
    *,
    where: Any = ...,
) -> ndarray: ...
def nanmedian(
    a: Any,
    axis: _Axis = ...,
    out: ndarray | None = ...,
    overwrite_input: Any = ...,
    keepdims: builtins.bool = ...,
) -> ndarray: ...
def nanmin(
    a: Any,
    axis: _Axis = ...,
    out: ndarray | None = ...,
    keepdims: builtins.bool = ...,
    initial: Any = ...,
    where: Any = ...,
) -> ndarray: ...
def nanpercentile(
    a: Any,
    q: Any,
    axis: _Axis = ...,
    out: ndarray | None = ...,
    overwrite_input: Any = ...,
    method: Any = ...,
    keepdims: builtins.bool = ...,
    *,
    weights: Any = ...,
    interpolation: Any = ...,
) -> ndarray: ...
def nanprod(
    a: Any,
    axis: _Axis = ...,
    dtype: _DType | None = ...,
    out: ndarray | None = ...,
    keepdims: builtins.bool = ...,
    initial: Any = ...,
    where: Any = ...,
) -> ndarray: ...
def nanquantile(
    a: Any,
    q: Any,
    axis: _Axis = ...,
    out: ndarray | None = ...,
    overwrite_input: Any = ...,
    method: Any = ...,
    keepdims: builtins.bool = ...,
    *,
    weights: Any = ...,
    interpolation: Any = ...,
) -> ndarray: ...
def nanstd(
    a: Any,
    axis: _Axis = ...,
    dtype: _DType | None = ...,
    out: ndarray | None = ...,
    ddof: Any = ...,
    keepdims: builtins.bool = ...,
    *,
    where: Any = ...,
    mean: Any = ...,
    correction: Any = ...,
) -> ndarray: ...
def nansum(
    a: Any,
    axis: _Axis = ...,
    dtype: _DType | None = ...,
    out: ndarray | None = ...,
    keepdims: builtins.bool = ...,
    initial: Any = ...,
    where: Any = ...,
) -> ndarray: ...
def nanvar(
    a: Any,
    axis: _Axis = ...,
    dtype: _DType | None = ...,
    out: ndarray | None = ...,
    ddof: Any = ...,
    keepdims: builtins.bool = ...,
    *,
    where: Any = ...,
    mean: Any = ...,
    correction: Any = ...,
) -> ndarray: ...
def ndim(a: Any) -> int: ...
def nonzero(a: Any) -> tuple[ndarray, ...]: ...
def ones(
    shape: _Shape,
    dtype: _DType | None = ...,
    order: _Order = ...,
    *,
    device: Literal["cpu"] | None = ...,
) -> ndarray: ...
def ones_like(
    a: Any,
    dtype: _DType | None = ...,
    order: _Order = ...,
    subok: builtins.bool = ...,
    shape: _Shape | None = ...,
    *,
    device: Literal["cpu"] | None = ...,
) -> ndarray: ...
def outer(a: Any, b: Any, out: ndarray | None = ...) -> ndarray: ...
def packbits(a: Any, /, axis: _Axis = ..., bitorder: Any = ...) -> ndarray: ...
def pad(array: Any, pad_width: Any, mode: Any = ..., **kwargs: Any) -> ndarray: ...
def partition(a: Any, kth: Any, axis: _Axis = ..., kind: Any = ..., order: _Order = ...) -> ndarray: ...
def percentile(
    a: Any,
    q: Any,
    axis: _Axis = ...,
    out: ndarray | None = ...,
    overwrite_input: Any = ...,
    method: Any = ...,
    keepdims: builtins.bool = ...,
    *,
    weights: Any = ...,
    interpolation: Any = ...,
) -> ndarray: ...
def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> ndarray: ...
def place(arr: Any, mask: Any, vals: Any) -> None: ...
def poly(seq_of_zeros: Any) -> Any: ...
def polyadd(a1: Any, a2: Any) -> Any: ...
def polyder(p: Any, m: Any = ...) -> Any: ...
def polydiv(u: Any, v: Any) -> tuple[Any, Any]: ...
def polyfit(
    x: Any,
    y: Any,
    deg: Any,
    rcond: Any = ...,
    full: Any = ...,
    w: Any = ...,
    cov: Any = ...,
) -> Any: ...
def polyint(p: Any, m: Any = ..., k: Any = ...) -> Any: ...
def polymul(a1: Any, a2: Any) -> Any: ...
def polysub(a1: Any, a2: Any) -> Any: ...
def polyval(p: Any, x: Any) -> Any: ...
def printoptions(*args: Any, **kwargs: Any) -> AbstractContextManager[dict[str, Any]]: ...
def prod(
    a: Any,
    axis: _Axis = ...,
    dtype: _DType | None = ...,
    out: ndarray | None = ...,
    keepdims: builtins.bool = ...,
    initial: Any = ...,
    where: Any = ...,
) -> ndarray: ...
def promote_types(type1: Any, type2: Any, /) -> Any: ...
def ptp(a: Any, axis: _Axis = ..., out: ndarray | None = ..., keepdims: builtins.bool = ...) -> ndarray: ...
def put(a: Any, ind: Any, v: Any, mode: Any = ...) -> None: ...
def put_along_axis(arr: Any, indices: Any, values: Any, axis: _Axis) -> None: ...
def putmask(a: Any, /, mask: Any, values: Any) -> None: ...
def quantile(
    a: Any,
    q: Any,
    axis: _Axis = ...,
    out: ndarray | None = ...,
    overwrite_input: Any = ...,
    method: Any = ...,
    keepdims: builtins.bool = ...,
    *,
    weights: Any = ...,
    interpolation: Any = ...,
) -> ndarray: ...
def ravel(a: Any, order: _Order = ...) -> ndarray: ...
def ravel_multi_index(multi_index: Any, dims: Any, mode: Any = ..., order: _Order = ...) -> ndarray: ...
def real(val: Any) -> Any: ...
def real_if_close(a: Any, tol: Any = ...) -> ndarray: ...
def repeat(a: Any, repeats: Any, axis: _Axis = ...) -> ndarray: ...
def require(a: Any, dtype: _DType | None = ..., requirements: Any = ...) -> ndarray: ...
def reshape(
    a: Any,
    /,
    shape: _Shape,
    order: _Order = ...,
    *,
    copy: builtins.bool | None = ...,
) -> ndarray: ...
def resize(a: Any, new_shape: Any) -> ndarray: ...
def result_type(*arrays_and_dtypes: Any) -> Any: ...
def roll(a: Any, shift: Any, axis: _Axis = ...) -> ndarray: ...
def rollaxis(a: Any, axis: _Axis, start: Any = ...) -> ndarray: ...
def roots(p: Any) -> ndarray: ...
def rot90(m: Any, k: Any = ..., axes: Any = ...) -> ndarray: ...
def round(a: Any, decimals: Any = ..., out: ndarray | None = ...) -> ndarray: ...
def save(file: Any, arr: Any, allow_pickle: Any = ...) -> None: ...
def savetxt(fname: Any, X: Any, *args: Any, **kwargs: Any) -> None: ...
def savez(file: Any, *args: Any, allow_pickle: Any = ..., **kwds: Any) -> None: ...
def savez_compressed(file: Any, *args: Any, allow_pickle: Any = ..., **kwds: Any) -> None: ...
def searchsorted(a: Any, v: Any, side: Any = ..., sorter: Any = ...) -> ndarray: ...
def select(condlist: Any, choicelist: Any, default: Any = ...) -> ndarray: ...
def set_printoptions(
    precision: Any = ...,
    threshold: Any = ...,
    edgeitems: Any = ...,
    linewidth: Any = ...,
    suppress: Any = ...,
    nanstr: Any = ...,
    infstr: Any = ...,
    formatter: Any = ...,
    sign: Any = ...,
    floatmode: Any = ...,
    *,
    legacy: Any = ...,
    override_repr: Any = ...,
) -> None: ...
def setdiff1d(ar1: Any, ar2: Any, assume_unique: Any = ...) -> ndarray: ...
def setxor1d(ar1: Any, ar2: Any, assume_unique: Any = ...) -> ndarray: ...
def shape(a: Any) -> tuple[int, ...]: ...
def shares_memory(a: Any, b: Any, /, max_work: Any = ...) -> builtins.bool: ...
def show_runtime() -> None: ...
def sinc(x: Any) -> ndarray: ...
def size(a: Any, axis: _Axis = ...) -> int: ...
def sort(
    a: Any,
    axis: _Axis = ...,
    kind: Any = ...,
    order: _Order = ...,
    *,
    stable: Any = ...,
) -> ndarray: ...
def sort_complex(a: Any) -> ndarray: ...
def split(ary: Any, indices_or_sections: Any, axis: _Axis = ...) -> list[ndarray]: ...
def squeeze(a: Any, axis: _Axis = ...) -> ndarray: ...
def stack(
    arrays: Any,
    axis: _Axis = ...,
    out: ndarray | None = ...,
    *,
    dtype: _DType | None = ...,
    casting: _Casting = ...,
) -> ndarray: ...
def std(
    a: Any,
    axis: _Axis = ...,
    dtype: _DType | None = ...,
    out: ndarray | None = ...,
    ddof: Any = ...,
    keepdims: builtins.bool = ...,
    *,
    where: Any = ...,
    mean: Any = ...,
    correction: Any = ...,
) -> ndarray: ...
def sum(
    a: Any,
    axis: _Axis = ...,
    dtype: _DType | None = ...,
    out: ndarray | None = ...,
    keepdims: builtins.bool = ...,
    initial: Any = ...,
    where: Any = ...,
) -> ndarray: ...
def swapaxes(a: Any, axis1: Any, axis2: Any) -> ndarray: ...
def take(a: Any, indices: Any, axis: _Axis = ..., out: ndarray | None = ..., mode: Any = ...) -> ndarray: ...
def take_along_axis(arr: Any, indices: Any, axis: _Axis = ...) -> ndarray: ...
def tensordot(a: Any, b: Any, axes: Any = ...) -> ndarray: ...
def tile(A: Any, reps: Any) -> ndarray: ...
def trace(
    a: Any,
    offset: Any = ...,
    axis1: Any = ...,
    axis2: Any = ...,
    dtype: _DType | None = ...,
    out: ndarray | None = ...,
) -> ndarray: ...
def transpose(a: Any, axes: Any = ...) -> ndarray: ...
def trapezoid(y: Any, x: Any = ..., dx: Any = ..., axis: _Axis = ...) -> ndarray: ...
def tri(N: Any, M: Any = ..., k: Any = ..., dtype: _DType | None = ...) -> ndarray: ...
def tril(m: Any, k: Any = ...) -> ndarray: ...
def tril_indices(n: Any, k: Any = ..., m: Any = ...) -> tuple[ndarray, ndarray]: ...
def tril_indices_from(arr: Any, k: Any = ...) -> tuple[ndarray, ndarray]: ...
def trim_zeros(filt: Any, trim: Any = ..., axis: _Axis = ...) -> Any: ...
def triu(m: Any, k: Any = ...) -> ndarray: ...
def triu_indices(n: Any, k: Any = ..., m: Any = ...) -> tuple[ndarray, ndarray]: ...
def triu_indices_from(arr: Any, k: Any = ...) -> tuple[ndarray, ndarray]: ...
def union1d(ar1: Any, ar2: Any) -> ndarray: ...
def unique(
    ar: Any,
    return_index: Any = ...,
    return_inverse: Any = ...,
    return_counts: Any = ...,
    axis: _Axis = ...,
    *,
    equal_nan: builtins.bool = ...,
    sorted: Any = ...,
) -> Any: ...
def unique_all(x: Any) -> Any: ...
def unique_counts(x: Any) -> Any: ...
def unique_inverse(x: Any) -> Any: ...
def unique_values(x: Any) -> ndarray: ...
def unpackbits(a: Any, /, axis: _Axis = ..., count: Any = ..., bitorder: Any = ...) -> ndarray: ...
def unravel_index(indices: Any, shape: _Shape, order: _Order = ...) -> tuple[ndarray, ...]: ...
def unstack(x: Any, /, *, axis: _Axis = ...) -> tuple[ndarray, ...]: ...
def unwrap(p: Any, discont: Any = ..., axis: _Axis = ..., *, period: Any = ...) -> ndarray: ...
def vander(x: Any, N: Any = ..., increasing: builtins.bool = ...) -> ndarray: ...
def var(
    a: Any,
    axis: _Axis = ...,
    dtype: _DType | None = ...,
    out: ndarray | None = ...,
    ddof: Any = ...,
    keepdims: builtins.bool = ...,
    *,
    where: Any = ...,
    mean: Any = ...,
    correction: Any = ...,
) -> ndarray: ...
def vdot(a: Any, b: Any, /) -> ndarray: ...
def vecdot(x1: Any, x2: Any, /, *, axis: _Axis = ...) -> ndarray: ...
def vecmat(x1: Any, x2: Any, /) -> ndarray: ...
def vsplit(ary: Any, indices_or_sections: Any) -> list[ndarray]: ...
def vstack(tup: Any, *, dtype: _DType | None = ..., casting: _Casting = ...) -> ndarray: ...
def where(condition: Any, x: _Array = ..., y: _Array = ..., /) -> ndarray | tuple[ndarray, ...]: ...
def zeros(
    shape: _Shape,
    dtype: _DType | None = ...,
    order: _Order = ...,
    *,
    device: Literal["cpu"] | None = ...,
) -> ndarray: ...
def zeros_like(
    a: Any,
    dtype: _DType | None = ...,
    order: _Order = ...,
    subok: builtins.bool = ...,
    shape: _Shape | None = ...,
    *,
    device: Literal["cpu"] | None = ...,
) -> ndarray: ...

amax = max
amin = min
around = round
concat = concatenate
permute_dims = transpose
