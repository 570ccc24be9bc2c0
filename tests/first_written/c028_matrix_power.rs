//! A matrix to the power of a Rust number and of a tensor: seed0_power_python_loop.
use graph_runtime::prelude::*;

#[graph_fn]
fn power(x: Tensor<i32>, y: usize) -> Tensor<i32> {
    let mut result = Tensor::<i32>::eye(3);
    for _ in 0..y {
        result = x.matmul(&result);
    }
    result
}

#[graph_fn]
fn tensor_power(x: Tensor<i32>, y: Tensor<i32>) -> Tensor<i32> {
    let mut result = Tensor::<i32>::eye(3);
    for _ in 0..y {
        result = x.matmul(&result);
    }
    result
}

fn main() {
    let x = tensor([[0, 1, -1], [1, 1, 0], [-1, 0, 1]]);
    assert_eq!(power(x.clone(), 0).to_vec(), [1, 0, 0, 0, 1, 0, 0, 0, 1]);
    assert_eq!(power(x.clone(), 1).to_vec(), x.to_vec());
    let seventh = [42, 43, -43, 43, 43, -42, -43, -42, 43];
    assert_eq!(power(x.clone(), 7).to_vec(), seventh);
    assert_eq!(tensor_power(x.clone(), tensor(7)).to_vec(), seventh);
    assert_eq!(power(x, 100).to_vec()[..3], [1431655766, 1431655765, -1431655765]);
}
