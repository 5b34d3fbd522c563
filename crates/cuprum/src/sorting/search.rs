//! Where elements belong in a sorted array.

use cuprum_core::{Casting, DType, Error, Kind, Layout, Order, Result};
use cuprum_graph::{Call, Side, SortCall};

use crate::call::run_call;
use crate::creation::checked_size;
use crate::{Array, reduction};

/// Where each element of `v` would go into the sorted array `a` of one dimension so that it stays sorted; `sorter` holds
/// positions that sort it where it is not.
///
/// ```
/// use cuprum::Array;
/// use cuprum::sorting::{Side, searchsorted};
/// let a = Array::from_slice(&[1, 3, 3, 5]);
/// let v = Array::from_slice(&[3, 9]);
/// assert_eq!(searchsorted(&a, &v, Side::Left, None).unwrap().to_vec::<i64>().unwrap(), vec![1, 4]);
/// assert_eq!(searchsorted(&a, &v, Side::Right, None).unwrap().to_vec::<i64>().unwrap(), vec![3, 4]);
/// ```
pub fn searchsorted(a: &Array, v: &Array, side: Side, sorter: Option<&Array>) -> Result<Array> {
    const OP: &str = "searchsorted";
    crate::device::check_devices(OP, [a, v].into_iter().chain(sorter))?;
    if a.ndim() != 1 {
        return Err(Error::value(OP, format!("the sorted array must have one dimension, not {}", a.ndim())));
    }
    let order = sorter.map(|sorter| checked_order(OP, sorter, a.size())).transpose()?;
    let dtype = a.dtype().promote(v.dtype());
    let cast = |array: &Array| if array.dtype() == dtype { Ok(array.clone()) } else { array.astype(dtype) };
    let (a, v) = (cast(a)?, cast(v)?);
    checked_size(v.device(), OP, v.shape(), DType::I64.size())?;
    let layout = Layout::contiguous(v.shape(), DType::I64.size());
    let result = Array::uninitialized(v.device(), layout, DType::I64)?;
    if result.size() > 0 {
        let (sorted, needles, out) = (a.view().slot()?, v.view().slot()?, result.view().slot()?);
        let order = order.map(|order| order.view().slot()).transpose()?;
        let order = order.as_ref();
        let call = SortCall::Search { sorted: &sorted, order, needles: &needles, out: &out, side };
        run_call(v.device(), &Call::Sort(call))?;
    }
    Ok(result)
}

/// Positions that sort an array, as int64, all inside it.
fn checked_order(op: &'static str, sorter: &Array, size: usize) -> Result<Array> {
    if sorter.ndim() != 1 {
        let message = format!("sorter must have one dimension, not {}", sorter.ndim());
        return Err(Error::type_error(op, message));
    }
    let integers = matches!(sorter.dtype().kind(), Kind::Signed | Kind::Unsigned);
    if !integers || !sorter.dtype().can_cast(DType::I64, Casting::SameKind) {
        return Err(Error::type_error(
            op,
            format!("sorter must only contain integers, got {}", sorter.dtype()),
        ));
    }
    if sorter.size() != size {
        let message = format!("sorter.size must equal len(a): got {} and {size}", sorter.size());
        return Err(Error::value(op, message));
    }
    let order = sorter.astype_ordered(DType::I64, Order::C)?;
    if size > 0 {
        for extreme in [reduction::min(&order, None, false)?, reduction::max(&order, None, false)?] {
            let index = extreme.item::<i64>()?;
            if index < 0 || index as u64 >= size as u64 {
                return Err(Error::value(
                    op,
                    format!("Sorter index {index} out of range for {size} elements"),
                ));
            }
        }
    }
    Ok(order)
}
