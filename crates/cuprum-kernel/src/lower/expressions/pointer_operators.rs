//! Operators of pointers: sums, differences and comparisons.

use crate::Span;
use crate::ast::BinaryOp;
use crate::check::types::TypeId;
use crate::ir::{Binary, Compare, Op, Type};

use crate::lower::memory::value::{Address, Value, ValueKind};
use crate::lower::{Lowering, Result, fault};

impl Lowering {
    pub fn pointer_operator(&mut self, op: BinaryOp, left: Value, right: Value, span: Span) -> Result<Value> {
        let (left, right) = (self.decayed_function(left, span)?, self.decayed_function(right, span)?);
        let is_pointer = |this: &Lowering, ty: TypeId| this.types.is_pointer(ty) || ty == TypeId::NULLPTR;
        let (left_is, right_is) = (is_pointer(self, left.ty), is_pointer(self, right.ty));
        match op {
            BinaryOp::Add if left_is && right.ty.is_integer() => self.pointer_sum(left, right, false, span),
            BinaryOp::Add if right_is && left.ty.is_integer() => self.pointer_sum(right, left, false, span),
            BinaryOp::Sub if left_is && right.ty.is_integer() => self.pointer_sum(left, right, true, span),
            BinaryOp::Sub if left_is && right_is => {
                let (Some(of), Some(other)) = (self.types.pointee(left.ty), self.types.pointee(right.ty))
                else {
                    return Err(self.no_operator(op, &left, &right, span));
                };
                if self.types.unqualified(of) != self.types.unqualified(other) {
                    return Err(self.no_operator(op, &left, &right, span));
                }
                let size = self.size_of(of, span)?;
                let (a, b) = (self.local_in_place(&left, span)?, self.local_in_place(&right, span)?);
                let bytes = self.b().binary(Binary::Sub, a, b);
                let by = self.b().constant(Type::I64, size);
                Ok(Value::local(TypeId::LONG, self.b().binary(Binary::DivS, bytes, by)))
            }
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
                if (left_is || right_is) =>
            {
                let null =
                    |value: &Value| value.ty.is_integer() && matches!(value.kind, ValueKind::Constant(0));
                if !(left_is || null(&left)) || !(right_is || null(&right)) {
                    return Err(self.no_operator(op, &left, &right, span));
                }
                let ty = if self.types.is_pointer(left.ty) { left.ty } else { right.ty };
                let (left, right) =
                    (self.convert_number(left, ty, span)?, self.convert_number(right, ty, span)?);
                let compare = match op {
                    BinaryOp::Eq => Compare::Eq,
                    BinaryOp::Ne => Compare::Ne,
                    BinaryOp::Lt => Compare::LtU,
                    BinaryOp::Le => Compare::LeU,
                    BinaryOp::Gt => Compare::GtU,
                    _ => Compare::GeU,
                };
                self.compare_op(compare, &left, &right, span)
            }
            _ => Err(self.no_operator(op, &left, &right, span)),
        }
    }

    pub fn pointer_sum(
        &mut self,
        pointer: Value,
        number: Value,
        backwards: bool,
        span: Span,
    ) -> Result<Value> {
        let Some(of) = self.types.pointee(pointer.ty) else {
            return Err(fault(span, "a null pointer cannot be moved"));
        };
        if of.is_void() || self.types.is_function(of) {
            return Err(fault(
                span,
                format!("a `{}` has no elements to move by; cast it first", self.types.name(pointer.ty)),
            ));
        }
        let base = self.local_in_place(&pointer, span)?;
        let address = self.moved(Address { base, offset: 0 }, &number, of, backwards, span)?;
        let local = self.pointer(address);
        // The pointer may be a variable's own local.
        let local = if local == base {
            let dst = self.b().local(Type::POINTER);
            self.b().emit(Op::Copy { dst, src: local });
            dst
        } else {
            local
        };
        Ok(Value::local(pointer.ty, local))
    }
}
