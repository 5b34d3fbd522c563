//! Random modules: a kernel of nested statements over variables, structs in slots and a buffer, and functions that it
//! calls, also with addresses of its slots. Everything is written before it is read.

use cuprum_kernel::Span;
use cuprum_kernel::ir::{
    Atomic, Binary, Compare, Convert, Element, End, FunctionBuilder, FunctionId, Kernel, Local, Module, Op,
    Parameter, ParameterKind, SlotId, Special, Type, Unary,
};

use crate::random::Random;

const TYPES: [Type; 6] = [Type::I8, Type::I16, Type::I32, Type::I64, Type::F32, Type::F64];
/// Bytes of every slot.
const SLOT: u64 = 16;

/// A module and its kernel.
pub fn module(seed: u64) -> (Module, FunctionId) {
    let mut random = Random(seed);
    let mut module = Module { strings: vec!["text".to_owned()], ..Module::default() };
    let count = random.below(4) as u32;
    for index in 0..count {
        let function = Generator::new(&mut random, &module, Some(index)).finish();
        module.functions.push(function);
    }
    let kernel = Generator::new(&mut random, &module, None).finish();
    module.functions.push(kernel);
    (module, FunctionId(count))
}

struct Generator<'a> {
    random: &'a mut Random,
    b: FunctionBuilder,
    /// The parameters and results of functions that may be called.
    callees: Vec<(FunctionId, Vec<Type>, Option<Type>)>,
    itself: Option<FunctionId>,
    variables: Vec<Local>,
    slots: Vec<SlotId>,
    buffer: Local,
    /// Counters of the loops around.
    counters: Vec<Local>,
    /// Addresses that were passed in.
    pointers: Vec<Local>,
    budget: u32,
}

impl<'a> Generator<'a> {
    fn new(random: &'a mut Random, module: &Module, index: Option<u32>) -> Generator<'a> {
        let callees = module.functions.iter().enumerate().map(|(i, function)| {
            let types = function.params.iter().map(|param| function.locals[param.index()].ty);
            (FunctionId(i as u32), types.collect(), function.result)
        });
        let callees: Vec<_> = callees.collect();
        let mut b = match index {
            None => FunctionBuilder::kernel("kernel", kernel()),
            Some(index) => {
                let result = (random.below(3) > 0).then(|| random.pick(&TYPES));
                FunctionBuilder::function(format!("f{index}"), result)
            }
        };
        // Every function is given the buffer, the address of a slot, and some numbers.
        let (buffer, pointers) = if index.is_some() {
            let buffer = b.param(Type::POINTER, "buffer");
            (buffer, vec![b.param(Type::POINTER, "out")])
        } else {
            (b.parameter(Type::POINTER, 0), Vec::new())
        };
        let mut variables = Vec::new();
        if index.is_some() {
            for _ in 0..random.below(3) {
                let ty = random.pick(&TYPES);
                variables.push(b.param(ty, "arg"));
            }
        }
        for ty in TYPES.into_iter().chain(TYPES) {
            let local = b.variable(ty, "v");
            variables.push(local);
            let bits = random.below(5);
            b.push(Op::Const { dst: local, bits });
        }
        let slots: Vec<SlotId> = (0..2 + random.below(3)).map(|_| b.slot("s", SLOT, 8)).collect();
        for &slot in &slots {
            let to = b.slot_address(slot);
            b.push(Op::ZeroBytes { to, bytes: SLOT });
        }
        Generator {
            random,
            b,
            callees,
            itself: index.map(FunctionId),
            variables,
            slots,
            buffer,
            pointers,
            counters: Vec::new(),
            budget: 45,
        }
    }

    fn finish(mut self) -> cuprum_kernel::ir::Function {
        self.statements(0);
        let result = self.b.so_far().result;
        let value = result.map(|ty| self.variable(ty));
        self.b.end(End::Return(value));
        self.b.finish()
    }

    fn variable(&mut self, ty: Type) -> Local {
        let b = &self.b;
        let of_type: Vec<Local> =
            self.variables.iter().copied().filter(|local| b.type_of(*local) == ty).collect();
        self.random.pick(&of_type)
    }

    fn statements(&mut self, depth: u32) {
        for _ in 0..2 + self.random.below(6) {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        match self.random.below(if depth < 3 { 20 } else { 12 }) {
            0..=3 => self.assign(),
            4 if !self.counters.is_empty() => self.access_by_counter(),
            4 | 5 => self.access_slot(),
            6 | 7 => self.access_buffer(),
            8 => self.copy_bytes(),
            9 => {
                let (to, bytes) = self.range();
                self.b.push(Op::ZeroBytes { to, bytes });
            }
            10 => self.call(),
            11 => {
                let op = if self.random.below(2) == 0 { Op::Fence } else { self.atomic() };
                self.b.push(op);
            }
            12..=14 => self.branch(depth),
            15..=17 => self.repeat(depth),
            18 => self.switch(depth),
            _ => self.leave(),
        }
    }

    /// A number, a variable, or an op on such.
    fn value(&mut self, ty: Type, depth: u32) -> Local {
        match self.random.below(if depth > 2 { 3 } else { 9 }) {
            0 => {
                // Never a float of exactly one: a NaN times it may be another NaN.
                let bits = match ty {
                    Type::F32 => u64::from((self.random.below(4) as f32 * 1.5).to_bits()),
                    Type::F64 => (self.random.below(4) as f64 * 1.5).to_bits(),
                    _ => self.random.pick(&[0, 1, 2, 3, 8, 0x7f, 0xff]),
                };
                self.b.constant(ty, bits)
            }
            1 | 2 => self.variable(ty),
            3 if ty == Type::I32 => {
                let axis = self.random.below(3) as u8;
                self.b.special(Special::ThreadIdx(axis))
            }
            3 => self.variable(ty),
            4 => {
                let op = self.unary(ty);
                let src = self.value(ty, depth + 1);
                self.b.unary(op, src)
            }
            5 | 6 => {
                let op = self.binary(ty);
                let a = self.value(ty, depth + 1);
                let b = self.value(ty, depth + 1);
                self.b.binary(op, a, b)
            }
            7 => {
                let cond = self.condition(depth + 1);
                let a = self.value(ty, depth + 1);
                let b = self.value(ty, depth + 1);
                let dst = self.b.local(ty);
                self.b.push(Op::Select { dst, cond, a, b });
                dst
            }
            _ => self.converted(ty, depth),
        }
    }

    fn unary(&mut self, ty: Type) -> Unary {
        if ty.is_float() {
            self.random.pick(&[Unary::FNeg, Unary::FAbs, Unary::Floor])
        } else {
            self.random.pick(&[Unary::Neg, Unary::Not, Unary::CountOnes, Unary::LeadingZeros])
        }
    }

    fn binary(&mut self, ty: Type) -> Binary {
        if ty.is_float() {
            return self.random.pick(&[
                Binary::FAdd,
                Binary::FSub,
                Binary::FMul,
                Binary::FMin,
                Binary::CopySign,
            ]);
        }
        self.random.pick(&[
            Binary::Add,
            Binary::Sub,
            Binary::Mul,
            Binary::DivS,
            Binary::DivU,
            Binary::RemS,
            Binary::RemU,
            Binary::And,
            Binary::Or,
            Binary::Xor,
            Binary::Shl,
            Binary::ShrS,
            Binary::ShrU,
            Binary::MinS,
            Binary::MaxU,
            Binary::MulHighS,
        ])
    }

    fn converted(&mut self, ty: Type, depth: u32) -> Local {
        let (kind, from) = match ty {
            Type::I8 => (Convert::Narrow, self.random.pick(&[Type::I16, Type::I32, Type::I64])),
            Type::I16 => (Convert::ZeroExtend, Type::I8),
            Type::I32 => self.random.pick(&[
                (Convert::SignExtend, Type::I8),
                (Convert::Narrow, Type::I64),
                (Convert::ToS, Type::F32),
                (Convert::Bits, Type::F32),
            ]),
            Type::I64 => {
                self.random.pick(&[(Convert::SignExtend, Type::I32), (Convert::ZeroExtend, Type::I8)])
            }
            Type::F32 => (Convert::FromS, Type::I32),
            Type::F64 => self.random.pick(&[(Convert::FromU, Type::I64), (Convert::Bits, Type::I64)]),
        };
        let src = self.value(from, depth + 1);
        self.b.convert(ty, kind, src)
    }

    fn condition(&mut self, depth: u32) -> Local {
        let ty = self.random.pick(&TYPES);
        let a = self.value(ty, depth + 1);
        let b = if self.random.below(2) == 0 { self.b.constant(ty, 0) } else { self.value(ty, depth + 1) };
        let op = if ty.is_float() {
            self.random.pick(&[Compare::FEq, Compare::FNe, Compare::FLt, Compare::FGe])
        } else {
            self.random.pick(&[
                Compare::Eq,
                Compare::Ne,
                Compare::LtS,
                Compare::LeU,
                Compare::GeU,
                Compare::LtU,
            ])
        };
        let dst = self.b.compare(op, a, b);
        match self.random.below(4) {
            // `!c`, and `c` as an int.
            0 => {
                let zero = self.b.constant(Type::BOOL, 0);
                self.b.compare(Compare::Eq, dst, zero)
            }
            1 => {
                let wide = self.b.convert(Type::I32, Convert::ZeroExtend, dst);
                let zero = self.b.constant(Type::I32, 0);
                self.b.compare(Compare::Ne, wide, zero)
            }
            _ => dst,
        }
    }

    fn assign(&mut self) {
        let ty = self.random.pick(&TYPES);
        let value = self.value(ty, 0);
        let dst = self.variable(ty);
        self.b.push(Op::Copy { dst, src: value });
    }

    /// The address of a place in a slot or the buffer with room for `bytes`, and what is left to add as an offset.
    fn place(&mut self, bytes: u64) -> (Local, i64) {
        let at = self.random.below(SLOT / bytes) * bytes;
        let split = self.random.pick(&[0, at, at / 2]);
        let base = match self.random.below(if self.pointers.is_empty() { 2 } else { 3 }) {
            0 | 1 => {
                let slot = self.random.pick(&self.slots);
                self.b.slot_address(slot)
            }
            _ => self.random.pick(&self.pointers),
        };
        if split == 0 && self.random.below(2) == 0 {
            return (base, at as i64);
        }
        let by = self.b.constant(Type::I64, split);
        let moved = self.b.binary(Binary::Add, base, by);
        (moved, (at - split) as i64)
    }

    fn access_slot(&mut self) {
        let ty = self.random.pick(&TYPES);
        let (addr, offset) = self.place(u64::from(ty.bytes()));
        if self.random.below(2) == 0 {
            let value = self.value(ty, 1);
            self.b.store(addr, offset, value);
        } else {
            let dst = self.variable(ty);
            self.b.push(Op::Load { dst, addr, offset, volatile: false });
        }
    }

    /// An element of a slot, as an array, by a loop's counter.
    fn access_by_counter(&mut self) {
        let counter = self.random.pick(&self.counters);
        let index = self.b.convert(Type::I64, Convert::SignExtend, counter);
        let two = self.b.constant(Type::I64, 2);
        let distance = self.b.binary(Binary::Shl, index, two);
        let slot = self.random.pick(&self.slots);
        let base = self.b.slot_address(slot);
        let addr = self.b.binary(Binary::Add, base, distance);
        let ty = self.random.pick(&[Type::I32, Type::F32]);
        if self.random.below(2) == 0 {
            let value = self.value(ty, 1);
            self.b.store(addr, 0, value);
        } else {
            let dst = self.variable(ty);
            self.b.push(Op::Load { dst, addr, offset: 0, volatile: false });
        }
    }

    /// A place in the buffer by an index that is computed, or one of the other slots by one.
    fn access_buffer(&mut self) {
        let ty = self.random.pick(&TYPES);
        let index = self.value(Type::I64, 1);
        let to_slot = self.random.below(6) == 0;
        // Now and then one element too far.
        let last = if to_slot { 15 } else { 255 };
        let mask = self.b.constant(Type::I64, if self.random.below(30) == 0 { last } else { last & !7 });
        let offset = self.b.binary(Binary::And, index, mask);
        let base = if to_slot {
            let slot = self.random.pick(&self.slots);
            self.b.slot_address(slot)
        } else {
            self.buffer
        };
        let addr = self.b.binary(Binary::Add, base, offset);
        let volatile = self.random.below(12) == 0;
        if self.random.below(2) == 0 {
            let src = self.value(ty, 1);
            self.b.push(Op::Store { addr, offset: 0, src, volatile });
        } else {
            let dst = self.variable(ty);
            self.b.push(Op::Load { dst, addr, offset: 0, volatile });
        }
    }

    fn range(&mut self) -> (Local, u64) {
        let bytes = self.random.pick(&[2, 4, 8, 8, 16, 16]);
        if self.random.below(4) == 0 {
            return (self.buffer, bytes);
        }
        let (addr, offset) = self.place(bytes);
        let by = self.b.constant(Type::I64, offset as u64);
        (self.b.binary(Binary::Add, addr, by), bytes)
    }

    fn copy_bytes(&mut self) {
        // Whole slots or a slot and the buffer, so that ranges are apart or the same.
        let bytes = self.random.pick(&[8, 16, 16]);
        let ends: Vec<Local> = (0..2)
            .map(|_| {
                let slot = self.random.pick(&self.slots);
                if self.random.below(3) == 0 { self.buffer } else { self.b.slot_address(slot) }
            })
            .collect();
        self.b.push(Op::CopyBytes { to: ends[0], from: ends[1], bytes });
    }

    fn atomic(&mut self) -> Op {
        let value = self.value(Type::I32, 1);
        Op::Atomic { dst: self.variable(Type::I32), op: Atomic::Add, addr: self.buffer, value }
    }

    fn call(&mut self) {
        let mut callees = self.callees.clone();
        if let Some(itself) = self.itself.filter(|_| self.random.below(4) == 0) {
            let function = self.b.so_far();
            let types = function.params.iter().map(|param| function.locals[param.index()].ty).collect();
            callees.push((itself, types, function.result));
        }
        if callees.is_empty() {
            return;
        }
        let (function, types, result) = callees[self.random.below(callees.len())].clone();
        let slot = self.random.pick(&self.slots);
        let mut args = vec![self.buffer, self.b.slot_address(slot)];
        args.extend(types.into_iter().skip(2).map(|ty| self.value(ty, 1)));
        let dst = result.map(|ty| self.variable(ty));
        self.b.push(Op::Call { dst, function, args });
    }

    fn branch(&mut self, depth: u32) {
        let cond = self.condition(0);
        let (then, otherwise, after) = (self.b.block(), self.b.block(), self.b.block());
        self.b.branch(cond, then, otherwise);
        for block in [then, otherwise] {
            self.b.switch_to(block);
            if self.random.below(4) > 0 {
                self.statements(depth + 1);
            }
            self.b.jump(after);
        }
        self.b.switch_to(after);
    }

    fn repeat(&mut self, depth: u32) {
        let times = 1 + self.random.below(4);
        let tested_last = self.random.below(3) == 0;
        let counter = self.b.variable(Type::I32, "i");
        self.b.push(Op::Const { dst: counter, bits: 0 });
        let (head, body, after) = (self.b.block(), self.b.block(), self.b.block());
        if tested_last {
            self.b.jump(body);
            self.b.switch_to(body);
            self.counters.push(counter);
            self.statements(depth + 1);
            self.counters.pop();
            let (one, bound) = (self.b.constant(Type::I32, 1), self.b.constant(Type::I32, times));
            self.b.push(Op::Binary { dst: counter, op: Binary::Add, a: counter, b: one });
            let go_on = self.b.compare(Compare::Ne, counter, bound);
            self.b.branch(go_on, body, after);
            self.b.switch_to(head);
            self.b.jump(after);
            self.b.switch_to(after);
            return;
        }
        self.b.jump(head);
        self.b.switch_to(head);
        let bound = self.b.constant(Type::I32, times);
        let go_on = self.b.compare(Compare::LtS, counter, bound);
        self.b.branch(go_on, body, after);
        self.b.switch_to(body);
        self.counters.push(counter);
        self.statements(depth + 1);
        self.counters.pop();
        let one = self.b.constant(Type::I32, 1);
        let next = self.b.binary(Binary::Add, counter, one);
        self.b.push(Op::Copy { dst: counter, src: next });
        self.b.jump(head);
        self.b.switch_to(after);
    }

    fn switch(&mut self, depth: u32) {
        let value = self.value(Type::I32, 1);
        let blocks: Vec<_> = (0..3).map(|_| self.b.block()).collect();
        let after = self.b.block();
        let cases = vec![(0, blocks[0]), (1, blocks[1]), (3, blocks[1])];
        self.b.end(End::Switch { value, cases, default: blocks[2] });
        for (i, &block) in blocks.iter().enumerate() {
            self.b.switch_to(block);
            self.statements(depth + 1);
            // The first falls through.
            self.b.jump(if i == 0 { blocks[1] } else { after });
        }
        self.b.switch_to(after);
    }

    /// A return or a check under a condition.
    fn leave(&mut self) {
        let cond = self.condition(0);
        if self.random.below(3) == 0 {
            let condition = cond;
            self.b.push(Op::Assert { condition, message: cuprum_kernel::ir::StringId(0) });
            return;
        }
        let (out, on) = (self.b.block(), self.b.block());
        self.b.branch(cond, out, on);
        self.b.switch_to(out);
        let result = self.b.so_far().result;
        let value = result.map(|ty| self.variable(ty));
        self.b.end(End::Return(value));
        self.b.switch_to(on);
    }
}

fn kernel() -> Kernel {
    let pointer = Parameter {
        name: "buffer".to_owned(),
        type_name: "char*".to_owned(),
        kind: ParameterKind::Pointer { to: Element::Signed(1), constant: false },
        offset: 0,
        bytes: 8,
        align: 8,
    };
    let number = Parameter {
        name: "n".to_owned(),
        type_name: "long".to_owned(),
        kind: ParameterKind::Scalar(Element::Signed(8)),
        offset: 8,
        bytes: 8,
        align: 8,
    };
    let _ = Span::default();
    Kernel { params: vec![pointer, number], param_bytes: 16, max_threads: None, cluster: [1; 3] }
}
