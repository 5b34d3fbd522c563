//! The conditions of `#if` and `#elif`: integer expressions in which what is no macro is zero.

use crate::Span;
use crate::lex::{Keyword, Punct, Token, TokenKind};

use super::Preprocessor;

/// How deep parentheses and operators stand in each other.
const MAX_DEPTH: usize = 100;

/// A value of such an expression: 64 bits, signed or not.
#[derive(Clone, Copy)]
struct ConditionValue {
    bits: u64,
    unsigned: bool,
}

impl ConditionValue {
    fn signed(value: i64) -> ConditionValue {
        ConditionValue { bits: value as u64, unsigned: false }
    }

    fn truth(value: bool) -> ConditionValue {
        ConditionValue::signed(i64::from(value))
    }
}

impl Preprocessor<'_> {
    /// Whether the condition on the line holds; false, with a message, where it is none.
    pub(super) fn condition(&mut self, directive: Token, line: &[Token]) -> bool {
        let line = self.answer(line);
        let line = self.expand_all(line);
        let mut line = self.answer(&line);
        for token in &mut line {
            if let Some(punct) = token.keyword().and_then(Keyword::operator) {
                token.kind = TokenKind::Punct(punct);
            }
        }
        if line.is_empty() {
            if !self.stopped {
                self.error(directive.span, "a condition is missing");
            }
            return false;
        }
        let mut reader =
            Reader { preprocessor: self, line: &line, at: 0, depth: 0, end: line[line.len() - 1].span };
        let value = reader.comma(true).and_then(|value| match reader.line.get(reader.at) {
            None => Ok(value),
            Some(token) => Err((token.span, "the condition goes on where its end is expected".to_string())),
        });
        match value {
            Ok(value) => value.bits != 0,
            Err((span, message)) => {
                self.error(span, message);
                false
            }
        }
    }

    /// Replaces `defined(X)` and `__has_include(<x>)` by 0 or 1.
    fn answer(&mut self, line: &[Token]) -> Vec<Token> {
        let mut answered = Vec::with_capacity(line.len());
        let mut at = 0;
        while at < line.len() {
            let token = line[at];
            let word = match token.kind {
                TokenKind::Ident(symbol) => self.symbols.shared(symbol),
                _ => "".into(),
            };
            let truth = match &*word {
                "defined" => {
                    let parens = line.get(at + 1).is_some_and(|next| next.is(Punct::LeftParen));
                    let name = line.get(at + 1 + usize::from(parens)).map(|token| token.kind);
                    let closed = !parens || line.get(at + 3).is_some_and(|close| close.is(Punct::RightParen));
                    match name {
                        Some(TokenKind::Ident(symbol)) if closed => {
                            at += if parens { 4 } else { 2 };
                            self.is_defined(symbol) || self.symbols.text(symbol).starts_with("__has_include")
                        }
                        _ => {
                            self.error(token.span, "a macro's name is missing behind `defined`");
                            return Vec::new();
                        }
                    }
                }
                "__has_include" | "__has_include_next" => {
                    let end = line[at..].iter().position(|token| token.is(Punct::RightParen));
                    let Some(end) = end.filter(|_| line.get(at + 1).is_some_and(|t| t.is(Punct::LeftParen)))
                    else {
                        self.error(token.span, "`__has_include` takes a header's name between parentheses");
                        return Vec::new();
                    };
                    let text = self.spell(&line[at + 2..at + end]);
                    at += end + 1;
                    let quoted = text.starts_with('"');
                    self.headers.text(text.trim_matches(['"', '<', '>']), quoted).is_some()
                }
                _ => {
                    answered.push(token);
                    at += 1;
                    continue;
                }
            };
            let symbol = self.symbols.intern(if truth { "1" } else { "0" });
            answered.push(Token { kind: TokenKind::Number(symbol), ..token });
        }
        answered
    }
}

type Read = Result<ConditionValue, (Span, String)>;

struct Reader<'a, 'b> {
    preprocessor: &'a Preprocessor<'b>,
    line: &'a [Token],
    at: usize,
    depth: usize,
    end: Span,
}

impl Reader<'_, '_> {
    fn is(&self, ahead: usize, punct: Punct) -> bool {
        self.line.get(self.at + ahead).is_some_and(|token| token.is(punct))
    }

    fn span(&self) -> Span {
        self.line.get(self.at).map_or(self.end, |token| token.span)
    }

    fn take(&mut self, punct: Punct) -> bool {
        let found = self.is(0, punct);
        self.at += usize::from(found);
        found
    }

    fn deeper(&mut self) -> Result<(), (Span, String)> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err((self.span(), format!("the condition is nested more than {MAX_DEPTH} deep")));
        }
        Ok(())
    }

    /// `needed`: the value counts, so that a division by zero is an error.
    fn comma(&mut self, needed: bool) -> Read {
        let mut value = self.conditional(needed)?;
        while self.take(Punct::Comma) {
            value = self.conditional(needed)?;
        }
        Ok(value)
    }

    fn conditional(&mut self, needed: bool) -> Read {
        self.deeper()?;
        let condition = self.binary(0, needed)?;
        let value = if self.take(Punct::Question) {
            let holds = condition.bits != 0;
            let then = self.comma(needed && holds)?;
            if !self.take(Punct::Colon) {
                return Err((self.span(), "`:` is missing behind `?`".to_string()));
            }
            let otherwise = self.conditional(needed && !holds)?;
            let unsigned = then.unsigned || otherwise.unsigned;
            ConditionValue { bits: if holds { then.bits } else { otherwise.bits }, unsigned }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(value)
    }

    /// The operator here, its precedence and its number of tokens.
    fn operator(&self) -> Option<(Punct, u8, usize)> {
        let TokenKind::Punct(punct) = self.line.get(self.at)?.kind else { return None };
        let joined = self.line.get(self.at + 1).is_some_and(|next| !next.space);
        Some(match punct {
            Punct::Or => (punct, 1, 1),
            Punct::And => (punct, 2, 1),
            Punct::Pipe => (punct, 3, 1),
            Punct::Caret => (punct, 4, 1),
            Punct::Amp => (punct, 5, 1),
            Punct::Equal | Punct::NotEqual => (punct, 6, 1),
            Punct::Greater if joined && self.is(1, Punct::Greater) => (Punct::ShiftLeftAssign, 8, 2),
            Punct::Less | Punct::Greater | Punct::LessEqual | Punct::GreaterEqual => (punct, 7, 1),
            Punct::ShiftLeft => (punct, 8, 1),
            Punct::Plus | Punct::Minus => (punct, 9, 1),
            Punct::Star | Punct::Slash | Punct::Percent => (punct, 10, 1),
            _ => return None,
        })
    }

    fn binary(&mut self, least: u8, needed: bool) -> Read {
        let mut left = self.unary(needed)?;
        while let Some((punct, precedence, tokens)) = self.operator()
            && precedence > least
        {
            let span = self.span();
            self.at += tokens;
            let needed = needed
                && match punct {
                    Punct::Or => left.bits == 0,
                    Punct::And => left.bits != 0,
                    _ => true,
                };
            let right = self.binary(precedence, needed)?;
            left = apply(punct, left, right, needed).map_err(|message| (span, message))?;
        }
        Ok(left)
    }

    fn unary(&mut self, needed: bool) -> Read {
        let Some(&token) = self.line.get(self.at) else {
            return Err((self.end, "the condition ends where a value is expected".to_string()));
        };
        self.at += 1;
        match token.kind {
            TokenKind::Number(symbol) => number(self.preprocessor.symbols.text(symbol)).ok_or_else(|| {
                let text = self.preprocessor.symbols.text(symbol);
                (token.span, format!("`{text}` is no integer, and conditions of `#if` are of integers"))
            }),
            TokenKind::Char(symbol) => {
                match crate::parse::character(self.preprocessor.symbols.text(symbol)) {
                    Ok((value, _)) => Ok(ConditionValue::signed(value)),
                    Err(message) => Err((token.span, message)),
                }
            }
            TokenKind::Ident(symbol) => {
                if self.is(0, Punct::LeftParen) {
                    let name = self.preprocessor.symbols.text(symbol);
                    return Err((token.span, format!("there is no macro `{name}` that takes arguments")));
                }
                Ok(ConditionValue::truth(self.preprocessor.symbols.text(symbol) == "true"))
            }
            TokenKind::Punct(punct) => {
                self.deeper()?;
                let value = match punct {
                    Punct::LeftParen => {
                        let value = self.comma(needed)?;
                        if !self.take(Punct::RightParen) {
                            return Err((self.span(), "`)` is missing in the condition".to_string()));
                        }
                        value
                    }
                    Punct::Plus => self.unary(needed)?,
                    Punct::Minus => {
                        let value = self.unary(needed)?;
                        ConditionValue { bits: value.bits.wrapping_neg(), ..value }
                    }
                    Punct::Tilde => {
                        let value = self.unary(needed)?;
                        ConditionValue { bits: !value.bits, ..value }
                    }
                    Punct::Not => ConditionValue::truth(self.unary(needed)?.bits == 0),
                    _ => return Err((token.span, format!("`{}` begins no value", punct.text()))),
                };
                self.depth -= 1;
                Ok(value)
            }
            _ => {
                let text = token.spelling(&self.preprocessor.symbols);
                Err((token.span, format!("`{text}` has no place in a condition of `#if`")))
            }
        }
    }
}

fn number(text: &str) -> Option<ConditionValue> {
    let (value, unsigned, _, _) = crate::parse::integer(text).ok()?;
    Some(ConditionValue { bits: value, unsigned: unsigned || value > i64::MAX as u64 })
}

fn apply(
    punct: Punct,
    left: ConditionValue,
    right: ConditionValue,
    needed: bool,
) -> Result<ConditionValue, String> {
    let unsigned = left.unsigned || right.unsigned;
    let (a, b) = (left.bits, right.bits);
    let (s, t) = (a as i64, b as i64);
    let order = if unsigned { a.cmp(&b) } else { s.cmp(&t) };
    let value = |bits: u64| ConditionValue { bits, unsigned };
    Ok(match punct {
        Punct::Or => ConditionValue::truth(a != 0 || b != 0),
        Punct::And => ConditionValue::truth(a != 0 && b != 0),
        Punct::Pipe => value(a | b),
        Punct::Caret => value(a ^ b),
        Punct::Amp => value(a & b),
        Punct::Equal => ConditionValue::truth(a == b),
        Punct::NotEqual => ConditionValue::truth(a != b),
        Punct::Less => ConditionValue::truth(order.is_lt()),
        Punct::Greater => ConditionValue::truth(order.is_gt()),
        Punct::LessEqual => ConditionValue::truth(order.is_le()),
        Punct::GreaterEqual => ConditionValue::truth(order.is_ge()),
        Punct::ShiftLeft => ConditionValue { bits: a.checked_shl(b.min(64) as u32).unwrap_or(0), ..left },
        // `>>`, which is two tokens.
        Punct::ShiftLeftAssign if left.unsigned => {
            ConditionValue { bits: a.checked_shr(b.min(64) as u32).unwrap_or(0), ..left }
        }
        Punct::ShiftLeftAssign => ConditionValue { bits: (s >> b.min(63)) as u64, ..left },
        Punct::Plus => value(a.wrapping_add(b)),
        Punct::Minus => value(a.wrapping_sub(b)),
        Punct::Star => value(a.wrapping_mul(b)),
        Punct::Slash | Punct::Percent => {
            if b == 0 {
                return if needed {
                    Err("division by zero in a condition".to_string())
                } else {
                    Ok(value(0))
                };
            }
            let divide = punct == Punct::Slash;
            value(match (unsigned, divide) {
                (true, true) => a / b,
                (true, false) => a % b,
                (false, true) => s.wrapping_div(t) as u64,
                (false, false) => s.wrapping_rem(t) as u64,
            })
        }
        _ => value(0),
    })
}
