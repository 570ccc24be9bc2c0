//! Sums of products over named or paired axes.

use graph_kernels::{self as kernels, DType, Equation, KernelError};

use super::Attrs;
use super::rules::{Inferred, check_class, check_same_dtype, operands};
use super::table::op_table;
use crate::types::{Shape, TensorType};

op_table! {
    EINSUM "einsum" ["equation"]: einsum(), (|x, a, out| kernels::einsum(a.text("equation")?, x, out)), tf "Einsum", onnx "Einsum",
        "The sum of products that an equation such as `ij,jk->ik` describes; `...` stands for axes that broadcast.";
    TENSORDOT "tensordot" ["axes_a", "axes_b"]: tensordot(),
        (|x, a, out| kernels::tensordot(x[0], x[1], [a.ints("axes_a")?, a.ints("axes_b")?], out)),
        "The sum of the products over pairs of axes of two operands; the result has the other axes of the first operand, then those of the second.";
}

fn einsum(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let text = attrs.text("equation")?;
    let Some(first) = types.first() else {
        return Err(format!("`{op}` takes at least one operand"));
    };
    for other in types {
        check_same_dtype(op, first, other)?;
    }
    check_class(op, DType::is_number, first.dtype)?;
    let ranks: Option<Vec<usize>> = types.iter().map(|ty| ty.shape.rank()).collect();
    let equation = ranks.map(|ranks| Equation::new(text, &ranks));
    result(equation, types, first.dtype)
}

fn tensordot(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [a, b] = operands(op, types)?;
    check_same_dtype(op, a, b)?;
    check_class(op, DType::is_number, a.dtype)?;
    let axes = [attrs.ints("axes_a")?, attrs.ints("axes_b")?];
    let ranks = a.shape.rank().zip(b.shape.rank());
    let equation = ranks.map(|(a, b)| Equation::pairs([a, b], axes));
    result(equation, types, a.dtype)
}

/// The type of the result of an equation; of unknown rank if there is no equation because an operand has unknown rank.
fn result(
    equation: Option<Result<Equation, KernelError>>,
    types: &[TensorType],
    dtype: DType,
) -> Inferred {
    let Some(equation) = equation else {
        return Ok(TensorType::new(dtype, Shape::unknown()));
    };
    let size = |input: usize, axis: usize| types[input].shape.dims().and_then(|dims| dims[axis]);
    let sizes = equation.and_then(|equation| equation.output_sizes(size));
    let sizes = sizes.map_err(|error| error.to_string())?;
    Ok(TensorType::new(dtype, Shape::of(sizes)))
}
