// Wanted: several things that graph functions can't do; all of them are reported in one go.
use graph_runtime::prelude::*;

#[graph_fn]
async unsafe fn f(x: Tensor<i32>) -> Tensor<i32> {
    let a = std::future::ready(1).await;
    let b = async { 2 };
    for i in 0..3 {
        yield i;
    }
    x + a
}

fn main() {}
