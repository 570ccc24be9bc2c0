//! Which key of a telephone was pressed: the power at a few frequencies, by Goertzel's recursion, for all of them at once.

use graph_runtime::prelude::*;

#[graph_fn]
fn goertzel(samples: Tensor<f64>, frequencies: Tensor<f64>, rate: f64) -> Tensor<f64> {
    let omega = 2.0 * std::f64::consts::PI * frequencies / rate;
    let coefficient = 2.0 * omega.cos();
    let mut s1 = omega.zeros_like();
    let mut s2 = omega.zeros_like();
    for sample in samples {
        let s0 = sample + &coefficient * &s1 - &s2;
        s2 = s1;
        s1 = s0;
    }
    s1.square() + s2.square() - coefficient * s1 * s2
}

fn main() {
    const ROWS: [f64; 4] = [697.0, 770.0, 852.0, 941.0];
    const COLUMNS: [f64; 3] = [1209.0, 1336.0, 1477.0];
    const KEYS: [[char; 3]; 4] = [['1', '2', '3'], ['4', '5', '6'], ['7', '8', '9'], ['*', '0', '#']];
    let rate = 8000.0;
    for (r, row) in ROWS.iter().enumerate() {
        for (c, column) in COLUMNS.iter().enumerate() {
            let t = range(0, 400, 1).cast::<f64>() / rate;
            let tone = (2.0 * std::f64::consts::PI * *row * &t).sin() + (2.0 * std::f64::consts::PI * *column * &t).sin();
            let low = goertzel(&tone, tensor(ROWS), rate).argmax(0).item() as usize;
            let high = goertzel(&tone, tensor(COLUMNS), rate).argmax(0).item() as usize;
            assert_eq!(KEYS[low][high], KEYS[r][c]);
        }
    }
    // One frequency per period of the samples: the power is (n/2)².
    let x = (2.0 * std::f64::consts::PI * range(0, 8, 1).cast::<f64>() / 8.0).cos();
    let power = goertzel(x, tensor([1.0]), 8.0);
    assert!((power[0].item() - 16.0).abs() < 1e-9);
    assert_eq!(goertzel::function().trace_count(), 3);
}
