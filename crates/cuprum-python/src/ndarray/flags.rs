//! `ndarray.flags`: read by attribute or by NumPy's names, `writeable` can be set.

use cuprum::Array;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;

use super::NdArray;

/// How an array's elements lie in memory, and whether they may be written.
#[pyclass(name = "flagsobj", module = "cuprum", frozen)]
pub struct Flags {
    array: Py<NdArray>,
}

impl Flags {
    /// The flags of an array.
    pub fn new(array: Py<NdArray>) -> Flags {
        Flags { array }
    }

    fn read(&self, py: Python<'_>, name: &str) -> Option<bool> {
        let owner = self.array.get();
        let array = owner.array(py);
        let (c, f) = (array.is_contiguous(), array.is_fortran());
        let (writeable, aligned) = (array.is_writeable(), is_aligned(&array));
        Some(match name {
            "C_CONTIGUOUS" | "C" | "CONTIGUOUS" => c,
            "F_CONTIGUOUS" | "F" | "FORTRAN" => f,
            "OWNDATA" | "O" => owner.base.is_none(),
            "WRITEABLE" | "W" => writeable,
            "ALIGNED" | "A" => aligned,
            "WRITEBACKIFCOPY" | "X" => false,
            "FNC" => f && !c,
            "FORC" => f || c,
            "BEHAVED" | "B" => aligned && writeable,
            "CARRAY" | "CA" => aligned && writeable && c,
            "FARRAY" | "FA" => aligned && writeable && f && !c,
            _ => return None,
        })
    }

    fn known(&self, py: Python<'_>, name: &str) -> bool {
        self.read(py, name).unwrap_or(false)
    }
}

fn is_aligned(array: &Array) -> bool {
    let item = array.dtype().real().size();
    let start = array.layout().offset;
    start.is_multiple_of(item) && array.strides().iter().all(|s| s.unsigned_abs().is_multiple_of(item))
}

#[pymethods]
impl Flags {
    /// Whether rows lie together without gaps.
    #[getter]
    fn c_contiguous(&self, py: Python<'_>) -> bool {
        self.known(py, "C")
    }

    /// Whether rows lie together without gaps.
    #[getter]
    fn contiguous(&self, py: Python<'_>) -> bool {
        self.known(py, "C")
    }

    /// Whether columns lie together without gaps.
    #[getter]
    fn f_contiguous(&self, py: Python<'_>) -> bool {
        self.known(py, "F")
    }

    /// Whether the array is no view of another.
    #[getter]
    fn owndata(&self, py: Python<'_>) -> bool {
        self.known(py, "O")
    }

    /// Whether the elements may be written; can be set.
    #[getter]
    fn writeable(&self, py: Python<'_>) -> bool {
        self.known(py, "W")
    }

    #[setter]
    fn set_writeable(&self, py: Python<'_>, value: bool) -> PyResult<()> {
        let owner = self.array.get();
        let base_allows = owner.base.as_ref().is_none_or(|b| b.get().lock(py).is_writeable());
        if value && !base_allows {
            return Err(PyValueError::new_err("cannot set WRITEABLE flag to True of this array"));
        }
        let array = owner.array(py).with_writeable(value);
        owner.replace(py, array);
        Ok(())
    }

    /// Whether every element's address is a multiple of its size.
    #[getter]
    fn aligned(&self, py: Python<'_>) -> bool {
        self.known(py, "A")
    }

    /// Whether a copy is written back on release; never.
    #[getter]
    fn writebackifcopy(&self, py: Python<'_>) -> bool {
        self.known(py, "X")
    }

    /// F-contiguous and not C-contiguous.
    #[getter]
    fn fnc(&self, py: Python<'_>) -> bool {
        self.known(py, "FNC")
    }

    /// F-contiguous or C-contiguous.
    #[getter]
    fn forc(&self, py: Python<'_>) -> bool {
        self.known(py, "FORC")
    }

    /// Aligned and writeable.
    #[getter]
    fn behaved(&self, py: Python<'_>) -> bool {
        self.known(py, "B")
    }

    /// Behaved and C-contiguous.
    #[getter]
    fn carray(&self, py: Python<'_>) -> bool {
        self.known(py, "CA")
    }

    /// Behaved, F-contiguous and not C-contiguous.
    #[getter]
    fn farray(&self, py: Python<'_>) -> bool {
        self.known(py, "FA")
    }

    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<bool> {
        self.read(py, name).ok_or_else(|| PyKeyError::new_err("Unknown flag"))
    }

    fn __setitem__(&self, py: Python<'_>, name: &str, value: bool) -> PyResult<()> {
        match name {
            "WRITEABLE" | "W" => self.set_writeable(py, value),
            _ => Err(PyKeyError::new_err("Unknown flag, or one that cannot be set")),
        }
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Flags>() else { return false };
        let names = ["C", "F", "O", "W", "A", "X"];
        names.iter().all(|name| self.read(py, name) == other.get().read(py, name))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let names = ["C_CONTIGUOUS", "F_CONTIGUOUS", "OWNDATA", "WRITEABLE", "ALIGNED", "WRITEBACKIFCOPY"];
        let shown =
            |name: &&str| format!("  {name} : {}", if self.known(py, name) { "True" } else { "False" });
        names.iter().map(shown).collect::<Vec<_>>().join("\n")
    }
}
