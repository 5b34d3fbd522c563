//! Conversions: which there are from a value to a type, how good they are, and the code that does them.

use crate::Span;
use crate::check::constant::Constant;
use crate::check::convert::Rank;
use crate::check::types::{StructId, TypeClass, TypeId};
use crate::ir::{Binary, Compare, Convert, Type, Unary};
use crate::passes::fold;

use crate::lower::expressions::call::Argument;
use crate::lower::memory::value::{Address, Category, Value, ValueKind};
use crate::lower::names::scope::FuncId;
use crate::lower::{InstanceId, Lowering, Result, fault};

/// How a value becomes one of another type.
#[derive(Clone, Debug)]
pub(crate) struct Sequence {
    pub class: Class,
    /// Of the standard conversion, or of the one behind a user's.
    pub rank: Rank,
    /// Breaks ties: a rvalue bound to `T&&`, fewer qualifiers, a nearer base.
    pub tie: i32,
    /// Whether a reference is bound. Such ties are between references: none is better or worse than a copy.
    pub is_bound: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Class {
    Standard,
    User,
    Ellipsis,
}

/// A conversion that a text defines.
#[derive(Clone, Debug)]
pub(crate) enum User {
    Constructor(StructId, FuncId, InstanceId),
    Operator(InstanceId),
}

impl Sequence {
    pub fn standard(rank: Rank) -> Sequence {
        Sequence { class: Class::Standard, rank, tie: 0, is_bound: false }
    }

    /// Whether it is better than another, for the same argument.
    pub fn is_better(&self, other: &Sequence) -> bool {
        let ties = if self.is_bound == other.is_bound { (self.tie, other.tie) } else { (0, 0) };
        (self.class, self.rank, ties.0) < (other.class, other.rank, ties.1)
    }
}

impl Lowering {
    /// The value in another type, by an implicit conversion.
    pub fn convert(&mut self, value: Value, to: TypeId, span: Span) -> Result<Value> {
        if self.types.is_reference(to) {
            return self.bind_reference(value, to, span);
        }
        let to = to.bare();
        if value.ty.bare() == to && !matches!(value.kind, ValueKind::Functions(_) | ValueKind::Instance(_)) {
            return self.rvalue(value, span);
        }
        if self.standard(&value, to).is_some() {
            return self.convert_standard(value, to, span);
        }
        match self.user_conversion(&value, to, false)? {
            Some((user, _)) => self.convert_by(value, user, to, span),
            None => Err(self.no_conversion(&value, to, span)),
        }
    }

    pub fn no_conversion(&mut self, value: &Value, to: TypeId, span: Span) -> crate::lower::Fault {
        if value.ty.is_void() {
            return fault(span, "this has no value: it is void");
        }
        let (from, target) = (self.types.name(value.ty), self.types.name(to));
        if let ValueKind::Functions(set) = &value.kind {
            return fault(span, format!("the function `{}` does not fit `{target}`", set.name));
        }
        let mut message = format!("a `{from}` is not a `{target}`");
        if let (Some(a), Some(b)) = (self.types.pointee(value.ty), self.types.pointee(to)) {
            if self.types.unqualified(a) == self.types.unqualified(b) {
                message = format!("a `{from}` cannot be used as `{target}`: that would drop `const`");
            } else {
                message = format!("a `{from}` is not a `{target}`; write a cast where that is meant");
            }
        } else if self.types.is_pointer(value.ty) || self.types.is_pointer(to) {
            message = format!("a `{from}` is not a `{target}`; write a cast where that is meant");
        }
        if self.types.as_enum(value.ty).is_some() || self.types.as_enum(to).is_some() {
            message.push_str("; write a cast where that is meant");
        }
        fault(span, message)
    }

    pub fn convert_by(&mut self, value: Value, user: User, to: TypeId, span: Span) -> Result<Value> {
        match user {
            User::Constructor(id, function, instance) => {
                let ty = self.types.struct_type(id);
                let address = self.new_memory("", ty, span)?;
                self.construct_by(address, id, function, instance, vec![Argument::Value(value, span)], span)?;
                self.temporary(address, id);
                Ok(Value::memory(ty, address, Category::Right))
            }
            User::Operator(instance) => {
                let made = self.call_method(instance, value, Vec::new(), span)?;
                if made.ty.bare() == to {
                    return self.rvalue(made, span);
                }
                self.convert_standard(made, to, span)
            }
        }
    }

    /// A standard conversion that is known to be there.
    pub fn convert_standard(&mut self, value: Value, to: TypeId, span: Span) -> Result<Value> {
        match &value.kind {
            ValueKind::Functions(set) => {
                let set = set.clone();
                let of = self.types.pointee(to);
                let id = self.single_function(&set, of, span)?;
                return Ok(Value { ty: to, kind: ValueKind::Instance(id), category: Category::Right });
            }
            ValueKind::Instance(_) => return Ok(Value { ty: to, category: Category::Right, ..value }),
            _ => {}
        }
        if self.types.pointee(to).is_some_and(|of| self.types.is_function(of))
            && let Some(function) = self.lambda_function(&value)
        {
            return self.convert_standard(function, to, span);
        }
        let value = self.rvalue(value, span)?;
        if value.ty.bare() == to {
            return Ok(value);
        }
        if let (Some(derived), Some(base)) = (self.types.as_struct(value.ty), self.types.as_struct(to)) {
            let offset = self.types.base_offset(derived, base).unwrap_or(0);
            let address = self.address(&value, span)?;
            let address = Address { offset: address.offset + offset as i64, ..address };
            return Ok(Value::memory(to, address, value.category));
        }
        if let (Some(a), Some(b)) = (self.types.pointee(value.ty), self.types.pointee(to)) {
            return self.convert_pointer(value, a, b, to, span);
        }
        self.convert_number(value, to, span)
    }

    pub fn convert_pointer(
        &mut self,
        value: Value,
        a: TypeId,
        b: TypeId,
        to: TypeId,
        span: Span,
    ) -> Result<Value> {
        let offset = match (self.types.as_struct(a), self.types.as_struct(b)) {
            (Some(derived), Some(base)) => self.types.base_offset(derived, base).unwrap_or(0),
            _ => 0,
        };
        if offset == 0 {
            return Ok(Value { ty: to, ..value });
        }
        // A null pointer stays one.
        let local = self.local(&value, span)?;
        let by = self.b().constant(Type::I64, offset);
        let moved = self.b().binary(Binary::Add, local, by);
        let picked = self.b().select(local, moved, local);
        Ok(Value::local(to, picked))
    }

    /// A number, an enumerator or a pointer as another: also what only casts may do.
    pub fn convert_number(&mut self, value: Value, to: TypeId, span: Span) -> Result<Value> {
        let to = to.bare();
        let value = self.rvalue_in_place(value, span)?;
        let (from, target) = (self.ir_type(value.ty, span)?, self.ir_type(to, span)?);
        if let ValueKind::Constant(bits) = value.kind
            && let Some(bits) = self.folded_conversion(value.ty, bits, to)
        {
            return Ok(Value::constant(Constant { ty: to, bits }));
        }
        let local = self.local_in_place(&value, span)?;
        let own = self.types.underlying(value.ty);
        let is_signed = own.is_signed();
        if to.is_bool() {
            if own.is_bool() {
                return Ok(Value::local(to, local));
            }
            let zero = self.b().constant(from, 0);
            let op = if from.is_float() { Compare::FNe } else { Compare::Ne };
            return Ok(Value::local(to, self.b().compare(op, local, zero)));
        }
        let result = match (from.is_float(), target.is_float()) {
            (false, false) => self.resize(local, target, is_signed),
            (true, true) if from == target => local,
            (true, true) if target == Type::F64 => self.b().convert(Convert::Promote, target, local),
            (true, true) => self.b().convert(Convert::Demote, target, local),
            (false, true) => {
                let wide = if from.bytes() < 4 { self.resize(local, Type::I32, is_signed) } else { local };
                self.b().convert(if is_signed { Convert::FromS } else { Convert::FromU }, target, wide)
            }
            (true, false) => {
                let wide = if target.bytes() < 4 { Type::I32 } else { target };
                let to_signed = self.types.underlying(to).is_signed();
                let number =
                    self.b().convert(if to_signed { Convert::ToS } else { Convert::ToU }, wide, local);
                self.resize(number, target, to_signed)
            }
        };
        Ok(Value::local(to, result))
    }

    pub fn folded_conversion(&self, from: TypeId, bits: u64, to: TypeId) -> Option<u64> {
        let (source, target) = (self.types.ir(from)?, self.types.ir(to)?);
        let own = self.types.underlying(from);
        if to.is_bool() {
            let is_zero = match source {
                Type::F32 => f32::from_bits(bits as u32) == 0.0,
                Type::F64 => f64::from_bits(bits) == 0.0,
                _ => bits == 0,
            };
            return Some(u64::from(!is_zero));
        }
        let resized = |bits: u64, from: Type, to: Type, is_signed: bool| {
            let kind = if from.bytes() >= to.bytes() {
                Convert::Narrow
            } else if is_signed {
                Convert::SignExtend
            } else {
                Convert::ZeroExtend
            };
            fold::convert(kind, from, to, bits)
        };
        Some(match (source.is_float(), target.is_float()) {
            (false, false) => resized(bits, source, target, own.is_signed()),
            (true, true) if source == target => bits,
            (true, true) if target == Type::F64 => fold::convert(Convert::Promote, source, target, bits),
            (true, true) => fold::convert(Convert::Demote, source, target, bits),
            (false, true) => {
                let kind = if own.is_signed() { Convert::FromS } else { Convert::FromU };
                fold::convert(kind, source, target, bits)
            }
            (true, false) => {
                let is_signed = self.types.underlying(to).is_signed();
                let wide = if target.bytes() < 4 { Type::I32 } else { target };
                let kind = if is_signed { Convert::ToS } else { Convert::ToU };
                resized(fold::convert(kind, source, wide, bits), wide, target, is_signed)
            }
        })
    }

    /// A compile-time number in another type.
    pub fn convert_constant(&self, value: Constant, to: TypeId, span: Span) -> Result<Constant> {
        match self.folded_conversion(value.ty, value.bits, to) {
            Some(bits) => Ok(Constant { ty: to.bare(), bits }),
            None => Err(fault(span, format!("this number cannot be a `{}`", self.types.name(to)))),
        }
    }

    /// Binds a reference: the result is the object it refers to.
    pub fn bind_reference(&mut self, value: Value, to: TypeId, span: Span) -> Result<Value> {
        let TypeClass::Reference { to: target, rvalue } = *self.types.kind(to) else {
            return self.convert(value, to, span);
        };
        if self.types.is_function(target) {
            if let ValueKind::Functions(set) = &value.kind {
                let set = set.clone();
                let id = self.single_function(&set, Some(target), span)?;
                return Ok(Value { ty: target, kind: ValueKind::Instance(id), category: Category::Left });
            }
            return Ok(value);
        }
        if let Some(offset) = self.reference_compatible(target, value.ty) {
            let fits = match (rvalue, value.category) {
                (false, Category::Left) | (true, Category::Right | Category::Expiring) => true,
                (false, _) => target.is_const(),
                (true, Category::Left) => false,
            };
            if fits {
                if matches!(value.kind, ValueKind::Bits(..)) && !target.is_const() {
                    return Err(fault(
                        span,
                        "a reference cannot refer to a bit-field: copy it to a variable first",
                    ));
                }
                let category = if rvalue { Category::Expiring } else { Category::Left };
                if offset == 0 && matches!(value.kind, ValueKind::Variable(_)) {
                    return Ok(Value { ty: target, kind: value.kind, category });
                }
                let value =
                    if matches!(value.kind, ValueKind::Bits(..)) { self.rvalue(value, span)? } else { value };
                // An array of unknown length takes the length of what it refers to.
                let ty = if self.types.layout(target).is_none() && self.types.as_array(target).is_some() {
                    value.ty
                } else {
                    target
                };
                let address = self.address(&value, span)?;
                let address = Address { offset: address.offset + offset as i64, ..address };
                return Ok(Value::memory(ty, address, category));
            }
            if !rvalue && !target.is_const() {
                return Err(fault(
                    span,
                    format!(
                        "a temporary `{}` cannot be bound to `{}`: give a variable, or take a const reference",
                        self.types.name(value.ty),
                        self.types.name(to)
                    ),
                ));
            }
        }
        if !rvalue && (!target.is_const() || target.is_volatile()) {
            let (from, to) = (self.types.name(value.ty), self.types.name(to));
            return Err(fault(span, format!("a `{from}` cannot be bound to `{to}`")));
        }
        let made = self.convert(value, target.bare(), span)?;
        let address = self.address(&made, span)?;
        let category = if rvalue { Category::Expiring } else { Category::Left };
        Ok(Value::memory(target, address, category))
    }

    /// A value as a condition.
    pub fn truth(&mut self, value: Value, span: Span) -> Result<Value> {
        if value.ty.is_bool() {
            return self.rvalue(value, span);
        }
        if let Some(_id) = self.types.as_struct(value.ty) {
            return match self.user_conversion(&value, TypeId::BOOL, true)? {
                Some((user, _)) => self.convert_by(value, user, TypeId::BOOL, span),
                None => Err(fault(
                    span,
                    format!(
                        "a `{}` cannot be a condition: it does not convert to bool",
                        self.types.name(value.ty)
                    ),
                )),
            };
        }
        let value = self.rvalue(value, span)?;
        if value.ty == TypeId::NULLPTR {
            return Ok(Value::constant(Constant::bool(false)));
        }
        if !self.types.is_scalar(value.ty) {
            return Err(fault(span, format!("a `{}` cannot be a condition", self.types.name(value.ty))));
        }
        self.convert_number(value, TypeId::BOOL, span)
    }

    /// `-x`, `~x`: folded where the number is known.
    pub fn unary_op(&mut self, op: Unary, value: &Value, span: Span) -> Result<Value> {
        let ty = self.ir_type(value.ty, span)?;
        if let ValueKind::Constant(bits) = value.kind {
            return Ok(Value::constant(Constant { ty: value.ty, bits: fold::unary(op, ty, bits) }));
        }
        let src = self.local_in_place(value, span)?;
        Ok(Value::local(value.ty, self.b().unary(op, src)))
    }

    /// Two numbers of one type: folded where both are known.
    pub fn binary_op(&mut self, op: Binary, a: &Value, b: &Value, span: Span) -> Result<Value> {
        let ty = self.ir_type(a.ty, span)?;
        if let (ValueKind::Constant(x), ValueKind::Constant(y)) = (&a.kind, &b.kind) {
            return Ok(Value::constant(Constant { ty: a.ty, bits: fold::binary(op, ty, *x, *y) }));
        }
        let (x, y) = (self.local_in_place(a, span)?, self.local_in_place(b, span)?);
        Ok(Value::local(a.ty, self.b().binary(op, x, y)))
    }

    /// A comparison of two numbers of one type.
    pub fn compare_op(&mut self, op: Compare, a: &Value, b: &Value, span: Span) -> Result<Value> {
        let ty = self.ir_type(a.ty, span)?;
        if let (ValueKind::Constant(x), ValueKind::Constant(y)) = (&a.kind, &b.kind) {
            return Ok(Value::constant(Constant::bool(fold::compare(op, ty, *x, *y))));
        }
        let (x, y) = (self.local_in_place(a, span)?, self.local_in_place(b, span)?);
        Ok(Value::local(TypeId::BOOL, self.b().compare(op, x, y)))
    }
}
