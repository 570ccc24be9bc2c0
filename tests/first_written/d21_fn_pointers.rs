use graph_runtime::prelude::*;
// Functions in a table.
#[graph_fn]
fn double(x: Tensor<i32>) -> Tensor<i32> { x * 2 }
#[graph_fn]
fn square(x: Tensor<i32>) -> Tensor<i32> { x * x }
#[graph_fn]
fn pipeline(x: Tensor<i32>, which: &[usize]) -> Tensor<i32> {
    let table: [fn(Tensor<i32>) -> Tensor<i32>; 2] = [double, square];
    which.iter().fold(x, |x, i| table[*i](x))
}
fn main() {
    assert_eq!(pipeline(tensor(3), &[0, 1, 0]).item(), 72);
}
