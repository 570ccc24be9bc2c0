//! Two clusters on a line, until the centres stay. From: textbook: k-means.
use graph_runtime::prelude::*;

#[graph_fn]
fn two_means(points: Tensor<f32>, a: Tensor<f32>, b: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>, Tensor<i32>) {
    let (mut a, mut b) = (a, b);
    let mut rounds = tensor(0);
    loop {
        let near_a = ((points - a).abs() <= (points - b).abs()).cast::<f32>();
        let near_b = 1.0 - near_a;
        let next_a = (points * near_a).sum() / near_a.sum();
        let next_b = (points * near_b).sum() / near_b.sum();
        rounds += 1;
        let stays = next_a == a && next_b == b;
        a = next_a;
        b = next_b;
        if stays {
            return (a, b, rounds);
        }
    }
}

fn main() {
    let (a, b, rounds) = two_means(tensor([1.0, 2.0, 3.0, 8.0, 9.0, 10.0]), tensor(1.0), tensor(10.0));
    assert_eq!(a.item(), 2.0);
    assert_eq!(b.item(), 9.0);
    assert_eq!(rounds.item(), 2);
}
