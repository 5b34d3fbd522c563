//! Assignments, `++` and `--`.

use crate::Span;
use crate::ast::{BinaryOp, Expr, ExprKind, OperatorName};
use crate::check::constant::Constant;
use crate::check::convert::promoted;
use crate::ir::Binary;

use crate::lower::expressions::call::Argument;
use crate::lower::memory::value::{Address, Category, Value, ValueKind};
use crate::lower::names::mentions;
use crate::lower::names::scope::Key;
use crate::lower::{Lowering, Result, fault};

impl Lowering {
    /// `++` and `--`.
    pub fn step(&mut self, value: Value, up: bool, behind: bool, span: Span) -> Result<Value> {
        self.check_assignable(&value, span)?;
        let old = self.rvalue(value.clone(), span)?;
        let new = if let Some(of) = self.types.pointee(old.ty) {
            let base = self.local(&old, span)?;
            let one = Value::constant(Constant::int(1));
            let address = self.moved(Address { base, offset: 0 }, &one, of, !up, span)?;
            Value::local(old.ty, self.pointer(address))
        } else if old.ty.is_bool() {
            if !up {
                return Err(fault(span, "a bool cannot be decremented"));
            }
            Value::constant(Constant::bool(true))
        } else if old.ty.is_arithmetic() {
            let to = promoted(&self.types, old.ty);
            let wide = self.convert_number(old.clone(), to, span)?;
            let one = self.convert_constant(Constant::int(1), to, span)?;
            let op = match (to.is_float(), up) {
                (false, true) => Binary::Add,
                (false, false) => Binary::Sub,
                (true, true) => Binary::FAdd,
                (true, false) => Binary::FSub,
            };
            let sum = self.binary_op(op, &wide, &Value::constant(one), span)?;
            self.convert_number(sum, old.ty, span)?
        } else {
            return Err(fault(span, format!("a `{}` cannot be stepped", self.types.name(old.ty))));
        };
        let local = self.local(&new, span)?;
        self.store(&value, local, span)?;
        Ok(if behind { old } else { value })
    }

    pub fn check_assignable(&self, value: &Value, span: Span) -> Result<()> {
        if value.ty.is_const() {
            return Err(fault(span, "this is const and cannot be changed"));
        }
        match &value.kind {
            ValueKind::Variable(_) | ValueKind::Memory(_) | ValueKind::Bits(..)
                if value.category != Category::Right =>
            {
                Ok(())
            }
            ValueKind::Memory(_) if self.types.as_struct(value.ty).is_some() => Ok(()),
            ValueKind::Instance(_) => Err(fault(
                span,
                "a pointer to a function cannot be assigned: it must be known at compile time; use a template parameter",
            )),
            ValueKind::Index(_) => Err(fault(span, "threadIdx and its like cannot be changed")),
            _ => Err(fault(span, "this is a temporary and cannot be assigned to")),
        }
    }

    pub fn assign(&mut self, op: Option<BinaryOp>, target: &Expr, value: &Expr, span: Span) -> Result<Value> {
        let name = OperatorName::Assign(op);
        if let ExprKind::List(items) = &value.kind {
            let left = self.place(target)?;
            self.b().span = span;
            if self.types.as_struct(left.ty).is_some() && self.has_operator(&left, name)? {
                let list = Argument::List(items.clone().into(), value.span);
                if let Some(result) =
                    self.user_operator(name, &[(left.clone(), target.span)], Some(&list), span)?
                {
                    return Ok(result);
                }
            }
            if op.is_some() {
                return Err(fault(span, "a list in braces cannot stand here"));
            }
            let made = self.list_value(left.ty.bare(), items, None, value.span)?;
            return self.assign_value(left, made, span);
        }
        // The right side is computed first.
        let right = self.expr(value)?;
        let right = if mentions::is_pure(target) { right } else { self.settled(right, value.span)? };
        let left = self.place(target)?;
        self.b().span = span;
        if self.is_overloadable(left.ty) || self.is_overloadable(right.ty) {
            let operands = [(left.clone(), target.span), (right.clone(), value.span)];
            let plain = op.is_none() && !self.has_operator(&left, name)?;
            if !plain && let Some(result) = self.user_operator(name, &operands, None, span)? {
                return Ok(result);
            }
        }
        match op {
            None => self.assign_value(left, right, span),
            Some(op) => self.compound(op, left, right, (target.span, value.span), span),
        }
    }

    /// Whether a struct has an assignment operator of its own.
    pub fn has_operator(&mut self, value: &Value, op: OperatorName) -> Result<bool> {
        let Some(id) = self.types.as_struct(value.ty) else { return Ok(false) };
        let span = self.frame.b.span;
        self.complete_record(id, span)?;
        Ok(!self.lookup_member(Key::Operator(op), id)?.is_empty())
    }

    pub fn assign_value(&mut self, left: Value, right: Value, span: Span) -> Result<Value> {
        self.check_assignable(&left, span)?;
        if self.types.as_struct(left.ty).is_some() {
            let ty = left.ty.bare();
            let right = self.convert(right, ty, span)?;
            let (to, from) = (self.address(&left, span)?, self.address(&right, span)?);
            let from_ty = right.ty;
            self.copy_assign(to, from, left.ty, from_ty, span)?;
            return Ok(left);
        }
        if self.types.as_array(left.ty).is_some() {
            return Err(fault(span, "arrays cannot be assigned; copy the elements in a loop"));
        }
        let value = self.convert(right, left.ty.bare(), span)?;
        let local = self.local_in_place(&value, span)?;
        self.store(&left, local, span)?;
        Ok(left)
    }

    pub fn compound(
        &mut self,
        op: BinaryOp,
        left: Value,
        right: Value,
        at: (Span, Span),
        span: Span,
    ) -> Result<Value> {
        self.check_assignable(&left, span)?;
        if self.types.as_struct(left.ty).is_some() {
            let (a, b) = (self.types.name(left.ty), self.types.name(right.ty));
            return Err(fault(
                span,
                format!(
                    "there is no `{}=` for `{a}` and `{b}`",
                    crate::lower::templates::instance::binary_text(op)
                ),
            ));
        }
        let right = self.number(right, at.1)?;
        let old = self.number(left.clone(), at.0)?;
        let new = if self.types.is_pointer(old.ty) {
            match op {
                BinaryOp::Add | BinaryOp::Sub if right.ty.is_integer() => {
                    self.pointer_sum(old, right, op == BinaryOp::Sub, span)?
                }
                _ => return Err(self.no_operator(op, &old, &right, span)),
            }
        } else if old.ty.is_arithmetic() && right.ty.is_arithmetic() {
            self.arithmetic(op, old, right, span)?
        } else {
            return Err(self.no_operator(op, &old, &right, span));
        };
        let new = if self.types.is_pointer(left.ty) || self.types.as_enum(left.ty).is_some() {
            if self.types.as_enum(left.ty).is_some() {
                return Err(fault(span, "an integer does not become an enumeration by itself: cast it"));
            }
            new
        } else {
            self.convert_number(new, left.ty.bare(), span)?
        };
        let local = self.local_in_place(&new, span)?;
        self.store(&left, local, span)?;
        Ok(left)
    }
}
