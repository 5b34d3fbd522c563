//! Runs a function of one thread, op by op, as the IR says. Slow and plain: it is what passes are measured against.

use cuprum_kernel::ir::{
    Atomic, Binary, BlockId, End, Function, FunctionId, Local, Module, Op, Special, Type,
};
use cuprum_kernel::passes::fold;

/// What can be seen of a run: how it ended, and the memory that it was given.
#[derive(PartialEq, Debug)]
pub struct Outcome {
    pub end: Result<(), &'static str>,
    pub memory: Vec<u8>,
    pub trace: Vec<u64>,
}

/// The bytes of the buffer that every kernel is given.
pub const BUFFER: usize = 256;
const BUFFER_BASE: u64 = 1 << 32;
const STEPS: u64 = 200_000;

struct Machine<'a> {
    module: &'a Module,
    buffer: Vec<u8>,
    /// Slots of all calls that are under way; slot `n` begins at `(n + 2) << 32`.
    slots: Vec<Vec<u8>>,
    params: Vec<u8>,
    trace: Vec<u64>,
    steps: u64,
    input: u64,
}

/// Runs a kernel on the buffer of this number.
pub fn run(module: &Module, kernel: FunctionId, input: u64) -> Outcome {
    let mut state = input.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 12345;
    let buffer = (0..BUFFER)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Small numbers, often equal.
            ((state >> 33) % 7) as u8
        })
        .collect();
    let mut params = BUFFER_BASE.to_le_bytes().to_vec();
    params.extend((input * 3 + 1).to_le_bytes());
    let mut machine =
        Machine { module, buffer, slots: Vec::new(), params, trace: Vec::new(), steps: 0, input };
    let end = machine.call(&module.functions[kernel.index()], &[], 0).map(|_| ());
    Outcome { end, memory: machine.buffer, trace: machine.trace }
}

impl Machine<'_> {
    fn call(&mut self, function: &Function, args: &[u64], depth: u32) -> Result<u64, &'static str> {
        if depth > 20 {
            return Err("too deep");
        }
        let first_slot = self.slots.len();
        self.slots.extend(function.slots.iter().map(|slot| vec![0; slot.bytes as usize]));
        let mut locals = vec![0_u64; function.locals.len()];
        for (param, arg) in function.params.iter().zip(args) {
            locals[param.index()] = *arg;
        }
        let mut block = BlockId(0);
        let result = loop {
            let current = &function.blocks[block.index()];
            for inst in &current.insts {
                self.steps += 1;
                if self.steps > STEPS {
                    return Err("too long");
                }
                self.step(function, &inst.op, &mut locals, first_slot, depth)?;
            }
            self.steps += 1;
            if self.steps > STEPS {
                return Err("too long");
            }
            block = match &current.end {
                End::Jump(to) => *to,
                End::Branch { cond, then, otherwise } => {
                    if locals[cond.index()] != 0 {
                        *then
                    } else {
                        *otherwise
                    }
                }
                End::Switch { value, cases, default } => {
                    let bits = locals[value.index()];
                    cases.iter().find(|case| case.0 == bits).map_or(*default, |case| case.1)
                }
                End::Return(value) => break value.map_or(0, |value| locals[value.index()]),
                End::Unreachable => return Err("unreachable"),
            };
        };
        self.slots.truncate(first_slot);
        Ok(result)
    }

    fn bytes(&mut self, address: u64, count: usize) -> Result<&mut [u8], &'static str> {
        let object = (address >> 32) as usize;
        let offset = (address & 0xffff_ffff) as usize;
        let memory = match object {
            0 => return Err("null"),
            1 => &mut self.buffer,
            n => self.slots.get_mut(n - 2).ok_or("no memory")?,
        };
        memory.get_mut(offset..offset + count).ok_or("out of bounds")
    }

    fn load(&mut self, address: u64, ty: Type) -> Result<u64, &'static str> {
        let mut bits = [0; 8];
        let count = ty.bytes() as usize;
        bits[..count].copy_from_slice(self.bytes(address, count)?);
        Ok(u64::from_le_bytes(bits))
    }

    fn store(&mut self, address: u64, ty: Type, bits: u64) -> Result<(), &'static str> {
        let count = ty.bytes() as usize;
        self.bytes(address, count)?.copy_from_slice(&bits.to_le_bytes()[..count]);
        Ok(())
    }

    fn step(
        &mut self,
        function: &Function,
        op: &Op,
        locals: &mut [u64],
        first_slot: usize,
        depth: u32,
    ) -> Result<(), &'static str> {
        let ty = |local: Local| function.locals[local.index()].ty;
        let get = |local: &Local| locals[local.index()];
        let result = match op {
            Op::Const { bits, .. } => *bits,
            Op::Copy { src, .. } => get(src),
            Op::Unary { op, src, .. } => fold::unary(*op, ty(*src), get(src)),
            Op::Binary { op, a, b, .. } => fold::binary(*op, ty(*a), get(a), get(b)),
            Op::Compare { op, a, b, .. } => u64::from(fold::compare(*op, ty(*a), get(a), get(b))),
            Op::Convert { dst, kind, src } => fold::convert(*kind, ty(*src), ty(*dst), get(src)),
            Op::Select { cond, a, b, .. } => {
                if get(cond) != 0 {
                    get(a)
                } else {
                    get(b)
                }
            }
            Op::Fma { dst, a, b, c } => fold::fma(ty(*dst), get(a), get(b), get(c)),
            Op::Load { dst, addr, offset, .. } => {
                self.load(get(addr).wrapping_add_signed(*offset), ty(*dst))?
            }
            Op::Store { addr, offset, src, volatile } => {
                if *volatile {
                    self.trace.push(get(src));
                }
                return self.store(get(addr).wrapping_add_signed(*offset), ty(*src), get(src));
            }
            Op::CopyBytes { to, from, bytes } => {
                let copied = self.bytes(get(from), *bytes as usize)?.to_vec();
                self.bytes(get(to), *bytes as usize)?.copy_from_slice(&copied);
                return Ok(());
            }
            Op::ZeroBytes { to, bytes } => {
                self.bytes(get(to), *bytes as usize)?.fill(0);
                return Ok(());
            }
            Op::SlotAddress { slot, .. } => (first_slot + slot.index() + 2) as u64 * BUFFER_BASE,
            Op::Parameter { dst, offset } => {
                let count = ty(*dst).bytes() as usize;
                let mut bits = [0; 8];
                bits[..count].copy_from_slice(&self.params[*offset as usize..*offset as usize + count]);
                u64::from_le_bytes(bits)
            }
            Op::Special { register: Special::ThreadIdx(axis), .. } => u64::from(*axis) + self.input,
            Op::Special { .. } => 5,
            Op::Call { dst, function: callee, args } => {
                let args: Vec<u64> = args.iter().map(get).collect();
                let module = self.module;
                let result = self.call(&module.functions[callee.index()], &args, depth + 1)?;
                if let Some(dst) = dst {
                    locals[dst.index()] = result;
                }
                return Ok(());
            }
            Op::Atomic { dst, op: Atomic::Add, addr, value } => {
                let old = self.load(get(addr), ty(*dst))?;
                self.store(get(addr), ty(*dst), fold::binary(Binary::Add, ty(*dst), old, get(value)))?;
                old
            }
            Op::Assert { condition, .. } => {
                return if get(condition) == 0 { Err("assertion") } else { Ok(()) };
            }
            Op::Yield => return Ok(()),
            Op::Fence => {
                self.trace.push(1);
                return Ok(());
            }
            _ => return Err("not run here"),
        };
        if let Some(dst) = op.dst() {
            locals[dst.index()] = result;
        }
        Ok(())
    }
}
