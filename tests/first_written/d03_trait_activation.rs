use graph_runtime::prelude::*;
// A trait with implementations under the attribute, used by generic code.
trait Activation {
    fn apply(&self, x: Tensor<f32>) -> Tensor<f32>;
}
struct Relu;
struct Leaky(f32);
impl Activation for Relu {
    #[graph_fn]
    fn apply(&self, x: Tensor<f32>) -> Tensor<f32> {
        x.relu()
    }
}
impl Activation for Leaky {
    #[graph_fn]
    fn apply(&self, x: Tensor<f32>) -> Tensor<f32> {
        if x > 0.0 { x } else { x * self.0 }
    }
}
fn twice<A: Activation>(a: &A, x: Tensor<f32>) -> Tensor<f32> {
    a.apply(a.apply(x))
}
fn all(activations: &[Box<dyn Activation>], x: &Tensor<f32>) -> Vec<f32> {
    activations.iter().map(|a| a.apply(x.clone()).item()).collect()
}
fn main() {
    assert_eq!(twice(&Relu, tensor(-1.0)).item(), 0.0);
    assert_eq!(twice(&Leaky(0.5), tensor(-4.0)).item(), -1.0);
    assert_eq!(all(&[Box::new(Relu), Box::new(Leaky(0.1))], &tensor(-10.0)), [0.0, -1.0]);
}
