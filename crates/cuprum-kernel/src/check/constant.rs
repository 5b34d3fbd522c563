//! Numbers known at compile time. What the IR's ops make of them is `passes::fold`'s.

use super::types::TypeId;

/// A number: its bits, of the width of its type, the rest zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Constant {
    pub ty: TypeId,
    pub bits: u64,
}

impl Constant {
    pub fn int(value: i32) -> Constant {
        Constant { ty: TypeId::INT, bits: u64::from(value as u32) }
    }

    pub fn bool(value: bool) -> Constant {
        Constant { ty: TypeId::BOOL, bits: u64::from(value) }
    }

    pub fn size(value: u64) -> Constant {
        Constant { ty: TypeId::ULONG, bits: value }
    }
}
