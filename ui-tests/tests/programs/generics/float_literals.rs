// Wanted: a float literal beside a tensor whose element type is a parameter, as beside one of `f32`.
use graph_runtime::prelude::*;

#[graph_fn]
fn slowed<T: Float>(velocity: Tensor<T>, gradient: &Tensor<T>) -> Tensor<T> {
    0.9 * velocity + (1.0 - gradient) * -0.5 - gradient.square() / 4.0
}

#[graph_fn]
fn leaky<T: Float>(x: Tensor<T>) -> Tensor<T> {
    let mut y = x;
    if x.sum() < 0.0 {
        y *= 0.25;
    }
    while y.abs().max() > 1.5 {
        y /= 2.0;
    }
    y
}

/// Variables with the names of those in generated code.
#[graph_fn]
fn named_alike<T: Float>(value: Tensor<T>, number: Tensor<T>) -> Tensor<T> {
    0.5 * value + number * 2.0
}

/// A rule of a gradient.
#[graph_fn]
fn damped<T: Float>(x: Tensor<T>) -> Tensor<T> {
    custom_gradient(x, |x| (x.square(), |gradient| gradient * 0.9))
}

/// Rust numbers stay what they are, also where their type is a parameter.
#[graph_fn]
fn mean<N: Copy + Into<f64>>(values: &[N], weight: f32) -> (f64, f32) {
    let sum: f64 = values.iter().map(|v| (*v).into() * 1.0).sum();
    let half = |a| a * 0.5;
    let mut best = 0.0;
    for value in values {
        let value: f64 = (*value).into();
        if value * 2.0 > 3.0 && value > best {
            best = value;
        }
    }
    (half(sum) + best * 0.0, weight * 2.0)
}

#[graph_fn]
fn scaled<V>(value: V) -> V
where
    V: std::ops::Mul<f64, Output = V> + PartialOrd<f64> + Copy,
{
    if value > 0.5 { value * 3.0 } else { value }
}

struct Average<T: Float> {
    value: Variable<T>,
}

impl<T: Float> Average<T> {
    #[graph_fn]
    fn follow(&self, x: &Tensor<T>) -> Tensor<T> {
        self.value.assign(self.value * 0.75 + x * 0.25);
        self.value.read()
    }
}

#[test]
fn literals_have_the_element_type() {
    // 0.9 * 2 + (1 - 4) * -0.5 - 16 / 4
    assert!((slowed(tensor(2.0f64), &tensor(4.0)).item() + 0.7).abs() < 1e-12);
    assert!((slowed(tensor(2.0f32), &tensor(4.0)).item() + 0.7).abs() < 1e-6);
    assert_eq!(leaky(tensor([-8.0f32, 2.0])).to_vec(), [-1.0, 0.25]);
    assert_eq!(named_alike(tensor(4.0f32), tensor(3.0)).item(), 8.0);
    assert_eq!(leaky(tensor([2.25f64, 2.0])).to_vec(), [1.125, 1.0]);
}

#[test]
fn rules_of_gradients_have_them() {
    let x = tensor(3.0f64);
    assert_eq!(grad(|x: &Tensor<f64>| damped(x.clone()))(&x).item(), 0.9);
}

#[test]
fn numbers_stay_rust() {
    assert_eq!(mean(&[1.0f32, 2.0], 1.5), (1.5, 3.0));
    assert_eq!(mean(&[1i32, 4], 1.5), (2.5, 3.0));
    assert_eq!((scaled(2.0), scaled(0.25)), (6.0, 0.25));
}

#[test]
fn methods_of_a_generic_type_have_them() {
    let average = Average {
        value: Variable::new(tensor(8.0f32)),
    };
    assert_eq!(average.follow(&tensor(4.0)).item(), 7.0);
}
