// Wanted: to collect the errors of several lines.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    let parsed: Result<i32, std::num::ParseIntError> = try { "1".parse::<i32>()? };
    x + parsed.unwrap()
}

fn main() {}
