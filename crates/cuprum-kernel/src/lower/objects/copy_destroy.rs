//! Copies, assignments and destructors of objects; the bodies of constructors and destructors.

use std::rc::Rc;

use crate::Span;
use crate::ast::{self, Expr, ExprKind};
use crate::check::types::{StructId, TypeId};
use crate::ir::{Binary, Compare, End, Op, Type};

use crate::lower::expressions::call::Argument;
use crate::lower::memory::value::{Address, Category, Value};
use crate::lower::names::scope::{Entity, Key};
use crate::lower::{Lowering, Result, fault};

impl Lowering {
    /// Notes a temporary whose destructor runs at the end of the statement.
    pub fn temporary(&mut self, address: Address, id: StructId) {
        if !self.records[id.0 as usize].plain_destructor {
            if self.frame.conditional > 0 && self.unevaluated == 0 {
                let span = self.frame.b.span;
                let message = "a temporary with a destructor in an operand that may not be computed is not supported: \
                               put it into a variable first";
                self.report(fault(span, message));
                self.has_failed = true;
            }
            self.frame.temporaries.push((address, id));
        }
    }

    /// Runs the destructors of the temporaries since `mark`.
    pub fn end_temporaries(&mut self, mark: usize) -> Result<()> {
        while self.frame.temporaries.len() > mark {
            if let Some((address, id)) = self.frame.temporaries.pop() {
                let span = self.frame.b.span;
                self.destroy(address, id, span)?;
            }
        }
        Ok(())
    }

    /// Runs `each` for every element of an array: a loop where there are many.
    pub fn each_element(
        &mut self,
        address: Address,
        of: TypeId,
        length: u64,
        span: Span,
        mut each: impl FnMut(&mut Lowering, Address) -> Result<()>,
    ) -> Result<()> {
        let size = self.size_of(of, span)?;
        if length <= 8 {
            for at in 0..length {
                each(self, Address { offset: address.offset + (at * size) as i64, ..address })?;
            }
            return Ok(());
        }
        let counter = self.b().local(Type::I64);
        let zero = self.b().constant(Type::I64, 0);
        self.b().emit(Op::Copy { dst: counter, src: zero });
        let (head, body, done) = (self.b().new_block(), self.b().new_block(), self.b().new_block());
        self.b().end(End::Jump(head));
        self.b().enter(head);
        let limit = self.b().constant(Type::I64, length * size);
        let more = self.b().compare(Compare::LtU, counter, limit);
        self.b().end(End::Branch { cond: more, then: body, otherwise: done });
        self.b().enter(body);
        let base = self.b().binary(Binary::Add, address.base, counter);
        each(self, Address { base, offset: address.offset })?;
        let step = self.b().constant(Type::I64, size);
        let next = self.b().binary(Binary::Add, counter, step);
        self.b().emit(Op::Copy { dst: counter, src: next });
        self.b().end(End::Jump(head));
        self.b().enter(done);
        Ok(())
    }

    /// A copy of an object, as its copy constructor or those of its members make it.
    pub fn copy_construct(
        &mut self,
        to: Address,
        from: Address,
        ty: TypeId,
        from_ty: TypeId,
        span: Span,
    ) -> Result<()> {
        if let Some((of, Some(length))) = self.types.as_array(ty) {
            if self.is_trivial(of) {
                return self.copy_bytes(to, from, ty, span);
            }
            let from = self.pointer(from);
            let base = self.pointer(to);
            let difference = self.b().binary(Binary::Sub, from, base);
            return self.each_element(Address { base, offset: 0 }, of, length, span, |this, at| {
                let here = this.pointer(at);
                let source = this.b().binary(Binary::Add, here, difference);
                this.copy_construct(at, Address { base: source, offset: 0 }, of, of, span)
            });
        }
        let Some(id) = self.types.as_struct(ty) else {
            let kind = self.ir_type(ty, span)?;
            let value = self.b().load(kind, from.base, from.offset);
            self.store_plain(to, value, ty);
            return Ok(());
        };
        if self.types.get(id).is_trivial && !self.records[id.0 as usize].has_copy
            || self.types.get(id).is_union
        {
            let ty = self.types.qualified_as(ty.bare(), from_ty);
            return self.copy_bytes(to, from, ty, span);
        }
        if self.records[id.0 as usize].has_copy {
            let source = Value::memory(from_ty, from, Category::Left);
            let arguments = vec![Argument::Value(source, span)];
            if let Some((function, instance, _)) = self.converting_constructor(id, &arguments, true)? {
                return self.construct_by(to, id, function, instance, arguments, span);
            }
            return Err(fault(span, format!("`{}` cannot be copied", self.types.get(id).name)));
        }
        self.each_member(id, |this, offset, ty| {
            let (to, from) = (shifted(to, offset), shifted(from, offset));
            this.copy_construct(to, from, ty, ty, span)
        })?;
        self.set_tables(to, id, span)
    }

    pub fn is_trivial(&self, ty: TypeId) -> bool {
        let mut at = ty;
        while let Some((of, _)) = self.types.as_array(at) {
            at = of;
        }
        self.types.as_struct(at).is_none_or(|id| self.types.get(id).is_trivial)
    }

    pub fn each_member(
        &mut self,
        id: StructId,
        mut each: impl FnMut(&mut Lowering, u64, TypeId) -> Result<()>,
    ) -> Result<()> {
        let info = self.types.get(id).clone();
        for base in &info.bases {
            let ty = self.types.struct_type(base.ty);
            if !self.types.get(base.ty).is_empty {
                each(self, base.offset, ty)?;
            }
        }
        let mut last = None;
        for field in &info.fields {
            // Bit-fields of one unit are copied together.
            if field.bits.is_some() && last == Some(field.offset) {
                continue;
            }
            last = field.bits.map(|_| field.offset);
            each(self, field.offset, field.ty)?;
        }
        Ok(())
    }

    /// An assignment of an object, as its operator or those of its members do it.
    pub fn copy_assign(
        &mut self,
        to: Address,
        from: Address,
        ty: TypeId,
        from_ty: TypeId,
        span: Span,
    ) -> Result<()> {
        let Some(id) = self.types.as_struct(ty) else {
            return self.copy_construct(to, from, ty, from_ty, span);
        };
        if self.types.get(id).is_trivial || self.types.get(id).is_union {
            let volatile = self.types.qualified_as(ty, from_ty);
            return self.copy_bytes(to, from, volatile, span);
        }
        self.each_member(id, |this, offset, ty| {
            let (to, from) = (shifted(to, offset), shifted(from, offset));
            let has_own =
                this.types.as_struct(ty).is_some_and(|inner| this.records[inner.0 as usize].has_assignment);
            if has_own {
                let operands = [
                    (Value::memory(ty, to, Category::Left), span),
                    (Value::memory(ty, from, Category::Left), span),
                ];
                this.user_operator(ast::OperatorName::Assign(None), &operands, None, span)?;
                return Ok(());
            }
            this.copy_assign(to, from, ty, ty, span)
        })
    }

    /// Runs an object's destructor and those of its members.
    pub fn destroy(&mut self, address: Address, id: StructId, span: Span) -> Result<()> {
        if self.records[id.0 as usize].plain_destructor {
            return Ok(());
        }
        let ty = self.types.struct_type(id);
        if let Some(destructor) = self.records[id.0 as usize].destructor {
            let instance = self.instance(destructor, &[], span)?;
            let object = Value::memory(ty, address, Category::Left);
            self.call_directly(instance, Some(object), Vec::new(), None, span)?;
            return Ok(());
        }
        self.destroy_members(address, id, span)
    }

    /// The destructors of members and bases, last first.
    pub fn destroy_members(&mut self, address: Address, id: StructId, span: Span) -> Result<()> {
        let info = self.types.get(id).clone();
        if info.is_union {
            return Ok(());
        }
        for field in info.fields.iter().rev() {
            let place = shifted(address, field.offset);
            self.destroy_object(place, field.ty, span)?;
        }
        for base in info.bases.iter().rev() {
            self.destroy(shifted(address, base.offset), base.ty, span)?;
        }
        Ok(())
    }

    pub fn destroy_object(&mut self, place: Address, ty: TypeId, span: Span) -> Result<()> {
        if let Some((of, Some(length))) = self.types.as_array(ty) {
            let mut inner = of;
            while let Some((next, _)) = self.types.as_array(inner) {
                inner = next;
            }
            let plain =
                self.types.as_struct(inner).is_none_or(|id| self.records[id.0 as usize].plain_destructor);
            if plain {
                return Ok(());
            }
            return self.each_element(place, of, length, span, |this, at| this.destroy_object(at, of, span));
        }
        match self.types.as_struct(ty) {
            Some(id) => self.destroy(place, id, span),
            None => Ok(()),
        }
    }

    /// Runs the destructors of the block's objects, last first, down to `mark`; they stay known for other ways out.
    pub fn destroy_down_to(&mut self, mark: usize) -> Result<()> {
        for at in (mark..self.frame.objects.len()).rev() {
            let (address, id) = self.frame.objects[at];
            let span = self.frame.b.span;
            self.destroy(address, id, span)?;
        }
        Ok(())
    }

    /// A constructor's body, after its bases and fields.
    pub fn lower_constructor(&mut self, id: StructId, ast: &Rc<ast::Function>) -> Result<()> {
        let Some((_, base)) = self.frame.this else { return Ok(()) };
        let address = Address { base, offset: 0 };
        let own = self.types.struct_type(id);
        // A constructor that leaves the work to another one.
        for init in &ast.initialisers {
            let of = self.try_named_type(&init.name).ok().flatten();
            let own_name = init.name.symbol().is_some_and(|symbol| {
                let record = &self.records[id.0 as usize];
                record.ast.as_ref().and_then(|record| record.name.symbol()) == Some(symbol)
            });
            if of == Some(own) || own_name && of.is_none() {
                self.init_by_entry(address, own, init)?;
                return self.constructor_body(ast);
            }
        }
        let info = self.types.get(id).clone();
        let mut used = vec![false; ast.initialisers.len()];
        for base in &info.bases {
            let ty = self.types.struct_type(base.ty);
            let place = shifted(address, base.offset);
            let mut found = None;
            for (at, init) in ast.initialisers.iter().enumerate() {
                if self.try_named_type(&init.name).ok().flatten().map(TypeId::bare) == Some(ty) {
                    found = Some(at);
                }
            }
            match found {
                Some(at) => {
                    used[at] = true;
                    self.init_by_entry(place, ty, &ast.initialisers[at])?;
                }
                None => self.default_init(place, ty, ast.span)?,
            }
        }
        self.set_tables(address, id, ast.span)?;
        for (at, field) in info.fields.iter().enumerate() {
            let entry = ast.initialisers.iter().position(|init| {
                init.name.as_plain().is_some_and(|symbol| self.text(symbol) == field.name)
                    && !field.name.is_empty()
            });
            let place = shifted(address, field.offset);
            match entry {
                Some(entry) => {
                    used[entry] = true;
                    let init = &ast.initialisers[entry];
                    self.b().span = init.span;
                    if field.bits.is_some() {
                        self.init_bits(place, field, single(init), init.span)?;
                    } else if self.types.is_reference(field.ty) {
                        let Some(value) = single(init) else {
                            return Err(fault(init.span, "a reference needs what it refers to"));
                        };
                        self.init_reference_field(place, field.ty, value, init.span)?;
                    } else {
                        self.init_by_entry(place, field.ty, init)?;
                    }
                }
                None if info.is_union && self.records[id.0 as usize].defaults[at].is_none() => {}
                // The members of an anonymous union are initialised by their own entries, or not at all.
                None if field.name.is_empty()
                    && self.types.as_struct(field.ty).is_some_and(|of| self.types.get(of).is_union) => {}
                None => self.init_field_default(address, id, at, false, ast.span)?,
            }
        }
        for (at, init) in ast.initialisers.iter().enumerate() {
            if used[at] {
                continue;
            }
            let found = match init.name.as_plain() {
                Some(symbol) => self.lookup_member(Key::Name(symbol), id)?,
                None => Vec::new(),
            };
            let Some(Entity::Field(field)) = found.first().copied() else {
                return Err(fault(
                    init.span,
                    format!("`{}` has no such field or base", self.types.get(id).name),
                ));
            };
            self.init_by_entry(shifted(address, field.offset), field.ty, init)?;
        }
        self.constructor_body(ast)
    }

    pub fn constructor_body(&mut self, ast: &ast::Function) -> Result<()> {
        match &ast.body {
            ast::FunctionBody::Block(body) => self.block(body),
            _ => Ok(()),
        }
    }

    pub fn init_by_entry(&mut self, place: Address, ty: TypeId, init: &ast::MemberInitialiser) -> Result<()> {
        let span = init.span;
        let mark = self.frame.temporaries.len();
        if let (true, [Expr { kind: ExprKind::List(items), .. }]) = (init.braces, &init.arguments[..]) {
            self.init_list(place, ty, items, span)?;
        } else if init.arguments.is_empty() {
            self.value_init(place, ty, span)?;
        } else if let (Some(_), [only]) = (self.types.as_array(ty), &init.arguments[..]) {
            self.init_expr(place, ty, only)?;
        } else {
            let arguments = self.arguments(&init.arguments)?;
            self.b().span = span;
            if arguments.is_empty() {
                self.value_init(place, ty, span)?;
            } else {
                self.init_direct(place, ty, arguments, span)?;
            }
        }
        self.end_temporaries(mark)
    }

    /// A destructor's body; then those of the members, last first.
    pub fn lower_destructor(&mut self, id: StructId, ast: &Rc<ast::Function>) -> Result<()> {
        let Some((_, base)) = self.frame.this else { return Ok(()) };
        let info = self.types.get(id).clone();
        let address = Address { base, offset: 0 };
        self.set_tables(address, id, ast.span)?;
        for part in &info.bases {
            self.push_object(shifted(address, part.offset), part.ty);
        }
        for field in &info.fields {
            if let Some(of) = self.types.as_struct(field.ty) {
                self.push_object(shifted(address, field.offset), of);
            }
        }
        match &ast.body {
            ast::FunctionBody::Block(body) => self.block(body),
            _ => Ok(()),
        }
    }

    /// Has an object destroyed at the end of its block.
    pub fn push_object(&mut self, address: Address, id: StructId) {
        if !self.records[id.0 as usize].plain_destructor {
            self.frame.objects.push((address, id));
        }
    }

    /// `= default` for what is not made in place.
    pub fn lower_defaulted(&mut self, id: StructId, key: Key, ast: &Rc<ast::Function>) -> Result<()> {
        match key {
            Key::Operator(ast::OperatorName::Binary(ast::BinaryOp::Eq)) => self.lower_equality(id, ast),
            _ => Err(fault(ast.span, "this function cannot be defaulted here")),
        }
    }

    /// `bool operator==(const T&) const = default;`
    pub fn lower_equality(&mut self, id: StructId, ast: &Rc<ast::Function>) -> Result<()> {
        let Some((ty, base)) = self.frame.this else { return Ok(()) };
        let Some(other) = self.frame.b.function.params.last().copied() else { return Ok(()) };
        let (left, right) = (Address { base, offset: 0 }, Address { base: other, offset: 0 });
        let result = self.b().local(Type::BOOL);
        let zero = self.b().constant(Type::BOOL, 0);
        self.b().emit(Op::Copy { dst: result, src: zero });
        let done = self.b().new_block();
        let info = self.types.get(id).clone();
        let span = ast.span;
        for field in &info.fields {
            let of = self.types.qualified_as(field.ty, ty);
            let a = Value::memory(of, shifted(left, field.offset), Category::Left);
            let b = Value::memory(of, shifted(right, field.offset), Category::Left);
            let equal = self.binary_values(ast::BinaryOp::Eq, a, b, (span, span), span)?;
            let equal = self.truth(equal, span)?;
            let cond = self.local(&equal, span)?;
            let next = self.b().new_block();
            self.b().end(End::Branch { cond, then: next, otherwise: done });
            self.b().enter(next);
        }
        let one = self.b().constant(Type::BOOL, 1);
        self.b().emit(Op::Copy { dst: result, src: one });
        self.b().end(End::Jump(done));
        self.b().enter(done);
        self.b().end(End::Return(Some(result)));
        Ok(())
    }
}

fn shifted(address: Address, by: u64) -> Address {
    Address { offset: address.offset + by as i64, ..address }
}

/// The only argument of an entry; in braces its only item.
fn single(init: &ast::MemberInitialiser) -> Option<&Expr> {
    match &init.arguments[..] {
        [Expr { kind: ExprKind::List(items), .. }] => match &items[..] {
            [item] => Some(&item.value),
            _ => None,
        },
        [only] => Some(only),
        _ => None,
    }
}
