//! Returns between prints: conformance `return_then_more_code`.
use graph_runtime::prelude::*;

#[graph_fn]
fn root(x: Tensor<f32>) -> Tensor<f32> {
    if x < 0.0 {
        graph_print!("negative");
        return x;
    }
    graph_print!("continuing");
    let y = x.sqrt();
    if y > 1.0 {
        return y;
    }
    graph_print!("tiny");
    y + 100.0
}

fn main() {
    assert_eq!(root(tensor(4.0)).item(), 2.0);
    assert_eq!(root(tensor(-4.0)).item(), -4.0);
    assert_eq!(root(tensor(0.0)).item(), 100.0);
}
