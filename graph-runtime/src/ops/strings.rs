//! Strings.

use graph_kernels::{self as kernels, DType};

use super::Attrs;
use super::rules::{Inferred, STRING, check_class, merge, unary_to};
use super::table::op_table;
use crate::graph::{Shape, TensorType};

op_table! {
    STRING_LENGTH "string_length" []: unary_to(STRING, DType::I32), (unary kernels::string_length), tf "StringLength",
        "The length of each string in bytes.";
    STRING_JOIN "string_join" ["separator"]: string_join(),
        (|x, a, out| kernels::string_join(x, a.text("separator")?, out)), tf "StringJoin",
        "The operands joined position by position with the separator between; scalars go with every position.";
}

fn string_join(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    attrs.text("separator")?;
    let mut shape = Shape::scalar();
    for ty in types {
        check_class(op, STRING, ty.dtype)?;
        shape = match (shape.rank(), ty.shape.rank()) {
            (_, Some(0)) => shape,
            (Some(0), _) => ty.shape.clone(),
            // What may still turn out to be a scalar tells nothing of the other operands.
            (None, None) => Shape::unknown(),
            _ => merge(op, &shape, &ty.shape)?,
        };
    }
    Ok(TensorType::new(DType::Str, shape))
}
