//! Which function a call means.

use crate::Span;
use crate::builtins::{Signature, Ty};
use crate::check::convert::Rank;
use crate::check::types::{StructId, TypeId};

use crate::lower::expressions::call::Argument;
use crate::lower::memory::value::{Category, Functions, Value, ValueKind};
use crate::lower::names::scope::{Entity, FuncId, Key, TemplateArg};
use crate::lower::overloads::conversion::{Class, Sequence};
use crate::lower::{InstanceId, Lowering, Result, fault};

/// What a call was found to mean.
#[derive(Clone)]
pub(crate) enum Choice {
    Instance(InstanceId),
    Builtin { signature: &'static Signature, generic: Option<TypeId>, params: Vec<TypeId> },
}

pub(crate) struct Candidate {
    pub choice: Choice,
    pub function: Option<FuncId>,
    pub sequences: Vec<Sequence>,
    pub is_template: bool,
}

/// Whether an argument is a number of one of these types.
pub(crate) fn is_float(argument: &Argument, types: &[TypeId]) -> bool {
    matches!(argument, Argument::Value(value, _) if types.contains(&value.ty.bare()))
}

impl Lowering {
    /// The types that a call's arguments have, for deduction.
    pub fn argument_types(&mut self, arguments: &[Argument]) -> Vec<Option<(TypeId, Category)>> {
        arguments
            .iter()
            .map(|argument| match argument {
                Argument::Value(value, _) => match &value.kind {
                    ValueKind::Functions(set) => {
                        let set = set.clone();
                        let id = self.single_function(&set, None, set.span).ok()?;
                        Some((self.function_type(id)?, Category::Left))
                    }
                    ValueKind::Instance(id) => Some((self.function_type(*id)?, Category::Left)),
                    _ => Some((value.ty, value.category)),
                },
                Argument::List(..) => None,
            })
            .collect()
    }

    /// How many arguments a function takes, at least and at most.
    pub fn arity(&self, function: FuncId) -> (usize, usize) {
        let info = &self.functions[function.index()];
        let mut least = 0;
        let mut most = 0;
        for (at, parameter) in info.ast.parameters.iter().enumerate() {
            if parameter.pack || matches!(parameter.ty.kind, crate::ast::TypeKind::Pack(_)) {
                most = usize::MAX;
            } else {
                most = most.max(most.saturating_add(1));
                if info.defaults.get(at).is_none_or(Option::is_none) {
                    least += 1;
                }
            }
        }
        // `f(void)` takes nothing.
        if let [only] = &info.ast.parameters[..] {
            let is_void = matches!(only.ty.kind, crate::ast::TypeKind::Builtin(crate::ast::Builtin::Void));
            if is_void && only.name.is_none() {
                return (0, 0);
            }
        }
        (least, most)
    }

    /// Functions of the namespaces and structs that the arguments' types belong to.
    pub fn associated(&mut self, key: Key, arguments: &[Argument], found: &mut Vec<FuncId>) -> Result<()> {
        let mut structs: Vec<StructId> = Vec::new();
        let mut scopes = Vec::new();
        for argument in arguments {
            if let Argument::Value(value, _) = argument {
                self.associated_types(value.ty, &mut structs, &mut scopes, 0)?;
            }
        }
        for id in structs {
            for friend in self.records[id.0 as usize].friends.clone() {
                if self.functions[friend.index()].key == key && !found.contains(&friend) {
                    found.push(friend);
                }
            }
        }
        for scope in scopes {
            for entity in self.lookup_in(key, scope)? {
                if let Entity::Function(id) = entity
                    && !found.contains(&id)
                {
                    found.push(id);
                }
            }
        }
        Ok(())
    }

    pub fn associated_types(
        &mut self,
        ty: TypeId,
        structs: &mut Vec<StructId>,
        scopes: &mut Vec<crate::lower::names::scope::ScopeId>,
        depth: u32,
    ) -> Result<()> {
        if depth > 8 {
            return Ok(());
        }
        let mut at = self.types.referred(ty);
        loop {
            if let Some(to) = self.types.pointee(at) {
                at = to;
            } else if let Some((of, _)) = self.types.as_array(at) {
                at = of;
            } else {
                break;
            }
        }
        if let crate::check::types::TypeClass::Enum(id) = *self.types.kind(at) {
            let inner = self.enum_scopes[id.0 as usize];
            if let Some(parent) = self.scopes[inner.index()].parent {
                let scope = self.enclosing_namespace(parent);
                if !scopes.contains(&scope) {
                    scopes.push(scope);
                }
            }
        }
        let Some(id) = self.types.as_struct(at) else { return Ok(()) };
        if structs.contains(&id) {
            return Ok(());
        }
        structs.push(id);
        self.complete_if_possible(id)?;
        let record = &self.records[id.0 as usize];
        let scope = self.enclosing_namespace(record.scope);
        if !scopes.contains(&scope) {
            scopes.push(scope);
        }
        let template = self.records[id.0 as usize].template.clone();
        if let Some((_, given)) = template {
            for argument in given.iter() {
                if let TemplateArg::Type(ty) = argument {
                    self.associated_types(*ty, structs, scopes, depth + 1)?;
                }
            }
        }
        let bases: Vec<TypeId> = {
            let ids: Vec<StructId> = self.types.get(id).bases.iter().map(|base| base.ty).collect();
            ids.into_iter().map(|base| self.types.struct_type(base)).collect()
        };
        for base in bases {
            self.associated_types(base, structs, scopes, depth + 1)?;
        }
        Ok(())
    }

    /// The function that a call of a set means.
    pub fn choose(&mut self, set: &Functions, arguments: &[Argument], span: Span) -> Result<Choice> {
        match self.try_choose(set, arguments, span)? {
            Some(choice) => Ok(choice),
            None => Err(self.nothing_fits(set, arguments, span)),
        }
    }

    /// As [`Lowering::choose`]; `None` where nothing fits.
    pub fn try_choose(
        &mut self,
        set: &Functions,
        arguments: &[Argument],
        span: Span,
    ) -> Result<Option<Choice>> {
        let mut functions = set.candidates.clone();
        if let Some(key) = set.by_argument {
            self.associated(key, arguments, &mut functions)?;
        }
        let candidates = self.viable(&functions, set, arguments, span)?;
        let mut best: Option<usize> = None;
        for at in 0..candidates.len() {
            let beats_all = (0..candidates.len()).all(|other| {
                other == at || self.is_better_match(&candidates[at], &candidates[other], arguments.len())
            });
            if beats_all {
                best = Some(at);
                break;
            }
        }
        match best {
            Some(at) => Ok(Some(candidates[at].choice.clone())),
            None if candidates.is_empty() => Ok(None),
            None => {
                let given = self.arguments_in_words(arguments);
                let mut places = Vec::new();
                for candidate in &candidates {
                    if let Some(function) = candidate.function {
                        let at = self.functions[function.index()].ast.span;
                        places.push(self.module.sources.place(at));
                    }
                }
                places.sort();
                places.dedup();
                places.truncate(4);
                let places =
                    if places.is_empty() { String::new() } else { format!(": {}", places.join(", ")) };
                Err(fault(
                    span,
                    format!(
                        "the call of `{}` with ({given}) is ambiguous; several fit equally{places}; cast an argument",
                        set.name
                    ),
                ))
            }
        }
    }

    pub fn viable(
        &mut self,
        functions: &[FuncId],
        set: &Functions,
        arguments: &[Argument],
        span: Span,
    ) -> Result<Vec<Candidate>> {
        let types = self.argument_types(arguments);
        let mut candidates = Vec::new();
        for &function in functions {
            let (least, most) = self.arity(function);
            if arguments.len() < least || arguments.len() > most {
                continue;
            }
            let is_template = self.functions[function.index()].header.is_some();
            if set.explicit.is_some() && !is_template {
                continue;
            }
            let instance = if is_template {
                let explicit = set.explicit.as_deref().unwrap_or(&[]);
                let Some(found) = self.deduce_call(function, explicit, &types)? else { continue };
                // What cannot be substituted does not fit, and that is all.
                match self.instance(function, &found, span) {
                    Ok(instance) => instance,
                    Err(cause) if cause.0.is_none() => return Err(cause),
                    Err(_) => continue,
                }
            } else {
                self.instance(function, &[], span)?
            };
            if let Some(mut sequences) = self.fit(instance, arguments)? {
                if let Some(object) = &set.object {
                    match self.object_sequence(function, object) {
                        Some(sequence) => sequences.push(sequence),
                        None => continue,
                    }
                } else if self.functions[function.index()].member_of.is_some()
                    && !self.functions[function.index()].is_static
                    && self.functions[function.index()].key != Key::Constructor
                {
                    continue;
                }
                candidates.push(Candidate {
                    choice: Choice::Instance(instance),
                    function: Some(function),
                    sequences,
                    is_template,
                });
            }
        }
        if let Some(builtin) = set.builtin {
            // A function of the text with the same parameters wins; one that needs no conversion needs no other.
            let exact = candidates.iter().any(|candidate| {
                candidate.sequences.iter().all(|s| s.class == Class::Standard && s.rank == Rank::Exact)
            });
            if !exact {
                // As CUDA has it: a double among the arguments makes it the function of doubles.
                let of_doubles = builtin.signatures.iter().any(|signature| signature.for_integers)
                    && arguments.iter().any(|argument| is_float(argument, &[TypeId::DOUBLE]));
                for signature in builtin.signatures {
                    if of_doubles && !signature.for_integers && signature.params.contains(&Ty::Float) {
                        continue;
                    }
                    if let Some(candidate) =
                        self.builtin_candidate(signature, arguments, set.explicit.as_deref())?
                    {
                        candidates.push(candidate);
                    }
                }
            }
        }
        Ok(candidates)
    }

    pub fn fit(&mut self, instance: InstanceId, arguments: &[Argument]) -> Result<Option<Vec<Sequence>>> {
        let params = self.instances[instance.0 as usize].params.clone();
        let mut sequences = Vec::with_capacity(arguments.len());
        for (at, argument) in arguments.iter().enumerate() {
            let Some(&param) = params.get(at) else { return Ok(None) };
            let allow = self.allow_user;
            match self.sequence(argument, param, allow)? {
                Some(sequence) => sequences.push(sequence),
                None => return Ok(None),
            }
        }
        Ok(Some(sequences))
    }

    /// The conversion of the object of a member function.
    pub fn object_sequence(&mut self, function: FuncId, object: &Value) -> Option<Sequence> {
        let info = &self.functions[function.index()];
        let exact = |tie| Some(Sequence { class: Class::Standard, rank: Rank::Exact, tie, is_bound: false });
        if info.member_of.is_none() || info.is_static {
            return exact(0);
        }
        let (is_const, rvalue) = (info.ast.constant, info.ast.rvalue);
        if object.ty.is_const() && !is_const || rvalue && object.category == Category::Left {
            return None;
        }
        self.types.as_struct(object.ty)?;
        // What `using` brings from a base counts as the struct's own.
        Some(Sequence {
            class: Class::Standard,
            rank: Rank::Exact,
            tie: i32::from(is_const && !object.ty.is_const()) - i32::from(rvalue),
            is_bound: true,
        })
    }

    pub fn is_better_match(&mut self, a: &Candidate, b: &Candidate, count: usize) -> bool {
        let mut is_better = false;
        for (x, y) in a.sequences.iter().zip(&b.sequences) {
            if y.is_better(x) {
                return false;
            }
            is_better |= x.is_better(y);
        }
        if is_better {
            return true;
        }
        match (a.function, b.function) {
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => !a.is_template && b.is_template,
            (Some(f), Some(g)) => match (a.is_template, b.is_template) {
                (false, true) => true,
                (true, false) => false,
                (true, true) => {
                    let is_special = self.is_at_least_as_special(f, g, count);
                    is_special && (!self.is_at_least_as_special(g, f, count) || self.hides(f, g))
                }
                (false, false) => self.hides(f, g),
            },
        }
    }

    /// Whether a struct's own function hides one that fits as well and that `using` brings from a base.
    fn hides(&self, own: FuncId, other: FuncId) -> bool {
        let owners = [own, other].map(|function| self.functions[function.index()].member_of);
        let [Some(derived), Some(base)] = owners else { return false };
        derived != base && self.types.base_offset(derived, base).is_some()
    }

    pub fn nothing_fits(
        &mut self,
        set: &Functions,
        arguments: &[Argument],
        span: Span,
    ) -> crate::lower::Fault {
        let given = self.arguments_in_words(arguments);
        let mut functions = set.candidates.clone();
        if let Some(key) = set.by_argument {
            let _ = self.associated(key, arguments, &mut functions);
        }
        if functions.is_empty() && set.builtin.is_none() {
            let symbol = self.symbols.intern(&set.name);
            return self.unknown(symbol, set.span, "there is no function");
        }
        let mut message = format!("no function `{}` takes ({given})", set.name);
        let mut shown = Vec::new();
        for function in functions.iter().take(4) {
            shown.push(self.signature_in_words(*function));
        }
        if let Some(builtin) = set.builtin {
            for signature in builtin.signatures.iter().take(3) {
                shown.push(builtin_in_words(builtin.name, signature));
            }
        }
        if !shown.is_empty() {
            message.push_str("; there is ");
            message.push_str(&shown.join(", "));
        }
        // The reason, where there is but one candidate.
        if let ([only], None) = (&functions[..], set.builtin)
            && let Some(reason) = self.why_not(*only, set, arguments, span)
        {
            message.push_str(": ");
            message.push_str(&reason);
        }
        fault(span, message)
    }

    pub fn why_not(
        &mut self,
        function: FuncId,
        set: &Functions,
        arguments: &[Argument],
        span: Span,
    ) -> Option<String> {
        let (least, most) = self.arity(function);
        if arguments.len() < least || arguments.len() > most {
            let wanted = if least == most { least.to_string() } else { format!("{least} or more") };
            return Some(format!("it takes {wanted} arguments, not {}", arguments.len()));
        }
        let types = self.argument_types(arguments);
        let instance = if self.functions[function.index()].header.is_some() {
            let explicit = set.explicit.as_deref().unwrap_or(&[]);
            match self.deduce_call(function, explicit, &types) {
                Ok(Some(found)) => match self.instance(function, &found, span) {
                    Ok(instance) => instance,
                    Err(cause) => return cause.0.map(|cause| cause.message),
                },
                _ => return Some("its template arguments cannot be found from these".to_owned()),
            }
        } else {
            self.instance(function, &[], span).ok()?
        };
        let params = self.instances[instance.0 as usize].params.clone();
        for (at, argument) in arguments.iter().enumerate() {
            let fits = self.sequence(argument, *params.get(at)?, true).ok()?.is_some();
            if let (false, Argument::Value(value, _)) = (fits, argument) {
                let (from, to) = (self.types.name(value.ty), self.types.name(params[at]));
                return Some(format!("argument {} is a `{from}`, not a `{to}`", at + 1));
            }
        }
        if set.object.as_ref().is_some_and(|object| object.ty.is_const()) {
            return Some("the object is const, the function is not".to_owned());
        }
        None
    }

    pub fn arguments_in_words(&self, arguments: &[Argument]) -> String {
        let words: Vec<String> = arguments
            .iter()
            .map(|argument| match argument {
                Argument::Value(value, _) => match &value.kind {
                    ValueKind::Functions(set) => format!("function {}", set.name),
                    _ => self.types.name(value.ty),
                },
                Argument::List(..) => "{...}".to_owned(),
            })
            .collect();
        words.join(", ")
    }

    pub fn signature_in_words(&mut self, function: FuncId) -> String {
        let name = self.function_name(function);
        if self.functions[function.index()].header.is_some() {
            let count = self.functions[function.index()].ast.parameters.len();
            return format!("the template `{name}` with {count} parameters");
        }
        let span = self.functions[function.index()].ast.span;
        match self.instance(function, &[], span) {
            Ok(instance) => {
                let params: Vec<String> = self.instances[instance.0 as usize]
                    .params
                    .iter()
                    .map(|&ty| self.types.name(ty))
                    .collect();
                format!("`{name}({})`", params.join(", "))
            }
            Err(_) => format!("`{name}`"),
        }
    }
}

fn builtin_in_words(name: &str, signature: &Signature) -> String {
    let params: Vec<String> =
        signature.params.iter().map(|param| format!("{param:?}").to_lowercase()).collect();
    format!("`{name}({})`", params.join(", "))
}
