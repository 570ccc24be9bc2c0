//! Where a function stands in its file: in the `impl` of a type, in that of a trait, or in neither. An attribute sees only its own function,
//! and a private method has the same tokens in both kinds of `impl`. So the text of the file is asked, if the compiler knows the file.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;

use proc_macro2::Span;

use crate::source::source;

/// What encloses a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enclosing {
    /// `impl Type { … }`.
    Inherent,
    /// `impl Trait for Type { … }`.
    OfTrait,
    /// Something else, or it isn't known.
    Elsewhere,
}

impl Enclosing {
    /// What encloses the token with this span.
    pub fn of(span: Span) -> Enclosing {
        around(span, |found| found.enclosing).unwrap_or(Enclosing::Elsewhere)
    }
}

/// The generic parameters of the `impl` that directly encloses the token with this span.
pub fn parameters_around(span: Span) -> Vec<String> {
    around(span, |found| found.parameters.clone()).unwrap_or_default()
}

/// Looks at the `impl` that directly encloses the token with this span, if the compiler knows the file.
fn around<T>(span: Span, look: impl FnOnce(&Impl) -> T) -> Option<T> {
    thread_local! {
        static FILES: RefCell<HashMap<PathBuf, Rc<[Impl]>>> = RefCell::default();
    }
    let path = span.local_file()?;
    let impls = FILES.with_borrow_mut(|files| {
        let scan = || Rc::from(impls(&source(span)));
        files.entry(path).or_insert_with(scan).clone()
    });
    let (start, end) = (span.start(), span.end());
    // A token that a macro made may have a span of several lines, which tells nothing.
    let position = (start.line, start.column);
    let directly = |found: &&Impl| found.start < position && position < found.end;
    let found = impls.iter().find(directly);
    found.filter(|_| start.line == end.line).map(look)
}

/// Line and column, from 1 and 0, in characters.
type Position = (usize, usize);

/// A stretch of a file directly in the braces of an `impl`, outside of the braces in it.
#[derive(Debug, PartialEq, Eq)]
struct Impl {
    start: Position,
    end: Position,
    enclosing: Enclosing,
    parameters: Vec<String>,
}

/// The stretches directly inside of `impl`s.
fn impls(source: &str) -> Vec<Impl> {
    let mut scan = Scan {
        rest: source,
        position: (1, 0),
    };
    let mut found = Vec::new();
    // What each open brace encloses, and the text before the next one.
    let mut open: Vec<(Enclosing, Vec<String>)> = Vec::new();
    let mut header = String::new();
    let mut start = scan.position;
    while let Some(c) = scan.next() {
        if !matches!(c, '{' | '}' | ';') {
            header.push(c);
            continue;
        }
        if let Some((enclosing, parameters)) = open.last().filter(|p| p.0 != Enclosing::Elsewhere) {
            found.push(Impl {
                start,
                end: scan.position,
                enclosing: *enclosing,
                parameters: parameters.clone(),
            });
        }
        match c {
            '{' => open.push((enclosing(&header), parameters(&header))),
            '}' => drop(open.pop()),
            _ => {}
        }
        header.clear();
        start = scan.position;
    }
    found
}

/// What the braces enclose that follow this text.
fn enclosing(header: &str) -> Enclosing {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut depth = 0_usize;
    let mut is_impl = false;
    for piece in header.split_inclusive(|c| !is_word(c)) {
        let word = piece.trim_end_matches(|c| !is_word(c));
        match word {
            "impl" if depth == 0 => is_impl = true,
            "fn" if depth == 0 => return Enclosing::Elsewhere,
            // `for<'a>` belongs to a type.
            "for" if depth == 0 && is_impl && !piece.ends_with('<') => return Enclosing::OfTrait,
            "where" if depth == 0 && is_impl => return Enclosing::Inherent,
            _ => {}
        }
        match piece.chars().last() {
            Some('<' | '(' | '[') => depth += 1,
            Some('>' | ')' | ']') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    match is_impl {
        true => Enclosing::Inherent,
        false => Enclosing::Elsewhere,
    }
}

/// The generic parameters in the header of an `impl`: `'a`, `T: Copy` and `const N: usize` of `impl<'a, T: Copy, const N: usize> Layer for Model<T, N>`.
fn parameters(header: &str) -> Vec<String> {
    let mut words = header.split("impl");
    // Attributes may stand before it.
    let list = words.find_map(|text| {
        let text = text.trim_start();
        text.strip_prefix('<').filter(|_| !header.starts_with(text))
    });
    let Some(list) = list else {
        return Vec::new();
    };
    let mut depth = 1_usize;
    let mut parts = vec![String::new()];
    let mut last = ' ';
    for c in list.chars() {
        match c {
            '<' | '(' | '[' => depth += 1,
            // The arrow of `Fn() -> T` closes nothing.
            '>' if last == '-' => {}
            '>' | ')' | ']' => depth -= 1,
            _ => {}
        }
        last = c;
        match c {
            _ if depth == 0 => break,
            ',' if depth == 1 => parts.push(String::new()),
            c => parts.last_mut().expect("it begins with one").push(c),
        }
    }
    // A default isn't part of the parameter's name or bounds.
    let declared = |part: &String| part.split(" = ").next().unwrap_or(part).trim().to_owned();
    let parts = parts.iter().map(declared);
    parts.filter(|part| !part.is_empty()).collect()
}

/// The characters of a source text without those of comments and of literals.
struct Scan<'a> {
    rest: &'a str,
    /// Behind the last character.
    position: Position,
}

impl Scan<'_> {
    fn next(&mut self) -> Option<char> {
        loop {
            let rest = self.rest;
            if rest.starts_with("//") {
                self.skip_to("\n", rest);
            } else if rest.starts_with("/*") {
                self.skip_block_comment();
            } else if let Some(hashes) = raw_string(rest) {
                let end = format!("\"{}", "#".repeat(hashes));
                self.skip(hashes + 2);
                self.skip_to(&end, self.rest);
            } else if rest.starts_with('"') {
                self.skip(1);
                self.skip_quoted('"');
            } else if let Some(len) = character(rest) {
                self.skip(len);
            } else {
                let c = rest.chars().next()?;
                self.skip(1);
                return Some(c);
            }
        }
    }

    /// Skips characters.
    fn skip(&mut self, count: usize) {
        for _ in 0..count {
            let Some(c) = self.rest.chars().next() else {
                return;
            };
            self.rest = &self.rest[c.len_utf8()..];
            self.position = match c {
                '\n' => (self.position.0 + 1, 0),
                _ => (self.position.0, self.position.1 + 1),
            };
        }
    }

    /// Skips up to and including a text.
    fn skip_to(&mut self, text: &str, rest: &str) {
        let end = rest.find(text).map_or(rest.len(), |at| at + text.len());
        self.skip(rest[..end].chars().count());
    }

    fn skip_quoted(&mut self, quote: char) {
        while let Some(c) = self.rest.chars().next() {
            self.skip(if c == '\\' { 2 } else { 1 });
            if c == quote {
                return;
            }
        }
    }

    fn skip_block_comment(&mut self) {
        let mut depth = 0;
        loop {
            let step = match &self.rest {
                rest if rest.starts_with("/*") => 1,
                rest if rest.starts_with("*/") => -1,
                &"" => return,
                _ => {
                    self.skip(1);
                    continue;
                }
            };
            self.skip(2);
            depth += step;
            if depth == 0 {
                return;
            }
        }
    }
}

/// The number of `#` of a raw string that begins here: `r#"…"#`.
fn raw_string(rest: &str) -> Option<usize> {
    let behind = rest.strip_prefix('r')?;
    let text = behind.trim_start_matches('#');
    text.starts_with('"').then(|| behind.len() - text.len())
}

/// The length of a character literal that begins here. A lifetime isn't one.
fn character(rest: &str) -> Option<usize> {
    let behind: Vec<char> = rest.strip_prefix('\'')?.chars().take(12).collect();
    match behind.as_slice() {
        ['\\', _, rest @ ..] => rest.iter().position(|c| *c == '\'').map(|at| at + 4),
        [_, '\'', ..] => Some(3),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What encloses the function `here` in a text.
    fn enclosing_of(source: &str) -> Enclosing {
        let at = source.find("fn here").expect("a function of this name") + 3;
        let before = &source[..at];
        let line = 1 + before.matches('\n').count();
        let column = before.chars().rev().take_while(|c| *c != '\n').count();
        let position = (line, column);
        impls(source)
            .iter()
            .find(|found| found.start < position && position < found.end)
            .map_or(Enclosing::Elsewhere, |found| found.enclosing)
    }

    #[test]
    fn a_method_is_in_the_impl_of_a_type_or_of_a_trait() {
        assert_eq!(
            enclosing_of("impl Model { fn here(&self) {} }"),
            Enclosing::Inherent
        );
        assert_eq!(
            enclosing_of("impl Layer for Model { fn here(&self) {} }"),
            Enclosing::OfTrait
        );
        assert_eq!(enclosing_of("fn here() {}"), Enclosing::Elsewhere);
        assert_eq!(
            enclosing_of("trait Layer { fn here(&self) {} }"),
            Enclosing::Elsewhere
        );
        assert_eq!(enclosing_of("mod m { fn here() {} }"), Enclosing::Elsewhere);
    }

    #[test]
    fn methods_before_it_and_functions_around_it_make_no_difference() {
        let inherent = "impl A { const N: [u8; 2] = [1, 2]; fn first() { if true { } } #[graph_fn]\n fn here(&self) {} }";
        assert_eq!(enclosing_of(inherent), Enclosing::Inherent);
        let in_a_method = "impl A { fn first() { fn here() {} } }";
        assert_eq!(enclosing_of(in_a_method), Enclosing::Elsewhere);
        let in_a_function = "fn main() { impl A { fn here() {} } }";
        assert_eq!(enclosing_of(in_a_function), Enclosing::Inherent);
        assert_eq!(
            enclosing_of("impl A { fn first() {} } fn here() {}"),
            Enclosing::Elsewhere
        );
    }

    #[test]
    fn generic_impls_are_told_apart() {
        assert_eq!(
            enclosing_of("impl<F: for<'a> Fn(&'a u8)> A<F> { fn here() {} }"),
            Enclosing::Inherent
        );
        assert_eq!(
            enclosing_of("impl<T> B<T> for A<T> where T: C { fn here() {} }"),
            Enclosing::OfTrait
        );
        assert_eq!(
            enclosing_of("impl<T> A<T> where for<'a> T: C<'a> { fn here() {} }"),
            Enclosing::Inherent
        );
        assert_eq!(
            enclosing_of("impl<'a> A<'a> { fn here() {} }"),
            Enclosing::Inherent
        );
        assert_eq!(
            enclosing_of("fn f(x: impl Fn()) { fn here() {} }"),
            Enclosing::Elsewhere
        );
    }

    #[test]
    fn braces_in_comments_and_literals_do_not_count() {
        let source = "impl A { // for }\n /* } /* } */ } */ fn first() { let a = '{'; let b = \"}\\\"}\"; let c = r#\"}\"#; let d = '\\u{7d}'; }\n fn here() {} }";
        assert_eq!(enclosing_of(source), Enclosing::Inherent);
    }

    #[test]
    fn the_parameters_of_an_impl_are_in_its_header() {
        let of = |header: &str| parameters(header).join("; ");
        assert_eq!(
            of("#[doc] impl<'a, T: Fn(u8) -> Vec<u8>, const N: usize> A for B<T, N>"),
            "'a; T: Fn(u8) -> Vec<u8>; const N: usize"
        );
        assert_eq!(of("unsafe impl<T> A<T> where T: Into<u8>"), "T");
        assert_eq!(of("impl A<u8>"), "");
        assert_eq!(of("impl <T = u8,> A"), "T");
    }
}
