//! A whole text: its declarations, the kernels that it has and those that are asked for, and the module they make.

use std::collections::{HashMap, HashSet};

use crate::ast::{Declaration, Expr, ExprKind, Initialiser, TranslationUnit, UnaryOp};
use crate::ir::{self, FunctionId, GlobalId, Op, SharedId};
use crate::{Diagnostic, Severity, SourceMap};

use super::{InstanceId, Lowering, Result, State, fault};
use crate::lower::memory::value::ValueKind;
use crate::lower::names::scope::Key;

/// What a text makes.
pub(crate) struct Lowered {
    pub module: ir::Module,
    /// For each name that was asked for, the kernel's name.
    pub names: Vec<(String, String)>,
    pub warnings: Vec<Diagnostic>,
    pub refused: Vec<RefusedKernel>,
}

/// A kernel that cannot be compiled for the CPU, in a text with others that can.
#[derive(Clone, Debug)]
pub struct RefusedKernel {
    /// Its name, as it is asked for.
    pub name: String,
    /// Why: errors and notes.
    pub diagnostics: Vec<Diagnostic>,
}

/// The namespace that the names of kernels that are asked for are put into.
pub(crate) const NAME_EXPRESSIONS: &str = "__cuprum_asked";

/// Lowers a text. `asked` are the names of kernels, whose expressions stand in the namespace [`NAME_EXPRESSIONS`]. Without
/// `bodies`, kernels have their parameters alone.
pub(crate) fn lower(
    unit: TranslationUnit,
    sources: SourceMap,
    asked: &[String],
    bodies: bool,
) -> std::result::Result<Lowered, (Vec<Diagnostic>, SourceMap)> {
    let TranslationUnit { declarations, symbols } = unit;
    let mut lowering = Lowering::new(symbols, sources);
    let mut expressions = Vec::new();
    let mut own = Vec::new();
    for declaration in declarations {
        if let Declaration::Namespace(namespace) = &declaration
            && namespace.name.is_some_and(|name| lowering.text(name) == NAME_EXPRESSIONS)
        {
            expressions.extend(asked_expressions(&namespace.declarations));
            continue;
        }
        own.push(declaration);
    }
    lowering.declare_all(&own);
    let names = lowering.find_kernels(asked, &expressions);
    if bodies {
        lowering.define_exported();
        for id in lowering.kernels.clone() {
            lowering.require(id);
        }
        lowering.drain();
        lowering.make_dispatchers();
    } else {
        lowering.declare_kernels();
    }
    let is_error = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
    let mut refused = Vec::new();
    if lowering.diagnostics.iter().any(is_error) {
        refused = lowering.refuse_kernels();
        if lowering.kernels.is_empty() || lowering.has_error_outside_functions() {
            return Err((lowering.diagnostics, lowering.module.sources));
        }
    }
    let mut names = names;
    names.retain(|(_, name)| !name.is_empty());
    let mut warnings = std::mem::take(&mut lowering.diagnostics);
    warnings.retain(|diagnostic| diagnostic.severity == Severity::Warning);
    let module = lowering.finish(bodies);
    Ok(Lowered { module, names, warnings, refused })
}

/// The expressions of `auto name = (expression);`.
fn asked_expressions(declarations: &[Declaration]) -> Vec<Expr> {
    let mut expressions = Vec::new();
    for declaration in declarations {
        if let Declaration::Variables(variables) = declaration {
            for variable in &variables.variables {
                if let Initialiser::Copy(expr) = &variable.init {
                    expressions.push(expr.clone());
                }
            }
        }
    }
    expressions
}

impl Lowering {
    /// All kernels: those that are no templates, explicit instantiations, and those that are asked for by name.
    fn find_kernels(&mut self, asked: &[String], expressions: &[Expr]) -> Vec<(String, String)> {
        for function in self.kernel_functions.clone() {
            let span = self.functions[function.index()].ast.span;
            let has_body =
                !matches!(self.functions[function.index()].ast.body, crate::ast::FunctionBody::None);
            if !has_body {
                continue;
            }
            match self.instance(function, &[], span) {
                Ok(id) => self.add_kernel(id),
                Err(cause) => self.report(cause),
            }
        }
        for (function, arguments) in self.special_kernels.clone() {
            let span = self.functions[function.index()].ast.span;
            match self.instance(function, &arguments, span) {
                Ok(id) => self.add_kernel(id),
                Err(cause) => self.report(cause),
            }
        }
        let mut names = Vec::new();
        for (text, expr) in asked.iter().zip(expressions) {
            match self.asked_kernel(text, expr) {
                Ok(id) => {
                    self.add_kernel(id);
                    names.push((text.clone(), self.kernel_name(id)));
                }
                Err(cause) => self.report(cause),
            }
        }
        names
    }

    fn add_kernel(&mut self, id: InstanceId) {
        if !self.kernels.contains(&id) {
            self.kernels.push(id);
        }
    }

    /// The name that a kernel is asked for: without namespaces where it is `extern "C"`.
    fn kernel_name(&self, id: InstanceId) -> String {
        let function = &self.functions[self.instances[id.0 as usize].function.index()];
        match (function.ast.specifiers.extern_c, function.key) {
            (true, Key::Name(symbol)) if function.member_of.is_none() => self.text(symbol).to_owned(),
            _ => self.instance_name(id),
        }
    }

    fn asked_kernel(&mut self, text: &str, expr: &Expr) -> Result<InstanceId> {
        let mut at = expr;
        while let ExprKind::Unary { op: UnaryOp::Address, operand } = &at.kind {
            at = operand;
        }
        let value = self.unevaluated(at)?;
        let id = match &value.kind {
            ValueKind::Functions(set) => {
                let set = set.clone();
                self.single_function(&set, None, expr.span)?
            }
            ValueKind::Instance(id) => *id,
            _ => return Err(fault(expr.span, format!("`{text}` is not a kernel"))),
        };
        let function = self.instances[id.0 as usize].function;
        if !self.functions[function.index()].ast.specifiers.global {
            return Err(fault(expr.span, format!("`{text}` is not a kernel: it is not marked __global__")));
        }
        Ok(id)
    }

    fn define_exported(&mut self) {
        for id in self.exported.clone() {
            let span = self.variables[id.index()].span;
            if let Err(cause) = self.define_variable(id, span) {
                self.report(cause);
            }
        }
    }

    /// Takes out the kernels that use a function that could not be lowered, themselves included.
    fn refuse_kernels(&mut self) -> Vec<RefusedKernel> {
        let mut refused = Vec::new();
        for id in std::mem::take(&mut self.kernels) {
            let failed = self.failed_functions(id);
            if failed.is_empty() {
                self.kernels.push(id);
                continue;
            }
            let mut diagnostics: Vec<Diagnostic> = Vec::new();
            for diagnostic in failed.iter().filter_map(|id| self.failures.get(id)).flatten() {
                if !diagnostics.contains(diagnostic) {
                    diagnostics.push(diagnostic.clone());
                }
            }
            // What a function fails by may have been reported while another one was lowered.
            if !diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
                diagnostics.clone_from(&self.diagnostics);
            }
            refused.push(RefusedKernel { name: self.kernel_name(id), diagnostics });
        }
        refused
    }

    /// The functions without a body among those that a kernel reaches by calls and launches.
    fn failed_functions(&self, kernel: InstanceId) -> Vec<InstanceId> {
        let mut seen = HashSet::from([kernel]);
        let mut open = vec![kernel];
        let mut failed = Vec::new();
        while let Some(id) = open.pop() {
            // Functions that call others by number have no instance.
            if self.instances.get(id.0 as usize).is_some_and(|instance| instance.state != State::Done) {
                failed.push(id);
                continue;
            }
            let insts = self.module.functions[id.0 as usize].blocks.iter().flat_map(|block| &block.insts);
            for inst in insts {
                if let Op::Call { function, .. } | Op::Launch { function, .. } = inst.op
                    && seen.insert(InstanceId(function.0))
                {
                    open.push(InstanceId(function.0));
                }
            }
        }
        failed
    }

    /// Whether something other than the body of a function is wrong with the text.
    fn has_error_outside_functions(&self) -> bool {
        let in_functions: Vec<&Diagnostic> = self.failures.values().flatten().collect();
        self.diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error && !in_functions.contains(&diagnostic))
    }

    /// Kernels with their parameters and no bodies.
    fn declare_kernels(&mut self) {
        for id in self.kernels.clone() {
            let function = self.instances[id.0 as usize].function;
            let ast = self.functions[function.index()].ast.clone();
            let params = self.instances[id.0 as usize].params.clone();
            match self.kernel_of(&ast, &params, id) {
                Ok(kernel) => {
                    let name = self.kernel_name(id);
                    let made = &mut self.module.functions[id.0 as usize];
                    made.name = name;
                    made.kernel = Some(kernel);
                    made.span = ast.span;
                }
                Err(cause) => self.report(cause),
            }
        }
    }

    /// The module with what its kernels use, and no more.
    fn finish(mut self, bodies: bool) -> ir::Module {
        for id in self.kernels.clone() {
            let name = self.kernel_name(id);
            self.module.functions[id.0 as usize].name = name;
        }
        let mut order: Vec<u32> = self.kernels.iter().map(|id| id.0).collect();
        let mut places: HashMap<u32, u32> =
            order.iter().enumerate().map(|(at, id)| (*id, at as u32)).collect();
        if bodies {
            let mut at = 0;
            while at < order.len() {
                let function = &self.module.functions[order[at] as usize];
                for inst in function.blocks.iter().flat_map(|block| &block.insts) {
                    if let Op::Call { function, .. } | Op::Launch { function, .. } = inst.op
                        && let std::collections::hash_map::Entry::Vacant(e) = places.entry(function.0)
                    {
                        e.insert(order.len() as u32);
                        order.push(function.0);
                    }
                }
                at += 1;
            }
        }
        let mut functions: Vec<Option<ir::Function>> = self.module.functions.into_iter().map(Some).collect();
        let mut kept: Vec<ir::Function> =
            order.iter().filter_map(|id| functions[*id as usize].take()).collect();
        for inst in
            kept.iter_mut().flat_map(|function| &mut function.blocks).flat_map(|block| &mut block.insts)
        {
            if let Op::Call { function, .. } | Op::Launch { function, .. } = &mut inst.op {
                *function = FunctionId(places.get(&function.0).copied().unwrap_or(0));
            }
        }
        let mut module = ir::Module { functions: kept, ..self.module };
        keep_used_shared(&mut module);
        let exported: Vec<GlobalId> = self
            .exported
            .iter()
            .filter_map(|id| match self.variables[id.index()].place {
                crate::lower::names::scope::Place::Global(global) => Some(global),
                _ => None,
            })
            .collect();
        keep_used_globals(&mut module, &exported);
        module
    }
}

/// Drops `__shared__` variables of functions that were not kept: they would count against the launch's limit.
fn keep_used_shared(module: &mut ir::Module) {
    let mut places: HashMap<u32, u32> = HashMap::new();
    let mut kept = Vec::new();
    for inst in module.functions.iter_mut().flat_map(|f| &mut f.blocks).flat_map(|block| &mut block.insts) {
        if let Op::SharedAddress { shared, .. } = &mut inst.op {
            let at = *places.entry(shared.0).or_insert_with(|| {
                kept.push(module.shared[shared.index()].clone());
                kept.len() as u32 - 1
            });
            *shared = SharedId(at);
        }
    }
    module.shared = kept;
}

/// Drops constants that only compile-time evaluation used.
fn keep_used_globals(module: &mut ir::Module, exported: &[GlobalId]) {
    let mut places: HashMap<u32, u32> = HashMap::new();
    let mut order: Vec<u32> = Vec::new();
    let mut keep = |id: u32, order: &mut Vec<u32>| {
        *places.entry(id).or_insert_with(|| {
            order.push(id);
            order.len() as u32 - 1
        })
    };
    for id in exported {
        keep(id.0, &mut order);
    }
    for inst in module.functions.iter_mut().flat_map(|f| &mut f.blocks).flat_map(|block| &mut block.insts) {
        if let Op::GlobalAddress { global, .. } = &mut inst.op {
            *global = GlobalId(keep(global.0, &mut order));
        }
    }
    let mut at = 0;
    let mut kept = Vec::new();
    while at < order.len() {
        let mut global = module.globals[order[at] as usize].clone();
        for pointer in &mut global.addresses {
            if let ir::PointerTarget::Global(id) = &mut pointer.target {
                *id = GlobalId(keep(id.0, &mut order));
            }
        }
        kept.push(global);
        at += 1;
    }
    module.globals = kept;
}
