//! Frames with a Hann window, added again where they overlap (textbook: short-time Fourier analysis).
use graph_runtime::prelude::*;
use std::f32::consts::PI;

fn hann(n: usize) -> Vec<f32> {
    (0..n).map(|i| 0.5 - 0.5 * (2.0 * PI * i as f32 / n as f32).cos()).collect()
}

#[graph_fn]
fn overlap_add(signal: Tensor<f32>, frame: usize, hop: usize) -> (Tensor<f32>, Tensor<f32>) {
    let window = tensor(hann(frame));
    let mut out = vec![tensor(0.0); signal.len()];
    let mut energies = Vec::new();
    let mut start = 0;
    while start + frame <= signal.len() {
        let windowed = signal.slice([start], [frame]) * window;
        for i in 0..frame {
            out[start + i] += windowed[i];
        }
        energies.push(windowed.square().sum());
        start += hop;
    }
    (stack(out, 0), stack(energies, 0))
}

fn main() {
    let (out, energies) = overlap_add(tensor([1.0; 16]), 8, 4);
    let out = out.to_vec();
    for i in 4..12 {
        assert!((out[i] - 1.0).abs() < 1e-5);
    }
    assert_eq!(out[0], 0.0);
    assert!((out[2] - 0.5).abs() < 1e-5);
    let energies = energies.to_vec();
    assert_eq!(energies.len(), 3);
    assert!(energies.iter().all(|e| (e - 3.0).abs() < 1e-5));
}
