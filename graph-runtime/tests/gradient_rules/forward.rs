//! Forward mode for one use of an op: the tangents of the result and of the first gradients along a direction, by differences and in
//! all ways in which forward mode can run.

use graph_runtime::autodiff::{ForwardAccumulator, jvp};
use graph_runtime::prelude::*;
use graph_runtime::{Array, while_loop};

use crate::used::{Float, Known, STEP, Use, arrays, current, float, tensors, values};

impl Use {
    /// The tangents of the result along the directions.
    pub fn forward_eager(&self) -> Vec<Array> {
        arrays(&self.changes(Known::All, &tensors(&self.floats())))
    }

    pub fn forward_traced(&self, known: Known) -> Vec<Array> {
        self.run(known, traced)
    }

    /// The tangent of a sum over three iterations of a loop.
    pub fn forward_looped(&self, known: Known) -> Vec<Array> {
        self.run(known, looped)
    }

    /// The tangents of the first gradients along the directions.
    pub fn forward_over_reverse_eager(&self) -> Vec<Array> {
        let floats = tensors(&self.floats());
        arrays(&self.changes_of_gradients(&floats, &float(&self.weights())))
    }

    pub fn forward_over_reverse_traced(&self) -> Vec<Array> {
        self.run(Known::All, traced_over_reverse)
    }

    pub fn forward_differences(&self) -> Vec<Array> {
        self.along(|floats| vec![self.result(floats)])
    }

    pub fn gradient_differences(&self) -> Vec<Array> {
        let weights = float(&self.weights());
        self.along(|floats| {
            let used = self.at(floats);
            arrays(&used.gradients(Known::All, &tensors(floats), &weights))
        })
    }

    /// Central differences along the directions.
    fn along(&self, f: impl Fn(&[Array]) -> Vec<Array>) -> Vec<Array> {
        let at = |step: f64| {
            let moved = self.floats().into_iter().zip(self.directions());
            let moved = moved.map(|(x, d)| combined(&x, &d, |x, d| x + step * d));
            f(&moved.collect::<Vec<Array>>())
        };
        let (ahead, behind) = (at(STEP), at(-STEP));
        let slope = |(a, b): (Array, Array)| combined(&a, &b, |a, b| (a - b) / (2.0 * STEP));
        ahead.into_iter().zip(behind).map(slope).collect()
    }

    fn changes(&self, known: Known, floats: &[Float]) -> Vec<Float> {
        let apply = |floats: &Vec<Float>| self.apply(known, floats);
        vec![jvp(apply, &floats.to_vec(), &tensors(&self.directions())).1]
    }

    fn changes_in_a_loop(&self, known: Known, floats: &[Float]) -> Vec<Float> {
        let floats = floats.to_vec();
        let forward = ForwardAccumulator::new(&floats, &tensors(&self.directions()));
        let none = self.apply(known, &floats) * 0.0;
        let state = (tensor(0), floats, none);
        let (_, _, sum) = while_loop(
            |(i, ..)| i.lt(3),
            |(i, floats, sum)| {
                let y = self.apply(known, &floats);
                // The same floats, written so that they aren't loop-invariant to the tracer.
                let one = i.cast::<f64>() * 0.0 + 1.0;
                let floats = floats.iter().map(|x| x * &one).collect();
                (i + 1, floats, sum + y)
            },
            state,
        );
        vec![forward.jvp_or_zeros(&sum)]
    }

    fn changes_of_gradients(&self, floats: &[Float], weights: &Float) -> Vec<Float> {
        let gradients = |floats: &Vec<Float>| self.gradients(Known::All, floats, weights);
        jvp(gradients, &floats.to_vec(), &tensors(&self.directions())).1
    }
}

fn combined(a: &Array, b: &Array, f: impl Fn(f64, f64) -> f64) -> Array {
    let pairs = values(a).iter().zip(values(b));
    let all: Vec<f64> = pairs.map(|(a, b)| f(*a, *b)).collect();
    Array::new(a.shape(), all)
}

#[graph_fn]
fn traced(_number: u64, floats: Vec<Float>, _weights: Float) -> Vec<Float> {
    let (used, known) = current();
    used.changes(known, &floats)
}

#[graph_fn]
fn looped(_number: u64, floats: Vec<Float>, _weights: Float) -> Vec<Float> {
    let (used, known) = current();
    used.changes_in_a_loop(known, &floats)
}

#[graph_fn]
fn traced_over_reverse(_number: u64, floats: Vec<Float>, weights: Float) -> Vec<Float> {
    current().0.changes_of_gradients(&floats, &weights)
}
