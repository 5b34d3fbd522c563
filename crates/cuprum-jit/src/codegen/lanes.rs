//! Values of four threads at a time: how they are held, taken apart and put together.

use std::collections::HashMap;

use cranelift_codegen::ir::{ConstantData, InstBuilder, Value, types};
use cranelift_frontend::Variable;
use cuprum_kernel::ir::{Local, Type};

use super::emitter::{Emitter, clif_type};
use super::lane_variation::{Shape, Shapes};

/// Threads that go through a region together.
pub(super) const LANES: u32 = 4;

/// Four values of one type: of 64 bits in two vectors, of 32 in one; narrower integers stand in 32 bits, the rest zero.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wide {
    One(Value),
    Two(Value, Value),
}

/// What the vector path has and the scalar one has not.
pub(super) struct Lanes<'e> {
    pub shapes: Shapes<'e>,
    /// Variables of locals that vary.
    pub vars: Vec<Option<(Variable, Option<Variable>)>>,
    /// The blocks of the vector path.
    pub blocks: Vec<Option<cranelift_codegen::ir::Block>>,
    /// Where it goes on with the next threads.
    pub latch: cranelift_codegen::ir::Block,
    /// Where threads go on one by one.
    pub scalar: cranelift_codegen::ir::Block,
    /// Which point they go on from: 0 is the region's beginning.
    pub resume: Variable,
    /// The first of the threads that left together.
    pub first: Variable,
    /// The end of the threads that go on one by one.
    pub stop: Variable,
    /// The points that were left for: the block, and its place in the buffer.
    pub points: Vec<cuprum_kernel::ir::BlockId>,
    /// What threads that leave take with them.
    pub buffer: cranelift_codegen::ir::StackSlot,
    /// The masks that truth values were made of.
    pub masks: HashMap<Value, Value>,
}

/// The vector type of a type's values.
pub(super) fn vector(ty: Type) -> types::Type {
    match ty {
        Type::F32 => types::F32X4,
        Type::I64 => types::I64X2,
        Type::F64 => types::F64X2,
        Type::I8 | Type::I16 | Type::I32 => types::I32X4,
    }
}

/// Whether values take two vectors.
pub(super) fn is_two(ty: Type) -> bool {
    ty.bytes() == 8
}

impl<'e> Emitter<'e, '_> {
    pub(super) fn lanes(&mut self) -> &mut Lanes<'e> {
        // The vector path alone asks.
        self.lanes.as_mut().unwrap_or_else(|| unreachable!("the scalar path has no lanes"))
    }

    pub(super) fn shape(&self, local: Local) -> Shape {
        self.lanes.as_ref().map_or(Shape::Varying, |lanes| lanes.shapes.get(local))
    }

    fn wide_variable(&mut self, local: Local) -> (Variable, Option<Variable>) {
        let ty = self.ty(local);
        if let Some(vars) = self.lanes().vars[local.index()] {
            return vars;
        }
        let first = self.b.declare_var(vector(ty));
        let second = is_two(ty).then(|| self.b.declare_var(vector(ty)));
        self.lanes().vars[local.index()] = Some((first, second));
        (first, second)
    }

    /// All four values.
    pub(super) fn wide(&mut self, local: Local) -> Wide {
        match self.shape(local) {
            Shape::Varying => {
                let (first, second) = self.wide_variable(local);
                let one = self.b.use_var(first);
                match second {
                    Some(second) => Wide::Two(one, self.b.use_var(second)),
                    None => Wide::One(one),
                }
            }
            shape => {
                let base = self.get(local);
                self.spread(self.ty(local), base, shape)
            }
        }
    }

    /// Sets all four values of a local that varies.
    pub(super) fn set_wide(&mut self, local: Local, value: Wide) {
        let (first, second) = self.wide_variable(local);
        match (value, second) {
            (Wide::Two(a, b), Some(second)) => {
                self.b.def_var(first, a);
                self.b.def_var(second, b);
            }
            (Wide::One(a) | Wide::Two(a, _), _) => self.b.def_var(first, a),
        }
    }

    /// Four values from the first one.
    pub(super) fn spread(&mut self, ty: Type, base: Value, shape: Shape) -> Wide {
        let ty_wide = vector(ty);
        let base = if ty.bytes() < 4 { self.b.ins().uextend(types::I32, base) } else { base };
        let all = self.b.ins().splat(ty_wide, base);
        let by = match shape {
            Shape::Stride(by) if by != 0 => by,
            _ => return if is_two(ty) { Wide::Two(all, all) } else { Wide::One(all) },
        };
        if is_two(ty) {
            let low = self.constants64([0, by]);
            let high = self.constants64([2 * by, 3 * by]);
            Wide::Two(self.b.ins().iadd(all, low), self.b.ins().iadd(all, high))
        } else {
            let steps = self.constants32([0, 1, 2, 3].map(|lane| (lane * by) as i32));
            Wide::One(self.b.ins().iadd(all, steps))
        }
    }

    pub(super) fn constants32(&mut self, values: [i32; 4]) -> Value {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let constant = self.b.func.dfg.constants.insert(ConstantData::from(&bytes[..]));
        self.b.ins().vconst(types::I32X4, constant)
    }

    fn constants64(&mut self, values: [i64; 2]) -> Value {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let constant = self.b.func.dfg.constants.insert(ConstantData::from(&bytes[..]));
        self.b.ins().vconst(types::I64X2, constant)
    }

    /// One lane's value.
    pub(super) fn lane(&mut self, local: Local, lane: u32) -> Value {
        let ty = self.ty(local);
        match self.shape(local) {
            Shape::Stride(by) => {
                let base = self.get(local);
                if by == 0 || lane == 0 {
                    return base;
                }
                let step = self.number(ty, (i64::from(lane) * by) as u64);
                self.b.ins().iadd(base, step)
            }
            Shape::Varying => {
                let wide = self.wide(local);
                self.extract(ty, wide, lane)
            }
        }
    }

    pub(super) fn extract(&mut self, ty: Type, wide: Wide, lane: u32) -> Value {
        match wide {
            Wide::One(all) => {
                let value = self.b.ins().extractlane(all, lane as u8);
                if ty.bytes() < 4 { self.b.ins().ireduce(clif_type(ty), value) } else { value }
            }
            Wide::Two(low, high) => {
                let half = if lane < 2 { low } else { high };
                self.b.ins().extractlane(half, (lane % 2) as u8)
            }
        }
    }

    /// Four values from one for each lane.
    pub(super) fn gather(&mut self, ty: Type, values: [Value; 4]) -> Wide {
        let values =
            if ty.bytes() < 4 { values.map(|value| self.b.ins().uextend(types::I32, value)) } else { values };
        let mut join = |part: &[Value]| {
            let mut all = self.b.ins().scalar_to_vector(vector(ty), part[0]);
            for (lane, value) in part.iter().enumerate().skip(1) {
                all = self.b.ins().insertlane(all, *value, lane as u8);
            }
            all
        };
        if is_two(ty) { Wide::Two(join(&values[..2]), join(&values[2..])) } else { Wide::One(join(&values)) }
    }

    /// The low 32 bits of four values of 64.
    pub(super) fn low_words(&mut self, low: Value, high: Value) -> Value {
        self.pick(low, high, types::I32X4, [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27])
    }

    /// The low halves of two vectors, one after the other.
    pub(super) fn low_halves(&mut self, low: Value, high: Value, ty: types::Type) -> Value {
        self.pick(low, high, ty, [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23])
    }

    /// Bytes of two vectors.
    pub(super) fn pick(&mut self, low: Value, high: Value, ty: types::Type, bytes: [u8; 16]) -> Value {
        let (low, high) = (self.same_bits(types::I8X16, low), self.same_bits(types::I8X16, high));
        let mask = self.b.func.dfg.immediates.push(ConstantData::from(&bytes[..]));
        let picked = self.b.ins().shuffle(low, high, mask);
        self.same_bits(ty, picked)
    }

    /// The same bits as another type of vector.
    pub(super) fn same_bits(&mut self, ty: types::Type, value: Value) -> Value {
        if self.b.func.dfg.value_type(value) == ty {
            return value;
        }
        let flags = cranelift_codegen::ir::MemFlagsData::new()
            .with_endianness(cranelift_codegen::ir::Endianness::Little);
        self.b.ins().bitcast(ty, flags, value)
    }
}
