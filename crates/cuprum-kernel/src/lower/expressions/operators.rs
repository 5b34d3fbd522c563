//! Operators of numbers by C's rules; those of pointers, and of types that a text defines operators for, have files of their own.

use crate::Span;
use crate::ast::{BinaryOp, Expr, ExprKind, OperatorName, UnaryOp};
use crate::check::constant::Constant;
use crate::check::convert::{common, promoted};
use crate::check::types::TypeId;
use crate::ir::{Binary, Compare, Unary};

use crate::lower::memory::value::{Category, Value, ValueKind};
use crate::lower::names::mentions;
use crate::lower::{Lowering, Result, fault};

impl Lowering {
    pub fn unary(&mut self, op: UnaryOp, operand: &Expr, span: Span) -> Result<Value> {
        if op == UnaryOp::Address {
            return self.address_of(operand, span);
        }
        let steps = matches!(
            op,
            UnaryOp::PreIncrement | UnaryOp::PreDecrement | UnaryOp::PostIncrement | UnaryOp::PostDecrement
        );
        let value = if steps { self.place(operand)? } else { self.expr(operand)? };
        self.b().span = span;
        let (name, behind) = match op {
            UnaryOp::Plus => (OperatorName::Binary(BinaryOp::Add), false),
            UnaryOp::Minus => (OperatorName::Binary(BinaryOp::Sub), false),
            UnaryOp::Not => (OperatorName::Not, false),
            UnaryOp::BitNot => (OperatorName::BitNot, false),
            UnaryOp::Deref => (OperatorName::Binary(BinaryOp::Mul), false),
            UnaryOp::PreIncrement => (OperatorName::Increment, false),
            UnaryOp::PreDecrement => (OperatorName::Decrement, false),
            UnaryOp::PostIncrement => (OperatorName::Increment, true),
            UnaryOp::PostDecrement => (OperatorName::Decrement, true),
            UnaryOp::Address => (OperatorName::Binary(BinaryOp::BitAnd), false),
        };
        if self.is_overloadable(value.ty) {
            let mut operands = vec![(value.clone(), operand.span)];
            if behind {
                operands.push((Value::constant(Constant::int(0)), span));
            }
            if let Some(result) = self.user_operator(name, &operands, None, span)? {
                return Ok(result);
            }
        }
        if op == UnaryOp::Plus
            && let Some(function) = self.lambda_function(&value)
        {
            return self.decayed_function(function, span);
        }
        match op {
            UnaryOp::Deref => self.deref(value, span),
            UnaryOp::Not => {
                let truth = self.truth(value, span)?;
                self.negated(&truth, span)
            }
            UnaryOp::PreIncrement
            | UnaryOp::PreDecrement
            | UnaryOp::PostIncrement
            | UnaryOp::PostDecrement => {
                let up = matches!(op, UnaryOp::PreIncrement | UnaryOp::PostIncrement);
                self.step(value, up, behind, span)
            }
            _ => {
                let value = self.number(value, span)?;
                if op == UnaryOp::Plus && self.types.is_pointer(value.ty) {
                    return Ok(value);
                }
                if !value.ty.is_arithmetic() {
                    return Err(fault(
                        span,
                        format!("a `{}` has no such operator", self.types.name(value.ty)),
                    ));
                }
                let to = promoted(&self.types, value.ty);
                let value = self.convert_number(value, to, span)?;
                match op {
                    UnaryOp::Plus => Ok(value),
                    UnaryOp::Minus => {
                        let op = if value.ty.is_float() { Unary::FNeg } else { Unary::Neg };
                        self.unary_op(op, &value, span)
                    }
                    _ if value.ty.is_float() => Err(fault(span, "`~` is for integers")),
                    _ => self.unary_op(Unary::Not, &value, span),
                }
            }
        }
    }

    /// What a bit-field is computed in, where its own type would be another: an `int` that holds all its values is taken,
    /// though the field be unsigned.
    pub fn bits_promotion(&self, value: &Value) -> Option<TypeId> {
        let ValueKind::Bits(_, place) = &value.kind else { return None };
        if !value.ty.is_integer() || value.ty.is_bool() {
            return None;
        }
        match (value.ty.is_signed(), place.width) {
            (true, ..=32) | (false, ..=31) => Some(TypeId::INT),
            (false, 32) => Some(TypeId::UINT),
            _ => None,
        }
    }

    /// A number that is used in arithmetic: enumerations are their integers, structs may convert to one.
    pub fn number(&mut self, value: Value, span: Span) -> Result<Value> {
        if let Some(_id) = self.types.as_struct(value.ty) {
            for to in [TypeId::DOUBLE, TypeId::FLOAT, TypeId::INT, TypeId::LLONG] {
                if let Some((crate::lower::overloads::conversion::User::Operator(id), _)) =
                    self.user_conversion(&value, to, false)?
                {
                    let made = self.call_method(id, value, Vec::new(), span)?;
                    return self.rvalue(made, span);
                }
            }
            // A conversion to several numbers: the exact one decides.
            if let Some(id) = self.only_conversion(&value)? {
                let made = self.call_method(id, value, Vec::new(), span)?;
                return self.rvalue(made, span);
            }
            return Ok(value);
        }
        if let Some(to) = self.bits_promotion(&value) {
            let value = self.rvalue(value, span)?;
            return self.convert_number(value, to, span);
        }
        let value = self.rvalue_in_place(value, span)?;
        if let Some(info) = self.types.as_enum(value.ty) {
            if info.is_scoped {
                return Err(fault(
                    span,
                    format!(
                        "an `enum class` does not convert by itself: cast the `{}`",
                        self.types.name(value.ty)
                    ),
                ));
            }
            let to = info.underlying;
            return Ok(Value { ty: to, ..value });
        }
        Ok(value)
    }

    pub fn only_conversion(&mut self, value: &Value) -> Result<Option<crate::lower::InstanceId>> {
        let Some(id) = self.types.as_struct(value.ty) else { return Ok(None) };
        let mut found = None;
        for function in self.records[id.0 as usize].conversions.clone() {
            let info = &self.functions[function.index()];
            if info.ast.specifiers.explicit
                || info.header.is_some()
                || (value.ty.is_const() && !info.ast.constant)
            {
                continue;
            }
            let span = self.frame.b.span;
            let instance = self.instance(function, &[], span)?;
            let result = self.result_of(instance, span)?;
            let result = self.types.referred(result);
            if result.is_arithmetic() || self.types.is_pointer(result) {
                if found.is_some() {
                    return Ok(None);
                }
                found = Some(instance);
            }
        }
        Ok(found)
    }

    pub fn negated(&mut self, truth: &Value, span: Span) -> Result<Value> {
        let zero = Value::constant(Constant::bool(false));
        self.compare_op(Compare::Eq, truth, &zero, span)
    }

    pub fn address_of(&mut self, operand: &Expr, span: Span) -> Result<Value> {
        let value = self.place(operand)?;
        self.b().span = span;
        match &value.kind {
            ValueKind::Functions(_) => return Ok(value),
            ValueKind::Instance(_) => {
                let ty =
                    if self.types.is_function(value.ty) { self.types.pointer(value.ty) } else { value.ty };
                return Ok(Value { ty, category: Category::Right, ..value });
            }
            _ => {}
        }
        if self.types.as_struct(value.ty).is_some() {
            let name = OperatorName::Binary(BinaryOp::BitAnd);
            if let Some(result) = self.user_operator(name, &[(value.clone(), operand.span)], None, span)? {
                return Ok(result);
            }
        }
        if value.category == Category::Right {
            return Err(fault(span, "a temporary has no address: put it into a variable first"));
        }
        let address = self.address(&value, span)?;
        let pointer = self.pointer(address);
        let ty = self.types.pointer(value.ty);
        Ok(Value::local(ty, pointer))
    }

    pub fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, span: Span) -> Result<Value> {
        match op {
            BinaryOp::And | BinaryOp::Or => return self.logical(op, left, right, span),
            BinaryOp::Comma => return self.comma(left, right, span),
            BinaryOp::DotStar | BinaryOp::ArrowStar => {
                return Err(fault(
                    span,
                    "pointers to members are not supported; use a template parameter or an index",
                ));
            }
            _ => {}
        }
        // Chains of one operator (`a + b + c + ...`) may be long: they are walked without recursion.
        let mut chain = vec![(op, right, span)];
        let mut first = left;
        while let ExprKind::Binary { op, left, right } = &first.kind {
            if matches!(
                op,
                BinaryOp::And | BinaryOp::Or | BinaryOp::Comma | BinaryOp::DotStar | BinaryOp::ArrowStar
            ) {
                break;
            }
            chain.push((*op, right, first.span));
            first = left;
        }
        let mut value = self.expr(first)?;
        let mut at = first.span;
        while let Some((op, right, place)) = chain.pop() {
            value = if mentions::is_pure(right) {
                value
            } else if self.bits_promotion(&value).is_some() {
                self.number(value, at)?
            } else {
                self.settled(value, at)?
            };
            let operand = self.expr(right)?;
            self.b().span = place;
            value = self.binary_values(op, value, operand, (at, right.span), place)?;
            at = place;
        }
        Ok(value)
    }

    pub fn comma(&mut self, left: &Expr, right: &Expr, span: Span) -> Result<Value> {
        let first = self.expr(left)?;
        let second = self.expr(right)?;
        if self.types.as_struct(first.ty).is_some() {
            let operands = [(first, left.span), (second.clone(), right.span)];
            let name = OperatorName::Binary(BinaryOp::Comma);
            if let Some(result) = self.user_operator(name, &operands, None, span)? {
                return Ok(result);
            }
        }
        Ok(second)
    }

    /// An operator of two values.
    pub fn binary_values(
        &mut self,
        op: BinaryOp,
        left: Value,
        right: Value,
        at: (Span, Span),
        span: Span,
    ) -> Result<Value> {
        if self.is_overloadable(left.ty) || self.is_overloadable(right.ty) {
            let operands = [(left.clone(), at.0), (right.clone(), at.1)];
            if let Some(result) = self.user_operator(OperatorName::Binary(op), &operands, None, span)? {
                return Ok(result);
            }
            // `!=` from `==`.
            if let (Some(a), Some(b)) = (self.types.as_enum(left.ty), self.types.as_enum(right.ty))
                && a.is_scoped
                && b.is_scoped
                && left.ty.bare() == right.ty.bare()
            {
                let (x, y) = (self.rvalue_in_place(left, at.0)?, self.rvalue_in_place(right, at.1)?);
                let under = self.types.underlying(x.ty);
                let (x, y) = (Value { ty: under, ..x }, Value { ty: under, ..y });
                return match comparison(op, under) {
                    Some(compare) => self.compare_op(compare, &x, &y, span),
                    None => Err(fault(span, "an `enum class` has no arithmetic: cast it to an integer")),
                };
            }
        }
        let (left, right) = (self.number(left, at.0)?, self.number(right, at.1)?);
        if !left.ty.is_arithmetic() || !right.ty.is_arithmetic() {
            return self.pointer_operator(op, left, right, span);
        }
        self.arithmetic(op, left, right, span)
    }

    /// Numbers by C's rules.
    pub fn arithmetic(&mut self, op: BinaryOp, left: Value, right: Value, span: Span) -> Result<Value> {
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            return self.shift(op, left, right, span);
        }
        let to = common(&self.types, left.ty, right.ty);
        let (left, right) = (self.convert_number(left, to, span)?, self.convert_number(right, to, span)?);
        if let Some(compare) = comparison(op, to) {
            return self.compare_op(compare, &left, &right, span);
        }
        let (is_float, is_signed) = (to.is_float(), to.is_signed());
        let ir = match op {
            BinaryOp::Add if is_float => Binary::FAdd,
            BinaryOp::Sub if is_float => Binary::FSub,
            BinaryOp::Mul if is_float => Binary::FMul,
            BinaryOp::Div if is_float => Binary::FDiv,
            _ if is_float => {
                let operator = crate::lower::templates::instance::binary_text(op);
                let instead = if matches!(op, BinaryOp::Rem) { "; use fmod for floats" } else { "" };
                return Err(fault(span, format!("`{operator}` is for integers{instead}")));
            }
            BinaryOp::Add => Binary::Add,
            BinaryOp::Sub => Binary::Sub,
            BinaryOp::Mul => Binary::Mul,
            BinaryOp::Div if is_signed => Binary::DivS,
            BinaryOp::Div => Binary::DivU,
            BinaryOp::Rem if is_signed => Binary::RemS,
            BinaryOp::Rem => Binary::RemU,
            BinaryOp::BitAnd => Binary::And,
            BinaryOp::BitOr => Binary::Or,
            BinaryOp::BitXor => Binary::Xor,
            _ => return Err(fault(span, "these operands have no such operator")),
        };
        if self.frame.is_constant
            && matches!(op, BinaryOp::Div | BinaryOp::Rem)
            && let ValueKind::Constant(0) = right.kind
        {
            return Err(fault(span, "division by zero in a constant expression"));
        }
        self.binary_op(ir, &left, &right, span)
    }

    pub fn shift(&mut self, op: BinaryOp, left: Value, right: Value, span: Span) -> Result<Value> {
        if left.ty.is_float() || right.ty.is_float() {
            return Err(fault(span, "only integers can be shifted"));
        }
        let to = promoted(&self.types, left.ty);
        let left = self.convert_number(left, to, span)?;
        let width = self.ir_type(to, span)?.bytes() * 8;
        // A count keeps its value when it is made as wide as the number: beyond the width all bits are gone.
        let wide = promoted(&self.types, right.ty);
        let right = self.convert_number(right, wide, span)?;
        let count_type = self.ir_type(right.ty, span)?;
        let right = if count_type.bytes() * 8 > width {
            let limit = Value::constant(Constant { ty: right.ty, bits: u64::from(width) });
            let least = self.binary_op(Binary::MinU, &right, &limit, span)?;
            self.convert_number(least, to, span)?
        } else {
            let as_unsigned = Value { ty: right.ty.unsigned(), ..right };
            self.convert_number(as_unsigned, to, span)?
        };
        let op = match op {
            BinaryOp::Shl => Binary::Shl,
            _ if to.is_signed() => Binary::ShrS,
            _ => Binary::ShrU,
        };
        self.binary_op(op, &left, &right, span)
    }

    pub fn no_operator(
        &mut self,
        op: BinaryOp,
        left: &Value,
        right: &Value,
        span: Span,
    ) -> crate::lower::Fault {
        if left.ty.is_void() && !matches!(left.kind, ValueKind::Functions(_))
            || right.ty.is_void() && !matches!(right.kind, ValueKind::Functions(_))
        {
            return fault(span, "an operand has no value: it is void");
        }
        let (a, b) = (self.types.name(left.ty), self.types.name(right.ty));
        fault(
            span,
            format!(
                "there is no `{}` for `{a}` and `{b}`",
                crate::lower::templates::instance::binary_text(op)
            ),
        )
    }
}

/// The comparison that an operator is, for numbers of a type.
fn comparison(op: BinaryOp, ty: TypeId) -> Option<Compare> {
    let pick = |float, signed, unsigned| {
        Some(if ty.is_float() {
            float
        } else if ty.is_signed() {
            signed
        } else {
            unsigned
        })
    };
    match op {
        BinaryOp::Eq => pick(Compare::FEq, Compare::Eq, Compare::Eq),
        BinaryOp::Ne => pick(Compare::FNe, Compare::Ne, Compare::Ne),
        BinaryOp::Lt => pick(Compare::FLt, Compare::LtS, Compare::LtU),
        BinaryOp::Le => pick(Compare::FLe, Compare::LeS, Compare::LeU),
        BinaryOp::Gt => pick(Compare::FGt, Compare::GtS, Compare::GtU),
        BinaryOp::Ge => pick(Compare::FGe, Compare::GeS, Compare::GeU),
        _ => None,
    }
}
