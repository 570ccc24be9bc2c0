//! Recurrent networks, computed step by step.

use ndarray::{Array2, ArrayD, Axis, Ix2};

use crate::case::{Case, product};

fn step(xs: &ArrayD<f64>, t: usize) -> Array2<f64> {
    let x = xs.index_axis(Axis(0), t).to_owned();
    x.into_dimensionality::<Ix2>().expect("a batch of rows")
}

#[test]
fn a_plain_network() {
    for name in ["while_rnn_1000_b1", "while_rnn_1000_b32"] {
        let mut case = Case::new(name);
        let xs = case.random(&[4, 2, 3]);
        let mut h = case.matrix(2, 5);
        let (w, u) = (case.matrix(5, 5), case.matrix(3, 5));
        let b = case.random(&[5]);
        for t in 0..4 {
            h = (product(&h, &w) + product(&step(&xs, t), &u) + &b)
                .into_dimensionality::<Ix2>()
                .expect("a batch of rows")
                .mapv(f64::tanh);
        }
        case.gives([h.into_dyn()], 1e-5);
    }
}

/// The weights of an LSTM of three features and two units.
struct Lstm {
    kernel: Array2<f64>,
    recurrent: Array2<f64>,
    bias: ArrayD<f64>,
}

impl Lstm {
    fn new(case: &mut Case) -> Lstm {
        Lstm {
            kernel: case.matrix(3, 8),
            recurrent: case.matrix(2, 8),
            bias: case.random(&[8]),
        }
    }

    fn step(&self, x: &Array2<f64>, h: &mut Array2<f64>, c: &mut Array2<f64>) {
        let z = product(x, &self.kernel) + product(h, &self.recurrent) + &self.bias;
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        for (row, unit) in (0..h.nrows()).flat_map(|i| [(i, 0), (i, 1)]) {
            let gate = |g: usize| z[[row, 2 * g + unit]];
            let new = sigmoid(gate(1)) * c[[row, unit]] + sigmoid(gate(0)) * gate(2).tanh();
            c[[row, unit]] = new;
            h[[row, unit]] = sigmoid(gate(3)) * new.tanh();
        }
    }
}

#[test]
fn one_lstm_cell() {
    let mut case = Case::new("seed_lstm_cell_10");
    let x = case.matrix(4, 3);
    let (mut h, mut c) = (case.matrix(4, 2), case.matrix(4, 2));
    Lstm::new(&mut case).step(&x, &mut h, &mut c);
    case.gives([h.into_dyn(), c.into_dyn()], 1e-6);
}

#[test]
fn a_sequence_of_lstm_cells() {
    let mut case = Case::new("lstm_seq_128x64");
    let xs = case.random(&[6, 4, 3]);
    let (mut h, mut c) = (case.matrix(4, 2), case.matrix(4, 2));
    let lstm = Lstm::new(&mut case);
    for t in 0..6 {
        lstm.step(&step(&xs, t), &mut h, &mut c);
    }
    case.gives([h.into_dyn(), c.into_dyn()], 1e-5);
}

/// The sum of squares of the last `h` of an LSTM.
fn sum_of_squares(
    xs: &ArrayD<f64>,
    [h, c, kernel, recurrent]: &[Array2<f64>; 4],
    bias: &ArrayD<f64>,
) -> f64 {
    let lstm = Lstm {
        kernel: kernel.clone(),
        recurrent: recurrent.clone(),
        bias: bias.clone(),
    };
    let (mut h, mut c) = (h.clone(), c.clone());
    for t in 0..xs.len_of(Axis(0)) {
        lstm.step(&step(xs, t), &mut h, &mut c);
    }
    (&h * &h).sum()
}

#[test]
fn the_gradient_of_a_sequence_of_lstm_cells() {
    const STEP: f64 = 1e-5;
    let mut case = Case::new("lstm_gradient_128x64");
    let xs = case.random(&[6, 4, 3]);
    let (h, c) = (case.matrix(4, 2), case.matrix(4, 2));
    let Lstm {
        kernel,
        recurrent,
        bias,
    } = Lstm::new(&mut case);
    let mut matrices = [h, c, kernel, recurrent];
    let value = sum_of_squares(&xs, &matrices, &bias);
    let of_matrices = [0, 1, 2, 3].map(|n| {
        let mut gradient = matrices[n].clone();
        for (at, slope) in gradient.indexed_iter_mut() {
            let mut shifted = |by: f64| {
                matrices[n][at] += by;
                sum_of_squares(&xs, &matrices, &bias)
            };
            let (above, below) = (shifted(STEP), shifted(-2.0 * STEP));
            matrices[n][at] += STEP;
            *slope = (above - below) / (2.0 * STEP);
        }
        gradient.into_dyn()
    });
    let of_bias = ArrayD::from_shape_fn(bias.raw_dim(), |at| {
        let shifted = |by: f64| {
            let mut bias = bias.clone();
            bias[&at] += by;
            sum_of_squares(&xs, &matrices, &bias)
        };
        (shifted(STEP) - shifted(-STEP)) / (2.0 * STEP)
    });
    let [h, c, kernel, recurrent] = of_matrices;
    let value = ArrayD::from_elem(vec![], value);
    case.gives([value, h, c, kernel, recurrent, of_bias], 1e-5);
}
