//! Products by cuBLAS. It counts by columns: a matrix stored by rows is the transpose of one stored by columns, so
//! `C = A B` is asked for as `C^T = B^T A^T`.

use std::ffi::c_void;
use std::sync::OnceLock;

use cuprum_core::{DType, Result};
use cuprum_graph::Slot;

use super::operand::{BatchAxis, BlasOperand, batch_axes};
use crate::handles::{Blas, blas_check, data_type, family};
use crate::session::Session;

const OP: &str = "matmul";
const PLAIN: i32 = 0;
const TRANSPOSED: i32 = 1;
/// `CUBLAS_GEMM_DEFAULT`.
const DEFAULT_ALGORITHM: i32 = -1;
/// Matrices of a batch that one call takes: as many as a grid has layers.
const MAX_BATCH: usize = 65_535;
/// Bytes of addresses that are brought to the GPU at a time.
const ADDRESS_TABLE_BYTES: usize = 1 << 16;

/// One number in every element type; as complex zero or one its second part is zero.
#[repr(C, align(16))]
struct BlasScalar([u64; 2]);

impl BlasScalar {
    /// `value` in the type that products of `dtype` are computed in.
    fn new(dtype: DType, value: f64) -> BlasScalar {
        BlasScalar(match dtype {
            DType::F64 | DType::C128 => [value.to_bits(), 0],
            _ => [u64::from((value as f32).to_bits()), 0],
        })
    }

    fn pointer(&self) -> *const c_void {
        (&raw const self.0).cast()
    }
}

/// `cublasComputeType_t`: the element type's own precision, float32 for the 16-bit floats. TF32 has 10 bits of mantissa
/// and is used where `CUPRUM_TF32=1` allows it.
fn compute_type(dtype: DType) -> i32 {
    static TF32: OnceLock<bool> = OnceLock::new();
    let tf32 = || *TF32.get_or_init(|| std::env::var_os("CUPRUM_TF32").is_some_and(|v| v == "1"));
    match dtype {
        DType::F64 | DType::C128 => 70,
        DType::F32 | DType::C64 if tf32() => 77,
        _ => 68,
    }
}

/// What cuBLAS is asked for, in its order: `out = left right`, all by columns.
struct BlasProduct {
    rows: i64,
    columns: i64,
    inner: i64,
    left: BlasMatrix,
    right: BlasMatrix,
    out: BlasMatrix,
    dtype: DType,
}

/// An operand by columns, perhaps to be transposed.
#[derive(Clone, Copy)]
struct BlasMatrix {
    address: usize,
    transposed: i32,
    /// Elements from one column to the next.
    step: i64,
    /// Bytes from one matrix of a batch to the next lie at this place of a `BatchAxis`.
    place: usize,
}

pub(super) fn run(session: &Session, a: &Slot, b: &Slot, out: &Slot) -> Result<()> {
    let (a, b) = (BlasOperand::new(session, a)?, BlasOperand::new(session, b)?);
    match BlasOperand::in_place(session, out) {
        Some(out) => multiply(session, &a, &b, &out),
        None => {
            session.with_dense_out(out, |made| multiply(session, &a, &b, &BlasOperand::new(session, made)?))
        }
    }
}

fn multiply(session: &Session, a: &BlasOperand, b: &BlasOperand, out: &BlasOperand) -> Result<()> {
    let mut axes = batch_axes([&a.slot.layout, &b.slot.layout, &out.slot.layout]);
    let at = out.slot.layout.ndim() - 2;
    let (mut m, n) = (out.slot.layout.shape[at] as i64, out.slot.layout.shape[at + 1] as i64);
    let k = a.slot.layout.shape[at + 1] as i64;
    let size = out.slot.dtype.size() as i64;
    // One right operand for the whole batch: the rows of all left ones are rows of one product.
    if let [axis] = axes[..]
        && axis.steps[1] == 0
        && a.by_rows
        && out.by_rows
        && axis.steps[0] as i64 == m * a.step * size
        && axis.steps[2] as i64 == m * out.step * size
    {
        m *= axis.length as i64;
        axes.clear();
    }
    let side = |operand: &BlasOperand, place: usize| BlasMatrix {
        address: session.address(&operand.slot),
        transposed: if operand.by_rows == out.by_rows { PLAIN } else { TRANSPOSED },
        step: operand.step,
        place,
    };
    let (a_side, b_side, out_side) = (side(a, 0), side(b, 1), side(out, 2));
    let dtype = out.slot.dtype;
    let product = match out.by_rows {
        true => {
            BlasProduct { rows: n, columns: m, inner: k, left: b_side, right: a_side, out: out_side, dtype }
        }
        false => {
            BlasProduct { rows: m, columns: n, inner: k, left: a_side, right: b_side, out: out_side, dtype }
        }
    };
    let blas = Blas::lend(session, OP)?;
    match axes[..] {
        [] if m == 1 && n == 1 => product.dot(&blas, a.vector_step(true), b.vector_step(false)),
        [] if n == 1 && family(OP, dtype).is_ok() => {
            product.vector(&blas, (a, a_side), (b_side, b.vector_step(false)), out.vector_step(false), [m, k])
        }
        [] if m == 1 && family(OP, dtype).is_ok() => {
            product.vector(&blas, (b, b_side), (a_side, a.vector_step(true)), out.vector_step(true), [n, k])
        }
        [] => product.one(&blas),
        [axis] => product.strided(&blas, axis),
        _ => product.addressed(session, &blas, &axes),
    }
}

impl BlasProduct {
    fn dot(&self, blas: &Blas, a_step: i64, b_step: i64) -> Result<()> {
        const ON_DEVICE: i32 = 1;
        let kind = data_type(self.dtype);
        let computed =
            if matches!(self.dtype, DType::F16 | DType::BF16) { data_type(DType::F32) } else { kind };
        let (a, b) = if self.left.place == 0 { (self.left, self.right) } else { (self.right, self.left) };
        // SAFETY: the handle is lent to this call; both vectors have `inner` elements at their steps, the result is one
        // element on the device. The handle is left with numbers on the host, as every other call has them.
        let code = unsafe {
            match (blas.any.cublasSetPointerMode_v2)(blas.handle, ON_DEVICE) {
                0 => {
                    let code = (blas.any.cublasDotEx_64)(
                        blas.handle,
                        self.inner,
                        a.address,
                        kind,
                        a_step,
                        b.address,
                        kind,
                        b_step,
                        self.out.address,
                        kind,
                        computed,
                    );
                    let back = (blas.any.cublasSetPointerMode_v2)(blas.handle, 0);
                    if code == 0 { back } else { code }
                }
                code => code,
            }
        };
        blas_check(OP, code)
    }

    /// A matrix by a vector; `lengths` are those of the result and of the sums. If the matrix is the right operand, it is
    /// multiplied from the left: its columns take the part of rows.
    fn vector(
        &self,
        blas: &Blas,
        (matrix, side): (&BlasOperand, BlasMatrix),
        (vector, vector_step): (BlasMatrix, i64),
        out_step: i64,
        [length, inner]: [i64; 2],
    ) -> Result<()> {
        let (one, zero) = (BlasScalar::new(self.dtype, 1.0), BlasScalar::new(self.dtype, 0.0));
        // Sums run along rows of the left operand, along columns of the right one.
        let sums_side_by_side = matrix.by_rows == (side.place == 0);
        let (transposed, rows, columns) =
            if sums_side_by_side { (TRANSPOSED, inner, length) } else { (PLAIN, length, inner) };
        // SAFETY: the handle is lent to this call; the matrix has `rows` elements in each of its columns, `step` apart; the
        // vectors have as many elements as the sums and the result.
        let code = unsafe {
            (blas.typed.gemv[family(OP, self.dtype)?])(
                blas.handle,
                transposed,
                rows,
                columns,
                one.pointer(),
                side.address,
                side.step,
                vector.address,
                vector_step,
                zero.pointer(),
                self.out.address,
                out_step,
            )
        };
        blas_check(OP, code)
    }

    fn one(&self, blas: &Blas) -> Result<()> {
        let (one, zero) = (BlasScalar::new(self.dtype, 1.0), BlasScalar::new(self.dtype, 0.0));
        let kind = data_type(self.dtype);
        // SAFETY: the handle is lent to this call; each operand has the elements that its lengths and step say.
        let code = unsafe {
            (blas.any.cublasGemmEx_64)(
                blas.handle,
                self.left.transposed,
                self.right.transposed,
                self.rows,
                self.columns,
                self.inner,
                one.pointer(),
                self.left.address,
                kind,
                self.left.step,
                self.right.address,
                kind,
                self.right.step,
                zero.pointer(),
                self.out.address,
                kind,
                self.out.step,
                compute_type(self.dtype),
                DEFAULT_ALGORITHM,
            )
        };
        blas_check(OP, code)
    }

    fn strided(&self, blas: &Blas, axis: BatchAxis) -> Result<()> {
        let (one, zero) = (BlasScalar::new(self.dtype, 1.0), BlasScalar::new(self.dtype, 0.0));
        let (kind, size) = (data_type(self.dtype), self.dtype.size() as i64);
        for first in (0..axis.length).step_by(MAX_BATCH) {
            let start = |side: BlasMatrix| side.address + first * axis.steps[side.place] as usize;
            let apart = |side: BlasMatrix| axis.steps[side.place] as i64 / size;
            // SAFETY: as in `one`, for each matrix of the batch.
            let code = unsafe {
                (blas.any.cublasGemmStridedBatchedEx_64)(
                    blas.handle,
                    self.left.transposed,
                    self.right.transposed,
                    self.rows,
                    self.columns,
                    self.inner,
                    one.pointer(),
                    start(self.left),
                    kind,
                    self.left.step,
                    apart(self.left),
                    start(self.right),
                    kind,
                    self.right.step,
                    apart(self.right),
                    zero.pointer(),
                    start(self.out),
                    kind,
                    self.out.step,
                    apart(self.out),
                    MAX_BATCH.min(axis.length - first) as i64,
                    compute_type(self.dtype),
                    DEFAULT_ALGORITHM,
                )
            };
            blas_check(OP, code)?;
        }
        Ok(())
    }

    /// A batch of several axes: the address of every matrix is told.
    fn addressed(&self, session: &Session, blas: &Blas, axes: &[BatchAxis]) -> Result<()> {
        let (one, zero) = (BlasScalar::new(self.dtype, 1.0), BlasScalar::new(self.dtype, 0.0));
        let kind = data_type(self.dtype);
        let count: usize = axes.iter().map(|axis| axis.length).product();
        let tables = session.scratch(3 * 8 * count)?;
        for (which, side) in [self.left, self.right, self.out].into_iter().enumerate() {
            let addresses = addresses_of(side.address, side.place, axes);
            for (at, chunk) in addresses.chunks(ADDRESS_TABLE_BYTES / 8).enumerate() {
                let bytes: Vec<u8> = chunk.iter().flat_map(|address| address.to_ne_bytes()).collect();
                session.upload_small(&tables, which * 8 * count + at * ADDRESS_TABLE_BYTES, &bytes)?;
            }
        }
        for first in (0..count).step_by(MAX_BATCH) {
            let table = |which: usize| tables.address() + 8 * (which * count + first);
            // SAFETY: as in `one`, for each matrix of the batch; the tables hold their addresses.
            let code = unsafe {
                (blas.any.cublasGemmBatchedEx_64)(
                    blas.handle,
                    self.left.transposed,
                    self.right.transposed,
                    self.rows,
                    self.columns,
                    self.inner,
                    one.pointer(),
                    table(0),
                    kind,
                    self.left.step,
                    table(1),
                    kind,
                    self.right.step,
                    zero.pointer(),
                    table(2),
                    kind,
                    self.out.step,
                    MAX_BATCH.min(count - first) as i64,
                    compute_type(self.dtype),
                    DEFAULT_ALGORITHM,
                )
            };
            blas_check(OP, code)?;
        }
        Ok(())
    }
}

/// Where each matrix of a batch is, in C order.
fn addresses_of(start: usize, place: usize, axes: &[BatchAxis]) -> Vec<u64> {
    let mut addresses = vec![start as u64];
    for axis in axes {
        let steps = (0..axis.length as u64).map(|i| i * axis.steps[place] as u64);
        addresses = addresses.iter().flat_map(|&from| steps.clone().map(move |step| from + step)).collect();
    }
    addresses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_run_in_c_order() {
        let axes = [BatchAxis { length: 2, steps: [0, 48, 0] }, BatchAxis { length: 3, steps: [16, 8, 0] }];
        assert_eq!(addresses_of(100, 0, &axes), [100, 116, 132, 100, 116, 132]);
        assert_eq!(addresses_of(100, 1, &axes), [100, 108, 116, 148, 156, 164]);
        assert_eq!(addresses_of(100, 2, &axes), [100; 6]);
    }

    #[test]
    fn numbers_are_of_the_computed_type() {
        assert_eq!(BlasScalar::new(DType::F16, 1.0).0, [u64::from(1f32.to_bits()), 0]);
        assert_eq!(BlasScalar::new(DType::C128, 1.0).0, [1f64.to_bits(), 0]);
    }
}
