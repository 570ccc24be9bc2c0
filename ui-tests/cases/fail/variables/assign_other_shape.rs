// Wanted: to assign a tensor of another shape.
use graph_runtime::prelude::*;
fn main() {
    let weights: Variable<f32, S2<2, 3>> = Variable::new(Tensor::zeros());
    let step: Tensor<f32, S2<3, 2>> = Tensor::zeros();
    weights.assign(step);
}
