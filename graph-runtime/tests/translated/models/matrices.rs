//! The model `matrices`, translated from ONNX.

use graph_runtime::prelude::*;

#[graph_fn]
pub fn matrices(x: Tensor<f32, shape![3, 3]>, y: Tensor<f32, shape![3, 3]>) -> Tensor<f32, shape![3, 3]> {
    let x = x.dynamic();
    let y = y.dynamic();
    let matmul = x.matmul(&y);
    let matmul_2 = x.matmul_t(&y);
    let add = &matmul + &matmul_2;
    let matmul_3 = x.t_matmul(&y);
    let add_2 = &add + &matmul_3;
    let einsum_ = einsum("ij,jk->ik", [&x, &y]);
    let add_3 = &add_2 + &einsum_;
    let diag_part = x.diag_part_at(0);
    let diag = diag_part.diag_at(0);
    let diag_part_2 = y.diag_part_at(0);
    let set_diag = x.set_diag(&diag_part_2, 0);
    let add_4 = &diag + &set_diag;
    let band_part = x.band_part(0, 1);
    let add_5 = &add_4 + &band_part;
    let eye = eye_rectangular::<f32>(3, 3);
    let add_6 = &add_5 + &eye;
    let eye_2 = eye_rectangular::<f32>(3, 3);
    let mul = &eye_2 * 9.0_f32;
    let add_7 = &x + &mul;
    let solve = add_7.solve(&y);
    let tensordot = x.tensordot(&y, &[0, 1], &[1, 0]);
    let linspace_ = linspace(0.0_f32, 1.0_f32, 3);
    let reduce_sum = linspace_.sum();
    let add_8 = &tensordot + &reduce_sum;
    let range_ = range(0.0_f32, 3.0_f32, 1.0_f32);
    let relax_shape = range_.relax_shape(&[Some(3)]);
    let reduce_sum_2 = relax_shape.sum();
    let add_9 = &add_8 + &reduce_sum_2;
    let add_10 = &add_3 + &add_6;
    let add_11 = &add_10 + &solve;
    let add_12 = &add_11 + &add_9;
    let index = x.get(0_i32);
    let cast = index.cast::<i32>();
    let one_hot = cast.one_hot::<f32>(3);
    let add_13 = &add_12 + &one_hot;
    add_13.with_shape::<shape![3, 3]>()
}
