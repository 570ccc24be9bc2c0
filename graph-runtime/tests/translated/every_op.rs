//! Graph functions that are translated back to Rust: the printed function is compiled, and gives the bits of the original.

use graph_runtime::function::ToLoaded;
use graph_runtime::prelude::*;

use super::{expected_source, methods, models, programs, source};

/// A function as the example prints it is the module of its name.
#[track_caller]
fn is_printed(name: &str, function: &impl ToLoaded) {
    let translated = source::translate(&function.to_loaded().unwrap()).unwrap();
    expected_source(name, &translated.source);
    assert!(!translated.has_weights());
}

/// The values of a matrix, from -1 to 1 without 0.
fn around_zero(sizes: &[usize]) -> Tensor<f32> {
    let count = sizes.iter().product::<usize>();
    let values = (0..count).map(|i| (i as f32 * 0.37).sin() * 0.9 + 0.01);
    Tensor::from_vec(sizes, values.collect()).unwrap()
}

/// Checks that two functions give the same for these arguments, and that the second is what is printed of the first.
macro_rules! same {
    ($name:ident($($argument:expr),*), $result:ty) => {
        is_printed(stringify!($name), &programs::$name::concrete($($argument),*).unwrap());
        let expected: $result = programs::$name($($argument),*);
        let found = models::$name::$name($($argument),*);
        assert_eq!(format!("{found:?}"), format!("{expected:?}"));
    };
}

#[test]
fn functions_of_numbers() {
    let (x, y) = (around_zero(&[2, 3]), around_zero(&[2, 3]).abs());
    same!(functions(&x, &y), Tensor<f32>);
    let (n, m) = (Tensor::of([7, -3, 0, 5]), Tensor::of([2, 3, 1, 4]));
    same!(
        whole_numbers(&n, &m),
        (Tensor<i32>, Tensor<f64>, Tensor<bool>)
    );
}

#[test]
fn shapes_and_parts() {
    let x = around_zero(&[2, 3]);
    same!(shapes(&x), (Tensor<f32>, Tensor<i32>));
    let (x, at) = (around_zero(&[4, 5]), Tensor::of([1i64, 3]));
    same!(parts(&x, &at), (Tensor<f32>, Tensor<f32>));
}

#[test]
fn orders_matrices_and_images() {
    let (x, ids) = (around_zero(&[3, 4]), Tensor::of([0i64, 0, 1]));
    same!(orders(&x, &ids), (Tensor<f32>, Tensor<i64>));
    let (x, y) = (around_zero(&[3, 3]), around_zero(&[3, 3]).abs());
    same!(matrices(&x, &y), Tensor<f32>);
    let (image, filter) = (around_zero(&[1, 4, 4, 2]), around_zero(&[2, 2, 2, 3]));
    same!(images(&image, &filter), (Tensor<f32>, Tensor<f32>));
}

#[test]
fn lists_texts_and_random_numbers() {
    same!(
        squares(tensor(3), Tensor::of([1.5f32, 2.0])),
        (Tensor<f32>, Tensor<f32>)
    );
    let words = Tensor::of(["a".to_owned(), "b".to_owned()]);
    same!(texts(&words), (Tensor<String>, Tensor<i32>));
    same!(drawn(Tensor::of([3i64, 4])), (Tensor<f32>, Tensor<i64>));
}

#[test]
fn each_method_is_of_an_op() {
    let names = methods::METHODS
        .iter()
        .chain(methods::OPERATORS)
        .map(|(name, _)| *name);
    for name in names.chain(methods::OF_OPERANDS.iter().copied()) {
        assert!(graph_runtime::ops::find(name).is_some(), "{name}");
    }
}
