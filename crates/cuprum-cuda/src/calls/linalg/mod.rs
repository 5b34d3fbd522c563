//! Linear algebra by cuSOLVER and cuBLAS. Both count by columns: a matrix is brought there as the dense copy of its
//! transpose. Work is launched as a whole, and what has no answer is read back once, at the end.

mod cholesky;
mod eig;
mod eigh;
mod kernels;
mod lu;
mod qr;
mod scale;
mod solve;
mod status;
mod svd;
#[cfg(test)]
mod tests;
mod triangular;

use cuprum_core::{Error, Result};
use cuprum_graph::{Buffer, LinalgCall, Slot};

use crate::handles::{Solver, solver_check};
use crate::session::Session;

/// Stacks of at least so many small matrices are worked on all at once.
const BATCHED_MIN_COUNT: usize = 3;

pub(super) fn run(session: &Session, call: &LinalgCall<'_>) -> Result<()> {
    compute(session, call).map_err(|error| error.recording_in(call.name()))
}

fn compute(session: &Session, call: &LinalgCall<'_>) -> Result<()> {
    match *call {
        LinalgCall::Lu { a, lu, pivots } => lu::run(session, a, lu, pivots),
        LinalgCall::LuSolve { lu, pivots, b, x, transposed, conjugated } => {
            solve::with_factors(session, lu, pivots, b, x, transposed, conjugated)
        }
        LinalgCall::Solve { a, b, x } => solve::run(session, a, b, x),
        LinalgCall::SolveTriangular { a, b, x, lower, unit, transposed, conjugated } => {
            let kind = triangular::Triangle { lower, unit, transposed, conjugated };
            triangular::run(session, a, b, x, kind)
        }
        LinalgCall::Inverse { a, out } => solve::invert(session, a, out),
        LinalgCall::Determinant { a, out } => lu::determinant(session, a, out),
        LinalgCall::LogDeterminant { a, sign, log } => lu::log_determinant(session, a, sign, log),
        LinalgCall::Cholesky { a, out, upper } => cholesky::run(session, a, out, upper),
        LinalgCall::Qr { a, ref result } => qr::run(session, a, result),
        LinalgCall::Svd { a, s, vectors } => svd::run(session, a, s, vectors),
        LinalgCall::Eigh { a, upper, values, vectors } => eigh::run(session, a, upper, values, vectors),
        LinalgCall::Eig { a, values, vectors } => eig::run(session, a, values, vectors),
    }
}

/// The matrix's two lengths.
fn lengths(slot: &Slot) -> (usize, usize) {
    let shape = &slot.layout.shape;
    (shape[shape.len() - 2], shape[shape.len() - 1])
}

/// How many matrices a stack has.
fn count(slot: &Slot) -> usize {
    slot.layout.shape[..slot.layout.ndim() - 2].iter().product()
}

/// The bytes of one matrix of a dense stack.
fn matrix_bytes(slot: &Slot) -> usize {
    let (m, n) = lengths(slot);
    m * n * slot.dtype.size()
}

/// The stack's shape, followed by these lengths.
fn stacked(slot: &Slot, own: usize, last: &[usize]) -> Vec<usize> {
    let stack = slot.layout.ndim() - own;
    slot.layout.shape[..stack].iter().chain(last).copied().collect()
}

/// The transposes.
fn transposed(slot: &Slot) -> Slot {
    let mut order: Vec<usize> = (0..slot.layout.ndim()).collect();
    let ndim = order.len();
    order.swap(ndim - 2, ndim - 1);
    Slot { layout: slot.layout.permute(&order), ..slot.clone() }
}

/// A new dense copy.
fn copied(session: &Session, slot: &Slot) -> Result<Slot> {
    let copy = session.new_slot(&slot.layout.shape, slot.dtype)?;
    if copy.layout.size() > 0 {
        session.copy(slot, &copy)?;
    }
    Ok(copy)
}

/// A new dense copy of the transposes: the matrices by columns.
fn by_columns(session: &Session, slot: &Slot) -> Result<Slot> {
    copied(session, &transposed(slot))
}

/// Stores matrices that lie by columns.
fn store_columns(session: &Session, columns: &Slot, out: &Slot) -> Result<()> {
    store(session, &transposed(columns), out)
}

fn store(session: &Session, made: &Slot, out: &Slot) -> Result<()> {
    if out.layout.size() == 0 { Ok(()) } else { session.copy(made, out) }
}

/// A length as the C `int` that some functions take.
fn int(op: &'static str, length: usize) -> Result<i32> {
    i32::try_from(length)
        .map_err(|_| Error::device(format!("{op}: a length of {length} is more than cuSOLVER can take")))
}

/// Working memory of a function of cuSOLVER's 64-bit interface.
struct SolverMemory {
    device: Buffer,
    device_bytes: usize,
    host: Vec<u8>,
}

impl SolverMemory {
    /// `ask` writes the bytes needed on the device and on the host.
    fn new(
        session: &Session,
        op: &'static str,
        ask: impl FnOnce(*mut usize, *mut usize) -> i32,
    ) -> Result<SolverMemory> {
        let (mut device_bytes, mut host_bytes) = (0, 0);
        solver_check(op, ask(&mut device_bytes, &mut host_bytes))?;
        let device = session.scratch(device_bytes)?;
        let mut host = Vec::new();
        host.try_reserve_exact(host_bytes).map_err(|_| Error::Memory {
            asked: host_bytes,
            used: 0,
            limit: None,
        })?;
        host.resize(host_bytes, 0);
        Ok(SolverMemory { device, device_bytes, host })
    }

    fn device(&self) -> usize {
        self.device.address()
    }

    fn host(&mut self) -> usize {
        self.host.as_mut_ptr() as usize
    }
}

/// Working memory of a function that counts it in elements.
fn elements(
    session: &Session,
    op: &'static str,
    size: usize,
    ask: impl FnOnce(*mut i32) -> i32,
) -> Result<(Buffer, i32)> {
    let mut length = 0;
    solver_check(op, ask(&mut length))?;
    Ok((session.scratch(length.max(1) as usize * size)?, length))
}

/// The addresses of the matrices of a dense stack, on the GPU.
fn addresses(session: &Session, stack: &Slot) -> Result<Buffer> {
    kernels::addresses(session, session.address(stack), matrix_bytes(stack), count(stack))
}

fn solver(session: &Session, op: &'static str) -> Result<Solver> {
    Solver::lend(session, op)
}
