//! Helpers of the tests of calls: arrays to the GPU and back. Without a GPU a test says so and ends.

use cuprum_core::{DType, Layout, Result};
use cuprum_graph::{Call, Device, Slot};

use crate::device::Cuda;

/// The GPU, or a line that says that the test has none. Where a driver was named, want of it is a failure.
pub(super) fn gpu() -> Option<&'static Cuda> {
    match crate::device(0) {
        Ok(device) => Some(device),
        Err(error) => {
            let named = std::env::var_os("CUPRUM_LIBCUDA").is_some_and(|path| !path.is_empty());
            assert!(!named, "CUPRUM_LIBCUDA is set, and yet there is no GPU: {error}");
            println!("skipped, no GPU: {error}");
            None
        }
    }
}

/// Compiles a text for a recent GPU, or for the one that `CUPRUM_TEST_TARGET` names.
pub(super) fn compiles(what: &str, text: &str) {
    let target = std::env::var("CUPRUM_TEST_TARGET").unwrap_or("sm_90".into());
    if let Err(error) = crate::compile(text, &target, crate::quick_options()) {
        panic!("{what}: {error}");
    }
}

fn bytes_of<T: Copy>(values: &[T]) -> &[u8] {
    // SAFETY: plain numbers, seen as their bytes.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// Numbers on the GPU, row by row. The dtype is one of the numbers' size, or of a part of it.
pub(super) fn upload<T: Copy>(gpu: &Cuda, values: &[T], shape: &[usize], dtype: DType) -> Slot {
    let slot = empty(gpu, shape, dtype);
    assert_eq!(slot.layout.size() * dtype.size(), size_of_val(values));
    gpu.upload(&slot.buffer, 0, bytes_of(values)).unwrap();
    slot
}

/// Memory for an array, row by row.
pub(super) fn empty(gpu: &Cuda, shape: &[usize], dtype: DType) -> Slot {
    let layout = Layout::contiguous(shape, dtype.size());
    Slot { buffer: gpu.allocate(layout.size() * dtype.size()).unwrap(), layout, dtype }
}

/// The array with its axes turned round.
pub(super) fn transposed(slot: &Slot) -> Slot {
    let axes: Vec<usize> = (0..slot.layout.ndim()).rev().collect();
    Slot { layout: slot.layout.permute(&axes), ..slot.clone() }
}

/// The numbers of an array, as they lie in memory.
pub(super) fn download<T: Copy + Default>(gpu: &Cuda, slot: &Slot) -> Vec<T> {
    let mut values = vec![T::default(); slot.layout.size() * slot.dtype.size() / size_of::<T>()];
    // SAFETY: plain numbers, seen as their bytes.
    let bytes =
        unsafe { std::slice::from_raw_parts_mut(values.as_mut_ptr().cast::<u8>(), size_of_val(&values[..])) };
    gpu.download(&slot.buffer, slot.layout.offset, bytes).unwrap();
    values
}

pub(super) fn call(gpu: &Cuda, call: &Call<'_>) -> Result<()> {
    // SAFETY: the tests' calls have the shapes and dtypes that they ask for.
    unsafe { gpu.call(call) }
}

/// Numbers without a pattern, the same in every run.
pub(super) struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }
}
