//! Docstrings of ufuncs, composed from their rows.

use cuprum::DType;
use cuprum_core::ops::Ulps;
use pyo3::prelude::*;

use super::{UFunc, UfuncFunction};

const NAMES: [&str; 4] = ["x1", "x2", "x3", "x4"];

/// `ufunc.__doc__`: the class has its own, each function what its row says.
#[pyclass(module = "cuprum._core", frozen)]
pub struct Docstring {
    of_class: String,
}

#[pymethods]
impl Docstring {
    fn __get__(&self, function: Option<&Bound<'_, UFunc>>, _class: Option<&Bound<'_, PyAny>>) -> String {
        function.map_or_else(|| self.of_class.clone(), |function| docstring(function.get().function))
    }
}

/// Puts the docstrings in the place of the class's, which would hide them.
pub fn install_docstrings(py: Python<'_>) -> PyResult<()> {
    let class = py.get_type::<UFunc>();
    let of_class = class.getattr("__doc__")?.extract()?;
    class.setattr("__doc__", Docstring { of_class })
}

/// The docstring of a ufunc: signature, sentence, parameters, result, dtypes, errors and example.
pub fn docstring(function: UfuncFunction) -> String {
    let (name, nin) = (function.name(), function.nin());
    let (doc, example) = match function {
        UfuncFunction::One(row) => (row.doc, row.example),
        UfuncFunction::Many(row) => (row.doc, row.example),
    };
    let inputs: Vec<&str> = if nin == 1 { vec!["x"] } else { NAMES[..nin].to_vec() };
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
