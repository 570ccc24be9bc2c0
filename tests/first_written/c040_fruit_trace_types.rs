//! Structs of tensors as arguments: seed2_fruit_trace_types.
use graph_runtime::prelude::*;

#[derive(Clone, TraceType)]
struct Apple {
    flavor: Tensor<i32>,
}

#[derive(Clone, TraceType)]
struct Mango {
    flavor: Tensor<i32>,
}

#[graph_fn]
fn mixed_flavor(apple: Apple, mango: Mango) -> Tensor<i32> {
    apple.flavor + mango.flavor
}

fn main() {
    let apple = Apple { flavor: tensor([1, 2]) };
    let mango = Mango { flavor: tensor([3, 4]) };
    assert_eq!(mixed_flavor(apple.clone(), mango.clone()).to_vec(), [4, 6]);
    assert_eq!(mixed_flavor(apple, mango).to_vec(), [4, 6]);
    assert_eq!(mixed_flavor::function().trace_count(), 1);
}
