//! Matrices by rows and columns.

use ndarray::{Array2, Axis, Ix2, arr0};

use crate::case::{self, Case};

#[test]
fn softmax_of_rows() {
    let mut case = Case::new("softmax_rows_4096x1024");
    let x = case.matrix(3, 37);
    case.gives([case::softmax(&x).into_dyn()], 1e-6);
}

#[test]
fn layer_norm_of_rows() {
    let mut case = Case::new("layernorm_4096x1024");
    let x = case.matrix(3, 37);
    let (scale, shift) = (case.random(&[37]), case.random(&[37]));
    let expected = Array2::from_shape_fn(x.dim(), |(i, j)| {
        let mean = x.row(i).sum() / 37.0;
        let variance = x.row(i).mapv(|v| (v - mean) * (v - mean)).sum() / 37.0;
        (x[[i, j]] - mean) / (variance + 1e-5).sqrt() * scale[j] + shift[j]
    });
    case.gives([expected.into_dyn()], 1e-5);
}

#[test]
fn the_mean_row_summed() {
    let mut case = Case::new("seed_vectorized_100x100");
    let x = case.matrix(7, 5);
    case.gives([arr0(x.sum() / 7.0).into_dyn()], 1e-6);
}

#[test]
fn sums() {
    let mut case = Case::new("reduce_sum_axis0_4096x1024");
    let x = case.matrix(41, 37);
    case.gives([x.sum_axis(Axis(0)).into_dyn()], 1e-5);

    let mut case = Case::new("reduce_sum_all_1e7");
    let x = case.random(&[10_001]);
    case.gives([arr0(x.sum()).into_dyn()], 1e-4);
}

#[test]
fn a_transpose() {
    let mut case = Case::new("transpose_2048");
    let x = case.matrix(5, 7);
    case.run();
    let got = case.output::<f32>(0).into_dimensionality::<Ix2>();
    assert_eq!(got.expect("a matrix").mapv(f64::from), x.t());
}
