//! One op over dense operands: one lane over all elements, scalars in registers or in a small block.

use std::mem::MaybeUninit;

use cuprum_core::{Error, Result, SimdLevel};
use cuprum_graph::DenseStep;

use cuprum_lanes::{self as lanes, Lane};

/// Runs the op.
///
/// # Safety
/// As [`DenseStep`] says.
#[inline]
pub(super) unsafe fn run(step: &DenseStep, level: SimdLevel) -> Result<()> {
    let (op, dtype) = (step.op, step.dtype);
    // SAFETY: the caller's promise.
    if unsafe { run_with_scalar(step, level) } {
        return Ok(());
    }
    let lane = lanes::lane(op, dtype, level)
        .ok_or_else(|| Error::NoLoop { op: op.name().into(), dtypes: vec![dtype] })?;
    // SAFETY: the caller's promise.
    unsafe { run_pieces(lane, step, op.row().nin, |i| op.input(i, dtype).size()) };
    Ok(())
}

/// Elements of a scalar's block.
const BLOCK_ELEMENTS: usize = 256;

/// Room for a scalar's block of any dtype, uninitialised until it is filled.
type ScalarBlock = [MaybeUninit<u128>; BLOCK_ELEMENTS];

/// Runs the lane of an array and a constant, if the step is of that kind and there is such a lane.
///
/// # Safety
/// As [`DenseStep`] says.
#[inline]
unsafe fn run_with_scalar(step: &DenseStep, level: SimdLevel) -> bool {
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
    // SAFETY: the caller's promise: `n` aligned elements, the output being the input or apart from it.
    unsafe { lane(n, result as *mut u8, [array as *const u8, b, c]) };
    true
}

/// Runs a lane over so many dense operands, in pieces where a scalar takes part: its value stands in a small block.
///
/// # Safety
/// As [`DenseStep`] says.
#[inline]
unsafe fn run_pieces(lane: Lane, step: &DenseStep, nin: usize, size: impl Fn(usize) -> usize) {
    let DenseStep { n, inputs, ref scalars, result: output, .. } = *step;
    if inputs[..nin].iter().all(Option::is_some) {
        let src = inputs.map(|address| address.unwrap_or(0) as *const u8);
        // SAFETY: the caller's promise: `n` aligned elements at every address, the output being an input or apart from it.
        return unsafe { lane(n, output as *mut u8, src) };
    }
    let sizes: [usize; 3] = std::array::from_fn(|i| if i < nin { size(i) } else { 0 });
    let out_size = step.output.size();
    let mut blocks: [ScalarBlock; 3] = [const { [const { MaybeUninit::uninit() }; BLOCK_ELEMENTS] }; 3];
    for i in (0..nin).filter(|&i| inputs[i].is_none()) {
        let block = blocks[i].as_mut_ptr().cast::<u8>();
        // SAFETY: the block has room for 256 elements of up to 16 bytes.
        unsafe {
            crate::access::copy_from_strided(scalars[i].as_ptr(), 0, block, BLOCK_ELEMENTS.min(n), sizes[i])
        };
    }
    for start in (0..n).step_by(BLOCK_ELEMENTS) {
        let count = BLOCK_ELEMENTS.min(n - start);
        let src = std::array::from_fn(|i| match inputs[i] {
            Some(address) => (address + start * sizes[i]) as *const u8,
            None => blocks[i].as_ptr().cast(),
        });
        // SAFETY: as above; scalar blocks are filled for `count` elements.
        unsafe { lane(count, (output + start * out_size) as *mut u8, src) };
    }
}
