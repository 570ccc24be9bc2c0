use graph_runtime::prelude::*;
// Constants as generics.
#[graph_fn]
fn unrolled<const N: usize>(x: Tensor<f32>) -> [Tensor<f32>; N] {
    let mut power = tensor(1.0);
    std::array::from_fn(|_| {
        power *= x;
        power.clone()
    })
}
fn main() {
    let [a, b, c] = unrolled::<3>(tensor(2.0));
    assert_eq!((a.item(), b.item(), c.item()), (2.0, 4.0, 8.0));
}
