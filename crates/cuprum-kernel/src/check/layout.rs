//! The layout of types: that of the CUDA ABI (LP64, the Itanium rules for structs).

use super::types::{Struct, StructId, TypeClass, TypeId, Types};

impl Types {
    /// Size and alignment; `None` for what has none: `void`, functions, structs not yet defined, arrays of no length.
    pub fn layout(&self, ty: TypeId) -> Option<(u64, u64)> {
        if let Some(scalar) = self.ir(ty) {
            let bytes = u64::from(scalar.bytes());
            return Some((bytes, bytes));
        }
        match *self.kind(ty) {
            TypeClass::Array { of, length } => {
                let (bytes, align) = self.layout(of)?;
                Some((bytes.checked_mul(length?)?, align))
            }
            TypeClass::Struct(id) => {
                let info = self.get(id);
                info.is_complete.then_some((info.bytes, info.align))
            }
            _ => None,
        }
    }

    pub fn size(&self, ty: TypeId) -> Option<u64> {
        self.layout(ty).map(|(bytes, _)| bytes)
    }

    /// Places bases and fields one behind the other, as the Itanium ABI does. `packed`: without padding between.
    pub fn lay_out(&mut self, id: StructId, min_align: u64, packed: bool) -> Result<(), String> {
        let mut info = std::mem::take(&mut self.structs[id.0 as usize]);
        let placed = self.place(&mut info, min_align, packed);
        self.structs[id.0 as usize] = info;
        placed
    }

    fn place(&self, info: &mut Struct, min_align: u64, packed: bool) -> Result<(), String> {
        let mut bits: u64 = 0;
        let mut bytes: u64 = 0;
        let mut align = 1.max(min_align);
        let mut is_empty = true;
        let too_large = || "the struct is too large".to_owned();
        if info.has_table {
            (bits, bytes, is_empty) = (64, 8, false);
            align = align.max(8);
        }
        // The first base with a table comes first, so that a struct's own table lies where the struct does.
        let primary = info.bases.iter().position(|base| self.get(base.ty).is_polymorphic).unwrap_or(0);
        let order = info.bases.len().min(primary + 1);
        let mut in_order: Vec<&mut super::types::Base> = info.bases.iter_mut().collect();
        in_order[..order].rotate_right(order.min(1));
        for base in in_order {
            let of = self.get(base.ty);
            if of.is_empty {
                base.offset = 0;
                align = align.max(of.align);
                continue;
            }
            is_empty = false;
            let start = round_up(bits.div_ceil(8), of.align).ok_or_else(too_large)?;
            base.offset = start;
            align = align.max(of.align);
            bits = (start + of.data_bytes).checked_mul(8).ok_or_else(too_large)?;
            bytes = bytes.max(start + of.data_bytes);
        }
        for field in &mut info.fields {
            let Some((size, natural)) = self.layout(field.ty) else {
                return Err(format!(
                    "field `{}` has the incomplete type `{}`",
                    field.name,
                    self.name(field.ty)
                ));
            };
            let field_align = if packed { 1 } else { natural }.max(field.align);
            if let Some(place) = &mut field.bits {
                let unit = size * 8;
                if place.width == 0 {
                    bits = round_up(bits, unit).ok_or_else(too_large)?;
                    continue;
                }
                is_empty = false;
                let start = if info.is_union { 0 } else { bits };
                let width = u64::from(place.width);
                let start = if start / unit != (start + width - 1) / unit {
                    round_up(start, unit).ok_or_else(too_large)?
                } else {
                    start
                };
                field.offset = start / unit * size;
                place.shift = (start % unit) as u32;
                align = align.max(field_align);
                bits = if info.is_union { bits } else { start + width };
                bytes = bytes.max((start + width).div_ceil(8));
                continue;
            }
            is_empty = false;
            let start = if info.is_union {
                0
            } else {
                round_up(bits.div_ceil(8), field_align).ok_or_else(too_large)?
            };
            field.offset = start;
            align = align.max(field_align);
            let end = start.checked_add(size).filter(|&end| end < 1 << 40).ok_or_else(too_large)?;
            if !info.is_union {
                bits = end * 8;
            }
            bytes = bytes.max(end);
        }
        info.is_empty = is_empty;
        info.align = align;
        info.bytes = round_up(bytes.max(1), align).ok_or_else(too_large)?;
        // A struct of plain data keeps its padding to itself.
        info.data_bytes = if info.is_polymorphic { bytes } else { info.bytes };
        info.is_complete = true;
        Ok(())
    }

    /// Whether `derived` is `base` or has it as a base; with its offset.
    pub fn base_offset(&self, derived: StructId, base: StructId) -> Option<u64> {
        if derived == base {
            return Some(0);
        }
        self.get(derived).bases.iter().find_map(|step| Some(step.offset + self.base_offset(step.ty, base)?))
    }

    /// The numbers that a struct or array is made of, with their offsets; `None` where there are more than `limit` or
    /// where it holds a union or a bit-field.
    pub fn leaves(&self, ty: TypeId, limit: usize) -> Option<Vec<(u64, TypeId)>> {
        let mut leaves = Vec::new();
        self.add_leaves(ty, 0, limit, &mut leaves).then_some(leaves)
    }

    fn add_leaves(&self, ty: TypeId, at: u64, limit: usize, leaves: &mut Vec<(u64, TypeId)>) -> bool {
        if self.is_scalar(ty) {
            leaves.push((at, ty));
            return leaves.len() <= limit;
        }
        match *self.kind(ty) {
            TypeClass::Array { of, length: Some(length) } => {
                let Some(step) = self.size(of) else { return false };
                (0..length).all(|i| self.add_leaves(of, at + i * step, limit, leaves))
            }
            TypeClass::Struct(id) => {
                let info = self.get(id);
                if info.is_union || info.fields.iter().any(|field| field.bits.is_some()) {
                    return false;
                }
                self.add_table_leaf(info, at, leaves);
                info.bases.iter().all(|base| self.add_struct_leaves(base.ty, at + base.offset, limit, leaves))
                    && info
                        .fields
                        .iter()
                        .all(|field| self.add_leaves(field.ty, at + field.offset, limit, leaves))
            }
            _ => false,
        }
    }

    fn add_table_leaf(&self, info: &Struct, at: u64, leaves: &mut Vec<(u64, TypeId)>) {
        if info.has_table {
            leaves.push((at, TypeId::ULONG));
        }
    }

    fn add_struct_leaves(
        &self,
        id: StructId,
        at: u64,
        limit: usize,
        leaves: &mut Vec<(u64, TypeId)>,
    ) -> bool {
        let info = self.get(id);
        self.add_table_leaf(info, at, leaves);
        !info.is_union
            && info.fields.iter().all(|field| field.bits.is_none())
            && info.bases.iter().all(|base| self.add_struct_leaves(base.ty, at + base.offset, limit, leaves))
            && info.fields.iter().all(|field| self.add_leaves(field.ty, at + field.offset, limit, leaves))
    }
}

/// The next multiple of `to`.
pub fn round_up(value: u64, to: u64) -> Option<u64> {
    value.checked_next_multiple_of(to)
}
