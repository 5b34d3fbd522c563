//! Products of sparse matrices in compressed rows with dense ones.

pub(super) mod transposed;

use cuprum_core::{DType, Result};
use cuprum_graph::SparseProductCall;

use crate::launch::LaunchArgs;
use crate::ops::{FragmentSet, type_name};
use crate::session::Session;

const THREADS: usize = 256;
/// What a grid's second axis holds.
const MAX_ROW_BLOCKS: usize = 65535;

pub(super) fn run(session: &Session, call: &SparseProductCall<'_>) -> Result<()> {
    let (rows, width) = (call.out.layout.shape[0], call.out.layout.shape[1]);
    if rows * width == 0 {
        return Ok(());
    }
    let [starts, columns, values, x] =
        [call.starts, call.columns, call.values, call.x].map(|slot| session.dense(slot));
    let (starts, columns, values, x) = (starts?, columns?, values?, x?);
    let lanes = if width == 1 { lanes(values.layout.size() / rows) } else { 1 };
    let (elements, index) = (values.dtype, columns.dtype);
    let variant = [elements as u32, index as u32, lanes as u32];
    session.with_dense_out(call.out, |out| {
        let mut args = LaunchArgs::new();
        for slot in [&starts, &columns, &values, &x, out] {
            args.pointer(session.address(slot));
        }
        args.u64(rows as u64);
        let made = || text(elements, index, lanes);
        if width == 1 {
            let kernel = session.kernel("sparse_times_vector", &variant, made)?;
            let grid = rows.div_ceil(THREADS / lanes) as u32;
            // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
            return unsafe { session.launch(kernel, grid, THREADS as u32, &args) };
        }
        args.u64(width as u64);
        let kernel = session.kernel("sparse_times_matrix", &variant, made)?;
        let threads = width.next_power_of_two().clamp(32, THREADS);
        let grid = [width.div_ceil(threads) as u32, rows.min(MAX_ROW_BLOCKS) as u32, 1];
        // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
        unsafe { session.launch_shaped(kernel, grid, [threads as u32, 1, 1], 0, &args) }
    })
}

/// How many threads share a row of this mean length.
fn lanes(mean: usize) -> usize {
    match mean {
        0..4 => 1,
        4..16 => 4,
        16..32 => 8,
        _ => 32,
    }
}

/// What the texts begin with.
fn head(elements: DType, index: DType, lanes: usize) -> String {
    format!(
        "{}\ntypedef {} T;\ntypedef {} I;\n#define LANES {lanes}\n",
        FragmentSet::of_dtype(elements).text(),
        if elements == DType::Bool { "bool8" } else { type_name(elements) },
        type_name(index),
    )
}

fn text(elements: DType, index: DType, lanes: usize) -> String {
    format!("{}{}", head(elements, index, lanes), include_str!("../../kernels/sparse_product.cu"))
}

#[cfg(test)]
mod tests {
    use cuprum_graph::Call;

    use super::*;
    use crate::calls::testing::{call, compiles, download, empty, gpu, upload};

    #[test]
    #[ignore = "for NVIDIA's own compiler: make test-rust runs it"]
    fn every_text_compiles() {
        for dtype in [DType::Bool, DType::I8, DType::U64, DType::F32, DType::F64, DType::C64, DType::C128] {
            for (index, lanes) in [(DType::I32, 1), (DType::I64, 8)] {
                compiles(&format!("{dtype:?} {index:?} {lanes}"), &text(dtype, index, lanes));
            }
        }
    }

    #[test]
    fn rows_of_any_length_are_summed() {
        let Some(gpu) = gpu() else { return };
        let (rows, width) = (300usize, 50usize);
        let lengths: Vec<usize> = (0..rows).map(|i| (i * 37) % 41).collect();
        let mut starts = vec![0i32];
        lengths.iter().for_each(|n| starts.push(starts[starts.len() - 1] + *n as i32));
        let total = starts[rows] as usize;
        let columns: Vec<i32> = (0..total).map(|k| ((k * 31) % width) as i32).collect();
        let values: Vec<f64> = (0..total).map(|k| (k % 7) as f64 - 3.0).collect();
        for count in [1usize, 3] {
            let x: Vec<f64> = (0..width * count).map(|i| (i % 5) as f64).collect();
            let out = empty(gpu, &[rows, count], DType::F64);
            let product = SparseProductCall {
                starts: &upload(gpu, &starts, &[rows + 1], DType::I32),
                columns: &upload(gpu, &columns, &[total], DType::I32),
                values: &upload(gpu, &values, &[total], DType::F64),
                x: &upload(gpu, &x, &[width, count], DType::F64),
                out: &out,
            };
            call(gpu, &Call::SparseProduct(product)).unwrap();
            let got: Vec<f64> = download(gpu, &out);
            for row in 0..rows {
                for j in 0..count {
                    let places = starts[row] as usize..starts[row + 1] as usize;
                    let want: f64 = places.map(|k| values[k] * x[columns[k] as usize * count + j]).sum();
                    assert_eq!(got[row * count + j], want, "row {row}");
                }
            }
        }
    }
}
