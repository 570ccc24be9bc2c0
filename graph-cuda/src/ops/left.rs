//! The ops that the CPU runs, and why.

/// Ops of numbers without a kernel here, each with the reason.
const LEFT: &[(&str, &str)] = &[
    (
        "check_numerics",
        "it says which values are wrong, which the host must see",
    ),
    (
        "solve",
        "each step of an elimination waits for the one before, so few threads would work",
    ),
    (
        "stateless_shuffle",
        "each swap of a shuffle depends on those before",
    ),
    (
        "unique",
        "the order of first occurrences is made by a walk over all values",
    ),
    (
        "unique_index",
        "the order of first occurrences is made by a walk over all values",
    ),
];

/// Why the CPU runs an op.
pub fn reason(op: &str) -> &'static str {
    let found = LEFT.iter().find(|(name, _)| *name == op);
    found.map_or("there is no kernel", |(_, reason)| *reason)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use graph_ir::ops::{self, Attrs};

    use super::LEFT;
    use crate::ops::find;

    /// Whether an op is one of strings.
    fn is_of_strings(name: &str) -> bool {
        name.starts_with("string_") || name == "as_string"
    }

    #[test]
    fn each_op_of_numbers_has_a_kernel_or_a_reason() {
        let missing = |op: &&graph_ir::ops::OpDef| {
            let is_conversion = op.name == "cast";
            !is_conversion && !is_of_strings(op.name) && find(op, &Attrs::new()).is_none()
        };
        let missing: BTreeSet<&str> = ops::all().filter(missing).map(|op| op.name).collect();
        let left: BTreeSet<&str> = LEFT.iter().map(|(name, _)| *name).collect();
        assert_eq!(missing, left);
    }
}
