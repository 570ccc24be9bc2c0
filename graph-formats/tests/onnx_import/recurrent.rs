//! Recurrent layers, compared with the equations of ONNX's specification, which are calculated one number at a time.

use graph_formats::onnx::proto::{AttributeProto, NodeProto};
use graph_kernels::Array;

use crate::models::*;

const STEPS: usize = 3;
const COLUMNS: usize = 2;
const HIDDEN: usize = 2;

/// Some numbers between -1 and 1.
fn uneven(count: usize, seed: usize) -> Vec<f32> {
    let number = |n: usize| ((n + seed) * 7919 % 1000) as f32 / 500.0 - 1.0;
    (0..count).map(number).collect()
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// A layer with as many gates, over a batch of one sequence.
struct Layer {
    gates: usize,
    /// [gates * hidden, columns].
    w: Vec<f32>,
    /// [gates * hidden, hidden].
    r: Vec<f32>,
    /// The biases of the inputs, then those of the recurrence.
    b: Vec<f32>,
}

impl Layer {
    fn new(gates: usize) -> Layer {
        let rows = gates * HIDDEN;
        Layer {
            gates,
            w: uneven(rows * COLUMNS, 1),
            r: uneven(rows * HIDDEN, 2),
            b: uneven(2 * rows, 3),
        }
    }

    /// `X W + Wb` of a gate, for one number of the state.
    fn input(&self, x: &[f32], gate: usize, at: usize) -> f32 {
        let row = gate * HIDDEN + at;
        dot(&self.w[row * COLUMNS..], x) + self.b[row]
    }

    /// `H R` of a gate, for one number of the state.
    fn product(&self, h: &[f32], gate: usize, at: usize) -> f32 {
        dot(&self.r[(gate * HIDDEN + at) * HIDDEN..], h)
    }

    /// The bias of the recurrence, `Rb`.
    fn bias(&self, gate: usize, at: usize) -> f32 {
        self.b[(self.gates + gate) * HIDDEN + at]
    }

    /// The sum of all of these.
    fn sum(&self, x: &[f32], h: &[f32], gate: usize, at: usize) -> f32 {
        self.input(x, gate, at) + self.product(h, gate, at) + self.bias(gate, at)
    }

    /// The model's outputs of all positions.
    fn run(&self, op: &str, mut attributes: Vec<AttributeProto>) -> Vec<f32> {
        attributes.push(int("hidden_size", HIDDEN as i64));
        let node: NodeProto = node(op, &["x", "w", "r", "b"], &["y"], attributes);
        let rows = (self.gates * HIDDEN) as i64;
        let shape = [STEPS as i64, 1, COLUMNS as i64];
        let mut graph = graph(
            vec![info("x", FLOAT, &shape)],
            vec![node],
            vec![info("y", FLOAT, &[STEPS as i64, 1, 1, HIDDEN as i64])],
        );
        graph.initializer = vec![
            floats("w", &[1, rows, COLUMNS as i64], &self.w),
            floats("r", &[1, rows, HIDDEN as i64], &self.r),
            floats("b", &[1, 2 * rows], &self.b),
        ];
        let x = Array::new(&[STEPS, 1, COLUMNS], xs());
        run(&model(graph), [x])[0].values::<f32>().unwrap().to_vec()
    }
}

fn xs() -> Vec<f32> {
    uneven(STEPS * COLUMNS, 4)
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn assert_near(found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len());
    let near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-5;
    assert!(
        found.iter().zip(expected).all(near),
        "{found:?} {expected:?}"
    );
}

/// The outputs of all positions of a GRU.
fn gru(layer: &Layer, linear_before_reset: bool) -> Vec<f32> {
    let mut h = vec![0f32; HIDDEN];
    let mut rows = Vec::new();
    for x in xs().chunks(COLUMNS) {
        let gate = |gate| (0..HIDDEN).map(move |at| (gate, at));
        let sums = |n| gate(n).map(|(gate, at)| sigmoid(layer.sum(x, &h, gate, at)));
        let (z, r): (Vec<f32>, Vec<f32>) = (sums(0).collect(), sums(1).collect());
        let reset: Vec<f32> = h.iter().zip(&r).map(|(h, r)| h * r).collect();
        let new = |at: usize| {
            let (input, bias) = (layer.input(x, 2, at), layer.bias(2, at));
            let rest = match linear_before_reset {
                true => r[at] * (layer.product(&h, 2, at) + bias),
                false => layer.product(&reset, 2, at) + bias,
            };
            let new = (input + rest).tanh();
            (1.0 - z[at]) * new + z[at] * h[at]
        };
        h = (0..HIDDEN).map(new).collect();
        rows.extend(&h);
    }
    rows
}

#[test]
fn a_gru_resets_its_state_before_or_behind_the_product() {
    let layer = Layer::new(3);
    for linear in [false, true] {
        let attributes = vec![int("linear_before_reset", i64::from(linear))];
        assert_near(&layer.run("GRU", attributes), &gru(&layer, linear));
    }
}

#[test]
fn an_lstm_keeps_a_cell() {
    let layer = Layer::new(4);
    let (mut h, mut cell) = (vec![0f32; HIDDEN], vec![0f32; HIDDEN]);
    let mut rows = Vec::new();
    for x in xs().chunks(COLUMNS) {
        let before = h.clone();
        for at in 0..HIDDEN {
            let [i, o, f, c] = [0, 1, 2, 3].map(|gate| layer.sum(x, &before, gate, at));
            cell[at] = sigmoid(f) * cell[at] + sigmoid(i) * c.tanh();
            h[at] = sigmoid(o) * cell[at].tanh();
        }
        rows.extend(&h);
    }
    assert_near(&layer.run("LSTM", vec![]), &rows);
}

#[test]
fn a_plain_layer_adds_both_biases() {
    let layer = Layer::new(1);
    let mut h = vec![0f32; HIDDEN];
    let mut rows = Vec::new();
    for x in xs().chunks(COLUMNS) {
        h = (0..HIDDEN)
            .map(|at| layer.sum(x, &h, 0, at).tanh())
            .collect();
        rows.extend(&h);
    }
    assert_near(&layer.run("RNN", vec![]), &rows);
}

#[test]
fn large_weights_are_taken_apart_while_the_model_is_read() {
    let (hidden, columns) = (80, 60);
    let rows = 4 * hidden;
    let zeros = |name: &str, dims: &[i64]| {
        let count: i64 = dims.iter().product();
        floats(name, dims, &vec![0.0; count as usize])
    };
    let attributes = vec![
        int("hidden_size", hidden),
        text("direction", "bidirectional"),
    ];
    let mut graph = graph(
        vec![info("x", FLOAT, &[2, 1, columns])],
        vec![node("LSTM", &["x", "w", "r", "b"], &["y"], attributes)],
        vec![info("y", FLOAT, &[2, 2, 1, hidden])],
    );
    graph.initializer = vec![
        zeros("w", &[2, rows, columns]),
        zeros("r", &[2, rows, hidden]),
        zeros("b", &[2, 2 * rows]),
    ];
    let read = read(&model(graph)).unwrap();
    let names: Vec<&str> = read
        .graph()
        .unwrap()
        .nodes
        .iter()
        .map(|node| node.op.name())
        .collect();
    let calculated = ["index", "transpose", "strided_slice", "concat"];
    let found = names.iter().filter(|name| calculated.contains(name));
    // The outputs of the second direction are turned around once.
    assert_eq!(found.collect::<Vec<_>>(), [&"strided_slice"], "{names:?}");
}
