//! Parses the smallest parts of graph text: tokens, lists, values, types, attributes and literals.

use graph_kernels::DType;

use super::{ParseError, Parser, Result, Scope};
use crate::graph::text::lexer::{Position, Token};
use crate::graph::{Dim, Shape, TensorType, ValueId};
use crate::ops::{Attr, Attrs, OpDef};

impl Parser<'_> {
    pub(super) fn peek(&self) -> &Token {
        self.tokens
            .get(self.next)
            .map_or(&Token::End, |(token, _)| token)
    }

    /// The position of the next token.
    pub(super) fn at(&self) -> Position {
        let index = self.next.min(self.tokens.len().saturating_sub(1));
        self.tokens
            .get(index)
            .map_or(Position { line: 1, column: 1 }, |(_, at)| *at)
    }

    /// Takes the next token; the end token isn't consumed.
    pub(super) fn token(&mut self) -> Token {
        let token = self.peek().clone();
        self.next += 1;
        token
    }

    pub(super) fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(ParseError::new(message, self.at()))
    }

    /// An error at the token that was taken last.
    pub(super) fn error_before<T>(&mut self, message: impl Into<String>) -> Result<T> {
        self.next = self.next.saturating_sub(1);
        self.error(message)
    }

    pub(super) fn expect(&mut self, token: &Token) -> Result<()> {
        if self.peek() != token {
            return self.error(format!(
                "expected {}, found {}",
                describe(token),
                describe(self.peek())
            ));
        }
        self.next += 1;
        Ok(())
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Result<()> {
        self.expect(&Token::Word(word.to_owned()))
    }

    pub(super) fn accept(&mut self, mark: char) -> bool {
        let found = *self.peek() == Token::Mark(mark);
        self.next += usize::from(found);
        found
    }

    pub(super) fn accept_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Word(w) if w == word);
        self.next += usize::from(found);
        found
    }

    /// Parses items separated by commas, up to the closing mark. The opening mark has been taken already.
    pub(super) fn list<T>(
        &mut self,
        close: char,
        mut item: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut items = Vec::new();
        if self.accept(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if !self.accept(',') {
                self.expect(&Token::Mark(close))?;
                return Ok(items);
            }
        }
    }

    /// Parses the name of a value to be defined.
    pub(super) fn new_value(&mut self) -> Result<(Token, Position)> {
        let at = self.at();
        match self.token() {
            // `%"x"` and `x` are the same name.
            Token::Quoted(text) | Token::Word(text) => Ok((Token::Word(text), at)),
            token @ Token::Numbered(_) => Ok((token, at)),
            _ => self.error_before("expected a value"),
        }
    }

    /// Parses the name of a value that is defined already.
    pub(super) fn value(&mut self, scope: &Scope) -> Result<ValueId> {
        let (name, at) = self.new_value()?;
        match scope.values.get(&name) {
            Some(value) => Ok(*value),
            None => Err(ParseError::new(
                format!("no value {} is defined here", describe(&name)),
                at,
            )),
        }
    }

    /// Parses `(a, b)`.
    pub(super) fn operands(&mut self, scope: &Scope) -> Result<Vec<ValueId>> {
        self.expect(&Token::Mark('('))?;
        self.list(')', |p| p.value(scope))
    }

    /// Parses `: int32[], float32[2]`, if there is one; a node without outputs has none.
    pub(super) fn types(&mut self) -> Result<Vec<TensorType>> {
        let mut types = Vec::new();
        if self.accept(':') {
            types.push(self.tensor_type()?);
            while self.accept(',') {
                types.push(self.tensor_type()?);
            }
        }
        Ok(types)
    }

    pub(super) fn tensor_type(&mut self) -> Result<TensorType> {
        let dtype = match self.token() {
            Token::Word(word) => DType::from_name(&word),
            _ => None,
        };
        match dtype {
            Some(dtype) => Ok(TensorType::new(dtype, self.shape()?)),
            None => self.error_before("expected a dtype"),
        }
    }

    /// Parses `[2,?]`, or `[*]` for an unknown rank. Shapes whose size overflows `usize` are rejected, because no array can have them.
    fn shape(&mut self) -> Result<Shape> {
        let at = self.at();
        self.expect(&Token::Mark('['))?;
        if self.accept('*') {
            self.expect(&Token::Mark(']'))?;
            return Ok(Shape::unknown());
        }
        let dims = self.list(']', Self::dim)?;
        let known = dims.iter().flatten().filter(|d| **d > 0);
        if known
            .into_iter()
            .try_fold(1usize, |n, d| n.checked_mul(*d))
            .is_none_or(|n| n > isize::MAX as usize)
        {
            return Err(ParseError::new("the shape is too large", at));
        }
        Ok(Shape::of(dims))
    }

    fn dim(&mut self) -> Result<Dim> {
        if self.accept('?') {
            return Ok(None);
        }
        self.integer().map(Some)
    }

    pub(super) fn integer<T: std::str::FromStr>(&mut self) -> Result<T> {
        let number = match self.token() {
            Token::Number(digits) => digits.parse().ok(),
            _ => None,
        };
        match number {
            Some(number) => Ok(number),
            None => self.error_before("expected an integer in range"),
        }
    }

    pub(super) fn text(&mut self) -> Result<String> {
        match self.token() {
            Token::Text(text) => Ok(text),
            _ => self.error_before("expected a text in quotes"),
        }
    }

    /// Parses one value of a constant, as text: its dtype is only known after all values.
    pub(super) fn literal(&mut self) -> Result<String> {
        match self.token() {
            Token::Number(text) | Token::Text(text) => Ok(text),
            Token::Word(word) if word == "nan" && self.accept('(') => {
                let Token::Number(bits) = self.token() else {
                    return self.error_before("expected the bits of a NaN");
                };
                self.expect(&Token::Mark(')'))?;
                Ok(format!("nan({bits})"))
            }
            Token::Word(word) => Ok(word),
            _ => self.error_before("expected a value of a constant"),
        }
    }

    /// Parses `{axes = [0], keep_dims = false}` in any order; each attribute of the op must occur once.
    pub(super) fn attrs(&mut self, op: &'static OpDef) -> Result<Attrs> {
        let at = self.at();
        let mut given = Vec::new();
        if !op.attrs.is_empty() && self.accept('{') {
            given = self.list('}', |p| p.attr(op))?;
        }
        let mut attrs = Attrs::default();
        for name in op.attrs {
            let mut found = given.iter().filter(|(n, _)| n == name);
            match (found.next(), found.next()) {
                (Some((_, value)), None) => attrs.push(name, value.clone()),
                _ => {
                    return Err(ParseError::new(
                        format!("`{}` takes one attribute `{name}`", op.name),
                        at,
                    ));
                }
            }
        }
        Ok(attrs)
    }

    fn attr(&mut self, op: &'static OpDef) -> Result<(&'static str, Attr)> {
        let Token::Word(word) = self.token() else {
            return self.error_before("expected the name of an attribute");
        };
        let Some(name) = op.attrs.iter().find(|n| **n == word) else {
            return self.error_before(format!("`{}` has no attribute `{word}`", op.name));
        };
        self.expect(&Token::Mark('='))?;
        Ok((name, self.attr_value()?))
    }

    fn attr_value(&mut self) -> Result<Attr> {
        if self.accept('[') {
            return Ok(Attr::Ints(self.list(']', Self::integer)?));
        }
        match self.peek().clone() {
            Token::Number(_) => self.integer().map(Attr::Int),
            Token::Text(_) => self.text().map(Attr::Text),
            Token::Word(word) => {
                self.next += 1;
                match (word.as_str(), DType::from_name(&word)) {
                    ("true", _) => Ok(Attr::Bool(true)),
                    ("false", _) => Ok(Attr::Bool(false)),
                    ("dims", _) => self.shape().map(Attr::Shape),
                    (_, Some(dtype)) => Ok(Attr::DType(dtype)),
                    _ => self.error_before("expected the value of an attribute"),
                }
            }
            _ => self.error("expected the value of an attribute"),
        }
    }
}

fn describe(token: &Token) -> String {
    match token {
        Token::Word(text) => format!("`{text}`"),
        Token::Numbered(digits) => format!("`%{digits}`"),
        Token::Quoted(text) => format!("`%{text:?}`"),
        Token::Text(text) => format!("the text {text:?}"),
        Token::Number(text) => format!("`{text}`"),
        Token::Mark(c) => format!("`{c}`"),
        Token::Arrow => "`->`".to_owned(),
        Token::End => "the end".to_owned(),
    }
}
