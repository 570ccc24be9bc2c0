//! The ops that can't be written as ONNX, and why.

/// Ops of the table without a rule, each with the reason.
const LEFT: &[(&str, &str)] = &[
    (
        "as_string",
        "ONNX doesn't say how a number is written as a string",
    ),
    (
        "check_numerics",
        "ONNX has no operator that ends a run; leave the check out of what is exported",
    ),
    ("solve", "ONNX has no operator that solves linear equations"),
    ("stateless_bits", SEED),
    ("stateless_integers", SEED),
    ("stateless_normal", SEED),
    ("stateless_shuffle", SEED),
    ("stateless_truncated_normal", SEED),
    ("stateless_uniform", SEED),
    ("string_chars", LENGTH),
    ("string_length", LENGTH),
    ("string_lower", CASE),
    (
        "string_reduce_join",
        "ONNX joins strings of two operands, not those of an axis",
    ),
    ("string_strip", "ONNX has no operator that strips strings"),
    (
        "string_substr",
        "ONNX has no operator that takes parts of strings",
    ),
    ("string_upper", CASE),
];

const SEED: &str = "the random operators of ONNX can't draw the numbers that follow from a seed";
const LENGTH: &str = "ONNX has no operator for the length of strings";
const CASE: &str = "`StringNormalizer` takes only vectors, and its result depends on a locale";

/// Why an op can't be written as ONNX; nothing if it can.
pub fn reason(op: &str) -> Option<&'static str> {
    let found = LEFT.iter().find(|(name, _)| *name == op);
    found.map(|(_, reason)| *reason)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use graph_ir::ops;

    use super::LEFT;
    use crate::onnx::export::ops::find;

    #[test]
    fn the_page_has_each_op_with_its_reason() {
        let page = include_str!("mod.rs");
        for (op, reason) in LEFT {
            let has = |line: &str| line.contains(&format!("`{op}`")) && line.contains(reason);
            assert!(page.lines().any(has), "{op}: {reason}");
        }
    }

    #[test]
    fn each_op_has_a_rule_or_a_reason() {
        let missing = ops::all().filter(|op| find(op).is_none());
        let missing: BTreeSet<&str> = missing.map(|op| op.name).collect();
        let left: BTreeSet<&str> = LEFT.iter().map(|(name, _)| *name).collect();
        assert_eq!(missing, left);
    }
}
