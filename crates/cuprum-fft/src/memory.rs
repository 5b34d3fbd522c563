//! Memory to work in: lent by the caller where it is large, kept by each thread where it is small.

use std::any::Any;
use std::cell::RefCell;

use cuprum_core::memory::lengthen;
use num_complex::Complex;

use crate::FftReal;

/// Large working memory, given back when dropped.
pub struct Lease {
    start: *mut u8,
    bytes: usize,
    _keeper: Box<dyn Any>,
}

impl Lease {
    /// `bytes` bytes from `start` on, aligned for complex numbers, which `keeper` keeps alive and nobody else touches.
    ///
    /// # Safety
    /// The memory is writable and exclusive as long as `keeper` lives.
    pub unsafe fn new(start: *mut u8, bytes: usize, keeper: Box<dyn Any>) -> Lease {
        Lease { start, bytes, _keeper: keeper }
    }

    /// The memory as numbers of a type, of which it holds `length`.
    pub(crate) fn start<E>(&self, length: usize) -> *mut E {
        assert!(
            length * size_of::<E>() <= self.bytes && (self.start as usize).is_multiple_of(align_of::<E>())
        );
        self.start.cast()
    }
}

/// Threads keep scratch memory of at most this size between tasks.
const MAX_KEPT_BYTES: usize = 4 << 20;

/// A cache line, so that scratch memory begins at one.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct CacheLine(#[allow(dead_code, reason = "read as numbers, by pointer")] [u64; 8]);

thread_local! {
    static SCRATCH: RefCell<Vec<CacheLine>> = const { RefCell::new(Vec::new()) };
}

/// Touches the memory that a thread keeps for transforms: what is dropped when it ends is known from then on.
///
/// ```
/// cuprum_fft::touch_scratch();
/// ```
pub fn touch_scratch() {
    SCRATCH.with(|_| {});
}

/// Calls `work` with two pieces of this thread's scratch memory; what they hold is left over from earlier.
pub(crate) fn with_scratch<T: FftReal>(
    lengths: [usize; 2],
    work: impl FnOnce(&mut [Complex<T>], &mut [Complex<T>]),
) {
    let per_line = size_of::<CacheLine>() / size_of::<Complex<T>>();
    let lines = lengths.map(|length| length.div_ceil(per_line));
    SCRATCH.with_borrow_mut(|scratch| {
        lengthen(scratch, lines[0] + lines[1], CacheLine([0; 8]));
        let (first, second) = scratch.split_at_mut(lines[0]);
        work(numbers(first, lengths[0]), numbers(second, lengths[1]));
        if size_of_val(&**scratch) > MAX_KEPT_BYTES {
            *scratch = Vec::new();
        }
    });
}

fn numbers<T: FftReal>(lines: &mut [CacheLine], length: usize) -> &mut [Complex<T>] {
    assert!(length * size_of::<Complex<T>>() <= size_of_val(lines));
    // SAFETY: a line is 64 initialised bytes, any of which make numbers, and is aligned for them.
    unsafe { std::slice::from_raw_parts_mut(lines.as_mut_ptr().cast(), length) }
}
