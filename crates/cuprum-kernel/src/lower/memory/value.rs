//! What expressions are while they are lowered, and how they are read and written.

use std::collections::HashMap;
use std::rc::Rc;

use crate::Span;
use crate::ast::Symbol;
use crate::check::constant::Constant;
use crate::check::types::{BitField, StructId, TypeId};
use crate::ir::{self, Binary, BlockId, Compare, Convert, Local, Op, SlotId, StringId, Type};

use crate::lower::names::scope::{FuncId, ScopeId, TemplateArg};
use crate::lower::{Builder, InstanceId, Lowering, Result, fault};

/// What an expression has computed. Its type is never a reference.
#[derive(Clone)]
pub(crate) struct Value {
    pub ty: TypeId,
    pub kind: ValueKind,
    pub category: Category,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Category {
    /// It has a name.
    Left,
    /// It has a name, and may be moved from.
    Expiring,
    /// A temporary.
    Right,
}

#[derive(Clone)]
pub(crate) enum ValueKind {
    /// A number known at compile time, by its bits.
    Constant(u64),
    /// A number in a local that nothing else writes.
    Local(Local),
    /// A variable of this frame that is a local, by its number.
    Variable(u32),
    /// An object in memory.
    Memory(Address),
    /// A bit-field.
    Bits(Address, BitField),
    /// A string literal.
    Text(StringId),
    /// Functions of one name.
    Functions(Rc<Functions>),
    /// A function known at compile time, or a pointer to it.
    Instance(InstanceId),
    /// `threadIdx` and its like.
    Index(Index),
    /// Function parameters that a pack stands for.
    Pack,
    Void,
}

/// `base + offset`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Address {
    pub base: Local,
    pub offset: i64,
}

/// The variables of the launch that have three parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Index {
    Thread,
    Block,
    BlockSize,
    GridSize,
}

impl Index {
    pub fn special(self, axis: u8) -> ir::Special {
        match self {
            Index::Thread => ir::Special::ThreadIdx(axis),
            Index::Block => ir::Special::BlockIdx(axis),
            Index::BlockSize => ir::Special::BlockDim(axis),
            Index::GridSize => ir::Special::GridDim(axis),
        }
    }
}

/// What a call may call.
pub(crate) struct Functions {
    pub name: String,
    pub candidates: Vec<FuncId>,
    pub builtin: Option<&'static crate::builtins::Builtin>,
    /// Template arguments as written, resolved.
    pub explicit: Option<Vec<TemplateArg>>,
    /// The object of a member function.
    pub object: Option<Value>,
    /// Whether functions of the arguments' namespaces are candidates too.
    pub by_argument: Option<crate::lower::names::scope::Key>,
    /// Whether a virtual function is called as named (`Base::f()`), not as the object says.
    pub direct: bool,
    pub span: Span,
}

/// A variable of a frame that is a local. It is moved to a slot at the end if its address was taken.
pub(crate) struct FrameVariable {
    pub local: Local,
    pub slot: Option<SlotId>,
}

/// Where `break` and `continue` lead.
#[derive(Clone)]
pub(crate) struct JumpTarget {
    pub leave: BlockId,
    /// `None` for a `switch`.
    pub next: Option<BlockId>,
    /// How many objects are alive there.
    pub objects: usize,
}

/// A `switch` whose cases are being collected.
pub(crate) struct Switch {
    pub ty: TypeId,
    pub cases: Vec<(u64, BlockId)>,
    pub default: Option<BlockId>,
}

/// A place that `goto` leads to.
pub(crate) struct Label {
    pub block: BlockId,
    pub defined: bool,
    pub used: Span,
}

/// A function that is being lowered.
pub(crate) struct Frame {
    pub number: u32,
    pub b: Builder,
    pub variables: Vec<FrameVariable>,
    pub targets: Vec<JumpTarget>,
    pub switches: Vec<Switch>,
    pub labels: HashMap<Symbol, Label>,
    /// Objects whose destructors run at the end of their blocks.
    pub objects: Vec<(Address, StructId)>,
    /// Temporaries whose destructors run at the end of the statement.
    pub temporaries: Vec<(Address, StructId)>,
    /// How deep in operands that may not be evaluated.
    pub conditional: u32,
    /// What `this` points to, and the pointer.
    pub this: Option<(TypeId, Local)>,
    /// A lambda's closure.
    pub closure: Option<(StructId, Local, bool)>,
    /// The result's type; `None` where the first `return` decides.
    pub result: Option<TypeId>,
    /// `auto` with its qualifiers: what the deduced result is made of.
    pub deduced: bool,
    /// Where a struct goes.
    pub result_address: Option<Local>,
    pub is_kernel: bool,
    /// Compile-time evaluation: variables of other frames are not there.
    pub is_constant: bool,
    /// The function, for static variables.
    pub instance: Option<InstanceId>,
    /// Where the text names the memory at an address: what reads and writes of it are shown by, rather than by the
    /// operator that takes or gives the value.
    pub places: HashMap<(Local, i64), Span>,
}

impl Frame {
    pub fn new(number: u32, name: String, span: Span) -> Frame {
        Frame {
            number,
            b: Builder::new(name, span),
            variables: Vec::new(),
            targets: Vec::new(),
            switches: Vec::new(),
            labels: HashMap::new(),
            objects: Vec::new(),
            temporaries: Vec::new(),
            conditional: 0,
            this: None,
            closure: None,
            result: None,
            deduced: false,
            result_address: None,
            is_kernel: false,
            is_constant: false,
            places: HashMap::new(),
            instance: None,
        }
    }
}

impl Value {
    pub fn constant(constant: Constant) -> Value {
        Value { ty: constant.ty.bare(), kind: ValueKind::Constant(constant.bits), category: Category::Right }
    }

    pub fn local(ty: TypeId, local: Local) -> Value {
        Value { ty: ty.bare(), kind: ValueKind::Local(local), category: Category::Right }
    }

    pub fn memory(ty: TypeId, address: Address, category: Category) -> Value {
        Value { ty, kind: ValueKind::Memory(address), category }
    }

    pub fn void() -> Value {
        Value { ty: TypeId::VOID, kind: ValueKind::Void, category: Category::Right }
    }

    pub fn as_constant(&self) -> Option<Constant> {
        match self.kind {
            ValueKind::Constant(bits) => Some(Constant { ty: self.ty, bits }),
            _ => None,
        }
    }
}

impl Lowering {
    /// The builder of the current function.
    pub fn b(&mut self) -> &mut Builder {
        &mut self.frame.b
    }

    pub fn ir_type(&self, ty: TypeId, span: Span) -> Result<Type> {
        self.types.ir(ty).ok_or_else(|| {
            fault(span, format!("a value of type `{}` cannot be used here", self.types.name(ty)))
        })
    }

    /// The size of a complete type.
    pub fn size_of(&mut self, ty: TypeId, span: Span) -> Result<u64> {
        Ok(self.layout_of(ty, span)?.0)
    }

    /// Size and alignment of a complete type.
    pub fn layout_of(&mut self, ty: TypeId, span: Span) -> Result<(u64, u64)> {
        self.complete(ty, span)?;
        self.types.layout(ty).ok_or_else(|| {
            fault(
                span,
                format!("`{}` has no size: it is void, a function or not defined", self.types.name(ty)),
            )
        })
    }

    /// A new variable that is a local.
    pub fn new_variable(&mut self, ty: Type, name: &str) -> u32 {
        let local = self.b().variable(ty, name.to_owned());
        self.frame.variables.push(crate::lower::memory::value::FrameVariable { local, slot: None });
        self.frame.variables.len() as u32 - 1
    }

    /// New memory of the frame.
    pub fn new_memory(&mut self, name: &str, ty: TypeId, span: Span) -> Result<Address> {
        let (bytes, align) = self.layout_of(ty, span)?;
        let slot = self.new_slot(name, bytes, align, span)?;
        Ok(self.slot_address(slot))
    }

    pub fn new_slot(&mut self, name: &str, bytes: u64, align: u64, span: Span) -> Result<SlotId> {
        if bytes > 1 << 24 {
            return Err(fault(
                span,
                format!("`{name}` of {bytes} bytes is too large for local memory (512 KiB a thread)"),
            ));
        }
        Ok(self.b().slot(name, bytes, align))
    }

    pub fn slot_address(&mut self, slot: SlotId) -> Address {
        let base = self.b().local(Type::POINTER);
        self.b().emit(Op::SlotAddress { dst: base, slot });
        Address { base, offset: 0 }
    }

    /// The address as one number.
    pub fn pointer(&mut self, address: Address) -> Local {
        if address.offset == 0 {
            return address.base;
        }
        let by = self.b().constant(Type::I64, address.offset as u64);
        self.b().binary(Binary::Add, address.base, by)
    }

    /// Where an object is. Temporaries that are numbers get memory; variables that are locals will be moved to some.
    pub fn address(&mut self, value: &Value, span: Span) -> Result<Address> {
        match &value.kind {
            ValueKind::Memory(address) => Ok(*address),
            ValueKind::Variable(index) => {
                let variable = &self.frame.variables[*index as usize];
                let local = variable.local;
                let slot = match variable.slot {
                    Some(slot) => slot,
                    None => {
                        let bytes = u64::from(self.b().type_of(local).bytes());
                        let name = self.frame.b.function.locals[local.index()].name.clone();
                        let slot = self.b().slot(&name, bytes, bytes);
                        self.frame.variables[*index as usize].slot = Some(slot);
                        slot
                    }
                };
                Ok(self.slot_address(slot))
            }
            ValueKind::Text(string) => {
                let base = self.b().local(Type::POINTER);
                self.b().emit(Op::StringAddress { dst: base, string: *string });
                Ok(Address { base, offset: 0 })
            }
            ValueKind::Constant(_) | ValueKind::Local(_) => {
                let src = self.local(value, span)?;
                let address = self.new_memory("", value.ty, span)?;
                self.b().store(address.base, 0, src);
                Ok(address)
            }
            ValueKind::Index(index) => {
                let address = self.new_memory("", value.ty, span)?;
                for axis in 0..3 {
                    let dst = self.b().local(Type::I32);
                    self.b().emit(Op::Special { dst, register: index.special(axis) });
                    self.b().store(address.base, i64::from(axis) * 4, dst);
                }
                Ok(address)
            }
            ValueKind::Bits(..) => {
                Err(fault(span, "a bit-field has no address: copy it to a variable first"))
            }
            ValueKind::Void => Err(fault(span, "this has no value: it is void")),
            ValueKind::Functions(set) => Err(fault(
                span,
                format!("`{}` is a function: call it, or give it as a template argument", set.name),
            )),
            ValueKind::Instance(_) if self.types.is_pointer(value.ty) => {
                let src = self.local(value, span)?;
                let address = self.new_memory("", value.ty, span)?;
                self.b().store(address.base, 0, src);
                Ok(address)
            }
            ValueKind::Instance(_) => Err(fault(span, "a function is no object: take its address with &")),
            ValueKind::Pack => Err(fault(span, "a parameter pack must be expanded with `...`")),
        }
    }

    /// The number that a value is, in a local that later writes do not change.
    pub fn local(&mut self, value: &Value, span: Span) -> Result<Local> {
        let local = self.local_in_place(value, span)?;
        if matches!(value.kind, ValueKind::Variable(_)) {
            let ty = self.frame.b.type_of(local);
            let dst = self.b().local(ty);
            self.b().emit(Op::Copy { dst, src: local });
            return Ok(dst);
        }
        Ok(local)
    }

    /// The number that a value is; a variable's own local, to be read before anything is written.
    pub fn local_in_place(&mut self, value: &Value, span: Span) -> Result<Local> {
        match &value.kind {
            ValueKind::Constant(bits) => {
                let ty = self.ir_type(value.ty, span)?;
                Ok(self.b().constant(ty, *bits))
            }
            ValueKind::Local(local) => Ok(*local),
            ValueKind::Variable(index) => Ok(self.frame.variables[*index as usize].local),
            ValueKind::Memory(address) => {
                let ty = self.ir_type(value.ty, span)?;
                let dst = self.b().local(ty);
                let volatile = value.ty.is_volatile();
                let Address { base, offset } = *address;
                self.emit_at_place(*address, Op::Load { dst, addr: base, offset, volatile });
                if self.types.underlying(value.ty).is_bool() {
                    // Arrays may hold any byte: every one but zero is true.
                    let zero = self.b().constant(ty, 0);
                    return Ok(self.b().compare(Compare::Ne, dst, zero));
                }
                Ok(dst)
            }
            ValueKind::Bits(address, place) => self.load_bits(value.ty, *address, *place, span),
            ValueKind::Functions(set) => Err(fault(
                span,
                format!("`{}` is a function: call it with (), or give it as a template argument", set.name),
            )),
            ValueKind::Instance(id) => Ok(self.function_number(*id)),
            ValueKind::Void => Err(fault(span, "this has no value: it is void")),
            ValueKind::Pack => Err(fault(span, "a parameter pack must be expanded with `...`")),
            ValueKind::Text(_) | ValueKind::Index(_) => Err(fault(
                span,
                format!("a value of type `{}` cannot be used here", self.types.name(value.ty)),
            )),
        }
    }

    /// Emits an access of memory, with the variable that it is to, if there is one.
    fn emit_at_place(&mut self, address: Address, op: Op) {
        let before = self.b().span;
        if let Some(place) = self.frame.places.get(&(address.base, address.offset)) {
            let place = *place;
            self.b().span = place;
        }
        self.b().emit(op);
        self.b().span = before;
    }

    /// Remembers where an expression names memory.
    pub fn note_place(&mut self, value: &Value, span: Span) {
        if let ValueKind::Memory(address) = &value.kind {
            self.frame.places.insert((address.base, address.offset), span);
        }
    }

    fn load_bits(&mut self, ty: TypeId, address: Address, place: BitField, span: Span) -> Result<Local> {
        let unit = self.ir_type(ty, span)?;
        let width = unit.bytes() * 8;
        let word = self.b().local(unit);
        self.b().emit(Op::Load {
            dst: word,
            addr: address.base,
            offset: address.offset,
            volatile: ty.is_volatile(),
        });
        let is_signed = self.types.underlying(ty).is_signed();
        let up = self.b().constant(unit, u64::from(width - place.shift - place.width));
        let down = self.b().constant(unit, u64::from(width - place.width));
        let raised = self.b().binary(Binary::Shl, word, up);
        Ok(self.b().binary(if is_signed { Binary::ShrS } else { Binary::ShrU }, raised, down))
    }

    /// Writes a number of the value's own type.
    pub fn store(&mut self, target: &Value, src: Local, span: Span) -> Result<()> {
        match &target.kind {
            ValueKind::Variable(index) => {
                let dst = self.frame.variables[*index as usize].local;
                self.b().emit(Op::Copy { dst, src });
            }
            ValueKind::Memory(address) => {
                let Address { base, offset } = *address;
                let volatile = target.ty.is_volatile();
                self.emit_at_place(*address, Op::Store { addr: base, offset, src, volatile });
            }
            ValueKind::Bits(address, place) => {
                let unit = self.ir_type(target.ty, span)?;
                let volatile = target.ty.is_volatile();
                let ones = if place.width >= 64 { u64::MAX } else { (1 << place.width) - 1 };
                let word = self.b().local(unit);
                let Address { base, offset } = *address;
                self.b().emit(Op::Written { to: base, offset, bytes: u64::from(unit.bytes()) });
                self.b().emit(Op::Load { dst: word, addr: base, offset, volatile });
                let keep = self.b().constant(unit, !(ones << place.shift) & crate::passes::fold::mask(unit));
                let kept = self.b().binary(Binary::And, word, keep);
                let low = self.b().constant(unit, ones);
                let cut = self.b().binary(Binary::And, src, low);
                let shift = self.b().constant(unit, u64::from(place.shift));
                let raised = self.b().binary(Binary::Shl, cut, shift);
                let joined = self.b().binary(Binary::Or, kept, raised);
                self.b().emit(Op::Store { addr: base, offset, src: joined, volatile });
            }
            _ => return Err(fault(span, "this cannot be assigned to: it is not a variable")),
        }
        Ok(())
    }

    /// The value as a temporary: variables and memory that hold numbers are read.
    pub fn rvalue(&mut self, value: Value, span: Span) -> Result<Value> {
        match value.kind {
            ValueKind::Variable(_) | ValueKind::Bits(..) => {
                Ok(Value::local(value.ty, self.local(&value, span)?))
            }
            ValueKind::Memory(_) if self.types.is_scalar(value.ty) => {
                Ok(Value::local(value.ty, self.local(&value, span)?))
            }
            ValueKind::Memory(_) | ValueKind::Text(_) if self.types.as_array(value.ty).is_some() => {
                self.decayed(value, span)
            }
            _ => Ok(value),
        }
    }

    /// As [`Lowering::rvalue`], but a variable is read only when the value is used.
    pub fn rvalue_in_place(&mut self, value: Value, span: Span) -> Result<Value> {
        match value.kind {
            ValueKind::Variable(_) => Ok(Value::local(value.ty, self.local_in_place(&value, span)?)),
            _ => self.rvalue(value, span),
        }
    }

    /// An array as a pointer to its first element.
    pub fn decayed(&mut self, value: Value, span: Span) -> Result<Value> {
        let Some((of, _)) = self.types.as_array(value.ty) else { return Ok(value) };
        let address = self.address(&value, span)?;
        let base = self.pointer(address);
        let ty = self.types.pointer(of);
        Ok(Value::local(ty, base))
    }

    /// Copies an object that is only bytes. Small ones number by number, so that they can become locals.
    pub fn copy_bytes(&mut self, to: Address, from: Address, ty: TypeId, span: Span) -> Result<()> {
        let (bytes, align) = self.layout_of(ty, span)?;
        if let Some(leaves) = self.types.leaves(ty, 16) {
            if leaves.is_empty() {
                // The byte of an empty base may be one of a member.
                return Ok(());
            }
            if ty.is_volatile() || leaves.iter().any(|(_, leaf)| leaf.is_volatile()) {
                return self.copy_volatile(to, from, &leaves, (ty.is_volatile(), span));
            }
            let mut members = Vec::new();
            for (offset, leaf) in leaves {
                members.push((offset, self.ir_type(leaf, span)?));
            }
            self.b().emit(Op::CopyMembers {
                to: to.base,
                to_offset: to.offset,
                from: from.base,
                from_offset: from.offset,
                bytes,
                align: align as u32,
                members,
            });
            return Ok(());
        }
        let (to, from) = (self.pointer(to), self.pointer(from));
        self.b().emit(Op::CopyBytes { to, from, bytes });
        Ok(())
    }

    fn copy_volatile(
        &mut self,
        to: Address,
        from: Address,
        leaves: &[(u64, TypeId)],
        (whole, span): (bool, Span),
    ) -> Result<()> {
        let mut values = Vec::new();
        for &(offset, leaf) in leaves {
            let dst = self.ir_type(leaf, span)?;
            let dst = self.b().local(dst);
            let (offset, volatile) = (from.offset + offset as i64, whole || leaf.is_volatile());
            self.b().emit(Op::Load { dst, addr: from.base, offset, volatile });
            values.push(dst);
        }
        for (&(offset, _), src) in leaves.iter().zip(values) {
            let offset = to.offset + offset as i64;
            self.b().emit(Op::Store { addr: to.base, offset, src, volatile: whole });
        }
        Ok(())
    }

    /// Fills an object with zeros.
    pub fn zero(&mut self, to: Address, ty: TypeId, span: Span) -> Result<()> {
        let bytes = self.size_of(ty, span)?;
        if let Some(leaves) = self.types.leaves(ty, 16) {
            for (offset, leaf) in leaves {
                let kind = self.ir_type(leaf, span)?;
                let src = self.b().constant(kind, 0);
                self.b().store(to.base, to.offset + offset as i64, src);
            }
            return Ok(());
        }
        let to = self.pointer(to);
        self.b().emit(Op::ZeroBytes { to, bytes });
        Ok(())
    }

    /// An integer's value in another width.
    pub fn resize(&mut self, local: Local, to: Type, is_signed: bool) -> Local {
        let from = self.frame.b.type_of(local);
        if from == to {
            local
        } else if from.bytes() > to.bytes() {
            self.b().convert(Convert::Narrow, to, local)
        } else if is_signed {
            self.b().convert(Convert::SignExtend, to, local)
        } else {
            self.b().convert(Convert::ZeroExtend, to, local)
        }
    }

    /// Whether a variable's frame is the current one.
    pub fn in_frame(&self, frame: u32) -> bool {
        self.frame.number == frame
    }

    /// A lambda's or a method's own scope has what it needs; the frame is swapped while `then` runs.
    pub fn in_frame_of<T>(
        &mut self,
        frame: Frame,
        scope: ScopeId,
        then: impl FnOnce(&mut Lowering) -> T,
    ) -> (T, Frame) {
        let outer = std::mem::replace(&mut self.frame, frame);
        let result = self.in_scope(scope, then);
        let inner = std::mem::replace(&mut self.frame, outer);
        (result, inner)
    }
}
