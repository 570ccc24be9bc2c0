//! The intended differences from TensorFlow and JAX, with the reasons. Each row must cover at least one actual difference.

use crate::record::{Case, Source, dtype};

/// What differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The sign of zeros.
    SignOfZero,
    /// Results.
    Result,
    /// Gradients.
    Gradient,
}

/// A difference in the cases of some ops: in all, or in those where half of the operands' values are edges of their dtype ([`Which::Edges`]).
pub struct Difference {
    pub ops: &'static [&'static str],
    pub what: What,
    of: Option<Source>,
    which: Which,
    pub why: &'static str,
}

#[derive(PartialEq, Eq)]
enum Which {
    Edges,
    Halves,
    Any,
}

use Source::{Jax, Tf};
use What::{Gradient, Result, SignOfZero};
use Which::{Any, Edges, Halves};

/// `ops: what of source, which, why;`
macro_rules! differences {
    ($($ops:expr => $what:ident of $of:expr, $which:ident, $why:literal;)*) => {
        pub const DIFFERENCES: &[Difference] =
            &[$(Difference { ops: &$ops, what: $what, of: $of, which: $which, why: $why }),*];
    };
}

differences! {
    ["relu", "relu6", "sign"] => SignOfZero of None, Edges, "-0 stays -0, as in Rust's `max` and `signum` of a zero that is a number; the others give 0";
    ["grad_div", "xdivy"] => SignOfZero of Some(Tf), Edges, "0 where the dividend is 0 or -0, whatever the divisor";
    ["floor_div"] => Result of None, Edges, "a negative quotient that is smaller than any normal number is rounded down to -1; to the others it is -0";
    ["erf"] => Result of Some(Tf), Edges, "the error function of the largest float64 is 1; TensorFlow squares it and gives NaN";
    ["selu"] => Gradient of Some(Tf), Edges, "TensorFlow takes the slope from the result, which is 0 for the least negative numbers";
    ["floor_mod"] => Gradient of None, Edges, "the quotient rounded down isn't finite; the others give NaN or 0 there";
    ["floor_mod"] => Gradient of Some(Tf), Halves, "TensorFlow rounds the quotient to 16 bits before it rounds it down";
    ["abs"] => Gradient of Some(Jax), Edges, "the slope at 0 is 0, and NaN at NaN, as in TensorFlow";
    ["maximum", "minimum"] => Gradient of Some(Jax), Edges, "of equal values, or beside NaN, one operand gets all, as in TensorFlow; JAX gives each a half, or nothing";
    ["pow"] => Gradient of Some(Jax), Any, "no exponent of a base of 0 or less gets a gradient, as in TensorFlow; JAX gives NaN";
    ["sort"] => Gradient of Some(Jax), Any, "equal values stay in order, descending, too; JAX turns them around";
}

/// The ops that neither library is asked about, with the reasons.
pub const NOT_ASKED: &[(&str, &str)] = &[
    (
        "stateless_shuffle",
        "TensorFlow takes the order of random numbers, and this library swaps rows at random positions: both orders are as likely, and they differ",
    ),
    (
        "list_size",
        "gradients alone use it, of lists that loops share: `graph-runtime/tests/deep.rs` compares them with eager ones",
    ),
    ("undefined", "it holds nothing that anybody may look at"),
];

/// The rows for a case.
pub fn covering(case: &Case) -> impl Iterator<Item = (usize, &'static Difference)> {
    let rows = DIFFERENCES.iter().enumerate();
    rows.filter(move |(_, row)| row.covers(case))
}

impl Difference {
    fn covers(&self, case: &Case) -> bool {
        let which = match self.which {
            Edges => case.operands.iter().any(|x| x.is_special()),
            Halves => dtype(&case.out.dtype).is_half(),
            Any => true,
        };
        which && self.ops.contains(&case.op.as_str()) && self.of.is_none_or(|of| of == case.of)
    }
}
