//! Which dtypes onnxruntime computes each operator with. ONNX allows more dtypes than its CPU provider has kernels for; a model that runs
//! there computes with a wider dtype and casts the result back, which gives the same values.

use graph_kernels::DType::{
    self, BF16, Bool, F16, F32, F64, I8, I16, I32, I64, Str, U8, U16, U32, U64,
};

/// All numbers but `bfloat16`. The runtime itself computes `float16` with `float32` where it has no kernel.
const NUMBERS: &[DType] = &[F32, F64, F16, I8, I16, I32, I64, U8, U16, U32, U64];
const FLOATS: &[DType] = &[F32, F64, F16];
/// What is a float of 64 bits stays one: to compute with fewer bits would give other values.
const INTEGERS: &[DType] = &[I8, I16, I32, I64, U8, U16, U32, U64];
const WIDE: &[DType] = &[F32, F64, F16, I32, I64];
/// The runtime doesn't wrap sums of `int32`.
const SUMMED: &[DType] = &[F32, F64, F16, I64];
/// Everything but `bfloat16`, which ONNX doesn't allow here.
const MOVED: &[DType] = &[
    F32, F64, F16, I8, I16, I32, I64, U8, U16, U32, U64, Bool, Str,
];
const ORDERED: &[DType] = &[F32, F64, F16, I8, I32, I64, U8];
const LIMITED: &[DType] = &[F32, F64, F16, I8, I32, I64, U8, U32, U64];
const BOOL: &[DType] = &[Bool];

/// The dtypes of an operator's first operand (of `Where`, of its second).
const KERNELS: &[(&str, &[DType])] = &[
    ("Abs", NUMBERS),
    ("Acos", FLOATS),
    ("Acosh", FLOATS),
    ("Add", NUMBERS),
    ("And", BOOL),
    ("ArgMax", ORDERED),
    ("ArgMin", ORDERED),
    ("Asin", FLOATS),
    ("Asinh", FLOATS),
    ("Atan", FLOATS),
    ("Atanh", FLOATS),
    ("AveragePool", FLOATS),
    ("BitShift", &[U8, U16, U32, U64]),
    ("BitwiseAnd", INTEGERS),
    ("BitwiseNot", INTEGERS),
    ("BitwiseOr", INTEGERS),
    ("BitwiseXor", INTEGERS),
    ("Ceil", FLOATS),
    ("Compress", MOVED),
    ("Conv", FLOATS),
    ("ConvTranspose", FLOATS),
    ("Cos", FLOATS),
    ("Cosh", FLOATS),
    ("CumSum", WIDE),
    ("Div", NUMBERS),
    ("Einsum", WIDE),
    ("Elu", FLOATS),
    ("Equal", MOVED),
    ("Erf", FLOATS),
    ("Exp", FLOATS),
    ("Expand", MOVED),
    ("Floor", FLOATS),
    ("Greater", NUMBERS),
    ("GreaterOrEqual", NUMBERS),
    ("IsInf", &[F32, F64]),
    ("IsNaN", FLOATS),
    ("Less", NUMBERS),
    ("LessOrEqual", NUMBERS),
    ("Log", FLOATS),
    ("LogSoftmax", FLOATS),
    ("MatMul", WIDE),
    ("Max", LIMITED),
    ("MaxPool", &[F32, F64, F16, I8, U8]),
    ("Min", LIMITED),
    ("Mod", NUMBERS),
    ("Mul", NUMBERS),
    ("Neg", &[F32, F64, F16, I8, I16, I32, I64]),
    ("Not", BOOL),
    ("Or", BOOL),
    ("Pad", &[F32, F64, F16, I8, I32, I64, U8, U32, U64, Bool]),
    ("Pow", WIDE),
    ("Range", &[F32, F64, I16, I32, I64]),
    ("Reciprocal", FLOATS),
    ("ReduceMax", ORDERED),
    ("ReduceMean", WIDE),
    ("ReduceMin", ORDERED),
    ("ReduceProd", SUMMED),
    ("ReduceSum", SUMMED),
    ("Relu", FLOATS),
    ("ReverseSequence", MOVED),
    ("Round", FLOATS),
    (
        "ScatterElements",
        &[F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, Bool, Str],
    ),
    ("Selu", FLOATS),
    ("Sigmoid", FLOATS),
    ("Sign", NUMBERS),
    ("Sin", FLOATS),
    ("Sinh", FLOATS),
    (
        "Size",
        &[F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, Bool, Str],
    ),
    ("Softmax", FLOATS),
    // In opset 18, `float16` is computed as log(1 + exp(x)), which overflows.
    ("Softplus", &[F32, F64]),
    ("Softsign", FLOATS),
    ("Sqrt", FLOATS),
    ("Sub", NUMBERS),
    ("Tan", FLOATS),
    ("Tanh", FLOATS),
    ("Tile", MOVED),
    ("TopK", ORDERED),
    ("Unique", &[F32, F64, I8, I64, Str]),
    ("Where", &[F32, F64, F16, I8, I32, I64, U8, U32, Str]),
    ("Xor", BOOL),
];

/// The wider dtypes in which the values of a dtype can be kept, the best first. Those of `uint64` keep their bits in `int64`, which is
/// right for moves, sums and products; an operator that compares them takes [`ordered`](super::ops::ordered) operands.
fn wider(dtype: DType) -> &'static [DType] {
    match dtype {
        F16 | BF16 => &[F32],
        I8 | U8 | I16 | U16 => &[I32, I64, F32],
        I32 | U32 => &[I64, F64],
        U64 => &[I64],
        Bool => &[I32, U8, I64],
        F32 | F64 | I64 | Str => &[],
    }
}

/// The dtype in which an operator is computed for operands of a dtype: the same if there is a kernel for it, or if no dtype is better.
pub(super) fn computed_as(operator: &str, dtype: DType) -> DType {
    let Some((_, dtypes)) = KERNELS.iter().find(|(name, _)| *name == operator) else {
        return dtype;
    };
    if dtypes.contains(&dtype) {
        return dtype;
    }
    let better = wider(dtype).iter().find(|wide| dtypes.contains(wide));
    better.copied().unwrap_or(dtype)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operator_without_a_kernel_for_a_dtype_is_computed_in_a_wider_one() {
        assert_eq!(computed_as("Add", I8), I8);
        assert_eq!(computed_as("Add", BF16), F32);
        assert_eq!(computed_as("ReduceSum", U32), I64);
        assert_eq!(computed_as("MaxPool", I32), F64);
        assert_eq!(computed_as("Transpose", BF16), BF16);
    }
}
