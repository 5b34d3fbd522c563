//! `numpy.dtype` and back. Dtypes of arrays are NumPy's own objects; bfloat16 is whatever object the package names.

use cuprum::DType;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyString};

use crate::numpy::numpy;

static DTYPES: PyOnceLock<Vec<Py<PyAny>>> = PyOnceLock::new();
static SCALAR_TYPES: PyOnceLock<Vec<Py<PyAny>>> = PyOnceLock::new();
static BFLOAT16: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Names the object that stands for bfloat16; the package calls this once.
#[pyfunction]
pub fn set_bfloat16(py: Python<'_>, dtype: Py<PyAny>) {
    // A second call would leave arrays with two names for one dtype: the first stays.
    let _ = BFLOAT16.set(py, dtype);
}

/// NumPy's singletons, in the order of `DType::ALL`; bfloat16's place is held by `None`.
fn dtypes(py: Python<'_>) -> PyResult<&'static Vec<Py<PyAny>>> {
    DTYPES.get_or_try_init(py, || {
        let class = numpy(py)?.dtype.bind(py);
        DType::ALL
            .iter()
            .map(|d| if *d == DType::BF16 { Ok(py.None()) } else { Ok(class.call1((d.name(),))?.unbind()) })
            .collect()
    })
}

fn scalar_types(py: Python<'_>) -> PyResult<&'static Vec<Py<PyAny>>> {
    SCALAR_TYPES.get_or_try_init(py, || {
        let singletons = dtypes(py)?;
        DType::ALL
            .iter()
            .map(|d| {
                let known = *d != DType::BF16;
                if known { Ok(singletons[*d as usize].getattr(py, "type")?) } else { Ok(py.None()) }
            })
            .collect()
    })
}

/// The dtype of a scalar of one of NumPy's classes of numbers, known by the class alone; `None` for anything else.
pub fn of_scalar(object: &Bound<'_, PyAny>) -> PyResult<Option<DType>> {
    let class = object.get_type_ptr().cast();
    let place = scalar_types(object.py())?.iter().position(|own| own.as_ptr() == class);
    Ok(place.map(|i| DType::ALL[i]))
}

/// The Python object of a dtype.
pub fn to_python(py: Python<'_>, dtype: DType) -> PyResult<Py<PyAny>> {
    if dtype == DType::BF16 {
        return BFLOAT16
            .get(py)
            .map(|d| d.clone_ref(py))
            .ok_or_else(|| PyTypeError::new_err("bfloat16 arrays need the cuprum package"));
    }
    Ok(dtypes(py)?[dtype as usize].clone_ref(py))
}

/// Whether NumPy itself knows the dtype's Python object; bfloat16 is known where ml_dtypes provides it.
pub fn is_numpy_dtype(py: Python<'_>, dtype: DType) -> PyResult<bool> {
    let object = to_python(py, dtype)?;
    object.bind(py).is_instance(numpy(py)?.dtype.bind(py))
}

/// The dtype that a Python object names: a dtype, a scalar type, a string or anything `numpy.dtype` takes.
pub fn from_python(object: &Bound<'_, PyAny>) -> PyResult<DType> {
    let py = object.py();
    if let Ok(text) = object.cast::<PyString>()
        && let Some(dtype) = named(&text.to_cow()?)
    {
        return Ok(dtype);
    }
    let at = |list: &[Py<PyAny>]| list.iter().position(|d| d.as_ptr() == object.as_ptr() && !d.is_none(py));
    if let Some(i) = at(dtypes(py)?) {
        return Ok(DType::ALL[i]);
    }
    if let Some(i) = at(scalar_types(py)?) {
        return Ok(DType::ALL[i]);
    }
    if let Some(dtype) = builtin(object) {
        return Ok(dtype);
    }
    if is_bfloat16(object)? {
        return Ok(DType::BF16);
    }
    let class = numpy(py)?.dtype.bind(py);
    let dtype = if object.is_instance(class)? { object.clone() } else { class.call1((object,))? };
    from_numpy(&dtype)
}

/// The dtype of the texts that programs write most, which NumPy would read the same way but more slowly: its name, or its kind
/// and size.
fn named(text: &str) -> Option<DType> {
    let code =
        text.strip_prefix(['=', if cfg!(target_endian = "little") { '<' } else { '>' }]).unwrap_or(text);
    let &[kind, ref size @ ..] = code.as_bytes() else { return None };
    let size = match size {
        b"1" => 1,
        b"2" => 2,
        b"4" => 4,
        b"8" => 8,
        b"16" => 16,
        _ => return DType::ALL.into_iter().find(|dtype| dtype.name() == text),
    };
    of_kind(kind.into(), size)
}

/// The dtype in which existing memory is read; only the machine's own byte order is allowed.
pub fn in_memory(op: &str, object: &Bound<'_, PyAny>) -> PyResult<DType> {
    if let Ok(text) = object.cast::<PyString>()
        && let Some(dtype) = named(&text.to_cow()?)
    {
        return Ok(dtype);
    }
    let dtype = from_python(object)?;
    let class = numpy(object.py())?.dtype.bind(object.py());
    let foreign = dtype != DType::BF16 && !class.call1((object,))?.getattr("isnative")?.is_truthy()?;
    if foreign {
        let message = format!("{op}: {object} is not in this machine's order of bytes; see ndarray.byteswap");
        return Err(PyTypeError::new_err(message));
    }
    Ok(dtype)
}

/// The dtype of an optional argument.
pub fn optional(object: Option<&Bound<'_, PyAny>>) -> PyResult<Option<DType>> {
    object.filter(|o| !o.is_none()).map(from_python).transpose()
}

fn builtin(object: &Bound<'_, PyAny>) -> Option<DType> {
    let py = object.py();
    let classes = [
        (py.get_type::<PyFloat>(), DType::F64),
        (py.get_type::<PyInt>(), DType::I64),
        (py.get_type::<PyBool>(), DType::Bool),
        (py.get_type::<PyComplex>(), DType::C128),
    ];
    classes.into_iter().find(|(class, _)| class.is(object)).map(|(_, dtype)| dtype)
}

/// Whether an object stands for bfloat16.
pub fn is_bfloat16(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(text.to_cow()? == "bfloat16");
    }
    let Some(known) = BFLOAT16.get(object.py()) else { return Ok(false) };
    let known = known.bind(object.py());
    Ok(known.is(object) || known.getattr("type").is_ok_and(|scalar| scalar.is(object)))
}

/// The dtype of a kind, by NumPy's letter, and a size in bytes.
pub(super) fn of_kind(kind: char, size: usize) -> Option<DType> {
    match (kind, size) {
        ('b', 1) => Some(DType::Bool),
        ('i', 1) => Some(DType::I8),
        ('i', 2) => Some(DType::I16),
        ('i', 4) => Some(DType::I32),
        ('i', 8) => Some(DType::I64),
        ('u', 1) => Some(DType::U8),
        ('u', 2) => Some(DType::U16),
        ('u', 4) => Some(DType::U32),
        ('u', 8) => Some(DType::U64),
        ('f', 2) => Some(DType::F16),
        ('f', 4) => Some(DType::F32),
        ('f', 8) => Some(DType::F64),
        ('c', 8) => Some(DType::C64),
        ('c', 16) => Some(DType::C128),
        _ => None,
    }
}

/// The dtype of a `numpy.dtype` of native or foreign byte order.
pub fn from_numpy(dtype: &Bound<'_, PyAny>) -> PyResult<DType> {
    let kind: char = dtype.getattr("kind")?.extract()?;
    let size: usize = dtype.getattr("itemsize")?.extract()?;
    if let Some(found) = of_kind(kind, size) {
        return Ok(found);
    }
    let name: String = dtype.getattr("name")?.extract()?;
    if name == "bfloat16" {
        return Ok(DType::BF16);
    }
    Err(PyTypeError::new_err(format!("dtype '{name}' is not supported: arrays hold booleans and numbers")))
}
