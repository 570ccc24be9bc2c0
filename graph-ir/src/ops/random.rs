//! Random numbers as functions of a seed (the node `next_seed` takes a new seed in each execution). An op may take the sizes of
//! the result as its last operand, a vector, instead of the attribute `shape`.

use graph_kernels::{self as kernels, Array, DType, Dims, KernelError};

use super::Attrs;
use super::dynamic::of_rank;
use super::rules::{
    self, Class, INDEX, Inferred, check_class, check_same_dtype, check_scalar, int_vector, text,
};
use super::table::op_table;
use crate::types::{Shape, TensorType};

op_table! {
    STATELESS_UNIFORM "stateless_uniform" ["shape", "dtype"]: draw(DType::is_float),
        (|x, a, out| kernels::random_uniform(x[0], &drawn(&x[1..], a)?, a.dtype("dtype")?, out)),
        tf "StatelessRandomUniformV2",
        "Floats uniformly distributed over [0, 1): a seed of two integers -> the given shape.";
    STATELESS_NORMAL "stateless_normal" ["shape", "dtype"]: draw(DType::is_float),
        (|x, a, out| kernels::random_normal(x[0], &drawn(&x[1..], a)?, a.dtype("dtype")?, out)),
        tf "StatelessRandomNormalV2",
        "Normal floats of mean 0 and deviation 1: a seed of two integers -> the given shape.";
    STATELESS_TRUNCATED_NORMAL "stateless_truncated_normal" ["shape", "dtype"]: draw(DType::is_float),
        (|x, a, out| kernels::random_truncated_normal(x[0], &drawn(&x[1..], a)?, a.dtype("dtype")?, out)),
        tf "StatelessTruncatedNormalV2",
        "Normal floats of mean 0 and deviation 1, redrawn if 2 or more away from 0: a seed of two integers -> the given shape.";
    STATELESS_BITS "stateless_bits" ["shape", "dtype"]: draw(INDEX),
        (|x, a, out| kernels::random_bits(x[0], &drawn(&x[1..], a)?, a.dtype("dtype")?, out)),
        tf "StatelessRandomUniformFullIntV2",
        "Integers of any value: a seed of two integers -> the given shape.";
    STATELESS_INTEGERS "stateless_integers" ["shape"]: integers(),
        (|x, a, out| kernels::random_integers(x[0], x[1], x[2], &drawn(&x[3..], a)?, out)),
        tf "StatelessRandomUniformIntV2",
        "Integers uniformly distributed from low (included) to high (excluded), two scalars: a seed of two integers -> the given shape.";
    STATELESS_SHUFFLE "stateless_shuffle" []: shuffle(), (binary kernels::random_shuffle), linear in floats, tf "StatelessShuffle",
        "The rows of axis 0 in a random order: a seed of two integers and [n, ..] -> [n, ..].";
}

/// The shape that a kernel draws: the sizes in the last operand if there is one, otherwise the attribute.
fn drawn(sizes: &[&Array], attrs: &Attrs) -> Result<Dims, KernelError> {
    match sizes {
        [sizes, ..] => kernels::sizes_in("draw", sizes),
        [] => kernels::sizes(attrs.ints("shape")?),
    }
}

/// What is known about the shape that [`drawn`] returns.
fn drawn_type(op: &str, sizes: &[TensorType], attrs: &Attrs) -> Result<Shape, String> {
    let shape = text(kernels::sizes(attrs.ints("shape")?))?;
    match sizes {
        [sizes, ..] => Ok(of_rank(int_vector(op, sizes)?)),
        [] => Ok(Shape::known(&shape)),
    }
}

fn check_seed(op: &str, seed: &TensorType) -> Result<(), String> {
    if seed.dtype.is_index() && rules::merge(op, &seed.shape, &Shape::known(&[2])).is_ok() {
        return Ok(());
    }
    Err(format!("`{op}` takes a seed of two integers, not {seed}"))
}

fn operands_missing(op: &str, needed: usize, types: &[TensorType]) -> String {
    let more = needed + 1;
    format!(
        "`{op}` takes {needed} or {more} operands, not {}",
        types.len()
    )
}

fn draw(op: &str, types: &[TensorType], attrs: &Attrs, class: Class) -> Inferred {
    let (seed, sizes) = match types {
        [seed, sizes @ ..] if sizes.len() <= 1 => (seed, sizes),
        _ => return Err(operands_missing(op, 1, types)),
    };
    check_seed(op, seed)?;
    let dtype = attrs.dtype("dtype")?;
    check_class(op, class, dtype)?;
    Ok(TensorType::new(dtype, drawn_type(op, sizes, attrs)?))
}

fn integers(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let (seed, low, high, sizes) = match types {
        [seed, low, high, sizes @ ..] if sizes.len() <= 1 => (seed, low, high, sizes),
        _ => return Err(operands_missing(op, 3, types)),
    };
    check_seed(op, seed)?;
    check_class(op, INDEX, low.dtype)?;
    check_same_dtype(op, low, high)?;
    check_scalar(op, low)?;
    check_scalar(op, high)?;
    Ok(TensorType::new(low.dtype, drawn_type(op, sizes, attrs)?))
}

fn shuffle(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [seed, x] = rules::operands(op, types)?;
    check_seed(op, seed)?;
    if x.shape.rank() == Some(0) {
        return Err(format!(
            "`{op}` takes an array with at least one axis, not a scalar"
        ));
    }
    Ok(x.clone())
}
