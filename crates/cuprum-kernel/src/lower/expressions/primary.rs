//! Expressions: literals, names, members, elements, casts, sizes.

use crate::Span;
use crate::ast::{self, CharPrefix, Expr, ExprKind, Identifier, OperatorName};
use crate::check::constant::Constant;
use crate::check::types::TypeId;
use crate::ir::{Binary, StringId, Type};

use crate::lower::memory::value::{Address, Category, Value, ValueKind};
use crate::lower::names::mentions;
use crate::lower::names::scope::{Entity, Key};
use crate::lower::{Lowering, Result, fault};

impl Lowering {
    /// Lowers an expression.
    pub fn expr(&mut self, expr: &Expr) -> Result<Value> {
        self.b().span = expr.span;
        let value = self.nested(expr.span, |this| this.expr_kind(expr, None))?;
        if matches!(expr.kind, ExprKind::Index { .. } | ExprKind::Unary { .. } | ExprKind::Member { .. }) {
            self.note_place(&value, expr.span);
        }
        Ok(value)
    }

    /// As [`Lowering::expr`]; a struct that a call or a constructor makes goes to `into`.
    pub fn expr_into(&mut self, expr: &Expr, into: Address) -> Result<Value> {
        self.b().span = expr.span;
        self.nested(expr.span, |this| this.expr_kind(expr, Some(into)))
    }

    /// As [`Lowering::expr`] for what is written or referred to: `c ? a : b` is then one of the two objects, not a copy.
    pub fn place(&mut self, expr: &Expr) -> Result<Value> {
        self.wants_place = true;
        let result = self.expr(expr);
        self.wants_place = false;
        result
    }

    pub fn expr_kind(&mut self, expr: &Expr, into: Option<Address>) -> Result<Value> {
        let span = expr.span;
        let wants_place = std::mem::take(&mut self.wants_place);
        match &expr.kind {
            ExprKind::Integer { value, unsigned, longs, decimal } => {
                Ok(Value::constant(integer_literal(*value, *unsigned, *longs, *decimal)))
            }
            ExprKind::Float { value, single } => Ok(Value::constant(if *single {
                Constant { ty: TypeId::FLOAT, bits: u64::from((*value as f32).to_bits()) }
            } else {
                Constant { ty: TypeId::DOUBLE, bits: value.to_bits() }
            })),
            ExprKind::Bool(value) => Ok(Value::constant(Constant::bool(*value))),
            ExprKind::Char { value, prefix } => Ok(Value::constant(match prefix {
                CharPrefix::None => Constant { ty: TypeId::CHAR, bits: u64::from(*value as u8) },
                CharPrefix::Wide => Constant { ty: TypeId::INT, bits: u64::from(*value as u32) },
                CharPrefix::Sixteen => Constant { ty: TypeId::USHORT, bits: u64::from(*value as u16) },
                CharPrefix::ThirtyTwo => Constant { ty: TypeId::UINT, bits: u64::from(*value as u32) },
            })),
            ExprKind::String { bytes, prefix } => self.string(bytes, *prefix, span),
            ExprKind::Nullptr => Ok(Value::constant(Constant { ty: TypeId::NULLPTR, bits: 0 })),
            ExprKind::This => self.this(span),
            ExprKind::Name(name) => self.name_value(name, false),
            ExprKind::Unary { op, operand } => self.unary(*op, operand, span),
            ExprKind::Binary { op, left, right } => self.binary(*op, left, right, span),
            ExprKind::Assign { op, target, value } => self.assign(*op, target, value, span),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.conditional(condition, then.as_deref(), otherwise, wants_place, span)
            }
            ExprKind::Cast { style, ty, operand } => self.cast(*style, ty, operand, span),
            ExprKind::Construct { ty, arguments, braces } => {
                self.construct_expr(ty, arguments, *braces, into, span)
            }
            ExprKind::Call { function, arguments } => {
                if let Some(value) = self.special_call(function, arguments, span)? {
                    return Ok(value);
                }
                self.call(function, arguments, into, span)
            }
            ExprKind::Launch { function, configuration, arguments } => {
                self.launch(function, configuration, arguments, span)
            }
            ExprKind::Member { object, arrow, member } => {
                self.member(object, *arrow, member, wants_place, span)
            }
            ExprKind::Index { base, index } => self.index(base, index, span),
            ExprKind::List(_) => Err(fault(span, "a list in braces cannot stand here")),
            ExprKind::SizeofType(ty) => {
                let resolved = self.resolve_type(ty)?;
                let resolved = self.types.referred(resolved);
                Ok(Value::constant(Constant::size(self.size_of(resolved, span)?)))
            }
            ExprKind::SizeofExpr(operand) => {
                let value = self.unevaluated(operand)?;
                Ok(Value::constant(Constant::size(self.size_of(value.ty, span)?)))
            }
            ExprKind::SizeofPack(symbol) => match self.lookup(Key::Name(*symbol), self.scope)?.first() {
                Some(Entity::Pack(pack)) => {
                    Ok(Value::constant(Constant::size(self.packs[pack.index()].len() as u64)))
                }
                _ => Err(fault(span, format!("`{}` is not a parameter pack", self.text(*symbol)))),
            },
            ExprKind::Alignof(ty) => {
                let resolved = self.resolve_type(ty)?;
                let resolved = self.types.referred(resolved);
                Ok(Value::constant(Constant::size(self.layout_of(resolved, span)?.1)))
            }
            ExprKind::Offsetof { ty, path } => self.offset_of(ty, path, span),
            ExprKind::Noexcept(_) => Ok(Value::constant(Constant::bool(true))),
            ExprKind::TypeTrait { name, arguments } => self.type_trait(*name, arguments, span),
            ExprKind::Lambda(lambda) => self.lambda(lambda, into),
            ExprKind::Expansion(_) => Err(fault(span, "a pack cannot be expanded here")),
            ExprKind::Fold { op, assign, left, right } => {
                self.fold(*op, *assign, left.as_deref(), right.as_deref(), span)
            }
            ExprKind::New { placement, ty, length, init } => {
                self.new_object(placement.as_deref(), ty, length.as_deref(), init, span)
            }
            ExprKind::Delete { array, operand } => self.delete_object(*array, operand, span),
            ExprKind::Refused { what } => Err(fault(span, refusal(what))),
        }
    }

    pub fn add_string(&mut self, text: &str) -> StringId {
        if let Some(at) = self.module.strings.iter().position(|known| known == text) {
            return StringId(at as u32);
        }
        self.module.strings.push(text.to_owned());
        StringId(self.module.strings.len() as u32 - 1)
    }

    pub fn string(&mut self, bytes: &[u8], prefix: CharPrefix, span: Span) -> Result<Value> {
        if prefix != CharPrefix::None {
            return Err(fault(span, "only plain string literals are supported"));
        }
        let text = String::from_utf8_lossy(bytes).into_owned();
        let length = text.len() as u64 + 1;
        let string = self.add_string(&text);
        let of = self.types.qualified(TypeId::CHAR, true, false);
        let ty = self.types.array(of, Some(length));
        Ok(Value { ty, kind: ValueKind::Text(string), category: Category::Left })
    }

    pub fn index(&mut self, base: &Expr, index: &Expr, span: Span) -> Result<Value> {
        let left = self.expr(base)?;
        if self.types.as_struct(left.ty).is_some() {
            let key = Key::Operator(OperatorName::Index);
            let Some(set) = self.member_functions(&left, key, "operator[]", None, span)? else {
                return Err(fault(span, format!("a `{}` cannot be indexed", self.types.name(left.ty))));
            };
            let arguments = self.arguments(std::slice::from_ref(index))?;
            let set = self.functions_value(set);
            self.b().span = span;
            return self.call_value(set, arguments, None, span);
        }
        // A pointer variable is read before the index can change it.
        let left = if mentions::is_pure(index) { left } else { self.settled(left, base.span)? };
        let right = self.expr(index)?;
        self.b().span = span;
        let (array, number) = if self.is_indexable(left.ty) { (left, right) } else { (right, left) };
        if !self.is_indexable(array.ty) {
            return Err(fault(span, format!("a `{}` cannot be indexed", self.types.name(array.ty))));
        }
        let number = self.index_number(number, span)?;
        if let Some((of, _)) = self.types.as_array(array.ty) {
            let address = self.address(&array, span)?;
            let element = self.moved(address, &number, of, false, span)?;
            let category = if array.category == Category::Left { Category::Left } else { Category::Expiring };
            return Ok(Value::memory(of, element, category));
        }
        let pointer = self.rvalue(array, span)?;
        let Some(of) = self.types.pointee(pointer.ty) else {
            return Err(fault(span, "this cannot be indexed"));
        };
        if of.is_void() || self.types.is_function(of) {
            return Err(fault(
                span,
                format!("a `{}` cannot be indexed; cast it first", self.types.name(pointer.ty)),
            ));
        }
        let base = self.local_in_place(&pointer, span)?;
        let element = self.moved(Address { base, offset: 0 }, &number, of, false, span)?;
        Ok(Value::memory(of, element, Category::Left))
    }

    pub fn is_indexable(&self, ty: TypeId) -> bool {
        self.types.as_array(ty).is_some() || self.types.is_pointer(ty)
    }

    /// A value that later writes do not change, where it is a number in a variable.
    pub fn settled(&mut self, value: Value, span: Span) -> Result<Value> {
        match value.kind {
            ValueKind::Variable(_) | ValueKind::Memory(_) | ValueKind::Bits(..)
                if self.types.is_scalar(value.ty) =>
            {
                self.rvalue(value, span)
            }
            _ => Ok(value),
        }
    }

    /// An index: an integer, or a struct that converts to one.
    pub fn index_number(&mut self, value: Value, span: Span) -> Result<Value> {
        let value = self.rvalue_in_place(value, span)?;
        if value.ty.is_integer() || self.types.as_enum(value.ty).is_some_and(|info| !info.is_scoped) {
            return Ok(value);
        }
        if self.types.as_struct(value.ty).is_some() {
            return self.convert(value, TypeId::LLONG, span);
        }
        Err(fault(span, format!("an index must be an integer, not `{}`", self.types.name(value.ty))))
    }

    /// The address of an element: `address + number * sizeof(of)`, or minus.
    pub fn moved(
        &mut self,
        address: Address,
        number: &Value,
        of: TypeId,
        backwards: bool,
        span: Span,
    ) -> Result<Address> {
        let size = self.size_of(of, span)?;
        let ty = self.ir_type(number.ty, span)?;
        let is_signed = self.types.underlying(number.ty).is_signed();
        if let ValueKind::Constant(bits) = number.kind {
            let count = if is_signed { crate::passes::fold::signed(ty, bits) } else { bits as i64 };
            if let Some(by) = count.checked_mul(size as i64) {
                let by = if backwards { -by } else { by };
                if let Some(offset) = address.offset.checked_add(by) {
                    return Ok(Address { offset, ..address });
                }
            }
        }
        let local = self.local_in_place(number, span)?;
        let wide = self.resize(local, Type::I64, is_signed);
        let scaled = if size == 1 {
            wide
        } else {
            let by = self.b().constant(Type::I64, size);
            self.b().binary(Binary::Mul, wide, by)
        };
        let op = if backwards { Binary::Sub } else { Binary::Add };
        let base = self.b().binary(op, address.base, scaled);
        Ok(Address { base, offset: address.offset })
    }

    pub fn offset_of(&mut self, ty: &ast::Type, path: &[ast::Symbol], span: Span) -> Result<Value> {
        let mut at = self.resolve_type(ty)?;
        let mut offset = 0;
        for &symbol in path {
            let Some(id) = self.types.as_struct(at) else {
                return Err(fault(span, "offsetof needs a struct"));
            };
            self.complete_record(id, span)?;
            let found = self.lookup_member(Key::Name(symbol), id)?;
            let Some(Entity::Field(field)) = found.first() else {
                return Err(fault(span, format!("there is no field `{}`", self.text(symbol))));
            };
            offset += field.offset + self.types.base_offset(id, field.owner).unwrap_or(0);
            at = field.ty;
        }
        Ok(Value::constant(Constant::size(offset)))
    }

    /// `std::move(x)`, `std::forward<T>(x)`, `__builtin_*` and destructor calls: what is not an ordinary function.
    pub fn special_call(&mut self, function: &Expr, arguments: &[Expr], span: Span) -> Result<Option<Value>> {
        if let ExprKind::Member { object, arrow, member } = &function.kind
            && let Identifier::Destructor(_) = member.last.id
        {
            let mut value = self.expr(object)?;
            if *arrow {
                value = self.deref(value, span)?;
            }
            if let Some(id) = self.types.as_struct(value.ty) {
                let address = self.address(&value, span)?;
                self.destroy(address, id, span)?;
            }
            return Ok(Some(Value::void()));
        }
        let ExprKind::Name(name) = &function.kind else { return Ok(None) };
        let Identifier::Name(symbol) = name.last.id else { return Ok(None) };
        match self.text(symbol) {
            "__builtin_expect" | "__builtin_assume_aligned" => match arguments.first() {
                Some(first) => Ok(Some(self.expr(first)?)),
                None => Ok(None),
            },
            "__builtin_constant_p" => Ok(Some(Value::constant(Constant::int(0)))),
            "__builtin_is_constant_evaluated" => {
                Ok(Some(Value::constant(Constant::bool(self.frame.is_constant))))
            }
            _ => Ok(None),
        }
    }
}

/// The type of an integer literal by C++'s table.
fn integer_literal(value: u64, unsigned: bool, longs: u8, decimal: bool) -> Constant {
    let fits_int = value <= i32::MAX as u64;
    let fits_uint = value <= u64::from(u32::MAX);
    let fits_long = value <= i64::MAX as u64;
    let ty = match (unsigned, longs) {
        (false, 0) if fits_int => TypeId::INT,
        (false, 0) if !decimal && fits_uint => TypeId::UINT,
        (false, 0 | 1) if fits_long => TypeId::LONG,
        (false, 0 | 1) => TypeId::ULONG,
        (false, _) if fits_long => TypeId::LLONG,
        (false, _) => TypeId::ULLONG,
        (true, 0) if fits_uint => TypeId::UINT,
        (true, 0 | 1) => TypeId::ULONG,
        (true, _) => TypeId::ULLONG,
    };
    Constant { ty, bits: value }
}

fn refusal(what: &str) -> String {
    let instead = match what {
        "throw" | "try" => "use assert or write a status to an array",
        "typeid" | "dynamic_cast" => "use templates or an enum that says what it is",
        _ => "write it without",
    };
    format!("`{what}` is not supported in kernels; {instead}")
}
