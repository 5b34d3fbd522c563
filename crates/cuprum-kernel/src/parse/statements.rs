//! Statements.

use crate::Span;
use crate::ast::{Block, Condition, Declaration, Initialiser, Stmt, StmtKind, Unroll, Variable, Variables};
use crate::lex::{Keyword, Punct, TokenKind};

use super::declarators::Naming;
use super::scope::Of;
use super::specifiers::Before;
use super::{Parsed, Parser};

/// How many `else if` may follow each other: each is nested in the one before.
const MAX_ELSE_CHAIN: usize = 400;

impl Parser<'_> {
    /// `{ ... }`, in a scope of its own.
    pub(super) fn block(&mut self) -> Parsed<Block> {
        self.enter()?;
        let span = self.span();
        if !self.take(Punct::LeftBrace) {
            return Err(self.unexpected("`{`"));
        }
        self.scopes.begin(Of::Block);
        let angle = std::mem::replace(&mut self.angle, false);
        let mut statements = Vec::new();
        while !self.is(Punct::RightBrace) && self.token().kind != TokenKind::Eof {
            let mark = self.mark();
            if self.statement_into(&mut statements).is_err() {
                self.recover(&mark);
                if self.is_hopeless() {
                    return Err(super::Failed);
                }
            }
        }
        self.angle = angle;
        self.scopes.close();
        let end = self.span();
        if !self.take(Punct::RightBrace) {
            return Err(self.fail(span, "this `{` has no `}`"));
        }
        self.leave();
        Ok(Block { statements, span, end })
    }

    /// A statement, with the labels before it, added to a block.
    fn statement_into(&mut self, statements: &mut Vec<Stmt>) -> Parsed<()> {
        while let Some(marker) = self.marker()? {
            statements.push(marker);
            // A label may be the last of a block.
            if self.is(Punct::RightBrace) {
                return Ok(());
            }
        }
        let statement = self.statement()?;
        statements.push(statement);
        Ok(())
    }

    /// The body of an `if` or a loop: one statement in a scope of its own, in a block where labels stand before it.
    fn body(&mut self) -> Parsed<Box<Stmt>> {
        self.scopes.begin(Of::Block);
        let span = self.span();
        let mut statements = Vec::new();
        self.statement_into(&mut statements)?;
        self.scopes.close();
        let statement = match (statements.len(), statements.pop()) {
            (1, Some(statement)) => statement,
            (_, last) => {
                statements.extend(last);
                let block = Block { statements, span, end: self.span_before() };
                Stmt { kind: StmtKind::Block(block), span }
            }
        };
        Ok(Box::new(statement))
    }

    /// `case v:`, `default:`, `name:`
    fn marker(&mut self) -> Parsed<Option<Stmt>> {
        let token = self.token();
        let kind = match token.keyword() {
            Some(Keyword::Case) => {
                self.at += 1;
                let value = self.conditional()?;
                let last = match self.take(Punct::Ellipsis) {
                    true => Some(self.conditional()?),
                    false => None,
                };
                StmtKind::Case { value, last }
            }
            Some(Keyword::Default) => {
                self.at += 1;
                StmtKind::Default
            }
            _ => match self.ident_at(self.at) {
                Some(symbol) if self.ahead(1).is(Punct::Colon) => {
                    self.at += 1;
                    StmtKind::Label(symbol)
                }
                _ => return Ok(None),
            },
        };
        if !self.take(Punct::Colon) {
            return Err(self.unexpected("`:`"));
        }
        Ok(Some(Stmt { kind, span: token.span }))
    }

    fn statement(&mut self) -> Parsed<Stmt> {
        self.enter()?;
        let token = self.token();
        let span = token.span;
        let unroll = self.unroll()?;
        let keyword = self.token().keyword();
        if unroll.is_some() && !matches!(keyword, Some(Keyword::For | Keyword::While | Keyword::Do)) {
            self.warn(span, "`#pragma unroll` has no effect: no loop follows it");
        }
        let kind = match keyword {
            Some(Keyword::If) => self.if_chain()?,
            Some(Keyword::For) => self.for_loop(unroll)?,
            Some(Keyword::While) => {
                self.at += 1;
                self.scopes.begin(Of::Block);
                self.expect(Punct::LeftParen)?;
                let condition = self.condition()?;
                self.expect(Punct::RightParen)?;
                let body = self.body()?;
                self.scopes.close();
                StmtKind::While { condition, body, unroll }
            }
            Some(Keyword::Do) => {
                self.at += 1;
                let body = self.body()?;
                if !self.take_keyword(Keyword::While) {
                    return Err(self.unexpected("`while` behind the body of `do`"));
                }
                self.expect(Punct::LeftParen)?;
                let condition = self.expression()?;
                self.expect(Punct::RightParen)?;
                self.expect_semicolon("`do ... while`")?;
                StmtKind::Do { body, condition, unroll }
            }
            Some(Keyword::Switch) => {
                self.at += 1;
                self.scopes.begin(Of::Block);
                self.expect(Punct::LeftParen)?;
                let (init, value) = self.init_and_condition()?;
                self.expect(Punct::RightParen)?;
                let body = self.body()?;
                self.scopes.close();
                StmtKind::Switch { init, value, body }
            }
            Some(Keyword::Break) => {
                self.at += 1;
                self.expect_semicolon("`break`")?;
                StmtKind::Break
            }
            Some(Keyword::Continue) => {
                self.at += 1;
                self.expect_semicolon("`continue`")?;
                StmtKind::Continue
            }
            Some(Keyword::Return) => {
                self.at += 1;
                let value = match self.token().kind {
                    TokenKind::Punct(Punct::Semicolon) => None,
                    TokenKind::Punct(Punct::LeftBrace) => Some(self.list()?),
                    _ => Some(self.expression()?),
                };
                self.expect_semicolon("`return`")?;
                StmtKind::Return(value)
            }
            Some(Keyword::Goto) => {
                self.at += 1;
                let label = self.expect_ident("a label's name")?;
                self.expect_semicolon("`goto`")?;
                StmtKind::Goto(label)
            }
            Some(Keyword::Asm | Keyword::AsmLong | Keyword::AsmShort) => self.assembler()?,
            Some(Keyword::Try) => {
                self.at += 1;
                self.at = self.closing_of(Punct::LeftBrace)? + 1;
                while self.take_keyword(Keyword::Catch) {
                    self.at = self.closing_of(Punct::LeftParen)? + 1;
                    self.at = self.closing_of(Punct::LeftBrace)? + 1;
                }
                StmtKind::Try
            }
            Some(Keyword::Else) => return Err(self.fail(span, "`else` without `if`")),
            Some(Keyword::Template) => {
                return Err(self.fail(span, "a template cannot be declared in a function; declare it before"));
            }
            _ if self.is(Punct::LeftBrace) => StmtKind::Block(self.block()?),
            _ if self.take(Punct::Semicolon) => StmtKind::Empty,
            _ if self.is_attribute_statement() => {
                self.attributes(&mut Vec::new())?;
                return match self.take(Punct::Semicolon) {
                    true => {
                        self.leave();
                        Ok(Stmt { kind: StmtKind::Empty, span })
                    }
                    false => {
                        let statement = self.statement()?;
                        self.leave();
                        Ok(statement)
                    }
                };
            }
            _ if self.is_declaration() => {
                let mut declarations = Vec::new();
                self.declaration(&mut declarations)?;
                StmtKind::Declaration(declarations)
            }
            _ => {
                let value = self.expression()?;
                self.expect_semicolon("the expression")?;
                StmtKind::Expr(value)
            }
        };
        self.leave();
        Ok(Stmt { kind, span })
    }

    fn is_attribute_statement(&self) -> bool {
        if self.is(Punct::LeftBracket) && self.ahead(1).is(Punct::LeftBracket) {
            return true;
        }
        let end = self.closing.get(self.at + 1).copied().unwrap_or(0) as usize;
        self.is_keyword(Keyword::Attribute) && end != 0 && self.is_at(end + 1, Punct::Semicolon)
    }

    /// `#pragma unroll`, the last of several.
    fn unroll(&mut self) -> Parsed<Option<Unroll>> {
        let mut unroll = None;
        while self.token().kind == TokenKind::Unroll {
            let span = self.bump().span;
            let count = match self.token().kind {
                TokenKind::UnrollEnd => None,
                _ => Some(self.conditional()?),
            };
            if self.token().kind != TokenKind::UnrollEnd {
                return Err(self.fail(span, "`#pragma unroll` takes one constant"));
            }
            self.at += 1;
            unroll = Some(Unroll { count, span });
        }
        Ok(unroll)
    }

    /// `if ... else if ... else`, without recursion over the chain.
    fn if_chain(&mut self) -> Parsed<StmtKind> {
        struct Link {
            constant: bool,
            init: Option<Box<Stmt>>,
            condition: Condition,
            then: Box<Stmt>,
            span: Span,
        }
        let mut links = Vec::new();
        let scopes = self.scopes.depth();
        let mut otherwise = None;
        loop {
            let span = self.bump().span;
            let constant = self.take_keyword(Keyword::Constexpr);
            // What an `if` declares is seen in its `else` too.
            self.scopes.begin(Of::Block);
            self.expect(Punct::LeftParen)?;
            let (init, condition) = self.init_and_condition()?;
            self.expect(Punct::RightParen)?;
            let then = self.body()?;
            links.push(Link { constant, init, condition, then, span });
            if links.len() > MAX_ELSE_CHAIN {
                return Err(
                    self.fail(span, format!("more than {MAX_ELSE_CHAIN} `else if` in a row; use `switch`"))
                );
            }
            if !self.take_keyword(Keyword::Else) {
                break;
            }
            if !self.is_keyword(Keyword::If) {
                otherwise = Some(self.body()?);
                break;
            }
        }
        while self.scopes.depth() > scopes {
            self.scopes.close();
        }
        let mut chain = None;
        for link in links.into_iter().rev() {
            let Link { constant, init, condition, then, span } = link;
            if let Some((kind, span)) = chain.take() {
                otherwise = Some(Box::new(Stmt { kind, span }));
            }
            chain =
                Some((StmtKind::If { constant, init, condition, then, otherwise: otherwise.take() }, span));
        }
        Ok(chain.map_or(StmtKind::Empty, |(kind, _)| kind))
    }

    /// `init; condition` or `condition`, between the parentheses of `if` and `switch`.
    fn init_and_condition(&mut self) -> Parsed<(Option<Box<Stmt>>, Condition)> {
        let span = self.span();
        if self.take(Punct::Semicolon) {
            return Ok((None, self.condition()?));
        }
        if !self.is_declaration() {
            let value = self.expression()?;
            if !self.take(Punct::Semicolon) {
                return Ok((None, Condition::Expr(value)));
            }
            let init = Box::new(Stmt { kind: StmtKind::Expr(value), span });
            return Ok((Some(init), self.condition()?));
        }
        let declaration = self.loop_declaration()?;
        if self.take(Punct::Semicolon) {
            let init = Box::new(Stmt { kind: StmtKind::Declaration(vec![declaration]), span });
            return Ok((Some(init), self.condition()?));
        }
        self.tested(declaration, span).map(|condition| (None, condition))
    }

    /// An expression or a variable that is tested.
    fn condition(&mut self) -> Parsed<Condition> {
        if !self.is_declaration() {
            return Ok(Condition::Expr(self.expression()?));
        }
        let span = self.span();
        let declaration = self.loop_declaration()?;
        self.tested(declaration, span)
    }

    fn tested(&mut self, declaration: Declaration, span: Span) -> Parsed<Condition> {
        match declaration {
            Declaration::Variables(variables)
                if variables.variables.len() == 1 && variables.variables[0].init != Initialiser::None =>
            {
                Ok(Condition::Variable(Box::new(variables)))
            }
            _ => Err(self.fail(span, "a condition declares one variable with a value")),
        }
    }

    /// Variables without the `;` behind them.
    fn loop_declaration(&mut self) -> Parsed<Declaration> {
        let mut defined = Vec::new();
        let start = self.span();
        let before = self.specifiers(&mut Vec::new(), &mut defined)?;
        if !defined.is_empty() {
            return Err(self.fail(start, "a type cannot be defined here; define it before"));
        }
        if let Some(binding) = self.binding(&before)? {
            return Ok(binding);
        }
        let Before { specifiers, ty, .. } = before;
        let Some(base) = ty else { return Err(self.unexpected("a type")) };
        let mut variables = Vec::new();
        loop {
            let declarator = self.declarator(base.clone(), Naming::Named)?;
            self.declare_value(&declarator, &[]);
            let init = self.initialiser()?;
            variables.push(Variable {
                name: declarator.name,
                ty: declarator.ty,
                init,
                bits: None,
                span: declarator.span,
            });
            if !self.take(Punct::Comma) {
                return Ok(Declaration::Variables(Variables {
                    templates: Vec::new(),
                    specifiers,
                    variables,
                }));
            }
        }
    }

    fn for_loop(&mut self, unroll: Option<Unroll>) -> Parsed<StmtKind> {
        self.at += 1;
        self.scopes.begin(Of::Block);
        self.expect(Punct::LeftParen)?;
        let mut span = self.span();
        let mut first = None;
        loop {
            let declares = self.is_declaration();
            let init = if self.is(Punct::Semicolon) {
                StmtKind::Empty
            } else if declares {
                let declaration = self.loop_declaration()?;
                if self.take(Punct::Colon) {
                    let kind = self.range_for(first, declaration, span, unroll)?;
                    self.scopes.close();
                    return Ok(kind);
                }
                StmtKind::Declaration(vec![declaration])
            } else {
                StmtKind::Expr(self.expression()?)
            };
            self.expect_semicolon("the first part of `for`")?;
            let init = Box::new(Stmt { kind: init, span });
            // `for (init; T x : range)`
            if first.is_none() && self.is_declaration() && self.is_range_declaration() {
                first = Some(init);
                span = self.span();
                continue;
            }
            let condition = match self.is(Punct::Semicolon) {
                true => None,
                false => Some(self.condition()?),
            };
            self.expect_semicolon("the condition of `for`")?;
            let step = match self.is(Punct::RightParen) {
                true => None,
                false => Some(self.expression()?),
            };
            self.expect(Punct::RightParen)?;
            let body = self.body()?;
            self.scopes.close();
            return Ok(StmtKind::For { init, condition, step, body, unroll });
        }
    }

    /// Whether a `:` comes before the `)` or `;` that ends this part of `for`.
    fn is_range_declaration(&self) -> bool {
        let mut at = self.at;
        loop {
            match self.token_at(at).kind {
                TokenKind::Punct(Punct::Colon) => return true,
                TokenKind::Punct(Punct::Semicolon | Punct::RightParen | Punct::Question) | TokenKind::Eof => {
                    return false;
                }
                _ => {}
            }
            at = match self.closing.get(at).copied().unwrap_or(0) {
                0 => at + 1,
                closing => closing as usize + 1,
            };
        }
    }

    fn range_for(
        &mut self,
        init: Option<Box<Stmt>>,
        variable: Declaration,
        span: Span,
        unroll: Option<Unroll>,
    ) -> Parsed<StmtKind> {
        let one = match &variable {
            Declaration::Variables(list) => {
                list.variables.len() == 1 && list.variables[0].init == Initialiser::None
            }
            _ => true,
        };
        if !one {
            return Err(self.fail(span, "a loop over a range declares one variable without a value"));
        }
        let range = match self.is(Punct::LeftBrace) {
            true => self.list()?,
            false => self.expression()?,
        };
        self.expect(Punct::RightParen)?;
        let body = self.body()?;
        Ok(StmtKind::RangeFor { init, variable: Box::new(variable), range, body, unroll })
    }
}
