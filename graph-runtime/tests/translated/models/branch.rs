//! The model `branch`, translated from ONNX.

use graph_runtime::prelude::*;

#[graph_fn]
pub fn branch(x: Tensor<f32, shape![_]>) -> Tensor<f32, shape![_]> {
    let x = x.dynamic();
    let reduce_sum = x.sum();
    let greater = reduce_sum.gt(0.0_f32);
    let result = if greater {
        let mul = &x * &x;
        mul
    } else {
        let mul_2 = &x * 0.5_f32;
        mul_2
    };
    result.with_shape::<shape![_]>()
}
