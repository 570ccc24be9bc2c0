use graph_runtime::prelude::*;
// A mutable slice of tensors changed in place.
#[graph_fn]
fn normalize(xs: &mut [Tensor<f32>]) {
    let total = xs.iter().fold(tensor(0.0), |a, b| a + b);
    for x in xs.iter_mut() {
        *x /= &total;
    }
}
#[graph_fn]
fn swap_if_greater(a: &mut Tensor<f32>, b: &mut Tensor<f32>) {
    if *a > *b {
        std::mem::swap(a, b);
    }
}
fn main() {
    let mut xs = vec![tensor(1.0), tensor(3.0)];
    normalize(&mut xs);
    assert_eq!(xs[1].item(), 0.75);
    let (mut a, mut b) = (tensor(5.0), tensor(2.0));
    swap_if_greater(&mut a, &mut b);
    assert_eq!((a.item(), b.item()), (2.0, 5.0));
}
