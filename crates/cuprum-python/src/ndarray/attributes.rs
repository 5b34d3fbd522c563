//! Attributes: shape, dtype, strides, the parts of complex numbers, and where the elements are.

use cuprum::{Arg, Array, DType, Op, Options, elementwise};
use cuprum_graph::DeviceKind;
use pyo3::exceptions::{PyAttributeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};

use super::{Flags, FlatIter, NdArray};
use crate::convert::{arguments, dtype, from_python, to_python};
use crate::functions::cuda::MemoryBlock;
use crate::kernels::mdspan::Mdspan;
use crate::{cuda_interface, exports, gate, strict};

#[pymethods]
impl NdArray {
    /// The lengths of the axes. Setting it changes the shape in place, where that needs no copy.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        to_python::tuple(py, self.lock(py).shape())
    }

    #[setter]
    fn set_shape(&self, py: Python<'_>, shape: &Bound<'_, PyAny>) -> PyResult<()> {
        let array = self.array(py);
        let wanted = arguments::integers(shape)?;
        let reshaped =
            gate::detached(py, || cuprum::manipulation::reshape(&array, &wanted, cuprum::Order::C))?;
        if !reshaped.same_storage(&array) {
            return Err(PyAttributeError::new_err(
                "incompatible shape for in-place modification: use reshape() to make a copy with the desired shape",
            ));
        }
        self.replace(py, reshaped.with_writeable(array.is_writeable()));
        Ok(())
    }

    /// The type of the elements, a `numpy.dtype`.
    #[getter]
    fn dtype(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        dtype::to_python(py, self.lock(py).dtype())
    }

    /// Whether this is `a[i]` of a single element, which is a copy.
    #[getter(_is_element)]
    fn single_element(&self) -> bool {
        self.is_element()
    }

    /// Whether rows lie one after another: the flag by the name that libraries for CuPy use.
    #[getter]
    fn _c_contiguous(&self, py: Python<'_>) -> bool {
        let array = self.array(py);
        array.layout().is_contiguous(array.dtype().size())
    }

    /// Whether columns do.
    #[getter]
    fn _f_contiguous(&self, py: Python<'_>) -> bool {
        let array = self.array(py);
        array.layout().is_fortran(array.dtype().size())
    }

    /// Makes a single element a view of its place in the array that it was taken from; False where that is not known.
    fn _write_through(&self, py: Python<'_>) -> bool {
        self.write_through(py)
    }

    /// The number of axes.
    #[getter]
    fn ndim(&self, py: Python<'_>) -> usize {
        self.lock(py).ndim()
    }

    /// The number of elements.
    #[getter]
    fn size(&self, py: Python<'_>) -> usize {
        self.lock(py).size()
    }

    /// The bytes of one element.
    #[getter]
    fn itemsize(&self, py: Python<'_>) -> usize {
        self.lock(py).dtype().size()
    }

    /// The bytes of all elements.
    #[getter]
    fn nbytes(&self, py: Python<'_>) -> usize {
        let array = self.lock(py);
        array.size() * array.dtype().size()
    }

    /// The bytes from one element to the next along each axis.
    #[getter]
    fn strides<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        to_python::tuple(py, self.lock(py).strides())
    }

    /// A view with the axes reversed.
    #[getter(T)]
    fn transposed<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, NdArray>> {
        let array = slf.get().array(slf.py());
        NdArray::derive(slf, array.with_layout(array.layout().transpose()))
    }

    /// A view with the last two axes exchanged.
    #[getter(mT)]
    fn matrix_transposed<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, NdArray>> {
        let array = slf.get().array(slf.py());
        let n = array.ndim();
        if n < 2 {
            return Err(PyValueError::new_err("matrix transpose with ndim < 2 is undefined"));
        }
        let mut axes: Vec<usize> = (0..n).collect();
        axes.swap(n - 2, n - 1);
        NdArray::derive(slf, array.with_layout(array.layout().permute(&axes)))
    }

    /// The real part: a view, which can be written.
    #[getter]
    fn real<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, NdArray>> {
        if !slf.get().lock(slf.py()).dtype().is_complex() {
            return Ok(slf.clone());
        }
        NdArray::derive(slf, part(&slf.get().array(slf.py()), 0))
    }

    #[setter]
    fn set_real(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        assign_part(py, part(&self.written(py), 0), value)
    }

    /// The imaginary part: a view, which can be written; zeros for an array of real numbers.
    #[getter]
    fn imag<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, NdArray>> {
        let py = slf.py();
        let array = slf.get().array(py);
        if array.dtype().is_complex() {
            return NdArray::derive(slf, part(&array, 1));
        }
        let plain = Options::default();
        let zeros =
            gate::compute(py, &[&array], || elementwise::apply(Op::Imag, &[Arg::Array(&array)], &plain))?;
        NdArray::wrap(py, zeros.with_writeable(false))
    }

    #[setter]
    fn set_imag(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let array = self.written(py);
        if !array.dtype().is_complex() {
            return Err(PyTypeError::new_err("array does not have imaginary part to set"));
        }
        assign_part(py, part(&array, 1), value)
    }

    /// The elements in C order, one after another; can be indexed and assigned.
    #[getter]
    fn flat<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, FlatIter>> {
        Bound::new(slf.py(), FlatIter::new(slf.clone().unbind()))
    }

    #[setter]
    fn set_flat(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        super::flat::assign_all(slf, value)
    }

    /// How the elements lie in memory, and whether they may be written.
    #[getter]
    fn flags<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Flags>> {
        Bound::new(slf.py(), Flags::new(slf.clone().unbind()))
    }

    /// The array that this is a view of, or None.
    #[getter]
    fn base(&self, py: Python<'_>) -> Option<Py<NdArray>> {
        self.base.as_ref().map(|b| b.clone_ref(py))
    }

    /// The device that holds the elements, a `cuprum.cuda.Device`.
    #[getter]
    fn device<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        static CPU: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        static FIRST: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let device = self.lock(py).device();
        let make = || py.import("cuprum.cuda")?.getattr("Device")?.call1((device.name(),)).map(Bound::unbind);
        match device.kind() {
            DeviceKind::Cpu => Ok(CPU.get_or_try_init(py, make)?.bind(py).clone()),
            DeviceKind::Cuda(0) => Ok(FIRST.get_or_try_init(py, make)?.bind(py).clone()),
            DeviceKind::Cuda(_) => make().map(|device| device.into_bound(py)),
        }
    }

    /// Where the elements are: a `cuprum.cuda.MemoryPointer`, whose `ptr` is the address of the first.
    #[getter]
    fn data<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        address(slf)?;
        let array = slf.get().array(py);
        let block = MemoryBlock::over(array.device(), gate::detached(py, || array.force())?);
        let memory = py.import("cuprum.cuda.memory")?;
        memory.call_method1("_pointer_to", (Bound::new(py, block)?, array.layout().offset))
    }

    /// The array as a kernel takes a `cuda::std::mdspan` whose extents are all dynamic, in any layout.
    ///
    /// Parameters
    /// ----------
    /// index_type : dtype
    ///     The integers of the extents: int32 or int64.
    /// allow_unsafe : bool, optional
    ///     Whether axes without elements and steps that are not positive, which C++ leaves undefined, are allowed.
    ///
    /// Returns
    /// -------
    /// mdspan
    ///     An argument for kernels; the array lives as long as it does.
    ///
    /// Examples
    /// --------
    /// >>> add = cp.RawKernel('''
    /// ... #include <cuda/std/mdspan>
    /// ... using matrix = cuda::std::mdspan<float, cuda::std::dextents<int, 2>, cuda::std::layout_stride>;
    /// ... extern "C" __global__ void add(matrix a) { a(threadIdx.y, threadIdx.x) += 10 * threadIdx.y; }
    /// ... ''', "add")
    /// >>> a = cp.zeros((2, 3), dtype='f4')
    /// >>> add((1,), (3, 2), (a.mdspan(index_type='i4'),))
    /// >>> a
    /// array([[ 0.,  0.,  0.],
    ///        [10., 10., 10.]], dtype=float32)
    #[pyo3(signature = (*, index_type, allow_unsafe=false))]
    fn mdspan(slf: &Bound<'_, Self>, index_type: &Bound<'_, PyAny>, allow_unsafe: bool) -> PyResult<Mdspan> {
        let index_type = dtype::from_python(index_type)?;
        let address = address(slf)?;
        Mdspan::new(slf, &slf.get().array(slf.py()), address, index_type, allow_unsafe)
    }

    /// A dictionary that tells NumPy where the elements are.
    #[getter]
    fn __array_interface__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let py = slf.py();
        let array = slf.get().array(py);
        if strict::is_apart(&array) {
            let message = format!("an array on {} has no __array_interface__", strict::device_name(&array));
            return Err(PyAttributeError::new_err(message));
        }
        if array.dtype() == DType::BF16 {
            return Err(PyAttributeError::new_err("bfloat16 arrays have no __array_interface__"));
        }
        let interface = PyDict::new(py);
        interface.set_item("shape", to_python::tuple(py, array.shape())?)?;
        interface.set_item("typestr", dtype::to_python(py, array.dtype())?.getattr(py, "str")?)?;
        interface.set_item("data", (address(slf)?, !array.is_writeable()))?;
        interface.set_item("strides", to_python::tuple(py, array.strides())?)?;
        interface.set_item("version", 3)?;
        Ok(interface)
    }

    /// A dictionary that tells other GPU libraries where the elements are; arrays on the CPU have none.
    #[getter]
    fn __cuda_array_interface__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let array = slf.get().array(slf.py());
        if array.device().kind() == DeviceKind::Cpu {
            return cuda_interface::export(slf.py(), &array, 0);
        }
        cuda_interface::export(slf.py(), &array, address(slf)?)
    }
}

/// The address of the first element, which stays valid while the array lives.
fn address(slf: &Bound<'_, NdArray>) -> PyResult<usize> {
    // Who knows the address may write there.
    let array = slf.get().written(slf.py());
    slf.get().pin();
    gate::detached(slf.py(), || exports::add(&array))
}

/// The view of the real (0) or imaginary (1) parts; an array of real numbers is its own real part.
fn part(array: &Array, which: usize) -> Array {
    let dtype = array.dtype();
    let mut layout = array.layout().clone();
    if dtype.is_complex() {
        layout.offset += which * dtype.real().size();
    }
    array.with_layout_and_dtype(layout, dtype.real())
}

fn assign_part(py: Python<'_>, target: Array, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let value = from_python::operand(value)?;
    gate::detached(py, || elementwise::assign("assign", &target, value.arg(), None))
}
