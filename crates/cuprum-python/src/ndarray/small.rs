//! Small, ready, dense operands of one dtype: the op runs on them at once, without the planning that broadcasting,
//! promotion and deferral need. Anything else is left to `cuprum::elementwise`, which gives the same results.

use cuprum::{Array, Number, Op, Result, Scalar};
use cuprum_core::ops::Inputs;
use cuprum_core::{DType, Layout};

/// The second operand.
#[derive(Clone, Copy)]
pub enum Second<'a> {
    /// None: an op of one argument.
    Absent,
    /// An array.
    Array(&'a Array),
    /// A Python number; the first operand's place if `true`.
    Number(Number, bool),
}

/// `op(a, second)` where nothing has to be planned; `None` where something has.
#[inline]
pub fn apply(op: Op, a: &Array, second: Second<'_>) -> Option<Result<Array>> {
    let dtype = a.dtype();
    let n = a.size();
    if n == 0 || n > a.device().eager_elements() || dtype == DType::Bool || !runs_as_is(op, dtype) {
        return None;
    }
    let mut inputs = [Some(address(a)?), None, None];
    let mut scalars = [[0; 16]; 3];
    match second {
        Second::Absent => {}
        Second::Array(b) => {
            if b.dtype() != dtype || b.shape() != a.shape() {
                return None;
            }
            inputs[1] = Some(address(b)?);
        }
        Second::Number(number, first) => {
            if number.weak().is_none_or(|weak| dtype.with_weak(weak) != dtype) {
                return None;
            }
            let scalar = Scalar::new(op.name(), number, dtype).ok()?;
            let place = usize::from(!first);
            inputs[1 - place] = inputs[0];
            inputs[place] = None;
            scalars[place][..dtype.size()].copy_from_slice(scalar.bytes());
        }
    }
    Some(run(op, a, &inputs, &scalars))
}

fn run(op: Op, a: &Array, inputs: &[Option<usize>; 3], scalars: &[[u8; 16]; 3]) -> Result<Array> {
    let (device, dtype, n) = (a.device(), a.dtype(), a.size());
    let output = op.output(dtype);
    let buffer = device.allocate(n * output.size())?;
    device.run_dense(op, dtype, n, *inputs, scalars, buffer.address())?;
    Ok(Array::from_buffer(device, buffer, Layout::contiguous(a.shape(), output.size()), output))
}

/// Whether operands of this dtype, and numbers beside them, run in the loop of this very dtype.
fn runs_as_is(op: Op, dtype: DType) -> bool {
    let promotes = matches!(op, Op::FloatPower | Op::Sinc | Op::I0 | Op::Clip);
    let checks_values = op == Op::Power && dtype.is_integral();
    !promotes && !checks_values && op.row().inputs == Inputs::Same && op.has_loop(dtype)
}

/// The address of the elements, if they are there, dense in C order and aligned.
fn address(array: &Array) -> Option<usize> {
    let size = array.dtype().size();
    if !array.layout().is_contiguous(size) {
        return None;
    }
    let address = array.view().storage.ready_address()? + array.layout().offset;
    address.is_multiple_of(size).then_some(address)
}
