//! The one loop that every lane is: an elementwise function given as a type, compiled for each instruction set.
//!
//! A function says what happens to one element; the loop takes care of aliasing, of rare arguments and of
//! the 16-bit floats, which are computed in `f32` and rounded once.

use std::marker::PhantomData;
use std::mem::{MaybeUninit, size_of};
use std::ptr::NonNull;
use std::slice;

use cuprum_core::SimdLevel;
use num_complex::Complex;

use super::Lane;
use super::half;

/// A type that a lane reads or writes; `()` stands for an argument that is not there.
pub(super) trait Slot: Copy + 'static {
    /// Whether a 16-bit float takes this place in memory when the function is computed in `f32`.
    const SINGLE: bool = false;
}

/// NumPy's `bool`: a byte, true when it is not zero, written as 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub(super) struct Bool(pub u8);

impl From<bool> for Bool {
    #[inline(always)]
    fn from(value: bool) -> Bool {
        Bool(value as u8)
    }
}

impl Slot for () {}
impl Slot for Bool {}
impl Slot for i8 {}
impl Slot for u8 {}
impl Slot for i16 {}
impl Slot for u16 {}
impl Slot for i32 {}
impl Slot for u32 {}
impl Slot for i64 {}
impl Slot for u64 {}
impl Slot for f32 {
    const SINGLE: bool = true;
}
impl Slot for f64 {}
impl Slot for ::half::f16 {}
impl Slot for ::half::bf16 {}
impl Slot for Complex<f32> {}
impl Slot for Complex<f64> {}

/// A function of one element, whose loop runs in `T`.
///
/// [`map`](Map::map) has to be free of branches to be vectorised. A function that is so only for ordinary
/// arguments sets [`RARE`](Map::RARE): the loop then puts [`slow`](Map::slow)'s value wherever
/// [`rare`](Map::rare) says.
pub(super) trait Map<T> {
    type A: Slot;
    type B: Slot;
    type C: Slot;
    type Out: Slot;
    const RARE: bool = false;
    /// Whether each step waits for the one before in most of a long computation.
    const IS_LONG: bool = false;
    fn map(a: Self::A, b: Self::B, c: Self::C) -> Self::Out;
    #[inline(always)]
    fn rare(_: Self::A, _: Self::B, _: Self::C) -> bool {
        false
    }
    #[inline(always)]
    fn slow(a: Self::A, b: Self::B, c: Self::C) -> Self::Out {
        Self::map(a, b, c)
    }
}

/// Declares functions of one element that are plain expressions.
///
/// `maps! { Add<T: LaneNumber>(a: T, b: T) -> T = a.add(b); }` expands to
///
/// ```text
/// pub(super) struct Add;
/// impl<T: LaneNumber> Map<T> for Add {
///     type A = T;
///     type B = T;
///     type C = ();
///     type Out = T;
///     #[inline(always)]
///     fn map(a: T, b: T, _: ()) -> T {
///         a.add(b)
///     }
/// }
/// ```
macro_rules! maps {
    ($($name:ident<$t:ident: $bound:path>($($arg:ident: $ty:ty),+) -> $out:ty = $body:expr;)+) => {$(
        maps!(@ $name, $t, $bound, ($($arg: $ty),+), $out, $body);
    )+};
    (@ $name:ident, $t:ident, $bound:path, ($a:ident: $ta:ty), $out:ty, $body:expr) => {
        maps!(@ $name, $t, $bound, ($a: $ta, _b: ()), $out, $body);
    };
    (@ $name:ident, $t:ident, $bound:path, ($a:ident: $ta:ty, $b:ident: $tb:ty), $out:ty, $body:expr) => {
        maps!(@ $name, $t, $bound, ($a: $ta, $b: $tb, _c: ()), $out, $body);
    };
    (@ $name:ident, $t:ident, $bound:path, ($a:ident: $ta:ty, $b:ident: $tb:ty, $c:ident: $tc:ty), $out:ty, $body:expr) => {
        pub(super) struct $name;
        impl<$t: $bound> Map<$t> for $name {
            type A = $ta;
            type B = $tb;
            type C = $tc;
            type Out = $out;
            #[inline(always)]
            fn map($a: $ta, $b: $tb, $c: $tc) -> $out {
                $body
            }
        }
    };
}
pub(super) use maps;

/// An instruction set that the loop is compiled for.
pub(super) trait Isa: 'static {
    /// The lane of a function.
    fn lane<T, M: Map<T>>() -> Lane;
    /// What puts the values of a function's rare arguments over those of the others.
    fn rare_lane<T, M: Map<T>>() -> Lane;
    /// The lane of a function whose second and third arguments are one element each, beside all of the first's.
    fn with_scalar<T, M: Map<T>>() -> Lane;
    /// Whether multiply-adds are instructions.
    const FUSES: bool = true;
    /// Whether two vectors of arguments and what is computed from them stay in registers.
    const HAS_MANY_REGISTERS: bool = false;
    /// Whether a block that is written over its first argument has a loop of its own; else that argument is copied first.
    const HAS_IN_PLACE_LOOPS: bool = true;
    /// The lane from binary16 to `f32`.
    const WIDEN_F16: Lane;
    /// The lane from `f32` to binary16, to nearest even.
    const NARROW_F16: Lane;
}

pub(super) struct Portable;
pub(super) struct Avx2;
pub(super) struct Avx512;

/// An instruction set whose lanes are those beside constants.
pub(super) struct WithScalar<I>(PhantomData<I>);

impl<I: Isa> Isa for WithScalar<I> {
    fn lane<T, M: Map<T>>() -> Lane {
        I::with_scalar::<T, M>()
    }
    fn rare_lane<T, M: Map<T>>() -> Lane {
        I::rare_lane::<T, M>()
    }
    fn with_scalar<T, M: Map<T>>() -> Lane {
        I::with_scalar::<T, M>()
    }
    const FUSES: bool = I::FUSES;
    const HAS_MANY_REGISTERS: bool = I::HAS_MANY_REGISTERS;
    const HAS_IN_PLACE_LOOPS: bool = I::HAS_IN_PLACE_LOOPS;
    const WIDEN_F16: Lane = I::WIDEN_F16;
    const NARROW_F16: Lane = I::NARROW_F16;
}

impl Isa for Portable {
    fn lane<T, M: Map<T>>() -> Lane {
        portable::<Portable, T, M>
    }
    fn rare_lane<T, M: Map<T>>() -> Lane {
        portable_rare::<T, M>
    }
    fn with_scalar<T, M: Map<T>>() -> Lane {
        portable_with_scalar::<T, M>
    }
    const FUSES: bool = false;
    const HAS_IN_PLACE_LOOPS: bool = !SimdLevel::PORTABLE_IS_RARE;
    const WIDEN_F16: Lane = portable::<Portable, ::half::f16, half::Widen>;
    const NARROW_F16: Lane = portable::<Portable, ::half::f16, half::Narrow>;
}

at_levels!(portable, avx2, avx512, <I: Isa, T, M: Map<T>>,
    (n: usize, dst: *mut u8, src: [*const u8; 3]), sweep::<I, T, M>(n, dst, src));
at_levels!(portable_rare, avx2_rare, avx512_rare, <T, M: Map<T>>,
    (n: usize, dst: *mut u8, src: [*const u8; 3]), replace_rare::<T, M>(n, dst, src));
at_levels!(portable_with_scalar, avx2_with_scalar, avx512_with_scalar, <T, M: Map<T>>,
    (n: usize, dst: *mut u8, src: [*const u8; 3]), sweep_with_scalar::<T, M>(n, dst, src));

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::*;

    impl Isa for Avx2 {
        fn lane<T, M: Map<T>>() -> Lane {
            avx2::<Avx2, T, M>
        }
        fn rare_lane<T, M: Map<T>>() -> Lane {
            avx2_rare::<T, M>
        }
        fn with_scalar<T, M: Map<T>>() -> Lane {
            avx2_with_scalar::<T, M>
        }
        const WIDEN_F16: Lane = half::x86::widen_avx2;
        const NARROW_F16: Lane = half::x86::narrow_avx2;
    }

    impl Isa for Avx512 {
        fn lane<T, M: Map<T>>() -> Lane {
            avx512::<Avx512, T, M>
        }
        fn rare_lane<T, M: Map<T>>() -> Lane {
            avx512_rare::<T, M>
        }
        fn with_scalar<T, M: Map<T>>() -> Lane {
            avx512_with_scalar::<T, M>
        }
        const HAS_MANY_REGISTERS: bool = true;
        const WIDEN_F16: Lane = half::x86::widen_avx512;
        const NARROW_F16: Lane = half::x86::narrow_avx512;
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod other {
    use super::*;

    impl Isa for Avx2 {
        fn lane<T, M: Map<T>>() -> Lane {
            Portable::lane::<T, M>()
        }
        fn rare_lane<T, M: Map<T>>() -> Lane {
            Portable::rare_lane::<T, M>()
        }
        fn with_scalar<T, M: Map<T>>() -> Lane {
            Portable::with_scalar::<T, M>()
        }
        const WIDEN_F16: Lane = Portable::WIDEN_F16;
        const NARROW_F16: Lane = Portable::NARROW_F16;
    }

    impl Isa for Avx512 {
        fn lane<T, M: Map<T>>() -> Lane {
            Portable::lane::<T, M>()
        }
        fn rare_lane<T, M: Map<T>>() -> Lane {
            Portable::rare_lane::<T, M>()
        }
        fn with_scalar<T, M: Map<T>>() -> Lane {
            Portable::with_scalar::<T, M>()
        }
        const WIDEN_F16: Lane = Portable::WIDEN_F16;
        const NARROW_F16: Lane = Portable::NARROW_F16;
    }
}

/// Elements treated at a time where arguments may be rare.
const CHUNK_ELEMENTS: usize = 256;
/// Elements treated at a time where sources are copied: a block of temporaries of the block machine.
const COPIED_ELEMENTS: usize = 512;

/// `n` elements of `src` from `at` on.
///
/// # Safety
/// `src` is valid for reading `at + n` elements, unless they have no size. Nothing writes there while the slice lives.
#[inline(always)]
unsafe fn elements<'a, S: Slot>(src: *const u8, at: usize, n: usize) -> &'a [S] {
    if size_of::<S>() == 0 {
        // SAFETY: elements without size occupy no memory: any aligned address holds them.
        return unsafe { slice::from_raw_parts(NonNull::dangling().as_ptr(), n) };
    }
    // SAFETY: the caller vouches for `at + n` elements.
    unsafe { slice::from_raw_parts(src.cast::<S>().add(at), n) }
}

/// Runs `M` over one block.
///
/// # Safety
/// The contract of [`Lane`]: every pointer in use is aligned and valid for `n` elements of its type, and the
/// destination either equals a source, of the same element size, or overlaps none.
#[inline(always)]
unsafe fn sweep<I: Isa, T, M: Map<T>>(n: usize, dst: *mut u8, src: [*const u8; 3]) {
    if n == 0 {
        return;
    }
    let here = dst.cast_const();
    let sizes = [size_of::<M::A>(), size_of::<M::B>(), size_of::<M::C>()];
    let same =
        [sizes[0] != 0 && src[0] == here, sizes[1] != 0 && src[1] == here, sizes[2] != 0 && src[2] == here];
    let can_be_over = I::HAS_IN_PLACE_LOOPS && !M::RARE && sizes[0] == size_of::<M::Out>();
    if can_be_over && same == [true, false, false] {
        // SAFETY: the caller's contract; only the first source is the destination.
        return unsafe { over::<T, M>(n, dst, src) };
    }
    if same != [false; 3] {
        // SAFETY: the caller's contract; the lane is this very one, at the level that the caller has.
        return unsafe { with_copies(I::lane::<T, M>(), sizes, size_of::<M::Out>(), n, dst, src) };
    }
    if !M::RARE {
        // SAFETY: the caller vouches for `n` elements each; no source is the destination, so none overlaps it.
        let (a, b, c) = unsafe { (elements(src[0], 0, n), elements(src[1], 0, n), elements(src[2], 0, n)) };
        // SAFETY: as above.
        let out = unsafe { slice::from_raw_parts_mut(dst.cast::<MaybeUninit<M::Out>>(), n) };
        return apart::<T, M>(out, a, b, c);
    }
    let mut at = 0;
    while at < n {
        let m = CHUNK_ELEMENTS.min(n - at);
        // SAFETY: `at + m <= n`, and no source overlaps the destination.
        let (a, b, c) =
            unsafe { (elements(src[0], at, m), elements(src[1], at, m), elements(src[2], at, m)) };
        // SAFETY: as above.
        let out = unsafe { slice::from_raw_parts_mut(dst.cast::<MaybeUninit<M::Out>>().add(at), m) };
        if is_any_rare::<I, T, M>(out, a, b, c) {
            // Hidden from the compiler: inlined, its constants would take the registers of the loop above.
            let replace = std::hint::black_box(I::rare_lane::<T, M>());
            // SAFETY: the slices hold `m` elements each and lie apart, and this runs at the level that the caller has.
            unsafe {
                replace(m, out.as_mut_ptr().cast(), [a.as_ptr().cast(), b.as_ptr().cast(), c.as_ptr().cast()])
            }
        }
        at += m;
    }
}

/// Runs a lane some elements at a time, with copies of the sources that are its destination. One function for all lanes.
///
/// # Safety
/// The contract of [`Lane`], for sources and a destination of elements of these sizes, at most 16 bytes each.
#[inline(never)]
unsafe fn with_copies(
    run: Lane,
    sizes: [usize; 3],
    out_size: usize,
    n: usize,
    dst: *mut u8,
    src: [*const u8; 3],
) {
    // As large as the largest element, and aligned for every one.
    let mut copies = [[MaybeUninit::<u128>::uninit(); COPIED_ELEMENTS]; 3];
    let mut at = 0;
    while at < n {
        let m = COPIED_ELEMENTS.min(n - at);
        let mut args = [std::ptr::null(); 3];
        for (k, copy) in copies.iter_mut().enumerate() {
            // A source without size may be any address.
            let from = src[k].wrapping_add(at * sizes[k]);
            args[k] = if sizes[k] != 0 && src[k] == dst.cast_const() {
                let to = copy.as_mut_ptr().cast::<u8>();
                // SAFETY: the source holds `n` elements, of which these are some; the copy has room for as many.
                unsafe { std::ptr::copy_nonoverlapping(from, to, m * sizes[k]) };
                to.cast_const()
            } else {
                from
            };
        }
        // SAFETY: each argument holds `m` elements, and none is the destination, which holds `n`.
        unsafe { run(m, dst.add(at * out_size), args) };
        at += m;
    }
}

#[inline(always)]
fn apart<T, M: Map<T>>(out: &mut [MaybeUninit<M::Out>], a: &[M::A], b: &[M::B], c: &[M::C]) {
    for (((out, a), b), c) in out.iter_mut().zip(a).zip(b).zip(c) {
        out.write(M::map(*a, *b, *c));
    }
}

/// Elements that are computed at a time where arguments may be rare: sixteen, so that the compiler sees vectors before it
/// unrolls the loop, and eight where so many results and arguments would not stay in registers. Of a long chain of steps two
/// vectors side by side take less time, where there are registers for them.
const fn group_elements<I: Isa, T, M: Map<T>>() -> usize {
    let is_large = size_of::<M::Out>() >= 8 && size_of::<M::A>() + size_of::<M::B>() > 8;
    if is_large && !(M::IS_LONG && I::HAS_MANY_REGISTERS) { 8 } else { 16 }
}

/// Runs `M` over a chunk; whether an argument is rare, so that its value has to be replaced.
#[inline(always)]
fn is_any_rare<I: Isa, T, M: Map<T>>(
    out: &mut [MaybeUninit<M::Out>],
    a: &[M::A],
    b: &[M::B],
    c: &[M::C],
) -> bool {
    match const { group_elements::<I, T, M>() } {
        8 => in_groups::<8, T, M>(out, a, b, c),
        _ => in_groups::<16, T, M>(out, a, b, c),
    }
}

/// As many elements as a group has: the last one is there several times.
#[inline(always)]
fn padded<const G: usize, S: Slot>(elements: &[S]) -> [S; G] {
    std::array::from_fn(|k| elements[k.min(elements.len() - 1)])
}

#[inline(always)]
fn in_groups<const G: usize, T, M: Map<T>>(
    out: &mut [MaybeUninit<M::Out>],
    a: &[M::A],
    b: &[M::B],
    c: &[M::C],
) -> bool {
    let is_short = out.len() < G;
    let few_a: [M::A; G];
    let few_b: [M::B; G];
    let few_c: [M::C; G];
    let mut few_out = [MaybeUninit::uninit(); G];
    let (a, b, c) = if is_short {
        (few_a, few_b, few_c) = (padded(a), padded(b), padded(c));
        (&few_a[..], &few_b[..], &few_c[..])
    } else {
        (a, b, c)
    };
    let all = if is_short { &mut few_out[..] } else { &mut *out };
    // Words side by side: a reduction into one truth value does not vectorise.
    let mut any = [0u32; G];
    let mut at = 0;
    loop {
        // What is computed goes through an array of its own, so that nothing can overlap.
        let x: [M::A; G] = group(a, at);
        let y: [M::B; G] = group(b, at);
        let z: [M::C; G] = group(c, at);
        let mut values = [MaybeUninit::uninit(); G];
        for k in 0..G {
            values[k].write(M::map(x[k], y[k], z[k]));
            any[k] |= 0u32.wrapping_sub(u32::from(M::rare(x[k], y[k], z[k])));
        }
        all[at..at + G].copy_from_slice(&values);
        if at + G >= all.len() {
            break;
        }
        // The last group is whole, too: some of its elements are computed twice.
        at = (at + G).min(all.len() - G);
    }
    if is_short {
        let n = out.len();
        out.copy_from_slice(&few_out[..n]);
    }
    any.iter().fold(0, |all, word| all | word) != 0
}

#[inline(always)]
fn group<const G: usize, S: Slot>(elements: &[S], at: usize) -> [S; G] {
    *elements[at..].first_chunk().expect("groups lie within a chunk")
}

/// Puts the values of rare arguments into their places; vectors where [`Map::slow`] has no branches.
///
/// # Safety
/// As [`sweep`]; no source is the destination.
#[inline(always)]
unsafe fn replace_rare<T, M: Map<T>>(n: usize, dst: *mut u8, src: [*const u8; 3]) {
    // SAFETY: the caller vouches for `n` elements.
    let a: &[M::A] = unsafe { elements(src[0], 0, n) };
    // SAFETY: as for `a`.
    let b: &[M::B] = unsafe { elements(src[1], 0, n) };
    // SAFETY: as for `a`.
    let c: &[M::C] = unsafe { elements(src[2], 0, n) };
    // SAFETY: the destination holds `n` elements and overlaps no source.
    let out = unsafe { slice::from_raw_parts_mut(dst.cast::<MaybeUninit<M::Out>>(), n) };
    for (((out, a), b), c) in out.iter_mut().zip(a).zip(b).zip(c) {
        if M::rare(*a, *b, *c) {
            out.write(M::slow(*a, *b, *c));
        }
    }
}

/// The loop whose destination is its first source: one pointer, so that the compiler sees no overlap to fear.
///
/// # Safety
/// As [`sweep`]; the second and third sources are not the destination.
#[inline(always)]
unsafe fn over<T, M: Map<T>>(n: usize, dst: *mut u8, src: [*const u8; 3]) {
    // SAFETY: the caller vouches for `n` elements each, and neither source is the destination.
    let (b, c): (&[M::B], &[M::C]) = unsafe { (elements(src[1], 0, n), elements(src[2], 0, n)) };
    for i in 0..n {
        // SAFETY: `i < n`; both types have the same size and the block is aligned for either.
        unsafe {
            let place = dst.cast::<M::Out>().add(i);
            let a = place.cast::<M::A>().read();
            place.write(M::map(a, b[i], c[i]));
        }
    }
}

/// Runs `M` over one block beside constants.
///
/// # Safety
/// As [`sweep`], but that the second and third sources hold one element each; they are not the destination.
#[inline(always)]
unsafe fn sweep_with_scalar<T, M: Map<T>>(n: usize, dst: *mut u8, src: [*const u8; 3]) {
    const { assert!(!M::RARE, "rare arguments are looked for by `sweep` alone") };
    if n == 0 {
        return;
    }
    // SAFETY: the caller vouches for one element each.
    let (b, c): (M::B, M::C) = unsafe { (element(src[1]), element(src[2])) };
    if size_of::<M::A>() == size_of::<M::Out>() && src[0] == dst.cast_const() {
        for i in 0..n {
            // SAFETY: `i < n`; both types have the same size and the block is aligned for either.
            unsafe {
                let place = dst.cast::<M::Out>().add(i);
                let a = place.cast::<M::A>().read();
                place.write(M::map(a, b, c));
            }
        }
        return;
    }
    // SAFETY: the caller vouches for `n` elements on either side, apart from each other.
    let (a, out) = unsafe {
        (
            slice::from_raw_parts(src[0].cast::<M::A>(), n),
            slice::from_raw_parts_mut(dst.cast::<MaybeUninit<M::Out>>(), n),
        )
    };
    for (out, a) in out.iter_mut().zip(a) {
        out.write(M::map(*a, b, c));
    }
}

/// The first element at an address, or that which occupies no memory.
///
/// # Safety
/// The address holds an element, aligned, if elements have a size.
#[inline(always)]
unsafe fn element<S: Slot>(src: *const u8) -> S {
    let from = if size_of::<S>() == 0 { NonNull::dangling().as_ptr() } else { src.cast::<S>().cast_mut() };
    // SAFETY: the caller's promise; elements without size are at any aligned address.
    unsafe { from.read() }
}

/// A storage format that stands in for `f32`.
pub(super) trait Format: 'static {
    /// The lane into `f32` and the one back, if there is anything to convert.
    fn lanes<I: Isa>() -> Option<(Lane, Lane)>;
    /// Bytes of one element.
    const SIZE: usize;
}

/// IEEE binary16.
pub(super) struct Binary16;
/// The upper half of an `f32`.
pub(super) struct Brain16;
/// What the function itself asks for, unconverted.
pub(super) struct Plain;

impl Format for Binary16 {
    fn lanes<I: Isa>() -> Option<(Lane, Lane)> {
        Some((I::WIDEN_F16, I::NARROW_F16))
    }
    const SIZE: usize = 2;
}

impl Format for Brain16 {
    fn lanes<I: Isa>() -> Option<(Lane, Lane)> {
        Some((I::lane::<::half::bf16, half::Widen>(), I::lane::<::half::bf16, half::Narrow>()))
    }
    const SIZE: usize = 2;
}

impl Format for Plain {
    fn lanes<I: Isa>() -> Option<(Lane, Lane)> {
        None
    }
    const SIZE: usize = 4;
}

/// The lane of `M` with `In` in place of its `f32` arguments and `Out` of its `f32` result.
pub(super) unsafe fn converted<I, In, Out, T, M>(n: usize, dst: *mut u8, src: [*const u8; 3])
where
    I: Isa,
    In: Format,
    Out: Format,
    T: 'static,
    M: Map<T> + 'static,
{
    let run = I::lane::<T, M>();
    let widen = In::lanes::<I>().map(|lanes| lanes.0);
    let narrow = if M::Out::SINGLE { Out::lanes::<I>().map(|lanes| lanes.1) } else { None };
    let slots = [
        (size_of::<M::A>(), M::A::SINGLE),
        (size_of::<M::B>(), M::B::SINGLE),
        (size_of::<M::C>(), M::C::SINGLE),
    ];
    let out_size = if M::Out::SINGLE { Out::SIZE } else { size_of::<M::Out>() };
    let mut wide = [[MaybeUninit::<f32>::uninit(); CHUNK_ELEMENTS]; 3];
    let mut result = [MaybeUninit::<f32>::uninit(); CHUNK_ELEMENTS];
    let mut at = 0;
    while at < n {
        let m = CHUNK_ELEMENTS.min(n - at);
        let mut args = src;
        for (k, (size, single)) in slots.into_iter().enumerate() {
            match widen {
                _ if size == 0 => {}
                // SAFETY: the source holds `n` elements of the format, the buffer `CHUNK_ELEMENTS` of `f32`.
                Some(widen) if single => unsafe {
                    let to = wide[k].as_mut_ptr().cast::<u8>();
                    widen(m, to, [src[k].add(at * In::SIZE); 3]);
                    args[k] = to;
                },
                // SAFETY: the source holds `n` elements of this size.
                _ => args[k] = unsafe { src[k].add(at * size) },
            }
        }
        // SAFETY: the destination holds `n` elements of this size.
        let out = unsafe { dst.add(at * out_size) };
        match narrow {
            // SAFETY: the arguments and the buffer hold `m` elements; converted arguments were read before `out` is written.
            Some(narrow) => unsafe {
                let single = result.as_mut_ptr().cast::<u8>();
                run(m, single, args);
                narrow(m, out, [single; 3]);
            },
            // SAFETY: as above; an argument left in place may be the destination, which the lane allows.
            None => unsafe { run(m, out, args) },
        }
        at += m;
    }
}
