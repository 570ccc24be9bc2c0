// `&mut` parameters that change under tensor conditions.
use graph_runtime::prelude::*;

#[graph_fn]
fn clip(x: &mut Tensor<i32>, limit: i32) -> Tensor<bool> {
    let clipped = *x > limit;
    if clipped {
        *x = tensor(limit);
    }
    clipped
}

#[test]
fn runs() {
    let mut x = tensor(12);
    assert!(clip(&mut x, 10).item());
    assert_eq!(x.item(), 10);
    assert!(!clip(&mut x, 10).item());
}
