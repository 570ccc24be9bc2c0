use graph_runtime::prelude::*;
// impl Trait arguments and results.
#[graph_fn]
fn total(xs: impl IntoIterator<Item = Tensor<i32>>) -> Tensor<i32> {
    let mut sum = tensor(0);
    for x in xs {
        if x % 2 == 0 {
            sum += x;
        }
    }
    sum
}
fn scaler(k: i32) -> impl Fn(Tensor<i32>) -> Tensor<i32> {
    move |x| x * k
}
#[graph_fn]
fn scaled(x: Tensor<i32>) -> Tensor<i32> {
    scaler(3)(x)
}
fn main() {
    assert_eq!(total(vec![tensor(1), tensor(2), tensor(4)]).item(), 6);
    assert_eq!(total((0..5).map(tensor)).item(), 6);
    assert_eq!(scaled(tensor(2)).item(), 6);
}
