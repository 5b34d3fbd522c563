//! CUDA arrays, and the texture and surface objects through which kernels read and write them.

use std::ffi::c_void;

use cuprum_core::Result;

use crate::check::{check, cuda};
use crate::context::Gpu;

/// The format of a texture's elements, by the driver's numbers.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Texels {
    /// `CUarray_format`.
    pub format: u32,
    /// Numbers in an element: 1, 2 or 4.
    pub channels: u32,
}

/// The size of a CUDA array in elements, with 0 for a missing axis, and what it may be used for.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ArrayShape {
    /// Elements along each axis.
    pub width: usize,
    /// Rows; 0 for one axis.
    pub height: usize,
    /// Planes; 0 for up to two axes.
    pub depth: usize,
    /// What the elements are.
    pub texels: Texels,
    /// `CUDA_ARRAY3D_LAYERED` and its like.
    pub flags: u32,
}

/// Creates an array and returns its handle.
pub fn create_array(gpu: &Gpu, shape: ArrayShape) -> Result<usize> {
    gpu.enter()?;
    let mut handle = 0;
    // SAFETY: the shape is `CUDA_ARRAY3D_DESCRIPTOR`; one handle is written.
    let code = unsafe { (cuda()?.cuArray3DCreate_v2)(&mut handle, (&raw const shape).cast()) };
    check(code, "cuArray3DCreate")?;
    Ok(handle)
}

/// Destroys an array.
///
/// # Safety
/// The handle is an array's that nobody uses any more.
pub unsafe fn destroy_array(gpu: &Gpu, handle: usize) -> Result<()> {
    gpu.enter()?;
    // SAFETY: the caller vouches for the handle.
    check(unsafe { (cuda()?.cuArrayDestroy)(handle) }, "cuArrayDestroy")
}

/// One side of a copy.
#[derive(Clone, Copy, Debug)]
pub struct CopyPlace {
    /// `CUmemorytype`: 1 for the host's memory, 2 for a GPU's, 3 for an array, 4 for what the address says.
    pub kind: u32,
    /// The address, or the array's handle.
    pub place: usize,
    /// Bytes from row to row, and rows from plane to plane; 0 for an array.
    pub pitch: usize,
    /// Rows from plane to plane; see `pitch`.
    pub rows: usize,
    /// Where to begin: a byte of a row, a row, a plane.
    pub start: [usize; 3],
}

/// `CUDA_MEMCPY3D`'s two sides.
#[repr(C)]
struct SideOfCopy {
    start: [usize; 3],
    level: usize,
    kind: u32,
    host: usize,
    device: usize,
    array: usize,
    reserved: usize,
    pitch: usize,
    rows: usize,
}

#[repr(C)]
struct Copy3d {
    from: SideOfCopy,
    to: SideOfCopy,
    width: usize,
    height: usize,
    depth: usize,
}

impl SideOfCopy {
    fn of(place: CopyPlace) -> SideOfCopy {
        const HOST: u32 = 1;
        const ARRAY: u32 = 3;
        let at = |here: bool| if here { place.place } else { 0 };
        SideOfCopy {
            start: place.start,
            level: 0,
            kind: place.kind,
            host: at(place.kind == HOST),
            device: at(place.kind != HOST && place.kind != ARRAY),
            array: at(place.kind == ARRAY),
            reserved: 0,
            pitch: place.pitch,
            rows: place.rows,
        }
    }
}

/// Copies a box of bytes, rows and planes between memory and arrays in a stream's order.
///
/// # Safety
/// Both sides exist and stay until the copy is done.
pub unsafe fn copy_box(
    gpu: &Gpu,
    to: CopyPlace,
    from: CopyPlace,
    [width, height, depth]: [usize; 3],
    stream: usize,
) -> Result<()> {
    gpu.enter()?;
    if width == 0 || height == 0 || depth == 0 {
        return Ok(());
    }
    let copy = Copy3d { from: SideOfCopy::of(from), to: SideOfCopy::of(to), width, height, depth };
    // SAFETY: the struct is `CUDA_MEMCPY3D`; the caller vouches for both sides.
    check(unsafe { (cuda()?.cuMemcpy3DAsync_v2)((&raw const copy).cast(), stream) }, "cuMemcpy3DAsync")
}

/// The memory behind a texture or a surface.
#[derive(Clone, Copy, Debug)]
pub enum Resource {
    /// An array, by its handle.
    Array(usize),
    /// Linear memory: the address, the elements, the size in bytes.
    Linear(usize, Texels, usize),
    /// Pitched memory of two axes: the address, the elements, their number along each axis, the bytes from row to
    /// row.
    Pitched(usize, Texels, [usize; 2], usize),
}

/// `CUDA_RESOURCE_DESC`.
#[repr(C)]
#[derive(Default)]
struct ResourceWords {
    kind: u32,
    words: [u64; 16],
    flags: u32,
}

impl ResourceWords {
    fn of(resource: Resource) -> ResourceWords {
        let texels = |t: Texels| u64::from(t.format) | u64::from(t.channels) << 32;
        let mut made = ResourceWords::default();
        match resource {
            Resource::Array(handle) => made.words[0] = handle as u64,
            Resource::Linear(address, elements, bytes) => {
                made.kind = 2;
                made.words[..3].copy_from_slice(&[address as u64, texels(elements), bytes as u64]);
            }
            Resource::Pitched(address, elements, [width, height], pitch) => {
                made.kind = 3;
                let words = [address as u64, texels(elements), width as u64, height as u64, pitch as u64];
                made.words[..5].copy_from_slice(&words);
            }
        }
        made
    }
}

/// How a texture is read: `CUDA_TEXTURE_DESC`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct TextureReading {
    /// The address mode of each axis, for positions beyond the edges: `CUaddress_mode`.
    pub beyond: [u32; 3],
    /// 1 to interpolate, 0 for the nearest element.
    pub filter: u32,
    /// `CU_TRSF_READ_AS_INTEGER` and its like.
    pub flags: u32,
    /// The maximum anisotropy.
    pub anisotropy: u32,
    /// The filter between mipmap levels.
    pub mipmap_filter: u32,
    /// The bias of the mipmap level, the lowest and the highest level.
    pub mipmap_levels: [f32; 3],
    /// The colour beyond the edges, for the address mode `border`.
    pub border: [f32; 4],
    /// Zeros.
    pub reserved: [i32; 12],
}

/// A new texture object.
///
/// # Safety
/// What it shows exists until [`destroy_texture`].
pub unsafe fn create_texture(gpu: &Gpu, resource: Resource, reading: &TextureReading) -> Result<u64> {
    gpu.enter()?;
    let resource = ResourceWords::of(resource);
    let how = std::ptr::from_ref(reading).cast::<c_void>();
    let mut handle = 0;
    // SAFETY: both structs are laid out as CUDA's; one handle is written.
    let code = unsafe {
        (cuda()?.cuTexObjectCreate)(&mut handle, (&raw const resource).cast(), how, std::ptr::null())
    };
    check(code, "cuTexObjectCreate").map(|()| handle)
}

/// Destroys a texture object.
///
/// # Safety
/// The handle is one's that nobody uses any more.
pub unsafe fn destroy_texture(gpu: &Gpu, handle: u64) -> Result<()> {
    gpu.enter()?;
    // SAFETY: the caller vouches for the handle.
    check(unsafe { (cuda()?.cuTexObjectDestroy)(handle) }, "cuTexObjectDestroy")
}

/// A new surface object, over an array.
///
/// # Safety
/// The array exists until [`destroy_surface`].
pub unsafe fn create_surface(gpu: &Gpu, resource: Resource) -> Result<u64> {
    gpu.enter()?;
    let resource = ResourceWords::of(resource);
    let mut handle = 0;
    // SAFETY: the struct is laid out as CUDA's; one handle is written.
    let code = unsafe { (cuda()?.cuSurfObjectCreate)(&mut handle, (&raw const resource).cast()) };
    check(code, "cuSurfObjectCreate").map(|()| handle)
}

/// Destroys a surface object.
///
/// # Safety
/// The handle is one's that nobody uses any more.
pub unsafe fn destroy_surface(gpu: &Gpu, handle: u64) -> Result<()> {
    gpu.enter()?;
    // SAFETY: the caller vouches for the handle.
    check(unsafe { (cuda()?.cuSurfObjectDestroy)(handle) }, "cuSurfObjectDestroy")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structs_have_the_sizes_of_cudas() {
        assert_eq!(size_of::<ArrayShape>(), 40);
        assert_eq!(size_of::<Copy3d>(), 200);
        assert_eq!(size_of::<ResourceWords>(), 144);
        assert_eq!(size_of::<TextureReading>(), 104);
    }
}
