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

#[cfg(test)]
pub(super) mod tests {
    //! Cases of sums of products. The kernels' own tests compare many equations with the definition.

    use graph_kernels::Array;

    use crate::ops::tests::*;
    use crate::ops::*;

    pub(in crate::ops) fn cases() -> Vec<Case> {
        let x = || matrix([[1, 2, 3], [4, 5, 6]]);
        let sum = |equation: &str, inputs: Vec<Array>, expected| {
            case_with(&EINSUM, [Attr::Text(equation.to_owned())], inputs, expected)
        };
        let dot = |a: &[i64], b: &[i64], inputs: [Array; 2], expected| {
            let attrs = [Attr::Ints(a.to_vec()), Attr::Ints(b.to_vec())];
            case_with(&TENSORDOT, attrs, inputs, expected)
        };
        let xxt = || matrix([[14, 32], [32, 77]]);
        vec![
            sum("ij,kj->ik", vec![x(), x()], Value(xxt())),
            sum("ij->j", vec![x()], Value(vector([5, 7, 9]))),
            sum("ij,ij", vec![x(), x()], Value(scalar(91))),
            sum(
                "...i,i->...",
                vec![x(), vector([1, 0, 2])],
                Value(vector([7, 16])),
            ),
            sum(
                "ij,jk->ik",
                vec![x(), x()],
                TypeError("Expected dimension 3 at axis 0 of input 1 but got dimension 2"),
            ),
            sum(
                "ijk->ik",
                vec![x()],
                TypeError("Expected input 0 to have rank 3 but got: 2"),
            ),
            dot(&[1], &[1], [x(), x()], Value(xxt())),
            dot(&[0, 1], &[0, 1], [x(), x()], Value(scalar(91))),
            dot(
                &[0],
                &[1],
                [x(), x()],
                TypeError("Expected dimension 2 at axis 1 of input 1 but got dimension 3"),
            ),
            dot(
                &[0],
                &[],
                [x(), x()],
                TypeError("`tensordot` takes as many axes of both operands, not 1 and 0"),
            ),
        ]
    }
}
