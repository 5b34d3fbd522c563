//! The class `cuprum.ufunc`: one object a row of the table, with NumPy's call keywords and methods.

mod call;
mod docs;
mod methods;
mod protocol;
mod signature;
mod table;
mod types;
mod vectorcall;

use cuprum::Op;
use cuprum_core::ops::{Identity, Inputs, MULTI, MultiRow, Namespace, Output, Row};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

pub use docs::install_docs;
pub use table::{op_table, reduction_table};
pub use vectorcall::install as install_vectorcall;

use crate::type_slots::VectorCall;

static UFUNCS: PyOnceLock<Py<PyDict>> = PyOnceLock::new();

/// A function that works element by element on whole arrays.
///
/// Examples
/// --------
/// >>> isinstance(cp.add, cp.ufunc)
/// True
/// >>> cp.add.reduce(cp.array([1, 2, 3]))
/// array(6)
#[pyclass(name = "ufunc", module = "cuprum", frozen, weakref)]
pub struct UFunc {
    function: UfuncFunction,
    /// How Python calls the object, where it finds this.
    called: VectorCall,
}

impl UFunc {
    fn new(function: UfuncFunction) -> UFunc {
        UFunc { function, called: vectorcall::call }
    }
}

/// What a ufunc computes.
#[derive(Clone, Copy)]
pub(crate) enum UfuncFunction {
    /// One result.
    One(&'static Row),
    /// Several results.
    Many(&'static MultiRow),
}

impl UfuncFunction {
    fn name(self) -> &'static str {
        match self {
            UfuncFunction::One(row) => row.name,
            UfuncFunction::Many(row) => row.name,
        }
    }

    fn parts(self) -> &'static [Op] {
        match self {
            UfuncFunction::One(row) => std::slice::from_ref(&row.op),
            UfuncFunction::Many(row) => row.parts,
        }
    }

    /// Where Python finds it: `ufunc`, `function`, `part` or `special`.
    fn namespace(self) -> &'static str {
        let namespace = match self {
            UfuncFunction::One(row) => row.namespace,
            UfuncFunction::Many(_) => Namespace::Ufunc,
        };
        match namespace {
            Namespace::Ufunc => "ufunc",
            Namespace::Function => "function",
            Namespace::Part => "part",
            Namespace::Special => "special",
        }
    }

    fn nin(self) -> usize {
        self.parts()[0].row().nin
    }

    /// The dtypes of the loops, as NumPy writes them: `dd->d`.
    fn types(self) -> Vec<String> {
        let first = self.parts()[0].row();
        let signature = |code: char, exponent: char| {
            let inputs: String = (0..first.nin).map(|i| input_code(first, i, code, exponent)).collect();
            let outputs: String = self.parts().iter().map(|op| output_code(op.row(), code)).collect();
            format!("{inputs}->{outputs}")
        };
        let exponents: &[char] = if first.inputs == Inputs::ExponentSecond { &['i', 'q'] } else { &['q'] };
        let mut types: Vec<String> =
            first.loops.chars().flat_map(|code| exponents.iter().map(move |e| signature(code, *e))).collect();
        if first.op.is_comparison() {
            // Compared by value, without a loop of their own: no integer dtype holds both.
            types.extend(["qQ->?".to_string(), "Qq->?".to_string()]);
        }
        types
    }
}

fn input_code(row: &Row, index: usize, code: char, exponent: char) -> char {
    match (row.inputs, index) {
        (Inputs::ExponentSecond, 1) => exponent,
        (Inputs::ConditionFirst, 0) => '?',
        _ => code,
    }
}

fn output_code(row: &Row, code: char) -> char {
    match (row.output, code) {
        (Output::Same, _) => code,
        (Output::Bool, _) => '?',
        (Output::Real, 'F') => 'f',
        (Output::Real, 'D') => 'd',
        (Output::Real, _) => code,
        (Output::Int32, _) => 'i',
        (Output::UInt8, _) => 'B',
    }
}

/// All ufuncs by name, or those of a namespace; aliases name the same objects.
#[pyfunction]
#[pyo3(signature = (namespace = None))]
pub fn ufuncs<'py>(py: Python<'py>, namespace: Option<&str>) -> PyResult<Bound<'py, PyDict>> {
    let all = by_name(py)?;
    let Some(namespace) = namespace else { return all.copy() };
    let chosen = PyDict::new(py);
    for (name, ufunc) in all {
        if ufunc.cast::<UFunc>()?.get().function.namespace() == namespace {
            chosen.set_item(name, ufunc)?;
        }
    }
    Ok(chosen)
}

fn by_name(py: Python<'_>) -> PyResult<&Bound<'_, PyDict>> {
    let dict = UFUNCS.get_or_try_init(py, || {
        let dict = PyDict::new(py);
        for op in Op::all() {
            let row = op.row();
            let object = Bound::new(py, UFunc::new(UfuncFunction::One(row)))?;
            dict.set_item(row.name, &object)?;
            for alias in row.aliases {
                dict.set_item(*alias, &object)?;
            }
        }
        for row in MULTI {
            dict.set_item(row.name, Bound::new(py, UFunc::new(UfuncFunction::Many(row)))?)?;
        }
        Ok::<_, PyErr>(dict.unbind())
    })?;
    Ok(dict.bind(py))
}

/// The ufunc of that name.
fn named<'py>(py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    by_name(py)?.get_item(name)
}

#[pymethods]
impl UFunc {
    /// The number of arguments.
    #[getter]
    fn nin(&self) -> usize {
        self.function.nin()
    }

    /// The number of results.
    #[getter]
    fn nout(&self) -> usize {
        self.function.parts().len()
    }

    /// Arguments and results together.
    #[getter]
    fn nargs(&self) -> usize {
        self.nin() + self.nout()
    }

    /// The number of type loops.
    #[getter]
    fn ntypes(&self) -> usize {
        self.function.types().len()
    }

    /// The type loops, as NumPy writes them.
    #[getter]
    fn types(&self) -> Vec<String> {
        self.function.types()
    }

    /// What reducing nothing gives, or None.
    #[getter]
    fn identity(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        identity(py, self.function.parts()[0].row())
    }

    /// None: these functions work on single elements.
    #[getter]
    fn signature(&self) -> Option<()> {
        None
    }

    /// The name.
    #[getter]
    fn name(&self) -> &'static str {
        self.function.name()
    }

    #[getter]
    fn __name__(&self) -> &'static str {
        self.function.name()
    }

    #[getter]
    fn __qualname__(&self) -> &'static str {
        self.function.name()
    }

    fn __repr__(&self) -> String {
        format!("<ufunc '{}'>", self.function.name())
    }

    fn __reduce__(&self) -> &'static str {
        self.function.name()
    }
}

/// The identity of a row as a Python value.
pub(crate) fn identity(py: Python<'_>, row: &Row) -> PyResult<Py<PyAny>> {
    let truth = row.output == Output::Bool;
    match row.identity {
        Identity::None => Ok(py.None()),
        Identity::Zero if truth => false.into_py_any(py),
        Identity::One if truth => true.into_py_any(py),
        Identity::Zero => 0.into_py_any(py),
        Identity::One => 1.into_py_any(py),
        Identity::MinusOne => (-1).into_py_any(py),
        Identity::NegativeInfinity => f64::NEG_INFINITY.into_py_any(py),
    }
}
