//! Working memory of the host whose size depends on data: a request that fails is an error, never the end of the process.
//!
//! Where a function returns [`Result`], [`try_with_capacity`] and [`try_filled`] give [`Error::Memory`]. Inner loops and
//! algorithms that return plain values use [`with_capacity`], [`filled`] and their like: a failed request
//! unwinds with [`OutOfMemory`], and [`catch`], at the border of a device, turns that into [`Error::Memory`]. Arrays come
//! from the devices' pools, which ask [`faults::strikes`] too.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::{Error, Result};

/// What a failed request unwinds with.
///
/// ```
/// use cuprum_core::memory::{OutOfMemory, with_capacity};
/// let panic = std::panic::catch_unwind(|| with_capacity::<u64>(usize::MAX / 16)).unwrap_err();
/// assert_eq!(panic.downcast_ref::<OutOfMemory>().unwrap().bytes, usize::MAX / 16 * 8);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory {
    /// Bytes asked for.
    pub bytes: usize,
}

impl From<OutOfMemory> for Error {
    fn from(failed: OutOfMemory) -> Error {
        Error::Memory { asked: failed.bytes, used: 0, limit: None }
    }
}

fn reserve<T>(len: usize) -> std::result::Result<Vec<T>, OutOfMemory> {
    let failed = OutOfMemory { bytes: len.saturating_mul(size_of::<T>()) };
    if faults::strikes() {
        return Err(failed);
    }
    let mut memory = Vec::new();
    memory.try_reserve_exact(len).map_err(|_| failed)?;
    Ok(memory)
}

fn or_unwind<T>(reserved: std::result::Result<Vec<T>, OutOfMemory>) -> Vec<T> {
    // Not a panic: nothing is printed.
    reserved.unwrap_or_else(|failed| resume_unwind(Box::new(failed)))
}

/// An empty vector with room for `len` elements, or [`Error::Memory`].
///
/// ```
/// use cuprum_core::memory::try_with_capacity;
/// assert!(try_with_capacity::<f64>(8).unwrap().capacity() >= 8);
/// assert!(try_with_capacity::<f64>(usize::MAX / 16).is_err());
/// ```
pub fn try_with_capacity<T>(len: usize) -> Result<Vec<T>> {
    Ok(reserve(len)?)
}

/// A vector of `len` times `value`, or [`Error::Memory`].
///
/// ```
/// assert_eq!(cuprum_core::memory::try_filled(2, 0.5).unwrap(), [0.5, 0.5]);
/// ```
pub fn try_filled<T: Clone>(len: usize, value: T) -> Result<Vec<T>> {
    let mut memory = reserve(len)?;
    memory.resize(len, value);
    Ok(memory)
}

/// An empty vector with room for `len` elements; unwinds where there is no memory.
///
/// ```
/// assert!(cuprum_core::memory::with_capacity::<u8>(3).capacity() >= 3);
/// ```
pub fn with_capacity<T>(len: usize) -> Vec<T> {
    or_unwind(reserve(len))
}

/// A vector of `len` times `value`; unwinds where there is no memory.
///
/// ```
/// assert_eq!(cuprum_core::memory::filled(2, 7), [7, 7]);
/// ```
pub fn filled<T: Clone>(len: usize, value: T) -> Vec<T> {
    let mut memory = with_capacity(len);
    memory.resize(len, value);
    memory
}

/// The same elements in a vector; unwinds where there is no memory.
///
/// ```
/// assert_eq!(cuprum_core::memory::copied(&[1, 2]), [1, 2]);
/// ```
pub fn copied<T: Clone>(elements: &[T]) -> Vec<T> {
    let mut memory = with_capacity(elements.len());
    memory.extend_from_slice(elements);
    memory
}

/// The elements of an iterator that knows their number; unwinds where there is no memory.
///
/// ```
/// assert_eq!(cuprum_core::memory::collected((0..3).map(|i| i * i)), [0, 1, 4]);
/// ```
pub fn collected<T>(elements: impl Iterator<Item = T>) -> Vec<T> {
    let mut memory = with_capacity(elements.size_hint().0);
    memory.extend(elements);
    memory
}

/// Makes a vector at least `len` long, new elements being `value`; unwinds where there is no memory.
///
/// ```
/// let mut scratch = vec![1];
/// cuprum_core::memory::lengthen(&mut scratch, 3, 0);
/// assert_eq!(scratch, [1, 0, 0]);
/// ```
pub fn lengthen<T: Clone>(memory: &mut Vec<T>, len: usize, value: T) {
    if memory.len() >= len {
        return;
    }
    if memory.capacity() < len {
        let mut larger = with_capacity(len);
        larger.append(memory);
        *memory = larger;
    }
    memory.resize(len, value);
}

/// Appends an element; unwinds where there is no memory.
///
/// ```
/// let mut found = Vec::new();
/// cuprum_core::memory::push(&mut found, 7);
/// assert_eq!(found, [7]);
/// ```
#[inline]
pub fn push<T>(memory: &mut Vec<T>, value: T) {
    if memory.len() == memory.capacity() {
        let mut larger = with_capacity((2 * memory.len()).max(8));
        larger.append(memory);
        *memory = larger;
    }
    memory.push(value);
}

/// Runs work; memory that it did not get is [`Error::Memory`]. Other panics go on.
///
/// ```
/// use cuprum_core::{Error, memory};
/// let outcome = memory::catch(|| Ok(memory::filled(usize::MAX / 16, 0.0).len()));
/// assert!(matches!(outcome, Err(Error::Memory { .. })));
/// ```
pub fn catch<R>(work: impl FnOnce() -> Result<R>) -> Result<R> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| match failed_request(&*panic) {
        Some(error) => Err(error),
        None => resume_unwind(panic),
    })
}

/// The error of a panic that is a failed request.
///
/// ```
/// assert!(cuprum_core::memory::failed_request(&"another panic").is_none());
/// ```
pub fn failed_request(panic: &(dyn Any + Send)) -> Option<Error> {
    panic.downcast_ref::<OutOfMemory>().map(|failed| (*failed).into())
}

/// Faults for tests: the n-th request for memory from now on fails.
pub mod faults {
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Requests until one fails; 0 where none does.
    static LEFT: AtomicUsize = AtomicUsize::new(0);

    /// Lets the `n`-th request from now on fail, once; 0 lets none fail. Gives how many were left of the last setting: 0
    /// where its request has failed.
    ///
    /// ```standalone_crate
    /// use cuprum_core::memory::{faults, try_filled};
    /// faults::fail_request(2);
    /// assert!(try_filled(1, 0).is_ok() && try_filled(1, 0).is_err() && try_filled(1, 0).is_ok());
    /// assert_eq!(faults::fail_request(0), 0);
    /// ```
    pub fn fail_request(n: usize) -> usize {
        LEFT.swap(n, Ordering::Relaxed)
    }

    /// Whether the request that is made now is to fail.
    ///
    /// ```standalone_crate
    /// assert!(!cuprum_core::memory::faults::strikes());
    /// ```
    #[inline]
    pub fn strikes() -> bool {
        LEFT.load(Ordering::Relaxed) != 0 && counted_strike()
    }

    #[cold]
    fn counted_strike() -> bool {
        let less_one = |left: usize| left.checked_sub(1);
        LEFT.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less_one) == Ok(1)
    }
}
