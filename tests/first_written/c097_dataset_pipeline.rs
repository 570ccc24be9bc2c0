//! A dataset that is filtered, mapped, batched and taken from (textbook: input pipelines).
use graph_runtime::prelude::*;

#[graph_fn]
fn pipeline(values: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let dataset = Dataset::from_slices(values)
        .filter(|x| x % 2 == 0)
        .map(|x| x * x)
        .batch(2)
        .take(2);
    let mut sum = tensor(0);
    let mut batches = tensor(0);
    for batch in &dataset {
        sum += batch.sum();
        batches += 1;
        if sum > 1000 {
            break;
        }
    }
    (sum, batches)
}

fn main() {
    // 4 + 16 and 36 + 64
    let (sum, batches) = pipeline(tensor([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
    assert_eq!((sum.item(), batches.item()), (120, 2));
    let (sum, batches) = pipeline(tensor([40, 50, 60]));
    assert_eq!((sum.item(), batches.item()), (4100, 1));
    let (sum, batches) = pipeline(tensor([1, 3, 5]));
    assert_eq!((sum.item(), batches.item()), (0, 0));
}
