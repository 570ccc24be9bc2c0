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
