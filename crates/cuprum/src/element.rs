//! The Rust types that are elements of arrays.

use cuprum_core::DType;

/// A Rust type that arrays can hold.
///
/// ```
/// use cuprum::{DType, Element};
/// assert_eq!(f32::DTYPE, DType::F32);
/// ```
pub trait Element: Copy + Send + Sync + 'static {
    /// The dtype of arrays that hold it.
    const DTYPE: DType;

    /// Appends its bytes, little-endian.
    fn write(self, bytes: &mut Vec<u8>);

    /// Reads it from its bytes.
    fn read(bytes: &[u8]) -> Self;
}

/// For `f32` and `F32` this makes:
/// `impl Element for f32 { const DTYPE: DType = DType::F32; /* to_le_bytes, from_le_bytes */ }`
macro_rules! elements {
    ($($type:ty => $dtype:ident),*) => {$(
        impl Element for $type {
            const DTYPE: DType = DType::$dtype;

            fn write(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            fn read(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("an element's bytes"))
            }
        }
    )*};
}

elements!(i8 => I8, u8 => U8, i16 => I16, u16 => U16, i32 => I32, u32 => U32, i64 => I64, u64 => U64, f32 => F32, f64 => F64);

impl Element for bool {
    const DTYPE: DType = DType::Bool;

    fn write(self, bytes: &mut Vec<u8>) {
        bytes.push(self as u8);
    }

    fn read(bytes: &[u8]) -> bool {
        bytes[0] != 0
    }
}
