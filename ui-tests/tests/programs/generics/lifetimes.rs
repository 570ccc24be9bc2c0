// Parameters with references and lifetimes.
use graph_runtime::prelude::*;

#[graph_fn]
fn longest<'a>(x: &'a Tensor<f32>, names: &'a [&'a str], bias: &Tensor<f32>) -> Tensor<f32> {
    let most = names.iter().map(|n| n.len()).max().unwrap_or(0);
    if x.sum() > most as f32 {
        x + bias
    } else {
        x - bias
    }
}

#[test]
fn runs() {
    let x = tensor([1.0f32, 4.0]);
    assert_eq!(
        longest(&x, &["a", "abc"], &tensor(1.0)).to_vec(),
        [2.0, 5.0]
    );
    assert_eq!(
        longest(&x, &["abcdefgh"], &tensor(1.0)).to_vec(),
        [0.0, 3.0]
    );
}
