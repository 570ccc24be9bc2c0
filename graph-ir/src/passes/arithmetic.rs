//! Removes arithmetic that has no effect, and replaces ops by simpler ones. Results are bitwise the same, also for NaN, infinities and
//! signed zeros. So `x + 0.0` stays (it turns -0.0 into 0.0), and so do `x * 0.0` and `x - x` of floats.
//!
//! A node is dropped only if nothing that it is computed from can fail: `a / b * 0` of integers must still fail where `b`
//! is 0.

use graph_kernels::{Array, DType, cast};

use super::patch::Patch;
use super::rewrite::{Edit, Operand, Rules, Use, View, rewrite};
use crate::graph::{Graph, ValueId};
use crate::ops::{self, Attrs};

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    rewrite(graph, RULES)
}

static RULES: &Rules = &[
    (&ops::ADD, sum),
    (&ops::LIST_ADD, sum_of_arrays),
    (&ops::SUB, difference),
    (&ops::MUL, product),
    (&ops::DIV, quotient),
    (&ops::TRUE_DIV, quotient),
    (&ops::FLOOR_DIV, floor_quotient),
    (&ops::POW, power),
    (&ops::NEG, involution),
    (&ops::BIT_NOT, involution),
    (&ops::ABS, absolute),
    (&ops::RELU, idempotent),
    (&ops::FLOOR, idempotent),
    (&ops::CEIL, idempotent),
    (&ops::ROUND, idempotent),
    (&ops::SIGN, idempotent),
    (&ops::MAXIMUM, same),
    (&ops::MINIMUM, same),
    (&ops::BIT_AND, same),
    (&ops::BIT_OR, same),
];

/// A sum of lists whose rows all exist, or of tensors that are no lists, is a sum of arrays.
fn sum_of_arrays(view: &View<'_>, of: &Use<'_>) -> Option<Edit> {
    let [a, b] = of.inputs else { return None };
    let (a, b) = (view.graph.ty(*a), view.graph.ty(*b));
    let is_sum = a == b && !ops::may_be_open(a);
    is_sum.then(|| Edit::primitive(&ops::ADD, Attrs::new(), of.inputs))
}

/// The operand that an op with a neutral constant on either side returns unchanged.
fn neutral(view: &View<'_>, of: &Use<'_>, is_neutral: impl Fn(f64) -> bool) -> Option<ValueId> {
    let [a, b] = of.inputs else { return None };
    [(*a, *b), (*b, *a)].into_iter().find_map(|(x, constant)| {
        (view.number(constant).is_some_and(&is_neutral) && view.keeps_shape(x, constant))
            .then_some(x)
    })
}

/// Like [`neutral`], but only on the right side.
fn right_neutral(view: &View<'_>, of: &Use<'_>, number: f64) -> Option<ValueId> {
    let [x, constant] = of.inputs else {
        return None;
    };
    let found = view.number(*constant).is_some_and(|n| is(n, number));
    (found && view.keeps_shape(*x, *constant)).then_some(*x)
}

/// True if both numbers have the same bits, which tells 0.0 from -0.0.
fn is(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits()
}

fn is_integer(view: &View<'_>, of: &Use<'_>) -> bool {
    view.dtype(of.output).is_integer()
}

/// `x + 0` of integers, `x + -0.0` of floats.
fn sum(view: &View<'_>, of: &Use<'_>) -> Option<Edit> {
    let zero = if is_integer(view, of) { 0.0 } else { -0.0 };
    neutral(view, of, |n| is(n, zero)).map(Edit::Value)
}

/// `x - 0` and `x - 0.0`; `x - x` of integers.
fn difference(view: &View<'_>, of: &Use<'_>) -> Option<Edit> {
    if is_integer(view, of) && of.inputs[0] == of.inputs[1] {
        return zeros(view, of, of.inputs[0]);
    }
    right_neutral(view, of, 0.0).map(Edit::Value)
}

/// `x * 1`; `x * 0` of integers.
fn product(view: &View<'_>, of: &Use<'_>) -> Option<Edit> {
    if let Some(x) = neutral(view, of, |n| is(n, 1.0)) {
        return Some(Edit::Value(x));
    }
    if !is_integer(view, of) {
        return None;
    }
    neutral(view, of, |n| n == 0.0).and_then(|x| zeros(view, of, x))
}

/// `x / 1`; `x / 2` of floats is `x * 0.5`, and so for every power of two.
fn quotient(view: &View<'_>, of: &Use<'_>) -> Option<Edit> {
    if view.dtype(of.inputs[0]) != view.dtype(of.output) {
        return None;
    }
    if let Some(x) = right_neutral(view, of, 1.0) {
        return Some(Edit::Value(x));
    }
    let [x, divisor] = of.inputs else { return None };
    let factor = exact_inverse(view.number(*divisor)?, view.dtype(of.output))?;
    let shape = view.shape(*divisor).to_known()?;
    let factors = Array::new(&shape, vec![factor; shape.iter().product()]);
    let factors = Operand::Constant(as_dtype(&factors, view.dtype(of.output))?);
    let inputs = vec![Operand::Value(*x), factors];
    Some(Edit::Primitive(&ops::MUL, Attrs::new(), inputs))
}

/// The inverse of a power of two, if both are normal numbers of the dtype.
fn exact_inverse(number: f64, dtype: DType) -> Option<f64> {
    let largest: f64 = match dtype {
        DType::F32 => 126.0,
        DType::F64 => 1022.0,
        _ => return None,
    };
    let exponent = number.abs().log2();
    let is_power = exponent.fract() == 0.0 && exponent.exp2() == number.abs();
    (is_power && exponent.abs() <= largest).then(|| 1.0 / number)
}

/// `floor_div(x, 1)` of integers.
fn floor_quotient(view: &View<'_>, of: &Use<'_>) -> Option<Edit> {
    if !is_integer(view, of) {
        return None;
    }
    right_neutral(view, of, 1.0).map(Edit::Value)
}

/// Integers to the power of 1 or 2. (For floats, `pow` and `square` may round differently.)
fn power(view: &View<'_>, of: &Use<'_>) -> Option<Edit> {
    if !is_integer(view, of) {
        return None;
    }
    match right_neutral(view, of, 2.0) {
        Some(x) => Some(Edit::primitive(&ops::SQUARE, Attrs::new(), &[x])),
        None => right_neutral(view, of, 1.0).map(Edit::Value),
    }
}

/// An op that is its own inverse and is applied twice: `--x`.
fn involution(view: &View<'_>, of: &Use<'_>) -> Option<Edit> {
    view.operand_of(of.inputs[0], of.op).map(Edit::Value)
}

/// An idempotent op that is applied twice.
fn idempotent(view: &View<'_>, of: &Use<'_>) -> Option<Edit> {
    view.operand_of(of.inputs[0], of.op)?;
    Some(Edit::Value(of.inputs[0]))
}

/// `abs(abs(x))` and `abs(-x)`.
fn absolute(view: &View<'_>, of: &Use<'_>) -> Option<Edit> {
    let negated = view.operand_of(of.inputs[0], &ops::NEG);
    let negated = negated.map(|x| Edit::primitive(of.op, Attrs::new(), &[x]));
    negated.or_else(|| idempotent(view, of))
}

/// `max(x, x)`.
fn same(_: &View<'_>, of: &Use<'_>) -> Option<Edit> {
    (of.inputs[0] == of.inputs[1]).then(|| Edit::Value(of.inputs[0]))
}

/// Replaces a value of known, small shape by zeros, if nothing that `x` is computed from can fail.
fn zeros(view: &View<'_>, of: &Use<'_>, x: ValueId) -> Option<Edit> {
    /// Larger constants would cost more than the arithmetic.
    const MAX_VALUES: usize = 4096;
    let shape = view.shape(of.output).to_known()?;
    let small = view.shape(of.output).size()? <= MAX_VALUES;
    (small && view.can_go(x)).then(|| Edit::Constant(Array::zeros(view.dtype(of.output), &shape)))
}

fn as_dtype(array: &Array, dtype: DType) -> Option<Array> {
    let mut converted = Array::default();
    cast(array, dtype, &mut converted).ok()?;
    Some(converted)
}

#[cfg(test)]
mod tests {
    use crate::passes::testing::{check, check_unchanged, same_results};

    /// Checks what an expression of `x` and `y` becomes. Constants are written as operands.
    fn becomes(dtype: &str, expression: &str, expected: &str) {
        let (before, after) = (graph(dtype, expression), graph(dtype, expected));
        check(super::run, &before, &after);
        same_results(super::run, &before);
    }

    fn stays(dtype: &str, expression: &str) {
        check_unchanged(super::run, &graph(dtype, expression));
    }

    fn graph(dtype: &str, nodes: &str) -> String {
        let nodes = nodes.replace(": T", &format!(": {dtype}"));
        let end = if nodes.contains("return") {
            ""
        } else {
            "return z"
        };
        format!("graph (x: {dtype}[3], y: {dtype}[3]) -> {dtype}[3] {{ {nodes} {end} }}")
    }

    fn constant(number: &str, op: &str) -> String {
        format!("c = constant {number} : T[] z = {op} : T[3]")
    }

    #[test]
    fn neutral_numbers() {
        for (dtype, number, op) in [
            ("float32", "-0.0", "add(x, c)"),
            ("float64", "-0.0", "add(c, x)"),
            ("int32", "0", "add(c, x)"),
            ("float32", "0.0", "sub(x, c)"),
            ("uint8", "0", "sub(x, c)"),
            ("float64", "1.0", "mul(c, x)"),
            ("float16", "1.0", "mul(x, c)"),
            ("int64", "1", "mul(x, c)"),
            ("float32", "1.0", "div(x, c)"),
            ("int32", "1", "div(x, c)"),
            ("float32", "1.0", "true_div(x, c)"),
            ("int32", "1", "floor_div(x, c)"),
            ("int32", "1", "pow(x, c)"),
        ] {
            let after = format!("c = constant {number} : T[] return x");
            becomes(dtype, &constant(number, op), &after);
        }
    }

    #[test]
    fn numbers_that_are_not_neutral() {
        for (dtype, number, op) in [
            // -0.0 + 0.0 is 0.0.
            ("float32", "0.0", "add(x, c)"),
            ("float32", "-0.0", "sub(x, c)"),
            ("int32", "0", "sub(c, x)"),
            ("float32", "0.0", "mul(x, c)"),
            ("float32", "1.0", "div(c, x)"),
            ("float32", "1.0", "floor_div(x, c)"),
            ("float32", "1.0", "pow(x, c)"),
            ("float32", "2.0", "pow(x, c)"),
            ("float32", "3.0", "div(x, c)"),
            ("int32", "2", "div(x, c)"),
        ] {
            stays(dtype, &constant(number, op));
        }
        stays("float32", "z = sub(x, x) : T[3]");
    }

    #[test]
    fn simpler_ops() {
        becomes(
            "float32",
            &constant("4.0", "div(x, c)"),
            "c = constant 4.0 : T[] %2 = constant 0.25 : T[] z = mul(x, %2) : T[3]",
        );
        becomes(
            "int32",
            &constant("2", "pow(x, c)"),
            "c = constant 2 : T[] z = square(x) : T[3]",
        );
        becomes(
            "float32",
            "a = neg(x) : T[3] z = abs(a) : T[3]",
            "a = neg(x) : T[3] z = abs(x) : T[3]",
        );
    }

    #[test]
    fn ops_that_undo_or_repeat() {
        let twice = |op: &str| format!("a = {op}(x) : T[3] z = {op}(a) : T[3]");
        let once = |op: &str, result: &str| format!("a = {op}(x) : T[3] return {result}");
        becomes("float32", &twice("neg"), &once("neg", "x"));
        becomes("int32", &twice("bit_not"), &once("bit_not", "x"));
        for op in ["abs", "relu", "sign", "floor", "ceil", "round"] {
            becomes("float32", &twice(op), &once(op, "a"));
        }
        for op in ["maximum", "minimum"] {
            becomes("float32", &format!("z = {op}(x, x) : T[3]"), "return x");
        }
    }

    #[test]
    fn a_sum_of_arrays_is_not_one_of_lists() {
        becomes(
            "float32",
            "z = list_add(x, y) : T[3]",
            "z = add(x, y) : T[3]",
        );
        check_unchanged(
            super::run,
            "graph (x: float32[*], y: float32[2,?]) -> (float32[*], float32[*]) {
              z = list_add(x, x) : float32[*]
              u = list_add(y, x) : float32[*]
              return z, u
            }",
        );
    }

    #[test]
    fn zeros_of_integers_unless_that_would_hide_an_error() {
        becomes(
            "int32",
            &constant("0", "mul(x, c)"),
            "c = constant 0 : T[] z = constant [0, 0, 0] : T[3]",
        );
        becomes(
            "int32",
            "z = sub(x, x) : T[3]",
            "z = constant [0, 0, 0] : T[3]",
        );
        stays(
            "int32",
            "c = constant 0 : T[] q = floor_div(x, y) : T[3] p = mul(q, c) : T[3] z = add(x, p) : T[3]",
        );
    }

    #[test]
    fn a_constant_that_broadcasts_the_other_operand_is_not_neutral() {
        check_unchanged(
            super::run,
            "graph (x: float32[], y: float32[?]) -> (float32[2], float32[2]) {
              c = constant [1.0, 1.0] : float32[2]
              z = mul(x, c) : float32[2]
              u = mul(y, c) : float32[2]
              return z, u
            }",
        );
    }
}
