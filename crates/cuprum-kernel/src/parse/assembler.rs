//! `asm`: inline PTX becomes the block of C that does the same, where there is one; else it is kept for the checker to
//! refuse.

use super::{Parsed, Parser};
use crate::Span;
use crate::ast::{Block, Declaration, Expr, ExprKind, Initialiser, StmtKind};
use crate::lex::{Keyword, Punct, TokenKind, lex};
use crate::ptx;

/// An operand: its constraint, and what it is.
struct AsmOperand {
    constraint: String,
    expr: Expr,
    is_output: bool,
}

impl AsmOperand {
    /// The letter that says its type.
    fn letter(&self) -> char {
        self.constraint.chars().last().unwrap_or(' ')
    }

    fn is_read(&self) -> bool {
        !self.is_output || self.constraint.starts_with('+')
    }
}

impl Parser<'_> {
    /// `asm volatile ("..." : "=r"(x) : "r"(y));`
    pub(super) fn assembler(&mut self) -> Parsed<StmtKind> {
        let span = self.span();
        self.at += 1;
        while matches!(
            self.token().keyword(),
            Some(Keyword::Volatile | Keyword::VolatileLong | Keyword::Goto | Keyword::Inline)
        ) {
            self.at += 1;
        }
        let end = self.closing_of(Punct::LeftParen)?;
        self.at += 1;
        let text = match self.token().kind {
            TokenKind::Str(_) => String::from_utf8_lossy(&self.strings()?.0).into_owned(),
            _ => String::new(),
        };
        let operands = self.operands(end)?;
        self.at = end + 1;
        self.expect_semicolon("`asm`")?;
        let letters: Option<Vec<char>> =
            operands.as_ref().map(|all| all.iter().map(AsmOperand::letter).collect());
        let translated = match letters {
            Some(letters) => ptx::translate(&text, &letters),
            None => Err(String::new()),
        };
        match (translated, operands) {
            // `asm volatile("" ::: "memory")` is the lowering's own.
            (Ok(body), Some(operands)) if !text.trim().is_empty() => {
                match self.block_of(&body, &operands, span) {
                    Some(block) => Ok(StmtKind::Block(block)),
                    None => Ok(StmtKind::Asm { text, unknown: String::new() }),
                }
            }
            (Err(unknown), _) => Ok(StmtKind::Asm { text, unknown }),
            _ => Ok(StmtKind::Asm { text, unknown: String::new() }),
        }
    }

    /// Outputs, then inputs; none where they are written in a way that is not known.
    fn operands(&mut self, end: usize) -> Parsed<Option<Vec<AsmOperand>>> {
        let (mut operands, mut section) = (Vec::new(), 0);
        while self.at < end {
            if self.take(Punct::Colon) {
                section += 1;
            } else if self.take(Punct::ColonColon) {
                section += 2;
            } else if self.take(Punct::Comma) {
                // The next operand.
            } else if section > 2 {
                self.at += 1;
            } else if matches!(self.token().kind, TokenKind::Str(_)) {
                let constraint = String::from_utf8_lossy(&self.strings()?.0).into_owned();
                self.expect(Punct::LeftParen)?;
                let expr = self.unangled(|parser| parser.expression())?;
                self.expect(Punct::RightParen)?;
                operands.push(AsmOperand { constraint, expr, is_output: section == 1 });
            } else {
                return Ok(None);
            }
        }
        let known = |operand: &AsmOperand| ptx::operand_type(operand.letter()).is_some();
        Ok(operands.iter().all(known).then_some(operands))
    }

    /// A block that has variables for the operands around what the assembler does.
    fn block_of(&mut self, body: &str, operands: &[AsmOperand], span: Span) -> Option<Block> {
        let mut text = "{ ".to_owned();
        for (number, operand) in operands.iter().enumerate() {
            let ty = ptx::operand_type(operand.letter())?;
            let value = if operand.is_read() { format!(" = ({ty})(0)") } else { String::new() };
            text += &format!("{ty} __ptx_{number}{value}; ");
        }
        text += body;
        let outputs = || operands.iter().enumerate().filter(|(_, operand)| operand.is_output);
        for (number, _) in outputs() {
            text += &format!(" __ptx_0 = __ptx_{number};");
        }
        text += " }";
        let mut tokens = lex(&text, span.file, &mut self.symbols);
        for token in &mut tokens {
            token.span = span;
        }
        let mut inner = Parser::new(&tokens, std::mem::take(&mut self.symbols), Vec::new());
        let block = inner.block();
        let failed = !inner.diagnostics.is_empty();
        self.symbols = inner.symbols;
        let mut block = block.ok().filter(|_| !failed)?;
        for (operand, statement) in operands.iter().zip(&mut block.statements) {
            if operand.is_read() {
                *initial_value(&mut statement.kind)? = operand.expr.clone();
            }
        }
        let count = block.statements.len().checked_sub(outputs().count())?;
        for ((_, operand), statement) in outputs().zip(&mut block.statements[count..]) {
            let StmtKind::Expr(Expr { kind: ExprKind::Assign { target, .. }, .. }) = &mut statement.kind
            else {
                return None;
            };
            **target = operand.expr.clone();
        }
        Some(block)
    }
}

/// What stands behind the cast in `T x = (T)(0);`.
fn initial_value(statement: &mut StmtKind) -> Option<&mut Expr> {
    let StmtKind::Declaration(declarations) = statement else { return None };
    let Some(Declaration::Variables(variables)) = declarations.first_mut() else { return None };
    let Initialiser::Copy(value) = &mut variables.variables.first_mut()?.init else { return None };
    let ExprKind::Cast { operand, .. } = &mut value.kind else { return None };
    Some(operand)
}
