//! Cases of random ops. The numbers are those of TensorFlow 2.21 for the seed [1, 2].

use graph_kernels::{Array, DType};

use super::*;
use crate::ops::*;

pub(super) fn cases() -> Vec<Case> {
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
            TypeError("`stateless_uniform` takes a vector of integers, not an array of shape []"),
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
            TypeError("`stateless_shuffle` takes an array with at least one axis, not a scalar"),
        ),
    ]
}
