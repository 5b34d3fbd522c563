//! From the syntax tree to the kernel IR, checked on the way: one pass over each function that is used.
//!
//! A template keeps its tree and is lowered anew for every list of arguments, under a scope that binds its parameters:
//! so every type that is computed is a real one. Compile-time values come from the same lowering: what does not fold on
//! the way is lowered to a function of its own and run ([`constants`]).

mod constants;
mod declarations;
mod expressions;
mod memory;
pub(crate) mod module;
mod names;
mod objects;
mod overloads;
mod statements;
mod templates;

pub use memory::builder::Builder;

use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

use crate::ast;
use crate::check::types::{StructId, TypeId, Types};
use crate::ir::{self, FunctionId};
use crate::{Diagnostic, SourceMap, Span};

use memory::value::Frame;
use names::scope::{
    Entity, FuncId, Function, Record, Scope, ScopeId, ScopeKind, Template, TemplateArg, VarId, Variable,
};

/// No instantiation is nested deeper than this.
const MAX_DEPTH: u32 = 500;
/// No template's body leads to another's more often than this in a row.
const MAX_LEVEL: u32 = 500;
/// No expression or statement is nested deeper than this, instantiations within it included.
const MAX_NESTING: u32 = 10_000;
/// No module has more functions than this.
const MAX_INSTANCES: usize = 20_000;
/// No instance of a template has a longer name than this: the name of `P<T, T>` is twice as long as that of `T`.
const MAX_NAME: usize = 1 << 16;
/// No module has more instructions than this.
const MAX_INSTRUCTIONS: usize = 2_000_000;
/// No more errors than this are reported.
const MAX_ERRORS: usize = 20;

/// Why lowering stopped: a message, or `None` where it has been reported before.
#[derive(Debug)]
pub(crate) struct Fault(Option<Box<Diagnostic>>);

pub(crate) type Result<T> = std::result::Result<T, Fault>;

impl From<Diagnostic> for Fault {
    fn from(diagnostic: Diagnostic) -> Fault {
        Fault(Some(Box::new(diagnostic)))
    }
}

/// An error at a place.
pub(crate) fn fault(span: Span, message: impl Into<String>) -> Fault {
    Diagnostic::error(span, message).into()
}

/// A function with its template arguments: one function of the IR.
pub(crate) struct Instance {
    pub function: FuncId,
    pub arguments: Rc<[TemplateArg]>,
    /// The scope that binds its template parameters.
    pub scope: ScopeId,
    pub params: Vec<TypeId>,
    /// `None` while it is to be found from the body (`auto`).
    pub result: Option<TypeId>,
    pub state: State,
    pub is_queued: bool,
    /// How many templates led to it, one from the body of another.
    pub level: u32,
    /// Where it was first asked for.
    pub from: Span,
    /// What function parameters are known to be: a pointer to a function is part of the instance.
    pub known: Vec<Option<InstanceId>>,
}

/// A call whose function is known only when the kernel runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Indirect {
    /// Through a pointer to a function of a type.
    Pointer(TypeId),
    /// Of a virtual function, through the object's table.
    Virtual(InstanceId),
    /// No call: the address of the whole object that an object of a class is part of.
    Top(StructId),
}

/// How far something that is made on demand is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    Declared,
    InProgress,
    Done,
    Failed,
}

/// An [`Instance`], by its position; that of its function in the module too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct InstanceId(pub u32);

impl InstanceId {
    fn function(self) -> FunctionId {
        FunctionId(self.0)
    }
}

/// What tells instances apart: the function, its template arguments, and the functions that it is given.
type InstanceKey = (FuncId, Rc<[TemplateArg]>, Vec<Option<InstanceId>>);

/// What is known of a text while it is lowered.
pub(crate) struct Lowering {
    pub symbols: ast::Symbols,
    pub types: Types,
    pub scopes: Vec<Scope>,
    pub functions: Vec<Function>,
    pub templates: Vec<Template>,
    /// By the struct's number.
    pub records: Vec<Record>,
    pub variables: Vec<Variable>,
    pub packs: Vec<Rc<[Entity]>>,
    pub instances: Vec<Instance>,
    pub instance_index: HashMap<InstanceKey, InstanceId>,
    pub queue: VecDeque<InstanceId>,
    /// Functions whose addresses are values.
    pub pointed_to: Vec<InstanceId>,
    /// The calls whose function is known only when the kernel runs.
    pub called_through: Vec<Indirect>,
    /// The tables of virtual functions that objects point to.
    pub tables: Vec<objects::virtuals::Table>,
    pub module: ir::Module,
    pub diagnostics: Vec<Diagnostic>,
    /// The functions that could not be lowered, with what was reported meanwhile.
    pub failures: HashMap<InstanceId, Vec<Diagnostic>>,
    /// The function that is being lowered.
    pub frame: Frame,
    /// The innermost scope.
    pub scope: ScopeId,
    /// Functions and variables of namespaces declared after this one are not seen.
    pub visible: u32,
    /// How many declarations there were.
    pub order: u32,
    /// How deep instantiations are nested.
    pub depth: u32,
    /// How deep expressions, statements and types are nested.
    pub nesting: u32,
    pub frames: u32,
    pub instructions: usize,
    /// Steps that compile-time evaluation may still take.
    pub steps: u64,
    /// Numbers names that no text can spell.
    pub unnamed: u32,
    /// What `auto` stands for while a type is resolved.
    pub auto_type: Option<TypeId>,
    /// The enumerators' scopes, by the enumeration's number.
    pub enum_scopes: Vec<ScopeId>,
    /// Kernels that are no templates.
    pub kernel_functions: Vec<FuncId>,
    /// Explicit specialisations of kernels.
    pub special_kernels: Vec<(FuncId, Rc<[TemplateArg]>)>,
    /// Kernels that are asked for.
    pub kernels: Vec<InstanceId>,
    /// `__device__` and `__constant__` variables.
    pub exported: Vec<VarId>,
    /// The order of the struct that is being defined; 0 outside.
    pub record_order: u32,
    /// Whether conversions that a text defines may be used for arguments.
    pub allow_user: bool,
    /// How deep constructors are being looked for.
    pub converting: u32,
    pub captured_this: HashMap<StructId, names::scope::Field>,
    /// The structs that lambdas are.
    pub closures: HashSet<StructId>,
    /// The functions that lambdas without captures are, by their closures.
    pub lambda_functions: HashMap<StructId, names::scope::FuncId>,
    /// A symbol that no text can spell, for call operators.
    pub known_call: ast::Symbol,
    /// Whether a statement of the present function failed.
    pub has_failed: bool,
    /// How deep in expressions that are only asked for their types.
    pub unevaluated: u32,
    /// Whether the next expression is written or referred to.
    pub wants_place: bool,
}

impl Lowering {
    pub fn new(mut symbols: ast::Symbols, sources: SourceMap) -> Lowering {
        let known_call = symbols.intern("operator()");
        let root = Scope {
            kind: ScopeKind::Namespace,
            parent: None,
            name: None,
            names: HashMap::new(),
            using: Vec::new(),
            of_language: Vec::new(),
        };
        Lowering {
            symbols,
            types: Types::new(),
            scopes: vec![root],
            functions: Vec::new(),
            templates: Vec::new(),
            records: Vec::new(),
            variables: Vec::new(),
            packs: Vec::new(),
            instances: Vec::new(),
            instance_index: HashMap::new(),
            queue: VecDeque::new(),
            pointed_to: Vec::new(),
            called_through: Vec::new(),
            tables: Vec::new(),
            module: ir::Module { sources, ..ir::Module::default() },
            diagnostics: Vec::new(),
            failures: HashMap::new(),
            frame: Frame::new(0, String::new(), Span::default()),
            scope: ScopeId(0),
            visible: u32::MAX,
            order: 0,
            depth: 0,
            nesting: 0,
            frames: 0,
            instructions: 0,
            steps: 5_000_000,
            unnamed: 0,
            auto_type: None,
            enum_scopes: Vec::new(),
            kernel_functions: Vec::new(),
            special_kernels: Vec::new(),
            kernels: Vec::new(),
            exported: Vec::new(),
            record_order: 0,
            allow_user: true,
            converting: 0,
            captured_this: HashMap::new(),
            closures: HashSet::new(),
            lambda_functions: HashMap::new(),
            known_call,
            has_failed: false,
            wants_place: false,
            unevaluated: 0,
        }
    }
}
