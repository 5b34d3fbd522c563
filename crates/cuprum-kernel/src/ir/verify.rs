//! Checks that a module is well formed, so that a fault of a front end or a pass is found where it was made.

use super::{
    Atomic, Barrier, Binary, BlockId, Convert, End, Function, Local, Math, Module, Op, Special, Type, Unary,
    Warp,
};

/// Says what is wrong with a module; nothing where all is well.
pub fn verify(module: &Module) -> Vec<String> {
    let mut faults = Vec::new();
    for function in &module.functions {
        faults.extend(verify_function(module, function));
    }
    for global in &module.globals {
        if !global.align.is_power_of_two() {
            faults.push(format!("{}: alignment {} is no power of two", global.name, global.align));
        }
        for pointer in &global.addresses {
            if pointer.offset.checked_add(8).is_none_or(|end| end > global.bytes.len() as u64) {
                faults.push(format!("{}: an address at {} is beyond it", global.name, pointer.offset));
            }
        }
    }
    for shared in module.shared.iter().filter(|shared| !shared.align.is_power_of_two()) {
        faults.push(format!("{}: alignment {} is no power of two", shared.name, shared.align));
    }
    faults
}

/// Says what is wrong with one function, which need not be in the module itself.
pub fn verify_function(module: &Module, function: &Function) -> Vec<String> {
    let mut checker = Checker { module, function, place: String::new(), faults: Vec::new() };
    checker.check_signature();
    for (index, block) in function.blocks.iter().enumerate() {
        for (number, inst) in block.insts.iter().enumerate() {
            checker.place = format!("b{index}[{number}] {:?}", inst.op);
            checker.check_op(&inst.op);
        }
        checker.place = format!("b{index} {:?}", block.end);
        checker.check_end(&block.end);
    }
    checker.faults
}

struct Checker<'a> {
    module: &'a Module,
    function: &'a Function,
    place: String,
    faults: Vec<String>,
}

const INTEGERS: &[Type] = &[Type::I8, Type::I16, Type::I32, Type::I64];
const WIDE_INTEGERS: &[Type] = &[Type::I32, Type::I64];
const FLOATS: &[Type] = &[Type::F32, Type::F64];
const ALL: &[Type] = &[Type::I8, Type::I16, Type::I32, Type::I64, Type::F32, Type::F64];

impl Checker<'_> {
    fn fault(&mut self, what: &str) {
        let fault = if self.place.is_empty() {
            format!("{}: {what}", self.function.name)
        } else {
            format!("{}: {}: {what}", self.function.name, self.place)
        };
        self.faults.push(fault);
    }

    fn require(&mut self, holds: bool, what: &str) {
        if !holds {
            self.fault(what);
        }
    }

    fn ty(&mut self, local: Local) -> Option<Type> {
        let ty = self.function.locals.get(local.index()).map(|info| info.ty);
        if ty.is_none() {
            self.fault(&format!("no local %{}", local.0));
        }
        ty
    }

    /// `local` is of one of `types`.
    fn among(&mut self, local: Local, types: &[Type]) {
        if let Some(ty) = self.ty(local)
            && !types.contains(&ty)
        {
            self.fault(&format!("%{} is {ty}", local.0));
        }
    }

    fn is(&mut self, local: Local, ty: Type) {
        self.among(local, &[ty]);
    }

    fn same(&mut self, a: Local, b: Local) {
        if let (Some(x), Some(y)) = (self.ty(a), self.ty(b))
            && x != y
        {
            self.fault(&format!("%{} is {x}, %{} is {y}", a.0, b.0));
        }
    }

    fn check_signature(&mut self) {
        let function = self.function;
        self.require(!function.blocks.is_empty(), "no blocks");
        if function.kernel.is_some() {
            self.require(function.params.is_empty(), "a kernel has parameters in locals");
            self.require(function.result.is_none(), "a kernel has a result");
        }
        for (i, &param) in function.params.iter().enumerate() {
            self.ty(param);
            self.require(!function.params[..i].contains(&param), "two parameters in one local");
        }
        for slot in &function.slots {
            self.require(slot.align.is_power_of_two(), "a slot's alignment is no power of two");
        }
        if let Some(kernel) = &function.kernel {
            let mut end = 0;
            for param in &kernel.params {
                self.require(param.offset >= end, "kernel parameters overlap");
                self.require(param.align.is_power_of_two(), "a parameter's alignment");
                self.require(param.offset % param.align.max(1) == 0, "a parameter is not aligned");
                end = param.offset.saturating_add(param.bytes);
            }
            self.require(end <= kernel.param_bytes, "kernel parameters beyond their size");
        }
    }

    fn check_end(&mut self, end: &End) {
        let blocks = self.function.blocks.len();
        for BlockId(to) in end.successors() {
            self.require((to as usize) < blocks, &format!("no block b{to}"));
        }
        match end {
            End::Branch { cond: value, .. } | End::Switch { value, .. } => self.among(*value, INTEGERS),
            End::Return(value) => match (value, self.function.result) {
                (Some(value), Some(ty)) => self.is(*value, ty),
                (None, None) => {}
                _ => self.fault("the result is not the function's"),
            },
            End::Jump(_) | End::Unreachable => {}
        }
        if let End::Switch { value, cases, .. } = end
            && let Some(ty) = self.ty(*value)
        {
            let bits = u64::MAX >> (64 - ty.bytes() * 8);
            self.require(cases.iter().all(|case| case.0 <= bits), "a case is wider than the value");
            let mut values: Vec<u64> = cases.iter().map(|case| case.0).collect();
            values.sort_unstable();
            self.require(values.windows(2).all(|pair| pair[0] != pair[1]), "a case stands twice");
        }
    }

    fn check_op(&mut self, op: &Op) {
        match op {
            Op::Const { dst, bits } => {
                if let Some(ty) = self.ty(*dst) {
                    let fits = *bits <= u64::MAX >> (64 - ty.bytes() * 8);
                    self.require(fits, "the number is wider than its type");
                }
            }
            Op::Copy { dst, src } => self.same(*dst, *src),
            Op::Unary { dst, op, src } => {
                self.same(*dst, *src);
                self.among(*dst, unary_types(*op));
            }
            Op::Binary { dst, op, a, b } => {
                self.same(*dst, *a);
                self.same(*dst, *b);
                self.among(*dst, binary_types(*op));
            }
            Op::Compare { dst, op, a, b } => {
                self.is(*dst, Type::BOOL);
                self.same(*a, *b);
                self.among(*a, if op.is_float() { FLOATS } else { INTEGERS });
            }
            Op::Convert { dst, kind, src } => self.check_convert(*dst, *kind, *src),
            Op::Select { dst, cond, a, b } => {
                self.among(*cond, INTEGERS);
                self.same(*dst, *a);
                self.same(*dst, *b);
            }
            Op::Fma { dst, a, b, c } => {
                self.among(*dst, FLOATS);
                [*a, *b, *c].into_iter().for_each(|operand| self.same(*dst, operand));
            }
            Op::Math { dst, function, args } => self.check_math(*dst, *function, args),
            _ => self.check_memory_op(op),
        }
    }

    fn check_memory_op(&mut self, op: &Op) {
        match op {
            Op::Load { dst, addr, .. } => {
                self.among(*dst, ALL);
                self.is(*addr, Type::POINTER);
            }
            Op::Store { addr, src, .. } => {
                self.among(*src, ALL);
                self.is(*addr, Type::POINTER);
            }
            Op::CopyBytes { to, from, .. } => {
                self.is(*to, Type::POINTER);
                self.is(*from, Type::POINTER);
            }
            Op::CopyMembers { to, from, bytes, align, members, .. } => {
                self.is(*to, Type::POINTER);
                self.is(*from, Type::POINTER);
                let inside = |(offset, ty): &(u64, Type)| {
                    offset.checked_add(u64::from(ty.bytes())).is_some_and(|end| end <= *bytes)
                };
                self.require(members.iter().all(inside), "a member outside what is copied");
                self.require(align.is_power_of_two(), "an object's alignment is no power of two");
            }
            Op::ZeroBytes { to, .. } | Op::UndefinedBytes { to, .. } | Op::Written { to, .. } => {
                self.is(*to, Type::POINTER);
            }
            Op::CheckAligned { addr, align, .. } => {
                self.is(*addr, Type::POINTER);
                self.require(align.is_power_of_two(), "an alignment is no power of two");
            }
            Op::Undefined { dst } => self.among(*dst, ALL),
            Op::CheckWritten { variable, written } => {
                self.among(*variable, ALL);
                self.is(*written, Type::I8);
            }
            Op::SlotAddress { dst, slot } => {
                self.is(*dst, Type::POINTER);
                self.require(slot.index() < self.function.slots.len(), "no such slot");
            }
            Op::SharedAddress { dst, shared } => {
                self.is(*dst, Type::POINTER);
                self.require(shared.index() < self.module.shared.len(), "no such shared variable");
            }
            Op::DynamicShared { dst } => self.is(*dst, Type::POINTER),
            Op::GlobalAddress { dst, global } => {
                self.is(*dst, Type::POINTER);
                self.require(global.index() < self.module.globals.len(), "no such variable");
            }
            Op::StringAddress { dst, string } => {
                self.is(*dst, Type::POINTER);
                self.check_string(*string);
            }
            Op::Parameter { dst, offset } => {
                let bytes = self.ty(*dst).map_or(0, Type::bytes);
                match &self.function.kernel {
                    None => self.fault("a launch's parameter in a device function"),
                    Some(kernel) => {
                        let fits = offset.checked_add(bytes).is_some_and(|end| end <= kernel.param_bytes);
                        self.require(fits, "beyond the launch's parameters");
                    }
                }
            }
            Op::Special { dst, register } => self.check_special(*dst, *register),
            Op::Atomic { dst, op, addr, value } => {
                self.is(*addr, Type::POINTER);
                self.same(*dst, *value);
                self.among(*value, atomic_types(*op));
            }
            Op::CompareAndSwap { dst, addr, expected, value } => {
                self.is(*addr, Type::POINTER);
                self.same(*dst, *value);
                self.same(*dst, *expected);
                self.among(*value, &[Type::I16, Type::I32, Type::I64]);
            }
            _ => self.check_group_op(op),
        }
    }

    fn check_group_op(&mut self, op: &Op) {
        match op {
            Op::Barrier(
                Barrier::Count { dst, predicate }
                | Barrier::And { dst, predicate }
                | Barrier::Or { dst, predicate },
            ) => {
                self.is(*dst, Type::I32);
                self.is(*predicate, Type::I32);
            }
            Op::SyncWarp { mask } => self.is(*mask, Type::I32),
            Op::Warp { dst, op, mask, value, lane, width } => {
                self.is(*mask, Type::I32);
                for operand in [*lane, *width] {
                    if op.is_shuffle() {
                        self.is(operand, Type::I32);
                    } else {
                        self.ty(operand);
                    }
                }
                if op.is_shuffle() {
                    self.same(*dst, *value);
                } else {
                    self.is(*dst, Type::I32);
                    let any = matches!(op, Warp::MatchAny | Warp::MatchAll);
                    self.among(*value, if any { ALL } else { &[Type::I32] });
                }
            }
            Op::ActiveMask { dst } => self.is(*dst, Type::I32),
            Op::Call { dst, function, args } => self.check_call(*dst, function.index(), args),
            Op::Printf { dst, format, args } => {
                self.is(*dst, Type::I32);
                self.check_string(*format);
                args.iter().for_each(|arg| self.among(*arg, &[Type::I32, Type::I64, Type::F64]));
            }
            Op::Launch { function, config, values, bytes } => {
                let known = self.module.functions.get(function.index());
                self.require(known.is_some_and(|of| of.kernel.is_some()), "what is launched is no kernel");
                self.require(config.len() == 8, "a launch has eight numbers");
                for (at, number) in config.iter().enumerate() {
                    self.is(*number, if at < 6 { Type::I32 } else { Type::I64 });
                }
                for (offset, value) in values {
                    let end = u64::from(*offset) + u64::from(self.ty(*value).map_or(0, Type::bytes));
                    self.require(end <= u64::from(*bytes), "a value lies behind the parameters");
                }
            }
            Op::Allocate { dst, bytes } => {
                self.is(*dst, Type::I64);
                self.is(*bytes, Type::I64);
            }
            Op::Release { address } => self.is(*address, Type::I64),
            Op::Assert { condition, message } => {
                self.among(*condition, INTEGERS);
                self.check_string(*message);
            }
            Op::CheckIndex { index, size, array, .. } => {
                self.is(*index, Type::I64);
                self.is(*size, Type::I64);
                self.check_string(*array);
            }
            _ => {}
        }
    }

    fn check_string(&mut self, string: super::StringId) {
        self.require(string.index() < self.module.strings.len(), "no such text");
    }

    fn check_call(&mut self, dst: Option<Local>, function: usize, args: &[Local]) {
        let Some(callee) = self.module.functions.get(function) else {
            return self.fault("no such function");
        };
        self.require(callee.kernel.is_none(), "a kernel is called");
        self.require(callee.params.len() == args.len(), "wrong number of arguments");
        for (param, arg) in callee.params.iter().zip(args) {
            if let Some(info) = callee.locals.get(param.index()) {
                self.is(*arg, info.ty);
            }
        }
        if let Some(dst) = dst {
            match callee.result {
                Some(ty) => self.is(dst, ty),
                None => self.fault("the function has no result"),
            }
        }
    }

    fn check_special(&mut self, dst: Local, register: Special) {
        self.is(dst, if register.is_wide() { Type::I64 } else { Type::I32 });
        if let Special::ThreadIdx(axis)
        | Special::BlockIdx(axis)
        | Special::BlockDim(axis)
        | Special::GridDim(axis)
        | Special::ClusterDim(axis) = register
        {
            self.require(axis < 3, "an axis beyond z");
        }
    }

    fn check_convert(&mut self, dst: Local, kind: Convert, src: Local) {
        let (Some(to), Some(from)) = (self.ty(dst), self.ty(src)) else { return };
        let wide = |ty| WIDE_INTEGERS.contains(&ty);
        let holds = match kind {
            Convert::SignExtend | Convert::ZeroExtend => {
                !to.is_float() && !from.is_float() && to.bytes() > from.bytes()
            }
            Convert::Narrow => !to.is_float() && !from.is_float() && to.bytes() < from.bytes(),
            Convert::FromS | Convert::FromU => wide(from) && to.is_float(),
            Convert::ToS | Convert::ToU => from.is_float() && wide(to),
            Convert::Promote => from == Type::F32 && to == Type::F64,
            Convert::Demote => from == Type::F64 && to == Type::F32,
            Convert::Bits => from.is_float() != to.is_float() && from.bytes() == to.bytes(),
            Convert::FromHalf | Convert::FromBfloat => from == Type::I16 && to == Type::F32,
            Convert::ToHalf | Convert::ToBfloat => from.is_float() && to == Type::I16,
        };
        self.require(holds, &format!("{from} to {to}"));
    }

    fn check_math(&mut self, dst: Local, function: Math, args: &[Local]) {
        let (floats, integers, first_integer, integer_result) = math_shape(function);
        if args.len() != floats + integers {
            return self.fault("wrong number of arguments");
        }
        let split = if first_integer { integers } else { floats };
        let (first, second) = args.split_at(split);
        let (float_args, integer_args) = if first_integer { (second, first) } else { (first, second) };
        integer_args.iter().for_each(|arg| self.is(*arg, Type::I32));
        self.among(float_args[0], FLOATS);
        float_args.iter().for_each(|arg| self.same(float_args[0], *arg));
        if integer_result {
            self.is(dst, Type::I32);
        } else {
            self.same(dst, float_args[0]);
        }
    }
}

/// How many floats and integers a function takes, whether the integers come first, whether its result is an integer.
fn math_shape(function: Math) -> (usize, usize, bool, bool) {
    match function {
        Math::Atan2
        | Math::Pow
        | Math::Hypot
        | Math::Rhypot
        | Math::Fmod
        | Math::Remainder
        | Math::Nextafter
        | Math::Fdim => (2, 0, false, false),
        Math::Norm3d | Math::Rnorm3d => (3, 0, false, false),
        Math::Norm4d | Math::Rnorm4d => (4, 0, false, false),
        Math::Ldexp | Math::Powi => (1, 1, false, false),
        Math::Jn | Math::Yn => (1, 1, true, false),
        Math::Ilogb | Math::FrexpExponent => (1, 0, false, true),
        Math::RemquoQuotient => (2, 0, false, true),
        _ => (1, 0, false, false),
    }
}

fn unary_types(op: Unary) -> &'static [Type] {
    match op {
        Unary::FNeg
        | Unary::FAbs
        | Unary::Sqrt
        | Unary::Ceil
        | Unary::Floor
        | Unary::Trunc
        | Unary::Nearest => FLOATS,
        _ => INTEGERS,
    }
}

fn binary_types(op: Binary) -> &'static [Type] {
    match op {
        Binary::FAdd
        | Binary::FSub
        | Binary::FMul
        | Binary::FDiv
        | Binary::FMin
        | Binary::FMax
        | Binary::CopySign => FLOATS,
        _ => INTEGERS,
    }
}

fn atomic_types(op: Atomic) -> &'static [Type] {
    match op {
        Atomic::Add | Atomic::Exchange => &[Type::I32, Type::I64, Type::F32, Type::F64],
        Atomic::FMin | Atomic::FMax => FLOATS,
        Atomic::AddHalf | Atomic::AddBfloat => &[Type::I16, Type::I32],
        _ => WIDE_INTEGERS,
    }
}
