//! Statements.

use std::rc::Rc;

use crate::Span;
use crate::ast::{self, Block, Condition, Declaration, Expr, Initialiser, Stmt, StmtKind, TypeKind};
use crate::check::types::{Kind as TyKind, TypeId};
use crate::ir::{BlockId, Compare, End, Op, Type};

use super::deduce::Deduction;
use super::scope::{Entity, Key, Pending, Place, ScopeKind, VarId, Variable};
use super::value::{Address, Category, Kind, Label, Switch, Target, Value};
use super::{Fault, Lowering, Result, fault, mentions};

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
    fn poison(&mut self, statement: &Stmt) {
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

    fn leave_block(&mut self, mark: usize) -> Result<()> {
        if self.frame.b.is_open() {
            self.destroy_down_to(mark)?;
        }
        self.frame.objects.truncate(mark);
        Ok(())
    }

    fn statement(&mut self, statement: &Stmt) -> Result<()> {
        self.b().span = statement.span;
        self.nested(statement.span, |this| this.statement_kind(statement))
    }

    fn statement_kind(&mut self, statement: &Stmt) -> Result<()> {
        let span = statement.span;
        match &statement.kind {
            StmtKind::Empty => Ok(()),
            StmtKind::Expr(expr) => {
                let mark = self.frame.temporaries.len();
                let value = self.expr(expr)?;
                if let (Kind::Memory(_), true) = (&value.kind, value.ty.is_volatile()) {
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
            StmtKind::Asm { text } if text.trim().is_empty() => {
                self.b().emit(Op::Fence);
                Ok(())
            }
            StmtKind::Asm { text } => Err(fault(span, asm_message(text))),
            StmtKind::Try => Err(fault(
                span,
                "exceptions are not supported in kernels; use assert or write a status to an array",
            )),
        }
    }

    fn label(&mut self, name: ast::Symbol, span: Span) -> BlockId {
        if let Some(label) = self.frame.labels.get(&name) {
            return label.block;
        }
        let block = self.b().new_block();
        self.frame.labels.insert(name, Label { block, defined: false, used: span });
        block
    }

    /// Runs `then` in a scope whose objects end with it.
    fn scoped(&mut self, then: impl FnOnce(&mut Lowering) -> Result<()>) -> Result<()> {
        let outer = self.scope;
        self.scope = self.add_scope(ScopeKind::Block, outer);
        let mark = self.frame.objects.len();
        let result = then(self).and_then(|()| self.leave_block(mark));
        self.frame.objects.truncate(mark);
        self.scope = outer;
        result
    }

    /// A statement that is the body of another.
    fn body(&mut self, statement: &Stmt) -> Result<()> {
        self.scoped(|this| this.statement(statement))
    }

    fn leave_to(&mut self, block: BlockId, objects: usize) -> Result<()> {
        self.destroy_down_to(objects)?;
        self.b().end(End::Jump(block));
        Ok(())
    }

    /// The value of a condition, as a truth value.
    fn condition(&mut self, condition: &Condition) -> Result<Value> {
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

    fn if_statement(
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

    fn loop_body(&mut self, body: &Stmt, leave: BlockId, next: BlockId) -> Result<()> {
        let objects = self.frame.objects.len();
        self.frame.targets.push(Target { leave, next: Some(next), objects });
        let result = self.body(body);
        self.frame.targets.pop();
        result
    }

    fn while_loop(&mut self, condition: &Condition, body: &Stmt) -> Result<()> {
        let (head, inside, done) = (self.b().new_block(), self.b().new_block(), self.b().new_block());
        self.b().end(End::Jump(head));
        self.b().enter(head);
        self.scoped(|this| {
            let truth = this.condition(condition)?;
            let span = this.frame.b.span;
            this.branch(&truth, inside, done, span)?;
            this.b().enter(inside);
            this.loop_body(body, done, head)
        })?;
        self.b().end(End::Jump(head));
        self.b().enter(done);
        Ok(())
    }

    fn branch(&mut self, truth: &Value, then: BlockId, otherwise: BlockId, span: Span) -> Result<()> {
        if let Kind::Constant(bits) = truth.kind {
            self.b().end(End::Jump(if bits != 0 { then } else { otherwise }));
            return Ok(());
        }
        let cond = self.local_in_place(truth, span)?;
        self.b().end(End::Branch { cond, then, otherwise });
        Ok(())
    }

    fn do_loop(&mut self, body: &Stmt, condition: &Expr) -> Result<()> {
        let (inside, test, done) = (self.b().new_block(), self.b().new_block(), self.b().new_block());
        self.b().end(End::Jump(inside));
        self.b().enter(inside);
        self.loop_body(body, done, test)?;
        self.b().end(End::Jump(test));
        self.b().enter(test);
        let mark = self.frame.temporaries.len();
        let value = self.expr(condition)?;
        let truth = self.truth(value, condition.span)?;
        self.end_temporaries(mark)?;
        self.branch(&truth, inside, done, condition.span)?;
        self.b().enter(done);
        Ok(())
    }

    fn for_loop(&mut self, condition: Option<&Condition>, step: Option<&Expr>, body: &Stmt) -> Result<()> {
        let (head, inside) = (self.b().new_block(), self.b().new_block());
        let (next, done) = (self.b().new_block(), self.b().new_block());
        self.b().end(End::Jump(head));
        self.b().enter(head);
        self.scoped(|this| {
            match condition {
                Some(condition) => {
                    let truth = this.condition(condition)?;
                    let span = this.frame.b.span;
                    this.branch(&truth, inside, done, span)?;
                }
                None => this.b().end(End::Jump(inside)),
            }
            this.b().enter(inside);
            this.loop_body(body, done, next)
        })?;
        self.b().end(End::Jump(next));
        self.b().enter(next);
        if let Some(step) = step {
            let mark = self.frame.temporaries.len();
            self.expr(step)?;
            self.end_temporaries(mark)?;
        }
        self.b().end(End::Jump(head));
        self.b().enter(done);
        Ok(())
    }

    fn range_for(&mut self, variable: &Declaration, range: &Expr, body: &Stmt, span: Span) -> Result<()> {
        let over = self.expr(range)?;
        let (begin, end) = self.range_of(over, span)?;
        let at = self.hidden(begin, span)?;
        let end = self.hidden(end, span)?;
        let (head, inside) = (self.b().new_block(), self.b().new_block());
        let (next, done) = (self.b().new_block(), self.b().new_block());
        self.b().end(End::Jump(head));
        self.b().enter(head);
        let (left, right) = (self.variable_value(at, span)?, self.variable_value(end, span)?);
        let more = self.binary_values(ast::BinaryOp::Ne, left, right, (span, span), span)?;
        let more = self.truth(more, span)?;
        self.branch(&more, inside, done, span)?;
        self.b().enter(inside);
        self.scoped(|this| {
            let here = this.variable_value(at, span)?;
            let element = if this.types.as_struct(here.ty).is_some() {
                let name = ast::OperatorName::Binary(ast::BinaryOp::Mul);
                match this.user_operator(name, &[(here, span)], None, span)? {
                    Some(element) => element,
                    None => return Err(fault(span, "what begin() returns cannot be dereferenced")),
                }
            } else {
                this.deref(here, span)?
            };
            let id = this.value_variable(element, span)?;
            let symbol = this.symbols.intern("range element");
            this.declare_only(Key::Name(symbol), Entity::Variable(id));
            let name = ast::Name::plain(symbol, span);
            let value = Expr::new(ast::ExprKind::Name(Box::new(name)), span);
            match variable {
                Declaration::Variables(variables) => {
                    let mut variables = variables.clone();
                    if let Some(first) = variables.variables.first_mut() {
                        first.init = Initialiser::Copy(value);
                    }
                    this.local_variables(&variables)?;
                }
                Declaration::Binding(binding) => {
                    let mut binding = binding.clone();
                    binding.init = Initialiser::Copy(value);
                    this.structured_binding(&binding)?;
                }
                _ => return Err(fault(span, "a variable is expected here")),
            }
            this.loop_body(body, done, next)
        })?;
        self.b().end(End::Jump(next));
        self.b().enter(next);
        let here = self.variable_value(at, span)?;
        self.increment(here, span)?;
        self.b().end(End::Jump(head));
        self.b().enter(done);
        Ok(())
    }

    fn increment(&mut self, value: Value, span: Span) -> Result<()> {
        if self.types.as_struct(value.ty).is_some() {
            return match self.user_operator(ast::OperatorName::Increment, &[(value, span)], None, span)? {
                Some(_) => Ok(()),
                None => Err(fault(span, "what begin() returns cannot be incremented")),
            };
        }
        let one = Value::constant(crate::check::constant::Constant::int(1));
        let old = self.rvalue(value.clone(), span)?;
        let new = self.binary_values(ast::BinaryOp::Add, old, one, (span, span), span)?;
        let local = self.local(&new, span)?;
        self.store(&value, local, span)
    }

    fn range_of(&mut self, over: Value, span: Span) -> Result<(Value, Value)> {
        if let Some((of, Some(length))) = self.types.as_array(over.ty) {
            let begin = self.decayed(over, span)?;
            let base = self.local(&begin, span)?;
            let size = self.size_of(of, span)?;
            let end = self.pointer(Address { base, offset: (size * length) as i64 });
            let ty = begin.ty;
            return Ok((begin, Value::local(ty, end)));
        }
        if self.types.as_struct(over.ty).is_some() {
            let mut ends = Vec::new();
            for name in ["begin", "end"] {
                let symbol = self.symbols.intern(name);
                let Some(set) = self.member_functions(&over, Key::Name(symbol), name, None, span)? else {
                    return Err(fault(
                        span,
                        format!("`{}` has no {name}() to go through", self.types.name(over.ty)),
                    ));
                };
                let set = self.functions_value(set);
                ends.push(self.call_value(set, Vec::new(), None, span)?);
            }
            if let (Some(end), Some(begin)) = (ends.pop(), ends.pop()) {
                return Ok((begin, end));
            }
        }
        Err(fault(span, format!("a `{}` cannot be gone through; use an index", self.types.name(over.ty))))
    }

    /// A variable that no name leads to, with a value of its own.
    fn hidden(&mut self, value: Value, span: Span) -> Result<VarId> {
        let ty = value.ty.bare();
        let frame = self.frame.number;
        let place = match self.types.ir(ty) {
            Some(kind) => {
                let src = self.local_in_place(&value, span)?;
                let index = self.new_variable(kind, "");
                let dst = self.frame.variables[index as usize].local;
                self.b().emit(Op::Copy { dst, src });
                Place::Local { frame, index }
            }
            None => {
                let (bytes, align) = self.layout_of(ty, span)?;
                let slot = self.new_slot("", bytes, align, span)?;
                let address = self.slot_address(slot);
                self.init_copy(address, ty, value, span)?;
                Place::Slot { frame, slot }
            }
        };
        Ok(self.add_variable(Variable { name: String::new(), ty, place, order: 0, span }))
    }

    /// A name for a value that is there: an object in memory is itself, a number gets a local.
    pub fn value_variable(&mut self, value: Value, span: Span) -> Result<VarId> {
        let frame = self.frame.number;
        let ty = value.ty;
        let place = match &value.kind {
            Kind::Memory(address) => Place::Address { frame, base: address.base, offset: address.offset },
            Kind::Bits(address, bits) => {
                Place::Bits { frame, base: address.base, offset: address.offset, bits: *bits }
            }
            Kind::Variable(index) => Place::Local { frame, index: *index },
            Kind::Constant(bits) => Place::Constant(*bits),
            Kind::Instance(id) => Place::Function(*id),
            Kind::Functions(set) => {
                let set = set.clone();
                Place::Function(self.single_function(&set, None, span)?)
            }
            _ => return self.hidden(value, span),
        };
        Ok(self.add_variable(Variable { name: String::new(), ty, place, order: 0, span }))
    }

    fn switch(&mut self, value: &Condition, body: &Stmt, span: Span) -> Result<()> {
        let value = match value {
            Condition::Expr(expr) => {
                let mark = self.frame.temporaries.len();
                let value = self.expr(expr)?;
                let value = self.switch_value(value, expr.span)?;
                self.end_temporaries(mark)?;
                value
            }
            Condition::Variable(variables) => {
                self.local_variables(variables)?;
                let Some(name) = variables.variables.first().and_then(|variable| variable.name.as_ref())
                else {
                    return Err(Fault(None));
                };
                let value = self.name_value(name, false)?;
                self.switch_value(value, span)?
            }
        };
        let local = self.local(&value, span)?;
        let done = self.b().new_block();
        // Ended for real once the cases are known.
        let head = self.frame.b.current();
        self.b().end(End::Unreachable);
        let before = self.b().new_block();
        self.b().enter(before);
        self.b().end(End::Unreachable);
        self.frame.switches.push(Switch { ty: value.ty, cases: Vec::new(), default: None });
        let objects = self.frame.objects.len();
        self.frame.targets.push(Target { leave: done, next: None, objects });
        let result = self.body(body);
        self.frame.targets.pop();
        let switch = self.frame.switches.pop();
        result?;
        self.b().end(End::Jump(done));
        if let Some(switch) = switch {
            let default = switch.default.unwrap_or(done);
            self.frame.b.function.blocks[head.index()].end =
                End::Switch { value: local, cases: switch.cases, default };
        }
        self.b().enter(done);
        Ok(())
    }

    fn switch_value(&mut self, value: Value, span: Span) -> Result<Value> {
        let value = if self.types.as_struct(value.ty).is_some() {
            self.convert(value, TypeId::LLONG, span)?
        } else {
            self.rvalue(value, span)?
        };
        if self.types.as_enum(value.ty).is_some_and(|info| info.is_scoped) {
            return Ok(value);
        }
        if !self.types.underlying(value.ty).is_integer() {
            return Err(fault(
                span,
                format!("a switch is over integers, not `{}`", self.types.name(value.ty)),
            ));
        }
        let to = crate::check::convert::promoted(&self.types, value.ty);
        self.convert_number(value, to, span)
    }

    /// A block for a case: what stands before falls through to it.
    fn begin_case(&mut self) -> BlockId {
        let block = self.b().new_block();
        self.b().end(End::Jump(block));
        self.b().enter(block);
        block
    }

    fn case(&mut self, value: &Expr, last: Option<&Expr>, span: Span) -> Result<()> {
        let Some(switch) = self.frame.switches.last() else {
            return Err(fault(span, "`case` stands outside a switch"));
        };
        let ty = switch.ty;
        let first = self.case_value(value, ty)?;
        let last = match last {
            Some(last) => self.case_value(last, ty)?,
            None => first,
        };
        let block = self.begin_case();
        let kind = self.ir_type(ty, span)?;
        let count = last.wrapping_sub(first) & crate::check::constant::mask(kind);
        if count > 4096 {
            return Err(fault(span, "this range of cases is too large; use `if`"));
        }
        let Some(switch) = self.frame.switches.last_mut() else { return Ok(()) };
        for step in 0..=count {
            let case = first.wrapping_add(step) & crate::check::constant::mask(kind);
            if switch.cases.iter().any(|(known, _)| *known == case) {
                return Err(fault(span, "this case stands twice in the switch"));
            }
            switch.cases.push((case, block));
        }
        Ok(())
    }

    fn case_value(&mut self, expr: &Expr, ty: TypeId) -> Result<u64> {
        let value = self.constant(expr)?;
        let own = if self.types.as_enum(ty).is_some() { self.types.underlying(ty) } else { ty };
        Ok(self.convert_constant(value, own, expr.span)?.bits)
    }

    fn return_statement(&mut self, value: Option<&Expr>, span: Span) -> Result<()> {
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
    fn deduce_result(&mut self, expr: &Expr) -> Result<()> {
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

    /// The type that `auto` in a pattern makes of a value.
    pub fn auto_from(&mut self, pattern: &ast::Type, value: &Value, expr: Option<&Expr>) -> Result<TypeId> {
        if !mentions::has_auto(pattern) {
            return self.resolve_type(pattern);
        }
        if let (TypeKind::DecltypeAuto, Some(expr)) = (&pattern.kind, expr) {
            let ty = ast::Type::new(TypeKind::Decltype(Box::new(expr.clone())), pattern.span);
            return self.resolve_type(&ty);
        }
        let mut ty = value.ty;
        match &value.kind {
            Kind::Functions(set) => {
                let set = set.clone();
                let id = self.single_function(&set, None, set.span)?;
                ty = self.function_type(id).unwrap_or(TypeId::VOID);
            }
            Kind::Void => return Err(fault(pattern.span, "the value is void: there is nothing to keep")),
            Kind::Pack(_) => return Err(fault(pattern.span, "a parameter pack must be expanded with `...`")),
            _ => {}
        }
        let (inner, adjusted) = match &pattern.kind {
            TypeKind::Reference { to, .. } => (&**to, ty),
            TypeKind::RvalueReference(to) => {
                let forwards =
                    matches!(to.kind, TypeKind::Auto) && !to.constant && value.category == Category::Left;
                (&**to, if forwards { self.types.reference(ty, false) } else { ty })
            }
            _ => {
                let ty = self.adjusted_parameter(ty);
                (pattern, self.types.unqualified(ty))
            }
        };
        let header = ast::TemplateHeader { parameters: Vec::new(), span: pattern.span };
        let mut d = Deduction::new(Rc::new(header), self.scope);
        if !self.deduce(inner, adjusted, &mut d)? {
            return Err(fault(
                pattern.span,
                format!("`auto` here does not fit a `{}`", self.types.name(value.ty)),
            ));
        }
        let outer = std::mem::replace(&mut self.auto_type, d.auto);
        let resolved = self.resolve_type(pattern);
        self.auto_type = outer;
        resolved
    }

    fn local_declaration(&mut self, declaration: &Declaration) -> Result<()> {
        match declaration {
            Declaration::Variables(variables) => self.local_variables(variables),
            Declaration::Binding(binding) => self.structured_binding(binding),
            Declaration::Function(function) if matches!(function.body, ast::FunctionBody::None) => {
                // `T x();` and declarations of functions of namespaces.
                let scope = self.enclosing_namespace(self.scope);
                self.add_function(function.clone(), scope, scope, None, false)?;
                Ok(())
            }
            Declaration::Function(function) => {
                Err(fault(function.span, "a function cannot be defined in a function; use a lambda"))
            }
            Declaration::Record(_) => {
                let order = std::mem::replace(&mut self.record_order, self.visible.min(self.order).max(1));
                let result = self.declaration(declaration);
                self.record_order = order;
                result
            }
            other => self.declaration(other),
        }
    }

    pub fn local_variables(&mut self, variables: &ast::Variables) -> Result<()> {
        for variable in &variables.variables {
            let mark = self.frame.temporaries.len();
            self.local_variable(&variables.specifiers, variable)?;
            self.end_temporaries(mark)?;
        }
        Ok(())
    }

    fn local_variable(&mut self, specifiers: &ast::Specifiers, variable: &ast::Variable) -> Result<()> {
        let span = variable.span;
        self.b().span = span;
        let Some(symbol) = variable.name.as_ref().and_then(ast::Name::as_plain) else {
            return Err(fault(span, "a variable's name is expected"));
        };
        let name = self.text(symbol).to_owned();
        let key = Key::Name(symbol);
        if let Some([Entity::Variable(_), ..]) =
            self.scopes[self.scope.index()].names.get(&key).map(Vec::as_slice)
        {
            return Err(fault(span, format!("`{name}` is declared twice in this block")));
        }
        if specifiers.shared {
            return self.shared_variable(specifiers, variable, key, &name);
        }
        if specifiers.is_extern {
            return Err(fault(span, "`extern` in a function is for `extern __shared__` arrays"));
        }
        let is_static = specifiers.is_static || specifiers.device || specifiers.constant;
        if is_static || (specifiers.constexpr && !mentions::has_auto(&variable.ty)) {
            let mut specifiers = specifiers.clone();
            specifiers.device |= specifiers.is_static && !specifiers.constexpr;
            return self.static_variable(&specifiers, variable, key, &name);
        }
        let (ty, value) = self.variable_type(variable)?;
        let ty = if specifiers.constexpr { self.types.qualified(ty, true, false) } else { ty };
        let id = self.make_variable(&name, ty, variable, value, specifiers)?;
        self.declare_only(key, Entity::Variable(id));
        Ok(())
    }

    /// The declared type; where it is `auto`, with the value that it was taken from.
    fn variable_type(&mut self, variable: &ast::Variable) -> Result<(TypeId, Option<Value>)> {
        let span = variable.span;
        if mentions::has_auto(&variable.ty) {
            let expr = single_initialiser(&variable.init)
                .ok_or_else(|| fault(span, "`auto` needs a value to take its type from"))?;
            if let ast::ExprKind::List(_) = expr.kind {
                return Err(fault(span, "`auto` cannot take its type from a list in braces"));
            }
            let refers =
                matches!(variable.ty.kind, TypeKind::Reference { .. } | TypeKind::RvalueReference(_));
            let value = if refers { self.place(expr)? } else { self.expr(expr)? };
            let ty = self.auto_from(&variable.ty, &value, Some(expr))?;
            return Ok((ty, Some(value)));
        }
        if let TypeKind::Named(name) = &variable.ty.kind {
            if let Some(ty) = self.class_from_arguments(name, &variable.init, variable.ty.span)? {
                return Ok((self.types.qualified(ty, variable.ty.constant, variable.ty.volatile), None));
            }
        }
        let ty = self.resolve_type(&variable.ty)?;
        if let Some((of, None)) = self.types.as_array(ty) {
            let length = self.initialiser_length(&variable.init, of, span)?;
            return Ok((self.types.array(of, Some(length)), None));
        }
        Ok((ty, None))
    }

    /// `T x(...)` where `T` is a class template without arguments.
    fn class_from_arguments(
        &mut self,
        name: &ast::Name,
        init: &Initialiser,
        span: Span,
    ) -> Result<Option<TypeId>> {
        if name.last.arguments.is_some() {
            return Ok(None);
        }
        let found = self.entities(name)?;
        if found.iter().any(|entity| matches!(entity, Entity::Type(_))) {
            return Ok(None);
        }
        let template = found.iter().find_map(|entity| match entity {
            Entity::Template(id) => Some(*id),
            _ => None,
        });
        let Some(template) = template else { return Ok(None) };
        let exprs: Vec<&Expr> = match init {
            Initialiser::None => return Ok(None),
            Initialiser::Copy(expr) => vec![expr],
            Initialiser::Direct(exprs) => exprs.iter().collect(),
            Initialiser::Braces(list) => match &list.kind {
                ast::ExprKind::List(items) => items.iter().map(|item| &item.value).collect(),
                _ => vec![list],
            },
        };
        let mut types = Vec::new();
        for expr in exprs {
            let value = self.unevaluated(expr)?;
            types.push((value.ty, value.category));
        }
        self.deduced_class(template, &types, span).map(Some)
    }

    /// The length of `T a[] = {...}`.
    pub fn initialiser_length(&mut self, init: &Initialiser, of: TypeId, span: Span) -> Result<u64> {
        let expr = match init {
            Initialiser::Copy(expr) | Initialiser::Braces(expr) => expr,
            _ => return Err(fault(span, "an array needs a length or values")),
        };
        match &expr.kind {
            ast::ExprKind::String { bytes, .. } => Ok(bytes.len() as u64 + 1),
            ast::ExprKind::List(items) => {
                if let [ast::ListItem { value, .. }] = &items[..] {
                    if let (ast::ExprKind::String { bytes, .. }, true) =
                        (&value.kind, of.bare() == TypeId::CHAR)
                    {
                        return Ok(bytes.len() as u64 + 1);
                    }
                }
                let mut length = 0u64;
                let mut at = 0u64;
                for item in items {
                    if let Some(ast::Designator::Index(index)) = item.designators.first() {
                        at = self.constant(index)?.bits;
                    }
                    if let ast::ExprKind::Expansion(pattern) = &item.value.kind {
                        let each =
                            self.expand(span, &mut |seen| mentions::in_expr(pattern, seen), |_| Ok(()))?;
                        at += each.len() as u64;
                    } else {
                        at += 1;
                    }
                    length = length.max(at);
                }
                // Inner arrays without braces of their own take several values each.
                let flat = items.iter().all(|item| {
                    !matches!(item.value.kind, ast::ExprKind::List(_) | ast::ExprKind::String { .. })
                });
                if let (Some((_, Some(inner))), true) = (self.types.as_array(of), flat) {
                    return Ok(length.div_ceil(inner.max(1)));
                }
                Ok(length)
            }
            _ => Err(fault(span, "an array is initialised by a list in braces")),
        }
    }

    fn make_variable(
        &mut self,
        name: &str,
        ty: TypeId,
        variable: &ast::Variable,
        value: Option<Value>,
        specifiers: &ast::Specifiers,
    ) -> Result<VarId> {
        let span = variable.span;
        let frame = self.frame.number;
        self.complete(ty, span)?;
        if ty.is_void() || self.types.is_function(ty) {
            return Err(fault(span, format!("a variable cannot be of type `{}`", self.types.name(ty))));
        }
        let make = |this: &mut Lowering, ty: TypeId, place: Place| {
            this.add_variable(Variable { name: name.to_owned(), ty, place, order: 0, span })
        };
        if let TyKind::Reference { .. } = self.types.kind(ty) {
            let value = match value {
                Some(value) => value,
                None => match single_initialiser(&variable.init) {
                    Some(ast::Expr { kind: ast::ExprKind::List(items), .. }) => {
                        let of = self.types.referred(ty).bare();
                        self.list_value(of, items, None, span)?
                    }
                    Some(expr) => self.place(expr)?,
                    None => return Err(fault(span, "a reference needs what it refers to")),
                },
            };
            let bound = self.bind_reference(value, ty, span)?;
            // A temporary that a reference is bound to lives as long as the reference.
            if let Kind::Memory(address) = bound.kind {
                if let Some(at) = self.frame.temporaries.iter().position(|(place, _)| *place == address) {
                    let object = self.frame.temporaries.remove(at);
                    self.frame.objects.push(object);
                }
            }
            let id = self.value_variable(bound, span)?;
            self.variables[id.index()].name = name.to_owned();
            return Ok(id);
        }
        let is_function = self.types.pointee(ty).is_some_and(|of| self.types.is_function(of));
        if is_function {
            let value = match (value, single_initialiser(&variable.init)) {
                (Some(value), _) => value,
                (None, Some(expr)) => self.expr(expr)?,
                (None, None) => return Err(fault(span, "a pointer to a function needs its function here")),
            };
            let value = self.convert(value, ty, span)?;
            return match value.kind {
                Kind::Instance(id) => Ok(make(self, ty, Place::Function(id))),
                _ => Err(fault(span, "a pointer to a function must be known at compile time")),
            };
        }
        let align = self.alignment(&specifiers.alignment)?;
        if let (Some(kind), false, 1) = (self.types.ir(ty), ty.is_volatile(), align) {
            let value = match (value, &variable.init) {
                (Some(value), _) => Some(value),
                (None, Initialiser::None) => None,
                (None, init) => Some(self.scalar_initialiser(init, ty, span)?),
            };
            let Some(value) = value else {
                if ty.is_const() {
                    return Err(fault(span, format!("`{name}` is const and needs a value")));
                }
                let index = self.new_variable(kind, name);
                return Ok(make(self, ty, Place::Local { frame, index }));
            };
            let value = self.convert(value, ty.bare(), span)?;
            if let (true, Kind::Constant(bits)) = (ty.is_const(), &value.kind) {
                return Ok(make(self, ty, Place::Constant(*bits)));
            }
            let src = self.local_in_place(&value, span)?;
            let index = self.new_variable(kind, name);
            let dst = self.frame.variables[index as usize].local;
            self.b().span = span;
            self.b().emit(Op::Copy { dst, src });
            return Ok(make(self, ty, Place::Local { frame, index }));
        }
        let (bytes, natural) = self.layout_of(ty, span)?;
        let slot = self.new_slot(name, bytes, natural.max(align), span)?;
        let address = self.slot_address(slot);
        let id = make(self, ty, Place::Slot { frame, slot });
        match value {
            Some(value) => self.init_copy(address, ty, value, span)?,
            None => self.init_from(address, ty, &variable.init, span)?,
        }
        if let Some(record) = self.types.as_struct(ty) {
            self.push_object(address, record);
        } else if let Some((of, Some(length))) = self.types.as_array(ty) {
            self.push_array(address, of, length, span)?;
        }
        Ok(id)
    }

    fn push_array(&mut self, address: Address, of: TypeId, length: u64, span: Span) -> Result<()> {
        let Some(record) = self.types.as_struct(of) else { return Ok(()) };
        if self.records[record.0 as usize].plain_destructor {
            return Ok(());
        }
        if length > 64 {
            return Err(fault(span, "an array of more than 64 objects with destructors is not supported"));
        }
        let size = self.size_of(of, span)?;
        for at in 0..length {
            self.push_object(Address { offset: address.offset + (at * size) as i64, ..address }, record);
        }
        Ok(())
    }

    /// A number's initialiser.
    pub fn scalar_initialiser(&mut self, init: &Initialiser, ty: TypeId, span: Span) -> Result<Value> {
        match init {
            Initialiser::None => Err(fault(span, "a value is expected")),
            Initialiser::Copy(expr) | Initialiser::Braces(expr) => match &expr.kind {
                ast::ExprKind::List(items) => self.scalar_list(ty, items, span),
                _ => {
                    let value = self.expr(expr)?;
                    self.convert(value, ty.bare(), expr.span)
                }
            },
            Initialiser::Direct(arguments) => match &arguments[..] {
                [] => Ok(Value::constant(crate::check::constant::Constant { ty: ty.bare(), bits: 0 })),
                [expr] => {
                    let value = self.expr(expr)?;
                    self.explicit(value, ty.bare(), ast::CastStyle::Static, expr.span)
                }
                _ => Err(fault(span, "one value is expected")),
            },
        }
    }

    fn shared_variable(
        &mut self,
        specifiers: &ast::Specifiers,
        variable: &ast::Variable,
        key: Key,
        name: &str,
    ) -> Result<()> {
        let span = variable.span;
        let ty = self.resolve_type(&variable.ty)?;
        self.complete(ty, span)?;
        let place = self.shared_place(specifiers, ty, &variable.init, name, span)?;
        let id = self.add_variable(Variable { name: name.to_owned(), ty, place, order: 0, span });
        self.declare_only(key, Entity::Variable(id));
        Ok(())
    }

    /// Where a `__shared__` variable is.
    pub fn shared_place(
        &mut self,
        specifiers: &ast::Specifiers,
        ty: TypeId,
        init: &Initialiser,
        name: &str,
        span: Span,
    ) -> Result<Place> {
        if !matches!(init, Initialiser::None) {
            return Err(fault(
                span,
                "a __shared__ variable cannot have a first value: write it and call __syncthreads()",
            ));
        }
        let no_length = self.types.as_array(ty).is_some_and(|(_, length)| length.is_none());
        if specifiers.is_extern || no_length {
            if !specifiers.is_extern {
                return Err(fault(
                    span,
                    "a __shared__ array needs a length, or `extern` for the launch's shared memory",
                ));
            }
            return Ok(Place::DynamicShared);
        }
        let (bytes, natural) = self.layout_of(ty, span)?;
        if bytes > 1 << 24 {
            return Err(fault(span, format!("`{name}` of {bytes} bytes is too large for shared memory")));
        }
        let align = self.alignment(&specifiers.alignment)?.max(natural);
        self.module.shared.push(crate::ir::Shared { name: name.to_owned(), bytes, align: align as u32 });
        Ok(Place::Shared(crate::ir::SharedId(self.module.shared.len() as u32 - 1)))
    }

    /// `static` and `constexpr` variables of a function: computed at compile time.
    fn static_variable(
        &mut self,
        specifiers: &ast::Specifiers,
        variable: &ast::Variable,
        key: Key,
        name: &str,
    ) -> Result<()> {
        let pending = Pending {
            specifiers: specifiers.clone(),
            variable: variable.clone(),
            scope: self.scope,
            order: self.visible,
            is_member: false,
        };
        let id = self.add_variable(Variable {
            name: name.to_owned(),
            ty: TypeId::VOID,
            place: Place::Pending(Rc::new(pending)),
            order: 0,
            span: variable.span,
        });
        self.define_variable(id, variable.span)?;
        self.declare_only(key, Entity::Variable(id));
        Ok(())
    }

    /// `auto [a, b] = e;`
    fn structured_binding(&mut self, binding: &ast::Binding) -> Result<()> {
        let span = binding.span;
        let Some(expr) = single_initialiser(&binding.init) else {
            return Err(fault(span, "a structured binding needs a value"));
        };
        let value = self.expr(expr)?;
        let ty = if self.types.as_array(value.ty).is_some()
            && !matches!(binding.ty.kind, TypeKind::Reference { .. } | TypeKind::RvalueReference(_))
        {
            self.types.unqualified(value.ty)
        } else {
            self.auto_from(&binding.ty, &value, Some(expr))?
        };
        let whole = if self.types.is_reference(ty) {
            self.bind_reference(value, ty, span)?
        } else {
            let address = self.new_memory("", ty, span)?;
            if self.types.as_array(ty).is_some() {
                let from = self.address(&value, span)?;
                self.copy_construct(address, from, ty, value.ty, span)?;
            } else {
                self.init_copy(address, ty.bare(), value, span)?;
            }
            if let Some(id) = self.types.as_struct(ty) {
                self.push_object(address, id);
            }
            Value::memory(ty, address, Category::Left)
        };
        let mut parts = Vec::new();
        if let Some((of, Some(length))) = self.types.as_array(whole.ty) {
            let size = self.size_of(of, span)?;
            let address = self.address(&whole, span)?;
            for at in 0..length.min(binding.names.len() as u64 + 1) {
                let place = Address { offset: address.offset + (at * size) as i64, ..address };
                parts.push(Value::memory(of, place, Category::Left));
            }
        } else if let Some(id) = self.types.as_struct(whole.ty) {
            self.complete_record(id, span)?;
            // The fields are those of the struct, or of the one base that has some.
            let mut of = id;
            while self.types.get(of).fields.is_empty() {
                match self.types.get(of).bases.first() {
                    Some(base) => of = base.ty,
                    None => break,
                }
            }
            let whole = self.as_base(whole, of, span)?;
            for field in self.types.get(of).fields.clone() {
                let seen = super::scope::Field {
                    owner: of,
                    ty: field.ty,
                    offset: field.offset,
                    bits: field.bits,
                    is_mutable: field.is_mutable,
                };
                parts.push(self.field_of(&whole, seen, span)?);
            }
        } else {
            return Err(fault(span, format!("a `{}` cannot be taken apart", self.types.name(whole.ty))));
        }
        if parts.len() != binding.names.len() {
            return Err(fault(
                span,
                format!("there are {} names for {} parts", binding.names.len(), parts.len()),
            ));
        }
        for ((symbol, at), part) in binding.names.iter().zip(parts) {
            let id = self.value_variable(part, *at)?;
            self.variables[id.index()].name = self.text(*symbol).to_owned();
            self.declare_only(Key::Name(*symbol), Entity::Variable(id));
        }
        Ok(())
    }

    /// A comparison of two addresses, for loops that the language makes.
    pub fn addresses_differ(&mut self, a: crate::ir::Local, b: crate::ir::Local) -> crate::ir::Local {
        debug_assert_eq!(self.frame.b.type_of(a), Type::POINTER);
        self.b().compare(Compare::Ne, a, b)
    }
}

/// The one value of an initialiser.
pub(crate) fn single_initialiser(init: &Initialiser) -> Option<&Expr> {
    match init {
        Initialiser::None => None,
        Initialiser::Copy(expr) => Some(expr),
        Initialiser::Direct(arguments) => match &arguments[..] {
            [only] => Some(only),
            _ => None,
        },
        Initialiser::Braces(list) => match &list.kind {
            ast::ExprKind::List(items) => match &items[..] {
                [item] if item.designators.is_empty() => Some(&item.value),
                _ => Some(list),
            },
            _ => Some(list),
        },
    }
}

/// What to write instead of a piece of PTX.
fn asm_message(text: &str) -> String {
    let known = [
        ("popc", "__popc or __popcll"),
        ("lop3", "the operators & | ^ ~"),
        ("shfl", "__shfl_sync and its forms"),
        ("bfe", "shifts and masks"),
        ("bfi", "shifts and masks"),
        ("brev", "__brev"),
        ("clz", "__clz or __clzll"),
        ("%laneid", "threadIdx.x % 32"),
        ("%smid", "nothing: there are no multiprocessors"),
        ("%clock", "clock64()"),
        ("%globaltimer", "clock64()"),
        ("fma", "fmaf or fma"),
        ("mad", "the operators * and +"),
        ("prmt", "__byte_perm"),
        ("membar", "__threadfence()"),
        ("bar.sync", "__syncthreads()"),
        ("cvt", "a cast"),
        ("atom", "the atomic functions"),
        ("red.", "the atomic functions"),
        ("vote", "__ballot_sync and its forms"),
        ("ld.", "a plain or volatile read"),
        ("st.", "a plain or volatile write"),
        ("mma", "loops"),
        ("trap", "__trap()"),
        ("nanosleep", "__nanosleep()"),
    ];
    let instead = known.iter().find(|(name, _)| text.contains(name)).map(|(_, instead)| *instead);
    match instead {
        Some(instead) => format!("inline PTX (asm) is not supported on the CPU; use {instead}"),
        None => "inline PTX (asm) is not supported on the CPU; use CUDA's functions or operators, or \
                 `#ifdef __CUDACC__` around it"
            .to_owned(),
    }
}
