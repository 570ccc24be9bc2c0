// A where-clause and an `impl Trait` argument.
use graph_runtime::prelude::*;

#[graph_fn]
fn summed<I>(parts: I, scale: impl Into<f64> + Copy) -> Tensor<f64>
where
    I: IntoIterator<Item = f64>,
{
    let mut sum = tensor(0.0);
    for part in parts {
        sum += part * scale.into();
    }
    if sum > 100.0 { tensor(100.0) } else { sum }
}

#[test]
fn runs() {
    assert_eq!(summed(vec![1.0, 2.0], 2.0f32).item(), 6.0);
    assert_eq!(summed([60.0, 70.0], 1).item(), 100.0);
}
