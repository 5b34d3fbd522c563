//! Loops and switches.

use crate::Span;
use crate::ast::{self, Condition, Declaration, Expr, Initialiser, Stmt};
use crate::check::types::TypeId;
use crate::ir::{BlockId, End};

use crate::lower::memory::value::{Address, Category, JumpTarget, Switch, Value};
use crate::lower::names::scope::{Entity, Key};
use crate::lower::{Fault, Lowering, Result, fault};

impl Lowering {
    pub fn loop_body(&mut self, body: &Stmt, leave: BlockId, next: BlockId) -> Result<()> {
        let objects = self.frame.objects.len();
        self.frame.targets.push(JumpTarget { leave, next: Some(next), objects });
        let result = self.body(body);
        self.frame.targets.pop();
        result
    }

    pub fn while_loop(&mut self, condition: &Condition, body: &Stmt) -> Result<()> {
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

    pub fn do_loop(&mut self, body: &Stmt, condition: &Expr) -> Result<()> {
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

    pub fn for_loop(
        &mut self,
        condition: Option<&Condition>,
        step: Option<&Expr>,
        body: &Stmt,
    ) -> Result<()> {
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

    pub fn range_for(&mut self, variable: &Declaration, range: &Expr, body: &Stmt, span: Span) -> Result<()> {
        let over = match &range.kind {
            ast::ExprKind::List(items) => self.listed_range(items, span)?,
            _ => self.expr(range)?,
        };
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

    /// The values of a list in braces, as an array of the first one's type.
    fn listed_range(&mut self, items: &[ast::ListItem], span: Span) -> Result<Value> {
        let items = self.expanded(items)?;
        let Some(first) = items.first() else { return Err(fault(span, "the list is empty")) };
        let first = self.unevaluated(&first.value)?;
        let of = match self.types.as_array(first.ty) {
            Some((of, _)) => self.types.pointer(of),
            None => self.types.unqualified(first.ty),
        };
        let ty = self.types.array(of, Some(items.len() as u64));
        let address = self.new_memory("", ty, span)?;
        self.init_list(address, ty, &items, span)?;
        Ok(Value::memory(ty, address, Category::Left))
    }

    pub fn increment(&mut self, value: Value, span: Span) -> Result<()> {
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

    pub fn range_of(&mut self, over: Value, span: Span) -> Result<(Value, Value)> {
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

    pub fn switch(&mut self, value: &Condition, body: &Stmt, span: Span) -> Result<()> {
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
        self.frame.targets.push(JumpTarget { leave: done, next: None, objects });
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

    pub fn switch_value(&mut self, value: Value, span: Span) -> Result<Value> {
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
    pub fn begin_case(&mut self) -> BlockId {
        let block = self.b().new_block();
        self.b().end(End::Jump(block));
        self.b().enter(block);
        block
    }

    pub fn case(&mut self, value: &Expr, last: Option<&Expr>, span: Span) -> Result<()> {
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
        let count = last.wrapping_sub(first) & crate::passes::fold::mask(kind);
        if count > 4096 {
            return Err(fault(span, "this range of cases is too large; use `if`"));
        }
        let Some(switch) = self.frame.switches.last_mut() else { return Ok(()) };
        for step in 0..=count {
            let case = first.wrapping_add(step) & crate::passes::fold::mask(kind);
            if switch.cases.iter().any(|(known, _)| *known == case) {
                return Err(fault(span, "this case stands twice in the switch"));
            }
            switch.cases.push((case, block));
        }
        Ok(())
    }

    pub fn case_value(&mut self, expr: &Expr, ty: TypeId) -> Result<u64> {
        let value = self.constant(expr)?;
        let own = if self.types.as_enum(ty).is_some() { self.types.underlying(ty) } else { ty };
        Ok(self.convert_constant(value, own, expr.span)?.bits)
    }
}
