//! Products of bools, sixty-four at a time: A and B are first packed into words along k, and the sum of
//! products of words, an `or` of `and`s, is not zero where the product is true.

use core::marker::PhantomData;
use cuprum_core::memory::filled;

use super::element::{Bits, BoolByte};
use super::parallel::{SharedPointer, parallel};
use super::simd::{GemmJob, GemmVector};
use super::{Engine, Gemm, Product, block, run, sums};

/// Products along k below which packing words costs more than it saves.
const PACKED_MIN_DEPTH: usize = 16;
/// Lanes packed to a task.
const LANES: usize = 128;

/// A matrix of bools as lanes (rows of A, columns of B) of `depth` bools along k.
struct Lanes {
    source: *const u8,
    lane_stride: isize,
    depth_stride: isize,
    lanes: usize,
    depth: usize,
}

// SAFETY: a description of memory that is only read.
unsafe impl Sync for Lanes {}

pub(super) fn engine<V: GemmVector<GemmReal = Bits>>() -> Engine {
    Engine { one: product::<V>, many: products::<V> }
}

/// # Safety
/// As `run`, for each product.
unsafe fn products<V: GemmVector<GemmReal = Bits>>(base: &Gemm, offsets: &[[isize; 3]]) -> bool {
    // SAFETY: the caller's promise for each product.
    offsets.iter().all(|&by| unsafe { product::<V>(&base.moved(by), 1) })
}

/// # Safety
/// As `run`.
unsafe fn product<V: GemmVector<GemmReal = Bits>>(g: &Gemm, threads: usize) -> bool {
    let &Gemm { m, n, k, .. } = g;
    if m == 0 || n == 0 || k < PACKED_MIN_DEPTH {
        // SAFETY: the caller's promise.
        return unsafe { run::<BoolByte, V>(g, threads) };
    }
    let words = k.div_ceil(64);
    let [a_row, a_column] = g.a_strides;
    let [b_row, b_column] = g.b_strides;
    let a = Lanes { source: g.a, lane_stride: a_row, depth_stride: a_column, lanes: m, depth: k };
    let b = Lanes { source: g.b, lane_stride: b_column, depth_stride: b_row, lanes: n, depth: k };
    // SAFETY: the caller's promise for A and B.
    let packed = unsafe { pack::<V>(&a, [words, 1], threads).zip(pack::<V>(&b, [1, n], threads)) };
    let Some((a, b)) = packed else { return false };
    let product = Product {
        m,
        n,
        k: words,
        a: a.as_ptr(),
        a_strides: [words as isize, 1],
        b: b.as_ptr(),
        b_strides: [n as isize, 1],
        c: g.c.cast::<BoolByte>(),
        c_strides: g.c_strides,
    };
    // SAFETY: the words are those packed above; the caller's promise for C.
    unsafe { sums::<Bits, BoolByte, V>(&product, threads) }
}

/// Packs lanes into words; word `w` of lane `l` goes to `l * strides[0] + w * strides[1]`. None where the user asked to
/// stop.
///
/// # Safety
/// The bools are readable and the processor has the vector's instructions.
unsafe fn pack<V: GemmVector>(lanes: &Lanes, strides: [usize; 2], threads: usize) -> Option<Vec<Bits>> {
    let mut words = filled(lanes.lanes * lanes.depth.div_ceil(64), Bits(0));
    let target = SharedPointer(words.as_mut_ptr());
    let threads = if block::worth_threads(lanes.lanes * lanes.depth, 1) { threads } else { 1 };
    let all = parallel(threads, lanes.lanes.div_ceil(LANES), &|t| {
        let from = t * LANES;
        let count = LANES.min(lanes.lanes - from);
        // SAFETY: the caller's promise; each task writes the words of its own lanes.
        unsafe {
            V::run(Packing::<V> { lanes, from, count, target: target.get(), strides, vector: PhantomData });
        }
    });
    all.then_some(words)
}

/// The packing of lanes `from..from + count`.
struct Packing<'a, V> {
    lanes: &'a Lanes,
    from: usize,
    count: usize,
    target: *mut Bits,
    strides: [usize; 2],
    vector: PhantomData<V>,
}

impl<V: GemmVector> GemmJob for Packing<'_, V> {
    #[inline(always)]
    unsafe fn call(self) {
        for word in 0..self.lanes.depth.div_ceil(64) {
            let mut words = [0u64; LANES];
            let depth = 64.min(self.lanes.depth - word * 64);
            // SAFETY: the lanes and steps are in the matrix, and the words of these lanes this task's own.
            unsafe {
                if self.lanes.lane_stride == 1 {
                    self.across(word * 64, depth, &mut words);
                } else {
                    self.along(word * 64, depth, &mut words);
                }
                for (l, &bits) in words[..self.count].iter().enumerate() {
                    let at = (self.from + l) * self.strides[0] + word * self.strides[1];
                    self.target.add(at).write(Bits(bits));
                }
            }
        }
    }
}

impl<V: GemmVector> Packing<'_, V> {
    fn at(&self, lane: usize, step: usize) -> *const u8 {
        let offset = lane as isize * self.lanes.lane_stride + step as isize * self.lanes.depth_stride;
        self.lanes.source.wrapping_offset(offset)
    }

    /// Lanes side by side in memory: eight steps make a byte of every lane's word.
    ///
    /// # Safety
    /// Steps `first..first + depth` are in the matrix, `depth <= 64`.
    #[inline(always)]
    unsafe fn across(&self, first: usize, depth: usize, words: &mut [u64; LANES]) {
        for octet in (0..depth).step_by(8) {
            let mut bytes = [0u8; LANES];
            for bit in 0..8.min(depth - octet) {
                // SAFETY: `count` lanes of a step of the matrix.
                let step = unsafe {
                    core::slice::from_raw_parts(self.at(self.from, first + octet + bit), self.count)
                };
                for (byte, &x) in bytes.iter_mut().zip(step) {
                    *byte |= u8::from(x != 0) << bit;
                }
            }
            for (word, byte) in words.iter_mut().zip(bytes) {
                *word |= u64::from(byte) << octet;
            }
        }
    }

    /// Lanes apart in memory: each word from its own steps, eight at a time where they are side by side.
    ///
    /// # Safety
    /// Steps `first..first + depth` are in the matrix, `depth <= 64`.
    #[inline(always)]
    unsafe fn along(&self, first: usize, depth: usize, words: &mut [u64; LANES]) {
        let whole = if self.lanes.depth_stride == 1 { depth / 8 * 8 } else { 0 };
        for (l, word) in words[..self.count].iter_mut().enumerate() {
            // SAFETY: steps of a lane of the matrix.
            unsafe {
                for octet in (0..whole).step_by(8) {
                    let bytes = self.at(self.from + l, first + octet).cast::<[u8; 8]>().read();
                    *word |= u64::from(gather_octet(u64::from_le_bytes(bytes))) << octet;
                }
                for bit in whole..depth {
                    *word |= u64::from(*self.at(self.from + l, first + bit) != 0) << bit;
                }
            }
        }
    }
}

/// Bit `i` is set where byte `i` is not zero.
#[inline(always)]
fn gather_octet(bytes: u64) -> u8 {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let top_bits = (((bytes & LOW) + LOW) | bytes) & !LOW;
    // Byte `i` holds its bit at position `8 * i`; the factor has a one at `56 - 7 * i`, which brings it to
    // `56 + i`.
    ((top_bits >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}
