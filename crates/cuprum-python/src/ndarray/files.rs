//! Methods that write the array to a file: NumPy's writers, fed with a copy on the host.

use cuprum::Order;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::NdArray;
use crate::convert::to_python;

#[pymethods]
impl NdArray {
    /// Writes the elements to a file, as bytes in C order or, with `sep`, as text.
    ///
    /// Examples
    /// --------
    /// >>> import tempfile
    /// >>> with tempfile.NamedTemporaryFile() as file:
    /// ...     cp.arange(3).tofile(file.name, sep=",")
    /// ...     open(file.name).read()
    /// '0,1,2'
    #[pyo3(signature = (fid, sep="", format="%s"))]
    fn tofile(&self, py: Python<'_>, fid: &Bound<'_, PyAny>, sep: &str, format: &str) -> PyResult<()> {
        let host = to_python::numpy_array(py, &self.array(py), Order::C)?;
        host.call_method1("tofile", (fid, sep, format)).map(|_| ())
    }

    /// Pickles the array to a file; `pickle.load` reads it as an array of Cuprum.
    ///
    /// Examples
    /// --------
    /// >>> import pickle, tempfile
    /// >>> with tempfile.NamedTemporaryFile() as file:
    /// ...     cp.arange(3).dump(file.name)
    /// ...     pickle.load(open(file.name, "rb"))
    /// array([0, 1, 2])
    fn dump(slf: &Bound<'_, NdArray>, file: &Bound<'_, PyAny>) -> PyResult<()> {
        let bytes = NdArray::dumps(slf)?;
        if file.hasattr("write")? {
            return file.call_method1("write", (bytes,)).map(|_| ());
        }
        let opened = slf.py().import("builtins")?.call_method1("open", (file, "wb"))?;
        let written = opened.call_method1("write", (bytes,)).map(|_| ());
        opened.call_method0("close")?;
        written
    }

    /// The array as a pickle.
    ///
    /// Examples
    /// --------
    /// >>> import pickle
    /// >>> pickle.loads(cp.arange(3).dumps())
    /// array([0, 1, 2])
    fn dumps<'py>(slf: &Bound<'py, NdArray>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = slf.py().import("pickle")?.call_method1("dumps", (slf, 2))?;
        Ok(bytes.cast_into::<PyBytes>()?)
    }
}
