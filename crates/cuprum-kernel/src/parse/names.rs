//! Names: qualified, with template arguments, of operators.

use crate::Span;
use crate::ast::{
    BinaryOp, Identifier, Name, NamePart, OperatorName, TemplateArgument, TemplateArgumentKind,
};
use crate::lex::{Keyword, Punct, TokenKind};

use super::scope::Entry;
use super::{Parsed, Parser};

impl Parser<'_> {
    /// Reads a name, and says what it is where that is known.
    pub(super) fn name(&mut self) -> Parsed<(Name, Option<Entry>)> {
        self.name_in(false)
    }

    /// Reads a name where a type is expected: `<` behind one that is not known begins its arguments.
    pub(super) fn type_name(&mut self) -> Parsed<(Name, Option<Entry>)> {
        self.name_in(true)
    }

    fn name_in(&mut self, is_type: bool) -> Parsed<(Name, Option<Entry>)> {
        let start = self.span();
        let global = self.take(Punct::ColonColon);
        let mut scope = global.then(|| self.scopes.global());
        let mut qualifier = Vec::new();
        loop {
            let forced = self.take_keyword(Keyword::Template);
            let span = self.span();
            let first = qualifier.is_empty() && !global;
            let (id, entry) = self.identifier(first, scope)?;
            let operator = !matches!(id, Identifier::Name(_));
            let known = entry.is_some_and(|entry| entry.is_template());
            let arguments = self.is(Punct::Less)
                && match operator {
                    true => matches!(id, Identifier::Operator(_)) && self.is_unknown_template(self.at),
                    false => {
                        let unknown = entry.is_none()
                            && match is_type {
                                true => self.skip_angles(self.at).is_some(),
                                false => first && self.is_unknown_template(self.at),
                            };
                        forced || known || unknown
                    }
                };
            let arguments = if arguments { Some(self.template_arguments()?) } else { None };
            let part = NamePart { id, arguments, span };
            if self.is(Punct::ColonColon) && !self.is_at(self.at + 1, Punct::Star) && !operator
                || (matches!(part.id, Identifier::Decltype(_)) && self.is(Punct::ColonColon))
            {
                self.at += 1;
                scope = entry.and_then(|entry| entry.scope);
                qualifier.push(part);
                if qualifier.len() > super::MAX_DECLARATORS {
                    return Err(self.fail(span, "the name has too many parts"));
                }
                continue;
            }
            let span = self.joined(start);
            return Ok((Name { global, qualifier, last: part, span }, entry));
        }
    }

    /// From a place to the token before this one, where both are of one line.
    pub(super) fn joined(&self, start: Span) -> Span {
        let end = self.span_before();
        if end.file == start.file && end.line == start.line && end.column >= start.column {
            return Span { length: end.column + end.length - start.column, ..start };
        }
        start
    }

    fn identifier(
        &mut self,
        first: bool,
        scope: Option<super::scope::ScopeId>,
    ) -> Parsed<(Identifier, Option<Entry>)> {
        match self.token().keyword() {
            Some(Keyword::Operator) => {
                self.at += 1;
                return Ok((self.operator_name()?, None));
            }
            Some(Keyword::Decltype) if first => {
                self.at += 1;
                self.expect(Punct::LeftParen)?;
                let inner = self.unangled(|parser| parser.expression())?;
                self.expect(Punct::RightParen)?;
                return Ok((Identifier::Decltype(Box::new(inner)), None));
            }
            _ => {}
        }
        if self.is(Punct::Tilde) && self.ident_at(self.at + 1).is_some() {
            self.at += 1;
            let symbol = self.expect_ident("a name")?;
            return Ok((Identifier::Destructor(symbol), None));
        }
        let symbol = self.expect_ident("a name")?;
        let entry = match first {
            true => self.scopes.find(symbol),
            false => scope.and_then(|scope| self.scopes.find_in(scope, symbol)),
        };
        Ok((Identifier::Name(symbol), entry))
    }

    /// What stands behind `operator`.
    fn operator_name(&mut self) -> Parsed<Identifier> {
        let token = self.token();
        let joined = |parser: &Self, punct: Punct| parser.ahead(1).is(punct) && !parser.ahead(1).space;
        let name = match token.kind {
            TokenKind::Punct(Punct::LeftParen) if self.ahead(1).is(Punct::RightParen) => {
                self.at += 2;
                return Ok(Identifier::Operator(OperatorName::Call));
            }
            TokenKind::Punct(Punct::LeftBracket) if self.ahead(1).is(Punct::RightBracket) => {
                self.at += 2;
                return Ok(Identifier::Operator(OperatorName::Index));
            }
            TokenKind::Punct(Punct::Greater) if joined(self, Punct::Greater) => {
                self.at += 2;
                return Ok(Identifier::Operator(OperatorName::Binary(BinaryOp::Shr)));
            }
            TokenKind::Punct(Punct::Greater) if joined(self, Punct::GreaterEqual) => {
                self.at += 2;
                return Ok(Identifier::Operator(OperatorName::Assign(Some(BinaryOp::Shr))));
            }
            TokenKind::Punct(punct) => operator_of(punct),
            TokenKind::Str(_) => {
                self.at += 1;
                let symbol = self.expect_ident("the suffix of a literal")?;
                return Ok(Identifier::Literal(symbol));
            }
            _ if matches!(token.keyword(), Some(Keyword::New | Keyword::Delete)) => {
                self.at += 1;
                if self.is(Punct::LeftBracket) && self.ahead(1).is(Punct::RightBracket) {
                    self.at += 2;
                }
                return Ok(Identifier::Operator(OperatorName::Memory));
            }
            _ => None,
        };
        if let Some(name) = name {
            self.at += 1;
            return Ok(Identifier::Operator(name));
        }
        let ty = self.conversion_type()?;
        Ok(Identifier::Conversion(Box::new(ty)))
    }

    /// `<...>`, from the `<` on.
    pub(super) fn template_arguments(&mut self) -> Parsed<Vec<TemplateArgument>> {
        self.enter()?;
        self.expect(Punct::Less)?;
        let angle = std::mem::replace(&mut self.angle, true);
        let arguments = self.template_argument_list();
        self.angle = angle;
        let arguments = arguments?;
        if !self.take(Punct::Greater) {
            return Err(self.unexpected("`>` behind the template's arguments"));
        }
        self.grow()?;
        self.leave();
        Ok(arguments)
    }

    fn template_argument_list(&mut self) -> Parsed<Vec<TemplateArgument>> {
        let mut arguments = Vec::new();
        if self.is(Punct::Greater) {
            return Ok(arguments);
        }
        loop {
            let span = self.span();
            let kind = if self.is_type(self.at) {
                TemplateArgumentKind::Type(self.type_id()?)
            } else {
                TemplateArgumentKind::Value(self.assignment()?)
            };
            let pack = self.take(Punct::Ellipsis);
            arguments.push(TemplateArgument { kind, pack, span: self.joined(span) });
            // A comma may stand behind the last one, as for NVIDIA's compilers.
            if !self.take(Punct::Comma) || self.is(Punct::Greater) {
                return Ok(arguments);
            }
        }
    }
}

/// The operator's name that one sign gives.
fn operator_of(punct: Punct) -> Option<OperatorName> {
    Some(match punct {
        Punct::Assign => OperatorName::Assign(None),
        Punct::Not => OperatorName::Not,
        Punct::Tilde => OperatorName::BitNot,
        Punct::Increment => OperatorName::Increment,
        Punct::Decrement => OperatorName::Decrement,
        Punct::Arrow => OperatorName::Arrow,
        Punct::ArrowStar => OperatorName::ArrowStar,
        Punct::Spaceship => OperatorName::Spaceship,
        Punct::Comma => OperatorName::Binary(BinaryOp::Comma),
        _ => {
            if let Some(op) = assignment_of(punct) {
                return Some(OperatorName::Assign(Some(op)));
            }
            OperatorName::Binary(binary_of(punct)?.0)
        }
    })
}

/// The operator of a compound assignment.
pub(super) fn assignment_of(punct: Punct) -> Option<BinaryOp> {
    Some(match punct {
        Punct::PlusAssign => BinaryOp::Add,
        Punct::MinusAssign => BinaryOp::Sub,
        Punct::StarAssign => BinaryOp::Mul,
        Punct::SlashAssign => BinaryOp::Div,
        Punct::PercentAssign => BinaryOp::Rem,
        Punct::CaretAssign => BinaryOp::BitXor,
        Punct::AmpAssign => BinaryOp::BitAnd,
        Punct::PipeAssign => BinaryOp::BitOr,
        Punct::ShiftLeftAssign => BinaryOp::Shl,
        _ => return None,
    })
}

/// A binary operator and how tightly it binds.
pub(super) fn binary_of(punct: Punct) -> Option<(BinaryOp, u8)> {
    Some(match punct {
        Punct::Or => (BinaryOp::Or, 1),
        Punct::And => (BinaryOp::And, 2),
        Punct::Pipe => (BinaryOp::BitOr, 3),
        Punct::Caret => (BinaryOp::BitXor, 4),
        Punct::Amp => (BinaryOp::BitAnd, 5),
        Punct::Equal => (BinaryOp::Eq, 6),
        Punct::NotEqual => (BinaryOp::Ne, 6),
        Punct::Less => (BinaryOp::Lt, 7),
        Punct::LessEqual => (BinaryOp::Le, 7),
        Punct::Greater => (BinaryOp::Gt, 7),
        Punct::GreaterEqual => (BinaryOp::Ge, 7),
        Punct::ShiftLeft => (BinaryOp::Shl, 8),
        Punct::Plus => (BinaryOp::Add, 9),
        Punct::Minus => (BinaryOp::Sub, 9),
        Punct::Star => (BinaryOp::Mul, 10),
        Punct::Slash => (BinaryOp::Div, 10),
        Punct::Percent => (BinaryOp::Rem, 10),
        Punct::DotStar => (BinaryOp::DotStar, 11),
        Punct::ArrowStar => (BinaryOp::ArrowStar, 11),
        _ => return None,
    })
}
