//! Names that TensorFlow accepts, each once in a graph or function.

use rustc_hash::FxHashMap;

/// The names of a graph or function that are taken. As in TensorFlow, upper and lower case don't distinguish names.
#[derive(Default)]
pub(crate) struct Names(FxHashMap<String, usize>);

impl Names {
    /// The name, or the name with a number.
    pub fn unique(&mut self, wanted: &str) -> String {
        let key = wanted.to_lowercase();
        let Some(next) = self.0.get(&key).copied() else {
            self.0.insert(key, 1);
            return wanted.to_owned();
        };
        let mut number = next;
        while self.0.contains_key(&format!("{key}_{number}")) {
            number += 1;
        }
        self.0.insert(key.clone(), number + 1);
        self.0.insert(format!("{key}_{number}"), 1);
        format!("{wanted}_{number}")
    }
}

/// The name with the characters that names of nodes may have.
pub(crate) fn node_name(name: &str) -> String {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "_./-".contains(c);
    let mut valid: String = name
        .chars()
        .map(|c| if is_allowed(c) { c } else { '_' })
        .collect();
    if !valid.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '.') {
        valid.insert_str(0, "arg");
    }
    valid
}

/// The name with the characters that names of a function's arguments may have: lower case, digits and underscores.
pub(crate) fn argument_name(name: &str) -> String {
    let lower = |c: char| match c.is_ascii_alphanumeric() {
        true => c.to_ascii_lowercase(),
        false => '_',
    };
    let valid: String = name.chars().map(lower).collect();
    match valid.starts_with(|c: char| c.is_ascii_lowercase()) {
        true => valid,
        false => format!("arg_{valid}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_without_regard_to_case() {
        let mut names = Names::default();
        let given = ["Add", "add", "Add_1", "Add"].map(|name| names.unique(name));
        assert_eq!(given, ["Add", "add_1", "Add_1_1", "Add_2"]);
    }

    #[test]
    fn names_keep_the_characters_that_are_allowed() {
        assert_eq!(node_name("batch.image"), "batch.image");
        assert_eq!(node_name("_größe x"), "arg_gr__e_x");
        assert_eq!(argument_name("Batch.0"), "batch_0");
        assert_eq!(argument_name("0"), "arg_0");
    }
}
