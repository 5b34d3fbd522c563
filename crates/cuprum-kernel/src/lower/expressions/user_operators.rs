//! Operators of structs and enumerations: the functions that a text defines for them.

use crate::Span;
use crate::ast::OperatorName;
use crate::check::types::TypeId;

use crate::lower::expressions::call::Argument;
use crate::lower::memory::value::{Functions, Value};
use crate::lower::names::scope::{Entity, FuncId, Key};
use crate::lower::overloads::candidates::Choice;
use crate::lower::{Lowering, Result};

impl Lowering {
    pub fn is_overloadable(&self, ty: TypeId) -> bool {
        self.types.as_struct(ty).is_some() || self.types.as_enum(ty).is_some()
    }

    /// The result of an operator that a text defines; `None` where none fits.
    pub fn user_operator(
        &mut self,
        op: OperatorName,
        operands: &[(Value, Span)],
        list: Option<&Argument>,
        span: Span,
    ) -> Result<Option<Value>> {
        if !operands.iter().any(|(value, _)| self.is_overloadable(value.ty)) {
            return Ok(None);
        }
        let key = Key::Operator(op);
        let name = format!("operator{}", crate::lower::templates::instance::operator_text(op));
        let mut arguments: Vec<Argument> =
            operands.iter().map(|(value, at)| Argument::Value(value.clone(), *at)).collect();
        if let Some(list) = list {
            arguments.push(list.clone());
        }
        // A member of the left operand.
        let mut member_choice = None;
        if let Some(set) = self.member_functions(&operands[0].0, key, &name, None, span)?
            && let Some(choice) = self.try_choose(&set, &arguments[1..], span)?
        {
            member_choice = Some(choice);
        }
        let is_assignment = matches!(op, OperatorName::Assign(None));
        let mut free = Vec::new();
        if !is_assignment {
            for entity in self.lookup(key, self.scope)? {
                if let Entity::Function(id) = entity
                    && self.functions[id.index()].member_of.is_none()
                {
                    free.push(id);
                }
            }
            // Operators of namespaces around the function are not hidden by members of the same name.
            let mut scope = Some(self.scope);
            while let Some(at) = scope {
                if self.scopes[at.index()].kind == crate::lower::names::scope::ScopeKind::Namespace {
                    for entity in self.lookup_in(key, at)? {
                        if let Entity::Function(id) = entity {
                            let is_seen = self.functions[id.index()].declared <= self.visible;
                            if is_seen && !free.contains(&id) {
                                free.push(id);
                            }
                        }
                    }
                }
                scope = self.scopes[at.index()].parent;
            }
        }
        // Of enumerations alone, only operators that take them as they are: no class is made of them.
        let has_class = operands.iter().any(|(value, _)| self.types.as_struct(value.ty).is_some());
        let allowed = self.allow_user;
        self.allow_user = allowed && has_class;
        let free_choice = self.free_operator(&name, key, free, &arguments, span, is_assignment);
        self.allow_user = allowed;
        let free_choice = free_choice?;
        match (member_choice, free_choice) {
            (Some(Choice::Instance(id)), None) => {
                let object = operands[0].0.clone();
                let rest = arguments.split_off(1);
                self.call_instance(id, Some(object), rest, None, span).map(Some)
            }
            (None, Some(Choice::Instance(id))) => {
                self.call_instance(id, None, arguments, None, span).map(Some)
            }
            (Some(Choice::Instance(member)), Some(Choice::Instance(other))) => {
                // Both fit: the one whose right operand needs less.
                let params = self.instances[other.0 as usize].params.clone();
                let own = self.instances[member.0 as usize].params.clone();
                let mut free_is_better = false;
                if let (Some(argument), Some(&p), Some(&q)) = (arguments.get(1), params.get(1), own.first()) {
                    let (argument, p, q) = (argument.clone(), p, q);
                    let (f, m) = (self.sequence(&argument, p, true)?, self.sequence(&argument, q, true)?);
                    if let (Some(f), Some(m)) = (f, m) {
                        free_is_better = f.is_better(&m);
                    }
                }
                if free_is_better {
                    return self.call_instance(other, None, arguments, None, span).map(Some);
                }
                let object = operands[0].0.clone();
                let rest = arguments.split_off(1);
                self.call_instance(member, Some(object), rest, None, span).map(Some)
            }
            _ => Ok(None),
        }
    }

    pub fn free_operator(
        &mut self,
        name: &str,
        key: Key,
        candidates: Vec<FuncId>,
        arguments: &[Argument],
        span: Span,
        is_assignment: bool,
    ) -> Result<Option<Choice>> {
        if is_assignment {
            return Ok(None);
        }
        let set = Functions {
            name: name.to_owned(),
            candidates,
            builtin: None,
            explicit: None,
            object: None,
            by_argument: Some(key),
            direct: false,
            span,
        };
        self.try_choose(&set, arguments, span)
    }
}
