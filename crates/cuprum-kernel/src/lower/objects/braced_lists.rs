//! Lists in braces: arrays, aggregates, designators, what is left out.

use crate::Span;
use crate::ast::{self, Designator, Expr, ExprKind, ListItem};
use crate::check::types::{StructId, TypeId};
use crate::ir::Type;

use crate::lower::memory::value::{Address, Category, Value};
use crate::lower::names::scope::{Entity, Key};
use crate::lower::{Lowering, Result, fault};

impl Lowering {
    /// `T{...}` or a list where a `T` is expected.
    pub fn list_value(
        &mut self,
        ty: TypeId,
        items: &[ListItem],
        into: Option<Address>,
        span: Span,
    ) -> Result<Value> {
        if self.types.is_scalar(ty) && !self.types.is_reference(ty) {
            return self.scalar_list(ty, items, span);
        }
        if ty.is_void() {
            return Ok(Value::void());
        }
        let ty = self.types.referred(ty).bare();
        let address = match into {
            Some(address) => address,
            None => self.new_memory("", ty, span)?,
        };
        self.init_list(address, ty, items, span)?;
        if let (Some(id), None) = (self.types.as_struct(ty), into) {
            self.temporary(address, id);
        }
        Ok(Value::memory(ty, address, Category::Right))
    }

    pub fn init_string(
        &mut self,
        address: Address,
        of: TypeId,
        length: Option<u64>,
        bytes: &[u8],
        span: Span,
    ) -> Result<()> {
        if !matches!(of.bare(), TypeId::CHAR | TypeId::SCHAR | TypeId::UCHAR) {
            return Err(fault(span, "only an array of char can be initialised by a text"));
        }
        let length = length.unwrap_or(bytes.len() as u64 + 1);
        if bytes.len() as u64 > length {
            return Err(fault(span, format!("the text has {} characters, the array {length}", bytes.len())));
        }
        for at in 0..length.min(1 << 16) {
            let byte = bytes.get(at as usize).copied().unwrap_or(0);
            let src = self.b().constant(Type::I8, u64::from(byte));
            self.b().store(address.base, address.offset + at as i64, src);
        }
        Ok(())
    }

    /// `T x{a, b}`, `T x = {a, b}`.
    pub fn init_list(&mut self, address: Address, ty: TypeId, items: &[ListItem], span: Span) -> Result<()> {
        self.nested(span, |this| this.init_list_inner(address, ty, items, span))
    }

    pub fn init_list_inner(
        &mut self,
        address: Address,
        ty: TypeId,
        items: &[ListItem],
        span: Span,
    ) -> Result<()> {
        self.complete(ty, span)?;
        let items: Vec<ListItem> = self.expanded(items)?;
        if let Some((of, Some(length))) = self.types.as_array(ty) {
            if let [ListItem { value: Expr { kind: ExprKind::String { bytes, .. }, .. }, .. }] = &items[..]
                && of.bare() == TypeId::CHAR
            {
                return self.init_string(address, of, Some(length), bytes, span);
            }
            let mut rest = Items { items: &items, at: 0 };
            self.init_array(address, of, length, &mut rest, span)?;
            return self.all_used(&rest);
        }
        let Some(id) = self.types.as_struct(ty) else {
            let value = self.scalar_list(ty, &items, span)?;
            let value = self.convert(value, ty.bare(), span)?;
            let local = self.local_in_place(&value, span)?;
            self.store_plain(address, local, ty);
            return Ok(());
        };
        if items.is_empty() && (!self.records[id.0 as usize].is_aggregate || self.has_defaulted(id)) {
            return self.value_init(address, ty, span);
        }
        let is_aggregate = self.records[id.0 as usize].is_aggregate;
        // `T{t}` is a copy.
        if let ([ListItem { designators, value }], true) = (&items[..], is_aggregate)
            && designators.is_empty()
            && !matches!(value.kind, ExprKind::List(_))
            && self.copies(value, id)?
        {
            return self.init_expr(address, ty, value);
        }
        if is_aggregate {
            let mut rest = Items { items: &items, at: 0 };
            self.init_aggregate(address, id, &mut rest, span)?;
            return self.all_used(&rest);
        }
        let mut arguments = Vec::new();
        for item in &items {
            if !item.designators.is_empty() {
                return Err(fault(span, "fields can be named only in a struct without constructors"));
            }
            arguments.extend(self.arguments(std::slice::from_ref(&item.value))?);
        }
        self.b().span = span;
        self.init_direct(address, ty, arguments, span)
    }

    pub fn copies(&mut self, expr: &Expr, id: StructId) -> Result<bool> {
        let simple = matches!(
            expr.kind,
            ExprKind::Name(_) | ExprKind::Member { .. } | ExprKind::Index { .. } | ExprKind::Unary { .. }
        ) || matches!(&expr.kind, ExprKind::Call { .. } | ExprKind::Construct { .. });
        if !simple {
            return Ok(false);
        }
        let value = self.unevaluated(expr)?;
        let Some(own) = self.types.as_struct(value.ty) else { return Ok(false) };
        Ok(self.types.base_offset(own, id).is_some())
    }

    /// Items with packs expanded.
    pub fn expanded(&mut self, items: &[ListItem]) -> Result<Vec<ListItem>> {
        if !items.iter().any(|item| matches!(item.value.kind, ExprKind::Expansion(_))) {
            return Ok(items.to_vec());
        }
        let mut list = Vec::new();
        for item in items {
            let ExprKind::Expansion(pattern) = &item.value.kind else {
                list.push(item.clone());
                continue;
            };
            // Each element keeps the scope in which the pack's name stands for it.
            let scopes = self.expand(
                item.value.span,
                &mut |seen| crate::lower::names::mentions::in_expr(pattern, seen),
                |this| Ok(this.scope),
            )?;
            for scope in scopes {
                let symbol = self.symbols.intern(&format!("expansion:{}", self.unnamed));
                self.unnamed += 1;
                let value = self.in_scope(scope, |this| this.expr(pattern))?;
                let id = self.value_variable(value, item.value.span)?;
                self.declare(self.scope, Key::Name(symbol), Entity::Variable(id));
                let name = ast::Name::plain(symbol, item.value.span);
                list.push(ListItem {
                    designators: Vec::new(),
                    value: Expr::new(ExprKind::Name(Box::new(name)), item.value.span),
                });
            }
        }
        Ok(list)
    }

    pub fn all_used(&self, rest: &Items) -> Result<()> {
        match rest.items.get(rest.at) {
            Some(item) => Err(fault(item.value.span, "there are too many values in the braces")),
            None => Ok(()),
        }
    }

    pub fn init_array(
        &mut self,
        address: Address,
        of: TypeId,
        length: u64,
        rest: &mut Items,
        span: Span,
    ) -> Result<()> {
        let size = self.size_of(of, span)?;
        let place = |at: u64| Address { offset: address.offset + (at * size) as i64, ..address };
        let mut at = 0;
        let mut done = 0;
        // All zero first where most of it will be.
        let given = (rest.items.len() - rest.at) as u64;
        let designated = rest.items[rest.at..].iter().any(|item| !item.designators.is_empty());
        let zero_first = self.is_plain(of) && (designated || length.saturating_sub(given) > 16);
        if zero_first {
            let ty = self.types.array(of, Some(length));
            self.zero(address, ty, span)?;
        }
        while at < length || rest.items.get(rest.at).is_some_and(|item| !item.designators.is_empty()) {
            let Some(item) = rest.items.get(rest.at) else { break };
            if let Some(Designator::Index(index)) = item.designators.first() {
                let index = self.constant(index)?;
                if index.bits >= length {
                    return Err(fault(item.value.span, format!("the array has only {length} elements")));
                }
                at = index.bits;
                let value = item.value.clone();
                rest.at += 1;
                self.init_expr(place(at), of, &value)?;
            } else if let Some(Designator::Field(_, span)) = item.designators.first() {
                return Err(fault(*span, "an array has no fields"));
            } else {
                self.init_element(place(at), of, rest, span)?;
            }
            at += 1;
            done = done.max(at);
        }
        if !zero_first {
            for at in done..length {
                self.value_init(place(at), of, span)?;
            }
        }
        Ok(())
    }

    /// One element from the list; without braces of its own, an array or aggregate takes as many items as it has.
    pub fn init_element(&mut self, place: Address, ty: TypeId, rest: &mut Items, span: Span) -> Result<()> {
        let item = &rest.items[rest.at];
        let value = item.value.clone();
        let is_list = matches!(value.kind, ExprKind::List(_) | ExprKind::String { .. });
        if !is_list {
            if let Some((of, Some(length))) = self.types.as_array(ty) {
                return self.init_partly(place, of, length, rest, span);
            }
            if let Some(id) = self.types.as_struct(ty) {
                self.complete_record(id, span)?;
                if self.records[id.0 as usize].is_aggregate && !self.converts(&value, ty)? {
                    return self.init_aggregate(place, id, rest, span);
                }
            }
        }
        rest.at += 1;
        self.init_expr(place, ty, &value)
    }

    pub fn converts(&mut self, expr: &Expr, ty: TypeId) -> Result<bool> {
        let value = self.unevaluated(expr)?;
        Ok(self.value_sequence(&value, ty, true)?.is_some())
    }

    /// An inner array without braces: it takes what it needs and leaves the rest.
    pub fn init_partly(
        &mut self,
        address: Address,
        of: TypeId,
        length: u64,
        rest: &mut Items,
        span: Span,
    ) -> Result<()> {
        let size = self.size_of(of, span)?;
        for at in 0..length {
            let place = Address { offset: address.offset + (at * size) as i64, ..address };
            if rest.at < rest.items.len() && rest.items[rest.at].designators.is_empty() {
                self.init_element(place, of, rest, span)?;
            } else {
                self.value_init(place, of, span)?;
            }
        }
        Ok(())
    }

    pub fn init_aggregate(
        &mut self,
        address: Address,
        id: StructId,
        rest: &mut Items,
        span: Span,
    ) -> Result<()> {
        let info = self.types.get(id).clone();
        for base in &info.bases {
            let of = self.types.struct_type(base.ty);
            let place = Address { offset: address.offset + base.offset as i64, ..address };
            if self.types.get(base.ty).is_empty && rest.at < rest.items.len() {
                if let ExprKind::List(items) = &rest.items[rest.at].value.kind
                    && items.is_empty()
                {
                    rest.at += 1;
                }
                continue;
            }
            if rest.at < rest.items.len() && rest.items[rest.at].designators.is_empty() {
                self.init_element(place, of, rest, span)?;
            } else {
                self.value_init(place, of, span)?;
            }
        }
        let mut set = vec![false; info.fields.len()];
        let mut at = 0;
        while rest.at < rest.items.len() {
            let item = &rest.items[rest.at];
            match item.designators.first() {
                Some(Designator::Field(symbol, span)) => {
                    let name = self.text(*symbol).to_owned();
                    let Some(found) = info.fields.iter().position(|field| field.name == name) else {
                        return self.init_indirect(address, id, *symbol, rest, *span);
                    };
                    at = found;
                    let inner = item.designators[1..].to_vec();
                    let mut value = item.value.clone();
                    if !inner.is_empty() {
                        let item = ListItem { designators: inner, value };
                        value = Expr::new(ExprKind::List(vec![item]), *span);
                    }
                    rest.at += 1;
                    self.init_field(address, id, at, &value, *span)?;
                }
                Some(Designator::Index(_)) => return Err(fault(span, "a struct has no elements")),
                None => {
                    while at < info.fields.len()
                        && info.fields[at].bits.is_some()
                        && info.fields[at].name.is_empty()
                    {
                        at += 1;
                    }
                    let Some(field) = info.fields.get(at) else { break };
                    if field.bits.is_some() {
                        let value = item.value.clone();
                        rest.at += 1;
                        self.init_field(address, id, at, &value, span)?;
                    } else {
                        let place = Address { offset: address.offset + field.offset as i64, ..address };
                        self.init_member(place, field.ty, rest, span)?;
                    }
                }
            }
            set[at] = true;
            at += 1;
            if info.is_union {
                break;
            }
        }
        if info.is_union {
            if !set.iter().any(|set| *set) && !info.fields.is_empty() {
                self.init_field_default(address, id, 0, true, span)?;
            }
            return Ok(());
        }
        for (at, set) in set.iter().enumerate() {
            if !set {
                self.init_field_default(address, id, at, true, span)?;
            }
        }
        Ok(())
    }

    pub fn init_member(&mut self, place: Address, ty: TypeId, rest: &mut Items, span: Span) -> Result<()> {
        if self.types.is_reference(ty) {
            let value = rest.items[rest.at].value.clone();
            rest.at += 1;
            return self.init_reference_field(place, ty, &value, span);
        }
        self.init_element(place, ty, rest, span)
    }

    pub fn init_indirect(
        &mut self,
        address: Address,
        id: StructId,
        symbol: ast::Symbol,
        rest: &mut Items,
        span: Span,
    ) -> Result<()> {
        let found = self.lookup_member(Key::Name(symbol), id)?;
        let Some(Entity::Field(field)) = found.first() else {
            return Err(fault(
                span,
                format!("`{}` has no field `{}`", self.types.get(id).name, self.text(symbol)),
            ));
        };
        let place = Address { offset: address.offset + field.offset as i64, ..address };
        let ty = field.ty;
        let value = rest.items[rest.at].value.clone();
        rest.at += 1;
        self.init_expr(place, ty, &value)
    }

    pub fn init_field(
        &mut self,
        address: Address,
        id: StructId,
        at: usize,
        value: &Expr,
        span: Span,
    ) -> Result<()> {
        let field = self.types.get(id).fields[at].clone();
        let place = Address { offset: address.offset + field.offset as i64, ..address };
        if field.bits.is_some() {
            return self.init_bits(place, &field, Some(value), span);
        }
        if self.types.is_reference(field.ty) {
            return self.init_reference_field(place, field.ty, value, span);
        }
        self.init_expr(place, field.ty, value)
    }

    pub fn init_reference_field(
        &mut self,
        place: Address,
        ty: TypeId,
        value: &Expr,
        span: Span,
    ) -> Result<()> {
        let value = self.expr(value)?;
        let bound = self.bind_reference(value, ty, span)?;
        let address = self.address(&bound, span)?;
        let pointer = self.pointer(address);
        self.b().store(place.base, place.offset, pointer);
        Ok(())
    }
}

/// The items of a list that are not used yet.
pub(crate) struct Items<'a> {
    items: &'a [ListItem],
    at: usize,
}
