//! Products, traces and transposes as einsums. From: conformance einsum_forms.
use graph_runtime::prelude::*;

#[graph_fn]
fn einsums(a: Tensor<f32>, b: Tensor<f32>) -> Vec<Tensor<f32>> {
    vec![
        einsum("ij,jk->ik", &[&a, &b]),
        einsum("ij,ij->", &[&a, &b]),
        einsum("ij->ji", &[&a]),
        einsum("ii->i", &[&a]),
        einsum("i,j->ij", &[&a[0], &b[0]]),
        einsum("ij,kj->ki", &[&a, &b]),
    ]
}

fn main() {
    let results = einsums(tensor([[1.0, 2.0], [3.0, 4.0]]), tensor([[5.0, 6.0], [7.0, 8.0]]));
    let expected: [&[f32]; 6] = [
        &[19.0, 22.0, 43.0, 50.0],
        &[70.0],
        &[1.0, 3.0, 2.0, 4.0],
        &[1.0, 4.0],
        &[5.0, 6.0, 10.0, 12.0],
        &[17.0, 39.0, 23.0, 53.0],
    ];
    for (result, expected) in results.iter().zip(expected) {
        assert_eq!(result.to_vec(), expected);
    }
}
