//! Reductions and scans as methods of arrays.

use cuprum::reduction::{self, Initial, ReduceOptions};
use cuprum::{Arg, Array, DType, Op, Options, Order, Reduction, Result, elementwise, scan};
use cuprum_core::normalize_axes;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyString};

use super::{NdArray, returned, single_out};
use crate::convert::arguments::OptArg;
use crate::convert::arguments::{self, Ints};
use crate::convert::dtype;
use crate::convert::from_python::{self, optional_mask};
use crate::gate;
use crate::numpy::warn_of_cast;

/// The keywords of a reduction, converted.
pub struct ReductionCall<'py> {
    op: &'static str,
    pub axes: Option<Ints>,
    pub keepdims: bool,
    pub dtype: Option<DType>,
    pub out: Option<Bound<'py, NdArray>>,
    pub initial: Initial,
    /// Whether the axes came as a tuple, which a single value cannot be reduced along.
    in_tuple: bool,
    pub mask: Option<Array>,
}

impl<'py> ReductionCall<'py> {
    /// Converts the keywords that a reduction was called with.
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        op: &'static str,
        axis: OptArg<'_, 'py>,
        dtype: OptArg<'_, 'py>,
        out: OptArg<'_, 'py>,
        keepdims: OptArg<'_, 'py>,
        initial: InitialArgument<'py>,
        mask: OptArg<'_, 'py>,
    ) -> PyResult<ReductionCall<'py>> {
        Ok(ReductionCall {
            op,
            axes: arguments::axes(axis)?,
            keepdims: keepdims.filter(|k| !k.is_none()).map_or(Ok(false), |k| k.is_truthy())?,
            dtype: dtype::optional(dtype)?,
            out: single_out(out)?,
            initial: initial.value(op)?,
            mask: optional_mask(mask)?,
            in_tuple: arguments::is_tuple(axis),
        })
    }

    /// Runs the reduction; the caller's `out` object is the result where there is one.
    pub fn run(
        self,
        py: Python<'py>,
        array: &Array,
        work: impl FnOnce(&Array, &ReduceOptions<'_>) -> Result<Array> + Send,
    ) -> PyResult<Bound<'py, NdArray>> {
        if let (true, Some(axes)) = (self.in_tuple, &self.axes) {
            gate::attached(py, || normalize_axes(self.op, axes, array.ndim()))?;
        }
        if let Some(dtype) = self.dtype {
            warn_of_cast(py, array.dtype(), dtype)?;
        }
        let target = self.out.as_ref().map(|o| o.get().array(py));
        let options = ReduceOptions {
            axes: self.axes.as_deref(),
            keepdims: self.keepdims,
            dtype: self.dtype,
            out: target.as_ref(),
            initial: self.initial,
            mask: self.mask.as_ref(),
        };
        let work = || work(array, &options).map_err(|error| error.in_op(self.op));
        let result = if target.is_none() && self.mask.is_none() {
            gate::compute(py, &[array], work)?
        } else {
            gate::detached(py, work)?
        };
        returned(py, result, self.out)
    }
}

/// An `initial` argument: none given, None, or a value.
pub enum InitialArgument<'py> {
    /// Left out.
    Absent,
    /// What the caller said.
    Given(Bound<'py, PyAny>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for InitialArgument<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Ok(InitialArgument::Given(object.to_owned()))
    }
}

impl<'py> InitialArgument<'py> {
    /// What the caller said, if anything.
    pub fn given(&self) -> Option<&Bound<'py, PyAny>> {
        match self {
            InitialArgument::Absent => None,
            InitialArgument::Given(initial) => Some(initial),
        }
    }

    /// What the reduction begins with; a value has no dtype, it takes that of the computation.
    pub fn value(&self, op: &'static str) -> PyResult<Initial> {
        let InitialArgument::Given(initial) = self else { return Ok(Initial::Identity) };
        if initial.is_none() {
            return Ok(Initial::FirstElement);
        }
        if initial.is_instance_of::<PyString>() {
            initial.py().get_type::<PyFloat>().call1((initial,))?;
        }
        from_python::number(initial, op).map(Initial::Value)
    }
}

/// The variance about a given mean.
fn about(a: &Array, mean: &Array, ddof: f64, options: &ReduceOptions<'_>) -> Result<Array> {
    let plain = Options::default();
    let binary = |op, x: &Array, y: &Array| elementwise::apply(op, &[Arg::Array(x), Arg::Array(y)], &plain);
    let deviation = binary(Op::Subtract, a, mean)?;
    let modulus = elementwise::apply(Op::Absolute, &[Arg::Array(&deviation)], &plain)?;
    let squares = elementwise::apply(Op::Square, &[Arg::Array(&modulus)], &plain)?;
    // Integers are summed in float64, whatever the mean is.
    let dtype = options.dtype.or(a.dtype().is_integral().then_some(DType::F64));
    let total = reduction::sum(&squares, &ReduceOptions { out: None, dtype, ..*options })?;
    let ones = cuprum::creation::ones(&[], DType::F64)?;
    let each = ones.with_layout(ones.layout().broadcast_to("var", squares.shape())?);
    let count = reduction::sum(&each, &ReduceOptions { out: None, dtype: None, ..*options })?;
    let left = elementwise::apply(Op::Subtract, &[Arg::Array(&count), Arg::from(ddof)], &plain)?;
    let left = elementwise::apply(Op::Maximum, &[Arg::Array(&left), Arg::from(0.0)], &plain)?
        .astype(total.dtype())?;
    binary(Op::Divide, &total, &left)
}

/// The variance, or its square root, about a given mean or the elements' own.
pub fn spread_about(
    a: &Array,
    mean: Option<&Array>,
    ddof: f64,
    options: &ReduceOptions<'_>,
    root: bool,
) -> Result<Array> {
    let Some(mean) = mean else {
        return if root { reduction::std(a, ddof, options) } else { reduction::var(a, ddof, options) };
    };
    let mut result = about(a, mean, ddof, options)?;
    if root {
        result = elementwise::apply(Op::Sqrt, &[Arg::Array(&result)], &Options::default())?;
    }
    let Some(out) = options.out else { return Ok(result) };
    reduction::check_out_shape("var", out, a, result.shape())?;
    elementwise::assign("var", out, Arg::Array(&result), None)?;
    Ok(out.clone())
}

/// `ddof` and `correction` are two names of one thing.
pub fn degrees(ddof: OptArg<'_, '_>, correction: OptArg<'_, '_>) -> PyResult<f64> {
    let read = |value: &Bound<'_, PyAny>| value.extract::<f64>();
    let ddof = ddof.filter(|d| !d.is_none()).map(read).transpose()?;
    match (ddof.filter(|d| *d != 0.0), correction.filter(|c| !c.is_none())) {
        (Some(_), Some(_)) => Err(pyo3::exceptions::PyValueError::new_err(
            "ddof and correction can't be provided simultaneously",
        )),
        (None, Some(correction)) => read(correction),
        (ddof, None) => Ok(ddof.unwrap_or(0.0)),
    }
}

#[pymethods]
impl NdArray {
    /// The sum over axes. See `cuprum.sum`.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([[1, 2], [3, 4]]).sum(axis=1)
    /// array([3, 7])
    #[pyo3(signature = (axis=None, dtype=None, out=None, keepdims=None, initial=InitialArgument::Absent, r#where=None))]
    #[allow(clippy::too_many_arguments)]
    fn sum<'py>(
        &self,
        py: Python<'py>,
        axis: OptArg<'_, 'py>,
        dtype: OptArg<'_, 'py>,
        out: OptArg<'_, 'py>,
        keepdims: OptArg<'_, 'py>,
        initial: InitialArgument<'py>,
        r#where: OptArg<'_, 'py>,
    ) -> PyResult<Bound<'py, NdArray>> {
        ReductionCall::new("sum", axis, dtype, out, keepdims, initial, r#where)?.run(
            py,
            &self.array(py),
            reduction::sum,
        )
    }

    /// The product over axes. See `cuprum.prod`.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([2, 3, 4]).prod()
    /// array(24)
    #[pyo3(signature = (axis=None, dtype=None, out=None, keepdims=None, initial=InitialArgument::Absent, r#where=None))]
    #[allow(clippy::too_many_arguments)]
    fn prod<'py>(
        &self,
        py: Python<'py>,
        axis: OptArg<'_, 'py>,
        dtype: OptArg<'_, 'py>,
        out: OptArg<'_, 'py>,
        keepdims: OptArg<'_, 'py>,
        initial: InitialArgument<'py>,
        r#where: OptArg<'_, 'py>,
    ) -> PyResult<Bound<'py, NdArray>> {
        ReductionCall::new("prod", axis, dtype, out, keepdims, initial, r#where)?.run(
            py,
            &self.array(py),
            reduction::prod,
        )
    }

    /// The smallest elements over axes. See `cuprum.min`.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([[1, 5], [3, 4]]).min(axis=0)
    /// array([1, 4])
    #[pyo3(signature = (axis=None, out=None, keepdims=None, initial=InitialArgument::Absent, r#where=None))]
    fn min<'py>(
        &self,
        py: Python<'py>,
        axis: OptArg<'_, 'py>,
        out: OptArg<'_, 'py>,
        keepdims: OptArg<'_, 'py>,
        initial: InitialArgument<'py>,
        r#where: OptArg<'_, 'py>,
    ) -> PyResult<Bound<'py, NdArray>> {
        ReductionCall::new("min", axis, None, out, keepdims, initial, r#where)?.run(
            py,
            &self.array(py),
            |a, o| reduction::reduce_op("min", Op::Minimum, a, o),
        )
    }

    /// The largest elements over axes. See `cuprum.max`.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([[1, 5], [3, 4]]).max(axis=0)
    /// array([3, 5])
    #[pyo3(signature = (axis=None, out=None, keepdims=None, initial=InitialArgument::Absent, r#where=None))]
    fn max<'py>(
        &self,
        py: Python<'py>,
        axis: OptArg<'_, 'py>,
        out: OptArg<'_, 'py>,
        keepdims: OptArg<'_, 'py>,
        initial: InitialArgument<'py>,
        r#where: OptArg<'_, 'py>,
    ) -> PyResult<Bound<'py, NdArray>> {
        ReductionCall::new("max", axis, None, out, keepdims, initial, r#where)?.run(
            py,
            &self.array(py),
            |a, o| reduction::reduce_op("max", Op::Maximum, a, o),
        )
    }

    /// Whether any element over axes is true. See `cuprum.any`.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([True, False]).any()
    /// array(True)
    #[pyo3(signature = (axis=None, out=None, keepdims=None, *, r#where=None))]
    fn any<'py>(
        &self,
        py: Python<'py>,
        axis: OptArg<'_, 'py>,
        out: OptArg<'_, 'py>,
        keepdims: OptArg<'_, 'py>,
        r#where: OptArg<'_, 'py>,
    ) -> PyResult<Bound<'py, NdArray>> {
        ReductionCall::new("any", axis, None, out, keepdims, InitialArgument::Absent, r#where)?.run(
            py,
            &self.array(py),
            reduction::any,
        )
    }

    /// Whether all elements over axes are true. See `cuprum.all`.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([True, False]).all()
    /// array(False)
    #[pyo3(signature = (axis=None, out=None, keepdims=None, *, r#where=None))]
    fn all<'py>(
        &self,
        py: Python<'py>,
        axis: OptArg<'_, 'py>,
        out: OptArg<'_, 'py>,
        keepdims: OptArg<'_, 'py>,
        r#where: OptArg<'_, 'py>,
    ) -> PyResult<Bound<'py, NdArray>> {
        ReductionCall::new("all", axis, None, out, keepdims, InitialArgument::Absent, r#where)?.run(
            py,
            &self.array(py),
            reduction::all,
        )
    }

    /// The mean over axes. See `cuprum.mean`.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([1, 2, 6]).mean()
    /// array(3.)
    #[pyo3(signature = (axis=None, dtype=None, out=None, keepdims=None, *, r#where=None))]
    fn mean<'py>(
        &self,
        py: Python<'py>,
        axis: OptArg<'_, 'py>,
        dtype: OptArg<'_, 'py>,
        out: OptArg<'_, 'py>,
        keepdims: OptArg<'_, 'py>,
        r#where: OptArg<'_, 'py>,
    ) -> PyResult<Bound<'py, NdArray>> {
        ReductionCall::new("mean", axis, dtype, out, keepdims, InitialArgument::Absent, r#where)?.run(
            py,
            &self.array(py),
            reduction::mean,
        )
    }

    /// The variance over axes. See `cuprum.var`.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([1.0, 3.0]).var()
    /// array(1.)
    #[pyo3(signature = (axis=None, dtype=None, out=None, ddof=None, keepdims=None, *, r#where=None, mean=None, correction=None))]
    #[allow(clippy::too_many_arguments)]
    fn var<'py>(
        &self,
        py: Python<'py>,
        axis: OptArg<'_, 'py>,
        dtype: OptArg<'_, 'py>,
        out: OptArg<'_, 'py>,
        ddof: OptArg<'_, 'py>,
        keepdims: OptArg<'_, 'py>,
        r#where: OptArg<'_, 'py>,
        mean: OptArg<'_, 'py>,
        correction: OptArg<'_, 'py>,
    ) -> PyResult<Bound<'py, NdArray>> {
        let ddof = degrees(ddof, correction)?;
        let mean =
            mean.filter(|m| !m.is_none()).map(|m| from_python::array(m, None, Order::K)).transpose()?;
        ReductionCall::new("var", axis, dtype, out, keepdims, InitialArgument::Absent, r#where)?.run(
            py,
            &self.array(py),
            |a, o| spread_about(a, mean.as_ref(), ddof, o, false),
        )
    }

    /// The standard deviation over axes. See `cuprum.std`.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([1.0, 3.0]).std()
    /// array(1.)
    #[pyo3(signature = (axis=None, dtype=None, out=None, ddof=None, keepdims=None, *, r#where=None, mean=None, correction=None))]
    #[allow(clippy::too_many_arguments)]
    fn std<'py>(
        &self,
        py: Python<'py>,
        axis: OptArg<'_, 'py>,
        dtype: OptArg<'_, 'py>,
        out: OptArg<'_, 'py>,
        ddof: OptArg<'_, 'py>,
        keepdims: OptArg<'_, 'py>,
        r#where: OptArg<'_, 'py>,
        mean: OptArg<'_, 'py>,
        correction: OptArg<'_, 'py>,
    ) -> PyResult<Bound<'py, NdArray>> {
        let ddof = degrees(ddof, correction)?;
        let mean =
            mean.filter(|m| !m.is_none()).map(|m| from_python::array(m, None, Order::K)).transpose()?;
        ReductionCall::new("std", axis, dtype, out, keepdims, InitialArgument::Absent, r#where)?.run(
            py,
            &self.array(py),
            |a, o| spread_about(a, mean.as_ref(), ddof, o, true),
        )
    }

    /// The difference of the largest and the smallest elements over axes. See `cuprum.ptp`.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([2, 9, 4]).ptp()
    /// array(7)
    #[pyo3(signature = (axis=None, out=None, keepdims=None))]
    fn ptp<'py>(
        &self,
        py: Python<'py>,
        axis: OptArg<'_, 'py>,
        out: OptArg<'_, 'py>,
        keepdims: OptArg<'_, 'py>,
    ) -> PyResult<Bound<'py, NdArray>> {
        ReductionCall::new("ptp", axis, None, out, keepdims, InitialArgument::Absent, None)?.run(
            py,
            &self.array(py),
            reduction::ptp,
        )
    }

    /// The position of the first smallest element. See `cuprum.argmin`.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([3, 9, 4]).argmin()
    /// array(0)
    #[pyo3(signature = (axis=None, out=None, *, dtype=None, keepdims=None))]
    fn argmin<'py>(
        &self,
        py: Python<'py>,
        axis: OptArg<'_, 'py>,
        out: OptArg<'_, 'py>,
        dtype: OptArg<'_, 'py>,
        keepdims: OptArg<'_, 'py>,
    ) -> PyResult<Bound<'py, NdArray>> {
        position(py, &self.array(py), Reduction::ArgMin, "argmin", axis, out, dtype, keepdims)
    }

    /// The position of the first largest element. See `cuprum.argmax`.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([3, 9, 4]).argmax()
    /// array(1)
    #[pyo3(signature = (axis=None, out=None, *, dtype=None, keepdims=None))]
    fn argmax<'py>(
        &self,
        py: Python<'py>,
        axis: OptArg<'_, 'py>,
        out: OptArg<'_, 'py>,
        dtype: OptArg<'_, 'py>,
        keepdims: OptArg<'_, 'py>,
    ) -> PyResult<Bound<'py, NdArray>> {
        position(py, &self.array(py), Reduction::ArgMax, "argmax", axis, out, dtype, keepdims)
    }

    /// The running sums along an axis, or of the flattened array. See `cuprum.cumsum`.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([1, 2, 3]).cumsum()
    /// array([1, 3, 6])
    #[pyo3(signature = (axis=None, dtype=None, out=None))]
    fn cumsum<'py>(
        &self,
        py: Python<'py>,
        axis: OptArg<'_, 'py>,
        dtype: OptArg<'_, 'py>,
        out: OptArg<'_, 'py>,
    ) -> PyResult<Bound<'py, NdArray>> {
        let axis = arguments::axis(axis)?;
        ReductionCall::new("cumsum", None, dtype, out, None, InitialArgument::Absent, None)?.run(
            py,
            &self.array(py),
            |a, o| scan::cumsum(a, axis, o.dtype, o.out),
        )
    }

    /// The running products along an axis, or of the flattened array. See `cuprum.cumprod`.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([1, 2, 3]).cumprod()
    /// array([1, 2, 6])
    #[pyo3(signature = (axis=None, dtype=None, out=None))]
    fn cumprod<'py>(
        &self,
        py: Python<'py>,
        axis: OptArg<'_, 'py>,
        dtype: OptArg<'_, 'py>,
        out: OptArg<'_, 'py>,
    ) -> PyResult<Bound<'py, NdArray>> {
        let axis = arguments::axis(axis)?;
        ReductionCall::new("cumprod", None, dtype, out, None, InitialArgument::Absent, None)?.run(
            py,
            &self.array(py),
            |a, o| scan::cumprod(a, axis, o.dtype, o.out),
        )
    }
}

/// The position of an extremum; CuPy's programs may ask for its dtype.
#[allow(clippy::too_many_arguments)]
fn position<'py>(
    py: Python<'py>,
    array: &Array,
    which: Reduction,
    op: &'static str,
    axis: OptArg<'_, 'py>,
    out: OptArg<'_, 'py>,
    dtype: OptArg<'_, 'py>,
    keepdims: OptArg<'_, 'py>,
) -> PyResult<Bound<'py, NdArray>> {
    let axis = arguments::axis(axis)?;
    let dtype = dtype::optional(dtype)?;
    let call = ReductionCall::new(op, None, None, out, keepdims, InitialArgument::Absent, None)?;
    call.run(py, array, |a, o| {
        let found = reduction::argextremum(which, a, axis, o.keepdims, o.out)?;
        match (dtype, o.out) {
            (Some(dtype), None) => found.astype(dtype),
            _ => Ok(found),
        }
    })
}
