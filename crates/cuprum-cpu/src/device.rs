//! The CPU as a device.

use std::mem::MaybeUninit;
use std::sync::Arc;

use cuprum_core::{DType, Error, Reduction, Result, memory::catch};
use cuprum_graph::{
    Buffer, Call, DenseRows, DenseStep, Device, DeviceKind, DeviceRef, MemoryPool, MemorySource, Program,
    SmallWork, count_to_host,
};

use crate::lanes::{self, Level};
use crate::{alone, block, calls, memory, reduce, rows, small};

/// Results of at most this many elements are computed at once: recording them would cost more than it saves.
const EAGER: usize = 4096;
/// Single ops over at most this many elements are not shared among threads.
const ALONE: usize = 1 << 16;

/// The CPU device.
pub struct Cpu {
    level: Level,
}

/// The CPU device of this process.
///
/// ```
/// assert_eq!(cuprum_cpu::device().name(), "cpu");
/// ```
pub fn device() -> DeviceRef {
    static CPU: std::sync::OnceLock<Cpu> = std::sync::OnceLock::new();
    CPU.get_or_init(|| Cpu { level: Level::detect() })
}

impl Device for Cpu {
    fn kind(&self) -> DeviceKind {
        DeviceKind::Cpu
    }

    fn eager_elements(&self) -> usize {
        EAGER
    }

    fn pinned_limit(&self) -> usize {
        self.memory_limit() / 10
    }

    fn memory_limit(&self) -> usize {
        memory::current_use().1
    }

    fn memory_used(&self) -> usize {
        memory::current_use().0
    }

    fn allocate(&self, bytes: usize) -> Result<Buffer> {
        memory::allocate(bytes)
    }

    fn pool(&self) -> Arc<dyn MemoryPool> {
        Arc::new(memory::DefaultPool)
    }

    fn new_pool(&self, keeps: bool, source: MemorySource) -> Arc<dyn MemoryPool> {
        Arc::new(match source {
            // All memory of the CPU is the host's.
            MemorySource::Device | MemorySource::Managed => memory::Pool::new(keeps),
            MemorySource::Function(function) => memory::Pool::over(function, keeps),
        })
    }

    fn run(&self, program: &Program, inputs: &[Buffer], outputs: &[Buffer]) -> Result<()> {
        catch(|| match &program.reduce {
            None => block::run_map(program, inputs, outputs, self.level),
            Some(reduce) => reduce::run_reduce(program, reduce, inputs, outputs, self.level),
        })
    }

    fn run_dense(&self, step: &DenseStep) -> Result<()> {
        let (op, dtype) = (step.op, step.dtype);
        if run_with_scalar(step, self.level) {
            return Ok(());
        }
        let lane = lanes::lane(op, dtype, self.level)
            .ok_or_else(|| Error::NoLoop { op: op.name().into(), dtypes: vec![dtype] })?;
        run_pieces(lane, step, op.row().nin, |i| op.input(i, dtype).size());
        Ok(())
    }

    fn run_small(&self, work: &SmallWork<'_>, result: usize) -> Result<bool> {
        // SAFETY: the caller vouches for the memory of all operands and of the result.
        unsafe { small::run(work, result, self.level) }
    }

    fn alone_elements(&self) -> usize {
        ALONE
    }

    fn run_alone(&self, work: &SmallWork<'_>, result: usize) -> Result<bool> {
        catch(|| alone::run(self, work, result, self.level))
    }

    fn reduce_dense(
        &self,
        op: Reduction,
        dtype: DType,
        n: usize,
        input: usize,
        output: usize,
    ) -> Result<bool> {
        Ok(reduce::reduce_dense(op, dtype, n, input, output, self.level))
    }

    fn take_rows(&self, rows: &DenseRows, target: usize) -> Result<bool> {
        Ok(rows::take(rows, target))
    }

    fn count_true(&self, mask: usize, n: usize) -> Result<usize> {
        Ok(rows::count_true(mask, n))
    }

    fn select_rows(&self, rows: &DenseRows, target: usize) -> Result<bool> {
        Ok(rows::select(rows, target))
    }

    fn put_rows(&self, rows: &DenseRows, source: usize, step: usize) -> Result<bool> {
        Ok(rows::put(rows, source, step))
    }

    fn call(&self, call: &Call<'_>) -> Result<()> {
        catch(|| calls::run(call, self.level))
    }

    fn upload(&self, target: &Buffer, offset: usize, source: &[u8]) -> Result<()> {
        if offset + source.len() > target.bytes() {
            return Err(Error::device("upload past the end of a buffer"));
        }
        // SAFETY: the range lies in the buffer, and a slice of the host's cannot overlap a buffer of ours.
        unsafe {
            std::ptr::copy_nonoverlapping(
                source.as_ptr(),
                (target.address() + offset) as *mut u8,
                source.len(),
            )
        };
        Ok(())
    }

    fn download(&self, source: &Buffer, offset: usize, target: &mut [u8]) -> Result<()> {
        if offset + target.len() > source.bytes() {
            return Err(Error::device("download past the end of a buffer"));
        }
        // SAFETY: the range lies in the buffer, and a slice of the host's cannot overlap a buffer of ours.
        unsafe {
            std::ptr::copy_nonoverlapping(
                (source.address() + offset) as *const u8,
                target.as_mut_ptr(),
                target.len(),
            )
        };
        Ok(())
    }

    fn receive(
        &self,
        target: &Buffer,
        offset: usize,
        bytes: usize,
        from: DeviceRef,
        source: &Buffer,
        start: usize,
    ) -> Result<()> {
        if offset + bytes > target.bytes() {
            return Err(Error::device("copy past the end of a buffer"));
        }
        count_to_host(bytes);
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: the range lies in the buffer, whose memory is initialised by the copy alone: the other device
        // only writes what it is given.
        let host = unsafe { std::slice::from_raw_parts_mut((target.address() + offset) as *mut u8, bytes) };
        from.download(source, start, host)
    }
}

/// Elements of a scalar's block.
const PIECE: usize = 256;

/// Room for a scalar's block of any dtype, uninitialised until it is filled.
type ScalarBlock = [MaybeUninit<u128>; PIECE];

/// Runs the lane of an array beside a constant, if the step is one and there is such a lane.
#[inline]
fn run_with_scalar(step: &DenseStep, level: lanes::Level) -> bool {
    let DenseStep { op, dtype, n, inputs, ref scalars, result, .. } = *step;
    let (place, array) = match inputs {
        [Some(array), None, None] => (0, array),
        [None, Some(array), None] => (1, array),
        _ => return false,
    };
    let (takes_two, takes_three) = (op.row().nin == 2, op.row().nin == 3 && place == 0);
    let Some(lane) =
        (takes_two || takes_three).then(|| lanes::with_scalar(op, place, dtype, level)).flatten()
    else {
        return false;
    };
    // Behind the array the others follow in order; where there is one only, it stands for both.
    let others = if takes_two { [1 - place; 2] } else { [1, 2] };
    let others = others.map(|at| u128::from_ne_bytes(scalars[at]));
    let [b, c] = [(&raw const others[0]).cast(), (&raw const others[1]).cast()];
    // SAFETY: the caller vouches for `n` aligned elements, the output being the input or apart from it.
    unsafe { lane(n, result as *mut u8, [array as *const u8, b, c]) };
    true
}

/// Runs a lane over so many dense operands, in pieces where a scalar takes part: its value stands in a small block.
#[inline]
fn run_pieces(lane: lanes::Lane, step: &DenseStep, nin: usize, size: impl Fn(usize) -> usize) {
    let DenseStep { n, inputs, ref scalars, result: output, .. } = *step;
    if inputs[..nin].iter().all(Option::is_some) {
        let src = inputs.map(|address| address.unwrap_or(0) as *const u8);
        // SAFETY: the caller vouches for `n` aligned elements at every address, the output being an input or apart from it.
        return unsafe { lane(n, output as *mut u8, src) };
    }
    let sizes: [usize; 3] = std::array::from_fn(|i| if i < nin { size(i) } else { 0 });
    let out_size = step.output.size();
    let mut blocks: [ScalarBlock; 3] = [const { [const { MaybeUninit::uninit() }; PIECE] }; 3];
    for i in (0..nin).filter(|&i| inputs[i].is_none()) {
        let block = blocks[i].as_mut_ptr().cast::<u8>();
        // SAFETY: the block has room for 256 elements of up to 16 bytes.
        unsafe { crate::access::copy_from_strided(scalars[i].as_ptr(), 0, block, PIECE.min(n), sizes[i]) };
    }
    for start in (0..n).step_by(PIECE) {
        let count = PIECE.min(n - start);
        let src = std::array::from_fn(|i| match inputs[i] {
            Some(address) => (address + start * sizes[i]) as *const u8,
            None => blocks[i].as_ptr().cast(),
        });
        // SAFETY: as above; scalar blocks are filled for `count` elements.
        unsafe { lane(count, (output + start * out_size) as *mut u8, src) };
    }
}
