//! k nearest neighbours by a vote (textbook: k-NN).
use graph_runtime::prelude::*;

#[graph_fn]
fn classify(points: Tensor<f32>, labels: Tensor<i32>, query: Tensor<f32>, k: usize) -> Tensor<i32> {
    let distances = (points - query).square().sum_axis(1);
    let nearest = distances.argsort().slice([0], [k]);
    let mut votes = Tensor::<i32>::zeros([2]);
    for index in nearest {
        votes += labels[index].one_hot(2).cast::<i32>();
    }
    votes.argmax(0).cast::<i32>()
}

fn main() {
    let points = tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [5.0, 5.0], [5.0, 6.0], [2.0, 2.0]]);
    let labels = tensor([0, 0, 0, 1, 1, 1]);
    assert_eq!(classify(points.clone(), labels.clone(), tensor([0.2, 0.2]), 3).item(), 0);
    assert_eq!(classify(points.clone(), labels.clone(), tensor([4.0, 5.0]), 3).item(), 1);
    assert_eq!(classify(points.clone(), labels.clone(), tensor([1.6, 1.6]), 1).item(), 1);
    assert_eq!(classify(points, labels, tensor([1.6, 1.6]), 5).item(), 0);
}
