//! The model `whole_numbers`, translated from ONNX.

use graph_runtime::prelude::*;

#[graph_fn]
pub fn whole_numbers(n: Tensor<i32, shape![4]>, m: Tensor<i32, shape![4]>) -> (Tensor<i32, shape![4]>, Tensor<f64, shape![4]>, Tensor<bool, shape![4]>) {
    let n = n.dynamic();
    let m = m.dynamic();
    let bit_and = &n & &m;
    let bit_or = &n | &m;
    let add = &bit_and + &bit_or;
    let bit_xor = &n ^ &m;
    let add_2 = &add + &bit_xor;
    let left_shift = n.left_shift(&m);
    let add_3 = &add_2 + &left_shift;
    let right_shift = n.right_shift(1_i32);
    let add_4 = &add_3 + &right_shift;
    let floor_div = n.floor_div(&m);
    let floor_mod = n.floor_mod(&m);
    let add_5 = &floor_div + &floor_mod;
    let div = &n / &m;
    let add_6 = &add_5 + &div;
    let rem = &n % 3_i32;
    let add_7 = &add_6 + &rem;
    let less = n.lt(&m);
    let greater_equal = n.ge(3_i32);
    let logical_or = less.logical_or(&greater_equal);
    let equal = n.equal(&m);
    let logical_xor = logical_or.logical_xor(&equal);
    let not_equal = n.not_equal(7_i32);
    let logical_and = logical_xor.logical_and(&not_equal);
    let logical_not = logical_and.logical_not();
    let less_equal = n.le(&m);
    let logical_or_2 = logical_not.logical_or(&less_equal);
    let greater = n.gt(-9_i32);
    let logical_and_2 = logical_or_2.logical_and(&greater);
    let add_8 = &add_4 + &add_7;
    let true_div = n.true_div(&m);
    (add_8.with_shape::<shape![4]>(), true_div.with_shape::<shape![4]>(), logical_and_2.with_shape::<shape![4]>())
}
