//! A model whose method is a graph function with a branch: seed3_custom_model.
use graph_runtime::prelude::*;

#[derive(TraceType)]
struct CustomModel {
    divisor: i32,
}

impl CustomModel {
    #[graph_fn]
    fn call(&self, input: Tensor<i32>) -> Tensor<i32> {
        if input.mean() > 0 {
            input
        } else {
            input.floor_div(self.divisor)
        }
    }
}

fn main() {
    let model = CustomModel { divisor: 2 };
    assert_eq!(model.call(tensor([-2, -4])).to_vec(), [-1, -2]);
    assert_eq!(model.call(tensor([5, 4])).to_vec(), [5, 4]);
    assert_eq!(model.call(tensor([5, -4])).to_vec(), [2, -2]);
    assert_eq!(model.call(tensor([2, -1])).to_vec(), [1, -1]);
    assert_eq!(model.call(tensor([-3, -5])).to_vec(), [-2, -3]);
}
