// Wanted: to fill a map under a tensor condition.
use graph_runtime::prelude::*;
use std::collections::HashMap;

#[graph_fn]
fn named(x: Tensor<i32>) -> Tensor<i32> {
    let mut names: HashMap<String, String> = HashMap::new();
    if x > 0 {
        names.insert("sign".to_string(), "positive".to_string());
    }
    println!("{}", names.len());
    x
}

fn main() {}
