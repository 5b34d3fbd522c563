//! `new` and `delete`: objects on the heap, or where a pointer says.
//!
//! Where the heap has no more, `new` gives a null pointer and no constructor runs, as in CUDA.

use crate::Span;
use crate::ast::{self, Expr, Initialiser};
use crate::check::types::TypeId;
use crate::ir::{Binary, Compare, End, Local, Op, Type};

use crate::lower::memory::value::{Address, Value};
use crate::lower::{Lowering, Result, fault};

impl Lowering {
    pub fn new_object(
        &mut self,
        placement: Option<&Expr>,
        ty: &ast::Type,
        length: Option<&Expr>,
        init: &Initialiser,
        span: Span,
    ) -> Result<Value> {
        let of = self.resolve_type(ty)?;
        self.complete(of, span)?;
        let size = self.size_of(of, span)?;
        let plain = self.has_plain_destructor(of);
        let count = match length {
            None => None,
            Some(length) => {
                if !matches!(init, Initialiser::None) {
                    return Err(fault(
                        span,
                        "`new` of an array takes no first values here: assign its elements",
                    ));
                }
                if !plain {
                    return Err(fault(
                        span,
                        format!(
                            "`new` of an array of `{}`, which has a destructor, is not supported on the CPU: make its \
                             elements one by one",
                            self.types.name(of)
                        ),
                    ));
                }
                let value = self.expr(length)?;
                let value = self.convert(value, TypeId::ULONG, length.span)?;
                Some(self.local(&value, length.span)?)
            }
        };
        let address = match placement {
            Some(place) => {
                let value = self.expr(place)?;
                let value = self.decayed(value, span)?;
                if self.types.pointee(value.ty).is_none() {
                    return Err(fault(place.span, "`new (p) T` takes a pointer"));
                }
                self.local(&value, span)?
            }
            None => {
                let bytes = self.b().constant(Type::I64, size);
                let bytes = match count {
                    Some(count) => self.b().binary(Binary::Mul, count, bytes),
                    None => bytes,
                };
                let dst = self.b().local(Type::POINTER);
                self.b().emit(Op::Allocate { dst, bytes });
                dst
            }
        };
        let nothing_to_do = matches!(init, Initialiser::None) && self.is_plain(of);
        if !nothing_to_do {
            self.unless_null(address, |this| match count {
                None => this.init_from(Address { base: address, offset: 0 }, of, init, span),
                Some(count) => this.construct_elements(address, of, size, count, span),
            })?;
        }
        let ty = self.types.pointer(of);
        Ok(Value::local(ty, address))
    }

    pub fn delete_object(&mut self, array: bool, operand: &Expr, span: Span) -> Result<Value> {
        let value = self.expr(operand)?;
        let value = self.rvalue(value, span)?;
        let Some(of) = self.types.pointee(value.ty) else {
            return Err(fault(operand.span, "`delete` takes a pointer"));
        };
        let address = self.local(&value, span)?;
        if let Some(id) = self.types.as_struct(of)
            && self.has_virtual_destructor(id)
            && !array
        {
            self.unless_null(address, |this| {
                let whole = this.destroy_virtually(address, id, span)?;
                this.b().emit(Op::Release { address: whole });
                Ok(())
            })?;
            return Ok(Value::void());
        }
        if !of.is_void() && !self.has_plain_destructor(of) {
            if array {
                return Err(fault(
                    span,
                    "`delete[]` of objects with destructors is not supported on the CPU: delete them one by one",
                ));
            }
            self.unless_null(address, |this| {
                this.destroy_object(Address { base: address, offset: 0 }, of.bare(), span)
            })?;
        }
        self.b().emit(Op::Release { address });
        Ok(Value::void())
    }

    fn has_plain_destructor(&self, ty: TypeId) -> bool {
        self.types.as_struct(ty).is_none_or(|id| self.records[id.0 as usize].plain_destructor)
    }

    fn unless_null(&mut self, address: Local, then: impl FnOnce(&mut Lowering) -> Result<()>) -> Result<()> {
        let null = self.b().constant(Type::POINTER, 0);
        let cond = self.b().compare(Compare::Ne, address, null);
        let (inside, done) = (self.b().new_block(), self.b().new_block());
        self.b().end(End::Branch { cond, then: inside, otherwise: done });
        self.b().enter(inside);
        let result = then(self);
        if self.b().is_open() {
            self.b().end(End::Jump(done));
        }
        self.b().enter(done);
        result
    }

    /// Runs the constructor without arguments for each of `count` elements.
    fn construct_elements(
        &mut self,
        base: Local,
        of: TypeId,
        size: u64,
        count: Local,
        span: Span,
    ) -> Result<()> {
        let at = self.b().local(Type::POINTER);
        self.b().emit(Op::Copy { dst: at, src: base });
        let size = self.b().constant(Type::I64, size);
        let bytes = self.b().binary(Binary::Mul, count, size);
        let end = self.b().binary(Binary::Add, base, bytes);
        let [head, body, done] = [(); 3].map(|()| self.b().new_block());
        self.b().end(End::Jump(head));
        self.b().enter(head);
        let more = self.b().compare(Compare::Ne, at, end);
        self.b().end(End::Branch { cond: more, then: body, otherwise: done });
        self.b().enter(body);
        self.default_init(Address { base: at, offset: 0 }, of, span)?;
        let next = self.b().binary(Binary::Add, at, size);
        self.b().emit(Op::Copy { dst: at, src: next });
        self.b().end(End::Jump(head));
        self.b().enter(done);
        Ok(())
    }
}
