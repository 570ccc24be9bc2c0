//! The model `drawn`, translated from ONNX.

use graph_runtime::prelude::*;

#[graph_fn]
pub fn drawn(seed: Tensor<i64, shape![2]>) -> (Tensor<f32, shape![2]>, Tensor<i64, shape![2]>) {
    let seed = seed.dynamic();
    let stateless_uniform = random::stateless(&seed).uniform::<f32>([2]);
    let stateless_normal = random::stateless(&seed).normal::<f32>([2]);
    let add = &stateless_uniform + &stateless_normal;
    let stateless_truncated_normal = random::stateless(&seed).truncated_normal::<f32>([2]);
    let add_2 = &add + &stateless_truncated_normal;
    let stateless_integers = random::stateless(&seed).integers(0_i64, 9_i64, [2]);
    let stateless_bits = random::stateless(&seed).bits::<i64>([2]);
    let add_3 = &stateless_integers + &stateless_bits;
    (add_2.with_shape::<shape![2]>(), add_3.with_shape::<shape![2]>())
}
