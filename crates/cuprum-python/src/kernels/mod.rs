//! Kernels that users write: modules, functions and their launch, as the classes of `cuprum` and of other libraries'
//! names stand on them.

mod arguments;
mod caller;
mod errors;
mod function;
pub mod mdspan;
mod module;
mod python;
pub mod settings;

pub use function::handle_of;
use pyo3::prelude::*;
use pyo3::wrap_pyfunction;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<module::KernelModule>()?;
    module.add_class::<function::KernelFunction>()?;
    module.add_class::<caller::KernelCaller>()?;
    module.add_class::<mdspan::Mdspan>()?;
    module.add_function(wrap_pyfunction!(settings::kernel_settings, module)?)?;
    module.add_function(wrap_pyfunction!(settings::set_kernel_settings, module)?)?;
    module.add_function(wrap_pyfunction!(settings::note_write, module)?)?;
    module.add_function(wrap_pyfunction!(module::kernel_headers, module)?)?;
    module.add_function(wrap_pyfunction!(module::kernel_ptx, module)?)?;
    module.add_function(wrap_pyfunction!(settings::kernel_heap_limit, module)?)?;
    module.add_function(wrap_pyfunction!(settings::set_kernel_heap_limit, module)?)?;
    module.add_function(wrap_pyfunction!(python::launch_python, module)?)?;
    module.add_function(wrap_pyfunction!(function::alike, module)?)?;
    module.add_function(wrap_pyfunction!(function::device_key, module)?)
}
