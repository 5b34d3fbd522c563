//! The kernel IR: functions of basic blocks whose instructions read and write typed, mutable locals.
//!
//! It is not in SSA form: a local may be written many times, and Cranelift's builder makes the rest. Memory is flat: a
//! pointer is a number, and what it may point to follows from where it came from. Every instruction carries the place
//! in the kernel's text that it stands for.

mod build;
mod op;
mod print;
mod types;
mod verify;
mod visit;

pub use build::FunctionBuilder;
pub use op::{Atomic, Barrier, Binary, Compare, Convert, Math, Op, Special, Unary, Warp};
pub use types::Type;
pub use verify::{verify, verify_function};

use crate::{SourceMap, Span};

macro_rules! index {
    ($($(#[$doc:meta])* $name:ident),*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// As a position in its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

// Each line makes `pub struct Name(pub u32)` with an `index` method.
index! {
    /// A local of a function.
    Local,
    /// A basic block of a function; the first is the entry.
    BlockId,
    /// A function of a module.
    FunctionId,
    /// A slot of a function's frame.
    SlotId,
    /// A shared variable of a module.
    SharedId,
    /// A `__device__` or `__constant__` variable of a module.
    GlobalId,
    /// A text of a module.
    StringId
}

/// Everything that one text defines.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Kernels and device functions.
    pub functions: Vec<Function>,
    /// `__device__` and `__constant__` variables.
    pub globals: Vec<Global>,
    /// `__shared__` variables.
    pub shared: Vec<Shared>,
    /// Texts: formats, messages, string literals.
    pub strings: Vec<String>,
    /// The files that spans speak of.
    pub sources: SourceMap,
}

/// A kernel or a device function.
#[derive(Clone, Debug)]
pub struct Function {
    /// A kernel's name as it is asked for (`scale`, `scale<float, 4>`); a device function's for messages.
    pub name: String,
    /// What a kernel takes from its launch; `None` for device functions.
    pub kernel: Option<Kernel>,
    /// The locals that a device function's arguments arrive in; empty for kernels. Structs come by address: of a copy
    /// that is the callee's. A struct result goes to an address that is the first parameter.
    pub params: Vec<Local>,
    /// The type of the result.
    pub result: Option<Type>,
    /// All locals.
    pub locals: Vec<LocalInfo>,
    /// Memory of the frame, a copy for each call.
    pub slots: Vec<Slot>,
    /// The blocks, the entry first.
    pub blocks: Vec<Block>,
    /// `__noinline__`: a hint.
    pub keep_call: bool,
    /// Where it is defined.
    pub span: Span,
}

/// A local's type, and the name of the variable that it holds (empty for intermediate results).
#[derive(Clone, Debug)]
pub struct LocalInfo {
    /// Its type.
    pub ty: Type,
    /// The variable's name.
    pub name: String,
}

/// Memory in a function's frame.
#[derive(Clone, Debug)]
pub struct Slot {
    /// The variable's name.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// Its alignment, a power of two.
    pub align: u32,
}

/// A `__shared__` variable.
#[derive(Clone, Debug)]
pub struct Shared {
    /// Its name.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// Its alignment, a power of two.
    pub align: u32,
}

/// A `__device__` or `__constant__` variable.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name, as `get_global` takes it.
    pub name: String,
    /// Its first value; its length is the variable's size.
    pub bytes: Vec<u8>,
    /// Addresses within it: at byte `offset` stands the address of another variable or text, plus a number.
    pub addresses: Vec<GlobalPointer>,
    /// Its alignment, a power of two.
    pub align: u32,
    /// `__constant__` or `const`: kernels may not write it.
    pub constant: bool,
}

/// An address in a variable's first value.
#[derive(Clone, Debug)]
pub struct GlobalPointer {
    /// Where in the variable.
    pub offset: u64,
    /// What it points to.
    pub target: PointerTarget,
    /// Bytes beyond the target's start.
    pub addend: i64,
}

/// What an address in a variable's first value points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointerTarget {
    /// Another variable.
    Global(GlobalId),
    /// A text.
    String(StringId),
}

/// What a kernel takes.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Its parameters, in order.
    pub params: Vec<Parameter>,
    /// Bytes of all parameters together, each at its offset.
    pub param_bytes: u32,
    /// `__launch_bounds__`: the most threads of a block.
    pub max_threads: Option<u32>,
    /// `__cluster_dims__`: blocks of a cluster along x, y, z; 1 each where it is not written.
    pub cluster: [u32; 3],
}

/// A kernel's parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type as it is written, for messages: `const float*`.
    pub type_name: String,
    /// What must be given.
    pub kind: ParameterKind,
    /// Where in the launch's parameters.
    pub offset: u32,
    /// Its size.
    pub bytes: u32,
    /// Its alignment.
    pub align: u32,
}

impl Parameter {
    /// Whether it is a reference, which is passed as the address of what it refers to.
    pub fn is_reference(&self) -> bool {
        self.type_name.ends_with('&')
    }
}

/// What a launch must give for a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParameterKind {
    /// A number by value.
    Scalar(Element),
    /// A pointer or a reference. The kernel does not write through it if `constant`.
    Pointer {
        /// The type that it points to.
        to: Element,
        /// `const`.
        constant: bool,
    },
    /// A struct by value: its bytes.
    Struct,
}

/// What a pointer points to, or a parameter is, as far as arguments are checked against it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Element {
    /// One byte, 0 or 1.
    Bool,
    /// Signed, of 1, 2, 4 or 8 bytes.
    Signed(u8),
    /// Unsigned.
    Unsigned(u8),
    /// Floating: 2 (half), 4 or 8.
    Float(u8),
    /// bfloat16.
    Bfloat,
    /// Complex, of 8 or 16 bytes.
    Complex(u8),
    /// `void`: anything.
    Void,
    /// A struct, a pointer or an enum: not checked beyond `bytes`.
    Other {
        /// Its size.
        bytes: u32,
    },
}

/// A basic block.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its instructions.
    pub insts: Vec<Inst>,
    /// Where it goes.
    pub end: End,
    /// The place of the end.
    pub span: Span,
}

/// An instruction.
#[derive(Clone, PartialEq, Debug)]
pub struct Inst {
    /// What it does.
    pub op: Op,
    /// The place that it stands for.
    pub span: Span,
}

/// How a block ends.
#[derive(Clone, PartialEq, Debug)]
pub enum End {
    /// To another block.
    Jump(BlockId),
    /// By a condition: any integer, other than zero for `then`.
    Branch {
        /// The condition.
        cond: Local,
        /// Where it is not zero.
        then: BlockId,
        /// Where it is.
        otherwise: BlockId,
    },
    /// By an integer's value (of its own width).
    Switch {
        /// The integer.
        value: Local,
        /// Values and where they lead.
        cases: Vec<(u64, BlockId)>,
        /// Where all others lead.
        default: BlockId,
    },
    /// Out of the function; out of the thread in a kernel.
    Return(Option<Local>),
    /// A place that is never reached.
    Unreachable,
}
