"""Structures whose fields lie where a GPU can read them."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["make_aligned_dtype"]

# What a nested structure was aligned for, where that is more than its fields need.
_KEY = "__cuda_alignment__"


def _asked(dtype: np.dtype[Any]) -> Any:
    """Return the alignment that a dtype was made with, if any."""
    return None if dtype.metadata is None else dtype.metadata.get(_KEY)


def alignment_of(dtype: np.dtype[Any]) -> int:
    """Return the bytes that the address of an element must be a multiple of on a GPU."""
    asked = _asked(dtype)
    if asked is not None:
        return int(asked)
    if dtype.subdtype is not None:
        return alignment_of(dtype.subdtype[0])
    if dtype.fields is not None:
        return max((alignment_of(field[0]) for field in dtype.fields.values()), default=1)
    return 1 if dtype.kind == "V" else dtype.itemsize


def _aligned(dtype: np.dtype[Any], recurse: bool) -> tuple[np.dtype[Any], int]:
    """Return a dtype with its fields where they are aligned, and the alignment of the whole."""
    if dtype.subdtype is not None:
        element, alignment = _aligned(dtype.subdtype[0], recurse)
        return np.dtype((element, dtype.subdtype[1])), alignment
    if dtype.fields is None:
        return dtype, alignment_of(dtype)
    names, offsets, formats = [], [], []
    end, before, alignment = 0, 0, 1
    for name in dtype.names or ():
        field, offset = dtype.fields[name][:2]
        if offset < before:
            raise ValueError(
                "make_aligned_dtype: only supports fields in the order of their offsets, "
                f"got {name!r} at {offset} after {before} bytes"
            )
        before = offset + field.itemsize
        if _asked(field) is not None or (field.fields is not None and not recurse):
            needed = alignment_of(field)
        else:
            field, needed = _aligned(field, recurse)
        end += -end % needed
        alignment = max(alignment, needed)
        names.append(name)
        offsets.append(end)
        formats.append(field)
        end += field.itemsize
    whole = end + -end % alignment
    layout = {"names": names, "offsets": offsets, "formats": formats, "itemsize": whole}
    return np.dtype(layout, align=True), alignment  # type: ignore[call-overload]


def make_aligned_dtype(dtype: Any, *, alignment: int = -1, recurse: bool = True) -> np.dtype[Any]:
    """Return a structured dtype whose fields are aligned as a GPU needs them, complex numbers by their size.

    Parameters
    ----------
    dtype : dtype
        A structured dtype, or anything that NumPy makes one of.
    alignment : int, optional
        A power of two that elements shall be aligned to, at least what the fields need; it is kept as
        metadata of the dtype. What the fields need when -1.
    recurse : bool, optional
        Whether structures in structures are laid out anew too.

    Returns
    -------
    numpy.dtype
        The dtype.

    Examples
    --------
    >>> cp.make_aligned_dtype("?,c8").itemsize
    16
    """
    given = np.dtype(dtype, align=True)
    if given.fields is None:
        raise ValueError(f"make_aligned_dtype: only supports structured dtypes, got {given}")
    if alignment != -1 and (alignment <= 0 or alignment & (alignment - 1)):
        raise ValueError(f"make_aligned_dtype: alignment must be a power of two, got {alignment}")
    made, needed = _aligned(given, recurse)
    if alignment == -1:
        return made
    if alignment < needed:
        raise ValueError(
            f"make_aligned_dtype: alignment {alignment} is smaller than what the fields need, {needed}"
        )
    fields: Any = made.fields
    layout = {
        "names": list(made.names or ()),
        "offsets": [fields[name][1] for name in made.names or ()],
        "formats": [fields[name][0] for name in made.names or ()],
        "itemsize": made.itemsize + -made.itemsize % alignment,
    }
    return np.dtype(layout, align=True, metadata={_KEY: alignment})  # type: ignore[call-overload,no-any-return]
