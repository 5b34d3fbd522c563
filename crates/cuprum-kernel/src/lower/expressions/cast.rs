//! Casts.

use crate::Span;
use crate::ast::{self, CastStyle, Expr, ExprKind};
use crate::check::constant::Constant;
use crate::check::types::{TypeClass, TypeId};
use crate::ir::{Convert, Op};

use crate::lower::memory::value::{Address, Category, Value, ValueKind};
use crate::lower::{Lowering, Result, fault};

impl Lowering {
    pub fn cast(&mut self, style: CastStyle, ty: &ast::Type, operand: &Expr, span: Span) -> Result<Value> {
        let to = self.resolve_type(ty)?;
        if let ExprKind::List(items) = &operand.kind {
            return self.list_value(to.bare(), items, None, span);
        }
        let value = self.expr(operand)?;
        self.b().span = span;
        match style {
            CastStyle::Bits => self.bit_cast(value, to, span),
            _ => self.explicit(value, to, style, span),
        }
    }

    /// `T(x)`, `(T)x`, `static_cast<T>(x)` and the others.
    pub fn explicit(&mut self, value: Value, to: TypeId, style: CastStyle, span: Span) -> Result<Value> {
        if to.is_void() {
            return Ok(Value::void());
        }
        if let TypeClass::Reference { to: target, rvalue } = *self.types.kind(to) {
            return self.cast_reference(value, to, target, rvalue, style, span);
        }
        let to = to.bare();
        if self.value_sequence(&value, to, true)?.is_some() {
            return self.convert(value, to, span);
        }
        if let Some((user, _)) = self.user_conversion(&value, to, true)? {
            return self.convert_by(value, user, to, span);
        }
        // A struct may convert to something that converts to the type.
        if self.types.as_struct(value.ty).is_some() {
            return Err(self.no_conversion(&value, to, span));
        }
        let value = self.rvalue(value, span)?;
        let (from_number, to_number) = (
            value.ty.is_arithmetic() || self.types.as_enum(value.ty).is_some(),
            to.is_arithmetic() || self.types.as_enum(to).is_some(),
        );
        let (from_pointer, to_pointer) = (self.types.is_pointer(value.ty), self.types.is_pointer(to));
        let is_pointer_int = |this: &Lowering, ty: TypeId| this.types.underlying(ty).is_integer();
        if from_number && to_number && style != CastStyle::Reinterpret {
            return self.convert_number(value, to, span);
        }
        if from_pointer && to_pointer {
            // A base's pointer back to the struct that it is part of.
            if (style == CastStyle::Static || style == CastStyle::C)
                && let Some(moved) = self.cast_down(&value, to, span)?
            {
                return Ok(moved);
            }
            if matches!(value.kind, ValueKind::Functions(_) | ValueKind::Instance(_)) {
                return Err(fault(span, "a pointer to a function cannot be cast"));
            }
            return Ok(Value { ty: to, ..value });
        }
        if (from_pointer && is_pointer_int(self, to)) || (to_pointer && is_pointer_int(self, value.ty)) {
            return self.convert_number(value, to, span);
        }
        if value.ty == TypeId::NULLPTR {
            return Ok(Value::constant(Constant { ty: to, bits: 0 }));
        }
        Err(self.no_conversion(&value, to, span))
    }

    pub fn cast_down(&mut self, value: &Value, to: TypeId, span: Span) -> Result<Option<Value>> {
        let (Some(a), Some(b)) = (self.types.pointee(value.ty), self.types.pointee(to)) else {
            return Ok(None);
        };
        let (Some(base), Some(derived)) = (self.types.as_struct(a), self.types.as_struct(b)) else {
            return Ok(None);
        };
        self.complete_if_possible(derived)?;
        let Some(offset) = self.types.base_offset(derived, base) else { return Ok(None) };
        let local = self.local(value, span)?;
        let local = self.pointer(Address { base: local, offset: -(offset as i64) });
        Ok(Some(Value::local(to, local)))
    }

    pub fn cast_reference(
        &mut self,
        value: Value,
        to: TypeId,
        target: TypeId,
        rvalue: bool,
        style: CastStyle,
        span: Span,
    ) -> Result<Value> {
        let category = if rvalue { Category::Expiring } else { Category::Left };
        let same = self.types.unqualified(target) == self.types.unqualified(value.ty);
        if same {
            // `static_cast<T&&>(x)`, `const_cast<T&>(x)`.
            if matches!(value.kind, ValueKind::Variable(_) | ValueKind::Memory(_) | ValueKind::Bits(..)) {
                return Ok(Value { ty: target, kind: value.kind, category });
            }
            let address = self.address(&value, span)?;
            return Ok(Value::memory(target, address, category));
        }
        if let (Some(own), Some(other)) = (self.types.as_struct(value.ty), self.types.as_struct(target))
            && style != CastStyle::Reinterpret
        {
            self.complete_if_possible(own)?;
            self.complete_if_possible(other)?;
            let offset = match (self.types.base_offset(own, other), self.types.base_offset(other, own)) {
                (Some(up), _) => Some(up as i64),
                (None, Some(down)) => Some(-(down as i64)),
                _ => None,
            };
            if let Some(offset) = offset {
                let address = self.address(&value, span)?;
                let address = Address { offset: address.offset + offset, ..address };
                return Ok(Value::memory(target, address, category));
            }
        }
        if style == CastStyle::Reinterpret || style == CastStyle::C && value.category == Category::Left {
            let address = self.address(&value, span)?;
            return Ok(Value::memory(target, address, category));
        }
        self.bind_reference(value, to, span)
    }

    pub fn bit_cast(&mut self, value: Value, to: TypeId, span: Span) -> Result<Value> {
        let (from_size, to_size) = (self.size_of(value.ty, span)?, self.size_of(to, span)?);
        if from_size != to_size {
            return Err(fault(
                span,
                format!("a bit cast is between types of one size, not {from_size} and {to_size} bytes"),
            ));
        }
        let (a, b) = (self.types.ir(value.ty), self.types.ir(to));
        if let (Some(a), Some(b)) = (a, b) {
            let value = self.rvalue(value, span)?;
            if let ValueKind::Constant(bits) = value.kind {
                return Ok(Value::constant(Constant { ty: to.bare(), bits }));
            }
            let local = self.local(&value, span)?;
            let result = if a == b { local } else { self.b().convert(Convert::Bits, b, local) };
            return Ok(Value::local(to, result));
        }
        let from = self.address(&value, span)?;
        let address = self.new_memory("", to.bare(), span)?;
        let (target, source) = (self.pointer(address), self.pointer(from));
        self.b().emit(Op::CopyBytes { to: target, from: source, bytes: to_size });
        Ok(Value::memory(to.bare(), address, Category::Right))
    }
}
