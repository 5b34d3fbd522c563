"""Morphology of images: erosion and dilation, and what is made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..._convert import as_array
from ..._core import ndarray
from ..._dtypes import kind_of
from ..._errors import names_itself
from ._arguments import filtered_axes, for_axes, on_host
from ._documentation import documented
from ._windows import extremum_filter

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = [
    "black_tophat",
    "grey_closing",
    "grey_dilation",
    "grey_erosion",
    "grey_opening",
    "morphological_gradient",
    "morphological_laplace",
    "white_tophat",
]


@documented
def grey_erosion(
    input: Any,
    size: Any = None,
    footprint: Any = None,
    structure: ArrayLike | None = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> ndarray:
    """Return the smallest element of each window, less the structure where there is one.

    Parameters
    ----------
    {input}
    {window}
    structure : array_like, optional
        What is taken from each element of the window before they are compared.
    {output}
    {modes}
    {cval}
    {origins}
    {axes}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.grey_erosion(cp.array([5, 1, 7, 9, 8]), size=3)
    array([1, 1, 1, 7, 8])
    """
    if size is None and footprint is None and structure is None:
        raise ValueError("grey_erosion: size, footprint, or structure must be specified")
    if structure is not None:
        structure = -on_host(structure).astype(np.float64)
    return extremum_filter(
        "grey_erosion", False, input, size, footprint, structure, output, mode, cval, origin, axes
    )


@documented
def grey_dilation(
    input: Any,
    size: Any = None,
    footprint: Any = None,
    structure: Any = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> ndarray:
    """Return the largest element of each window turned around, plus the structure where there is one.

    Parameters
    ----------
    {input}
    {window}
    structure : array_like, optional
        What is added to each element of the window before they are compared.
    {output}
    {modes}
    {cval}
    {origins}
    {axes}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.grey_dilation(cp.array([5, 1, 7, 9, 8]), size=3)
    array([5, 7, 9, 9, 9])
    """
    if size is None and footprint is None and structure is None:
        raise ValueError("grey_dilation: size, footprint, or structure must be specified")
    a = as_array(input)
    chosen = filtered_axes("grey_dilation", axes, a.ndim)
    origins = for_axes("grey_dilation", "origin", origin, len(chosen))
    if structure is not None:
        structure = np.flip(on_host(structure).astype(np.float64))
    if footprint is not None:
        footprint = np.flip(on_host(footprint))
    if footprint is not None or structure is not None:
        sizes = (structure if footprint is None else footprint).shape
    else:
        sizes = for_axes("grey_dilation", "size", size, len(chosen))
    moved = [-one - (length % 2 == 0) for one, length in zip(origins, sizes, strict=False)]
    return extremum_filter(
        "grey_dilation", True, a, size, footprint, structure, output, mode, cval, moved, chosen
    )


@documented
@names_itself
def grey_opening(
    input: Any,
    size: Any = None,
    footprint: Any = None,
    structure: ArrayLike | None = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> ndarray:
    """Return the dilation of the erosion: bright places smaller than the window vanish.

    Parameters
    ----------
    {input}
    {window}
    structure : array_like, optional
        What is taken from each element of the window, and added again.
    {output}
    {modes}
    {cval}
    {origins}
    {axes}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.grey_opening(cp.array([1, 1, 9, 1, 5, 5, 5]), size=3)
    array([1, 1, 1, 1, 5, 5, 5])
    """
    eroded = grey_erosion(input, size, footprint, structure, None, mode, cval, origin, axes=axes)
    return grey_dilation(eroded, size, footprint, structure, output, mode, cval, origin, axes=axes)


@documented
@names_itself
def grey_closing(
    input: Any,
    size: Any = None,
    footprint: Any = None,
    structure: ArrayLike | None = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> ndarray:
    """Return the erosion of the dilation: dark places smaller than the window vanish.

    Parameters
    ----------
    {input}
    {window}
    structure : array_like, optional
        What is added to each element of the window, and taken away again.
    {output}
    {modes}
    {cval}
    {origins}
    {axes}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.grey_closing(cp.array([9, 9, 1, 9, 5, 5, 5]), size=3)
    array([9, 9, 9, 9, 5, 5, 5])
    """
    dilated = grey_dilation(input, size, footprint, structure, None, mode, cval, origin, axes=axes)
    return grey_erosion(dilated, size, footprint, structure, output, mode, cval, origin, axes=axes)


@documented
@names_itself
def morphological_gradient(
    input: Any,
    size: Any = None,
    footprint: Any = None,
    structure: ArrayLike | None = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> ndarray:
    """Return the dilation less the erosion: how far apart the elements of each window are.

    Parameters
    ----------
    {input}
    {window}
    structure : array_like, optional
        What is added to, and taken from, each element of the window.
    {output}
    {modes}
    {cval}
    {origins}
    {axes}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.morphological_gradient(cp.array([1, 1, 4, 4, 4]), size=3)
    array([0, 3, 3, 0, 0])
    """
    window = (size, footprint, structure)
    dilated = grey_dilation(input, *window, None, mode, cval, origin, axes=axes)
    if isinstance(output, ndarray):
        grey_erosion(input, *window, output, mode, cval, origin, axes=axes)
        output[...] = dilated - output
        return output
    return dilated - grey_erosion(input, *window, None, mode, cval, origin, axes=axes)


@documented
@names_itself
def morphological_laplace(
    input: Any,
    size: Any = None,
    footprint: Any = None,
    structure: ArrayLike | None = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> ndarray:
    """Return the dilation plus the erosion less twice the array.

    Parameters
    ----------
    {input}
    {window}
    structure : array_like, optional
        What is added to, and taken from, each element of the window.
    {output}
    {modes}
    {cval}
    {origins}
    {axes}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.morphological_laplace(cp.array([1, 1, 4, 4, 4]), size=3)
    array([ 0,  3, -3,  0,  0])
    """
    a = as_array(input)
    window = (size, footprint, structure)
    dilated = grey_dilation(a, *window, None, mode, cval, origin, axes=axes)
    if isinstance(output, ndarray):
        grey_erosion(a, *window, output, mode, cval, origin, axes=axes)
        output[...] = dilated + output - a - a
        return output
    return dilated + grey_erosion(a, *window, None, mode, cval, origin, axes=axes) - a - a


def _tophat(a: ndarray, result: ndarray, black: bool) -> ndarray:
    """Put the difference of an array and its opening, or of its closing and it, into the latter."""
    if kind_of(a.dtype) == kind_of(result.dtype) == "b":
        result[...] = a ^ result
    else:
        result[...] = (result - a if black else a - result).astype(result.dtype)
    return result


@documented
@names_itself
def white_tophat(
    input: Any,
    size: Any = None,
    footprint: Any = None,
    structure: ArrayLike | None = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> ndarray:
    """Return the array less its opening: what is bright and smaller than the window.

    Parameters
    ----------
    {input}
    {window}
    structure : array_like, optional
        What is taken from each element of the window, and added again.
    {output}
    {modes}
    {cval}
    {origins}
    {axes}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.white_tophat(cp.array([1, 1, 9, 1, 5, 5, 5]), size=3)
    array([0, 0, 8, 0, 0, 0, 0])
    """
    a = as_array(input)
    a = a.copy() if a is output else a
    result = grey_opening(a, size, footprint, structure, output, mode, cval, origin, axes=axes)
    return _tophat(a, result, black=False)


@documented
@names_itself
def black_tophat(
    input: Any,
    size: Any = None,
    footprint: Any = None,
    structure: ArrayLike | None = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> ndarray:
    """Return the closing less the array: what is dark and smaller than the window.

    Parameters
    ----------
    {input}
    {window}
    structure : array_like, optional
        What is added to each element of the window, and taken away again.
    {output}
    {modes}
    {cval}
    {origins}
    {axes}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.black_tophat(cp.array([9, 9, 1, 9, 5, 5, 5]), size=3)
    array([0, 0, 8, 0, 0, 0, 0])
    """
    a = as_array(input)
    a = a.copy() if a is output else a
    result = grey_closing(a, size, footprint, structure, output, mode, cval, origin, axes=axes)
    return _tophat(a, result, black=True)
