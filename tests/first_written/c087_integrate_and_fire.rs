//! A leaky integrate-and-fire neuron: its spikes and last voltage (textbook: Lapicque's neuron).
use graph_runtime::prelude::*;

#[graph_fn]
fn neuron(currents: Tensor<f32>, leak: f32, threshold: f32) -> (Tensor<i32>, Tensor<f32>, Tensor<i32>) {
    let mut voltage = tensor(0.0);
    let mut spikes = TensorArray::<i32>::new();
    let mut count = tensor(0);
    for current in currents {
        voltage = leak * voltage + current;
        let spike = if voltage >= threshold {
            voltage = 0.0;
            count += 1;
            1
        } else {
            0
        };
        spikes.push(spike);
    }
    (spikes.stack(), voltage, count)
}

fn main() {
    let currents = tensor([0.3, 0.3, 0.3, 0.9, 0.0, 0.6, 0.6, 0.6]);
    let (spikes, voltage, count) = neuron(currents, 0.9, 1.0);
    assert_eq!(spikes.to_vec(), [0, 0, 0, 1, 0, 0, 1, 0]);
    assert!((voltage.item() - 0.6).abs() < 1e-6);
    assert_eq!(count.item(), 2);
}
