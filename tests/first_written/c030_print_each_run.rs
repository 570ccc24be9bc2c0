//! A print of the graph at each run, around a rotation's series: seed1_print_versus_tf_print.
use graph_runtime::prelude::*;

#[graph_fn]
fn quick_computation(x: Tensor<f32>) -> Tensor<f32> {
    println!("Only prints the first time!");
    graph_print!("Prints every time!");
    let mut aux = Tensor::<f32>::eye(2);
    let mut result = Tensor::<f32>::zeros([2]);
    for i in 1..10 {
        aux = x.matmul(&aux) / (i as f32);
        result = result + aux;
    }
    result
}

fn main() {
    let x = tensor([[0.0, 1.0], [-1.0, 0.0]]);
    for _ in 0..2 {
        let result = quick_computation(x.clone()).to_vec();
        for (a, b) in result.iter().zip([-0.4596974, 0.841471, -0.841471, -0.4596974]) {
            assert!((a - b).abs() < 1e-5);
        }
    }
    assert_eq!(quick_computation::function().trace_count(), 1);
}
