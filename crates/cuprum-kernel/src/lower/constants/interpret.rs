//! Runs IR at compile time: `constexpr` functions and first values. Steps, memory and depth are bounded.

use std::collections::HashMap;
use std::rc::Rc;

use crate::Span;
use crate::ir::{self, BlockId, End, FunctionId, GlobalId, Local, Op, StringId};
use crate::passes::fold;

use crate::lower::{InstanceId, Lowering, Result, fault};

/// No evaluation is deeper in calls than this.
const MAX_CALLS: usize = 512;
/// No evaluation uses more memory than this.
const MAX_BYTES: usize = 1 << 26;

/// What an address in a result points to.
#[derive(Clone, Copy)]
pub(crate) enum AddressTarget {
    Global(GlobalId),
    String(StringId),
}

struct Object {
    bytes: Vec<u8>,
    is_writable: bool,
    target: Option<AddressTarget>,
}

/// Memory while code runs at compile time: an address is an object's number, from 1, and an offset in it.
#[derive(Default)]
pub(crate) struct Memory {
    objects: Vec<Object>,
    globals: HashMap<u32, u64>,
    strings: HashMap<u32, u64>,
    bytes: usize,
}

impl Memory {
    fn add(&mut self, bytes: Vec<u8>, is_writable: bool, target: Option<AddressTarget>) -> Option<u64> {
        self.bytes += bytes.len();
        if self.bytes > MAX_BYTES {
            return None;
        }
        self.objects.push(Object { bytes, is_writable, target });
        Some((self.objects.len() as u64) << 32)
    }

    /// What an address points to, with the offset in it.
    pub fn target(&self, address: u64) -> Option<(AddressTarget, i64)> {
        let object = self.objects.get(((address >> 32) as usize).checked_sub(1)?)?;
        Some((object.target?, (address & 0xffff_ffff) as i64))
    }

    fn range(&mut self, address: u64, bytes: usize) -> Option<(usize, usize)> {
        let object = ((address >> 32) as usize).checked_sub(1)?;
        let at = (address & 0xffff_ffff) as usize;
        let end = at.checked_add(bytes)?;
        (end <= self.objects.get(object)?.bytes.len()).then_some((object, at))
    }

    fn read(&mut self, address: u64, bytes: usize) -> Option<&[u8]> {
        let (object, at) = self.range(address, bytes)?;
        self.objects[object].bytes.get(at..at + bytes)
    }

    fn write(&mut self, address: u64, value: &[u8]) -> Option<()> {
        let (object, at) = self.range(address, value.len())?;
        let object = &mut self.objects[object];
        if !object.is_writable {
            return None;
        }
        object.bytes.get_mut(at..at + value.len())?.copy_from_slice(value);
        Some(())
    }
}

struct Call {
    function: Rc<ir::Function>,
    locals: Vec<u64>,
    slots: Vec<u64>,
    block: BlockId,
    at: usize,
    /// Where the caller wants the result.
    dst: Option<Local>,
}

impl Call {
    fn new(function: Rc<ir::Function>, args: &[u64], dst: Option<Local>) -> Call {
        let mut locals = vec![0; function.locals.len()];
        for (param, value) in function.params.iter().zip(args) {
            locals[param.index()] = *value;
        }
        let slots = vec![0; function.slots.len()];
        Call { function, locals, slots, block: BlockId(0), at: 0, dst }
    }
}

impl Lowering {
    /// Runs a function without parameters for its result.
    pub fn run_function(&mut self, function: ir::Function, span: Span) -> Result<u64> {
        let mut memory = Memory::default();
        self.run(function, &mut memory, span)
    }

    /// Runs a function that returns an address, for the bytes there.
    pub fn run_for_bytes(
        &mut self,
        function: ir::Function,
        bytes: usize,
        span: Span,
    ) -> Result<(Vec<u8>, Memory)> {
        let mut memory = Memory::default();
        let address = self.run(function, &mut memory, span)?;
        match memory.read(address, bytes) {
            Some(found) => {
                let found = found.to_vec();
                Ok((found, memory))
            }
            None => Err(fault(span, "this is not a constant")),
        }
    }

    fn run(&mut self, function: ir::Function, memory: &mut Memory, span: Span) -> Result<u64> {
        let mut cache: HashMap<u32, Rc<ir::Function>> = HashMap::new();
        let mut stack = vec![Call::new(Rc::new(function), &[], None)];
        loop {
            let Some(call) = stack.last_mut() else { return Err(fault(span, "this is not a constant")) };
            if self.steps == 0 {
                return Err(fault(span, "computing this constant takes too long"));
            }
            self.steps -= 1;
            let function = call.function.clone();
            let Some(block) = function.blocks.get(call.block.index()) else {
                return Err(fault(span, "this is not a constant"));
            };
            if let Some(inst) = block.insts.get(call.at) {
                call.at += 1;
                if let Op::Call { dst, function: callee, args } = &inst.op {
                    let values: Vec<u64> = args.iter().map(|arg| call.locals[arg.index()]).collect();
                    let body = self.called_body(*callee, &mut cache, inst.span)?;
                    if stack.len() >= MAX_CALLS {
                        return Err(fault(inst.span, "this constant needs calls nested too deep"));
                    }
                    stack.push(Call::new(body, &values, *dst));
                    continue;
                }
                self.step_op(call, &inst.op, memory, inst.span)?;
                continue;
            }
            let get = |local: Local| call.locals[local.index()];
            match &block.end {
                End::Jump(to) => {
                    call.block = *to;
                    call.at = 0;
                }
                End::Branch { cond, then, otherwise } => {
                    call.block = if get(*cond) != 0 { *then } else { *otherwise };
                    call.at = 0;
                }
                End::Switch { value, cases, default } => {
                    let value = get(*value);
                    call.block =
                        cases.iter().find(|(case, _)| *case == value).map_or(*default, |(_, to)| *to);
                    call.at = 0;
                }
                End::Return(value) => {
                    let value = value.map_or(0, get);
                    let dst = call.dst;
                    stack.pop();
                    match stack.last_mut() {
                        Some(caller) => {
                            if let Some(dst) = dst {
                                caller.locals[dst.index()] = value;
                            }
                        }
                        None => return Ok(value),
                    }
                }
                End::Unreachable => return Err(fault(span, "this is not a constant")),
            }
        }
    }

    fn called_body(
        &mut self,
        id: FunctionId,
        cache: &mut HashMap<u32, Rc<ir::Function>>,
        span: Span,
    ) -> Result<Rc<ir::Function>> {
        if let Some(known) = cache.get(&id.0) {
            return Ok(known.clone());
        }
        if crate::lower::expressions::function_pointers::is_pending_id(id) {
            return Err(fault(
                span,
                "this is not a constant: the function is known only when the kernel runs",
            ));
        }
        self.lower_instance(InstanceId(id.0))?;
        let function = &self.module.functions[id.index()];
        if function.blocks.is_empty() {
            return Err(fault(span, "this is not a constant: the function is needed to compute itself"));
        }
        let function = Rc::new(function.clone());
        cache.insert(id.0, function.clone());
        Ok(function)
    }

    fn step_op(&mut self, call: &mut Call, op: &Op, memory: &mut Memory, span: Span) -> Result<()> {
        let function = call.function.clone();
        let ty = |local: Local| function.locals[local.index()].ty;
        let bad_address = || {
            fault(span, "this is not a constant: it reads or writes memory that is not there at compile time")
        };
        let too_large = || fault(span, "computing this constant needs too much memory");
        let locals = &call.locals;
        let get = |local: Local| locals[local.index()];
        let (dst, value) = match op {
            Op::Const { dst, bits } => (*dst, *bits),
            Op::Copy { dst, src } => (*dst, get(*src)),
            Op::Unary { dst, op, src } => (*dst, fold::unary(*op, ty(*dst), get(*src))),
            Op::Binary { dst, op, a, b } => {
                use ir::Binary as B;
                if matches!(op, B::DivS | B::DivU | B::RemS | B::RemU) && get(*b) == 0 {
                    return Err(fault(span, "this is not a constant: it divides by zero"));
                }
                (*dst, fold::binary(*op, ty(*dst), get(*a), get(*b)))
            }
            Op::Compare { dst, op, a, b } => (*dst, u64::from(fold::compare(*op, ty(*a), get(*a), get(*b)))),
            Op::Convert { dst, kind, src } => (*dst, fold::convert(*kind, ty(*src), ty(*dst), get(*src))),
            Op::Select { dst, cond, a, b } => (*dst, if get(*cond) != 0 { get(*a) } else { get(*b) }),
            Op::Fma { dst, a, b, c } => (*dst, fold::fma(ty(*dst), get(*a), get(*b), get(*c))),
            Op::Load { dst, addr, offset, .. } => {
                let bytes = ty(*dst).bytes() as usize;
                let address = get(*addr).wrapping_add(*offset as u64);
                let found = memory.read(address, bytes).ok_or_else(bad_address)?;
                let mut word = [0; 8];
                word[..bytes].copy_from_slice(found);
                (*dst, u64::from_le_bytes(word))
            }
            Op::Store { addr, offset, src, .. } => {
                let bytes = ty(*src).bytes() as usize;
                let word = get(*src).to_le_bytes();
                let address = get(*addr).wrapping_add(*offset as u64);
                memory.write(address, &word[..bytes]).ok_or_else(bad_address)?;
                return Ok(());
            }
            Op::CopyBytes { to, from, bytes } => {
                let found = memory.read(get(*from), *bytes as usize).ok_or_else(bad_address)?.to_vec();
                memory.write(get(*to), &found).ok_or_else(bad_address)?;
                return Ok(());
            }
            Op::CopyMembers { to, to_offset, from, from_offset, bytes, .. } => {
                let from = get(*from).wrapping_add(*from_offset as u64);
                let to = get(*to).wrapping_add(*to_offset as u64);
                let found = memory.read(from, *bytes as usize).ok_or_else(bad_address)?.to_vec();
                memory.write(to, &found).ok_or_else(bad_address)?;
                return Ok(());
            }
            Op::Undefined { .. } | Op::UndefinedBytes { .. } | Op::Written { .. } => return Ok(()),
            Op::ZeroBytes { to, bytes } => {
                if *bytes as usize > MAX_BYTES {
                    return Err(too_large());
                }
                memory.write(get(*to), &vec![0; *bytes as usize]).ok_or_else(bad_address)?;
                return Ok(());
            }
            Op::SlotAddress { dst, slot } => {
                let known = call.slots[slot.index()];
                let address = if known != 0 {
                    known
                } else {
                    let bytes = function.slots[slot.index()].bytes as usize;
                    if bytes > MAX_BYTES {
                        return Err(too_large());
                    }
                    let made = memory.add(vec![0; bytes], true, None).ok_or_else(too_large)?;
                    call.slots[slot.index()] = made;
                    made
                };
                (*dst, address)
            }
            Op::GlobalAddress { dst, global } => {
                (*dst, self.global_object(memory, *global).ok_or_else(too_large)?)
            }
            Op::StringAddress { dst, string } => {
                (*dst, self.string_object(memory, *string).ok_or_else(too_large)?)
            }
            Op::Assert { condition, message } => {
                if get(*condition) == 0 {
                    let text = &self.module.strings[message.index()];
                    return Err(fault(span, format!("an assertion fails at compile time: {text}")));
                }
                return Ok(());
            }
            Op::Math { .. } => {
                return Err(fault(span, "this is not a constant: library functions run only in kernels"));
            }
            _ => return Err(fault(span, "this is not a constant: it is known only when the kernel runs")),
        };
        call.locals[dst.index()] = value;
        Ok(())
    }

    /// The address of a global variable, and of all that it points to.
    fn global_object(&mut self, memory: &mut Memory, global: GlobalId) -> Option<u64> {
        if let Some(address) = memory.globals.get(&global.0) {
            return Some(*address);
        }
        let mut waiting = vec![global];
        while let Some(id) = waiting.pop() {
            if memory.globals.contains_key(&id.0) {
                continue;
            }
            let info = &self.module.globals[id.index()];
            // Memory that a launch may have changed has no value yet.
            let bytes = if info.constant { info.bytes.clone() } else { Vec::new() };
            let made = memory.add(bytes, false, Some(AddressTarget::Global(id)))?;
            memory.globals.insert(id.0, made);
            if !info.constant {
                continue;
            }
            for pointer in info.addresses.clone() {
                let target = match pointer.target {
                    ir::PointerTarget::String(string) => self.string_object(memory, string)?,
                    ir::PointerTarget::Global(other) => match memory.globals.get(&other.0) {
                        Some(address) => *address,
                        // Once more when what it points to is there.
                        None => {
                            waiting.push(other);
                            continue;
                        }
                    },
                };
                let word = target.wrapping_add(pointer.addend as u64).to_le_bytes();
                let at = (made >> 32) as usize - 1;
                let offset = pointer.offset as usize;
                memory.objects[at].bytes.get_mut(offset..offset + 8)?.copy_from_slice(&word);
            }
        }
        self.link_globals(memory)?;
        memory.globals.get(&global.0).copied()
    }

    /// Writes the addresses of global variables into those that point to them.
    fn link_globals(&mut self, memory: &mut Memory) -> Option<()> {
        let known: Vec<(u32, u64)> = memory.globals.iter().map(|(id, address)| (*id, *address)).collect();
        for (id, address) in known {
            let info = &self.module.globals[id as usize];
            if !info.constant {
                continue;
            }
            for pointer in &info.addresses {
                if let ir::PointerTarget::Global(other) = pointer.target {
                    let target = *memory.globals.get(&other.0)?;
                    let word = target.wrapping_add(pointer.addend as u64).to_le_bytes();
                    let offset = pointer.offset as usize;
                    let object = &mut memory.objects[(address >> 32) as usize - 1];
                    object.bytes.get_mut(offset..offset + 8)?.copy_from_slice(&word);
                }
            }
        }
        Some(())
    }

    fn string_object(&mut self, memory: &mut Memory, string: StringId) -> Option<u64> {
        if let Some(address) = memory.strings.get(&string.0) {
            return Some(*address);
        }
        let mut bytes = self.module.strings[string.index()].clone().into_bytes();
        bytes.push(0);
        let made = memory.add(bytes, false, Some(AddressTarget::String(string)))?;
        memory.strings.insert(string.0, made);
        Some(made)
    }
}
