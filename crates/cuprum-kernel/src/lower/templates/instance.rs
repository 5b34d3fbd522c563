//! Functions with their template arguments: what they take and return, and their bodies as functions of the IR.

use std::rc::Rc;

use crate::ast::{self, TypeKind};
use crate::check::types::{TypeClass, TypeId};
use crate::ir::{self, Type};
use crate::{Diagnostic, Severity, Span};

use crate::lower::memory::value::Functions;
use crate::lower::names::mentions;
use crate::lower::names::scope::{Entity, FuncId, Key, Place, ScopeId, ScopeKind, TemplateArg, Variable};
use crate::lower::{Fault, Instance, InstanceId, Lowering, Result, State, fault};

impl Lowering {
    /// A function's name with those of its namespaces and its struct.
    pub fn function_name(&self, function: FuncId) -> String {
        let info = &self.functions[function.index()];
        let name = match &info.ast.name.last.id {
            ast::Identifier::Name(symbol) => self.text(*symbol).to_owned(),
            ast::Identifier::Operator(op) => format!("operator{}", operator_text(*op)),
            ast::Identifier::Conversion(_) => "operator (conversion)".to_owned(),
            ast::Identifier::Literal(symbol) => format!("operator\"\"{}", self.text(*symbol)),
            ast::Identifier::Destructor(symbol) => format!("~{}", self.text(*symbol)),
            ast::Identifier::Decltype(_) => String::new(),
        };
        if info.is_lambda {
            return "lambda".to_owned();
        }
        self.qualified_name(info.scope, &name)
    }

    /// A function with template arguments; the types of what it takes and returns are found, its body is not lowered yet.
    pub fn instance(&mut self, function: FuncId, given: &[TemplateArg], span: Span) -> Result<InstanceId> {
        let key = (function, Rc::from(given), Vec::new());
        if let Some(&id) = self.instance_index.get(&key) {
            return Ok(id);
        }
        self.enter_instantiation(span)?;
        let visible = self.visible;
        let auto = self.auto_type.take();
        let user = std::mem::replace(&mut self.allow_user, true);
        let converting = std::mem::take(&mut self.converting);
        let made = self.make_instance(function, given, span);
        self.allow_user = user;
        self.converting = converting;
        self.auto_type = auto;
        self.visible = visible;
        self.depth -= 1;
        let id = made?;
        self.instance_index.insert(key, id);
        Ok(id)
    }

    pub fn make_instance(
        &mut self,
        function: FuncId,
        given: &[TemplateArg],
        span: Span,
    ) -> Result<InstanceId> {
        if self.instances.len() >= crate::lower::MAX_INSTANCES {
            return Err(self.report_limit(fault(
                span,
                "the text makes too many functions: is there a template that makes itself anew?",
            )));
        }
        let info = &self.functions[function.index()];
        let outer = info.scope;
        self.visible = info.order;
        let (scope, full) = match info.header.clone() {
            Some(header) => self.bind(&header, given, outer, span)?,
            None => (self.add_scope(ScopeKind::Template, outer), Rc::from(&[][..])),
        };
        // An explicit specialisation stands for its list of arguments.
        let special =
            self.functions[function.index()].special.iter().find(|(list, _)| *list == full).map(|s| s.1);
        if let Some(special) = special {
            return self.instance(special, &[], span);
        }
        let full_key = (function, full.clone(), Vec::new());
        if let Some(&id) = self.instance_index.get(&full_key) {
            return Ok(id);
        }
        let ast = self.functions[function.index()].ast.clone();
        let (params, result) = self.in_scope(scope, |this| this.signature(&ast, function))?;
        let level = self.level_of(function, span)?;
        let id = InstanceId(self.instances.len() as u32);
        self.instances.push(Instance {
            function,
            arguments: full,
            scope,
            params,
            result,
            state: State::Declared,
            is_queued: false,
            level,
            from: span,
            known: Vec::new(),
        });
        self.module.functions.push(empty_function());
        self.instance_index.insert(full_key, id);
        Ok(id)
    }

    /// How many templates lead to an instance that is asked for now; an error where they do not come to an end.
    pub fn level_of(&mut self, function: FuncId, span: Span) -> Result<u32> {
        let around = self.frame.instance.map_or(0, |id| self.instances[id.0 as usize].level);
        let level = around + u32::from(self.functions[function.index()].header.is_some());
        if level > crate::lower::MAX_LEVEL {
            return Err(self.report_limit(fault(
                span,
                format!(
                    "templates lead to one another more than {} times here: the recursion needs an end",
                    crate::lower::MAX_LEVEL
                ),
            )));
        }
        Ok(level)
    }

    /// What a function takes and returns, in the current scope.
    pub fn signature(
        &mut self,
        ast: &ast::Function,
        function: FuncId,
    ) -> Result<(Vec<TypeId>, Option<TypeId>)> {
        let mut params = Vec::new();
        for parameter in &ast.parameters {
            let pattern = match &parameter.ty.kind {
                TypeKind::Pack(inner) => Some(&**inner),
                _ => parameter.pack.then_some(&parameter.ty),
            };
            match pattern {
                Some(pattern) => {
                    let types =
                        self.expand(parameter.span, &mut |seen| mentions::in_type(pattern, seen), |this| {
                            this.parameter_type(pattern)
                        })?;
                    params.extend(types);
                }
                None => {
                    let ty = self.parameter_type(&parameter.ty)?;
                    if ty.is_void() {
                        if ast.parameters.len() == 1 && parameter.name.is_none() {
                            break;
                        }
                        return Err(fault(parameter.span, "a parameter cannot be void"));
                    }
                    params.push(ty);
                }
            }
        }
        if ast.variadic {
            return Err(fault(ast.span, "functions with `...` are not supported; use a parameter pack"));
        }
        let result = match (&ast.result, self.functions[function.index()].key) {
            (_, Key::Constructor | Key::Destructor) => Some(TypeId::VOID),
            (_, Key::Conversion) => match &ast.name.last.id {
                ast::Identifier::Conversion(ty) if mentions::has_auto(ty) => None,
                ast::Identifier::Conversion(ty) => Some(self.resolve_type(ty)?),
                _ => None,
            },
            (Some(ty), _) if mentions::has_auto(ty) => None,
            (Some(ty), _) => {
                // The result may be written behind the parameters, and mention them.
                let result = if matches!(ty.kind, TypeKind::Decltype(_)) || has_decltype(ty) {
                    self.with_stand_in_parameters(ast, &params, |this| this.resolve_type(ty))?
                } else {
                    self.resolve_type(ty)?
                };
                if self.types.as_array(result).is_some() {
                    return Err(fault(
                        ast.span,
                        "a function cannot return an array; return a struct or take a pointer",
                    ));
                }
                Some(result)
            }
            (None, _) => None,
        };
        Ok((params, result))
    }

    pub fn with_stand_in_parameters<T>(
        &mut self,
        ast: &ast::Function,
        params: &[TypeId],
        then: impl FnOnce(&mut Lowering) -> Result<T>,
    ) -> Result<T> {
        let span = ast.span;
        let frame = self.constant_frame(span);
        let scope = self.scope;
        let number = frame.number;
        let (result, _) = self.in_frame_of(frame, scope, |this| {
            this.in_block(|this| {
                let mut at = 0;
                for parameter in &ast.parameters {
                    let count = if parameter.pack || matches!(parameter.ty.kind, TypeKind::Pack(_)) {
                        params.len() + 1 - ast.parameters.len()
                    } else {
                        1
                    };
                    let mut entities = Vec::new();
                    for _ in 0..count {
                        let Some(&ty) = params.get(at) else { break };
                        at += 1;
                        let base = this.b().local(Type::POINTER);
                        let place = Place::Address { frame: number, base, offset: 0 };
                        let ty = this.types.referred(ty);
                        let id =
                            this.add_variable(Variable { name: String::new(), ty, place, order: 0, span });
                        entities.push(Entity::Variable(id));
                    }
                    if let Some(name) = parameter.name {
                        if parameter.pack || matches!(parameter.ty.kind, TypeKind::Pack(_)) {
                            let pack = this.add_pack(entities);
                            this.declare_only(Key::Name(name), pack);
                        } else if let [only] = entities[..] {
                            this.declare_only(Key::Name(name), only);
                        }
                    }
                }
                then(this)
            })
        });
        result
    }

    /// The result's type; where it is `auto`, the body decides.
    pub fn result_of(&mut self, id: InstanceId, span: Span) -> Result<TypeId> {
        if let Some(result) = self.instances[id.0 as usize].result {
            return Ok(result);
        }
        match self.instances[id.0 as usize].state {
            State::Declared => self.lower_instance(id)?,
            State::InProgress => {
                return Err(fault(span, "the result is `auto` and not known yet here: write its type"));
            }
            State::Failed => return Err(Fault(None)),
            State::Done => {}
        }
        self.instances[id.0 as usize].result.ok_or(Fault(None))
    }

    /// Has a function lowered later, because something calls it.
    pub fn require(&mut self, id: InstanceId) {
        if self.unevaluated > 0 {
            return;
        }
        let instance = &mut self.instances[id.0 as usize];
        if instance.state == State::Declared && !instance.is_queued {
            instance.is_queued = true;
            self.queue.push_back(id);
        }
    }

    /// Lowers all functions that are asked for, until none is left.
    pub fn drain(&mut self) {
        while let Some(id) = self.queue.pop_front() {
            if self.has_too_many_errors() {
                return;
            }
            // What fails has been reported.
            let _ = self.lower_instance(id);
        }
    }

    /// A function's name with its template arguments, as kernels are asked for.
    pub fn instance_name(&self, id: InstanceId) -> String {
        let instance = &self.instances[id.0 as usize];
        let name = self.function_name(instance.function);
        // An explicit specialisation carries its arguments elsewhere.
        if instance.arguments.is_empty() {
            for function in &self.functions {
                if let Some((list, _)) =
                    function.special.iter().find(|(_, special)| *special == instance.function)
                {
                    return format!("{name}<{}>", self.arguments_text(list));
                }
            }
            return name;
        }
        format!("{name}<{}>", self.arguments_text(&instance.arguments))
    }

    /// The one function of a set that has a type, or the only one.
    pub fn single_function(&mut self, set: &Functions, of: Option<TypeId>, span: Span) -> Result<InstanceId> {
        let mut fitting = Vec::new();
        for &candidate in &set.candidates {
            let is_template = self.functions[candidate.index()].header.is_some();
            let instance = match (&set.explicit, is_template) {
                (Some(explicit), true) => self.instance(candidate, explicit, span),
                (None, false) => self.instance(candidate, &[], span),
                (None, true) => match of {
                    Some(of) => {
                        let TypeClass::Function { params, .. } = self.types.kind(of).clone() else {
                            continue;
                        };
                        let types: Vec<_> = params
                            .iter()
                            .map(|&ty| {
                                Some((self.types.referred(ty), crate::lower::memory::value::Category::Left))
                            })
                            .collect();
                        match self.deduce_call(candidate, &[], &types)? {
                            Some(found) => self.instance(candidate, &found, span),
                            None => continue,
                        }
                    }
                    None => continue,
                },
                (Some(_), false) => continue,
            };
            let Ok(instance) = instance else { continue };
            if let Some(of) = of
                && self.function_type(instance) != Some(of)
            {
                continue;
            }
            fitting.push(instance);
        }
        match fitting[..] {
            [only] => Ok(only),
            [] if set.builtin.is_some() => Err(fault(
                span,
                format!("`{}` is built in and has no address: wrap it in a function or a lambda", set.name),
            )),
            [] => Err(fault(span, format!("no function `{}` fits here", set.name))),
            _ => Err(fault(
                span,
                format!("`{}` is overloaded: say which one with a cast or template arguments", set.name),
            )),
        }
    }

    /// A function's type, as pointers to it have.
    pub fn function_type(&mut self, id: InstanceId) -> Option<TypeId> {
        let span = self.frame.b.span;
        let result = self.result_of(id, span).ok()?;
        let params = self.instances[id.0 as usize].params.iter().map(|ty| ty.bare()).collect();
        Some(self.types.function(result, params))
    }

    /// Adds an error, unless it has been reported or there are too many.
    pub fn report(&mut self, cause: Fault) {
        if let Some(diagnostic) = cause.0
            && !self.diagnostics.contains(&diagnostic)
        {
            self.diagnostics.push(*diagnostic);
        }
    }

    /// Reports an error that no other way around it may hide: a limit.
    pub fn report_limit(&mut self, cause: Fault) -> Fault {
        self.report(cause);
        Fault(None)
    }

    pub fn note(&mut self, span: Span, message: String) {
        let message = match message.char_indices().nth(300) {
            Some((at, _)) => format!("{}...", &message[..at]),
            None => message,
        };
        let note = Diagnostic { severity: Severity::Note, span, message };
        if !self.diagnostics.contains(&note) && self.diagnostics.len() < 4 * crate::lower::MAX_ERRORS {
            self.diagnostics.push(note);
        }
    }

    pub fn has_too_many_errors(&self) -> bool {
        self.diagnostics.iter().filter(|d| d.severity == Severity::Error).count() >= crate::lower::MAX_ERRORS
    }

    pub fn scope_of(&self, id: InstanceId) -> ScopeId {
        self.instances[id.0 as usize].scope
    }
}

fn has_decltype(ty: &ast::Type) -> bool {
    let mut mentions_any = false;
    mentions::in_type(ty, &mut |_| mentions_any = true);
    match &ty.kind {
        TypeKind::Named(name) => {
            name.qualifier.iter().chain([&name.last]).any(|part| {
                part.arguments.iter().flatten().any(|argument| match &argument.kind {
                    ast::TemplateArgumentKind::Type(ty) => has_decltype(ty),
                    ast::TemplateArgumentKind::Value(_) => true,
                })
            }) && mentions_any
        }
        TypeKind::Decltype(_) => true,
        TypeKind::Pointer { to, .. } | TypeKind::Reference { to, .. } | TypeKind::RvalueReference(to) => {
            has_decltype(to)
        }
        _ => false,
    }
}

/// A place for a function that is not lowered yet.
pub(crate) fn empty_function() -> ir::Function {
    ir::Function {
        name: String::new(),
        kernel: None,
        params: Vec::new(),
        result: None,
        locals: Vec::new(),
        slots: Vec::new(),
        blocks: Vec::new(),
        keep_call: false,
        span: Span::default(),
    }
}

pub(crate) fn operator_text(op: ast::OperatorName) -> String {
    use ast::OperatorName as N;
    match op {
        N::Binary(op) => binary_text(op).to_owned(),
        N::Assign(None) => "=".to_owned(),
        N::Assign(Some(op)) => format!("{}=", binary_text(op)),
        N::Not => "!".to_owned(),
        N::BitNot => "~".to_owned(),
        N::Increment => "++".to_owned(),
        N::Decrement => "--".to_owned(),
        N::Call => "()".to_owned(),
        N::Index => "[]".to_owned(),
        N::Arrow => "->".to_owned(),
        N::ArrowStar => "->*".to_owned(),
        N::Spaceship => "<=>".to_owned(),
        N::Memory => " new".to_owned(),
    }
}

pub(crate) fn binary_text(op: ast::BinaryOp) -> &'static str {
    use ast::BinaryOp as B;
    match op {
        B::Mul => "*",
        B::Div => "/",
        B::Rem => "%",
        B::Add => "+",
        B::Sub => "-",
        B::Shl => "<<",
        B::Shr => ">>",
        B::Lt => "<",
        B::Le => "<=",
        B::Gt => ">",
        B::Ge => ">=",
        B::Eq => "==",
        B::Ne => "!=",
        B::BitAnd => "&",
        B::BitXor => "^",
        B::BitOr => "|",
        B::And => "&&",
        B::Or => "||",
        B::Comma => ",",
        B::DotStar => ".*",
        B::ArrowStar => "->*",
    }
}
