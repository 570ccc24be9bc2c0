// Methods of a trait's implementation.
use graph_runtime::prelude::*;

trait Activation {
    fn call(&self, x: Tensor<f32>) -> Tensor<f32>;
    fn twice(&self, x: Tensor<f32>) -> Tensor<f32> {
        self.call(self.call(x))
    }
}

struct Leaky(f32);

impl Activation for Leaky {
    #[graph_fn]
    fn call(&self, x: Tensor<f32>) -> Tensor<f32> {
        if x > 0.0 { x } else { x * self.0 }
    }
}

#[test]
fn runs() {
    assert_eq!(Leaky(0.5).call(tensor(4.0)).item(), 4.0);
    assert_eq!(Leaky(0.5).twice(tensor(-4.0)).item(), -1.0);
}
