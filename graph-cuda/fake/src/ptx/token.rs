//! Splits PTX text into tokens. Each token knows its line, so that every later error can name it.

use super::LoadError;

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A directive, an opcode with its modifiers, a register, a label or another name.
    Word(String),
    /// A literal, as it is written.
    Number(String),
    /// A text in double quotes.
    Text(String),
    /// One character of punctuation.
    Mark(char),
}

/// A token, and where the text has it.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub token: Token,
    pub line: u32,
    /// The bytes of the text that the token covers.
    pub from: usize,
    pub to: usize,
}

fn starts_word(c: u8) -> bool {
    c.is_ascii_alphabetic() || matches!(c, b'_' | b'$' | b'%' | b'.')
}

fn continues_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, b'_' | b'$' | b'.' | b':')
}

/// The tokens of a text, without its comments.
pub(crate) fn tokens(text: &str) -> Result<Vec<Placed>, LoadError> {
    Lexer {
        text,
        bytes: text.as_bytes(),
        at: 0,
        line: 1,
        found: vec![],
    }
    .run()
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    line: u32,
    found: Vec<Placed>,
}

impl Lexer<'_> {
    fn run(mut self) -> Result<Vec<Placed>, LoadError> {
        while let Some(&c) = self.bytes.get(self.at) {
            match c {
                b'\n' => {
                    self.line += 1;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'/' if self.bytes.get(self.at + 1) == Some(&b'/') => {
                    self.at += self.bytes[self.at..]
                        .iter()
                        .position(|&b| b == b'\n')
                        .unwrap_or(self.bytes.len() - self.at);
                }
                b'/' if self.bytes.get(self.at + 1) == Some(&b'*') => self.block_comment()?,
                b'"' => self.quoted()?,
                c if c.is_ascii_digit() => {
                    let end = self.number_end();
                    self.push(end, |s| Token::Number(s.to_owned()));
                }
                c if starts_word(c) => {
                    // `::` is part of a modifier such as `.shared::cta`; a single `:` ends a label.
                    let mut end = self.while_(continues_word);
                    let word = &self.text[self.at..end];
                    if let Some(colon) = single_colon(word) {
                        end = self.at + colon;
                    }
                    self.push(end, |s| Token::Word(s.to_owned()));
                }
                c if c.is_ascii() => self.push(self.at + 1, |_| Token::Mark(char::from(c))),
                _ => return Err(self.error("a character that isn't ASCII")),
            }
        }
        Ok(self.found)
    }

    fn while_(&self, holds: impl Fn(u8) -> bool) -> usize {
        let rest = &self.bytes[self.at + 1..];
        self.at + 1 + rest.iter().position(|&c| !holds(c)).unwrap_or(rest.len())
    }

    /// The end of a literal. The sign of an exponent belongs to it, as in `1.5e-3`.
    fn number_end(&self) -> usize {
        let digit = |c: u8| c.is_ascii_alphanumeric() || c == b'.';
        let end = self.while_(digit);
        let decimal =
            self.text[self.at..end].contains('.') && self.text[..end].ends_with(['e', 'E']);
        match self.bytes.get(end) {
            Some(b'+' | b'-') if decimal => {
                end + 1
                    + self.bytes[end + 1..]
                        .iter()
                        .position(|&c| !digit(c))
                        .unwrap_or(0)
            }
            _ => end,
        }
    }

    fn push(&mut self, end: usize, make: impl FnOnce(&str) -> Token) {
        let token = make(&self.text[self.at..end]);
        self.found.push(Placed {
            token,
            line: self.line,
            from: self.at,
            to: end,
        });
        self.at = end;
    }

    fn block_comment(&mut self) -> Result<(), LoadError> {
        let Some(length) = self.text[self.at..].find("*/") else {
            return Err(self.error("a comment without an end"));
        };
        self.line += count_lines(&self.bytes[self.at..self.at + length]);
        self.at += length + 2;
        Ok(())
    }

    fn quoted(&mut self) -> Result<(), LoadError> {
        let Some(length) = self.text[self.at + 1..].find('"') else {
            return Err(self.error("a text without an end"));
        };
        let end = self.at + length + 2;
        self.push(end, |s| Token::Text(s[1..s.len() - 1].to_owned()));
        Ok(())
    }

    fn error(&self, what: &str) -> LoadError {
        LoadError {
            line: self.line,
            message: what.to_owned(),
        }
    }
}

fn count_lines(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.iter().filter(|&&b| b == b'\n').count()).unwrap_or(u32::MAX)
}

/// The position of the first `:` that isn't half of a `::`.
fn single_colon(word: &str) -> Option<usize> {
    let bytes = word.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        if bytes[i] == b':' {
            if bytes.get(i + 1) != Some(&b':') {
                return Some(i);
            }
            i += 1;
        }
        i += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_end_at_a_colon_and_modifiers_keep_two() {
        let found: Vec<Token> = tokens("L1: ld.shared::cta.b32 %r1, [%rd2+4]; // c\n")
            .unwrap()
            .into_iter()
            .map(|t| t.token)
            .collect();
        let word = |s: &str| Token::Word(s.to_owned());
        assert_eq!(
            found[..5],
            [
                word("L1"),
                Token::Mark(':'),
                word("ld.shared::cta.b32"),
                word("%r1"),
                Token::Mark(',')
            ]
        );
        assert_eq!(found[8], Token::Number("4".to_owned()));
    }

    #[test]
    fn tokens_know_their_lines() {
        let found = tokens("a\n/* x\n y */ b\n// z\nc").unwrap();
        assert_eq!(found.iter().map(|t| t.line).collect::<Vec<_>>(), [1, 3, 5]);
    }
}
