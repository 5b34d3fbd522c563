//! Docstrings and signatures of ufuncs, composed from their rows.

use cuprum::DType;
use cuprum_core::ops::Ulps;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

use super::{UFunc, UfuncFunction};

const NAMES: [&str; 4] = ["x1", "x2", "x3", "x4"];

/// An attribute of the class `ufunc` that each function has its own of.
#[pyclass(module = "cuprum._core", frozen)]
pub struct OfEach {
    of_class: Option<String>,
    make: fn(Python<'_>, UfuncFunction) -> PyResult<Py<PyAny>>,
}

#[pymethods]
impl OfEach {
    fn __get__(
        &self,
        py: Python<'_>,
        function: Option<&Bound<'_, UFunc>>,
        _class: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        match function {
            Some(function) => (self.make)(py, function.get().function),
            None => (&self.of_class).into_py_any(py),
        }
    }
}

/// Puts docstrings in the place of the class's, which would hide them, and signatures beside them.
pub fn install_docs(py: Python<'_>) -> PyResult<()> {
    let class = py.get_type::<UFunc>();
    let of_class = class.getattr("__doc__")?.extract()?;
    let make = |py: Python<'_>, function| docstring(function).into_py_any(py);
    class.setattr("__doc__", OfEach { of_class: Some(of_class), make })?;
    class.setattr("__signature__", OfEach { of_class: None, make: signature })
}

/// What `inspect.signature` gives.
fn signature(py: Python<'_>, function: UfuncFunction) -> PyResult<Py<PyAny>> {
    let parts = (inputs(function), function.parts().len());
    Ok(py.import("cuprum._documentation")?.call_method1("ufunc_signature", parts)?.unbind())
}

/// The arguments' names.
fn inputs(function: UfuncFunction) -> Vec<&'static str> {
    if function.nin() == 1 { vec!["x"] } else { NAMES[..function.nin()].to_vec() }
}

/// The docstring of a ufunc: signature, sentence, parameters, result, dtypes, errors and example.
pub fn docstring(function: UfuncFunction) -> String {
    let name = function.name();
    let (doc, example) = match function {
        UfuncFunction::One(row) => (row.doc, row.example),
        UfuncFunction::Many(row) => (row.doc, row.example),
    };
    let inputs = inputs(function);
    let doc = named_as(doc, &inputs);
    let outputs = function.parts().len();
    let keywords = "where=True, dtype=None, casting='same_kind', order='K'";
    let signature = format!("{name}({}, /, out=None, *, {keywords})", inputs.join(", "));
    let results = match outputs {
        1 => "out : ndarray\n    The results, of the arguments' common shape.".to_string(),
        n => format!("out : tuple of {n} ndarrays\n    The results, of the arguments' common shape."),
    };
    let mut text = format!(
        "{doc}\n\n``{signature}``\n\n\
         Parameters\n----------\n\
         {} : array_like\n    The arguments, broadcast together.\n\
         out : ndarray or tuple of ndarrays, optional\n    Where the results go.\n\
         where : array_like of bool, optional\n    Which elements are computed; the others keep what `out` holds.\n\
         dtype : dtype, optional\n    The dtype to compute in.\n\
         casting : str, optional\n    How much conversions may lose.\n\
         order : {{'C', 'F', 'A', 'K'}}, optional\n    The order of the results' axes in memory.\n\n\
         Returns\n-------\n{results}\n\n\
         Notes\n-----\n{}\n{}\n",
        inputs.join(", "),
        dtypes(function),
        accuracy(function),
    );
    if !example.is_empty() {
        text.push_str(&format!("\nExamples\n--------\n{example}\n"));
    }
    text
}

/// A row's sentence, which calls its arguments `a`, `b` and `c`, in the names of the signature.
fn named_as(doc: &str, inputs: &[&str]) -> String {
    let renamed = ["`a`", "`b`", "`c`"].into_iter().zip(inputs);
    renamed.fold(doc.to_string(), |text, (old, new)| text.replace(old, &format!("`{new}`")))
}

/// The dtypes that there are loops for, by name.
fn dtypes(function: UfuncFunction) -> String {
    let loops = function.parts()[0].row().loops;
    let names: Vec<&str> =
        DType::ALL.iter().filter(|dtype| loops.contains(dtype.code())).map(|dtype| dtype.name()).collect();
    format!("Computed in {}.", names.join(", "))
}

/// The worst errors that the tests hold the function to.
fn accuracy(function: UfuncFunction) -> String {
    let rows: Vec<_> = function.parts().iter().map(|op| op.row()).collect();
    let has = |codes: &[char]| rows.iter().any(|row| codes.iter().any(|code| row.loops.contains(*code)));
    let worst = |of: fn(&Ulps) -> f64| rows.iter().map(|row| of(&row.ulps)).fold(0.0, f64::max);
    let widths: [(&str, &[char], f64); 4] = [
        ("float16 and bfloat16", &['e', 'E'], worst(|ulps| ulps.half)),
        ("float32", &['f'], worst(|ulps| ulps.single)),
        ("float64", &['d'], worst(|ulps| ulps.double)),
        ("complex", &['F', 'D'], worst(|ulps| ulps.complex)),
    ];
    let wrong: Vec<String> = widths
        .iter()
        .filter(|(_, codes, ulps)| has(codes) && *ulps > 0.0)
        .map(|(name, _, ulps)| format!("{ulps} for {name}"))
        .collect();
    if wrong.is_empty() {
        return "Results are exact or correctly rounded.".into();
    }
    format!("The worst error, in units in the last place: {}.", wrong.join(", "))
}
