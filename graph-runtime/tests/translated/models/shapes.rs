//! The model `shapes`, translated from ONNX.

use graph_runtime::prelude::*;

#[graph_fn]
pub fn shapes(x: Tensor<f32, shape![2, 3]>) -> (Tensor<f32, shape![_, 5]>, Tensor<i32, shape![4]>) {
    let x = x.dynamic();
    let expand_dims = x.expand_dims(-1);
    let transpose = expand_dims.permute([2, 0, 1]);
    let squeeze = transpose.squeeze(&[0]);
    let tile = squeeze.tile([1, 2]);
    let broadcast_to = tile.broadcast_to([2, 2, 6]);
    let shape_of = x.shape_tensor();
    let reshape = broadcast_to.reshape([4, -1]);
    let stack_ = stack([&tensor(8_i32), &tensor(3_i32)], 0);
    let reshape_to = reshape.reshape(&stack_);
    let stack_2 = stack([&tensor(8_i32), &tensor(3_i32)], 0);
    let broadcast_as = reshape_to.broadcast_to(&stack_2);
    let fill_to = fill(&shape_of, 2.0_f32);
    let reduce_sum = x.sum();
    let fill_ = fill([2, 3], &reduce_sum);
    let add = &fill_to + &fill_;
    let concat_ = concat([&broadcast_as, &add], 0);
    let pad = concat_.pad_with([(1, 0), (0, 2)], 0.5_f32);
    let mirror_pad = pad.pad_reflect(&[(1, 1), (0, 0)]);
    let mirror_pad_2 = mirror_pad.pad_symmetric(&[(0, 1), (0, 0)]);
    let size_of = x.size();
    let rank_of = x.rank_tensor();
    let stack_3 = stack([&size_of, &rank_of], 0);
    let concat_2 = concat([&shape_of, &stack_3], 0);
    (mirror_pad_2.with_shape::<shape![_, 5]>(), concat_2.with_shape::<shape![4]>())
}
