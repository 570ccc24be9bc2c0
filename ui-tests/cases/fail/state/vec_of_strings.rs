// Wanted: to log in a `Vec` what the graph does.
use graph_runtime::prelude::*;

#[graph_fn]
fn logged(x: Tensor<i32>) -> Tensor<i32> {
    let mut log: Vec<String> = Vec::new();
    if x > 0 {
        log.push("positive".to_string());
    }
    println!("{}", log.len());
    x
}

fn main() {}
