// Wanted: to add a matrix to a variable that holds a vector.
use graph_runtime::prelude::*;
fn main() {
    let bias: Variable<f32, S1<3>> = Variable::new(Tensor::of_zeros());
    let rows: Tensor<f32, S2<2, 3>> = Tensor::of_zeros();
    bias.assign_add(rows);
}
