"""Reading and writing files.

The formats are NumPy's, and so are their readers and writers: arrays pass through host memory.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .. import _core
from .._core import ndarray
from .._creation.to_host import asnumpy
from .maps import over_map
from .progress import CountedFile, Progress, is_shown

if TYPE_CHECKING:
    from .._typing import ArrayLike


__all__ = [
    "NpzFile",
    "fromfile",
    "fromstring",
    "genfromtxt",
    "load",
    "loadtxt",
    "save",
    "savetxt",
    "savez",
    "savez_compressed",
]


_PROGRESS_MIN_BYTES = 1 << 28
"""Files of at least this size show their progress."""


def _on_host(a: Any) -> Any:
    return asnumpy(a) if isinstance(a, ndarray) else a


def _is_long(file: str | os.PathLike[str]) -> bool:
    """Whether a file holds one large array, and somebody would see the progress of reading it."""
    if not is_shown() or not os.path.isfile(file) or os.path.getsize(file) < _PROGRESS_MIN_BYTES:
        return False
    with open(file, "rb") as opened:
        return opened.read(6) == np.lib.format.MAGIC_PREFIX


def save(file: Any, arr: ArrayLike, allow_pickle: bool = True) -> None:
    """Write an array to a file in NumPy's `.npy` format.

    Parameters
    ----------
    file : str, path or file object
        Where to write; `.npy` is appended to a name without it.
    arr : array_like
        The array.
    allow_pickle : bool, optional
        Accepted for compatibility: numbers are never pickled.

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO()
    >>> cp.save(file, cp.arange(3))
    >>> _ = file.seek(0)
    >>> cp.load(file)
    array([0, 1, 2])
    """
    host = _on_host(arr)
    if (
        isinstance(file, (str, os.PathLike))
        and getattr(host, "nbytes", 0) >= _PROGRESS_MIN_BYTES
        and is_shown()
    ):
        path = os.fspath(file)
        path = path if path.endswith(".npy") else path + ".npy"
        with open(path, "wb") as opened, Progress("save", host.nbytes) as progress:
            np.save(CountedFile(opened, progress), host, allow_pickle=allow_pickle)
        return
    np.save(file, host, allow_pickle=allow_pickle)


def savez(file: Any, *args: Any, allow_pickle: bool = True, **kwds: Any) -> None:
    """Write several arrays to one file in NumPy's `.npz` format, uncompressed.

    Parameters
    ----------
    file : str, path or file object
        Where to write; `.npz` is appended to a name without it.
    *args : array_like
        Arrays that get the names `arr_0`, `arr_1` and so on.
    allow_pickle : bool, optional
        Accepted for compatibility: numbers are never pickled.
    **kwds : array_like
        Arrays with the names of the keywords.

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO()
    >>> cp.savez(file, x=cp.arange(3), y=cp.ones(2))
    >>> _ = file.seek(0)
    >>> cp.load(file)["y"]
    array([1., 1.])
    """
    arrays = {name: _on_host(a) for name, a in kwds.items()}
    np.savez(file, *map(_on_host, args), allow_pickle=allow_pickle, **arrays)


def savez_compressed(file: Any, *args: Any, allow_pickle: bool = True, **kwds: Any) -> None:
    """Write several arrays to one file in NumPy's `.npz` format, compressed.

    Parameters
    ----------
    file : str, path or file object
        Where to write; `.npz` is appended to a name without it.
    *args : array_like
        Arrays that get the names `arr_0`, `arr_1` and so on.
    allow_pickle : bool, optional
        Accepted for compatibility: numbers are never pickled.
    **kwds : array_like
        Arrays with the names of the keywords.

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO()
    >>> cp.savez_compressed(file, cp.arange(3))
    >>> _ = file.seek(0)
    >>> cp.load(file)["arr_0"]
    array([0, 1, 2])
    """
    arrays = {name: _on_host(a) for name, a in kwds.items()}
    np.savez_compressed(file, *map(_on_host, args), allow_pickle=allow_pickle, **arrays)


class NpzFile(Mapping[str, ndarray]):
    """The arrays of an `.npz` file by name, each read when it is asked for.

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO()
    >>> cp.savez(file, x=cp.arange(3))
    >>> _ = file.seek(0)
    >>> with cp.load(file) as arrays:
    ...     print(arrays.files, arrays["x"])
    ['x'] [0 1 2]
    """

    def __init__(self, opened: Any) -> None:
        self._opened = opened

    @property
    def files(self) -> list[str]:
        """The names of the arrays."""
        names: list[str] = self._opened.files
        return names

    def __getitem__(self, name: str) -> ndarray:
        return _core.array(self._opened[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._opened)

    def __len__(self) -> int:
        return len(self._opened)

    def __enter__(self) -> NpzFile:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file.

        Examples
        --------
        >>> import io
        >>> buffer = io.BytesIO()
        >>> cp.savez(buffer, x=cp.arange(3))
        >>> size = buffer.seek(0)
        >>> file = cp.load(buffer)
        >>> file["x"]
        array([0, 1, 2])
        >>> file.close()
        """
        self._opened.close()

    def __repr__(self) -> str:
        return f"NpzFile with keys: {', '.join(self.files)}"


def load(
    file: Any,
    mmap_mode: Literal["r+", "r", "w+", "c"] | None = None,
    allow_pickle: bool = False,
    **kwargs: Any,
) -> ndarray | NpzFile:
    """Read arrays that `save`, `savez` or NumPy's functions of these names wrote.

    Parameters
    ----------
    file : str, path or file object
        What to read.
    mmap_mode : {None, "r+", "r", "w+", "c"}, optional
        Whether to map the file into memory. On the CPU the array lies in the map: pages are read when they
        are used, one expression reads each once, and with "r+" writes go to the file. On a GPU the map is
        read while it is copied; `blocks` goes through a file that is too large for that.
    allow_pickle : bool, optional
        Whether NumPy may unpickle objects in the file.
    **kwargs
        Further keywords of `numpy.load`.

    Returns
    -------
    ndarray or NpzFile
        The array, or for an `.npz` file its arrays by name.

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO()
    >>> cp.save(file, cp.array([1.5, 2.5]))
    >>> _ = file.seek(0)
    >>> cp.load(file)
    array([1.5, 2.5])
    """
    if mmap_mode is None and isinstance(file, (str, os.PathLike)) and _is_long(file):
        with open(file, "rb") as opened, Progress("load", os.path.getsize(file)) as progress:
            counted: Any = CountedFile(opened, progress)
            return _core.array(np.load(counted, allow_pickle=allow_pickle, **kwargs))
    loaded = np.load(file, mmap_mode=mmap_mode, allow_pickle=allow_pickle, **kwargs)
    if isinstance(loaded, np.lib.npyio.NpzFile):
        return NpzFile(loaded)
    if mmap_mode is not None and _core.current_gpu() is None and loaded.dtype.isnative:
        return over_map(loaded, mmap_mode)
    return _core.array(loaded)


def savetxt(fname: Any, X: ArrayLike, *args: Any, **kwargs: Any) -> None:
    """Write an array of one or two dimensions to a text file, a row a line.

    Parameters
    ----------
    fname : str, path or file object
        Where to write; a name that ends in `.gz` is compressed.
    X : array_like
        The array.
    *args, **kwargs
        Further arguments of `numpy.savetxt`: fmt, delimiter, newline, header, footer, comments, encoding.

    Examples
    --------
    >>> import io
    >>> file = io.StringIO()
    >>> cp.savetxt(file, cp.arange(4).reshape(2, 2), fmt="%d", delimiter=",")
    >>> file.getvalue()
    '0,1\\n2,3\\n'
    """
    X = _on_host(X)
    try:
        np.savetxt(fname, X, *args, **kwargs)
    except OSError:
        # Fewer lines would look like a whole file of a smaller array.
        if isinstance(fname, (str, os.PathLike)) and os.path.isfile(fname):
            os.truncate(fname, 0)
        raise


def loadtxt(fname: Any, *args: Any, **kwargs: Any) -> ndarray:
    """Read an array from a text file.

    Parameters
    ----------
    fname : str, path, file object or list of str
        What to read.
    *args, **kwargs
        Further arguments of `numpy.loadtxt`: dtype, comments, delimiter, converters, skiprows, usecols,
        unpack, ndmin, encoding, max_rows, quotechar.

    Returns
    -------
    ndarray
        The numbers.

    Examples
    --------
    >>> cp.loadtxt(["0 1", "2 3"])
    array([[0., 1.],
           [2., 3.]])
    """
    return _core.array(np.loadtxt(fname, *args, **kwargs))


def genfromtxt(fname: Any, *args: Any, **kwargs: Any) -> ndarray:
    """Read an array from a text file in which values may be missing.

    Parameters
    ----------
    fname : str, path, file object or list of str
        What to read.
    *args, **kwargs
        Further arguments of `numpy.genfromtxt`, such as dtype, delimiter, missing_values, filling_values.

    Returns
    -------
    ndarray
        The numbers; missing ones are NaN or the filling value.

    Examples
    --------
    >>> cp.genfromtxt(["1,,3", "4,5,6"], delimiter=",")
    array([[ 1., nan,  3.],
           [ 4.,  5.,  6.]])
    """
    return _core.array(np.genfromtxt(fname, *args, **kwargs))


def fromfile(file: Any, dtype: Any = float, count: Any = -1, sep: Any = "", offset: Any = 0) -> ndarray:
    """Read numbers from a binary or a text file.

    Parameters
    ----------
    file : str, path or file object
        What to read.
    dtype : dtype, optional
        The dtype of the numbers.
    count : int, optional
        How many; all when -1.
    sep : str, optional
        What lies between numbers in a text file; the empty string says that the file is binary.
    offset : int, optional
        How many bytes to skip.

    Returns
    -------
    ndarray
        The numbers, in one dimension.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     _ = file.write(bytes([1, 2, 3]))
    ...     file.flush()
    ...     cp.fromfile(file.name, dtype=cp.uint8)
    array([1, 2, 3], dtype=uint8)
    """
    return _core.array(np.fromfile(file, dtype, count, sep, offset))


def fromstring(string: Any, dtype: Any = float, count: Any = -1, *, sep: Any) -> ndarray:
    """Read numbers from text.

    Parameters
    ----------
    string : str
        The text.
    dtype : dtype, optional
        The dtype of the numbers.
    count : int, optional
        How many; all when -1.
    sep : str
        What lies between numbers.

    Returns
    -------
    ndarray
        The numbers, in one dimension.

    Examples
    --------
    >>> cp.fromstring("1 2 3", dtype=cp.int64, sep=" ")
    array([1, 2, 3])
    """
    return _core.array(np.fromstring(string, dtype, count, sep=sep))
