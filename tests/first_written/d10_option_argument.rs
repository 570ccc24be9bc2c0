use graph_runtime::prelude::*;
// An optional mask and a default.
#[graph_fn]
fn masked_sum(x: Tensor<f32>, mask: Option<Tensor<bool>>) -> Tensor<f32> {
    let x = match mask {
        Some(mask) => select(mask, x, 0.0),
        None => x,
    };
    x.sum()
}
fn main() {
    let x = tensor([1.0, 2.0, 4.0]);
    assert_eq!(masked_sum(x.clone(), None).item(), 7.0);
    assert_eq!(masked_sum(x, Some(tensor([true, false, true]))).item(), 5.0);
}
