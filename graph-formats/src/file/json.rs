//! JSON, as far as headers and signatures use it: objects, arrays, texts, and whole numbers. Reading is for hostile text: nesting is bounded, and
//! memory by the length of the text.

use std::collections::HashSet;
use std::fmt::Write;

/// A value. An object's keys are in the order of the text, and different.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    Null,
    Number(u64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// How deep values may nest.
const MAX_DEPTH: usize = 200;

impl Json {
    pub fn text(text: impl Into<String>) -> Json {
        Json::Text(text.into())
    }

    pub fn number(number: usize) -> Json {
        Json::Number(number as u64)
    }

    pub fn object<const N: usize>(entries: [(&str, Json); N]) -> Json {
        Json::Object(
            entries
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect(),
        )
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(entries) => {
                let mut entries = entries.iter();
                entries.find(|(own, _)| own == key).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    pub fn as_text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_list(&self) -> Option<&[Json]> {
        match self {
            Json::List(items) => Some(items),
            _ => None,
        }
    }

    pub fn as_number(&self) -> Option<usize> {
        match self {
            Json::Number(number) => usize::try_from(*number).ok(),
            _ => None,
        }
    }

    /// Writes the value without spaces.
    pub fn write(&self, out: &mut String) {
        match self {
            Json::Null => out.push_str("null"),
            // Writing to a `String` can't fail.
            Json::Number(number) => drop(write!(out, "{number}")),
            Json::Text(text) => write_text(text, out),
            Json::List(items) => {
                out.push('[');
                separated(items, out, |item, out| item.write(out));
                out.push(']');
            }
            Json::Object(entries) => {
                out.push('{');
                separated(entries, out, |(key, value), out| {
                    write_text(key, out);
                    out.push(':');
                    value.write(out);
                });
                out.push('}');
            }
        }
    }

    /// Reads a value, which may be followed by spaces only. The error says at which byte what is wrong.
    pub fn read(text: &str) -> Result<Json, (usize, String)> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(0).and_then(|value| match reader.peek() {
            None => Ok(value),
            Some(_) => Err("more text behind the end".to_owned()),
        });
        value.map_err(|message| (reader.at, message))
    }
}

fn separated<T>(items: &[T], out: &mut String, write: impl Fn(&T, &mut String)) {
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        write(item, out);
    }
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if c < ' ' => drop(write!(out, "\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}

struct Reader<'a> {
    text: &'a str,
    /// The next byte.
    at: usize,
}

impl Reader<'_> {
    /// The next character that isn't a space.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        let trimmed = rest.trim_start_matches([' ', '\n', '\r', '\t']);
        self.at += rest.len() - trimmed.len();
        trimmed.chars().next()
    }

    fn accept(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    fn expect(&mut self, wanted: char) -> Result<(), String> {
        match self.accept(wanted) {
            true => Ok(()),
            false => Err(format!("expected `{wanted}`")),
        }
    }

    fn value(&mut self, depth: usize) -> Result<Json, String> {
        if depth > MAX_DEPTH {
            return Err(format!("values nest deeper than {MAX_DEPTH}"));
        }
        match self.peek() {
            Some('"') => self.string().map(Json::Text),
            Some('{') => self.object(depth),
            Some('[') => {
                self.at += 1;
                let mut items = Vec::new();
                self.items(']', |reader| {
                    items.push(reader.value(depth + 1)?);
                    Ok(())
                })?;
                Ok(Json::List(items))
            }
            Some('0'..='9') => self.number().map(Json::Number),
            Some('n') if self.text[self.at..].starts_with("null") => {
                self.at += 4;
                Ok(Json::Null)
            }
            _ => Err("expected an object, an array, a text or a whole number".to_owned()),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json, String> {
        self.at += 1;
        let mut entries: Vec<(String, Json)> = Vec::new();
        self.items('}', |reader| {
            reader.peek();
            let key = reader.string()?;
            reader.expect(':')?;
            entries.push((key, reader.value(depth + 1)?));
            Ok(())
        })?;
        let mut keys = HashSet::new();
        match entries.iter().find(|(key, _)| !keys.insert(key)) {
            Some((twice, _)) => Err(format!("the key {twice:?} occurs twice in this object")),
            None => Ok(Json::Object(entries)),
        }
    }

    /// Reads items separated by commas, up to the end mark.
    fn items(
        &mut self,
        end: char,
        mut item: impl FnMut(&mut Self) -> Result<(), String>,
    ) -> Result<(), String> {
        if self.accept(end) {
            return Ok(());
        }
        loop {
            item(self)?;
            if !self.accept(',') {
                return self.expect(end);
            }
        }
    }

    fn number(&mut self) -> Result<u64, String> {
        let rest = &self.text[self.at..];
        let digits =
            &rest[..rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len()];
        let number = digits
            .parse()
            .map_err(|_| format!("{digits} is too large"))?;
        self.at += digits.len();
        Ok(number)
    }

    fn string(&mut self) -> Result<String, String> {
        let mut chars = self.text[self.at..].char_indices();
        if chars.next().is_none_or(|(_, c)| c != '"') {
            return Err("expected a text in quotes".to_owned());
        }
        let mut text = String::new();
        loop {
            match chars.next() {
                None => return Err("the text doesn't end".to_owned()),
                Some((i, '"')) => {
                    self.at += i + 1;
                    return Ok(text);
                }
                Some((_, '\\')) => text.push(escaped(&mut chars)?),
                Some((_, c)) if c < ' ' => return Err("a control character in a text".to_owned()),
                Some((_, c)) => text.push(c),
            }
        }
    }
}

/// Reads what follows a backslash.
fn escaped(chars: &mut std::str::CharIndices<'_>) -> Result<char, String> {
    let mut next = || chars.next().map(|(_, c)| c);
    let unit = |next: &mut dyn FnMut() -> Option<char>| {
        let digits: String = (0..4).filter_map(|_| next()).collect();
        let is_hex = digits.len() == 4 && digits.chars().all(|c| c.is_ascii_hexdigit());
        let unit = is_hex
            .then(|| u16::from_str_radix(&digits, 16).ok())
            .flatten();
        unit.ok_or_else(|| "expected four hexadecimal digits".to_owned())
    };
    Ok(match next() {
        Some(c @ ('"' | '\\' | '/')) => c,
        Some('n') => '\n',
        Some('r') => '\r',
        Some('t') => '\t',
        Some('b') => '\u{8}',
        Some('f') => '\u{c}',
        Some('u') => {
            let mut units = vec![unit(&mut next)?];
            // A character beyond the first plane is written as two escapes.
            if (0xd800..0xdc00).contains(&units[0]) && (next(), next()) == (Some('\\'), Some('u')) {
                units.push(unit(&mut next)?);
            }
            let decoded =
                String::from_utf16(&units).map_err(|_| "half of a character".to_owned())?;
            decoded.chars().next().unwrap_or('\u{fffd}')
        }
        _ => return Err("unknown escape".to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(value: &Json) -> String {
        let mut text = String::new();
        value.write(&mut text);
        text
    }

    #[test]
    fn what_is_written_is_read() {
        let value = Json::object([
            (
                "a\"\\\n\u{1}ü𝄞",
                Json::List(vec![Json::Null, Json::Number(u64::MAX), Json::List(vec![])]),
            ),
            ("", Json::Object(vec![])),
        ]);
        assert_eq!(
            written(&value),
            "{\"a\\\"\\\\\\n\\u0001ü𝄞\":[null,18446744073709551615,[]],\"\":{}}"
        );
        assert_eq!(Json::read(&written(&value)), Ok(value));
    }

    #[test]
    fn what_others_write_is_read() {
        // As Python's `json.dumps` escapes what isn't ASCII.
        let text = " {\"\\u00fc\\ud834\\udd1e\" : [ 1 , \"\\/\\t\" ] }\n ";
        let expected = Json::object([("ü𝄞", Json::List(vec![Json::Number(1), Json::text("/\t")]))]);
        assert_eq!(Json::read(text), Ok(expected));
    }

    #[test]
    fn a_mistake_has_its_place() {
        let cases = [
            ("", 0, "expected an object"),
            ("{\"a\":1,\"a\":2}", 13, "occurs twice"),
            ("[1,]", 3, "expected an object"),
            ("[1 2]", 3, "expected `]`"),
            ("\"\\ud834x\"", 0, "half of a character"),
            ("99999999999999999999", 0, "too large"),
            ("-1", 0, "expected an object"),
            ("[] []", 3, "more text"),
            ("{1:2}", 1, "expected a text"),
            ("\"\n\"", 0, "control character"),
        ];
        for (text, place, message) in cases {
            let (at, found) = Json::read(text).unwrap_err();
            assert!(
                at == place && found.contains(message),
                "{text}: {at}: {found}"
            );
        }
        let deep = "[".repeat(100_000);
        assert!(Json::read(&deep).unwrap_err().1.contains("deeper than 200"));
    }
}
