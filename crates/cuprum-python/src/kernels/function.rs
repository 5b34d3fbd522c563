//! `KernelFunction`: a kernel on one device, its signature, its attributes and its launch.

use std::sync::Mutex;

use cuprum::kernel::{Argument, Launch, Parameter, ParameterElement, ParameterKind, RawKernel};
use cuprum_graph::DeviceKind;
use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyInt, PyTuple};
use smallvec::SmallVec;

use super::arguments::{self, Arguments};
use super::{errors, settings};
use crate::convert::to_python;
use crate::gate;
use crate::ndarray::NdArray;

/// A kernel on one device.
#[pyclass(name = "KernelFunction", module = "cuprum._core", frozen, weakref)]
pub struct KernelFunction {
    kernel: RawKernel,
}

impl KernelFunction {
    pub fn new(kernel: RawKernel) -> KernelFunction {
        KernelFunction { kernel }
    }
}

/// A parameter: name, type as written, kind, dtype of the number or of what is pointed to, bytes.
type ParameterFacts = (String, String, &'static str, Option<&'static str>, u32);

#[pymethods]
impl KernelFunction {
    /// The kernel's name.
    #[getter]
    fn name(&self) -> &str {
        self.kernel.name()
    }

    /// The name of the device that it runs on.
    #[getter]
    fn device(&self) -> String {
        self.kernel.device().name()
    }

    /// The driver's handle; 0 on the CPU.
    #[getter]
    fn handle(&self) -> usize {
        self.kernel.handle()
    }

    /// The parameters as (name, type, kind, dtype, bytes), kind being 'scalar', 'pointer', 'const pointer' or 'struct';
    /// None where the text is not known.
    #[getter]
    fn parameters(&self) -> Option<Vec<ParameterFacts>> {
        self.kernel.parameters().map(|params| params.iter().map(facts).collect())
    }

    /// All attributes by their names.
    #[getter]
    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for (name, _) in RawKernel::attribute_names() {
            all.set_item(name, gate::detached(py, || self.kernel.attribute(name))?)?;
        }
        Ok(all)
    }

    /// An attribute by its name.
    fn attribute(&self, py: Python<'_>, name: &str) -> PyResult<i32> {
        gate::detached(py, || self.kernel.attribute(name))
    }

    /// How many blocks of so many threads run on the device at a time: what a cooperative launch may ask for.
    #[pyo3(signature = (threads, shared=0))]
    fn resident_blocks(&self, py: Python<'_>, threads: u32, shared: u32) -> PyResult<u64> {
        gate::detached(py, || self.kernel.resident_blocks(threads, shared))
    }

    /// Makes the machine code ahead of the first launch.
    fn compile(&self, py: Python<'_>) -> PyResult<()> {
        let outcome = gate::detached(py, || Ok(self.kernel.compile()))?;
        outcome.map_err(|error| errors::exception(py, error))
    }

    /// Sets an attribute by its name.
    fn set_attribute(&self, py: Python<'_>, name: &str, value: i32) -> PyResult<()> {
        gate::detached(py, || self.kernel.set_attribute(name, value))
    }

    /// Checks the arguments and launches the kernel.
    #[pyo3(signature = (grid, block, args, shared_mem=0, stream=None, cooperative=false, check=None, deterministic=None, timeout=None, strided=false))]
    #[allow(clippy::too_many_arguments)]
    pub fn launch(
        &self,
        py: Python<'_>,
        grid: &Bound<'_, PyAny>,
        block: &Bound<'_, PyAny>,
        args: &Bound<'_, PyAny>,
        shared_mem: usize,
        stream: Option<&Bound<'_, PyAny>>,
        cooperative: bool,
        check: Option<bool>,
        deterministic: Option<bool>,
        timeout: Option<f64>,
        strided: bool,
    ) -> PyResult<()> {
        let arguments = self.arguments(py, args)?;
        let how = LaunchOptions { shared_mem, stream, cooperative, check, deterministic, timeout, strided };
        self.run(py, grid, block, &arguments, &how)
    }
}

/// How a kernel is launched, beside its grid, its block and its arguments.
#[derive(Default)]
pub struct LaunchOptions<'a, 'py> {
    pub shared_mem: usize,
    pub stream: Option<&'a Bound<'py, PyAny>>,
    pub cooperative: bool,
    pub check: Option<bool>,
    pub deterministic: Option<bool>,
    pub timeout: Option<f64>,
    pub strided: bool,
}

impl KernelFunction {
    /// The arguments that a tuple or another iterable holds.
    pub fn arguments(&self, py: Python<'_>, args: &Bound<'_, PyAny>) -> PyResult<Arguments> {
        let mut arguments = Arguments::new();
        named(py, self.kernel.name(), arguments::add_arguments(&mut arguments, args))?;
        Ok(arguments)
    }

    /// Leaves out arguments beyond the parameters, and warns of them: programs for CuPy pass some, which the driver
    /// never reads.
    pub fn drop_extra(&self, py: Python<'_>, arguments: &mut Arguments) -> PyResult<()> {
        let Some(wanted) = self.kernel.parameters().map(<[Parameter]>::len) else { return Ok(()) };
        if arguments.len() > wanted {
            let (name, got) = (self.kernel.name(), arguments.len());
            let s = if wanted == 1 { "" } else { "s" };
            let text = format!("{name}: takes {wanted} argument{s}, got {got}: those beyond are not used");
            let text = std::ffi::CString::new(text)?;
            PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &text, 1)?;
            arguments.truncate(wanted);
        }
        Ok(())
    }

    /// Launches the kernel.
    pub fn run(
        &self,
        py: Python<'_>,
        grid: &Bound<'_, PyAny>,
        block: &Bound<'_, PyAny>,
        arguments: &[Argument],
        how: &LaunchOptions<'_, '_>,
    ) -> PyResult<()> {
        let settings = settings::current();
        let launch = Launch {
            grid: named(py, self.kernel.name(), arguments::dimensions("grid", grid))?,
            block: named(py, self.kernel.name(), arguments::dimensions("block", block))?,
            shared: how.shared_mem,
            stream: how.stream.map(handle_of).transpose()?.flatten(),
            cooperative: how.cooperative,
            strided: how.strided,
            deterministic: how.deterministic.or(settings.deterministic),
            timeout: how.timeout.map(settings::seconds).transpose()?.or(settings.timeout),
            is_sole_writer: Some(settings::is_single_threaded),
            check: match how.check {
                None => settings.check,
                Some(true) => Some(settings.check.unwrap_or_else(|| settings::everything(None))),
                Some(false) => None,
            },
        };
        let kernel = &self.kernel;
        let printed = Printed::default();
        let outcome = gate::detached(
            py,
            // SAFETY: who launches a kernel by its address or on a GPU answers for what it does, as with CUDA.
            || Ok(unsafe { kernel.launch_printing(&launch, arguments, &|text| printed.take(text)) }),
        )?;
        printed.show(py)?;
        if let Some(warning) = kernel.take_warning() {
            let text = std::ffi::CString::new(warning)?;
            PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &text, 1)?;
        }
        outcome.map_err(|error| errors::exception(py, error))
    }
}

fn named<T>(py: Python<'_>, kernel: &str, outcome: PyResult<T>) -> PyResult<T> {
    gate::named(py, kernel, outcome)
}

/// What a kernel on the CPU prints, until Python's `sys.stdout` takes it.
#[derive(Default)]
struct Printed {
    text: Mutex<String>,
}

impl Printed {
    /// So much is kept before it is shown while the kernel runs.
    const SHOWN_MIN_BYTES: usize = 1 << 16;

    fn take(&self, text: &str) {
        let mut kept = self.text.lock().unwrap_or_else(|e| e.into_inner());
        kept.push_str(text);
        if kept.len() >= Printed::SHOWN_MIN_BYTES {
            let full = std::mem::take(&mut *kept);
            drop(kept);
            // What standard output refuses is lost, as it is on a GPU.
            let _ = Python::try_attach(|py| write_out(py, &full));
        }
    }

    fn show(self, py: Python<'_>) -> PyResult<()> {
        let text = self.text.into_inner().unwrap_or_else(|e| e.into_inner());
        if text.is_empty() { Ok(()) } else { write_out(py, &text) }
    }
}

fn write_out(py: Python<'_>, text: &str) -> PyResult<()> {
    let stdout = py.import("sys")?.getattr("stdout")?;
    if stdout.is_none() {
        return Ok(());
    }
    stdout.call_method1("write", (text,)).map(|_| ())
}

/// A stream's handle: an integer, or what `ptr` holds.
pub fn handle_of(stream: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    let handle = if stream.is_instance_of::<PyInt>() { stream.clone() } else { stream.getattr("ptr")? };
    handle.extract().map(Some)
}

fn facts(param: &Parameter) -> ParameterFacts {
    let (kind, element) = match &param.kind {
        ParameterKind::Scalar(element) => ("scalar", Some(element)),
        ParameterKind::Pointer { to, constant: true } => ("const pointer", Some(to)),
        ParameterKind::Pointer { to, constant: false } => ("pointer", Some(to)),
        ParameterKind::Struct => ("struct", None),
    };
    (param.name.clone(), param.type_name.clone(), kind, element.and_then(dtype_name), param.bytes)
}

fn dtype_name(element: &ParameterElement) -> Option<&'static str> {
    Some(match element {
        ParameterElement::Bool => "bool",
        ParameterElement::Signed(1) => "int8",
        ParameterElement::Signed(2) => "int16",
        ParameterElement::Signed(4) => "int32",
        ParameterElement::Signed(_) => "int64",
        ParameterElement::Unsigned(1) => "uint8",
        ParameterElement::Unsigned(2) => "uint16",
        ParameterElement::Unsigned(4) => "uint32",
        ParameterElement::Unsigned(_) => "uint64",
        ParameterElement::Float(2) => "float16",
        ParameterElement::Float(4) => "float32",
        ParameterElement::Float(_) => "float64",
        ParameterElement::Bfloat => "bfloat16",
        ParameterElement::Complex(8) => "complex64",
        ParameterElement::Complex(_) => "complex128",
        ParameterElement::Void | ParameterElement::Other { .. } => return None,
    })
}

/// A shape, its size and the codes of dtypes.
type ShapeSizeCodes<'py> = (Bound<'py, PyTuple>, usize, Bound<'py, PyBytes>);

/// For arrays of one shape whose elements lie row by row: that shape, its size, and the dtypes' codes. `None` for all
/// other arguments.
#[pyfunction]
pub fn alike<'py>(py: Python<'py>, args: &Bound<'py, PyTuple>) -> PyResult<Option<ShapeSizeCodes<'py>>> {
    let mut codes: SmallVec<[u8; 16]> = SmallVec::new();
    let mut shape: SmallVec<[usize; 8]> = SmallVec::new();
    for (position, item) in args.iter_borrowed().enumerate() {
        let Ok(array) = item.cast::<NdArray>() else { return Ok(None) };
        let array = array.get().lock(py);
        if position == 0 {
            shape.extend_from_slice(array.shape());
        }
        if array.shape() != shape.as_slice() || !array.is_contiguous() {
            return Ok(None);
        }
        codes.push(array.dtype() as u8);
    }
    if codes.is_empty() {
        return Ok(None);
    }
    let size = shape.iter().product();
    Ok(Some((to_python::tuple(py, &shape)?, size, PyBytes::new(py, &codes))))
}

/// The number of the current GPU, -1 for the CPU: what kernels are kept by.
#[pyfunction]
pub fn device_key(py: Python<'_>) -> PyResult<i64> {
    let device = gate::attached(py, cuprum::default_device)?;
    Ok(match device.kind() {
        DeviceKind::Cpu => -1,
        DeviceKind::Cuda(ordinal) => ordinal as i64,
    })
}
