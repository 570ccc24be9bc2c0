//! How far floats may be off, in last places: the exact values lie between ours and the other library's, each of which has an error of its own.
//! What isn't listed here is the same to the last bit.

use crate::compare::Bound;
use crate::record::{Case, dtype};

/// For `float32` and `float64`, for the 16-bit floats, and the ops.
type Row = (f64, f64, &'static [&'static str]);

/// Of results.
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
    // Of the size of 1.
    (
        4.0,
        1.0,
        &["stateless_normal", "stateless_truncated_normal"],
    ),
    (5.0, 1.0, &["erfc"]),
    // Sums, of the size of their largest part.
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
    // TensorFlow subtracts 1 from exp(x), and XLA takes exp of the product with log(2).
    (3.0, 2.0, &["elu", "selu"]),
    (10.0, 64.0, &["exp2"]),
    // TensorFlow rounds the quotient to 16 bits, and then down.
    (0.0, 64.0, &["floor_div"]),
];

pub fn result(case: &Case) -> Bound {
    let scale = match case.op.as_str() {
        "elu" | "selu" | "stateless_normal" | "stateless_truncated_normal" => 1.0,
        _ => case.scale,
    };
    bound(case, RESULTS, 0.0, scale)
}

/// Of gradients. What isn't listed is off by roundings of products and their sums, unless it only moves values.
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
