//! Splits graph text into tokens with their lines and columns. Every input gives tokens or an error.

use super::parse::ParseError;

/// A token; quoted texts are unescaped.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Token {
    /// A word: a keyword, an op, a dtype or a value's name.
    Word(String),
    /// `%12`: a value without a name.
    Numbered(String),
    /// `%"any text"`: a value whose name isn't a word.
    Quoted(String),
    /// `"text"`.
    Text(String),
    /// Digits with sign, point, exponent or `0x`, or `-inf`; not yet read as a number.
    Number(String),
    /// One character of punctuation.
    Mark(char),
    /// `->`.
    Arrow,
    /// The end of the text.
    End,
}

/// A position in the text; line and column count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub line: u32,
    pub column: u32,
}

/// All tokens of a text; the last is [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, Position)>, ParseError> {
    let mut lexer = Lexer {
        rest: text,
        at: Position { line: 1, column: 1 },
    };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_space();
        let at = lexer.at;
        let token = lexer.token()?;
        let end = token == Token::End;
        tokens.push((token, at));
        if end {
            return Ok(tokens);
        }
    }
}

/// True if a name can be written as a word token.
pub(super) fn is_word(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(starts_word) && chars.all(continues_word)
}

fn starts_word(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn continues_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

struct Lexer<'a> {
    rest: &'a str,
    at: Position,
}

impl Lexer<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = &self.rest[c.len_utf8()..];
        if c == '\n' {
            self.at = Position {
                line: self.at.line.saturating_add(1),
                column: 1,
            };
        } else {
            self.at.column = self.at.column.saturating_add(1);
        }
        Some(c)
    }

    fn take_while(&mut self, mut accept: impl FnMut(char) -> bool) -> String {
        let mut taken = String::new();
        while let Some(c) = self.peek().filter(|c| accept(*c)) {
            taken.push(c);
            self.next();
        }
        taken
    }

    fn skip_space(&mut self) {
        loop {
            self.take_while(char::is_whitespace);
            if !self.rest.starts_with("//") {
                return;
            }
            self.take_while(|c| c != '\n');
        }
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, ParseError> {
        Err(ParseError::new(message, self.at))
    }

    fn token(&mut self) -> Result<Token, ParseError> {
        let Some(c) = self.peek() else {
            return Ok(Token::End);
        };
        if starts_word(c) {
            return Ok(Token::Word(self.take_while(continues_word)));
        }
        if c.is_ascii_digit() {
            return Ok(Token::Number(self.number()));
        }
        match c {
            '"' => self.text().map(Token::Text),
            '%' => self.value(),
            '-' => self.minus(),
            '(' | ')' | '{' | '}' | '[' | ']' | ',' | ':' | ';' | '=' | '?' | '*' | '#' | '@' => {
                self.next();
                Ok(Token::Mark(c))
            }
            '…' => self.error("values are left out here; `Graph::to_text` writes all of them"),
            c => self.error(format!("unexpected character {c:?}")),
        }
    }

    /// Digits, letters (`0x7f`, exponents), points, and a sign after the `e` of a decimal exponent.
    fn number(&mut self) -> String {
        let hex = self.rest.starts_with("0x");
        let mut last = ' ';
        self.take_while(|c| {
            let sign = matches!(c, '+' | '-') && matches!(last, 'e' | 'E') && !hex;
            last = c;
            c.is_ascii_alphanumeric() || c == '.' || sign
        })
    }

    fn minus(&mut self) -> Result<Token, ParseError> {
        self.next();
        if self.peek() == Some('>') {
            self.next();
            return Ok(Token::Arrow);
        }
        match self.number() {
            number if number.is_empty() => self.error("expected a number behind `-`"),
            number => Ok(Token::Number(format!("-{number}"))),
        }
    }

    fn value(&mut self) -> Result<Token, ParseError> {
        self.next();
        if self.peek() == Some('"') {
            return self.text().map(Token::Quoted);
        }
        match self.take_while(|c| c.is_ascii_digit()) {
            digits if digits.is_empty() => self.error("expected a number or a text behind `%`"),
            digits => Ok(Token::Numbered(digits)),
        }
    }

    fn text(&mut self) -> Result<String, ParseError> {
        self.next();
        let mut text = String::new();
        loop {
            match self.next() {
                None => return self.error("the text doesn't end"),
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escape()?),
                Some(c) => text.push(c),
            }
        }
    }

    fn escape(&mut self) -> Result<char, ParseError> {
        match self.next() {
            Some(c @ ('"' | '\\')) => Ok(c),
            Some('n') => Ok('\n'),
            Some('r') => Ok('\r'),
            Some('t') => Ok('\t'),
            Some('u') if self.next() == Some('{') => {
                let digits = self.take_while(|c| c.is_ascii_hexdigit());
                let code = u32::from_str_radix(&digits, 16)
                    .ok()
                    .and_then(char::from_u32);
                match (code, self.next()) {
                    (Some(c), Some('}')) => Ok(c),
                    _ => self.error("expected a code point such as `\\u{1f600}`"),
                }
            }
            _ => self.error("unknown escape"),
        }
    }
}
