use graph_runtime::prelude::*;
// A complex number of tensors with operators.
use std::ops::{Add, Mul};
#[derive(Clone, GraphState, TraceType)]
struct Complex {
    re: Tensor<f32>,
    im: Tensor<f32>,
}
impl Add for Complex {
    type Output = Complex;
    fn add(self, other: Complex) -> Complex {
        Complex { re: self.re + other.re, im: self.im + other.im }
    }
}
impl Mul for Complex {
    type Output = Complex;
    #[graph_fn]
    fn mul(self, other: Complex) -> Complex {
        Complex { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }
}
#[graph_fn]
fn escape(c: Complex) -> Tensor<i32> {
    let mut z = Complex { re: tensor(0.0), im: tensor(0.0) };
    let mut steps = tensor(0);
    while z.re * z.re + z.im * z.im < 4.0 && steps < 50 {
        z = z.clone() * z + c.clone();
        steps += 1;
    }
    steps
}
fn main() {
    assert_eq!(escape(Complex { re: tensor(0.0), im: tensor(0.0) }).item(), 50);
    assert_eq!(escape(Complex { re: tensor(1.0), im: tensor(0.0) }).item(), 2);
}
