//! k-nearest neighbours on the digits: distances by one product, the vote by one-hot rows.

use graph_runtime::data::read_idx;
use graph_runtime::prelude::*;

#[graph_fn]
fn classify(train: &Tensor<f32>, labels: &Tensor<i32>, x: &Tensor<f32>, k: usize) -> Tensor<i64> {
    let squares = x.square().sum_axes(&[1], true) + train.square().sum_axis(1);
    let distances = squares - 2.0 * x.matmul(train.t());
    let (_, nearest) = (-distances).top_k(k);
    let votes = labels.gather(nearest).one_hot::<f32>(10).sum_axis(1);
    votes.argmax(-1)
}

fn load(name: &str) -> (Tensor<f32>, Tensor<i32>) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/digits");
    let images = read_idx::<u8>(&format!("{folder}/{name}-images.idx3-ubyte")).unwrap();
    let labels = read_idx::<u8>(&format!("{folder}/{name}-labels.idx1-ubyte")).unwrap();
    let n = images.shape()[0];
    (images.reshape(&[n, 64]).cast(), labels.cast())
}

fn main() {
    let (train, labels) = load("train");
    let (test, wanted) = load("test");
    let found = classify(&train, &labels, &test, 3);
    let right = found.eq(wanted.cast::<i64>()).count_nonzero();
    println!("{right} of {}", test.dim(0));
    assert_eq!(right.item(), RIGHT);
}

// NumPy's, with a stable sort of the distances.
const RIGHT: i64 = 285;
