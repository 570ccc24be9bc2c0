//! The model `squares`, translated from ONNX.

use graph_runtime::prelude::*;

#[graph_fn]
pub fn squares(n: Tensor<i32, shape![]>, row: Tensor<f32, shape![2]>) -> (Tensor<f32, shape![_, 2]>, Tensor<f32, shape![]>) {
    let n = n.dynamic();
    let row = row.dynamic();
    let list_new = TensorArray::<f32>::dynamic();
    let maximum = n.maximum(0_i32);
    let sub = &maximum - 0_i32;
    let mut state = tensor(0.0_f32);
    let mut state_2 = list_new;
    let mut state_3 = tensor(0_i32);
    while state_3.lt(&sub) {
        let add = tensor(0_i32) + &state_3;
        let cast = add.cast::<f32>();
        let mul = &row * &cast;
        let reduce_sum = mul.sum();
        let add_2 = &state + &reduce_sum;
        let list_write = state_2.clone().write(&add, &mul);
        let add_3 = &state_3 + 1_i32;
        (state, state_2, state_3) = (add_2, list_write, add_3);
    }
    let list_rows = state_2.stack();
    (list_rows.with_shape::<shape![_, 2]>(), state.with_shape::<shape![]>())
}
