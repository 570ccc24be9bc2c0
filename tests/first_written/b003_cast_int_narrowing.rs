//! Casts of int32 to narrower and wider integers, bool and float. From: conformance cast_int_narrowing.
use graph_runtime::prelude::*;

#[graph_fn]
fn cast_int_narrowing(a: Tensor<i32>) -> (Tensor<i8>, Tensor<u8>, Tensor<i64>, Tensor<bool>, Tensor<f32>) {
    let truth = a.cast::<bool>();
    (a.cast::<i8>(), a.cast::<u8>(), a.cast::<i64>(), truth.clone(), truth.cast::<f32>())
}

fn main() {
    let (i8s, u8s, i64s, bools, floats) = cast_int_narrowing(tensor([300, -1, 128, 256, 2147483647]));
    assert_eq!(i8s.to_vec(), [44, -1, -128, 0, -1]);
    assert_eq!(u8s.to_vec(), [44, 255, 128, 0, 255]);
    assert_eq!(i64s.to_vec(), [300, -1, 128, 256, 2147483647]);
    assert_eq!(bools.to_vec(), [true; 5]);
    assert_eq!(floats.to_vec(), [1.0; 5]);

    let (i8s, u8s, _, bools, floats) = cast_int_narrowing(tensor([0, 1, 127, -128, -129]));
    assert_eq!(i8s.to_vec(), [0, 1, 127, -128, 127]);
    assert_eq!(u8s.to_vec(), [0, 1, 127, 128, 127]);
    assert_eq!(bools.to_vec(), [false, true, true, true, true]);
    assert_eq!(floats.to_vec(), [0.0, 1.0, 1.0, 1.0, 1.0]);
}
