// A write gives the array that was written: without it, the row is lost.
#![deny(unused_must_use)]

use graph_runtime::prelude::*;

#[graph_fn]
fn squares(n: Tensor<i32>) -> Tensor<i32> {
    let mut array = TensorArray::new(3);
    for i in 0..n {
        array.clone().write(&i, &i * &i);
    }
    array = array.write(0, 1);
    array.stack()
}

fn main() {
    squares(tensor(3));
}
