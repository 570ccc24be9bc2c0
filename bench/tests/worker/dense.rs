//! Products of matrices: alone, in chains, in batches, in attention; a convolution.

use ndarray::{Array2, Array4, ArrayD, Axis, Ix2, arr2, indices};

use crate::case::{Case, product, softmax};

#[test]
fn products() {
    for name in ["matmul_f32_64", "matmul_f32_256", "matmul_f32_1024"] {
        let mut case = Case::new(name);
        let (a, b) = (case.matrix(3, 4), case.matrix(4, 5));
        case.gives([product(&a, &b).into_dyn()], 1e-6);
    }
}

#[test]
fn a_product_of_doubles() {
    let mut case = Case::new("matmul_f64_512");
    let a = arr2(&[[1.0, 1e-15], [2.0, 3.0]]);
    case.input(&a.clone().into_dyn());
    case.input(&a.into_dyn());
    case.run();
    let expected = arr2(&[[1.0 + 2e-15, 4e-15], [8.0, 9.0 + 2e-15]]);
    let off = case.output::<f64>(0) - expected.into_dyn();
    assert!(off.iter().all(|v| v.abs() < 2e-15), "{off}");
}

fn matrix(batch: &ArrayD<f64>, at: &[usize]) -> Array2<f64> {
    let at = at
        .iter()
        .fold(batch.view(), |view, i| view.index_axis_move(Axis(0), *i));
    at.to_owned()
        .into_dimensionality::<Ix2>()
        .expect("a batch of matrices")
}

#[test]
fn a_batch_of_products() {
    let mut case = Case::new("batched_matmul_32x128x128");
    let (a, b) = (case.random(&[2, 3, 4]), case.random(&[2, 4, 5]));
    let products = [0, 1].map(|i| product(&matrix(&a, &[i]), &matrix(&b, &[i])));
    let views = products.each_ref().map(|p| p.view());
    let expected = ndarray::stack(Axis(0), &views).expect("equal shapes");
    case.gives([expected.into_dyn()], 1e-6);
}

#[test]
fn attention() {
    let mut case = Case::new("attention_b8_h8_s256_d64");
    let [q, k, v] = [0; 3].map(|_| case.random(&[1, 2, 5, 64]));
    case.run();
    let got = case.output::<f32>(0).mapv(f64::from);
    for head in 0..2 {
        let [q, k, v] = [&q, &k, &v].map(|x| matrix(x, &[0, head]));
        let weights = softmax(&(product(&q, &k.t().to_owned()) / 8.0));
        let off = matrix(&got, &[0, head]) - product(&weights, &v);
        assert!(off.iter().all(|v| v.abs() < 1e-5), "head {head}: {off}");
    }
}

#[test]
fn the_hundredth_power() {
    let mut case = Case::new("seed_power_10x10_i32_100");
    let x = Array2::from_shape_fn((10, 10), |(i, j)| (i * 7 + j * 3) as i32 % 3 - 1);
    case.input(&x.clone().into_dyn());
    case.run();
    let mut expected = Array2::from_diag_elem(10, 1i32);
    for _ in 0..100 {
        expected = Array2::from_shape_fn((10, 10), |(i, j)| {
            (0..10).fold(0i32, |sum, k| {
                sum.wrapping_add(x[[i, k]].wrapping_mul(expected[[k, j]]))
            })
        });
    }
    assert_eq!(case.output::<i32>(0), expected.into_dyn());
}

#[test]
fn a_costly_sum_of_powers() {
    let mut case = Case::new("seed_costly_100x100_f32_99");
    let x = case.matrix(9, 9);
    let mut power = Array2::from_diag_elem(9, 1.0);
    let mut sum = Array2::zeros((9, 9));
    for i in 1..100 {
        power = product(&x, &power) / f64::from(i);
        sum += &power;
    }
    case.gives([sum.into_dyn()], 1e-3);
}

#[test]
fn a_convolution_with_bias() {
    let mut case = Case::new("seed_conv2d_200x200x100_100f_3x3");
    let (x, filters) = (case.random(&[2, 5, 6, 3]), case.random(&[3, 3, 3, 4]));
    let bias = case.random(&[4]);
    let window = |[n, i, j, f]: [usize; 4]| {
        let products = indices((3, 3, 3))
            .into_iter()
            .map(|(di, dj, c)| x[[n, i + di, j + dj, c]] * filters[[di, dj, c, f]]);
        products.sum::<f64>() + bias[f]
    };
    let expected = Array4::from_shape_fn((2, 3, 4, 4), |(n, i, j, f)| window([n, i, j, f]));
    case.gives([expected.into_dyn()], 1e-5);
}
