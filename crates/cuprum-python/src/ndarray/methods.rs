//! The other methods: selection, products, rounding, and elements to and from Python and NumPy.

use cuprum::indexing::{self, TakeMode};
use cuprum::{Arg, Array, Casting, DType, Error, Index, Kind, Number, Op, Options, Order, Result, Scalar};
use cuprum::{elementwise, manipulation, products};
use cuprum_core::result_type as common_type;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

use super::indexing::stored_value;
use super::{NdArray, returned, single_out};
use crate::convert::arguments::OptArg;
use crate::convert::from_python::{self, PyOperand};
use crate::convert::{arguments, dtype, to_host, to_python};
use crate::gate;
use crate::kernels::handle_of;

/// A mode for indices that are out of range.
pub fn take_mode(mode: OptArg<'_, '_>) -> PyResult<TakeMode> {
    let Some(mode) = mode.filter(|m| !m.is_none()) else { return Ok(TakeMode::Raise) };
    let Ok(text) = mode.cast::<PyString>() else {
        return Err(PyTypeError::new_err(format!("clipmode must be str, not {}", mode.get_type().name()?)));
    };
    let text = text.to_cow()?;
    TakeMode::from_name(&text).ok_or_else(|| {
        PyValueError::new_err(format!("clipmode must be one of 'clip', 'raise', or 'wrap' (got '{text}')"))
    })
}

/// `clip` with either bound left out.
pub fn clipped(
    array: &Array,
    low: Option<Arg<'_>>,
    high: Option<Arg<'_>>,
    options: &Options<'_>,
) -> Result<Array> {
    let a = Arg::Array(array);
    match (low, high) {
        (Some(low), Some(high)) => {
            let (low, high) = (bounded(array, low, true), bounded(array, high, false));
            for bound in [low, high] {
                let Arg::Number(Number::Int(i)) = bound else { continue };
                if range(array).is_some_and(|(least, most)| i < least || i > most) {
                    // A bound on the other side is one that the dtype does not hold: an error, as for one alone.
                    return elementwise::apply(Op::Maximum, &[a, bound], options);
                }
            }
            elementwise::apply(Op::Clip, &[a, low, high], options)
        }
        (Some(low), None) => elementwise::apply(Op::Maximum, &[a, bounded(array, low, true)], options),
        (None, Some(high)) => elementwise::apply(Op::Minimum, &[a, bounded(array, high, false)], options),
        (None, None) => match options.out {
            None => array.copy(options.order),
            Some(out) => elementwise::assign("clip", out, a, None).map(|()| out.clone()),
        },
    }
}

/// A Python integer beyond an integer dtype's range bounds nothing: the range's own end stands for it.
fn bounded<'a>(array: &Array, bound: Arg<'a>, is_low: bool) -> Arg<'a> {
    let (Arg::Number(Number::Int(i)), Some((least, most))) = (bound, range(array)) else {
        return bound;
    };
    let beyond = if is_low { i < least } else { i > most };
    if beyond { Arg::Number(Number::Int(i.clamp(least, most))) } else { bound }
}

/// The least and the greatest integer of an array's dtype, if it has integers.
fn range(array: &Array) -> Option<(i128, i128)> {
    let bits = 8 * array.dtype().size() as u32;
    match array.dtype().kind() {
        Kind::Unsigned => Some((0, (1i128 << bits) - 1)),
        Kind::Signed => Some((-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)),
        _ => None,
    }
}

/// Rounded to a number of decimals, halves to even.
pub fn rounded(array: &Array, decimals: i64, out: Option<&Array>) -> Result<Array> {
    if let Some(out) = out.filter(|out| out.shape() != array.shape()) {
        let shape = cuprum_core::show_shape(out.shape());
        return Err(Error::value("round", format!("invalid output shape {shape}")));
    }
    let integer = matches!(array.dtype().kind(), Kind::Signed | Kind::Unsigned);
    let options = Options { out, ..Default::default() };
    if integer && decimals >= 0 {
        return match out {
            None => array.copy(Order::K),
            Some(out) => elementwise::assign("round", out, Arg::Array(array), None).map(|()| out.clone()),
        };
    }
    if decimals == 0 {
        return elementwise::apply(Op::Rint, &[Arg::Array(array)], &options)
            .map_err(|error| error.in_op("round"));
    }
    if array.dtype().is_complex() {
        return rounded_parts(array, decimals, out);
    }
    if array.dtype() == DType::Bool && out.is_none() {
        let (from, to, casting) = (DType::F64, DType::Bool, Casting::SameKind);
        return Err(Error::Cast { op: "round".into(), from, to, casting });
    }
    let plain = Options::default();
    let order = if array.is_fortran() { Order::F } else { Order::C };
    let options = Options { order, ..options };
    let power = Arg::from(10f64.powi(decimals.unsigned_abs().min(400) as i32));
    let (before, after) = if decimals > 0 { (Op::Multiply, Op::Divide) } else { (Op::Divide, Op::Multiply) };
    let scaled = elementwise::apply(before, &[Arg::Array(array), power], &plain)?;
    let whole = elementwise::apply(Op::Rint, &[Arg::Array(&scaled)], &plain)?;
    if !integer {
        return elementwise::apply(after, &[Arg::Array(&whole), power], &options)
            .map_err(|error| error.in_op("round"));
    }
    let ordered = Options { order, ..plain };
    let result = elementwise::apply(after, &[Arg::Array(&whole), power], &ordered)?.astype(array.dtype())?;
    let Some(out) = out else { return Ok(result) };
    elementwise::assign("round", out, Arg::Array(&result), None)?;
    Ok(out.clone())
}

/// The parts of complex numbers are rounded by themselves.
fn rounded_parts(array: &Array, decimals: i64, out: Option<&Array>) -> Result<Array> {
    let result = array.copy(Order::K)?;
    for part in [manipulation::real(&result), manipulation::imag(&result)?] {
        let part_rounded = rounded(&part, decimals, None)?;
        elementwise::assign("round", &part, Arg::Array(&part_rounded), None)?;
    }
    let Some(out) = out else { return Ok(result) };
    elementwise::assign("round", out, Arg::Array(&result), None)?;
    Ok(out.clone())
}

/// `choices[selector[i]][i]`, all broadcast together.
pub fn chosen(selector: &Array, choices: &[Array], mode: TakeMode, out: Option<&Array>) -> Result<Array> {
    if !selector.dtype().can_cast(DType::I64, Casting::Safe) {
        let error = Error::Cast {
            op: "choose".into(),
            from: selector.dtype(),
            to: DType::I64,
            casting: Casting::Safe,
        };
        return Err(error);
    }
    let Some((last, rest)) = choices.split_last() else {
        return Err(Error::value("choose", "choices must not be empty"));
    };
    let n = choices.len() as i128;
    let plain = Options::default();
    let mut index = selector.astype(DType::I64)?;
    let bounds = [Arg::Array(&index), Arg::Number(Number::Int(0)), Arg::Number(Number::Int(n - 1))];
    index = match mode {
        TakeMode::Clip => elementwise::apply(Op::Clip, &bounds, &plain)?,
        TakeMode::Wrap => {
            elementwise::apply(Op::Remainder, &[Arg::Array(&index), Arg::Number(Number::Int(n))], &plain)?
        }
        TakeMode::Raise => {
            let inside = elementwise::apply(Op::Clip, &bounds, &plain)?;
            if !inside.binary(Op::Equal, &index)?.all()?.item::<bool>()? {
                return Err(Error::value("choose", "invalid entry in choice array"));
            }
            index
        }
    };
    let dtypes: Vec<DType> = choices.iter().map(Array::dtype).collect();
    let dtype = cuprum_core::result_type(&dtypes, &[]);
    let ordered = Options { order: Order::C, ..plain };
    let zero = Scalar::zero(dtype);
    // Adding zeros of the selector's shape would change -0.0: selecting between equals only broadcasts.
    let always = index.binary(Op::Equal, &index)?;
    let args = [Arg::Array(&always), Arg::Array(last), Arg::Scalar(zero)];
    let mut result = elementwise::apply(Op::Where, &args, &ordered)?;
    for (k, choice) in rest.iter().enumerate() {
        let here = elementwise::apply(
            Op::Equal,
            &[Arg::Array(&index), Arg::Number(Number::Int(k as i128))],
            &plain,
        )?;
        result = elementwise::apply(
            Op::Where,
            &[Arg::Array(&here), Arg::Array(choice), Arg::Array(&result)],
            &ordered,
        )?;
    }
    let Some(out) = out else { return Ok(result) };
    elementwise::assign("choose", out, Arg::Array(&result), None)?;
    Ok(out.clone())
}

#[pymethods]
impl NdArray {
    /// Elements at positions along an axis. See `cuprum.take`.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([10, 20, 30]).take([2, 0])
    /// array([30, 10])
    #[pyo3(signature = (indices, axis=None, out=None, mode=None))]
    fn take<'py>(
        slf: &Bound<'py, Self>,
        indices: &Bound<'py, PyAny>,
        axis: OptArg<'_, 'py>,
        out: OptArg<'_, 'py>,
        mode: OptArg<'_, 'py>,
    ) -> PyResult<Bound<'py, NdArray>> {
        crate::functions::selection::take(slf.as_any(), indices, axis, out, mode)
    }

    /// Stores values at positions of the flattened array. See `cuprum.put`.
    ///
    /// Examples
    /// --------
    /// >>> a = cp.array([1, 2, 3])
    /// >>> a.put([0, 2], [7, 9])
    /// >>> a
    /// array([7, 2, 9])
    #[pyo3(signature = (indices, values, mode=None))]
    fn put<'py>(
        slf: &Bound<'py, Self>,
        indices: &Bound<'py, PyAny>,
        values: &Bound<'py, PyAny>,
        mode: OptArg<'_, 'py>,
    ) -> PyResult<()> {
        crate::functions::selection::put(slf.as_any(), indices, values, mode)
    }

    /// The slices along an axis for which a condition holds. See `cuprum.compress`.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([1, 2, 3]).compress([True, False, True])
    /// array([1, 3])
    #[pyo3(signature = (condition, axis=None, out=None))]
    fn compress<'py>(
        slf: &Bound<'py, Self>,
        condition: &Bound<'py, PyAny>,
        axis: OptArg<'_, 'py>,
        out: OptArg<'_, 'py>,
    ) -> PyResult<Bound<'py, NdArray>> {
        crate::functions::selection::compress(condition, slf.as_any(), axis, out)
    }

    /// Elements of the arrays in `choices` that this array's integers choose. See `cuprum.choose`.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([0, 1, 0]).choose([10, 20])
    /// array([10, 20, 10])
    #[pyo3(signature = (choices, out=None, mode=None))]
    fn choose<'py>(
        &self,
        py: Python<'py>,
        choices: &Bound<'py, PyAny>,
        out: OptArg<'_, 'py>,
        mode: OptArg<'_, 'py>,
    ) -> PyResult<Bound<'py, NdArray>> {
        let selector = self.array(py);
        let mode = take_mode(mode)?;
        let items = arguments::each(choices, |item| Ok(item.clone()))?;
        // Python's numbers take the dtype of the arrays beside them.
        let (mut typed, mut weak) = (Vec::new(), Vec::new());
        for item in &items {
            match from_python::operand(item)? {
                PyOperand::Array(a) => typed.push(a.dtype()),
                PyOperand::Scalar(s) => typed.push(s.dtype()),
                PyOperand::Number(n) => match n.weak() {
                    Some(w) => weak.push(w),
                    None => typed.push(DType::Bool),
                },
            }
        }
        let dtype = (!typed.is_empty() && !weak.is_empty()).then(|| common_type(&typed, &weak));
        let choices = items
            .iter()
            .map(|item| {
                // Integers that the dtype does not hold wrap around, as in NumPy.
                let array = from_python::array(item, None, Order::K)?;
                match dtype {
                    Some(dtype) if dtype != array.dtype() => gate::detached(py, || array.astype(dtype)),
                    _ => Ok(array),
                }
            })
            .collect::<PyResult<Vec<Array>>>()?;
        let target = single_out(out)?;
        let target_array = target.as_ref().map(|t| t.get().array(py));
        let result = gate::detached(py, || chosen(&selector, &choices, mode, target_array.as_ref()))?;
        returned(py, result, target)
    }

    /// The positions of the elements that are not zero, along each axis. See `cuprum.nonzero`.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([0, 3, 0, 5]).nonzero()
    /// (array([1, 3]),)
    fn nonzero<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let array = self.array(py);
        let found = gate::detached(py, || indexing::nonzero(&array))?;
        let found = found.into_iter().map(|a| NdArray::wrap(py, a)).collect::<PyResult<Vec<_>>>()?;
        PyTuple::new(py, found)
    }

    /// The elements limited to a range. See `cuprum.clip`.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([1, 5, 9]).clip(2, 6)
    /// array([2, 5, 6])
    #[pyo3(signature = (min=None, max=None, out=None, *, dtype=None, casting=None, order=None, r#where=None))]
    #[allow(clippy::too_many_arguments)]
    fn clip<'py>(
        slf: &Bound<'py, Self>,
        min: OptArg<'_, 'py>,
        max: OptArg<'_, 'py>,
        out: OptArg<'_, 'py>,
        dtype: OptArg<'_, 'py>,
        casting: OptArg<'_, 'py>,
        order: OptArg<'_, 'py>,
        r#where: OptArg<'_, 'py>,
    ) -> PyResult<Bound<'py, NdArray>> {
        let py = slf.py();
        let array = slf.get().array(py);
        let bound =
            |b: OptArg<'_, 'py>| b.filter(|b| !b.is_none()).map(|b| from_python::operand(b)).transpose();
        let (low, high) = (bound(min)?, bound(max)?);
        let target = single_out(out)?;
        let target_array = target.as_ref().map(|t| t.get().array(py));
        let mask = from_python::optional_mask(r#where)?;
        let options = Options {
            dtype: dtype::optional(dtype)?,
            casting: arguments::casting(casting, Casting::SameKind)?,
            order: arguments::order(order, Order::K)?,
            out: target_array.as_ref(),
            mask: mask.as_ref(),
        };
        let work =
            || clipped(&array, low.as_ref().map(PyOperand::arg), high.as_ref().map(PyOperand::arg), &options);
        let result =
            if target.is_none() { gate::compute(py, &[&array], work)? } else { gate::detached(py, work)? };
        target.map_or_else(|| NdArray::wrap_like(slf, result), Ok)
    }

    /// The elements rounded to a number of decimals, halves to even. See `cuprum.round`.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([1.26, 2.51]).round(1)
    /// array([1.3, 2.5])
    #[pyo3(signature = (decimals=0, out=None))]
    fn round<'py>(
        slf: &Bound<'py, Self>,
        decimals: i64,
        out: OptArg<'_, 'py>,
    ) -> PyResult<Bound<'py, NdArray>> {
        let py = slf.py();
        let array = slf.get().array(py);
        let target = single_out(out)?;
        let target_array = target.as_ref().map(|t| t.get().array(py));
        let result = gate::detached(py, || rounded(&array, decimals, target_array.as_ref()))?;
        target.map_or_else(|| NdArray::wrap_like(slf, result), Ok)
    }

    /// The complex conjugates. See `cuprum.conjugate`.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([1 + 2j]).conj()
    /// array([1.-2.j])
    fn conj<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, NdArray>> {
        let array = slf.get().array(slf.py());
        if !array.dtype().is_complex() {
            return Ok(slf.clone());
        }
        NdArray::wrap_like(slf, gate::compute(slf.py(), &[&array], || array.unary(Op::Conjugate))?)
    }

    /// The complex conjugates. See `cuprum.conjugate`.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([1 + 2j]).conjugate()
    /// array([1.-2.j])
    fn conjugate<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, NdArray>> {
        Self::conj(slf)
    }

    /// The dot product with another array. See `cuprum.dot`.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([1, 2, 3]).dot(cp.array([4, 5, 6]))
    /// array(32)
    #[pyo3(signature = (b, out=None))]
    fn dot<'py>(
        &self,
        py: Python<'py>,
        b: &Bound<'py, PyAny>,
        out: OptArg<'_, 'py>,
    ) -> PyResult<Bound<'py, NdArray>> {
        let a = self.array(py);
        let b = from_python::array(b, None, Order::K)?;
        let target = single_out(out)?;
        let target_array = target.as_ref().map(|t| t.get().array(py));
        let result = gate::detached(py, || products::dot(&a, &b, target_array.as_ref()))?;
        returned(py, result, target)
    }

    /// The sum along a diagonal. See `cuprum.trace`.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([[1, 2], [3, 4]]).trace()
    /// array(5)
    #[pyo3(signature = (offset=0, axis1=0, axis2=1, dtype=None, out=None))]
    fn trace<'py>(
        &self,
        py: Python<'py>,
        offset: i64,
        axis1: i64,
        axis2: i64,
        dtype: OptArg<'_, 'py>,
        out: OptArg<'_, 'py>,
    ) -> PyResult<Bound<'py, NdArray>> {
        let a = self.array(py);
        let dtype = dtype::optional(dtype)?;
        let target = single_out(out)?;
        let target_array = target.as_ref().map(|t| t.get().array(py));
        let result =
            gate::detached(py, || products::trace(&a, offset, axis1, axis2, dtype, target_array.as_ref()))?;
        returned(py, result, target)
    }

    /// Stores one value into every element.
    ///
    /// Examples
    /// --------
    /// >>> a = cp.zeros(2)
    /// >>> a.fill(7)
    /// >>> a
    /// array([7., 7.])
    fn fill(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let array = self.written(py);
        let value = stored_value(value, array.dtype())?;
        if let Some(given) = value.array()
            && given.ndim() > 0
        {
            return Err(PyValueError::new_err("fill: the value must be a single number"));
        }
        gate::detached(py, || elementwise::assign("fill", &array, value.arg(), None))
    }

    /// One element as a Python number.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([[1, 2], [3, 4]]).item(1, 0)
    /// 3
    #[pyo3(signature = (*args))]
    fn item(&self, py: Python<'_>, args: &Bound<'_, PyTuple>) -> PyResult<Py<PyAny>> {
        let array = self.array(py);
        if args.is_empty() {
            if array.size() != 1 {
                return Err(PyValueError::new_err("can only convert an array of size 1 to a Python scalar"));
            }
            return to_python::item(py, &array);
        }
        let places = arguments::spread(args)?;
        let element = match places.as_slice() {
            [flat] if array.ndim() != 1 => flat_element(py, &array, *flat)?,
            many if many.len() == array.ndim() => {
                let index: Vec<Index> = many.iter().map(|i| Index::Int(*i)).collect();
                gate::attached(py, || array.index(&index))?
            }
            _ => return Err(PyValueError::new_err("incorrect number of indices for array")),
        };
        to_python::item(py, &element)
    }

    /// The elements as nested lists of Python numbers.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([[1, 2], [3, 4]]).tolist()
    /// [[1, 2], [3, 4]]
    fn tolist(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        to_python::list(py, &self.array(py))
    }

    /// The bytes of the elements, row by row or column by column.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([1, 2], dtype='u1').tobytes()
    /// b'\x01\x02'
    #[pyo3(signature = (order=None))]
    fn tobytes<'py>(&self, py: Python<'py>, order: OptArg<'_, 'py>) -> PyResult<Bound<'py, PyBytes>> {
        let order = arguments::order(order, Order::C)?;
        to_python::bytes(py, &self.array(py), order)
    }

    /// A NumPy array with the same elements.
    ///
    /// The copy runs in `stream`, the current one by default, and is done on return. With `blocking=False` it is not waited
    /// for: the result, in page-locked memory, may be read once the stream is synchronised. The CPU copies at once.
    ///
    /// Examples
    /// --------
    /// >>> type(cp.arange(3).get())
    /// <class 'numpy.ndarray'>
    #[pyo3(signature = (stream=None, order=None, out=None, blocking=true))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        stream: OptArg<'_, 'py>,
        order: OptArg<'_, 'py>,
        out: OptArg<'_, 'py>,
        blocking: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let array = self.array(py);
        let order = arguments::order(order, Order::C)?;
        let out = out.filter(|o| !o.is_none());
        if let Some(out) = out {
            from_python::check_host_target(out, &array)?;
        }
        // On the CPU there is nothing to wait for.
        let gpu = to_host::gpu_of(&array);
        let stream = match stream.filter(|s| gpu.is_some() && !s.is_none()) {
            Some(stream) => handle_of(stream)?,
            None => None,
        };
        if let (Some(gpu), false) = (gpu, blocking) {
            let Some(out) = out else {
                return to_host::numpy_array_later(py, &array, order, gpu, stream);
            };
            if to_python::is_plain_target(out)? && to_host::fill_later(&array, out, gpu, stream)? {
                return Ok(out.clone());
            }
        }
        let _there = match gpu.zip(stream) {
            // SAFETY: the program vouches for the streams that it names by their handles, as to CUDA itself.
            Some((gpu, stream)) => Some(unsafe { to_host::InStream::after(py, &array, gpu, stream) }?),
            None => None,
        };
        let Some(out) = out else {
            return to_python::numpy_array(py, &array, order);
        };
        if to_python::fill_numpy(py, &array, out)? {
            return Ok(out.clone());
        }
        let host = to_python::numpy_array(py, &array, Order::K)?;
        py.import("numpy")?.call_method1("copyto", (out, host))?;
        Ok(out.clone())
    }

    /// Stores the elements of a NumPy array of the same shape and dtype.
    ///
    /// Examples
    /// --------
    /// >>> a = cp.zeros(2)
    /// >>> a.set(np.array([1.0, 2.0]))
    /// >>> a
    /// array([1., 2.])
    #[pyo3(signature = (arr, stream=None))]
    fn set(&self, py: Python<'_>, arr: &Bound<'_, PyAny>, stream: OptArg<'_, '_>) -> PyResult<()> {
        let _ = stream;
        let array = self.written(py);
        from_python::check_host_target(arr, &array)?;
        if from_python::overwrite(&array, arr)? {
            return Ok(());
        }
        let source = from_python::from_numpy(arr, None, Order::K)?;
        gate::detached(py, || elementwise::assign("set", &array, Arg::Array(&source), None))
    }
}

/// The element at a position of the flattened array.
fn flat_element(py: Python<'_>, array: &Array, place: i64) -> PyResult<Array> {
    gate::detached(py, || {
        let size = array.size() as i64;
        let at = if place < 0 { place + size } else { place };
        if !(0..size).contains(&at) {
            return Err(Error::Index { op: "item".into(), index: place, axis: 0, size: array.size() });
        }
        let mut rest = at as usize;
        let mut layout = array.layout().clone();
        for axis in (0..array.ndim()).rev() {
            let size = array.shape()[axis];
            layout = layout.slice_axis(axis, rest % size, 1, 1).remove_axis(axis);
            rest /= size;
        }
        Ok(array.with_layout(layout))
    })
}
