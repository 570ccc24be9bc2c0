//! A layer of one's own whose state is a struct: a leaky integrator with a threshold, stepped over the rows of a sequence.

use graph_runtime::prelude::*;

/// What the layer remembers from one row to the next.
#[derive(Clone, Debug, GraphState, TraceType)]
struct State {
    level: Tensor<f32>,
    fired: Tensor<i32>,
}

struct Leaky {
    weights: Tensor<f32>,
    decay: f32,
    threshold: f32,
}

impl Leaky {
    fn new(inputs: usize, units: usize) -> Self {
        let n = inputs * units;
        let weights = (0..n).map(|i| (i % 5) as f32 * 0.1).collect::<Vec<f32>>();
        Leaky {
            weights: Tensor::from_vec([inputs, units], weights).unwrap(),
            decay: 0.5,
            threshold: 1.1,
        }
    }

    fn start(&self) -> State {
        let units = self.weights.dim(1);
        State {
            level: zeros([units]),
            fired: zeros([units]),
        }
    }

    fn step(&self, state: State, x: &Tensor<f32>) -> State {
        let level = state.level * self.decay + x.expand_dims(0).matmul(&self.weights).squeeze(&[0]);
        let fires = level.gt(self.threshold);
        State {
            level: fires.select(0.0, level),
            fired: state.fired + fires.cast::<i32>(),
        }
    }
}

#[graph_fn]
fn run(weights: &Tensor<f32>, xs: &Tensor<f32>) -> State {
    let layer = Leaky {
        weights: weights.clone(),
        decay: 0.5,
        threshold: 1.1,
    };
    let mut state = layer.start();
    for x in xs {
        if x.sum() == 0.0 {
            continue;
        }
        state = layer.step(state, &x);
    }
    state
}

fn main() {
    let layer = Leaky::new(3, 4);
    let xs = tensor([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0], [0.5, 0.5, 0.5], [2.0, 1.0, 0.0]]);
    let end = run(&layer.weights, &xs);
    println!("{end:?}");
    for (found, wanted) in end.level.to_vec().iter().zip(LEVEL) {
        assert!((found - wanted).abs() < 1e-6);
    }
    assert_eq!(end.fired.to_vec(), FIRED);
}

// NumPy's.
const LEVEL: [f32; 4] = [0.575, 0.325, 0.675, 0.0];
const FIRED: [i32; 4] = [1, 1, 0, 1];
