//! Walks along the tokens of a text.

use super::LoadError;
use super::token::{Placed, Token, tokens};

/// A position in the tokens of a text.
pub(crate) struct Cursor<'a> {
    text: &'a str,
    tokens: Vec<Placed>,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Result<Self, LoadError> {
        Ok(Self {
            text,
            tokens: tokens(text)?,
            at: 0,
        })
    }

    pub(crate) fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|t| &t.token)
    }

    pub(crate) fn peek_second(&self) -> Option<&Token> {
        self.tokens.get(self.at + 1).map(|t| &t.token)
    }

    pub(crate) fn next(&mut self) -> Result<Token, LoadError> {
        let found = self
            .peek()
            .cloned()
            .ok_or_else(|| self.error("the text ends too early"))?;
        self.at += 1;
        Ok(found)
    }

    /// The line of the next token.
    pub(crate) fn line(&self) -> u32 {
        self.tokens
            .get(self.at)
            .or(self.tokens.last())
            .map_or(1, |t| t.line)
    }

    pub(crate) fn error(&self, what: impl Into<String>) -> LoadError {
        LoadError {
            line: self.line(),
            message: what.into(),
        }
    }

    pub(crate) fn unexpected(&self, wanted: &str) -> LoadError {
        let found = self
            .peek()
            .map_or_else(|| "the end".to_owned(), |t| format!("{t:?}"));
        self.error(format!("{wanted} was expected, not {found}"))
    }

    /// Whether the next token is this mark, which is then skipped.
    pub(crate) fn skip_mark(&mut self, mark: char) -> bool {
        let found = self.peek() == Some(&Token::Mark(mark));
        self.at += usize::from(found);
        found
    }

    pub(crate) fn mark(&mut self, mark: char) -> Result<(), LoadError> {
        if self.skip_mark(mark) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("`{mark}`")))
        }
    }

    /// Whether the next token is this word, which is then skipped.
    pub(crate) fn skip_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Word(w)) if w == word);
        self.at += usize::from(found);
        found
    }

    pub(crate) fn word(&mut self) -> Result<String, LoadError> {
        match self.peek() {
            Some(Token::Word(w)) => {
                let w = w.clone();
                self.at += 1;
                Ok(w)
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    /// A non-negative integer.
    pub(crate) fn integer(&mut self) -> Result<u32, LoadError> {
        let number = match self.peek() {
            Some(Token::Number(n)) => n.parse().ok(),
            _ => None,
        };
        let number = number.ok_or_else(|| self.unexpected("a number"))?;
        self.at += 1;
        Ok(number)
    }

    /// Skips the rest of the line, for directives that have no `;`.
    pub(crate) fn skip_line(&mut self) {
        let line = self.line();
        while self.tokens.get(self.at).is_some_and(|t| t.line == line) {
            self.at += 1;
        }
    }

    /// Whether nothing is left.
    pub(crate) fn is_done(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// The text from the next token to the next `;`, with single blanks.
    pub(crate) fn statement_text(&self) -> String {
        let Some(first) = self.tokens.get(self.at) else {
            return String::new();
        };
        let rest = &self.tokens[self.at..];
        let last = rest
            .iter()
            .find(|t| t.token == Token::Mark(';'))
            .or(rest.last())
            .unwrap_or(first);
        self.text[first.from..last.to]
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    }
}
