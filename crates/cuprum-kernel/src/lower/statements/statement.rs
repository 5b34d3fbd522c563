//! Statements.

use crate::Span;
use crate::ast::{self, Block, Condition, Declaration, Expr, Stmt, StmtKind};
use crate::check::types::TypeId;
use crate::ir::{BlockId, End, Op};

use crate::lower::memory::value::{Address, Label, Value, ValueKind};
use crate::lower::names::scope::{Entity, Key, ScopeKind};
use crate::lower::{Fault, Lowering, Result, fault};

impl Lowering {
    /// `{ ... }`: objects live to its end.
    pub fn block(&mut self, block: &Block) -> Result<()> {
        let outer = self.scope;
        self.scope = self.add_scope(ScopeKind::Block, outer);
        let mark = self.frame.objects.len();
        for statement in &block.statements {
            // One bad statement does not hide the next ones' errors.
            if let Err(cause) = self.statement(statement) {
                self.report(cause);
                self.poison(statement);
                self.has_failed = true;
                if self.has_too_many_errors() {
                    break;
                }
            }
        }
        self.b().span = block.end;
        let result = self.leave_block(mark);
        self.scope = outer;
        result
    }

    /// Names that a failed declaration would have declared.
    pub fn poison(&mut self, statement: &Stmt) {
        let StmtKind::Declaration(declarations) = &statement.kind else { return };
        for declaration in declarations {
            let names: Vec<ast::Symbol> = match declaration {
                Declaration::Variables(variables) => variables
                    .variables
                    .iter()
                    .filter_map(|variable| variable.name.as_ref().and_then(ast::Name::as_plain))
                    .collect(),
                Declaration::Binding(binding) => binding.names.iter().map(|name| name.0).collect(),
                Declaration::Alias(alias) => vec![alias.name],
                Declaration::Record(record) => record.name.symbol().into_iter().collect(),
                _ => Vec::new(),
            };
            for symbol in names {
                let key = Key::Name(symbol);
                if !self.scopes[self.scope.index()].names.contains_key(&key) {
                    self.declare_only(key, Entity::Poison);
                }
            }
        }
    }

    pub fn leave_block(&mut self, mark: usize) -> Result<()> {
        if self.frame.b.is_open() {
            self.destroy_down_to(mark)?;
        }
        self.frame.objects.truncate(mark);
        Ok(())
    }

    pub fn statement(&mut self, statement: &Stmt) -> Result<()> {
        self.b().span = statement.span;
        self.nested(statement.span, |this| this.statement_kind(statement))
    }

    pub fn statement_kind(&mut self, statement: &Stmt) -> Result<()> {
        let span = statement.span;
        match &statement.kind {
            StmtKind::Empty => Ok(()),
            StmtKind::Expr(expr) => {
                let mark = self.frame.temporaries.len();
                let value = self.expr(expr)?;
                if let (ValueKind::Memory(_), true) = (&value.kind, value.ty.is_volatile()) {
                    // A volatile object that stands alone is read all the same.
                    if self.types.is_scalar(value.ty) {
                        self.rvalue(value, span)?;
                    }
                }
                self.end_temporaries(mark)
            }
            StmtKind::Declaration(declarations) => {
                declarations.iter().try_for_each(|declaration| self.local_declaration(declaration))
            }
            StmtKind::Block(block) => self.block(block),
            StmtKind::If { constant, init, condition, then, otherwise } => self.scoped(|this| {
                if let Some(init) = init {
                    this.statement(init)?;
                }
                this.if_statement(*constant, condition, then, otherwise.as_deref())
            }),
            StmtKind::While { condition, body, .. } => self.while_loop(condition, body),
            StmtKind::Do { body, condition, .. } => self.do_loop(body, condition),
            StmtKind::For { init, condition, step, body, .. } => self.scoped(|this| {
                this.statement(init)?;
                this.for_loop(condition.as_ref(), step.as_ref(), body)
            }),
            StmtKind::RangeFor { init, variable, range, body, .. } => self.scoped(|this| {
                if let Some(init) = init {
                    this.statement(init)?;
                }
                this.range_for(variable, range, body, span)
            }),
            StmtKind::Switch { init, value, body } => self.scoped(|this| {
                if let Some(init) = init {
                    this.statement(init)?;
                }
                this.switch(value, body, span)
            }),
            StmtKind::Case { value, last } => self.case(value, last.as_ref(), span),
            StmtKind::Default => {
                let block = self.begin_case();
                match self.frame.switches.last_mut() {
                    Some(switch) if switch.default.is_none() => {
                        switch.default = Some(block);
                        Ok(())
                    }
                    Some(_) => Err(fault(span, "there are two `default:` in this switch")),
                    None => Err(fault(span, "`default:` stands outside a switch")),
                }
            }
            StmtKind::Break => match self.frame.targets.last().cloned() {
                Some(target) => self.leave_to(target.leave, target.objects),
                None => Err(fault(span, "`break` stands outside a loop or switch")),
            },
            StmtKind::Continue => {
                let target =
                    self.frame.targets.iter().rev().find_map(|target| Some((target.next?, target.objects)));
                match target {
                    Some((next, objects)) => self.leave_to(next, objects),
                    None => Err(fault(span, "`continue` stands outside a loop")),
                }
            }
            StmtKind::Return(value) => self.return_statement(value.as_ref(), span),
            StmtKind::Goto(name) => {
                if !self.frame.objects.is_empty() {
                    return Err(fault(
                        span,
                        "goto is not supported where objects with destructors are alive",
                    ));
                }
                let block = self.label(*name, span);
                self.b().end(End::Jump(block));
                Ok(())
            }
            StmtKind::Label(name) => {
                let block = self.label(*name, span);
                if let Some(label) = self.frame.labels.get_mut(name) {
                    if label.defined {
                        return Err(fault(span, "this label is defined twice"));
                    }
                    label.defined = true;
                }
                self.b().end(End::Jump(block));
                self.b().enter(block);
                Ok(())
            }
            // `asm volatile("" ::: "memory")` keeps the compiler from moving accesses.
            StmtKind::Asm { text, .. } if text.trim().is_empty() => {
                self.b().emit(Op::Fence);
                Ok(())
            }
            StmtKind::Asm { text, unknown } => Err(fault(span, asm_message(text, unknown))),
            StmtKind::Try => Err(fault(
                span,
                "exceptions are not supported in kernels; use assert or write a status to an array",
            )),
        }
    }

    pub fn label(&mut self, name: ast::Symbol, span: Span) -> BlockId {
        if let Some(label) = self.frame.labels.get(&name) {
            return label.block;
        }
        let block = self.b().new_block();
        self.frame.labels.insert(name, Label { block, defined: false, used: span });
        block
    }

    /// Runs `then` in a scope whose objects end with it.
    pub fn scoped(&mut self, then: impl FnOnce(&mut Lowering) -> Result<()>) -> Result<()> {
        let outer = self.scope;
        self.scope = self.add_scope(ScopeKind::Block, outer);
        let mark = self.frame.objects.len();
        let result = then(self).and_then(|()| self.leave_block(mark));
        self.frame.objects.truncate(mark);
        self.scope = outer;
        result
    }

    /// A statement that is the body of another.
    pub fn body(&mut self, statement: &Stmt) -> Result<()> {
        self.scoped(|this| this.statement(statement))
    }

    pub fn leave_to(&mut self, block: BlockId, objects: usize) -> Result<()> {
        self.destroy_down_to(objects)?;
        self.b().end(End::Jump(block));
        Ok(())
    }

    /// The value of a condition, as a truth value.
    pub fn condition(&mut self, condition: &Condition) -> Result<Value> {
        let mark = self.frame.temporaries.len();
        let truth = match condition {
            Condition::Expr(expr) => {
                let value = self.expr(expr)?;
                self.truth(value, expr.span)?
            }
            Condition::Variable(variables) => {
                self.local_variables(variables)?;
                let Some(variable) = variables.variables.first() else { return Err(Fault(None)) };
                let Some(name) = &variable.name else { return Err(Fault(None)) };
                let value = self.name_value(name, false)?;
                self.truth(value, variable.span)?
            }
        };
        self.end_temporaries(mark)?;
        Ok(truth)
    }

    pub fn if_statement(
        &mut self,
        constant: bool,
        condition: &Condition,
        then: &Stmt,
        otherwise: Option<&Stmt>,
    ) -> Result<()> {
        if constant {
            let taken = match condition {
                Condition::Expr(expr) => self.constant_bool(expr)?,
                Condition::Variable(_) => match self.condition(condition)?.as_constant() {
                    Some(constant) => constant.bits != 0,
                    None => {
                        return Err(fault(then.span, "the condition of `if constexpr` is not a constant"));
                    }
                },
            };
            return match (taken, otherwise) {
                (true, _) => self.body(then),
                (false, Some(otherwise)) => self.body(otherwise),
                (false, None) => Ok(()),
            };
        }
        let truth = self.condition(condition)?;
        let span = self.frame.b.span;
        let cond = self.local_in_place(&truth, span)?;
        let (first, done) = (self.b().new_block(), self.b().new_block());
        let second = if otherwise.is_some() { self.b().new_block() } else { done };
        self.b().end(End::Branch { cond, then: first, otherwise: second });
        self.b().enter(first);
        self.body(then)?;
        self.b().end(End::Jump(done));
        if let Some(otherwise) = otherwise {
            self.b().enter(second);
            self.body(otherwise)?;
            self.b().end(End::Jump(done));
        }
        self.b().enter(done);
        Ok(())
    }

    pub fn branch(&mut self, truth: &Value, then: BlockId, otherwise: BlockId, span: Span) -> Result<()> {
        if let ValueKind::Constant(bits) = truth.kind {
            self.b().end(End::Jump(if bits != 0 { then } else { otherwise }));
            return Ok(());
        }
        let cond = self.local_in_place(truth, span)?;
        self.b().end(End::Branch { cond, then, otherwise });
        Ok(())
    }

    pub fn return_statement(&mut self, value: Option<&Expr>, span: Span) -> Result<()> {
        let mark = self.frame.temporaries.len();
        let Some(expr) = value else {
            if self.frame.result.is_some_and(|result| !result.is_void()) {
                return Err(fault(span, "this function returns a value: `return` needs one"));
            }
            self.frame.result = Some(TypeId::VOID);
            self.destroy_down_to(0)?;
            self.b().end(End::Return(None));
            return Ok(());
        };
        if self.frame.result.is_none() || self.frame.deduced && self.frame.result_address.is_none() {
            self.deduce_result(expr)?;
        }
        let Some(result) = self.frame.result else { return Err(Fault(None)) };
        if self.frame.is_kernel {
            return Err(fault(expr.span, "a kernel returns nothing; write to an array"));
        }
        if result.is_void() {
            let value = self.expr(expr)?;
            if !value.ty.is_void() {
                return Err(fault(expr.span, "this function returns nothing, but a value is given"));
            }
            self.end_temporaries(mark)?;
            self.destroy_down_to(0)?;
            self.b().end(End::Return(None));
            return Ok(());
        }
        if let Some(base) = self.frame.result_address {
            self.init_expr(Address { base, offset: 0 }, result.bare(), expr)?;
            self.end_temporaries(mark)?;
            self.destroy_down_to(0)?;
            self.b().end(End::Return(None));
            return Ok(());
        }
        let local = if self.types.is_reference(result) {
            let value = self.place(expr)?;
            let bound = self.bind_reference(value, result, expr.span)?;
            let address = self.address(&bound, expr.span)?;
            self.pointer(address)
        } else {
            let value = match &expr.kind {
                ast::ExprKind::List(items) => self.scalar_list(result, items, expr.span)?,
                _ => self.expr(expr)?,
            };
            let value = self.convert(value, result, expr.span)?;
            self.local(&value, expr.span)?
        };
        self.end_temporaries(mark)?;
        self.destroy_down_to(0)?;
        self.b().end(End::Return(Some(local)));
        Ok(())
    }

    /// The result's type, from the first `return`; later ones must agree.
    pub fn deduce_result(&mut self, expr: &Expr) -> Result<()> {
        let pattern = self.frame.instance.and_then(|id| {
            let function = self.instances[id.0 as usize].function;
            self.functions[function.index()].ast.result.clone()
        });
        let value = self.unevaluated(expr)?;
        let ty = match pattern {
            Some(pattern) => self.auto_from(&pattern, &value, Some(expr))?,
            None => self.adjusted_parameter(value.ty.bare()),
        };
        match self.frame.result {
            Some(known) if known != ty => Err(fault(
                expr.span,
                format!(
                    "this returns `{}`, an earlier `return` `{}`: write the function's result type",
                    self.types.name(ty),
                    self.types.name(known)
                ),
            )),
            Some(_) => Ok(()),
            None => {
                self.frame.result = Some(ty);
                self.prepare_result(ty, expr.span)
            }
        }
    }
}

/// What to write instead of a piece of PTX.
fn asm_message(text: &str, unknown: &str) -> String {
    let known = [
        ("shfl", "__shfl_sync and its forms"),
        ("vote", "__ballot_sync and its forms"),
        ("match", "__match_any_sync and __match_all_sync"),
        ("redux", "__reduce_add_sync and its forms"),
        ("atom", "the atomic functions"),
        ("red.", "the atomic functions"),
        ("bra", "`if` and loops"),
        ("call", "a function of C"),
        ("cvt", "a cast"),
        ("ld.", "a plain or volatile read"),
        ("st.", "a plain or volatile write"),
        ("mma", "nvcuda::wmma of <mma.h>, or loops"),
        ("cp.async", "a loop and __syncthreads()"),
        ("tex", "the array by its index"),
    ];
    let what = if unknown.is_empty() { text } else { unknown };
    let instead = known.iter().find(|(name, _)| what.contains(name)).map(|(_, instead)| *instead);
    let name = match unknown {
        "" => "inline PTX with operands like these".to_owned(),
        unknown => format!("the PTX instruction `{unknown}`"),
    };
    match instead {
        Some(instead) => format!("{name} is not supported on the CPU; use {instead}"),
        None => format!(
            "{name} is not supported on the CPU; use CUDA's functions or operators, or `#ifdef __CUDACC__` around it"
        ),
    }
}
