//! The model `loop`, translated from ONNX.

use graph_runtime::prelude::*;

#[graph_fn]
pub fn loop_(n: Tensor<i64, shape![]>) -> Tensor<i64, shape![]> {
    let n = n.dynamic();
    let greater = n.gt(1_i64);
    let mut state = greater;
    let mut state_2 = n;
    let mut state_3 = tensor(0_i64);
    while state {
        let floor_mod = state_2.floor_mod(2_i64);
        let equal = floor_mod.equal(0_i64);
        let result = if equal {
            let div = &state_2 / 2_i64;
            div
        } else {
            let mul = &state_2 * 3_i64;
            let add = &mul + 1_i64;
            add
        };
        let add_2 = &state_3 + 1_i64;
        let greater_2 = result.gt(1_i64);
        (state, state_2, state_3) = (greater_2, result, add_2);
    }
    state_3.with_shape::<shape![]>()
}
