//! The tables of ops and reductions as Python data, for the tests, the stubs and the reference pages.

use cuprum::{Op, Reduction};
use cuprum_core::ops::{Identity, MULTI, Ulps};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use super::{UfuncFunction, identity};
use crate::convert::to_python;

/// Every elementwise op: names, loops, oracle, error bounds, domain and documentation.
#[pyfunction]
pub fn op_table(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let table = PyList::empty(py);
    for op in Op::all() {
        let row = op.row();
        let entry = described(py, UfuncFunction::One(row))?;
        entry.set_item("aliases", row.aliases.to_vec())?;
        let terms = row.derivative.iter().map(|term| term.to_string());
        entry.set_item("derivative", terms.collect::<Vec<_>>())?;
        entry.set_item("identity", identity(py, row)?)?;
        entry.set_item("reorderable", row.reorderable)?;
        entry.set_item("oracle", row.oracle)?;
        entry.set_item("ulps", ulps(py, row.ulps)?)?;
        entry.set_item("domain", row.domain)?;
        entry.set_item("doc", row.doc)?;
        entry.set_item("example", row.example)?;
        table.append(entry)?;
    }
    for row in MULTI {
        let entry = described(py, UfuncFunction::Many(row))?;
        let first = row.parts[0].row();
        entry.set_item("aliases", PyList::empty(py))?;
        entry.set_item("derivative", PyList::empty(py))?;
        entry.set_item("identity", py.None())?;
        entry.set_item("reorderable", false)?;
        entry.set_item("oracle", format!("numpy.{}", row.name))?;
        entry.set_item("ulps", ulps(py, first.ulps)?)?;
        entry.set_item("domain", first.domain)?;
        entry.set_item("doc", row.doc)?;
        entry.set_item("example", row.example)?;
        table.append(entry)?;
    }
    Ok(table)
}

fn described(py: Python<'_>, function: UfuncFunction) -> PyResult<Bound<'_, PyDict>> {
    let entry = PyDict::new(py);
    entry.set_item("name", function.name())?;
    entry.set_item("namespace", function.namespace())?;
    entry.set_item("nin", function.nin())?;
    entry.set_item("nout", function.parts().len())?;
    entry.set_item("loops", function.types())?;
    Ok(entry)
}

fn ulps(py: Python<'_>, bounds: Ulps) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    let entries = [
        ("e", bounds.half),
        ("E", bounds.half),
        ("f", bounds.single),
        ("d", bounds.double),
        ("F", bounds.complex),
        ("D", bounds.complex),
    ];
    for (code, bound) in entries {
        dict.set_item(code, bound)?;
    }
    Ok(dict)
}

/// Every reduction that runs as one pass: its name, its binary op and its identity.
#[pyfunction]
pub fn reduction_table(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let table = PyList::empty(py);
    // Counting has a function of its own, and no oracle among the ufuncs.
    for reduction in Reduction::NAMED.into_iter().filter(|&reduction| reduction != Reduction::Count) {
        let row = reduction.row();
        let entry = PyDict::new(py);
        entry.set_item("name", row.name)?;
        entry.set_item("op", row.op.map(Op::name))?;
        entry.set_item("identity", reduction_identity(py, row.identity)?)?;
        table.append(entry)?;
    }
    Ok(table)
}

fn reduction_identity(py: Python<'_>, identity: Identity) -> PyResult<Py<PyAny>> {
    use cuprum::Number;
    match identity {
        Identity::None => Ok(py.None()),
        Identity::Zero => to_python::number(py, Number::Int(0)),
        Identity::One => to_python::number(py, Number::Int(1)),
        Identity::MinusOne => to_python::number(py, Number::Int(-1)),
        Identity::NegativeInfinity => to_python::number(py, Number::Float(f64::NEG_INFINITY)),
    }
}
