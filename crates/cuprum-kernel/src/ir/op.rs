//! What instructions do. Every op names the local that it writes; operands are locals.

#![allow(missing_docs, reason = "most variants are said by their names")]

use super::{FunctionId, GlobalId, Local, SharedId, SlotId, StringId, Type};

/// One operation. Types follow from the locals: `Binary`'s operands have the type of `dst` unless said otherwise.
#[derive(Clone, PartialEq, Debug)]
pub enum Op {
    /// A number, by its bits (of the width of `dst`, the rest zero).
    Const { dst: Local, bits: u64 },
    /// Another local's value; same type.
    Copy { dst: Local, src: Local },
    /// One operand of the type of `dst`.
    Unary { dst: Local, op: Unary, src: Local },
    /// Two operands of the type of `dst` (a shift's count too).
    Binary { dst: Local, op: Binary, a: Local, b: Local },
    /// Compares two locals of one type; `dst` is `I8`, 0 or 1.
    Compare { dst: Local, op: Compare, a: Local, b: Local },
    /// Changes the type.
    Convert { dst: Local, kind: Convert, src: Local },
    /// `cond != 0 ? a : b`; `cond` is any integer.
    Select { dst: Local, cond: Local, a: Local, b: Local },
    /// `a * b + c`, rounded once; floats.
    Fma { dst: Local, a: Local, b: Local, c: Local },
    /// A library function; `F32` or `F64` as its first float argument is.
    Math { dst: Local, function: Math, args: Vec<Local> },

    /// Reads a value of the type of `dst` at `addr + offset`. Volatile reads are never moved or left out, and loops
    /// around them let other threads run.
    Load { dst: Local, addr: Local, offset: i64, volatile: bool },
    /// Writes `src` at `addr + offset`.
    Store { addr: Local, offset: i64, src: Local, volatile: bool },
    /// Copies `bytes` bytes; the ranges do not overlap or are the same.
    CopyBytes { to: Local, from: Local, bytes: u64 },
    /// Copies an object of `bytes` bytes that is made of few numbers, each at its offset from `to + to_offset` and
    /// `from + from_offset`; both are multiples of `align`. Passes see the loads and stores that it stands for.
    CopyMembers {
        to: Local,
        to_offset: i64,
        from: Local,
        from_offset: i64,
        bytes: u64,
        align: u32,
        members: Vec<(u64, Type)>,
    },
    /// Stops the kernel where `addr + offset` is not a multiple of `align`, which is more than the access of any part of
    /// the object there would ask for.
    CheckAligned { addr: Local, offset: i64, align: u32, write: bool },
    /// Sets `bytes` bytes to zero.
    ZeroBytes { to: Local, bytes: u64 },
    /// A variable begins here without a value: what its local held before is not its own. Nothing but the checking mode,
    /// which tells of reads before the first write, takes notice.
    Undefined { dst: Local },
    /// The same of a variable in memory.
    UndefinedBytes { to: Local, bytes: u64 },
    /// Bytes that count as written from here on: what follows changes a part of them and leaves the rest as it is. Nothing
    /// but the checking mode takes notice.
    Written { to: Local, offset: i64, bytes: u64 },
    /// Of the checking mode: stops the kernel where `written` (`I8`) is zero, since `variable` is read there and has no
    /// value.
    CheckWritten { variable: Local, written: Local },
    /// The address of a slot of this function's frame; the calling thread's own.
    SlotAddress { dst: Local, slot: SlotId },
    /// The address of a variable in the block's shared memory.
    SharedAddress { dst: Local, shared: SharedId },
    /// The address of the block's dynamic shared memory.
    DynamicShared { dst: Local },
    /// The address of a `__device__` or `__constant__` variable.
    GlobalAddress { dst: Local, global: GlobalId },
    /// The address of a text that ends in a zero byte.
    StringAddress { dst: Local, string: StringId },
    /// The value at a byte offset of the launch's parameters; in kernels only.
    Parameter { dst: Local, offset: u32 },
    /// A number that the launch or the thread has.
    Special { dst: Local, register: Special },

    /// Calls a device function.
    Call { dst: Option<Local>, function: FunctionId, args: Vec<Local> },
    /// An atomic read-modify-write of the type of `value` at `addr`; `dst` is the old value.
    Atomic { dst: Local, op: Atomic, addr: Local, value: Local },
    /// Compare and swap: writes `value` where `expected` stands (compared by bits); `dst` is the old value.
    CompareAndSwap { dst: Local, addr: Local, expected: Local, value: Local },
    /// A fence of any scope.
    Fence,

    /// `__syncthreads` and its forms.
    Barrier(Barrier),
    /// `__syncwarp(mask)`; `mask` is `I32`.
    SyncWarp { mask: Local },
    /// A collective of the lanes in `mask` (`I32`).
    Warp { dst: Local, op: Warp, mask: Local, value: Local, lane: Local, width: Local },
    /// `__activemask`, `I32`: the lanes of the warp that have not returned.
    ActiveMask { dst: Local },
    /// What a warp does unasked: the lanes that are here have all done what stands before it when one goes on. Lanes that
    /// have returned or go another way are not waited for.
    Lockstep,
    /// A barrier of the whole grid (cooperative launches).
    GridSync,
    /// A barrier of the blocks of a cluster.
    ClusterSync,

    /// `printf`: `dst` (`I32`) is the number of arguments. Numbers are widened as C does: floats are `F64`, integers
    /// `I32` or `I64`, `%s` takes a pointer.
    Printf { dst: Local, format: StringId, args: Vec<Local> },
    /// `malloc`: `dst` is the address of `bytes` bytes of the device's heap, or 0. Both are `I64`.
    Allocate { dst: Local, bytes: Local },
    /// `free`: gives back what `malloc` gave; nothing where `address` is 0.
    Release { address: Local },
    /// Stops the kernel with a message where `condition` (any integer) is zero: `assert`, `__trap`.
    Assert { condition: Local, message: StringId },
    /// An index of a Python array: an error names the axis where `index` is not in `0..size`. Both are `I64`.
    /// `array` is the parameter's or variable's name.
    CheckIndex { index: Local, size: Local, axis: u32, array: StringId },
    /// Launches a kernel of the module: it runs when the grid that launches it has ended. `config` are the extents of the
    /// grid and of the block (`I32`, x, y, z each), bytes of shared memory and the stream (`I64`). `values` are what the
    /// `bytes` bytes of its parameters are made of, each at its offset.
    Launch { function: FunctionId, config: Vec<Local>, values: Vec<(u32, Local)>, bytes: u32 },
    /// Lets other threads run: `__nanosleep`, and the back edges of loops that wait for other threads.
    Yield,
}

/// Ops of one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unary {
    /// `-x` of integers, wrapping.
    Neg,
    /// `~x`.
    Not,
    /// `-x` of floats.
    FNeg,
    /// `|x|` of floats.
    FAbs,
    /// Correctly rounded.
    Sqrt,
    /// To the integer above.
    Ceil,
    /// To the integer below.
    Floor,
    /// Towards zero.
    Trunc,
    /// To the nearest integer, ties to even.
    Nearest,
    /// Leading zeros; all bits of zero.
    LeadingZeros,
    /// Trailing zeros; all bits of zero.
    TrailingZeros,
    /// Bits that are set.
    CountOnes,
    /// Bits in reverse order.
    ReverseBits,
    /// Bytes in reverse order.
    ReverseBytes,
}

/// Ops of two operands. Integers wrap; division by zero gives all ones (`RemS`/`RemU`: the dividend) and the smallest
/// number over -1 itself (`RemS`: 0); shift counts of the width or more give 0 (`ShrS`: the sign), as on a GPU.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    DivS,
    DivU,
    RemS,
    RemU,
    And,
    Or,
    Xor,
    Shl,
    ShrS,
    ShrU,
    MinS,
    MinU,
    MaxS,
    MaxU,
    /// The upper half of the product.
    MulHighS,
    /// The upper half of the product.
    MulHighU,
    FAdd,
    FSub,
    FMul,
    FDiv,
    /// The smaller; the other one where one is NaN; -0 is smaller than 0.
    FMin,
    /// The larger; the other one where one is NaN.
    FMax,
    /// `a` with the sign of `b`.
    CopySign,
}

/// Comparisons. Those of floats are false where one is NaN, except `FNe`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Compare {
    Eq,
    Ne,
    LtS,
    LeS,
    GtS,
    GeS,
    LtU,
    LeU,
    GtU,
    GeU,
    FEq,
    FNe,
    FLt,
    FLe,
    FGt,
    FGe,
}

/// Conversions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Convert {
    /// To a wider integer, with the sign.
    SignExtend,
    /// To a wider integer, with zeros.
    ZeroExtend,
    /// To a narrower integer.
    Narrow,
    /// A signed integer (`I32`, `I64`) to a float.
    FromS,
    /// An unsigned integer (`I32`, `I64`) to a float.
    FromU,
    /// A float to a signed integer (`I32`, `I64`), towards zero, saturating, NaN to 0.
    ToS,
    /// A float to an unsigned integer (`I32`, `I64`), towards zero, saturating, NaN to 0.
    ToU,
    /// `F32` to `F64`.
    Promote,
    /// `F64` to `F32`.
    Demote,
    /// The same bits, between an integer and a float of one width.
    Bits,
    /// The bits of a half number (`I16`) to `F32`.
    FromHalf,
    /// `F32` or `F64` to the bits of a half number (`I16`), rounded once, ties to even.
    ToHalf,
    /// The bits of a bfloat16 number (`I16`) to `F32`.
    FromBfloat,
    /// `F32` or `F64` to the bits of a bfloat16 number (`I16`), rounded once, ties to even.
    ToBfloat,
}

/// Library functions by CUDA's names; `f` in the comment is `F32` or `F64`, `i` is `I32`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Math {
    // f -> f
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Sinpi,
    Cospi,
    Exp,
    Exp2,
    Exp10,
    Expm1,
    Log,
    Log2,
    Log10,
    Log1p,
    Logb,
    Cbrt,
    Rcbrt,
    Rsqrt,
    Erf,
    Erfc,
    Erfinv,
    Erfcinv,
    Erfcx,
    Normcdf,
    Normcdfinv,
    Tgamma,
    Lgamma,
    J0,
    J1,
    Y0,
    Y1,
    CylBesselI0,
    CylBesselI1,
    /// Ties away from zero.
    Round,
    FrexpMantissa,
    // f, f -> f
    Atan2,
    Pow,
    Hypot,
    Rhypot,
    Fmod,
    Remainder,
    Nextafter,
    Fdim,
    // f, f, f -> f
    Norm3d,
    Rnorm3d,
    // f, f, f, f -> f
    Norm4d,
    Rnorm4d,
    // f, i -> f
    Ldexp,
    Powi,
    // i, f -> f
    Jn,
    Yn,
    // f -> i
    Ilogb,
    FrexpExponent,
    // f, f -> i
    RemquoQuotient,
}

/// Numbers of the launch and the thread, `I32` unless said.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Special {
    /// `threadIdx` along x, y, z (0, 1, 2).
    ThreadIdx(u8),
    /// `blockIdx`.
    BlockIdx(u8),
    /// `blockDim`.
    BlockDim(u8),
    /// `gridDim`.
    GridDim(u8),
    /// The thread's number in its warp.
    LaneId,
    /// The thread's number in its block: x fastest.
    ThreadRank,
    /// Bytes of dynamic shared memory.
    DynamicSharedBytes,
    /// A clock, `I64`: nanoseconds on the CPU.
    Clock,
    /// Where the block's shared memory begins, `I64`; what is reached from there is looked for when it is accessed.
    SharedBase,
    /// Blocks of a cluster along x, y, z.
    ClusterDim(u8),
    /// Where the shared memory of the cluster's first block begins, `I64`; that of each further block is `ClusterStep`
    /// bytes behind. What is reached from there is looked for when it is accessed.
    ClusterShared,
    /// Bytes from the shared memory of one block of the cluster to that of the next.
    ClusterStep,
}

/// What an atomic does to the old value; by the type of its value, of the floats only `Add`, `Exchange`, `FMin`, `FMax`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Atomic {
    /// `old + value`, of integers and floats.
    Add,
    Sub,
    And,
    Or,
    Xor,
    MinS,
    MinU,
    MaxS,
    MaxU,
    FMin,
    FMax,
    Exchange,
    /// `old >= value ? 0 : old + 1`, unsigned.
    Increment,
    /// `old == 0 || old > value ? value : old - 1`, unsigned.
    Decrement,
    /// Adds two half numbers at once (`I32`: two of 16 bits) or one (`I16`).
    AddHalf,
    /// Adds two bfloat16 numbers at once (`I32`) or one (`I16`).
    AddBfloat,
}

/// A barrier of the block. `I32` predicates and results.
#[derive(Clone, PartialEq, Debug)]
pub enum Barrier {
    /// `__syncthreads()`.
    Plain,
    /// How many threads have a predicate other than zero.
    Count { dst: Local, predicate: Local },
    /// Whether all have.
    And { dst: Local, predicate: Local },
    /// Whether any has.
    Or { dst: Local, predicate: Local },
}

/// Collectives of a warp. Shuffles: `value` of any type, `lane` and `width` are `I32`, `dst` has the type of `value`.
/// Votes: `value` is `I32`, `lane` and `width` are not read, `dst` is `I32`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Warp {
    /// From lane `lane` of the group of `width`.
    Shuffle,
    /// From `lane` lanes below.
    ShuffleUp,
    /// From `lane` lanes above.
    ShuffleDown,
    /// From the lane with number xor `lane`.
    ShuffleXor,
    /// A bit for each lane with a value other than zero.
    Ballot,
    /// Whether all are other than zero.
    All,
    /// Whether any is.
    Any,
    /// The lanes with the same `value` (of any integer or float type, by bits); `dst` is `I32`.
    MatchAny,
    /// The mask where all have the same `value`, else 0; `dst` is `I32`.
    MatchAll,
    /// `__reduce_add_sync` and the like: of `I32`.
    ReduceAdd,
    ReduceMinS,
    ReduceMinU,
    ReduceMaxS,
    ReduceMaxU,
    ReduceAnd,
    ReduceOr,
    ReduceXor,
}
