//! Products of transposed sparse matrices with vectors: sums of integers, so that their order does not matter.

use cuprum_core::{DType, Result};
use cuprum_graph::SparseTransposedProductCall;

use super::{THREADS, head, lanes};
use crate::launch::LaunchArgs;
use crate::session::Session;

/// Bytes of the sum of one part of an element.
const SUM_BYTES: usize = 16;
/// Bytes of what a sample of the operands shows.
const WINDOW_BYTES: usize = 16;
/// How many sums share a word of marks.
const MARKS: usize = 16;
/// Elements of the matrix, and of the vector, that are looked at before products are added.
const SAMPLES: usize = 1 << 16;
/// Blocks of a multiprocessor that go through the matrix for the elements that are left open.
const OPEN_BLOCKS_PER_MULTIPROCESSOR: usize = 8;

pub(in crate::calls) fn run(session: &Session, call: &SparseTransposedProductCall<'_>) -> Result<()> {
    let (stored, rows, width) = (call.values.layout.size(), call.x.layout.size(), call.out.layout.size());
    let [starts, columns, values, x] =
        [call.starts, call.columns, call.values, call.x].map(|slot| session.dense(slot));
    let (starts, columns, values, x) = (starts?, columns?, values?, x?);
    let lanes = lanes(stored / rows.max(1));
    let (elements, index) = (values.dtype, columns.dtype);
    let variant = [elements as u32, index as u32, lanes as u32];
    let kernel = |entry| session.kernel(entry, &variant, || text(elements, index, lanes));
    let is_floating = !elements.is_integral();
    let sum_count = width * if elements.is_complex() { 2 } else { 1 };

    let sums_bytes = sum_count * SUM_BYTES;
    let marks_bytes = sum_count.div_ceil(MARKS).next_multiple_of(4) * 4;
    let work = session.scratch(sums_bytes + WINDOW_BYTES + marks_bytes + width.div_ceil(32) * 4)?;
    let sums = work.address();
    let window = sums + sums_bytes;
    let marks = window + WINDOW_BYTES;
    let open = marks + marks_bytes;
    session.set_bytes(&work, sums_bytes, 0, WINDOW_BYTES)?;
    let samples = if is_floating { SAMPLES } else { 0 };
    let mut args = LaunchArgs::new();
    args.pointer(session.address(&values)).pointer(session.address(&x));
    args.pointer(sums).pointer(marks).pointer(window);
    args.u64(stored as u64).u64(rows as u64).u64(width as u64).u64(samples as u64);
    let grid = sum_count.max(samples.min(stored.max(rows))).div_ceil(THREADS) as u32;
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel("transposed_begin")?, grid, THREADS as u32, &args) }?;

    let of_matrix = || {
        let mut args = LaunchArgs::new();
        for slot in [&starts, &columns, &values, &x] {
            args.pointer(session.address(slot));
        }
        args.pointer(sums);
        args
    };
    let places = places(stored);
    let row_blocks = rows.div_ceil(THREADS / lanes);
    let mut args = of_matrix();
    args.pointer(marks).pointer(window).i32(places).u64(rows as u64);
    // SAFETY: as above.
    unsafe { session.launch(kernel("transposed_sums")?, row_blocks as u32, THREADS as u32, &args) }?;
    session.with_dense_out(call.out, |out| {
        let out = session.address(out);
        let blocks = width.div_ceil(THREADS);
        let mut args = LaunchArgs::new();
        args.pointer(sums).pointer(marks).pointer(open).pointer(window).pointer(out);
        args.i32(places).u64(width as u64);
        // SAFETY: as above.
        unsafe { session.launch(kernel("transposed_numbers")?, blocks as u32, THREADS as u32, &args) }?;
        if !is_floating {
            return Ok(());
        }
        let most = OPEN_BLOCKS_PER_MULTIPROCESSOR * session.gpu().multiprocessors as usize;
        for entry in ["open_exponents", "open_sums"] {
            let mut args = of_matrix();
            args.pointer(open).pointer(window).u64(rows as u64);
            // SAFETY: as above.
            unsafe { session.launch(kernel(entry)?, row_blocks.min(most) as u32, THREADS as u32, &args) }?;
        }
        let mut args = LaunchArgs::new();
        args.pointer(sums).pointer(open).pointer(window).pointer(out).u64(width as u64);
        // SAFETY: as above.
        unsafe { session.launch(kernel("open_numbers")?, blocks.min(most) as u32, THREADS as u32, &args) }
    })
}

/// The binary places of half a sum: as many products as are stored cannot overflow 63 bits, and a double has all of them.
fn places(stored: usize) -> i32 {
    (63 - (usize::BITS - stored.leading_zeros()) as i32).min(52)
}

fn text(elements: DType, index: DType, lanes: usize) -> String {
    format!("{}{}", head(elements, index, lanes), include_str!("../../kernels/sparse_transposed.cu"))
}

#[cfg(test)]
mod tests {
    use cuprum_graph::Call;

    use super::*;
    use crate::calls::testing::{Numbers, call, compiles, download, empty, gpu, upload};

    #[test]
    #[ignore = "for NVIDIA's own compiler: make test-rust runs it"]
    fn every_text_compiles() {
        for dtype in [DType::Bool, DType::I8, DType::U64, DType::F32, DType::F64, DType::C64, DType::C128] {
            for (index, lanes) in [(DType::I32, 1), (DType::I64, 8)] {
                compiles(&format!("{dtype:?} {index:?} {lanes}"), &text(dtype, index, lanes));
            }
        }
    }

    fn product(starts: &[i32], columns: &[i32], values: &[f64], x: &[f64], width: usize) -> Option<Vec<f64>> {
        let gpu = gpu()?;
        let out = empty(gpu, &[width], DType::F64);
        let product = SparseTransposedProductCall {
            starts: &upload(gpu, starts, &[starts.len()], DType::I32),
            columns: &upload(gpu, columns, &[columns.len()], DType::I32),
            values: &upload(gpu, values, &[values.len()], DType::F64),
            x: &upload(gpu, x, &[x.len()], DType::F64),
            out: &out,
        };
        call(gpu, &Call::SparseTransposedProduct(product)).unwrap();
        Some(download(gpu, &out))
    }

    #[test]
    fn sums_are_those_of_exact_arithmetic() {
        let (rows, width) = (700usize, 40usize);
        let starts: Vec<i32> = (0..=rows as i32).map(|row| row * 9).collect();
        let mut numbers = Numbers(3);
        let columns: Vec<i32> = (0..rows * 9).map(|_| (numbers.next() % width as u64) as i32).collect();
        // Multiples of 2^-20 below 2^20: sums of them are exact in double precision.
        let values: Vec<f64> =
            (0..rows * 9).map(|_| (numbers.next() >> 24) as f64 / (1u64 << 20) as f64 - 5e5).collect();
        let x: Vec<f64> = (0..rows).map(|row| f64::from(1u32 << (row % 3)) * [1.0, -1.0][row % 2]).collect();
        let Some(got) = product(&starts, &columns, &values, &x, width) else { return };
        let mut want = vec![0.0; width];
        for (k, (column, value)) in columns.iter().zip(&values).enumerate() {
            want[*column as usize] += value * x[k / 9];
        }
        assert_eq!(got, want);
    }

    #[test]
    fn numbers_of_all_sizes_are_added() {
        let tiny = f64::from_bits(3);
        let values =
            [1e300, -1e300, 1e-300, tiny, tiny, f64::INFINITY, 1.0, f64::INFINITY, f64::NEG_INFINITY];
        let columns = [0, 0, 0, 1, 1, 2, 2, 3, 3];
        let Some(got) = product(&[0, 9], &columns, &values, &[1.0], 5) else { return };
        assert_eq!(got[..3], [0.0, f64::from_bits(6), f64::INFINITY]);
        assert!(got[3].is_nan() && got[4] == 0.0);
    }

    /// Elements with products of very different sizes are added as exactly as others, whatever size the rest has.
    #[test]
    fn small_elements_beside_large_ones_keep_their_digits() {
        let (rows, width) = (3000usize, 700usize);
        let mut numbers = Numbers(11);
        let mut unit = || (numbers.next() >> 11) as f64 / (1u64 << 53) as f64;
        let scale = |column: usize| 2f64.powi([0, -30, -70, -300, -900, 500][column % 6]);
        let starts: Vec<i32> = (0..=rows as i32).map(|row| row * 7).collect();
        let columns: Vec<i32> = (0..rows * 7).map(|_| (unit() * width as f64) as i32).collect();
        let values: Vec<f64> =
            columns.iter().map(|column| (unit() - 0.5) * scale(*column as usize)).collect();
        let x: Vec<f64> = (0..rows).map(|_| unit() * 4.0).collect();
        let Some(got) = product(&starts, &columns, &values, &x, width) else { return };
        let (mut want, mut sizes, mut counts) = (vec![0.0; width], vec![0.0; width], vec![0; width]);
        for (k, (column, value)) in columns.iter().zip(&values).enumerate() {
            let (column, product) = (*column as usize, value * x[k / 7] / scale(*column as usize));
            want[column] += product;
            sizes[column] += product.abs();
            counts[column] += 1;
        }
        for column in 0..width {
            let (size, error) = (sizes[column], got[column] / scale(column) - want[column]);
            assert!(
                error.abs() <= f64::from(counts[column]) * f64::EPSILON * size,
                "column {column}: {error}"
            );
        }
    }

    #[test]
    fn many_large_products_overflow_into_the_upper_half() {
        let count = 5000usize;
        let starts: Vec<i32> = (0..=count as i32).collect();
        let (columns, values) = (vec![0; count], vec![-1.75; count]);
        let Some(got) = product(&starts, &columns, &values, &vec![1.0; count], 1) else { return };
        assert_eq!(got, [-1.75 * count as f64]);
    }
}
