//! Arrays, textures and surfaces of a GPU by their handles.

use cuprum_cuda::{ArrayShape, CopyPlace, Resource, Texels, TextureReading};
use pyo3::prelude::*;
use pyo3::wrap_pyfunction;

use super::gpu::{gpu, resolved};
use crate::gate;
use crate::ndarray::NdArray;

/// A new array: its format, channels and flags by the driver's numbers.
#[pyfunction]
fn create_array(py: Python<'_>, ordinal: usize, size: [usize; 3], elements: [u32; 3]) -> PyResult<usize> {
    let ([width, height, depth], [format, channels, flags]) = (size, elements);
    let gpu = gpu(py, ordinal)?;
    let shape = ArrayShape { width, height, depth, texels: Texels { format, channels }, flags };
    gate::detached(py, || cuprum_cuda::create_array(gpu, shape))
}

/// Lets go of an array.
#[pyfunction]
fn destroy_array(py: Python<'_>, ordinal: usize, handle: usize) -> PyResult<()> {
    let gpu = gpu(py, ordinal)?;
    // SAFETY: the caller of CUDA's own function vouches for the handle.
    gate::detached(py, || unsafe { cuprum_cuda::destroy_array(gpu, handle) })
}

/// One side of a copy: the kind of memory, the address or the handle, bytes a row, rows a plane, and where to begin.
type CopySide = (u32, usize, usize, usize, [usize; 3]);

fn place((kind, place, pitch, rows, start): CopySide) -> CopyPlace {
    CopyPlace { kind, place, pitch, rows, start }
}

/// Copies a box of bytes, rows and planes, from or to the memory of `array` where that is given; waits for it where that
/// is asked for.
#[pyfunction]
#[pyo3(signature = (ordinal, to, from, extent, stream, wait, array=None))]
#[allow(clippy::too_many_arguments)]
fn copy_box(
    py: Python<'_>,
    ordinal: usize,
    to: CopySide,
    from: CopySide,
    extent: [usize; 3],
    stream: usize,
    wait: bool,
    array: Option<&Bound<'_, NdArray>>,
) -> PyResult<()> {
    let (gpu, stream) = (gpu(py, ordinal)?, resolved(py, ordinal, stream)?);
    let array = array.map(|array| array.get().array(py));
    gate::detached(py, || {
        let filled = array.as_ref().map(|array| array.force()).transpose()?;
        // SAFETY: the caller of CUDA's own copies vouches for both sides and for the stream.
        unsafe {
            if let Some(buffer) = &filled {
                cuprum_cuda::touch(gpu, buffer, stream)?;
            }
            cuprum_cuda::copy_box(gpu, place(to), place(from), extent, stream)?;
            if wait { cuprum_cuda::Stream::external(gpu, stream).synchronize() } else { Ok(()) }
        }
    })
}

/// What a texture shows: the kind by CUDA's number, the address or the handle, format and channels, then sizes.
type TextureSource = (u32, usize, [u32; 2], [usize; 3]);

fn resource((kind, place, [format, channels], [first, second, third]): TextureSource) -> Resource {
    const LINEAR: u32 = 2;
    const PITCHED: u32 = 3;
    let texels = Texels { format, channels };
    match kind {
        LINEAR => Resource::Linear(place, texels, first),
        PITCHED => Resource::Pitched(place, texels, [first, second], third),
        _ => Resource::Array(place),
    }
}

/// A new texture object: what it shows, the modes beyond the edges, and the filter, flags and anisotropy by the driver's
/// numbers, and the border's colour.
#[pyfunction]
fn create_texture(
    py: Python<'_>,
    ordinal: usize,
    shown: TextureSource,
    beyond: [u32; 3],
    how: [u32; 3],
    border: [f32; 4],
) -> PyResult<u64> {
    let [filter, flags, anisotropy] = how;
    let gpu = gpu(py, ordinal)?;
    let reading = TextureReading {
        beyond,
        filter,
        flags,
        anisotropy,
        mipmap_filter: 0,
        mipmap_levels: [0.0; 3],
        border,
        reserved: [0; 12],
    };
    // SAFETY: the object that holds the texture keeps what it shows.
    gate::detached(py, || unsafe { cuprum_cuda::create_texture(gpu, resource(shown), &reading) })
}

/// Lets go of a texture object.
#[pyfunction]
fn destroy_texture(py: Python<'_>, ordinal: usize, handle: u64) -> PyResult<()> {
    let gpu = gpu(py, ordinal)?;
    // SAFETY: the caller of CUDA's own function vouches for the handle.
    gate::detached(py, || unsafe { cuprum_cuda::destroy_texture(gpu, handle) })
}

/// A new surface object over an array.
#[pyfunction]
fn create_surface(py: Python<'_>, ordinal: usize, shown: TextureSource) -> PyResult<u64> {
    let gpu = gpu(py, ordinal)?;
    // SAFETY: the object that holds the surface keeps the array.
    gate::detached(py, || unsafe { cuprum_cuda::create_surface(gpu, resource(shown)) })
}

/// Lets go of a surface object.
#[pyfunction]
fn destroy_surface(py: Python<'_>, ordinal: usize, handle: u64) -> PyResult<()> {
    let gpu = gpu(py, ordinal)?;
    // SAFETY: the caller of CUDA's own function vouches for the handle.
    gate::detached(py, || unsafe { cuprum_cuda::destroy_surface(gpu, handle) })
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(create_array, module)?)?;
    module.add_function(wrap_pyfunction!(destroy_array, module)?)?;
    module.add_function(wrap_pyfunction!(copy_box, module)?)?;
    module.add_function(wrap_pyfunction!(create_texture, module)?)?;
    module.add_function(wrap_pyfunction!(destroy_texture, module)?)?;
    module.add_function(wrap_pyfunction!(create_surface, module)?)?;
    module.add_function(wrap_pyfunction!(destroy_surface, module)?)
}
