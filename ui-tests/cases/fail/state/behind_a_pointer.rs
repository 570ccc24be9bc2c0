// Wanted: a number behind a raw pointer that changes where a tensor decides.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<f32>, count: Counter) -> Tensor<f32> {
    let pointer = count.0;
    if x > 0.0 {
        unsafe { *pointer += 1 };
    }
    x
}

struct Counter(*mut u32);

fn main() {}
