//! How the tests compare numbers with NumPy's.

use super::inputs::normal;
use graph_runtime::nn::{Gradient, Module};
use graph_runtime::tensor::Tensor;

/// Whether all numbers found are those expected, but for a part of `tolerance` (or of 1, if they are smaller).
#[track_caller]
pub fn close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{found:?}, not {expected:?}");
    for (f, e) in found.iter().zip(expected) {
        let off = (f - e).abs() / e.abs().max(1.0);
        assert!(off <= tolerance, "{found:?}, not {expected:?}");
    }
}

/// Gives each variable of a model values by the formula, so that NumPy has them, too.
pub fn fill(model: &impl Module) {
    for (i, part) in model.trainable_variables().iter().enumerate() {
        let values = normal(part.count(), 100 + 2 * i as u32);
        let values = values.iter().map(|v| 0.2 * *v as f32).collect();
        let values = Tensor::from_vec(part.array().shape(), values).expect("there are as many");
        part.variable::<f32>()
            .expect("a variable of f32")
            .assign(values);
    }
}

/// How the loss changes where all variables change in a direction that NumPy has, too. There it is a difference of two losses.
pub fn slope(gradients: &[Gradient]) -> f64 {
    let one = |(i, gradient): (usize, &Gradient)| {
        let gradient = gradient
            .tensor::<f32>()
            .expect("the loss depends on it")
            .to_vec();
        let direction = normal(gradient.len(), 500 + 2 * i as u32);
        gradient
            .iter()
            .zip(direction)
            .map(|(g, d)| f64::from(*g) * d)
            .sum::<f64>()
    };
    gradients.iter().enumerate().map(one).sum()
}
