// A generic struct as state.
use graph_runtime::prelude::*;
use graph_runtime::{Element, GraphState};

#[derive(Clone, GraphState)]
struct Pair<T: Element> {
    first: Tensor<T>,
    rest: (Tensor<i32>, Vec<Tensor<T>>),
}

#[graph_fn]
fn swapped(swap: Tensor<bool>, a: Tensor<f32>, b: Tensor<f32>) -> Tensor<f32> {
    let mut pair = Pair {
        first: a,
        rest: (tensor(0), vec![b]),
    };
    if swap {
        let first = pair.rest.1[0].clone();
        pair = Pair {
            first,
            rest: (tensor(1), vec![pair.first.clone()]),
        };
    }
    pair.first - pair.rest.1[0].clone() + pair.rest.0.cast::<f32>()
}

#[test]
fn runs() {
    assert_eq!(swapped(tensor(false), tensor(5.0), tensor(2.0)).item(), 3.0);
    assert_eq!(swapped(tensor(true), tensor(5.0), tensor(2.0)).item(), -2.0);
}
