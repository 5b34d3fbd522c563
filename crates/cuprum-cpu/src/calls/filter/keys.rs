//! Elements as integers that compare as the elements do, NaN included, so that extrema and ranks are exact and fast.

use cuprum_core::DType;

/// Where NaN stands among the numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NanPlace {
    First,
    Last,
}

/// An integer that stands for an element.
pub(super) trait FilterKey: Copy + Ord + Send + Sync + 'static {
    /// Turns the bits of floats in place into keys; `infinity` has the bits of infinity.
    fn from_floats(bits: &mut [Self], infinity: Self, nan: NanPlace);
    /// Turns keys back into the bits of floats.
    fn to_floats(keys: &mut [Self]);
}

/// For `i32 u32` this makes `impl FilterKey for i32`, whose floats are `f32`, and `impl FilterKey for u32`, which has none.
macro_rules! keys {
    ($($signed:ident $unsigned:ident)+) => {$(
        impl FilterKey for $signed {
            #[inline(always)]
            fn from_floats(bits: &mut [$signed], infinity: $signed, nan: NanPlace) {
                let nan = if nan == NanPlace::First { $signed::MIN } else { $signed::MAX };
                for x in bits {
                    let key = *x ^ ((*x >> ($signed::BITS - 1)) & $signed::MAX);
                    *x = if *x & $signed::MAX > infinity { nan } else { key };
                }
            }
            #[inline(always)]
            fn to_floats(keys: &mut [$signed]) {
                for x in keys {
                    *x ^= (*x >> ($signed::BITS - 1)) & $signed::MAX;
                }
            }
        }
        impl FilterKey for $unsigned {
            fn from_floats(_: &mut [$unsigned], _: $unsigned, _: NanPlace) {}
            fn to_floats(_: &mut [$unsigned]) {}
        }
    )+};
}
keys!(i8 u8 i16 u16 i32 u32 i64 u64);

/// The bits of infinity, for floats.
pub(super) fn infinity(dtype: DType) -> Option<i64> {
    match dtype {
        DType::F16 => Some(0x7c00),
        DType::BF16 => Some(0x7f80),
        DType::F32 => Some(0x7f80_0000),
        DType::F64 => Some(0x7ff0_0000_0000_0000),
        _ => None,
    }
}

/// Calls a generic function with the key type of a real dtype and, for floats, the bits of infinity.
macro_rules! with_key {
    ($dtype:expr, $function:ident($($argument:expr),*)) => {{
        let infinity = $crate::calls::filter::keys::infinity($dtype);
        match $dtype {
            cuprum_core::DType::Bool | cuprum_core::DType::U8 => $function::<u8>(None, $($argument),*),
            cuprum_core::DType::I8 => $function::<i8>(None, $($argument),*),
            cuprum_core::DType::U16 => $function::<u16>(None, $($argument),*),
            cuprum_core::DType::I16 => $function::<i16>(None, $($argument),*),
            cuprum_core::DType::U32 => $function::<u32>(None, $($argument),*),
            cuprum_core::DType::I32 => $function::<i32>(None, $($argument),*),
            cuprum_core::DType::U64 => $function::<u64>(None, $($argument),*),
            cuprum_core::DType::I64 => $function::<i64>(None, $($argument),*),
            cuprum_core::DType::F16 | cuprum_core::DType::BF16 => {
                $function::<i16>(infinity.map(|bits| bits as i16), $($argument),*)
            }
            cuprum_core::DType::F32 => $function::<i32>(infinity.map(|bits| bits as i32), $($argument),*),
            cuprum_core::DType::F64 => $function::<i64>(infinity, $($argument),*),
            cuprum_core::DType::C64 | cuprum_core::DType::C128 => {
                Err(cuprum_core::Error::type_error("filter", "complex numbers have no order"))
            }
        }
    }};
}
pub(super) use with_key;
