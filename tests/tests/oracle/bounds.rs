//! The maximum distance of floats, in units in the last place. The exact value lies near both ours and the other library's, which both have
//! errors. Values of ops that aren't listed here must be the same to the last bit.

use crate::compare::Bound;
use crate::record::{Case, dtype};

/// The bound for `float32` and `float64`, the bound for the 16-bit floats, and the ops.
type Row = (f64, f64, &'static [&'static str]);

/// The bounds of results.
const RESULTS: &[Row] = &[
    (
        2.0,
        1.0,
        &[
            "acos", "acosh", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "div",
            "exp", "log", "log1p", "log2", "pow",
        ],
    ),
    (
        2.0,
        1.0,
        &[
            "reciprocal",
            "rsqrt",
            "sin",
            "sinh",
            "softsign",
            "tan",
            "tanh",
            "true_div",
            "xdivy",
            "xlog1py",
            "xlogy",
        ],
    ),
    (
        3.0,
        2.0,
        &[
            "asin",
            "erf",
            "expm1",
            "log_softmax",
            "sigmoid",
            "softplus",
            "squared_difference",
            "sparse_softmax_cross_entropy_with_logits",
        ],
    ),
    (2.0, 2.0, &["log10"]),
    (3.0, 4.0, &["softmax"]),
    // Relative to a number of the size of 1.
    (
        4.0,
        1.0,
        &["stateless_normal", "stateless_truncated_normal"],
    ),
    (5.0, 1.0, &["erfc"]),
    // Sums, relative to their largest part.
    (
        2.0,
        2.0,
        &[
            "avg_pool2d",
            "avg_pool2d_grad",
            "conv2d",
            "conv2d_backprop_filter",
            "conv2d_backprop_input",
            "conv2d_transpose",
            "cumsum",
        ],
    ),
    (
        2.0,
        2.0,
        &[
            "depthwise_conv2d",
            "einsum",
            "linspace",
            "matmul",
            "reduce_mean",
            "reduce_sum",
            "sum_to",
            "tensordot",
            "max_pool2d_grad",
        ],
    ),
    // Products of up to a thousand factors.
    (32.0, 16.0, &["cumprod", "reduce_prod"]),
    // Matrices far from singular; relative to a number of the size of 1.
    (4.0, 4.0, &["solve"]),
    // TensorFlow subtracts 1 from exp(x), and XLA computes exp of the product with log(2).
    (3.0, 2.0, &["elu", "selu"]),
    (10.0, 64.0, &["exp2"]),
    // TensorFlow rounds the quotient to 16 bits, and then down.
    (0.0, 64.0, &["floor_div"]),
];

pub fn result(case: &Case) -> Bound {
    let scale = match case.op.as_str() {
        "elu" | "selu" | "solve" | "stateless_normal" | "stateless_truncated_normal" => 1.0,
        _ => case.scale,
    };
    bound(case, RESULTS, 0.0, scale)
}

/// The bounds of gradients. Gradients of other ops have rounding errors of products and their sums, unless the op only moves values.
const GRADIENTS: &[Row] = &[(16.0, 8.0, &["cumprod", "reduce_prod"])];

pub fn gradient(case: &Case, scale: f64) -> Bound {
    bound(case, GRADIENTS, 8.0, scale.max(1.0))
}

fn bound(case: &Case, rows: &[Row], others: f64, scale: f64) -> Bound {
    let row = rows
        .iter()
        .find(|(.., ops)| ops.contains(&case.op.as_str()));
    let ulps = match row {
        None => others,
        Some((_, half, _)) if dtype(&case.out.dtype).is_half() => *half,
        Some((wide, ..)) => *wide,
    };
    Bound {
        ulps,
        scale,
        zeros_are_one: false,
    }
}
