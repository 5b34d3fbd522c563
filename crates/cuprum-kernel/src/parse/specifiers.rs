//! What stands before a declarator: storage, CUDA's words, attributes, and the type itself.

use crate::Span;
use crate::ast::{Alignment, Builtin, Declaration, Specifiers, TemplateHeader, Type, TypeKind};
use crate::lex::{Keyword, Punct, TokenKind};

use super::lookahead::is_builtin_word;
use super::scope::ScopeId;
use super::{Parsed, Parser};

/// What was read before a declarator.
pub(super) struct Before {
    pub specifiers: Specifiers,
    /// `None` before constructors, destructors and conversions.
    pub ty: Option<Type>,
    pub typedef: bool,
    /// What stands behind the type's `::`.
    pub scope: Option<ScopeId>,
    /// The type is a record without a name, defined here.
    pub anonymous: bool,
    /// The type is a record or an enum, declared or defined here, so that no declarator need follow.
    pub declares: bool,
}

/// The words of a built-in type.
#[derive(Default)]
struct Words {
    base: Option<Keyword>,
    int: bool,
    signed: bool,
    unsigned: bool,
    short: bool,
    longs: u8,
    any: bool,
}

impl Words {
    /// Takes a word; false where it does not go with those before it.
    fn add(&mut self, keyword: Keyword) -> bool {
        self.any = true;
        match keyword {
            Keyword::Signed | Keyword::SignedLong => !std::mem::replace(&mut self.signed, true),
            Keyword::Unsigned => !std::mem::replace(&mut self.unsigned, true),
            Keyword::Short => !std::mem::replace(&mut self.short, true),
            Keyword::Int => !std::mem::replace(&mut self.int, true),
            Keyword::Long => {
                self.longs += 1;
                self.longs <= 2
            }
            _ => self.base.replace(keyword).is_none(),
        }
    }

    fn builtin(&self) -> Option<Builtin> {
        let signs = self.signed || self.unsigned;
        if (self.signed && self.unsigned) || (self.short && self.longs > 0) {
            return None;
        }
        let sized = self.short || self.longs > 0;
        if let Some(base) = self.base {
            let plain = !signs && !sized && !self.int;
            return match base {
                Keyword::Char if !sized && !self.int => Some(match (self.signed, self.unsigned) {
                    (true, _) => Builtin::SignedChar,
                    (_, true) => Builtin::UnsignedChar,
                    _ => Builtin::Char,
                }),
                Keyword::Int128 if !sized && !self.int => {
                    Some(if self.unsigned { Builtin::UnsignedInt128 } else { Builtin::Int128 })
                }
                Keyword::Double if !signs && !self.short && !self.int && self.longs == 1 => {
                    Some(Builtin::LongDouble)
                }
                Keyword::Void if plain => Some(Builtin::Void),
                Keyword::Bool if plain => Some(Builtin::Bool),
                Keyword::Char16 if plain => Some(Builtin::Char16),
                Keyword::Char32 if plain => Some(Builtin::Char32),
                Keyword::WideChar if plain => Some(Builtin::WideChar),
                Keyword::Float if plain => Some(Builtin::Float),
                Keyword::Double if plain => Some(Builtin::Double),
                Keyword::Int128Long if plain => Some(Builtin::Int128),
                Keyword::UnsignedInt128 if plain => Some(Builtin::UnsignedInt128),
                _ => None,
            };
        }
        Some(match (self.short, self.longs, self.unsigned) {
            (true, _, false) => Builtin::Short,
            (true, _, true) => Builtin::UnsignedShort,
            (_, 1, false) => Builtin::Long,
            (_, 1, true) => Builtin::UnsignedLong,
            (_, 2, false) => Builtin::LongLong,
            (_, 2, true) => Builtin::UnsignedLongLong,
            (_, _, false) => Builtin::Int,
            (_, _, true) => Builtin::UnsignedInt,
        })
    }
}

impl Parser<'_> {
    /// Reads what stands before a declarator. Records and enums that are defined there go to `out`, with the template
    /// headers where they are templates.
    pub(super) fn specifiers(
        &mut self,
        templates: &mut Vec<TemplateHeader>,
        out: &mut Vec<Declaration>,
    ) -> Parsed<Before> {
        let start = self.span();
        let mut before = Before {
            specifiers: Specifiers { span: start, extern_c: self.extern_c, ..Specifiers::default() },
            ty: None,
            typedef: false,
            scope: None,
            anonymous: false,
            declares: false,
        };
        let mut words = Words::default();
        let (mut constant, mut volatile) = (false, false);
        let mut type_span = start;
        loop {
            let token = self.token();
            let typed = before.ty.is_some() || words.any;
            let specifiers = &mut before.specifiers;
            let Some(keyword) = token.keyword() else {
                let name = matches!(token.kind, TokenKind::Ident(_)) || token.is(Punct::ColonColon);
                if token.is(Punct::LeftBracket) && self.ahead(1).is(Punct::LeftBracket) {
                    self.attributes(&mut before.specifiers.alignment)?;
                    continue;
                }
                if !name || typed || self.is_untyped_function() {
                    break;
                }
                type_span = token.span;
                let (name, entry) = self.type_name()?;
                before.scope = entry.and_then(|entry| entry.scope);
                before.ty = Some(Type::new(TypeKind::Named(Box::new(name)), self.joined(type_span)));
                continue;
            };
            let flag = match keyword {
                Keyword::Global => Some(&mut specifiers.global),
                Keyword::Device => Some(&mut specifiers.device),
                Keyword::Host => Some(&mut specifiers.host),
                Keyword::Shared => Some(&mut specifiers.shared),
                Keyword::Constant => Some(&mut specifiers.constant),
                Keyword::Managed => Some(&mut specifiers.managed),
                Keyword::Static => Some(&mut specifiers.is_static),
                Keyword::Inline | Keyword::InlineLong | Keyword::InlineShort => Some(&mut specifiers.inline),
                Keyword::ForceInline => Some(&mut specifiers.force_inline),
                Keyword::NoInline => Some(&mut specifiers.no_inline),
                Keyword::Constexpr | Keyword::Consteval | Keyword::Constinit => {
                    Some(&mut specifiers.constexpr)
                }
                Keyword::Virtual => Some(&mut specifiers.is_virtual),
                Keyword::Explicit => Some(&mut specifiers.explicit),
                Keyword::Friend => Some(&mut specifiers.friend),
                Keyword::Mutable => Some(&mut specifiers.mutable),
                Keyword::ThreadLocal => Some(&mut specifiers.thread_local),
                Keyword::Typedef => Some(&mut before.typedef),
                Keyword::Const | Keyword::ConstLong => Some(&mut constant),
                Keyword::Volatile | Keyword::VolatileLong => Some(&mut volatile),
                _ => None,
            };
            if let Some(flag) = flag {
                *flag = true;
                self.at += 1;
                continue;
            }
            match keyword {
                Keyword::Register | Keyword::Extension | Keyword::GridConstant | Keyword::Restrict => {
                    self.at += 1
                }
                Keyword::Extern => {
                    self.at += 1;
                    before.specifiers.is_extern = true;
                    if matches!(self.token().kind, TokenKind::Str(_)) {
                        before.specifiers.extern_c |= self.is_linkage_of_c();
                        self.at += 1;
                    }
                }
                Keyword::LaunchBounds => {
                    self.at += 1;
                    self.expect(Punct::LeftParen)?;
                    before.specifiers.launch_bounds = self.arguments(Punct::RightParen)?;
                }
                Keyword::ClusterDims => {
                    self.at += 1;
                    self.expect(Punct::LeftParen)?;
                    before.specifiers.cluster_dims = self.arguments(Punct::RightParen)?;
                }
                Keyword::MaxRegisters => {
                    self.at += 1;
                    self.expect(Punct::LeftParen)?;
                    self.arguments(Punct::RightParen)?;
                }
                Keyword::Alignas | Keyword::Align | Keyword::Attribute | Keyword::Declspec => {
                    self.attributes(&mut before.specifiers.alignment)?;
                }
                keyword if is_builtin_word(keyword) && before.ty.is_none() => {
                    if !words.any {
                        type_span = token.span;
                    }
                    if !words.add(keyword) {
                        return Err(
                            self.fail(token.span, format!("`{}` does not go with this type", keyword.text()))
                        );
                    }
                    self.at += 1;
                }
                Keyword::Struct | Keyword::Class | Keyword::Union if !typed => {
                    before.declares = true;
                    let alignment = before.specifiers.alignment.clone();
                    let read = self.record(templates, alignment, out)?;
                    before.ty = Some(read.ty);
                    before.scope = read.scope;
                    before.anonymous = read.anonymous;
                }
                Keyword::Enum if !typed => {
                    before.declares = true;
                    before.ty = Some(self.enumeration(out)?);
                }
                Keyword::Typename if !typed => {
                    self.at += 1;
                    let (name, entry) = self.type_name()?;
                    before.scope = entry.and_then(|entry| entry.scope);
                    before.ty = Some(Type::new(TypeKind::Named(Box::new(name)), self.joined(token.span)));
                }
                Keyword::Auto if !typed => {
                    self.at += 1;
                    before.ty = Some(Type::new(TypeKind::Auto, token.span));
                }
                Keyword::Decltype | Keyword::Typeof | Keyword::TypeofLong if !typed => {
                    before.ty = Some(self.decltype()?);
                }
                Keyword::UnderlyingType if !typed => {
                    self.at += 1;
                    self.expect(Punct::LeftParen)?;
                    let inner = self.unangled(|parser| parser.type_id())?;
                    self.expect(Punct::RightParen)?;
                    before.ty = Some(Type::new(TypeKind::Underlying(Box::new(inner)), token.span));
                }
                _ => break,
            }
        }
        if words.any {
            let Some(builtin) = words.builtin() else {
                return Err(self.fail(type_span, "these words together are no type"));
            };
            before.ty = Some(Type::new(TypeKind::Builtin(builtin), self.joined(type_span)));
        }
        match &mut before.ty {
            Some(ty) => {
                ty.constant |= constant;
                ty.volatile |= volatile;
            }
            None if constant || volatile => return Err(self.unexpected("a type")),
            None => {}
        }
        Ok(before)
    }

    /// `"C"`, as opposed to `"C++"`.
    pub(super) fn is_linkage_of_c(&self) -> bool {
        self.token().spelling(&self.symbols) == "\"C\""
    }

    /// `decltype(e)`, `typeof(e)`, `typeof(T)`
    fn decltype(&mut self) -> Parsed<Type> {
        let start = self.span();
        let typeof_type = !self.is_keyword(Keyword::Decltype);
        if self.ahead(1).keyword() == Some(Keyword::Decltype) {
            return Err(self.unexpected("a type"));
        }
        // `decltype(e)::x` is a name.
        let close = self.closing.get(self.at + 1).copied().unwrap_or(0) as usize;
        if close != 0 && self.is_at(close + 1, Punct::ColonColon) {
            let (name, _) = self.name()?;
            return Ok(Type::new(TypeKind::Named(Box::new(name)), self.joined(start)));
        }
        self.at += 1;
        self.expect(Punct::LeftParen)?;
        if self.is_keyword(Keyword::Auto) && self.ahead(1).is(Punct::RightParen) {
            self.at += 2;
            return Ok(Type::new(TypeKind::DecltypeAuto, start));
        }
        if typeof_type && self.is_type(self.at) {
            let ty = self.unangled(|parser| parser.type_id())?;
            self.expect(Punct::RightParen)?;
            return Ok(ty);
        }
        let inner = self.unangled(|parser| parser.expression())?;
        self.expect(Punct::RightParen)?;
        Ok(Type::new(TypeKind::Decltype(Box::new(inner)), self.joined(start)))
    }

    /// Passes over attributes, `alignas` and the like; alignments are kept.
    pub(super) fn attributes(&mut self, alignment: &mut Vec<Alignment>) -> Parsed<()> {
        loop {
            let token = self.token();
            match token.keyword() {
                Some(Keyword::Alignas | Keyword::Align) => {
                    self.at += 1;
                    self.expect(Punct::LeftParen)?;
                    let value = self.unangled(|parser| parser.alignment())?;
                    self.expect(Punct::RightParen)?;
                    alignment.push(value);
                }
                Some(Keyword::Attribute | Keyword::Declspec) => {
                    self.at += 1;
                    let end = self.closing_of(Punct::LeftParen)?;
                    self.gnu_attributes(token.span, end, alignment)?;
                }
                _ if token.is(Punct::LeftBracket) && self.ahead(1).is(Punct::LeftBracket) => {
                    let end = self.closing_of(Punct::LeftBracket)?;
                    self.at = end + 1;
                }
                _ => return Ok(()),
            }
        }
    }

    /// Where the bracket closes that opens here.
    pub(super) fn closing_of(&mut self, open: Punct) -> Parsed<usize> {
        if !self.is(open) {
            return Err(self.unexpected(&format!("`{}`", open.text())));
        }
        match self.closing[self.at] {
            0 => {
                let span = self.span();
                Err(self.fail(span, format!("this `{}` is not closed", open.text())))
            }
            end => Ok(end as usize),
        }
    }

    /// `((aligned(16), unused))`: `aligned` is kept, `packed` is refused, the others have no say in what a kernel does.
    fn gnu_attributes(&mut self, span: Span, end: usize, alignment: &mut Vec<Alignment>) -> Parsed<()> {
        while self.at < end {
            let word = match self.token().kind {
                TokenKind::Ident(symbol) => self.symbols.text(symbol).trim_matches('_').to_string(),
                _ => String::new(),
            };
            match word.as_str() {
                "packed" => {
                    return Err(self.fail(
                        span,
                        "packed structs are not supported on the CPU; order the fields by size, or copy bytes by memcpy",
                    ));
                }
                "aligned" | "align" if self.ahead(1).is(Punct::LeftParen) => {
                    self.at += 2;
                    let value = self.unangled(|parser| parser.alignment())?;
                    self.expect(Punct::RightParen)?;
                    alignment.push(value);
                }
                _ => self.at += 1,
            }
        }
        self.at = end + 1;
        Ok(())
    }

    fn alignment(&mut self) -> Parsed<Alignment> {
        if self.is_type(self.at) {
            return Ok(Alignment::Type(self.type_id()?));
        }
        Ok(Alignment::Value(self.assignment()?))
    }
}
