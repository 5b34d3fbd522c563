//! Structured bindings: the elements of an array, or the fields of a struct, under names of their own.

use std::collections::VecDeque;

use crate::ast::{self, TypeKind};

use crate::lower::memory::value::{Address, Category, Value};
use crate::lower::names::scope::{Entity, Key};
use crate::lower::statements::locals::single_initialiser;
use crate::lower::{Lowering, Result, fault};

impl Lowering {
    /// `auto [a, b] = e;`
    pub fn structured_binding(&mut self, binding: &ast::Binding) -> Result<()> {
        let span = binding.span;
        let Some(expr) = single_initialiser(&binding.init) else {
            return Err(fault(span, "a structured binding needs a value"));
        };
        let value = self.expr(expr)?;
        let ty = if self.types.as_array(value.ty).is_some()
            && !matches!(binding.ty.kind, TypeKind::Reference { .. } | TypeKind::RvalueReference(_))
        {
            self.types.unqualified(value.ty)
        } else {
            self.auto_from(&binding.ty, &value, Some(expr))?
        };
        let whole = if self.types.is_reference(ty) {
            self.bind_reference(value, ty, span)?
        } else {
            let address = self.new_memory("", ty, span)?;
            if self.types.as_array(ty).is_some() {
                let from = self.address(&value, span)?;
                self.copy_construct(address, from, ty, value.ty, span)?;
            } else {
                self.init_copy(address, ty.bare(), value, span)?;
            }
            if let Some(id) = self.types.as_struct(ty) {
                self.push_object(address, id);
            }
            Value::memory(ty, address, Category::Left)
        };
        let mut parts = Vec::new();
        if let Some((of, Some(length))) = self.types.as_array(whole.ty) {
            let size = self.size_of(of, span)?;
            let address = self.address(&whole, span)?;
            for at in 0..length.min(binding.names.len() as u64 + 1) {
                let place = Address { offset: address.offset + (at * size) as i64, ..address };
                parts.push(Value::memory(of, place, Category::Left));
            }
        } else if let Some(id) = self.types.as_struct(whole.ty) {
            self.complete_record(id, span)?;
            // The fields are those of the struct, or of the one base that has some.
            let mut of = id;
            while self.types.get(of).fields.is_empty() {
                match self.types.get(of).bases.first() {
                    Some(base) => of = base.ty,
                    None => break,
                }
            }
            let mut whole = self.as_base(whole, of, span)?;
            let mut fields: VecDeque<_> = self.types.get(of).fields.clone().into();
            while let Some(field) = fields.pop_front() {
                let seen = crate::lower::names::scope::Field {
                    owner: of,
                    ty: field.ty,
                    offset: field.offset,
                    bits: field.bits,
                    is_mutable: field.is_mutable,
                };
                let part = self.field_of(&whole, seen, span)?;
                match self.types.as_struct(field.ty) {
                    // The other values of a tuple.
                    Some(rest) if field.name == "__rest" => {
                        (of, whole) = (rest, part);
                        fields = self.types.get(of).fields.clone().into();
                    }
                    _ => parts.push(part),
                }
            }
        } else {
            return Err(fault(span, format!("a `{}` cannot be taken apart", self.types.name(whole.ty))));
        }
        if parts.len() != binding.names.len() {
            return Err(fault(
                span,
                format!("there are {} names for {} parts", binding.names.len(), parts.len()),
            ));
        }
        for ((symbol, at), part) in binding.names.iter().zip(parts) {
            let id = self.value_variable(part, *at)?;
            self.variables[id.index()].name = self.text(*symbol).to_owned();
            self.declare_only(Key::Name(*symbol), Entity::Variable(id));
        }
        Ok(())
    }
}
