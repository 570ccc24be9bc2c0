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

#[cfg(test)]
pub(super) mod tests {
    //! Cases of random ops, with the numbers that TensorFlow 2.21 gives for the seed [1, 2].

    use graph_kernels::{Array, DType};

    use crate::ops::tests::*;
    use crate::ops::*;

    pub(in crate::ops) fn cases() -> Vec<Case> {
        let seed = || vector([1i64, 2]);
        let draw = |op, shape: Attr, dtype, inputs: Vec<Array>, expected| {
            case_with(op, [shape, Attr::DType(dtype)], inputs, expected)
        };
        let integers = |inputs: Vec<Array>, expected| {
            case_with(&STATELESS_INTEGERS, [ints([2])], inputs, expected)
        };
        vec![
            draw(
                &STATELESS_UNIFORM,
                ints([2]),
                DType::F32,
                vec![seed()],
                Value(vector([0.844_060_4f32, 0.192_045_33])),
            ),
            draw(
                &STATELESS_UNIFORM,
                ints([]),
                DType::F64,
                vec![vector([1i32, 2]), vector([2i64, 1])],
                Value(matrix([
                    [0.752_483_753_845_180_1],
                    [0.969_785_772_562_748_6],
                ])),
            ),
            draw(
                &STATELESS_UNIFORM,
                ints([2]),
                DType::I32,
                vec![seed()],
                TypeError("`stateless_uniform` is not defined for int32"),
            ),
            draw(
                &STATELESS_UNIFORM,
                ints([-2]),
                DType::F32,
                vec![seed()],
                TypeError("[-2] is not a shape"),
            ),
            draw(
                &STATELESS_UNIFORM,
                ints([2]),
                DType::F32,
                vec![vector([1i64, 2, 3])],
                TypeError("`stateless_uniform` takes a seed of two integers, not int64[3]"),
            ),
            draw(
                &STATELESS_UNIFORM,
                ints([]),
                DType::F32,
                vec![seed(), vector([-2])],
                RunError("[-2] is not a shape"),
            ),
            draw(
                &STATELESS_UNIFORM,
                ints([]),
                DType::F32,
                vec![seed(), scalar(2)],
                TypeError(
                    "`stateless_uniform` takes a vector of integers, not an array of shape []",
                ),
            ),
            draw(
                &STATELESS_NORMAL,
                ints([2]),
                DType::F64,
                vec![seed()],
                Value(vector([-0.142_311_810_018_921_2, 0.740_607_246_158_509_1])),
            ),
            draw(
                &STATELESS_TRUNCATED_NORMAL,
                ints([3]),
                DType::F64,
                vec![seed()],
                Value(vector([
                    -0.142_311_810_018_921_2,
                    0.740_607_246_158_509_1,
                    -0.552_387_756_244_845,
                ])),
            ),
            draw(
                &STATELESS_BITS,
                ints([2]),
                DType::I32,
                vec![seed()],
                Value(vector([1_105_988_140, 1_738_052_849])),
            ),
            draw(
                &STATELESS_BITS,
                ints([2]),
                DType::F32,
                vec![seed()],
                TypeError("`stateless_bits` is not defined for float32"),
            ),
            integers(
                vec![seed(), scalar(-3), scalar(1000)],
                Value(vector([97, 284])),
            ),
            integers(
                vec![seed(), scalar(-3), scalar(1000), vector([2, 1])],
                Value(matrix([[97], [284]])),
            ),
            integers(
                vec![seed(), scalar(5), scalar(5)],
                RunError("Need minval < maxval, got 5 >= 5"),
            ),
            integers(
                vec![seed(), scalar(5), scalar(6i64)],
                TypeError("`stateless_integers` takes operands of one dtype, not int32 and int64"),
            ),
            case(
                &STATELESS_SHUFFLE,
                [seed(), matrix([[7, 8]])],
                Value(matrix([[7, 8]])),
            ),
            case(
                &STATELESS_SHUFFLE,
                [seed(), scalar(1)],
                TypeError(
                    "`stateless_shuffle` takes an array with at least one axis, not a scalar",
                ),
            ),
        ]
    }
}
