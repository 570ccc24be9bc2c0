//! Comparisons, logic and selection.

use graph_kernels::DType;

use super::Attrs;
use super::rules::{
    ANY, BOOL, Inferred, NUMBER, binary, broadcast, check_same_dtype, comparison, operands, unary,
};
use super::table::op_table;
use crate::types::TensorType;

op_table! {
    LESS "less" []: comparison(NUMBER), (element Less), tf "Less", onnx "Less", "Whether a < b, broadcasting.";
    LESS_EQUAL "less_equal" []: comparison(NUMBER), (element LessEqual), tf "LessEqual", onnx "LessOrEqual", "Whether a <= b, broadcasting.";
    GREATER "greater" []: comparison(NUMBER), (element Greater), tf "Greater", onnx "Greater", "Whether a > b, broadcasting.";
    GREATER_EQUAL "greater_equal" []: comparison(NUMBER), (element GreaterEqual), tf "GreaterEqual", onnx "GreaterOrEqual", "Whether a >= b, broadcasting.";
    EQUAL "equal" []: comparison(ANY), (element Equal), tf "Equal", onnx "Equal", "Whether a == b, broadcasting.";
    NOT_EQUAL "not_equal" []: comparison(ANY), (element NotEqual), tf "NotEqual", "Whether a != b, broadcasting.";
    LOGICAL_AND "logical_and" []: binary(BOOL), (element LogicalAnd), tf "LogicalAnd", onnx "And", "Whether both are true, broadcasting.";
    LOGICAL_OR "logical_or" []: binary(BOOL), (element LogicalOr), tf "LogicalOr", onnx "Or", "Whether one is true, broadcasting.";
    LOGICAL_XOR "logical_xor" []: binary(BOOL), (element LogicalXor), onnx "Xor", "Whether one is true and the other isn't, broadcasting.";
    LOGICAL_NOT "logical_not" []: unary(BOOL), (element LogicalNot), tf "LogicalNot", onnx "Not", "True where the value is false.";
    SELECT "select" []: select(), (element Select), tf "SelectV2", onnx "Where",
        "The second operand where the first is true, the third where it is false; all three broadcast.";
}

fn select(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [cond, a, b] = operands(op, types)?;
    if cond.dtype != DType::Bool {
        return Err(format!("`{op}` takes a bool condition, not {}", cond.dtype));
    }
    check_same_dtype(op, a, b)?;
    let values = broadcast(op, &a.shape, &b.shape)?;
    Ok(TensorType::new(
        a.dtype,
        broadcast(op, &cond.shape, &values)?,
    ))
}

#[cfg(test)]
pub(super) mod tests {
    //! Cases of comparisons, logic and selection.

    use crate::ops::tests::*;
    use crate::ops::*;

    pub(in crate::ops) fn cases() -> Vec<Case> {
        let (a, b) = (
            || vector([1.0, 2.0, f64::NAN]),
            || vector([2.0, 2.0, f64::NAN]),
        );
        let (t, f) = (true, false);
        let left = || matrix([[1], [2]]);
        vec![
            case(&LESS, [a(), b()], Value(vector([t, f, f]))),
            case(&LESS_EQUAL, [a(), b()], Value(vector([t, t, f]))),
            case(&GREATER, [b(), a()], Value(vector([t, f, f]))),
            case(&GREATER_EQUAL, [b(), a()], Value(vector([t, t, f]))),
            case(&EQUAL, [a(), b()], Value(vector([f, t, f]))),
            case(&NOT_EQUAL, [a(), b()], Value(vector([t, f, t]))),
            case(
                &LESS,
                [left(), vector([1, 2])],
                Value(matrix([[f, t], [f, f]])),
            ),
            case(&GREATER, [scalar(3), scalar(2)], Value(scalar(t))),
            case(
                &EQUAL,
                [texts(["a", "b"]), scalar("b".to_owned())],
                Value(vector([f, t])),
            ),
            case(
                &LESS,
                [texts(["a"]), texts(["b"])],
                TypeError("`less` is not defined for string"),
            ),
            case(
                &LOGICAL_AND,
                [vector([t, t, f]), vector([t, f, f])],
                Value(vector([t, f, f])),
            ),
            case(
                &LOGICAL_OR,
                [vector([t, t, f]), vector([t, f, f])],
                Value(vector([t, t, f])),
            ),
            case(&LOGICAL_NOT, [vector([t, f])], Value(vector([f, t]))),
            case(
                &LOGICAL_NOT,
                [scalar(1)],
                TypeError("`logical_not` is not defined for int32"),
            ),
            case(
                &SELECT,
                [vector([t, f]), vector([1, 2]), vector([10, 20])],
                Value(vector([1, 20])),
            ),
            case(
                &SELECT,
                [vector([t, f]), scalar(1), left()],
                Value(matrix([[1, 1], [1, 2]])),
            ),
            case(
                &SELECT,
                [scalar(f), texts(["a"]), texts(["b"])],
                Value(texts(["b"])),
            ),
            case(
                &SELECT,
                [matrix([[t], [f]]), vector([1, 2]), scalar(0)],
                Value(matrix([[1, 2], [0, 0]])),
            ),
            case(
                &SELECT,
                [scalar(1), scalar(1), scalar(1)],
                TypeError("`select` takes a bool condition, not int32"),
            ),
        ]
    }
}
