//! The ops without a gradient rule, with the reasons: what TensorFlow returns for the gradient of such an op.

use std::collections::BTreeSet;

use graph_runtime::autodiff::rule;
use graph_runtime::ops::{self, OpDef};

/// TensorFlow says `NotDifferentiable`, or returns no gradient: `None`.
const NONE: &[&str] = &[
    // Its purpose is to have no gradient.
    "stop_gradient",
    // `_FloorGrad` and so on give None: the functions have steps, and their slope is 0.
    "floor",
    "ceil",
    "round",
    "trunc",
    "floor_div",
    // The result doesn't depend on a float: `Range`, `StatelessRandomUniform` and so on.
    "range",
    "eye",
    "one_hot",
    "list_new",
    "undefined",
    "stateless_uniform",
    "stateless_normal",
    "stateless_truncated_normal",
];

/// TensorFlow refuses the gradient, because it knows none.
const REFUSED: &[&str] = &[
    // The set of distinct values has no slope; `LookupError: gradient registry has no entry for: Unique`.
    "unique",
];

/// Whether an op can return floats for some operands.
fn may_give_floats(op: &OpDef) -> bool {
    use graph_runtime::DType;
    use graph_runtime::graph::{Shape, TensorType};
    !NEVER_FLOATS.contains(&op.name) || {
        // It returns floats for no operands.
        let float = TensorType::new(DType::F64, Shape::unknown());
        (op.infer)(&[float], &ops::Attrs::new()).is_ok_and(|ty| ty.dtype.is_float())
    }
}

/// The ops whose results are integers, booleans or strings.
const NEVER_FLOATS: &[&str] = &[
    "bit_and",
    "bit_or",
    "bit_xor",
    "left_shift",
    "right_shift",
    "bit_not",
    "is_nan",
    "is_inf",
    "is_finite",
    "less",
    "less_equal",
    "greater",
    "greater_equal",
    "equal",
    "not_equal",
    "logical_and",
    "logical_or",
    "logical_xor",
    "logical_not",
    "bincount",
    "unique_index",
    "nonzero",
    "stateless_bits",
    "stateless_integers",
    "reduce_any",
    "reduce_all",
    "argmax",
    "argmin",
    "invert_permutation",
    "shape_of",
    "size_of",
    "list_size",
    "rank_of",
    "argsort",
    "top_k",
    "searchsorted",
    "string_length",
    "string_join",
    "string_chars",
    "string_upper",
    "string_lower",
    "string_strip",
    "string_substr",
    "string_reduce_join",
    "string_split",
    "as_string",
];

#[test]
fn ops_that_give_floats_have_a_rule_or_a_reason() {
    let known: BTreeSet<&str> = NONE.iter().chain(REFUSED).copied().collect();
    let without = ops::all().filter(|op| rule(op).is_none() && may_give_floats(op));
    let without: BTreeSet<&str> = without.map(|op| op.name).collect();
    assert_eq!(without, known);
}

/// Without this check, an op could avoid a rule by being on the list of ops without floats.
#[test]
fn ops_without_floats_have_no_rule() {
    for op in ops::all().filter(|op| NEVER_FLOATS.contains(&op.name)) {
        assert!(rule(op).is_none(), "{}", op.name);
    }
}
