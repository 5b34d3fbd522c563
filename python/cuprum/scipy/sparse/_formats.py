"""The formats of sparse matrices: their classes, and the conversions from one to another."""

from __future__ import annotations

from typing import Any, ClassVar

__all__ = ["CLASSES", "FORMAT_NAMES", "LINES", "Formats"]

FORMAT_NAMES = {
    "bsr": "Block Sparse Row",
    "coo": "COOrdinate",
    "csc": "Compressed Sparse Column",
    "csr": "Compressed Sparse Row",
    "dia": "DIAgonal",
    "dok": "Dictionary Of Keys",
    "lil": "List of Lists",
}

# The classes by format and kind, filled in where they are defined.
CLASSES: dict[tuple[str, bool], type[Any]] = {}
# Arrays of one axis by format.
LINES: dict[str, type[Any]] = {}


class Formats:
    """A sparse matrix that converts to other formats. Each has its own `tocsr`, and what it does without."""

    format: ClassVar[str] = ""
    _is_array: ClassVar[bool] = False

    def copy(self) -> Any:
        """Return a copy; each format has its own."""
        raise NotImplementedError

    def _as(self, format: str) -> type[Any]:
        """Return the class of a format, of arrays or matrices as this one."""
        return CLASSES[format, self._is_array]

    def tocsr(self, copy: bool = False) -> Any:
        """Return the matrix in compressed rows.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> m.tocsr() is m
        True
        """
        return self.tocoo().tocsr()

    def tocsc(self, copy: bool = False) -> Any:
        """Return the matrix in compressed columns.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> m.tocsc().indices
        array([1, 0], dtype=int32)
        """
        return self.tocsr().tocsc()

    def tocoo(self, copy: bool = False) -> Any:
        """Return the matrix as coordinates and values.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> m.tocoo().row
        array([0, 1], dtype=int32)
        """
        return self.tocsr().tocoo()

    def todia(self, copy: bool = False) -> Any:
        """Return the matrix by its diagonals.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> m.todia().offsets
        array([-1,  1], dtype=int32)
        """
        return self._as("dia")._from_coo(self.tocoo(copy=False))

    def tobsr(self, blocksize: Any = None, copy: bool = False) -> Any:
        """Return the matrix in dense blocks, by default of a shape that the elements nearly fill.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> m.tobsr().format
        'bsr'
        """
        return self._as("bsr")._from_coo(self.tocoo(), blocksize)

    def tolil(self, copy: bool = False) -> Any:
        """Return the matrix in the format that is filled element by element.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> m.tolil().format
        'lil'
        """
        return self._as("lil")._from_csr(self.tocsr()._canonical().copy())

    def todok(self, copy: bool = False) -> Any:
        """Return the matrix in the format that is filled like a dictionary.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> m.todok()[0, 1]
        array(1.)
        """
        return self._as("dok")._from_csr(self.tocsr()._canonical().copy())

    def asformat(self, format: str | None, copy: bool = False) -> Any:
        """Return the matrix in a format: "bsr", "coo", "csc", "csr", "dia", "dok" or "lil".

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> m.asformat("coo").format
        'coo'
        """
        if format is None or format == self.format:
            return self.copy() if copy else self
        if format not in FORMAT_NAMES:
            raise ValueError(f"asformat: Format {format} is unknown; there are {', '.join(FORMAT_NAMES)}")
        return getattr(self, f"to{format}")(copy=copy)
