use graph_runtime::prelude::*;
// Collecting results.
fn checked(x: &Tensor<f32>, n: usize) -> Result<Tensor<f32>, String> {
    if n == 0 { Err("no parts".to_string()) } else { Ok(x / n as f32) }
}
#[graph_fn]
fn parts(x: Tensor<f32>, counts: Vec<usize>) -> Result<Vec<Tensor<f32>>, String> {
    counts.iter().map(|n| checked(&x, *n)).collect()
}
fn main() {
    let found = parts(tensor(6.0), vec![1, 2, 3]).unwrap();
    assert_eq!(found.iter().map(|x| x.item()).collect::<Vec<_>>(), [6.0, 3.0, 2.0]);
    assert_eq!(parts(tensor(6.0), vec![1, 0]).unwrap_err(), "no parts");
}
