//! Structs, classes, unions and enums.

use std::rc::Rc;

use crate::Span;
use crate::ast::{
    Access, Alignment, Base, Declaration, Enum, Enumerator, Identifier, Member, Name, Record, RecordKind,
    Symbol, TemplateHeader, Type, TypeKind,
};
use crate::lex::{Keyword, Punct, TokenKind};

use super::scope::{Entry, NameKind, Of, ScopeId};
use super::{Parsed, Parser};

/// A record where a type is expected.
pub(super) struct RecordRead {
    pub ty: Type,
    pub scope: Option<ScopeId>,
    pub anonymous: bool,
}

impl Parser<'_> {
    /// `struct S`, `struct S { ... }`, from the keyword on. A definition or declaration goes to `out`.
    pub(super) fn record(
        &mut self,
        templates: &mut Vec<TemplateHeader>,
        mut alignment: Vec<Alignment>,
        out: &mut Vec<Declaration>,
    ) -> Parsed<RecordRead> {
        self.enter()?;
        let keyword = self.bump();
        let kind = match keyword.keyword() {
            Some(Keyword::Class) => RecordKind::Class,
            Some(Keyword::Union) => RecordKind::Union,
            _ => RecordKind::Struct,
        };
        self.attributes(&mut alignment)?;
        let anonymous = self.is(Punct::LeftBrace);
        let (name, entry) = match anonymous {
            true => (self.unnamed(keyword.span), None),
            false => self.type_name()?,
        };
        self.attributes(&mut alignment)?;
        let last = self.token();
        if matches!(last.kind, TokenKind::Ident(symbol) if self.symbols.text(symbol) == "final")
            && (self.ahead(1).is(Punct::LeftBrace) || self.ahead(1).is(Punct::Colon))
        {
            self.at += 1;
        }
        let span = name.last.span;
        let ty = Type::new(TypeKind::Named(Box::new(name.clone())), name.span);
        let defines = self.is(Punct::LeftBrace) || self.is(Punct::Colon);
        let declares = self.is(Punct::Semicolon);
        if !defines && !declares {
            // `struct S *p`: a use. A name that is not known yet is declared by it.
            if let (None, Some(symbol)) = (entry, name.as_plain()) {
                let scope = self.scopes.make(Of::Record);
                self.scopes.declare(
                    self.scopes.namespace(),
                    symbol,
                    Entry { kind: NameKind::Type, scope: Some(scope) },
                );
                if self.scopes.home() == self.scopes.namespace() {
                    out.push(Declaration::Record(Rc::new(Record {
                        templates: Vec::new(),
                        kind,
                        name,
                        alignment,
                        bases: Vec::new(),
                        members: None,
                        span,
                    })));
                }
            }
            self.leave();
            return Ok(RecordRead { ty, scope: entry.and_then(|entry| entry.scope), anonymous: false });
        }
        let scope = self.declare_record(&name, entry, templates);
        let mut record = Record {
            templates: std::mem::take(templates),
            kind,
            name,
            alignment,
            bases: Vec::new(),
            members: None,
            span,
        };
        if defines {
            self.record_body(&mut record, scope)?;
        }
        out.push(Declaration::Record(Rc::new(record)));
        self.leave();
        Ok(RecordRead { ty, scope: Some(scope), anonymous })
    }

    /// Notes a record's name, and returns its scope. A specialisation has that of its template.
    fn declare_record(&mut self, name: &Name, entry: Option<Entry>, templates: &[TemplateHeader]) -> ScopeId {
        let home = self.scopes.home();
        let specialises = name.last.arguments.is_some() || name.is_qualified();
        let Some(symbol) = name.symbol() else { return self.scopes.make(Of::Record) };
        let known = match specialises {
            true => entry,
            false => self.scopes.find_in(home, symbol).filter(|known| known.is_type()),
        };
        if let Some(scope) = known.and_then(|known| known.scope)
            && self.scopes.of(scope) == Of::Record
        {
            return scope;
        }
        let scope = self.scopes.make(Of::Record);
        if !name.is_qualified() {
            let kind = match templates.is_empty() && name.last.arguments.is_none() {
                true => NameKind::Type,
                false => NameKind::TypeTemplate,
            };
            self.scopes.declare(home, symbol, Entry { kind, scope: Some(scope) });
        }
        scope
    }

    /// `: bases { members }`
    fn record_body(&mut self, record: &mut Record, scope: ScopeId) -> Parsed<()> {
        let default = match record.kind {
            RecordKind::Class => Access::Private,
            _ => Access::Public,
        };
        if self.take(Punct::Colon) {
            loop {
                let base = self.base(default)?;
                if let Some(base) = self.scope_of_type(match &base.ty.kind {
                    TypeKind::Pack(inner) => inner,
                    _ => &base.ty,
                }) {
                    self.scopes.import(scope, base);
                }
                record.bases.push(base);
                if !self.take(Punct::Comma) {
                    break;
                }
            }
        }
        let open = self.at;
        let close = self.closing_of(Punct::LeftBrace)?;
        self.at += 1;
        self.scopes.open(scope);
        self.note_later_types(open, close);
        let symbol = record.name.symbol().unwrap_or(Symbol(u32::MAX));
        self.records.push(symbol);
        let mut members = Vec::new();
        let mut access = default;
        while !self.is(Punct::RightBrace) && self.token().kind != TokenKind::Eof {
            let mark = self.mark();
            if self.member(&mut access, &mut members).is_err() {
                self.recover(&mark);
                if self.is_hopeless() {
                    return Err(super::Failed);
                }
            }
        }
        self.records.pop();
        self.scopes.close();
        self.expect(Punct::RightBrace)?;
        self.attributes(&mut record.alignment)?;
        record.members = Some(members);
        Ok(())
    }

    fn base(&mut self, default: Access) -> Parsed<Base> {
        let mut base_access = default;
        let mut is_virtual = false;
        loop {
            match self.token().keyword() {
                Some(Keyword::Public) => base_access = Access::Public,
                Some(Keyword::Protected) => base_access = Access::Protected,
                Some(Keyword::Private) => base_access = Access::Private,
                Some(Keyword::Virtual) => is_virtual = true,
                Some(Keyword::Typename) => {}
                _ => break,
            }
            self.at += 1;
        }
        let span = self.span();
        let (name, _) = self.type_name()?;
        let mut ty = Type::new(TypeKind::Named(Box::new(name)), self.joined(span));
        if self.take(Punct::Ellipsis) {
            ty = Type::new(TypeKind::Pack(Box::new(ty)), span);
        }
        Ok(Base { ty, is_virtual, access: base_access })
    }

    /// One member, or `public:`.
    fn member(&mut self, access: &mut Access, members: &mut Vec<Member>) -> Parsed<()> {
        let label = match self.token().keyword() {
            Some(Keyword::Public) => Some(Access::Public),
            Some(Keyword::Protected) => Some(Access::Protected),
            Some(Keyword::Private) => Some(Access::Private),
            _ => None,
        };
        if let Some(label) = label {
            self.at += 1;
            *access = label;
            return self.expect(Punct::Colon);
        }
        if self.is_keyword(Keyword::Friend) && self.friend_class()? {
            return Ok(());
        }
        let mut declarations = Vec::new();
        let result = self.declaration(&mut declarations);
        members.extend(declarations.into_iter().map(|declaration| Member { access: *access, declaration }));
        result
    }

    /// `friend class C;` says nothing that a kernel needs: it is passed over.
    fn friend_class(&mut self) -> Parsed<bool> {
        let keyword = self.ahead(1).keyword();
        let class = matches!(keyword, Some(Keyword::Struct | Keyword::Class | Keyword::Union));
        let from = self.at + 1 + usize::from(class);
        let end = match self.scan_name(from) {
            Some(name) => name.end,
            None => return Ok(false),
        };
        if !self.is_at(end, Punct::Semicolon) {
            return Ok(false);
        }
        self.at = end + 1;
        Ok(true)
    }

    /// Notes the types that a record declares further down: the bodies of its methods see them all.
    fn note_later_types(&mut self, open: usize, close: usize) {
        let home = self.scopes.home();
        let mut at = open + 1;
        while at < close {
            let token = self.token_at(at);
            match token.keyword() {
                Some(Keyword::Using) if self.token_at(at + 2).is(Punct::Assign) => {
                    if let Some(symbol) = self.ident_at(at + 1)
                        && self.scopes.find_in(home, symbol).is_none()
                        && self.token_at(at.wrapping_sub(1)).kind != TokenKind::Punct(Punct::Greater)
                    {
                        self.scopes.declare(home, symbol, Entry::new(NameKind::Type));
                    }
                }
                Some(Keyword::Typedef) => {
                    let mut end = at;
                    while end < close && !self.is_at(end, Punct::Semicolon) {
                        end = match self.closing[end] {
                            0 => end + 1,
                            closing => closing as usize + 1,
                        };
                    }
                    if let Some(symbol) = self.ident_at(end.saturating_sub(1))
                        && self.scopes.find_in(home, symbol).is_none()
                    {
                        self.scopes.declare(home, symbol, Entry::new(NameKind::Type));
                    }
                    at = end;
                }
                _ => {}
            }
            at = match self.closing[at] {
                0 => at + 1,
                closing => closing as usize + 1,
            };
        }
    }

    /// A name for a record or an enum that has none.
    fn unnamed(&mut self, span: Span) -> Name {
        self.unnamed += 1;
        let symbol = self.symbols.intern(&format!("<unnamed {}>", self.unnamed));
        Name::plain(symbol, span)
    }

    /// `enum E`, `enum class E : int { ... }`, from the keyword on. A definition or declaration goes to `out`.
    pub(super) fn enumeration(&mut self, out: &mut Vec<Declaration>) -> Parsed<Type> {
        let keyword = self.bump();
        let scoped = self.take_keyword(Keyword::Class) || self.take_keyword(Keyword::Struct);
        self.attributes(&mut Vec::new())?;
        let anonymous = matches!(self.token().kind, TokenKind::Punct(Punct::LeftBrace | Punct::Colon));
        let (name, entry) = match anonymous {
            true => (self.unnamed(keyword.span), None),
            false => self.name()?,
        };
        let ty = Type::new(TypeKind::Named(Box::new(name.clone())), name.span);
        let based = self.is(Punct::Colon) && !self.is_at(self.at + 1, Punct::Colon);
        let defines = self.is(Punct::LeftBrace);
        let declares = self.is(Punct::Semicolon) && entry.is_none();
        if !based && !defines && !declares {
            return Ok(ty);
        }
        let home = self.scopes.home();
        let known = entry.and_then(|entry| entry.scope);
        let scope = known.unwrap_or_else(|| self.scopes.make(Of::Record));
        if let Identifier::Name(symbol) = name.last.id
            && !name.is_qualified()
        {
            self.scopes.declare(home, symbol, Entry { kind: NameKind::Type, scope: Some(scope) });
        }
        let underlying = match based {
            true => {
                self.at += 1;
                Some(self.type_id()?)
            }
            false => None,
        };
        let span = name.last.span;
        let enumerators = match self.take(Punct::LeftBrace) {
            true => Some(self.enumerators(scoped, scope)?),
            false => None,
        };
        out.push(Declaration::Enum(Rc::new(Enum { name, scoped, underlying, enumerators, span })));
        Ok(ty)
    }

    fn enumerators(&mut self, scoped: bool, scope: ScopeId) -> Parsed<Vec<Enumerator>> {
        let mut enumerators = Vec::new();
        let home = self.scopes.home();
        while !self.take(Punct::RightBrace) {
            let span = self.span();
            let name = self.expect_ident("an enumerator's name")?;
            self.attributes(&mut Vec::new())?;
            self.scopes.declare(scope, name, Entry::new(NameKind::Value));
            if !scoped {
                self.scopes.declare(home, name, Entry::new(NameKind::Value));
            }
            let value = match self.take(Punct::Assign) {
                true => Some(self.unangled(|parser| parser.conditional())?),
                false => None,
            };
            enumerators.push(Enumerator { name, value, span });
            if !self.take(Punct::Comma) && !self.is(Punct::RightBrace) {
                return Err(self.unexpected("`,` or `}` behind an enumerator"));
            }
        }
        Ok(enumerators)
    }
}
