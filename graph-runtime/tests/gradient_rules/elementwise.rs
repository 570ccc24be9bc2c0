//! Elementwise ops: operands between bounds, away from kinks, with all kinds of broadcasting.

use graph_runtime::Array;
use graph_runtime::ops::*;

use crate::Case;
use crate::draw::Draw;
use crate::used::Use;

/// Uses of a function of one operand that has no row here: it is smooth from -2 to 2.
pub fn smooth(op: &'static OpDef, d: &mut Draw) -> Use {
    let shape = d.shape(0, 3);
    Use::new(op, [d.away(&shape, -2.0, 2.0, &[])])
}

/// Whether an op is a function of one operand.
pub fn is_of_one(op: &OpDef) -> bool {
    let element = (op.element)(&Attrs::default());
    op.attrs.is_empty() && element.is_some_and(|function| function.arity() == 1)
}

/// Functions of one operand that aren't [`smooth`]: `OP low..high`, the kinks, and whether the gradient can be differentiated.
macro_rules! unary {
    ($($op:ident $low:literal..$high:literal $kinks:expr, $smooth:literal;)*) => {
        &[$((&$op, |d| {
            let shape = d.shape(0, 3);
            let used = Use::new(&$op, [d.away(&shape, $low, $high, &$kinks)]);
            if $smooth { used } else { used.kinked() }
        })),*]
    };
}

pub const UNARY: &[Case] = unary! {
    ABS -2.0..2.0 [0.0], true;
    SIGN -2.0..2.0 [0.0], true;
    RELU -2.0..2.0 [0.0], true;
    LOG 0.2..3.0 [], true;
    SQRT 0.2..3.0 [], true;
    RSQRT 0.2..3.0 [], true;
    SIN -3.0..3.0 [], true;
    COS -3.0..3.0 [], true;
    SIGMOID -3.0..3.0 [], true;
    LOG1P -0.7..2.0 [], true;
    LOG2 0.2..3.0 [], true;
    LOG10 0.2..3.0 [], true;
    CBRT -3.0..3.0 [-0.2, -0.1, 0.0, 0.1, 0.2], true;
    RECIPROCAL -3.0..3.0 [-0.2, -0.1, 0.0, 0.1, 0.2], true;
    TAN -1.2..1.2 [], true;
    ASIN -0.8..0.8 [], true;
    ACOS -0.8..0.8 [], true;
    ATAN -3.0..3.0 [], true;
    ASINH -3.0..3.0 [], true;
    ACOSH 1.3..3.0 [], true;
    ATANH -0.8..0.8 [], true;
    SOFTPLUS -3.0..3.0 [], true;
    SOFTSIGN -3.0..3.0 [0.0], true;
    ELU -2.0..2.0 [0.0], true;
    SELU -2.0..2.0 [0.0], true;
    RELU6 -1.0..7.0 [0.0, 6.0], true;
};

/// Two operands that broadcast, each between its bounds and away from its kinks.
fn two(d: &mut Draw, op: &'static OpDef, a: (f64, f64, &[f64]), b: (f64, f64, &[f64])) -> Use {
    let [first, second] = d.pair();
    let first = d.away(&first, a.0, a.1, a.2);
    let second = d.away(&second, b.0, b.1, b.2);
    Use::new(op, [first, second])
}

const NEAR_0: &[f64] = &[
    -0.3, -0.25, -0.2, -0.15, -0.1, -0.05, 0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3,
];
const ANY: (f64, f64, &[f64]) = (-2.0, 2.0, &[]);
const NOT_0: (f64, f64, &[f64]) = (-2.0, 2.0, NEAR_0);
const POSITIVE: (f64, f64, &[f64]) = (0.4, 2.0, &[]);

macro_rules! binary {
    ($($op:ident $a:expr, $b:expr;)*) => {
        &[$((&$op, |d| two(d, &$op, $a, $b))),*]
    };
}

pub const BINARY: &[Case] = binary! {
    ADD ANY, ANY;
    SUB ANY, ANY;
    MUL ANY, ANY;
    DIV ANY, NOT_0;
    TRUE_DIV ANY, NOT_0;
    POW POSITIVE, ANY;
    ATAN2 NOT_0, ANY;
    DIVIDE_NO_NAN ANY, NOT_0;
    XLOGY NOT_0, POSITIVE;
    XLOG1PY NOT_0, POSITIVE;
    XDIVY NOT_0, NOT_0;
    GRAD_DIV ANY, NOT_0;
    SQUARED_DIFFERENCE ANY, ANY;
    LEAKY_RELU NOT_0, (0.1, 0.5, &[]);
};

/// Operands whose quotients lie between two integers.
fn remainder(d: &mut Draw, op: &'static OpDef) -> Use {
    let shape = d.shape(0, 2);
    let divisor = d.pick(&[1.5, -2.0, 0.7]);
    let len: usize = shape.iter().product();
    let value = |_| (d.int(-3, 3) as f64 + d.float(0.2, 0.8)) * divisor;
    let values: Vec<f64> = (0..len).map(value).collect();
    Use::new(op, [Array::new(&shape, values), Array::scalar(divisor)])
}

/// Two operands whose values all differ clearly.
fn compared(d: &mut Draw, op: &'static OpDef) -> Use {
    let [a, b] = d.pair();
    let lengths: [usize; 2] = [&a, &b].map(|shape| shape.iter().product());
    let all = d.distinct(&[lengths[0] + lengths[1]]);
    let all = all.values::<f64>().expect("floats");
    let (first, second) = all.split_at(lengths[0]);
    Use::new(
        op,
        [
            Array::new(&a, first.to_vec()),
            Array::new(&b, second.to_vec()),
        ],
    )
}

pub const OTHERS: &[Case] = &[
    (&REM, |d| remainder(d, &REM)),
    (&FLOOR_MOD, |d| remainder(d, &FLOOR_MOD)),
    (&MAXIMUM, |d| compared(d, &MAXIMUM)),
    (&MINIMUM, |d| compared(d, &MINIMUM)),
    (&CAST, |d| {
        let shape = d.shape(0, 2);
        Use::new(&CAST, [d.any(&shape)]).with(Attr::DType(graph_runtime::DType::F64))
    }),
    (&CHECK_NUMERICS, |d| {
        let shape = d.shape(0, 2);
        Use::new(&CHECK_NUMERICS, [d.any(&shape)]).with(Attr::Text("finite".to_owned()))
    }),
    (&SELECT, |d| {
        let [a, b] = d.pair();
        let condition = d.part_of(&a);
        Use::new(&SELECT, [d.flags(&condition), d.any(&a), d.any(&b)])
    }),
];
