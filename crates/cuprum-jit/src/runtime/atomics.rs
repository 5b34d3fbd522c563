//! Atomics that are not one machine instruction: loops of compare and swap, and the same without the lock for memory
//! that only one thread of the machine can reach.

use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};

use cuprum_kernel::ir::{Atomic, Type};

use super::convert::{bfloat_from_f64, bfloat_to_f32, half_from_f32, half_to_f32};

/// Who may reach the memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// Workers that run other blocks.
    AllWorkers,
    /// The calling worker alone: shared memory, and launches that run their blocks in order.
    OneWorker,
}

// One type's memory operations: `load and store` or a loop of compare and swap, around a function of the old value.
macro_rules! memory {
    ($update:ident, $update_alone:ident, $bits:ty, $atomic:ty) => {
        /// # Safety
        /// `address` is of a value that may be written, at a multiple of its size.
        unsafe fn $update(address: *mut $bits, new: impl Fn($bits) -> $bits) -> $bits {
            // SAFETY: the caller's; all accesses of other workers to it are atomic or races of the kernel's own.
            let cell = unsafe { <$atomic>::from_ptr(address) };
            let mut old = cell.load(Ordering::Relaxed);
            loop {
                match cell.compare_exchange_weak(old, new(old), Ordering::SeqCst, Ordering::Relaxed) {
                    Ok(old) => return old,
                    Err(now) => old = now,
                }
            }
        }

        /// # Safety
        /// `address` is of a value that may be written, and that no other thread reaches.
        unsafe fn $update_alone(address: *mut $bits, new: impl Fn($bits) -> $bits) -> $bits {
            // SAFETY: the caller's.
            unsafe {
                let old = address.read_unaligned();
                address.write_unaligned(new(old));
                old
            }
        }
    };
}

memory!(update16, update16_alone, u16, AtomicU16);
memory!(update32, update32_alone, u32, AtomicU32);
memory!(update64, update64_alone, u64, AtomicU64);

// The address of `extern "C" fn(address, value) -> old` for either reach: `new` makes the bits of the new value of those
// of the old one and of the value.
macro_rules! entry {
    ($reach:expr, $value:ty, $update:ident, $update_alone:ident, $old:ident, $with:ident, $new:expr) => {
        if $reach == Reach::AllWorkers {
            unsafe extern "C" fn entry(address: *mut $value, value: $value) -> $value {
                let $with = value;
                // SAFETY: generated code has checked the address.
                Bits::from_bits(unsafe {
                    $update(address.cast(), |bits| {
                        let $old = <$value as Bits>::from_bits(bits);
                        Bits::to_bits($new)
                    })
                })
            }
            entry as *const () as *const u8
        } else {
            unsafe extern "C" fn entry(address: *mut $value, value: $value) -> $value {
                let $with = value;
                // SAFETY: generated code has checked the address, and no other thread reaches it.
                Bits::from_bits(unsafe {
                    $update_alone(address.cast(), |bits| {
                        let $old = <$value as Bits>::from_bits(bits);
                        Bits::to_bits($new)
                    })
                })
            }
            entry as *const () as *const u8
        }
    };
    ($reach:expr, u16, $old:ident, $with:ident, $new:expr) => {
        entry!($reach, u16, update16, update16_alone, $old, $with, $new)
    };
    ($reach:expr, u32, $old:ident, $with:ident, $new:expr) => {
        entry!($reach, u32, update32, update32_alone, $old, $with, $new)
    };
    ($reach:expr, f32, $old:ident, $with:ident, $new:expr) => {
        entry!($reach, f32, update32, update32_alone, $old, $with, $new)
    };
    ($reach:expr, u64, $old:ident, $with:ident, $new:expr) => {
        entry!($reach, u64, update64, update64_alone, $old, $with, $new)
    };
    ($reach:expr, f64, $old:ident, $with:ident, $new:expr) => {
        entry!($reach, f64, update64, update64_alone, $old, $with, $new)
    };
}

trait Bits: Copy {
    type Word;
    fn from_bits(bits: Self::Word) -> Self;
    fn to_bits(self) -> Self::Word;
}

// `impl Bits` of a type whose bits are `$word`.
macro_rules! bits {
    ($($ty:ty: $word:ty, $from:expr, $to:expr;)*) => {$(
        impl Bits for $ty {
            type Word = $word;
            fn from_bits(bits: $word) -> $ty {
                $from(bits)
            }
            fn to_bits(self) -> $word {
                $to(self)
            }
        }
    )*};
}

bits! {
    u16: u16, std::convert::identity, std::convert::identity;
    u32: u32, std::convert::identity, std::convert::identity;
    u64: u64, std::convert::identity, std::convert::identity;
    f32: u32, f32::from_bits, f32::to_bits;
    f64: u64, f64::from_bits, f64::to_bits;
}

/// `extern "C" fn(address, value) -> old` for an atomic on values of `ty`; `None` where `ir::Atomic` says that there is
/// none. Half and bfloat16 numbers are the bits of `I16` or, two at once, of `I32`.
pub fn address(op: Atomic, ty: Type, reach: Reach) -> Option<*const u8> {
    Some(match (op, ty) {
        (Atomic::Add, Type::F32) => entry!(reach, f32, old, value, old + value),
        (Atomic::Add, Type::F64) => entry!(reach, f64, old, value, old + value),
        (Atomic::FMin, Type::F32) => entry!(reach, f32, old, value, smaller(old.into(), value.into()) as f32),
        (Atomic::FMin, Type::F64) => entry!(reach, f64, old, value, smaller(old, value)),
        (Atomic::FMax, Type::F32) => entry!(reach, f32, old, value, larger(old.into(), value.into()) as f32),
        (Atomic::FMax, Type::F64) => entry!(reach, f64, old, value, larger(old, value)),
        (Atomic::Exchange, Type::F32) => entry!(reach, f32, _old, value, value),
        (Atomic::Exchange, Type::F64) => entry!(reach, f64, _old, value, value),
        (Atomic::AddHalf, Type::I16) => entry!(reach, u16, old, value, add_half(old, value)),
        (Atomic::AddHalf, Type::I32) => entry!(reach, u32, old, value, both(old, value, add_half)),
        (Atomic::AddBfloat, Type::I16) => entry!(reach, u16, old, value, add_bfloat(old, value)),
        (Atomic::AddBfloat, Type::I32) => entry!(reach, u32, old, value, both(old, value, add_bfloat)),
        (_, Type::I16) => integer16(op, reach)?,
        (_, Type::I32) => integer32(op, reach)?,
        (_, Type::I64) => integer64(op, reach)?,
        _ => return None,
    })
}

// The atomics of integers of one width.
macro_rules! integers {
    ($name:ident, $unsigned:ident, $signed:ty) => {
        fn $name(op: Atomic, reach: Reach) -> Option<*const u8> {
            Some(match op {
                Atomic::Add => entry!(reach, $unsigned, old, value, old.wrapping_add(value)),
                Atomic::Sub => entry!(reach, $unsigned, old, value, old.wrapping_sub(value)),
                Atomic::And => entry!(reach, $unsigned, old, value, old & value),
                Atomic::Or => entry!(reach, $unsigned, old, value, old | value),
                Atomic::Xor => entry!(reach, $unsigned, old, value, old ^ value),
                Atomic::MinU => entry!(reach, $unsigned, old, value, old.min(value)),
                Atomic::MaxU => entry!(reach, $unsigned, old, value, old.max(value)),
                Atomic::MinS => {
                    entry!(reach, $unsigned, old, value, (old as $signed).min(value as $signed) as $unsigned)
                }
                Atomic::MaxS => {
                    entry!(reach, $unsigned, old, value, (old as $signed).max(value as $signed) as $unsigned)
                }
                Atomic::Exchange => entry!(reach, $unsigned, _old, value, value),
                Atomic::Increment => {
                    entry!(reach, $unsigned, old, value, if old >= value { 0 } else { old + 1 })
                }
                Atomic::Decrement => {
                    entry!(
                        reach,
                        $unsigned,
                        old,
                        value,
                        if old == 0 || old > value { value } else { old - 1 }
                    )
                }
                Atomic::FMin | Atomic::FMax | Atomic::AddHalf | Atomic::AddBfloat => return None,
            })
        }
    };
}

integers!(integer16, u16, i16);
integers!(integer32, u32, i32);
integers!(integer64, u64, i64);

/// As `ir::Binary::FMin`: the other one where one is NaN; -0 is smaller than 0.
fn smaller(a: f64, b: f64) -> f64 {
    if a == b { if a.is_sign_negative() { a } else { b } } else { a.min(b) }
}

/// As `ir::Binary::FMax`.
fn larger(a: f64, b: f64) -> f64 {
    if a == b { if a.is_sign_negative() { b } else { a } } else { a.max(b) }
}

fn add_half(a: u16, b: u16) -> u16 {
    half_from_f32(half_to_f32(a) + half_to_f32(b))
}

fn add_bfloat(a: u16, b: u16) -> u16 {
    // In double precision, which holds the sum: single precision would round a second time.
    bfloat_from_f64(f64::from(bfloat_to_f32(a)) + f64::from(bfloat_to_f32(b)))
}

/// On the lower and the upper 16 bits.
fn both(a: u32, b: u32, op: fn(u16, u16) -> u16) -> u32 {
    u32::from(op(a as u16, b as u16)) | u32::from(op((a >> 16) as u16, (b >> 16) as u16)) << 16
}

#[cfg(test)]
mod tests {
    use super::*;

    // Runs an atomic on a variable, for both reaches; gives what stands there then.
    macro_rules! run {
        ($op:expr, $ty:expr, $value:ty, $old:expr, $with:expr) => {{
            let mut results = Vec::new();
            for reach in [Reach::AllWorkers, Reach::OneWorker] {
                let address = address($op, $ty, reach).unwrap();
                // SAFETY: the entry of this type has this signature.
                let entry = unsafe {
                    std::mem::transmute::<*const u8, unsafe extern "C" fn(*mut $value, $value) -> $value>(
                        address,
                    )
                };
                let mut place: $value = $old;
                // SAFETY: `place` is a value of the entry's type.
                let old = unsafe { entry(&mut place, $with) };
                assert_eq!(old.to_ne_bytes(), <$value>::to_ne_bytes($old));
                results.push(place);
            }
            assert_eq!(results[0].to_ne_bytes(), results[1].to_ne_bytes());
            results[0]
        }};
    }

    #[test]
    fn increments_and_decrements_wrap_at_the_given_value() {
        let inc = |old, value| run!(Atomic::Increment, Type::I32, u32, old, value);
        assert_eq!((inc(4, 5), inc(5, 5), inc(9, 5), inc(u32::MAX, u32::MAX)), (5, 0, 0, 0));
        let dec = |old, value| run!(Atomic::Decrement, Type::I32, u32, old, value);
        assert_eq!((dec(4, 5), dec(0, 5), dec(9, 5)), (3, 5, 5));
    }

    #[test]
    fn floats_are_added_and_compared() {
        assert_eq!(run!(Atomic::Add, Type::F32, f32, 1.5, 0.25), 1.75);
        assert_eq!(run!(Atomic::Add, Type::F64, f64, 1.5, -0.25), 1.25);
        assert_eq!(run!(Atomic::FMin, Type::F32, f32, f32::NAN, 2.0), 2.0);
        assert_eq!(run!(Atomic::FMax, Type::F64, f64, 3.0, f64::NAN), 3.0);
        assert!(run!(Atomic::FMin, Type::F64, f64, 0.0, -0.0).is_sign_negative());
        assert!(run!(Atomic::FMax, Type::F32, f32, -0.0, 0.0).is_sign_positive());
        assert_eq!(run!(Atomic::Exchange, Type::F32, f32, 1.0, 7.0), 7.0);
    }

    #[test]
    fn integers_of_every_width() {
        assert_eq!(run!(Atomic::MinS, Type::I32, u32, 3, -4i32 as u32), -4i32 as u32);
        assert_eq!(run!(Atomic::MinU, Type::I32, u32, 3, -4i32 as u32), 3);
        assert_eq!(run!(Atomic::MaxS, Type::I64, u64, -3i64 as u64, 2), 2);
        assert_eq!(run!(Atomic::Sub, Type::I64, u64, 3, 5), -2i64 as u64);
        assert_eq!(run!(Atomic::Xor, Type::I16, u16, 0xff00, 0x0ff0), 0xf0f0);
        assert!(address(Atomic::FMin, Type::I32, Reach::OneWorker).is_none());
        assert!(address(Atomic::And, Type::F32, Reach::OneWorker).is_none());
    }

    #[test]
    fn halves_are_added_one_or_two_at_a_time() {
        // 1.0 + 2.0 = 3.0, and 1.0 + 0.5 = 1.5.
        assert_eq!(run!(Atomic::AddHalf, Type::I16, u16, 0x3c00, 0x4000), 0x4200);
        assert_eq!(run!(Atomic::AddHalf, Type::I32, u32, 0x3c00_3c00, 0x3800_4000), 0x3e00_4200);
        assert_eq!(run!(Atomic::AddBfloat, Type::I16, u16, 0x3f80, 0x4000), 0x4040);
        assert_eq!(run!(Atomic::AddBfloat, Type::I32, u32, 0x3f80_3f80, 0x3f00_4000), 0x3fc0_4040);
    }

    #[test]
    fn threads_lose_no_updates() {
        let entry = address(Atomic::Add, Type::F64, Reach::AllWorkers).unwrap() as usize;
        let sum = AtomicU64::new(0f64.to_bits());
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    // SAFETY: the entry of this type has this signature.
                    let add = unsafe {
                        std::mem::transmute::<usize, unsafe extern "C" fn(*mut f64, f64) -> f64>(entry)
                    };
                    for _ in 0..1000 {
                        // SAFETY: the address of an atomic of the same size.
                        unsafe { add(sum.as_ptr().cast(), 1.0) };
                    }
                });
            }
        });
        assert_eq!(f64::from_bits(sum.into_inner()), 4000.0);
    }
}
