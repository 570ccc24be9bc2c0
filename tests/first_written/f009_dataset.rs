//! A dataset that is shuffled, mapped, filtered, batched and repeated, in a loop of the graph and in a plain loop.

use graph_runtime::prelude::*;

#[graph_fn]
fn epoch_sum(data: &Dataset<(Tensor<f32>, Tensor<i32>)>) -> (Tensor<f32>, Tensor<i32>) {
    let mut total = tensor(0.0);
    let mut batches = tensor(0);
    for (x, label) in data {
        total += (x.sum_axis(1) * label.cast::<f32>()).sum();
        batches += 1;
    }
    (total, batches)
}

fn main() {
    random::set_seed(42);
    let x: Vec<[f32; 2]> = (0..10).map(|i| [i as f32, 1.0]).collect();
    let labels: Vec<i32> = (0..10).map(|i| i % 3).collect();
    let data = Dataset::from_slices((tensor(x), tensor(labels)))
        .filter(|(_, label)| label.ne(1))
        .map(|(x, label)| (x * 0.5, label))
        .shuffle(10)
        .batch(4);
    let (total, batches) = epoch_sum(&data);
    assert_eq!(total.item(), TOTAL);
    assert_eq!(batches.item(), 2);

    let mut seen = Vec::new();
    for (x, _) in data.repeat(2) {
        for row in x.to_vec().chunks(2) {
            seen.push(row[0] * 2.0);
        }
    }
    seen.sort_by(f32::total_cmp);
    assert_eq!(seen, [0., 0., 2., 2., 3., 3., 5., 5., 6., 6., 8., 8., 9., 9.]);

    let mut first_epochs = vec![];
    for _ in 0..2 {
        let order: Vec<i64> = Dataset::range(100).shuffle(100).take(5).iter().map(|i| i.item()).collect();
        first_epochs.push(order);
    }
    assert_ne!(first_epochs[0], first_epochs[1]);
}

// i = 2, 5, 8 have label 2: 2 * 0.5 * (2 + 5 + 8 + 3).
const TOTAL: f32 = 18.0;
