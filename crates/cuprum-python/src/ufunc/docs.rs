//! Docstrings of ufuncs, composed from their rows.

use super::Function;

const NAMES: [&str; 3] = ["x1", "x2", "x3"];

/// The docstring of a ufunc: signature, sentence, parameters, result and example.
pub fn docstring(function: Function) -> String {
    let (name, nin) = (function.name(), function.nin());
    let (doc, example) = match function {
        Function::One(row) => (row.doc, row.example),
        Function::Many(row) => (row.doc, row.example),
    };
    let inputs: Vec<&str> = if nin == 1 { vec!["x"] } else { NAMES[..nin].to_vec() };
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
         Returns\n-------\n{results}\n",
        inputs.join(", ")
    );
    if !example.is_empty() {
        text.push_str(&format!("\nExamples\n--------\n{example}\n"));
    }
    text
}
