// Wanted: to assign a tensor of another shape.
use graph_runtime::prelude::*;
fn main() {
    let weights: Variable<f32, S2<2, 3>> = Variable::new(Tensor::of_zeros());
    let step: Tensor<f32, S2<3, 2>> = Tensor::of_zeros();
    weights.assign(step);
}
