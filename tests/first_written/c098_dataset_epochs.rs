//! Epochs over a shuffled dataset: every row is seen once in each (textbook: stochastic gradient descent).
use graph_runtime::prelude::*;

#[graph_fn]
fn fit_mean(data: &Dataset<(Tensor<f32>, Tensor<f32>)>, epochs: usize) -> (Tensor<f32>, Tensor<i32>) {
    let mut slope = tensor(0.0);
    let mut rows = tensor(0);
    for _ in 0..epochs {
        for (x, y) in data {
            let error = slope * x - y;
            slope -= 0.02 * (error * x).mean();
            rows += 1;
        }
    }
    (slope, rows)
}

fn main() {
    random::set_seed(7);
    let x = tensor([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let y = tensor([3.0, 6.0, 9.0, 12.0, 15.0, 18.0]);
    let data = Dataset::from_slices((x, y)).shuffle(6).batch(2);
    let (slope, batches) = fit_mean(&data, 30);
    assert!((slope.item() - 3.0).abs() < 1e-3);
    assert_eq!(batches.item(), 90);

    let mut seen = Vec::new();
    for (x, _) in &data {
        seen.extend(x.to_vec());
    }
    seen.sort_by(f32::total_cmp);
    assert_eq!(seen, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
}
