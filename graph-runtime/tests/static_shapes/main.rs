//! Shapes in types: annotations check the types of results, and the tests check that values and run-time shapes agree with them.

use graph_runtime::prelude::*;
use graph_runtime::tensor::SizedValues;

mod signatures;

fn of<T: graph_runtime::Element, V: SizedValues<T>>(values: V) -> Tensor<T, V::Shape> {
    Tensor::of(values)
}

/// Whether the shape of the value fits the type.
fn agrees<T: graph_runtime::Element, S: ShapeSpec>(x: &Tensor<T, S>) -> bool {
    let dims = x.shape();
    let dims = dims.dims().expect("a value has a shape");
    S::SIZES.is_none_or(|sizes| {
        sizes.len() == dims.len() && sizes.iter().zip(dims).all(|(s, d)| s.is_none() || s == d)
    })
}

#[test]
fn elementwise_ops_broadcast_scalars_and_trailing_axes() {
    let x: Tensor<f32, S2<2, 3>> = of([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    let row: Tensor<f32, S1<3>> = of([10.0, 20.0, 30.0]);
    let scalar: Tensor<f32, S0> = of(2.0);
    let y: Tensor<f32, S2<2, 3>> = &x + &row;
    let z: Tensor<f32, S2<2, 3>> = &row - (1.0 - &x) * 2.0 / &scalar;
    let mask: Tensor<bool, S2<2, 3>> = y.gt(&row).logical_and(true);
    assert_eq!(y.to_vec(), [11.0, 22.0, 33.0, 14.0, 25.0, 36.0]);
    assert_eq!(z.to_vec(), [10.0, 21.0, 32.0, 13.0, 24.0, 35.0]);
    assert!(mask.all().item() && agrees(&y) && agrees(&z) && agrees(&mask));
    let column: Tensor<f32, shape![2, One]> = of([[1.0], [2.0]]).with_shape();
    let scaled: Tensor<f32, S2<2, 3>> = &x * &column;
    assert_eq!(scaled.to_vec(), [1.0, 2.0, 3.0, 8.0, 10.0, 12.0]);
    let mut sum = x.clone();
    sum += &row;
    sum += 1.0;
    assert_eq!(sum.to_vec(), [12.0, 23.0, 34.0, 15.0, 26.0, 37.0]);
}

#[test]
fn unknown_sizes_and_dyn_spread() {
    let x: Tensor<i32, shape![_, 3]> = tensor([[1, 2, 3]]).with_shape();
    let y: Tensor<i32, S2<2, 3>> = of([[1, 2, 3], [4, 5, 6]]);
    let sum: Tensor<i32, shape![_, 3]> = &x + &y;
    let dynamic: Tensor<i32> = &sum + tensor([1]);
    assert_eq!(dynamic.to_vec(), [3, 5, 7, 6, 8, 10]);
    assert!(agrees(&sum));
}

#[test]
fn products_have_the_outer_sizes() {
    let a: Tensor<i32, S2<2, 3>> = of([[1, 2, 3], [4, 5, 6]]);
    let b: Tensor<i32, S2<3, 2>> = a.t();
    let ab: Tensor<i32, S2<2, 2>> = matmul(&a, &b);
    let same: Tensor<i32, S2<2, 2>> = a.matmul_t(&a);
    let inner: Tensor<i32, S2<3, 3>> = a.t_matmul(&a);
    assert_eq!(
        (ab.to_vec(), same.to_vec()),
        (vec![14, 32, 32, 77], vec![14, 32, 32, 77])
    );
    assert_eq!(inner.to_vec(), [17, 22, 27, 22, 29, 36, 27, 36, 45]);
    let batch: Tensor<i32, S3<5, 2, 3>> = Tensor::of_ones();
    let product: Tensor<i32, S3<5, 2, 2>> = batch.matmul(&b);
    let rows: Tensor<i32, shape![_, 2, 3]> = batch.with_shape();
    let unknown: Tensor<i32, shape![_, 2, 2]> = rows.matmul(&b);
    let both: Tensor<i32, S3<5, 2, 2>> = batch.matmul_t(&batch);
    assert!(agrees(&product) && agrees(&unknown) && agrees(&both));
}

#[test]
fn reductions_and_new_axes_take_constant_axes() {
    let x: Tensor<f64, S3<2, 3, 4>> = Tensor::of_ones();
    let sum: Tensor<f64, S0> = x.sum();
    let first: Tensor<f64, S2<3, 4>> = x.sum_axis(Axis::<0>);
    let last: Tensor<f64, S2<2, 3>> = x.max_axis(Axis::<-1>);
    let variance: Tensor<f64, S2<2, 4>> = x.variance_axis(Axis::<1>);
    let positions: Tensor<i64, S2<2, 3>> = x.argmax(Axis::<2>);
    let column: Tensor<f64, shape![2, 3, One]> = last.expand_dims(Axis::<-1>);
    let centered: Tensor<f64, S3<2, 3, 4>> = &x - &column;
    let dynamic: Tensor<f64> = x.sum_axis(0);
    assert_eq!((sum.item(), dynamic.to_vec()), (24.0, first.to_vec()));
    assert!(
        agrees(&first)
            && agrees(&last)
            && agrees(&variance)
            && agrees(&positions)
            && agrees(&centered)
    );
}

#[test]
fn joins_keep_what_all_parts_have() {
    let a: Tensor<i32, S2<2, 3>> = of([[1, 2, 3], [4, 5, 6]]);
    let rows: Tensor<i32, shape![_, 3]> = concat([&a, &a], Axis::<0>);
    let two: Tensor<i32, S3<2, 2, 3>> = stack([&a, &a], Axis::<0>);
    let last: Tensor<i32, S3<2, 3, 2>> = stack([&a, &a], Axis::<-1>);
    let dynamic: Tensor<i32> = concat(&[&a, &a], 1);
    assert_eq!(rows.to_vec(), [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6]);
    assert_eq!(last.to_vec(), [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]);
    assert_eq!(dynamic.shape().to_string(), "[2,6]");
    assert!(agrees(&rows) && agrees(&two) && agrees(&last));
}

#[test]
fn reshapes_take_a_shape_type() {
    let a: Tensor<i32, S2<2, 3>> = of([[1, 2, 3], [4, 5, 6]]);
    let b: Tensor<i32, S2<3, 2>> = a.reshape_to();
    let c = b.reshape_to::<shape![_, 6]>();
    assert_eq!(
        (b.to_vec(), c.shape().to_string()),
        (a.to_vec(), "[1,6]".into())
    );
    assert!(agrees(&b) && agrees(&c));
}

fn generic<S: ShapeSpec>(x: Tensor<f32, S>) -> Tensor<f32, S> {
    (&x * 2.0 + &x).tanh().gelu()
}

#[test]
fn functions_can_be_generic_in_the_shape() {
    let x: Tensor<f32, S1<2>> = generic(of([0.0, 100.0]));
    let y: Tensor<f32> = generic(tensor([0.0, 100.0]));
    assert_eq!(x.to_vec(), y.to_vec());
}

#[test]
#[should_panic(expected = "is not of shape")]
fn a_wrong_claim_fails() {
    let _: Tensor<i32, shape![_, 3]> = tensor([[1, 2]]).with_shape();
}
