//! Which of two templates is more special; the arguments of a class template from a constructor's.

use crate::ast::{self, TemplateParameterKind, TypeKind};
use crate::check::constant::Constant;
use crate::check::types::TypeId;

use crate::lower::memory::value::Category;
use crate::lower::names::scope::{Entity, FuncId, Key, ScopeId, TemplateArg, TemplateKind};
use crate::lower::templates::deduce::{Deduction, finish, inside_reference};
use crate::lower::{Lowering, Result};

impl Lowering {
    /// Which of two templates of functions or specialisations is more special: whether the second one's patterns fit what
    /// the first one takes. Stand-ins that fit nothing else take the place of the first one's parameters.
    pub fn stand_ins(&mut self, header: &ast::TemplateHeader, outer: ScopeId) -> Result<ScopeId> {
        let scope = self.add_scope(crate::lower::names::scope::ScopeKind::Template, outer);
        for parameter in &header.parameters {
            self.unnamed += 1;
            let number = self.unnamed;
            let entity = match &parameter.kind {
                TemplateParameterKind::Type { .. } => {
                    let id =
                        self.add_record(format!("(stand-in {number})"), false, None, outer, parameter.span);
                    Entity::Type(self.types.struct_type(id))
                }
                TemplateParameterKind::Value { ty, .. } => {
                    let ty = self.in_scope(scope, |this| this.resolve_type(ty)).unwrap_or(TypeId::INT);
                    let mask = self.types.ir(ty).map_or(u64::MAX, crate::passes::fold::mask);
                    Entity::Constant(Constant {
                        ty: ty.bare(),
                        bits: (0x5eed_0000_u64 + u64::from(number)) & mask,
                    })
                }
                TemplateParameterKind::Template { .. } => Entity::Poison,
            };
            let entity = if parameter.pack { self.add_pack(vec![entity]) } else { entity };
            if let Some(name) = parameter.name {
                self.declare(scope, Key::Name(name), entity);
            }
        }
        Ok(scope)
    }

    /// Whether the first of two function templates is at least as special as the second, for a call with `count`
    /// arguments.
    pub fn is_at_least_as_special(&mut self, first: FuncId, second: FuncId, count: usize) -> bool {
        self.compare_templates(first, second, count).unwrap_or(false)
    }

    pub fn compare_templates(&mut self, first: FuncId, second: FuncId, count: usize) -> Result<bool> {
        let (Some(from), Some(to)) =
            (self.functions[first.index()].header.clone(), self.functions[second.index()].header.clone())
        else {
            return Ok(false);
        };
        let outer = self.functions[first.index()].scope;
        let scope = self.stand_ins(&from, outer)?;
        let ast = self.functions[first.index()].ast.clone();
        let mut types: Vec<Option<(TypeId, Category)>> = Vec::new();
        for parameter in ast.parameters.iter().take(count) {
            if parameter.pack {
                break;
            }
            let ty = self.in_scope(scope, |this| this.parameter_type(&parameter.ty))?;
            types.push(Some((self.types.referred(ty), Category::Right)));
        }
        let _ = to;
        let Some(found) = self.deduce_partly(second, &types)? else { return Ok(false) };
        // A pack is less special than parameters of its own.
        let other = self.functions[second.index()].ast.clone();
        if found && ast.parameters.iter().any(|p| p.pack) && !other.parameters.iter().any(|p| p.pack) {
            return Ok(false);
        }
        Ok(found)
    }

    pub fn deduce_partly(
        &mut self,
        function: FuncId,
        types: &[Option<(TypeId, Category)>],
    ) -> Result<Option<bool>> {
        let Some(header) = self.functions[function.index()].header.clone() else { return Ok(None) };
        let scope = self.functions[function.index()].scope;
        let mut d = Deduction::new(header, scope);
        let ast = self.functions[function.index()].ast.clone();
        for (at, parameter) in ast.parameters.iter().enumerate() {
            if parameter.pack {
                let rest: Vec<TemplateArg> = types[at.min(types.len())..]
                    .iter()
                    .filter_map(|argument| argument.map(|(ty, _)| TemplateArg::Type(ty)))
                    .collect();
                let inner = inside_reference(&parameter.ty, &d);
                return Ok(Some(self.deduce_pack(inner, &rest, &mut d)?));
            }
            let Some(Some((ty, _))) = types.get(at) else { break };
            let inner = inside_reference(&parameter.ty, &d);
            if !self.is_dependent(inner, &d) {
                let own = self.in_scope(scope, |this| this.parameter_type(&parameter.ty))?;
                if self.types.referred(own).bare() != ty.bare() {
                    return Ok(Some(false));
                }
                continue;
            }
            let fits = match &inner.kind {
                TypeKind::Array { element, .. } => match self.types.pointee(*ty) {
                    Some(of) => self.deduce(element, of, &mut d)?,
                    // A reference to an array.
                    None => self.deduce(inner, *ty, &mut d)?,
                },
                _ => self.deduce(inner, *ty, &mut d)?,
            };
            if !fits {
                return Ok(Some(false));
            }
        }
        Ok(Some(true))
    }

    /// A class template's arguments from those of a constructor: `pair p(1, 2.0)`.
    pub fn deduced_class(
        &mut self,
        template: crate::lower::names::scope::TemplateId,
        given: &[(TypeId, Category)],
        span: crate::Span,
    ) -> Result<TypeId> {
        let TemplateKind::Record { primary, .. } = &self.templates[template.index()].kind else {
            return self.type_of_template(template, &[], span);
        };
        let primary = primary.clone();
        let outer = self.templates[template.index()].scope;
        // A copy.
        if let [(ty, _)] = given
            && let Some(id) = self.types.as_struct(*ty)
            && self.records[id.0 as usize].template.as_ref().is_some_and(|(of, _)| *of == template)
        {
            return Ok(ty.bare());
        }
        let Some(header) = self.own_header(&primary.templates) else {
            return self.type_of_template(template, &[], span);
        };
        let mut lists: Vec<Vec<ast::Parameter>> = Vec::new();
        let mut fields = Vec::new();
        for member in primary.members.iter().flatten() {
            match &member.declaration {
                ast::Declaration::Function(function)
                    if function.constructor && function.templates.is_empty() =>
                {
                    lists.push(function.parameters.clone());
                }
                ast::Declaration::Variables(variables) if !variables.specifiers.is_static => {
                    for variable in &variables.variables {
                        fields.push(ast::Parameter {
                            name: None,
                            ty: variable.ty.clone(),
                            default: None,
                            pack: false,
                            span: variable.span,
                        });
                    }
                }
                _ => {}
            }
        }
        if lists.is_empty() {
            lists.push(fields);
        }
        for parameters in lists {
            let needed =
                parameters.iter().filter(|parameter| parameter.default.is_none() && !parameter.pack).count();
            if given.len() > parameters.len() || given.len() < needed.min(given.len().max(1)) {
                continue;
            }
            let mut d = Deduction::new(header.clone(), outer);
            let mut fits = true;
            for (parameter, (ty, category)) in parameters.iter().zip(given) {
                let adjusted = self.argument_type(&parameter.ty, *ty, *category, &d);
                fits &= self.deduce(inside_reference(&parameter.ty, &d), adjusted, &mut d)?;
            }
            if !fits {
                continue;
            }
            let Some(found) = finish(&d) else { continue };
            if let Ok(ty) = self.type_of_template(template, &found, span) {
                return Ok(ty);
            }
        }
        self.type_of_template(template, &[], span)
    }
}
