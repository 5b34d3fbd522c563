//! How good a conversion is.

use crate::Span;
use crate::ast;
use crate::check::convert::{Rank, arithmetic_rank};
use crate::check::types::{StructId, TypeClass, TypeId};

use crate::lower::expressions::call::Argument;
use crate::lower::memory::value::{Address, Category, Value, ValueKind};
use crate::lower::names::scope::FuncId;
use crate::lower::overloads::conversion::{Class, Sequence, User};
use crate::lower::{InstanceId, Lowering, Result};

impl Lowering {
    /// How a value converts to a parameter's type; `None` where it does not.
    pub fn sequence(
        &mut self,
        argument: &Argument,
        to: TypeId,
        allow_user: bool,
    ) -> Result<Option<Sequence>> {
        match argument {
            Argument::Value(value, _) => self.value_sequence(value, to, allow_user),
            Argument::List(items, span) => self.list_sequence(items, to, *span),
        }
    }

    pub fn list_sequence(
        &mut self,
        items: &[ast::ListItem],
        to: TypeId,
        span: Span,
    ) -> Result<Option<Sequence>> {
        let target = self.types.referred(to);
        if let TypeClass::Reference { to, rvalue: false } = *self.types.kind(to)
            && !to.is_const()
        {
            return Ok(None);
        }
        if self.types.as_struct(target).is_some() {
            self.complete(target, span)?;
            return Ok(Some(Sequence { class: Class::User, rank: Rank::Exact, tie: 0, is_bound: false }));
        }
        if self.types.as_array(target).is_some() {
            return Ok(Some(Sequence { class: Class::User, rank: Rank::Exact, tie: 0, is_bound: false }));
        }
        match items {
            [] => Ok(Some(Sequence::standard(Rank::Exact))),
            [ast::ListItem { value: ast::Expr { kind: ast::ExprKind::List(inner), .. }, .. }] => {
                self.list_sequence(inner, to, span)
            }
            [item] => {
                let value = self.unevaluated(&item.value)?;
                self.value_sequence(&value, target.bare(), true)
            }
            _ => Ok(None),
        }
    }

    pub fn value_sequence(
        &mut self,
        value: &Value,
        to: TypeId,
        allow_user: bool,
    ) -> Result<Option<Sequence>> {
        if let TypeClass::Reference { to: target, rvalue } = *self.types.kind(to) {
            return self.reference_sequence(value, target, rvalue, allow_user);
        }
        if let Some(rank) = self.standard(value, to) {
            return Ok(Some(rank));
        }
        if allow_user && let Some((_, rank)) = self.user_conversion(value, to, false)? {
            return Ok(Some(Sequence { class: Class::User, rank, tie: 0, is_bound: false }));
        }
        Ok(None)
    }

    /// Whether a reference to `target` can be bound to an object of type `from` itself: with the base's offset.
    pub fn reference_compatible(&mut self, target: TypeId, from: TypeId) -> Option<u64> {
        let same = {
            let (a, b) = (self.types.unqualified(target), self.types.unqualified(from));
            a == b || self.same_but_for_length(a, b)
        };
        if same {
            let (t, f) = (self.element_qualifiers(target), self.element_qualifiers(from));
            return t.at_least_as_qualified(f).then_some(0);
        }
        let (base, derived) = (self.types.as_struct(target)?, self.types.as_struct(from)?);
        self.complete_if_possible(derived).ok()?;
        let offset = self.types.base_offset(derived, base)?;
        target.at_least_as_qualified(from).then_some(offset)
    }

    pub fn same_but_for_length(&self, a: TypeId, b: TypeId) -> bool {
        match (self.types.as_array(a), self.types.as_array(b)) {
            (Some((x, None)), Some((y, _))) => x == y,
            _ => false,
        }
    }

    pub fn element_qualifiers(&self, ty: TypeId) -> TypeId {
        let mut at = ty;
        while let Some((of, _)) = self.types.as_array(at) {
            at = of;
        }
        at
    }

    pub fn reference_sequence(
        &mut self,
        value: &Value,
        target: TypeId,
        rvalue: bool,
        allow_user: bool,
    ) -> Result<Option<Sequence>> {
        if matches!(value.kind, ValueKind::Functions(_) | ValueKind::Instance(_)) {
            return Ok(self.types.is_function(target).then(|| Sequence::standard(Rank::Exact)));
        }
        if let Some(offset) = self.reference_compatible(target, value.ty) {
            let same = self.types.unqualified(target) == self.types.unqualified(value.ty);
            let rank = if same || offset == 0 && self.types.as_array(target).is_some() {
                Rank::Exact
            } else {
                Rank::Conversion
            };
            // Fewer qualifiers are better, and `T&&` is better than `const T&` for what may be moved from.
            let extra = i32::from(target.is_const() && !value.ty.is_const())
                + i32::from(target.is_volatile() && !value.ty.is_volatile());
            match (rvalue, value.category) {
                (false, Category::Left) => {
                    return Ok(Some(Sequence { class: Class::Standard, rank, tie: extra, is_bound: true }));
                }
                (false, _) if target.is_const() && !target.is_volatile() => {
                    return Ok(Some(Sequence {
                        class: Class::Standard,
                        rank,
                        tie: 2 + extra,
                        is_bound: true,
                    }));
                }
                (false, _) => return Ok(None),
                (true, Category::Left) => return Ok(None),
                (true, _) => {
                    return Ok(Some(Sequence { class: Class::Standard, rank, tie: extra, is_bound: true }));
                }
            }
        }
        // Otherwise a temporary is made, which only `const T&` and `T&&` may be bound to.
        if !rvalue && (!target.is_const() || target.is_volatile()) {
            return Ok(None);
        }
        // The same type with fewer qualifiers, or a named object for `T&&`, is not converted to.
        let same = self.types.unqualified(target) == self.types.unqualified(value.ty);
        if same && (value.category == Category::Left || self.types.as_struct(target).is_some()) {
            return Ok(None);
        }
        let found = self.value_sequence(value, target.bare(), allow_user)?;
        Ok(found.map(|mut sequence| {
            sequence.tie += 2 * i32::from(!rvalue);
            sequence.is_bound = true;
            sequence
        }))
    }

    /// The standard conversion from a value to a type that is not a reference.
    pub fn standard(&mut self, value: &Value, to: TypeId) -> Option<Sequence> {
        let to = to.bare();
        let mut from = value.ty;
        match &value.kind {
            ValueKind::Functions(set) => {
                // Which one is decided by the pointer's type.
                let TypeClass::Pointer(of) = *self.types.kind(to) else { return None };
                if !self.types.is_function(of) {
                    return None;
                }
                let set = set.clone();
                return self
                    .single_function(&set, Some(of), set.span)
                    .is_ok()
                    .then(|| Sequence::standard(Rank::Exact));
            }
            ValueKind::Instance(id) => {
                let TypeClass::Pointer(of) = *self.types.kind(to) else { return None };
                return (self.function_type(*id) == Some(of)).then(|| Sequence::standard(Rank::Exact));
            }
            _ => {}
        }
        if self.types.pointee(to).is_some_and(|of| self.types.is_function(of))
            && let Some(function) = self.lambda_function(value)
        {
            return self.standard(&function, to).map(|_| Sequence::standard(Rank::Conversion));
        }
        if let Some((of, _)) = self.types.as_array(from) {
            from = self.types.pointer(of);
        }
        let from = from.bare();
        if from == to {
            return Some(Sequence::standard(Rank::Exact));
        }
        let is_number = |types: &crate::check::types::Types, ty: TypeId| {
            ty.is_arithmetic() || types.as_enum(ty).is_some_and(|info| !info.is_scoped)
        };
        if is_number(&self.types, from) && to.is_arithmetic() {
            return Some(Sequence::standard(arithmetic_rank(&self.types, from, to)));
        }
        match (self.types.kind(from).clone(), self.types.kind(to).clone()) {
            (TypeClass::Pointer(a), TypeClass::Pointer(b)) => self.pointer_sequence(a, b),
            (TypeClass::Pointer(_), _) if to.is_bool() => {
                Some(Sequence { class: Class::Standard, rank: Rank::Conversion, tie: 100, is_bound: false })
            }
            (_, TypeClass::Pointer(_)) if from == TypeId::NULLPTR => {
                Some(Sequence::standard(Rank::Conversion))
            }
            (_, TypeClass::Pointer(_))
                if from.is_integer() && matches!(value.kind, ValueKind::Constant(0)) =>
            {
                Some(Sequence::standard(Rank::Conversion))
            }
            (TypeClass::Struct(derived), TypeClass::Struct(base)) => {
                self.complete_if_possible(derived).ok()?;
                self.types.base_offset(derived, base).map(|_| Sequence::standard(Rank::Conversion))
            }
            _ => None,
        }
    }

    pub fn pointer_sequence(&mut self, from: TypeId, to: TypeId) -> Option<Sequence> {
        if !self.may_point(from, to) {
            return None;
        }
        let (a, b) = (self.types.unqualified(from), self.types.unqualified(to));
        let extra =
            i32::from(to.is_const() && !from.is_const()) + i32::from(to.is_volatile() && !from.is_volatile());
        if a == b || self.types.is_pointer(a) && self.types.is_pointer(b) {
            return Some(Sequence { class: Class::Standard, rank: Rank::Exact, tie: extra, is_bound: false });
        }
        if b.is_void() {
            return Some(Sequence {
                class: Class::Standard,
                rank: Rank::Conversion,
                tie: 50 + extra,
                is_bound: false,
            });
        }
        let (derived, base) = (self.types.as_struct(a)?, self.types.as_struct(b)?);
        self.complete_if_possible(derived).ok()?;
        self.types.base_offset(derived, base)?;
        Some(Sequence { class: Class::Standard, rank: Rank::Conversion, tie: extra, is_bound: false })
    }

    /// Whether qualifiers are only added.
    pub fn may_point(&mut self, from: TypeId, to: TypeId) -> bool {
        let (f, t) = (self.element_qualifiers(from), self.element_qualifiers(to));
        if !t.at_least_as_qualified(f) {
            return false;
        }
        match (self.types.kind(from).clone(), self.types.kind(to).clone()) {
            (TypeClass::Pointer(a), TypeClass::Pointer(b)) => {
                self.types.unqualified(a) == self.types.unqualified(b) && self.may_point(a, b) || a == b
            }
            _ => true,
        }
    }

    /// A constructor or a conversion operator that makes the value one of the type; with the rank of what follows.
    pub fn user_conversion(
        &mut self,
        value: &Value,
        to: TypeId,
        explicit: bool,
    ) -> Result<Option<(User, Rank)>> {
        let span = self.frame.b.span;
        if let Some(id) = self.types.as_struct(to) {
            self.complete_if_possible(id)?;
            if self.records[id.0 as usize].state == crate::lower::State::Done {
                let argument = [Argument::Value(value.clone(), span)];
                if let Some((function, instance, rank)) =
                    self.converting_constructor(id, &argument, explicit)?
                {
                    return Ok(Some((User::Constructor(id, function, instance), rank)));
                }
            }
        }
        if let Some(id) = self.types.as_struct(value.ty) {
            self.complete_if_possible(id)?;
            return self.conversion_operator(value, id, to, explicit);
        }
        Ok(None)
    }

    pub fn conversion_operator(
        &mut self,
        value: &Value,
        id: StructId,
        to: TypeId,
        explicit: bool,
    ) -> Result<Option<(User, Rank)>> {
        let mut records = vec![id];
        let mut at = 0;
        let mut best: Option<(InstanceId, Rank, bool, bool)> = None;
        let mut is_ambiguous = false;
        while at < records.len() {
            let of = records[at];
            at += 1;
            records.extend(self.types.get(of).bases.iter().map(|base| base.ty));
            for function in self.records[of.0 as usize].conversions.clone() {
                let info = &self.functions[function.index()];
                if info.ast.specifiers.explicit && !explicit {
                    continue;
                }
                let is_const = info.ast.constant;
                if value.ty.is_const() && !is_const {
                    continue;
                }
                let is_template = info.header.is_some();
                let instance = if is_template {
                    match self.conversion_template(function, to)? {
                        Some(instance) => instance,
                        None => continue,
                    }
                } else {
                    match self.instance(function, &[], value_span(self)) {
                        Ok(instance) => instance,
                        Err(_) => continue,
                    }
                };
                let Some(result) = self.instances[instance.0 as usize].result else { continue };
                let made = self.stand_in_value(result);
                let Some(sequence) = self.standard(&made, to) else { continue };
                // A qualified object prefers the operator that keeps its qualifiers.
                let plain = is_const == value.ty.is_const();
                match &best {
                    Some((_, rank, known_plain, known_template)) => {
                        let ours = (sequence.rank, !plain, is_template);
                        let theirs = (*rank, !*known_plain, *known_template);
                        if ours < theirs {
                            best = Some((instance, sequence.rank, plain, is_template));
                            is_ambiguous = false;
                        } else if ours == theirs {
                            is_ambiguous = true;
                        }
                    }
                    None => best = Some((instance, sequence.rank, plain, is_template)),
                }
            }
        }
        if is_ambiguous {
            return Ok(None);
        }
        Ok(best.map(|(instance, rank, ..)| (User::Operator(instance), rank)))
    }

    /// `template <class T> operator T()`.
    pub fn conversion_template(&mut self, function: FuncId, to: TypeId) -> Result<Option<InstanceId>> {
        let info = &self.functions[function.index()];
        let (Some(header), scope, ast) = (info.header.clone(), info.scope, info.ast.clone()) else {
            return Ok(None);
        };
        let ast::Identifier::Conversion(pattern) = &ast.name.last.id else { return Ok(None) };
        let mut d = crate::lower::templates::deduce::Deduction::new(header, scope);
        if !self.deduce(pattern, to, &mut d)? {
            return Ok(None);
        }
        let Some(found) = crate::lower::templates::deduce::finish(&d) else { return Ok(None) };
        Ok(self.instance(function, &found, value_span(self)).ok())
    }

    /// A value of a type that nobody computes, for questions about conversions.
    pub fn stand_in_value(&mut self, ty: TypeId) -> Value {
        let category = match *self.types.kind(ty) {
            TypeClass::Reference { rvalue: false, .. } => Category::Left,
            TypeClass::Reference { rvalue: true, .. } => Category::Expiring,
            _ => Category::Right,
        };
        let ty = self.types.referred(ty);
        let local = crate::ir::Local(0);
        let kind = if self.types.is_scalar(ty) && category == Category::Right {
            ValueKind::Local(local)
        } else {
            ValueKind::Memory(Address { base: local, offset: 0 })
        };
        Value { ty, kind, category }
    }
}

fn value_span(lowering: &Lowering) -> Span {
    lowering.frame.b.span
}
