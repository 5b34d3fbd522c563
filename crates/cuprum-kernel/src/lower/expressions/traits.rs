//! Questions about types that compilers answer: `__is_same(T, U)` and the like.

use crate::Span;
use crate::ast;
use crate::check::constant::Constant;
use crate::check::types::{TypeClass, TypeId};

use crate::lower::memory::value::Value;
use crate::lower::{Lowering, Result, fault};

impl Lowering {
    pub fn type_trait(&mut self, name: ast::Symbol, arguments: &[ast::Type], span: Span) -> Result<Value> {
        let mut types = Vec::new();
        for argument in arguments {
            types.push(self.resolve_type(argument)?);
        }
        let text = self.symbols.shared(name);
        let Some(&first) = types.first() else { return Err(fault(span, format!("`{text}` needs a type"))) };
        let second = types.get(1).copied();
        let answer = self.answer(&text, first, second, &types, span)?;
        match answer {
            Some(answer) => Ok(Value::constant(Constant::bool(answer))),
            None => Err(fault(span, format!("`{text}` is not supported; use <type_traits>"))),
        }
    }

    fn answer(
        &mut self,
        text: &str,
        first: TypeId,
        second: Option<TypeId>,
        types: &[TypeId],
        span: Span,
    ) -> Result<Option<bool>> {
        let id = self.types.as_struct(first);
        if let Some(id) = id {
            self.complete_if_possible(id)?;
        }
        let is_reference = self.types.is_reference(first);
        Ok(Some(match text {
            "__is_same" | "__is_same_as" => Some(first) == second,
            "__is_base_of" => match (id, second.and_then(|ty| self.types.as_struct(ty))) {
                (Some(base), Some(derived)) => {
                    self.complete_if_possible(derived)?;
                    self.types.base_offset(derived, base).is_some()
                }
                _ => false,
            },
            "__is_class" => id.is_some_and(|id| !self.types.get(id).is_union),
            "__is_union" => id.is_some_and(|id| self.types.get(id).is_union),
            "__is_enum" => self.types.as_enum(first).is_some(),
            "__is_empty" => id.is_some_and(|id| self.types.get(id).is_empty),
            "__is_trivially_copyable" | "__is_trivial" | "__is_pod" | "__is_trivially_copy_constructible" => {
                let mut at = first;
                while let Some((of, _)) = self.types.as_array(at) {
                    at = of;
                }
                !is_reference && self.types.as_struct(at).is_none_or(|id| self.types.get(id).is_trivial)
            }
            "__is_standard_layout" | "__is_literal_type" | "__is_aggregate" => match (text, id) {
                ("__is_aggregate", Some(id)) => self.records[id.0 as usize].is_aggregate,
                ("__is_aggregate", None) => self.types.as_array(first).is_some(),
                _ => true,
            },
            "__has_trivial_destructor" | "__is_trivially_destructible" | "__is_destructible" => {
                text == "__is_destructible"
                    || id.is_none_or(|id| self.records[id.0 as usize].plain_destructor)
            }
            "__is_polymorphic" => id.is_some_and(|id| self.types.get(id).is_polymorphic),
            "__has_virtual_destructor" => id.is_some_and(|id| self.has_virtual_destructor(id)),
            "__is_abstract" => match id {
                Some(id) => self.is_abstract(id)?,
                None => false,
            },
            "__is_final" => false,
            "__is_convertible" | "__is_convertible_to" => {
                let Some(second) = second else { return Ok(None) };
                if first.is_void() || second.is_void() {
                    first.is_void() && second.is_void()
                } else {
                    let value = self.stand_in_value(first);
                    let value = if is_reference {
                        value
                    } else {
                        Value { category: crate::lower::memory::value::Category::Expiring, ..value }
                    };
                    self.value_sequence(&value, second, true)?.is_some()
                }
            }
            "__is_constructible" | "__is_nothrow_constructible" | "__is_trivially_constructible" => {
                self.is_constructible(first, &types[1..])?
            }
            "__is_assignable" | "__is_nothrow_assignable" | "__is_trivially_assignable" => {
                let Some(second) = second else { return Ok(None) };
                let target = self.types.referred(first);
                let value = self.stand_in_value(second);
                is_reference
                    && !target.is_const()
                    && self.value_sequence(&value, target.bare(), true)?.is_some()
            }
            "__is_void" => first.is_void(),
            "__is_integral" => first.is_integer(),
            "__is_floating_point" => first.is_float(),
            "__is_arithmetic" => first.is_arithmetic(),
            "__is_fundamental" => first.is_arithmetic() || first.is_void() || first.bare() == TypeId::NULLPTR,
            "__is_scalar" => !is_reference && self.types.is_scalar(first),
            "__is_signed" => first.is_signed() || first.is_float(),
            "__is_unsigned" => first.is_integer() && !first.is_signed(),
            "__is_pointer" => self.types.is_pointer(first),
            "__is_reference" => is_reference,
            "__is_lvalue_reference" => {
                matches!(self.types.kind(first), TypeClass::Reference { rvalue: false, .. })
            }
            "__is_rvalue_reference" => {
                matches!(self.types.kind(first), TypeClass::Reference { rvalue: true, .. })
            }
            "__is_array" => self.types.as_array(first).is_some(),
            "__is_function" => self.types.is_function(first),
            "__is_const" => first.is_const(),
            "__is_volatile" => first.is_volatile(),
            "__is_object" => !is_reference && !first.is_void() && !self.types.is_function(first),
            "__is_complete_type" => {
                let _ = span;
                self.types.layout(first).is_some()
            }
            _ => return Ok(None),
        }))
    }

    fn is_constructible(&mut self, ty: TypeId, from: &[TypeId]) -> Result<bool> {
        let arguments: Vec<crate::lower::expressions::call::Argument> = from
            .iter()
            .map(|&ty| {
                let value = self.stand_in_value(ty);
                crate::lower::expressions::call::Argument::Value(value, self.frame.b.span)
            })
            .collect();
        if let Some(id) = self.types.as_struct(ty) {
            if from.is_empty() {
                return Ok(self.records[id.0 as usize].is_aggregate
                    || self.converting_constructor(id, &[], true)?.is_some());
            }
            if let [only] = from
                && self.types.referred(*only).bare() == ty.bare()
            {
                return Ok(true);
            }
            return Ok(self.converting_constructor(id, &arguments, true)?.is_some());
        }
        match &arguments[..] {
            [] => Ok(!self.types.is_reference(ty) && !ty.is_void()),
            [crate::lower::expressions::call::Argument::Value(value, _)] => {
                let value = value.clone();
                Ok(self.value_sequence(&value, ty, true)?.is_some()
                    || self.user_conversion(&value, ty, true)?.is_some())
            }
            _ => Ok(false),
        }
    }
}
