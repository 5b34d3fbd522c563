//! Compile-time values: constant expressions, and variables of namespaces and static ones with their first values.

use std::rc::Rc;

use crate::Span;
use crate::ast::{self, Expr, ExprKind, Initialiser};
use crate::check::constant::Constant;
use crate::check::types::TypeId;
use crate::ir::{self, End, GlobalId, GlobalPointer, Type};

use crate::lower::constants::interpret::AddressTarget;
use crate::lower::memory::value::{Address, Value, ValueKind};
use crate::lower::names::mentions;
use crate::lower::names::scope::{Pending, Place, TemplateArg, TemplateId, TemplateKind, VarId, Variable};
use crate::lower::templates::deduce::{self, Deduction};
use crate::lower::{Fault, Lowering, Result, fault};

impl Lowering {
    /// A number that is known at compile time.
    pub fn constant(&mut self, expr: &Expr) -> Result<Constant> {
        let found = self.constant_value(expr)?;
        Ok(Constant { ty: found.ty.bare(), bits: found.bits })
    }

    /// A truth value that is known at compile time.
    pub fn constant_bool(&mut self, expr: &Expr) -> Result<bool> {
        let span = expr.span;
        let constant = self.evaluate(span, |this| {
            let value = this.expr(expr)?;
            this.truth(value, span)
        })?;
        Ok(constant.bits != 0)
    }

    fn constant_value(&mut self, expr: &Expr) -> Result<Constant> {
        let span = expr.span;
        if let ExprKind::Integer { .. } = expr.kind
            && let Some(constant) = self.expr(expr)?.as_constant()
        {
            return Ok(constant);
        }
        self.evaluate(span, |this| {
            let value = this.expr(expr)?;
            if this.types.as_struct(value.ty).is_some() {
                // `std::integral_constant` and its like.
                return this.constant_of_struct(value, span);
            }
            this.rvalue(value, span)
        })
    }

    fn constant_of_struct(&mut self, value: Value, span: Span) -> Result<Value> {
        let id = self.types.as_struct(value.ty).ok_or(Fault(None))?;
        let conversions = self.records[id.0 as usize].conversions.clone();
        for function in conversions {
            let instance = self.instance(function, &[], span)?;
            let result = self.result_of(instance, span)?;
            if self.types.is_scalar(result) {
                let made = self.call_method(instance, value, Vec::new(), span)?;
                return self.rvalue(made, span);
            }
        }
        Err(fault(span, format!("a `{}` is not a number", self.types.name(value.ty))))
    }

    /// Lowers something into a function of its own and, where the result does not fold, runs it.
    fn evaluate(
        &mut self,
        span: Span,
        then: impl FnOnce(&mut Lowering) -> Result<Value>,
    ) -> Result<Constant> {
        self.enter_instantiation(span)?;
        let mut frame = self.constant_frame(span);
        frame.this = None;
        let scope = self.scope;
        let user = std::mem::replace(&mut self.allow_user, true);
        let converting = std::mem::take(&mut self.converting);
        let unevaluated = std::mem::take(&mut self.unevaluated);
        let (lowered, frame) = self.in_frame_of(frame, scope, |this| -> Result<_> {
            let value = then(this)?;
            if let Some(constant) = value.as_constant() {
                return Ok((Some(constant), constant.ty));
            }
            let local = this.local(&value, span)?;
            this.b().end(End::Return(Some(local)));
            Ok((None, value.ty))
        });
        self.allow_user = user;
        self.converting = converting;
        self.unevaluated = unevaluated;
        self.depth -= 1;
        let (constant, ty) = lowered?;
        if let Some(constant) = constant {
            return Ok(constant);
        }
        let function = crate::lower::memory::demote::demote(frame);
        let bits = self.run_function(function, span)?;
        Ok(Constant { ty: ty.bare(), bits })
    }

    /// A variable template with its arguments.
    pub fn variable_instance(
        &mut self,
        template: TemplateId,
        given: &[TemplateArg],
        span: Span,
    ) -> Result<VarId> {
        let TemplateKind::Variable { primary, special, .. } = &self.templates[template.index()].kind else {
            return Err(fault(span, "this is not a variable template"));
        };
        let (primary, special) = (primary.clone(), special.clone());
        let outer = self.templates[template.index()].scope;
        let Some(header) = self.own_header(&primary.templates) else {
            return Err(fault(span, "this is not a variable template"));
        };
        let (scope, full) = self.bind(&header, given, outer, span)?;
        if let TemplateKind::Variable { instances, .. } = &self.templates[template.index()].kind
            && let Some(id) = instances.get(&full)
        {
            return Ok(*id);
        }
        let mut chosen = (primary.clone(), scope);
        let mut best: Option<Rc<ast::Variables>> = None;
        for candidate in special {
            let Some(variable) = candidate.variables.first() else { continue };
            let patterns =
                variable.name.as_ref().and_then(|name| name.last.arguments.clone()).unwrap_or_default();
            let Some(header) = candidate.templates.last().map(|header| Rc::new(header.clone())) else {
                continue;
            };
            let mut d = Deduction::new(header.clone(), outer);
            if !self.in_scope(outer, |this| this.deduce_arguments(&patterns, &full, &mut d)).unwrap_or(false)
            {
                continue;
            }
            let Some(found) = deduce::finish(&d) else { continue };
            let Ok((scope, _)) = self.bind(&header, &found, outer, span) else { continue };
            let Ok(resolved) = self.in_scope(scope, |this| this.template_arguments(&patterns)) else {
                continue;
            };
            let Some(own) = self.own_header(&primary.templates) else { continue };
            if self.bind(&own, &resolved, outer, span).is_ok_and(|bound| bound.1 == full) {
                let better = match &best {
                    Some(known) => self.is_more_special_variable(&candidate, known, outer)?,
                    None => true,
                };
                if better {
                    chosen = (candidate.clone(), scope);
                    best = Some(candidate);
                }
            }
        }
        let (variables, scope) = chosen;
        let Some(variable) = variables.variables.first() else {
            return Err(fault(span, "this declares nothing"));
        };
        let name =
            format!("{}<{}>", self.text(self.templates[template.index()].name), self.arguments_text(&full));
        self.check_name(&name, span)?;
        let order = self.templates[template.index()].order;
        let pending =
            Pending { specifiers: variables.specifiers.clone(), variable: variable.clone(), scope, order };
        let place = Place::Pending(Rc::new(pending));
        let id = self.add_variable(Variable { name, ty: TypeId::VOID, place, order, span: variable.span });
        if let TemplateKind::Variable { instances, .. } = &mut self.templates[template.index()].kind {
            instances.insert(full, id);
        }
        Ok(id)
    }

    fn is_more_special_variable(
        &mut self,
        a: &ast::Variables,
        b: &ast::Variables,
        outer: crate::lower::names::scope::ScopeId,
    ) -> Result<bool> {
        let arguments = |variables: &ast::Variables| {
            let name = variables.variables.first().and_then(|variable| variable.name.clone());
            name.and_then(|name| name.last.arguments).unwrap_or_default()
        };
        let (Some(from), Some(to)) = (a.templates.last(), b.templates.last()) else { return Ok(false) };
        let scope = self.stand_ins(from, outer)?;
        let Ok(given) = self.in_scope(scope, |this| this.template_arguments(&arguments(a))) else {
            return Ok(false);
        };
        let mut d = Deduction::new(Rc::new(to.clone()), outer);
        Ok(self.deduce_arguments(&arguments(b), &given, &mut d).unwrap_or(false))
    }

    /// Finds the type, the place and the first value of a variable of a namespace, or of a static one.
    pub fn define_variable(&mut self, id: VarId, used: Span) -> Result<()> {
        let Place::Pending(pending) = self.variables[id.index()].place.clone() else { return Ok(()) };
        self.variables[id.index()].place = Place::InProgress;
        let visible = std::mem::replace(&mut self.visible, pending.order.max(1));
        let auto = self.auto_type.take();
        let user = std::mem::replace(&mut self.allow_user, true);
        let converting = std::mem::take(&mut self.converting);
        let result = self.in_scope(pending.scope, |this| this.define_pending(id, &pending, used));
        self.allow_user = user;
        self.converting = converting;
        self.auto_type = auto;
        self.visible = visible;
        if result.is_err() {
            self.variables[id.index()].place = Place::Failed;
        }
        result
    }

    fn define_pending(&mut self, id: VarId, pending: &Pending, used: Span) -> Result<()> {
        let variable = &pending.variable;
        let specifiers = &pending.specifiers;
        let span = variable.span;
        let name = self.variables[id.index()].name.clone();
        let mut ty = if mentions::has_auto(&variable.ty) {
            let expr = crate::lower::statements::locals::single_initialiser(&variable.init)
                .ok_or_else(|| fault(span, "`auto` needs a value to take its type from"))?;
            let frame = self.constant_frame(span);
            let scope = self.scope;
            let (found, _) = self.in_frame_of(frame, scope, |this| {
                let value = this.expr(expr)?;
                this.auto_from(&variable.ty, &value, Some(expr))
            });
            found?
        } else {
            self.resolve_type(&variable.ty)?
        };
        if let Some((of, None)) = self.types.as_array(ty)
            && !specifiers.is_extern
        {
            let length = self.initialiser_length(&variable.init, of, span)?;
            ty = self.types.array(of, Some(length));
        }
        if specifiers.constexpr {
            ty = self.types.qualified(ty, true, false);
        }
        self.complete(ty, span)?;
        self.variables[id.index()].ty = self.types.referred(ty);
        if specifiers.shared {
            let place = self.shared_place(specifiers, ty, &variable.init, &name, span)?;
            self.variables[id.index()].place = place;
            return Ok(());
        }
        if self.types.is_reference(ty) {
            return self.define_reference(id, ty, variable);
        }
        let is_device = specifiers.device || specifiers.constant || specifiers.managed;
        let is_fixed = ty.is_const() || specifiers.constexpr || !is_device;
        if is_fixed && self.types.pointee(ty).is_some_and(|of| self.types.is_function(of)) {
            return self.define_function_pointer(id, ty, variable);
        }
        let innermost = self.innermost(ty);
        let is_const = innermost.is_const();
        let has_value = !matches!(variable.init, Initialiser::None);
        if !is_device && !is_const && !pending.specifiers.is_static {
            return Err(fault(
                used,
                format!(
                    "`{name}` is a variable of the host: mark it __device__ or __constant__, or make it constexpr"
                ),
            ));
        }
        if specifiers.is_extern && !has_value {
            return Err(fault(
                span,
                format!("`{name}` is declared extern and defined nowhere: define it in this text"),
            ));
        }
        // A number that never changes needs no memory.
        if self.types.is_scalar(ty) && is_const && !is_device && has_value && !ty.is_volatile() {
            let init = variable.init.clone();
            let value = self.evaluate_pointer(span, |this| {
                let value = this.scalar_initialiser(&init, ty, span)?;
                let value = this.convert(value, ty.bare(), span)?;
                this.rvalue(value, span)
            });
            match value {
                Ok(Some(bits)) => {
                    self.variables[id.index()].place = Place::Constant(bits);
                    return Ok(());
                }
                Ok(None) => {}
                Err(cause) => return Err(cause),
            }
        }
        let global = self.new_global(&name, ty, specifiers, is_const, span)?;
        if has_value || !self.types.is_scalar(ty) {
            let init = variable.init.clone();
            let (bytes, addresses) = self.initial_value(ty, &init, span)?;
            self.module.globals[global.index()].bytes = bytes;
            self.module.globals[global.index()].addresses = addresses;
        }
        self.variables[id.index()].place = Place::Global(global);
        Ok(())
    }

    fn innermost(&self, ty: TypeId) -> TypeId {
        let mut at = ty;
        while let Some((of, _)) = self.types.as_array(at) {
            at = of;
        }
        at
    }

    fn define_reference(&mut self, id: VarId, ty: TypeId, variable: &ast::Variable) -> Result<()> {
        let span = variable.span;
        // A reference to another variable is that variable.
        if let Some(Expr { kind: ExprKind::Name(name), .. }) =
            crate::lower::statements::locals::single_initialiser(&variable.init)
            && let Some(crate::lower::names::scope::Entity::Variable(other)) =
                self.entities(name)?.first().copied()
        {
            self.define_variable(other, span)?;
            self.variables[id.index()].ty = self.types.referred(ty);
            self.variables[id.index()].place = self.variables[other.index()].place.clone();
            return Ok(());
        }
        Err(fault(span, "a global reference must refer to a variable"))
    }

    fn define_function_pointer(&mut self, id: VarId, ty: TypeId, variable: &ast::Variable) -> Result<()> {
        let span = variable.span;
        let Some(expr) = crate::lower::statements::locals::single_initialiser(&variable.init) else {
            return Err(fault(
                span,
                "a pointer to a function must be known at compile time: give its function here",
            ));
        };
        let frame = self.constant_frame(span);
        let scope = self.scope;
        let (found, _) = self.in_frame_of(frame, scope, |this| {
            let value = this.expr(expr)?;
            this.convert(value, ty.bare(), span)
        });
        match found?.kind {
            ValueKind::Instance(instance) => {
                self.variables[id.index()].place = Place::Function(instance);
                Ok(())
            }
            _ => Err(fault(span, "a pointer to a function must be known at compile time")),
        }
    }

    fn new_global(
        &mut self,
        name: &str,
        ty: TypeId,
        specifiers: &ast::Specifiers,
        is_const: bool,
        span: Span,
    ) -> Result<GlobalId> {
        let (bytes, natural) = self.layout_of(ty, span)?;
        if bytes > 1 << 28 {
            return Err(fault(span, format!("`{name}` of {bytes} bytes is too large")));
        }
        let align = self.alignment(&specifiers.alignment)?.max(natural);
        let mut value = Vec::new();
        if value.try_reserve_exact(bytes as usize).is_err() {
            return Err(fault(
                span,
                crate::memory::exhausted(&format!("the variable `{name}`"), bytes as usize).message,
            ));
        }
        value.resize(bytes as usize, 0);
        self.module.globals.push(ir::Global {
            name: name.to_owned(),
            bytes: value,
            addresses: Vec::new(),
            align: align as u32,
            constant: is_const || specifiers.constant,
        });
        Ok(GlobalId(self.module.globals.len() as u32 - 1))
    }

    /// As [`Lowering::evaluate`], for numbers and null pointers; `None` where the result is an address.
    fn evaluate_pointer(
        &mut self,
        span: Span,
        then: impl FnOnce(&mut Lowering) -> Result<Value>,
    ) -> Result<Option<u64>> {
        let mut is_pointer = false;
        let constant = self.evaluate(span, |this| {
            let value = then(this)?;
            is_pointer = this.types.is_pointer(value.ty);
            Ok(value)
        })?;
        Ok((!is_pointer || constant.bits == 0).then_some(constant.bits))
    }

    /// The bytes of a variable's first value, computed at compile time.
    fn initial_value(
        &mut self,
        ty: TypeId,
        init: &Initialiser,
        span: Span,
    ) -> Result<(Vec<u8>, Vec<GlobalPointer>)> {
        let (bytes, align) = self.layout_of(ty, span)?;
        self.enter_instantiation(span)?;
        let frame = self.constant_frame(span);
        let scope = self.scope;
        let unevaluated = std::mem::take(&mut self.unevaluated);
        let (lowered, frame) = self.in_frame_of(frame, scope, |this| -> Result<()> {
            let slot = this.b().slot("value", bytes, align);
            let address: Address = this.slot_address(slot);
            let bare = this.types.unqualified(ty);
            let zero = this.pointer(address);
            this.b().emit(ir::Op::ZeroBytes { to: zero, bytes });
            if matches!(init, Initialiser::None) {
                this.default_init(address, bare, span)?;
            } else {
                this.init_from(address, bare, init, span)?;
            }
            let result = this.pointer(address);
            this.b().end(End::Return(Some(result)));
            Ok(())
        });
        self.unevaluated = unevaluated;
        self.depth -= 1;
        lowered?;
        let mut function = crate::lower::memory::demote::demote(frame);
        function.result = Some(Type::POINTER);
        let (bytes, memory) = self.run_for_bytes(function, bytes as usize, span)?;
        let mut addresses = Vec::new();
        if let Some(leaves) = self.types.leaves(ty, 1 << 20) {
            for (offset, leaf) in leaves {
                if !self.types.is_pointer(leaf) {
                    continue;
                }
                let at = offset as usize;
                let mut word = [0; 8];
                word.copy_from_slice(&bytes[at..at + 8]);
                let address = u64::from_le_bytes(word);
                if address == 0 || crate::lower::expressions::function_pointers::is_function_number(address) {
                    continue;
                }
                let Some((target, addend)) = memory.target(address) else {
                    return Err(fault(
                        span,
                        "a pointer in a constant must point to a global variable or a text",
                    ));
                };
                let target = match target {
                    AddressTarget::Global(id) => ir::PointerTarget::Global(id),
                    AddressTarget::String(id) => ir::PointerTarget::String(id),
                };
                addresses.push(GlobalPointer { offset, target, addend });
            }
        }
        let mut bytes = bytes;
        for pointer in &addresses {
            let at = pointer.offset as usize;
            bytes[at..at + 8].fill(0);
        }
        Ok((bytes, addresses))
    }
}
