//! The types that locals have. Structs and arrays are memory; `bool` is `I8` holding 0 or 1; pointers are `I64`.

use std::fmt;

/// The type of a local.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// 8 bits; also `bool`, as 0 or 1.
    I8,
    /// 16 bits; also the bits of half and bfloat16 numbers.
    I16,
    /// 32 bits.
    I32,
    /// 64 bits; also pointers.
    I64,
    /// Single precision.
    F32,
    /// Double precision.
    F64,
}

impl Type {
    /// The type of pointers.
    pub const POINTER: Type = Type::I64;
    /// The type of truth values: 0 or 1.
    pub const BOOL: Type = Type::I8;

    /// The size in bytes.
    pub fn bytes(self) -> u32 {
        match self {
            Type::I8 => 1,
            Type::I16 => 2,
            Type::I32 | Type::F32 => 4,
            Type::I64 | Type::F64 => 8,
        }
    }

    /// The largest integer whose size an alignment allows.
    pub fn word(align: u32) -> Type {
        match align {
            1 => Type::I8,
            2 => Type::I16,
            4 => Type::I32,
            _ => Type::I64,
        }
    }

    /// Whether it is `F32` or `F64`.
    pub fn is_float(self) -> bool {
        matches!(self, Type::F32 | Type::F64)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Type::I8 => "i8",
            Type::I16 => "i16",
            Type::I32 => "i32",
            Type::I64 => "i64",
            Type::F32 => "f32",
            Type::F64 => "f64",
        })
    }
}
