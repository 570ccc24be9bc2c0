//! The model `parts`, translated from ONNX.

use graph_runtime::prelude::*;

#[graph_fn]
pub fn parts(x: Tensor<f32, shape![4, 5]>, at: Tensor<i64, shape![2]>) -> (Tensor<f32, shape![]>, Tensor<f32, shape![4, 7]>) {
    let x = x.dynamic();
    let at = at.dynamic();
    let index = at.get(0_i32);
    let strided_slice = x.get((1..-1, (..).by(2)));
    let reshape = strided_slice.reshape([-1]);
    let reduce_sum = reshape.sum();
    let index_axis = x.get((.., 1_i32));
    let reduce_sum_2 = index_axis.sum();
    let add = &reduce_sum + &reduce_sum_2;
    let index_2 = x.get((2_i32, 3_i32));
    let add_2 = &add + &index_2;
    let slice_axis = x.get((.., &index..));
    let reduce_sum_3 = slice_axis.sum();
    let index_3 = at.get(1_i32);
    let slice_rows = x.get(&index..&index_3);
    let reduce_sum_4 = slice_rows.sum();
    let add_3 = &reduce_sum_3 + &reduce_sum_4;
    let index_axis_2 = x.get((Ellipsis, &index));
    let reduce_sum_5 = index_axis_2.sum();
    let add_4 = &add_3 + &reduce_sum_5;
    let index_4 = x.get((&index, &index));
    let add_5 = &add_4 + &index_4;
    let slice = x.slice(&tensor([1_i64, 2_i64]), [2, -1]);
    let reduce_sum_6 = slice.sum();
    let slice_2 = x.slice(&at, [1, 1]);
    let reduce_sum_7 = slice_2.sum();
    let add_6 = &reduce_sum_6 + &reduce_sum_7;
    let strided_slice_2 = x.get((.., (..-1).by(2)));
    let reduce_sum_8 = strided_slice_2.sum();
    let add_7 = &add_6 + &reduce_sum_8;
    let set_part = x.with_part((1_i32..3_i32, &index), 7.0_f32);
    let fill_ = fill([5], 1.5_f32);
    let set_row = set_part.with_row(0_i32, &fill_);
    let index_axis_3 = x.get((.., 0_i32));
    let set_part_2 = set_row.with_part((.., 4_i32), &index_axis_3);
    let gather = set_part_2.gather_axis(&at, 0);
    let reduce_sum_9 = gather.sum();
    let gather_2 = set_part_2.gather_axis(&at, 1);
    let reduce_sum_10 = gather_2.sum();
    let add_8 = &reduce_sum_9 + &reduce_sum_10;
    let expand_dims = at.expand_dims(0);
    let gather_nd = set_part_2.gather_nd_batch(&expand_dims, 0);
    let reduce_sum_11 = gather_nd.sum();
    let add_9 = &add_8 + &reduce_sum_11;
    let expand_dims_2 = at.expand_dims(1);
    let fill_2 = fill([2, 5], 3.0_f32);
    let scatter_update = x.scatter_update(&expand_dims_2, &fill_2);
    let expand_dims_3 = at.expand_dims(1);
    let fill_3 = fill([2, 5], 1.0_f32);
    let scatter_add = scatter_update.scatter_add(&expand_dims_3, &fill_3);
    let expand_dims_4 = at.expand_dims(0);
    let fill_4 = fill([1], 1.0_f32);
    let mul = tensor(2.0_f32) * &fill_4;
    let scatter_sub = scatter_add.scatter_sub(&expand_dims_4, &mul);
    let expand_dims_5 = at.expand_dims(1);
    let fill_5 = fill([2, 5], 0.5_f32);
    let scatter_max = scatter_sub.scatter_max(&expand_dims_5, &fill_5);
    let take_along_axis = scatter_max.take_along_axis(tensor([[0_i64, 4_i64], [1_i64, 1_i64], [2_i64, 3_i64], [3_i64, 0_i64]]), 1);
    let index_axis_4 = x.get((.., 0_i32));
    let greater = index_axis_4.gt(0.0_f32);
    let boolean_mask = x.boolean_mask(&greater);
    let reduce_sum_12 = boolean_mask.sum();
    let nonzero = x.nonzero();
    let cast = nonzero.cast::<f32>();
    let reduce_sum_13 = cast.sum();
    let add_10 = &reduce_sum_12 + &reduce_sum_13;
    let add_11 = &add_2 + &add_5;
    let add_12 = &add_11 + &add_7;
    let add_13 = &add_12 + &add_9;
    let add_14 = &add_13 + &add_10;
    let concat_ = concat([&take_along_axis, &scatter_max], 1);
    (add_14.with_shape::<shape![]>(), concat_.with_shape::<shape![4, 7]>())
}
