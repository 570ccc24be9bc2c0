//! Names in the printed source: valid in Rust, and each used once.

use std::collections::HashMap;

use super::methods;

/// What the source already means something else by.
const TAKEN: &[&str] = &[
    "as", "break", "const", "continue", "dyn", "else", "enum", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self", "static",
    "struct", "super", "tensor", "trait", "type", "unsafe", "use", "weights", "where", "while",
];

/// The names that were given.
#[derive(Default)]
pub struct Names(HashMap<String, usize>);

impl Names {
    /// A name like this one that no other value has.
    pub fn fresh(&mut self, like: &str) -> String {
        let base = valid(like);
        let count = self.0.entry(base.clone()).or_insert(0);
        *count += 1;
        match *count {
            1 => base,
            n => self.fresh(&format!("{}_{n}", base.trim_end_matches('_'))),
        }
    }
}

/// The name with `_` for what Rust's names can't have.
fn valid(like: &str) -> String {
    let kept = like.chars().map(|c| match c.is_ascii_alphanumeric() {
        true => c.to_ascii_lowercase(),
        false => '_',
    });
    let kept: String = kept.collect();
    // Two in a row, and one at the end, aren't Rust's style.
    let words: Vec<&str> = kept.split('_').filter(|word| !word.is_empty()).collect();
    let mut name = words.join("_");
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) {
        name.insert(0, 'x');
    }
    if TAKEN.contains(&name.as_str()) || methods::is_function(&name) {
        name.push('_');
    }
    name
}
