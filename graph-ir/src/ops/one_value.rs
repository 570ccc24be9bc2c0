//! Checks that a value is a scalar where the program needs a single value: a condition, a bound of a range.

use graph_kernels::{Array, KernelError};

use super::rules::{Inferred, operands};
use super::table::op_table;
use super::{AttrError, Attrs};
use crate::types::TensorType;

op_table! {
    ONE_VALUE "one_value" ["of"]: one_value(), (|x, a, out| take(x[0], OneValue::of(a)?, out)),
        fails OnShapes, linear in floats,
        "The only value of the operand as a scalar; if there isn't exactly one value, the error names `of`, the construct that needs it.";
}

/// The construct that needs a single value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum OneValue {
    Decision,
    Match,
    Range,
    Switch,
}

impl OneValue {
    const ALL: [OneValue; 4] = [
        OneValue::Decision,
        OneValue::Match,
        OneValue::Range,
        OneValue::Switch,
    ];

    /// The value of the attribute `of`.
    pub fn name(self) -> &'static str {
        match self {
            OneValue::Decision => "condition",
            OneValue::Match => "match",
            OneValue::Range => "range",
            OneValue::Switch => "switch",
        }
    }

    fn of(attrs: &Attrs) -> Result<OneValue, AttrError> {
        let name = attrs.text("of")?;
        let found = OneValue::ALL.into_iter().find(|of| of.name() == name);
        found.ok_or_else(|| AttrError::new("of", "`condition`, `match`, `range` or `switch`"))
    }

    /// The error message for an operand with no value or with several.
    fn refusal(self, ty: &TensorType) -> String {
        let what = match self {
            OneValue::Decision => "a condition",
            OneValue::Match => "what a `match` looks at",
            OneValue::Range => "a bound of a range",
            OneValue::Switch => "the index of a switch",
        };
        let instead = match self {
            OneValue::Decision => {
                "say which of its values count: `.any()` or `.all()`. Value by value, `&&` and `||` are \
                 `&` and `|`, and `select(condition, a, b)` is the `if`"
            }
            _ => "take one of its values: `x.get(0)`",
        };
        format!("{what} must be a scalar, not {ty}; {instead}")
    }
}

fn one_value(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x] = operands(op, types)?;
    let of = OneValue::of(attrs)?;
    let mut sizes = x.shape.dims().into_iter().flatten();
    if sizes.any(|size| size.is_some_and(|size| size != 1)) {
        return Err(of.refusal(x));
    }
    Ok(TensorType::scalar(x.dtype))
}

fn take(x: &Array, of: OneValue, out: &mut Array) -> Result<(), KernelError> {
    if x.len() != 1 {
        return Err(KernelError::Program(of.refusal(&TensorType::of_array(x))));
    }
    graph_kernels::reshape(x, &[], out)
}
