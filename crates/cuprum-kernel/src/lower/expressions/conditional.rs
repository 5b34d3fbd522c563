//! `c ? a : b`, `&&` and `||`, folds over packs.

use crate::Span;
use crate::ast::{BinaryOp, Expr, ExprKind, OperatorName};
use crate::check::constant::Constant;
use crate::check::convert::common;
use crate::check::types::TypeId;
use crate::ir::{End, Op, Type};

use crate::lower::memory::value::{Address, Category, Value, ValueKind};
use crate::lower::names::mentions;
use crate::lower::names::scope::{Entity, Key};
use crate::lower::{Lowering, Result, fault};

impl Lowering {
    pub fn logical(&mut self, op: BinaryOp, left: &Expr, right: &Expr, span: Span) -> Result<Value> {
        let first = self.expr(left)?;
        if self.is_overloadable(first.ty) && self.types.as_struct(first.ty).is_some() {
            // An overloaded && or || evaluates both.
            let key = Key::Operator(OperatorName::Binary(op));
            let known = !self.lookup(key, self.scope)?.is_empty()
                || self.member_functions(&first, key, "operator", None, span)?.is_some();
            if known {
                let second = self.expr(right)?;
                let operands = [(first.clone(), left.span), (second, right.span)];
                if let Some(result) = self.user_operator(OperatorName::Binary(op), &operands, None, span)? {
                    return Ok(result);
                }
            }
        }
        let first = self.truth(first, left.span)?;
        let stops = op == BinaryOp::Or;
        if let ValueKind::Constant(bits) = first.kind {
            if (bits != 0) == stops {
                return Ok(Value::constant(Constant::bool(stops)));
            }
            let second = self.expr(right)?;
            return self.truth(second, right.span);
        }
        let result = self.b().local(Type::BOOL);
        let src = self.local_in_place(&first, span)?;
        self.b().emit(Op::Copy { dst: result, src });
        let (more, done) = (self.b().new_block(), self.b().new_block());
        let (then, otherwise) = if stops { (done, more) } else { (more, done) };
        self.b().end(End::Branch { cond: result, then, otherwise });
        self.b().enter(more);
        self.frame.conditional += 1;
        let second = self.expr(right).and_then(|second| self.truth(second, right.span));
        self.frame.conditional -= 1;
        let second = second?;
        let src = self.local_in_place(&second, span)?;
        self.b().emit(Op::Copy { dst: result, src });
        self.b().end(End::Jump(done));
        self.b().enter(done);
        Ok(Value::local(TypeId::BOOL, result))
    }

    pub fn conditional(
        &mut self,
        condition: &Expr,
        then: Option<&Expr>,
        otherwise: &Expr,
        wants_place: bool,
        span: Span,
    ) -> Result<Value> {
        let condition_value = self.expr(condition)?;
        // `a ?: b` is `a ? a : b` with `a` computed once.
        let (truth, kept) = match then {
            Some(_) => (self.truth(condition_value, condition.span)?, None),
            None => {
                let kept = self.rvalue(condition_value, span)?;
                (self.truth(kept.clone(), condition.span)?, Some(kept))
            }
        };
        for branch in [then, Some(otherwise)].into_iter().flatten() {
            if let ExprKind::List(_) = branch.kind {
                return Err(fault(
                    branch.span,
                    "a list in braces cannot stand here; write the type before it",
                ));
            }
        }
        if let ValueKind::Constant(bits) = truth.kind {
            // The type is that of both, whichever is taken.
            let (chosen, other) = match (then, bits != 0) {
                (Some(then), true) => (then, otherwise),
                (Some(then), false) => (otherwise, then),
                (None, true) => return kept.ok_or(crate::lower::Fault(None)),
                (None, false) => return self.expr(otherwise),
            };
            let other = self.unevaluated(other)?;
            let value = if wants_place { self.place(chosen)? } else { self.expr(chosen)? };
            let (ty, is_left) = self.common_branch(&value, &other, true, span)?;
            if is_left || ty.is_void() {
                return Ok(value);
            }
            return self.convert(value, ty, chosen.span);
        }
        let cond = self.local(&truth, span)?;
        let (first, second, done) = (self.b().new_block(), self.b().new_block(), self.b().new_block());
        self.b().end(End::Branch { cond, then: first, otherwise: second });
        self.frame.conditional += 1;
        self.b().enter(first);
        let a = match (then, kept) {
            (Some(then), _) if wants_place => self.place(then),
            (Some(then), _) => self.expr(then),
            (None, Some(kept)) => Ok(kept),
            (None, None) => Err(crate::lower::Fault(None)),
        };
        let after_first = self.frame.b.current();
        self.b().enter(second);
        let b = if wants_place { self.place(otherwise) } else { self.expr(otherwise) };
        let after_second = self.frame.b.current();
        self.frame.conditional -= 1;
        let (a, b) = (a?, b?);
        self.b().span = span;
        // Both are there: what they have in common is made at the end of each.
        let pointer = match self.function_pointer(&a, span)? {
            Some(pointer) => Some(pointer),
            None => self.function_pointer(&b, span)?,
        };
        let (ty, is_left) = match pointer {
            Some(pointer) => (pointer, false),
            None => self.common_branch(&a, &b, wants_place, span)?,
        };
        let at = (then.map_or(condition.span, |then| then.span), otherwise.span);
        let result =
            self.joined(ty, is_left, [(a, after_first, at.0), (b, after_second, at.1)], done, span)?;
        Ok(result)
    }

    /// The type of `c ? a : b`, and whether the result is an object rather than a value.
    pub fn common_branch(
        &mut self,
        a: &Value,
        b: &Value,
        wants_place: bool,
        span: Span,
    ) -> Result<(TypeId, bool)> {
        if wants_place && a.ty == b.ty && a.category == Category::Left && b.category == Category::Left {
            let in_memory = |value: &Value| {
                matches!(value.kind, ValueKind::Memory(_) | ValueKind::Variable(_))
                    && self.types.layout(value.ty).is_some()
            };
            if in_memory(a) && in_memory(b) {
                return Ok((a.ty, true));
            }
        }
        let (mut x, mut y) = (a.ty.bare(), b.ty.bare());
        for ty in [&mut x, &mut y] {
            if let Some((of, _)) = self.types.as_array(*ty) {
                *ty = self.types.pointer(of);
            }
        }
        if x == y {
            return Ok((x, false));
        }
        x = self.bits_promotion(a).unwrap_or(x);
        y = self.bits_promotion(b).unwrap_or(y);
        if x.is_void() || y.is_void() {
            return Ok((TypeId::VOID, false));
        }
        let is_number = |this: &Lowering, ty: TypeId| {
            ty.is_arithmetic() || this.types.as_enum(ty).is_some_and(|info| !info.is_scoped)
        };
        if is_number(self, x) && is_number(self, y) {
            return Ok((common(&self.types, x, y), false));
        }
        let null =
            |value: &Value| value.ty == TypeId::NULLPTR || matches!(value.kind, ValueKind::Constant(0));
        if self.types.is_pointer(x) && null(b) {
            return Ok((x, false));
        }
        if self.types.is_pointer(y) && null(a) {
            return Ok((y, false));
        }
        if let (Some(p), Some(q)) = (self.types.pointee(x), self.types.pointee(y)) {
            let (bare_p, bare_q) = (self.types.unqualified(p), self.types.unqualified(q));
            if bare_p == bare_q || bare_p.is_void() || bare_q.is_void() {
                let of = if bare_p.is_void() { bare_p } else { bare_q };
                let of = self.types.qualified_as(of, p);
                let of = self.types.qualified_as(of, q);
                return Ok((self.types.pointer(of), false));
            }
        }
        // One converts to the other.
        if self.value_sequence(a, y, true)?.is_some() {
            return Ok((y, false));
        }
        if self.value_sequence(b, x, true)?.is_some() {
            return Ok((x, false));
        }
        let (x, y) = (self.types.name(a.ty), self.types.name(b.ty));
        Err(fault(span, format!("both sides of `?:` must have one type, not `{x}` and `{y}`")))
    }

    /// Leads two branches to one value.
    pub fn joined(
        &mut self,
        ty: TypeId,
        is_left: bool,
        branches: [(Value, crate::ir::BlockId, Span); 2],
        done: crate::ir::BlockId,
        span: Span,
    ) -> Result<Value> {
        let is_struct = self.types.as_struct(ty).is_some();
        let memory = if is_struct && !is_left { Some(self.hoisted_memory(ty, span)?) } else { None };
        let dst = match (is_left, self.types.ir(ty)) {
            (true, _) => Some(self.b().local(Type::POINTER)),
            (false, Some(kind)) => Some(self.b().local(kind)),
            _ => None,
        };
        for (value, block, at) in branches {
            self.b().enter(block);
            if let Some(slot) = memory {
                let address = self.slot_address(slot);
                self.init_copy(address, ty.bare(), value, at)?;
            } else if let Some(dst) = dst {
                let src = if is_left {
                    let address = self.address(&value, at)?;
                    self.pointer(address)
                } else {
                    let value = self.convert(value, ty, at)?;
                    self.local_in_place(&value, at)?
                };
                self.b().emit(Op::Copy { dst, src });
            }
            self.b().end(End::Jump(done));
        }
        self.b().enter(done);
        if let Some(slot) = memory {
            let address = self.slot_address(slot);
            return Ok(Value::memory(ty.bare(), address, Category::Right));
        }
        Ok(match dst {
            Some(base) if is_left => Value::memory(ty, Address { base, offset: 0 }, Category::Left),
            Some(local) => Value::local(ty, local),
            None => Value::void(),
        })
    }

    pub fn hoisted_memory(&mut self, ty: TypeId, span: Span) -> Result<crate::ir::SlotId> {
        let (bytes, align) = self.layout_of(ty, span)?;
        self.new_slot("", bytes, align, span)
    }

    /// `(... + a)`, `(a + ...)`, `(a + ... + b)`.
    pub fn fold(
        &mut self,
        op: BinaryOp,
        assign: bool,
        left: Option<&Expr>,
        right: Option<&Expr>,
        span: Span,
    ) -> Result<Value> {
        if assign {
            return Err(fault(span, "a fold over assignments is not supported; write a loop or a recursion"));
        }
        let has_pack = |this: &mut Lowering, expr: &Expr| -> Result<bool> {
            let mut symbols = Vec::new();
            mentions::in_expr(expr, &mut |symbol| symbols.push(symbol));
            for symbol in symbols {
                if let Some(Entity::Pack(_)) = this.lookup(Key::Name(symbol), this.scope)?.first() {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        let (pattern, init, from_left) = match (left, right) {
            (None, Some(pattern)) => (pattern, None, true),
            (Some(pattern), None) => (pattern, None, false),
            (Some(a), Some(b)) => {
                if has_pack(self, b)? {
                    (b, Some(a), true)
                } else {
                    (a, Some(b), false)
                }
            }
            (None, None) => return Err(fault(span, "a fold needs a pack")),
        };
        let short = matches!(op, BinaryOp::And | BinaryOp::Or);
        // Operands that may not be evaluated are wrapped as they are met.
        if short {
            return self.logical_fold(op, pattern, init, span);
        }
        let mut values = Vec::new();
        if let (Some(init), true) = (init, from_left) {
            values.push(self.expr(init)?);
        }
        let each = self.expand(span, &mut |seen| mentions::in_expr(pattern, seen), |this| {
            let value = this.expr(pattern)?;
            this.settled(value, span)
        })?;
        values.extend(each);
        if let (Some(init), false) = (init, from_left) {
            values.push(self.expr(init)?);
        }
        if values.is_empty() {
            return match op {
                BinaryOp::Comma => Ok(Value::void()),
                _ => Err(fault(
                    span,
                    "a fold of an empty pack has no value; give a first one: (0 + ... + pack)",
                )),
            };
        }
        if !from_left {
            values.reverse();
        }
        let mut values = values.into_iter();
        let Some(mut result) = values.next() else { return Ok(Value::void()) };
        for value in values {
            result = match op {
                BinaryOp::Comma => {
                    if from_left {
                        value
                    } else {
                        result
                    }
                }
                _ if from_left => self.binary_values(op, result, value, (span, span), span)?,
                _ => self.binary_values(op, value, result, (span, span), span)?,
            };
        }
        Ok(result)
    }

    pub fn logical_fold(
        &mut self,
        op: BinaryOp,
        pattern: &Expr,
        init: Option<&Expr>,
        span: Span,
    ) -> Result<Value> {
        let stops = op == BinaryOp::Or;
        let result = self.b().local(Type::BOOL);
        let start = self.b().constant(Type::BOOL, u64::from(!stops));
        self.b().emit(Op::Copy { dst: result, src: start });
        let done = self.b().new_block();
        let mut all_constant = Some(!stops);
        let mut visit = |this: &mut Lowering, expr: &Expr| -> Result<()> {
            let value = this.expr(expr)?;
            let truth = this.truth(value, expr.span)?;
            all_constant = match (all_constant, &truth.kind) {
                (Some(known), ValueKind::Constant(bits)) => {
                    Some(if stops { known || *bits != 0 } else { known && *bits != 0 })
                }
                _ => None,
            };
            let src = this.local_in_place(&truth, expr.span)?;
            this.b().emit(Op::Copy { dst: result, src });
            let next = this.b().new_block();
            let (then, otherwise) = if stops { (done, next) } else { (next, done) };
            this.b().end(End::Branch { cond: result, then, otherwise });
            this.b().enter(next);
            Ok(())
        };
        if let Some(init) = init {
            visit(self, init)?;
        }
        self.expand(span, &mut |seen| mentions::in_expr(pattern, seen), |this| visit(this, pattern))?;
        self.b().end(End::Jump(done));
        self.b().enter(done);
        Ok(match all_constant {
            Some(known) => Value::constant(Constant::bool(known)),
            None => Value::local(TypeId::BOOL, result),
        })
    }
}
