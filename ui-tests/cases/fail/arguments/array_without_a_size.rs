// Wanted: arrays, as `tf.TensorArray(tf.int32, 0, dynamic_size=True)` and `tf.TensorArray(..).unstack(rows)` make them.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(rows: Tensor<i32>) -> Tensor<i32> {
    let mut squares = TensorArray::new();
    let mut cubes = TensorArray::new(0, true);
    cubes.push(rows[0]);
    let array = TensorArray::unstack(rows);
    squares.push(array.read(0));
    squares.stack()
}

fn main() {}
