//! An exponential moving average over floats of either width (textbook: simple exponential smoothing).
use graph_runtime::prelude::*;

#[graph_fn]
fn smooth<T: Float>(series: Tensor<T>, alpha: Tensor<T>) -> Tensor<T> {
    let mut average = series[0];
    for x in series {
        average += alpha * (x - average);
    }
    average
}

fn main() {
    // 8 -> 8, 4 -> 6, 2 -> 4, 0 -> 2
    let single = smooth(tensor([8.0f32, 4.0, 2.0, 0.0]), tensor(0.5f32));
    assert_eq!(single.item(), 2.0f32);
    let double = smooth(tensor([8.0f64, 4.0, 2.0, 0.0]), tensor(0.5f64));
    assert_eq!(double.item(), 2.0f64);
    assert_eq!(smooth(tensor([3.0f64]), tensor(0.25)).item(), 3.0);
}
