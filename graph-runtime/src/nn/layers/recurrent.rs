//! Recurrent layers: LSTM and GRU. A cell computes one step; the layer runs it over the time steps of sequences `[batch, time, values]` in
//! one loop of the graph. What doesn't depend on the state is computed for all steps by one product before the loop.

use super::super::initial::{glorot_uniform, orthogonal, zero};
use super::rows;
use crate::nn::Module;
use crate::rows::{fold, scan};
use crate::tensor::{AsOperand, Tensor, concat, tensor, zeros};
use crate::variable::Variable;

/// The state of an LSTM: the output `h` and the cell state `c`, both `[batch, units]`.
pub type LstmState = (Tensor<f32>, Tensor<f32>);

/// One step of an LSTM. (`keras.layers.LSTMCell`; Hochreiter and Schmidhuber, 1997)
///
/// With `z = x · kernel + h · recurrent_kernel + bias`, split into four parts `i`, `f`, `g`, `o`: `c' = σ(f) c + σ(i) tanh(g)` and `h' =
/// σ(o) tanh(c')`. The kernel is initialized by Glorot's uniform distribution, the recurrent kernel by a random orthogonal matrix, and the
/// bias by 1 for `f` and 0 for the others.
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::LstmCell;
/// let cell = LstmCell::new(3, 10);
/// let state = cell.zero_state(&zeros::<f32>(&[2, 3]));
/// let (h, c) = cell.call(zeros::<f32>(&[2, 3]), state);
/// assert_eq!((h.shape().to_string(), c.shape().to_string()), ("[2,10]".into(), "[2,10]".into()));
/// ```
#[derive(Clone, Module)]
pub struct LstmCell {
    kernel: Variable<f32>,
    recurrent_kernel: Variable<f32>,
    bias: Variable<f32>,
    units: usize,
}

impl LstmCell {
    /// Makes a cell with `units` units for steps of `inputs` values.
    #[track_caller]
    pub fn new(inputs: usize, units: usize) -> LstmCell {
        let gates = 4 * units;
        let bias: Vec<f32> = (0..gates)
            .map(|i| if i / units.max(1) == 1 { 1.0 } else { 0.0 })
            .collect();
        LstmCell {
            kernel: glorot_uniform("kernel", &[inputs, gates], inputs, gates),
            recurrent_kernel: orthogonal("recurrent_kernel", units, gates),
            bias: Variable::named("bias", tensor(bias)),
            units,
        }
    }

    /// The state after a step. Its first item is the output.
    ///
    /// # Errors
    /// If `x` isn't `[batch, inputs]`, or the two parts of the state aren't `[batch, units]`.
    #[track_caller]
    pub fn call(&self, x: impl AsOperand<f32>, state: LstmState) -> LstmState {
        let x = rows(x, "LstmCell", &["batch"], &self.kernel, 0);
        self.step(&self.inputs(&x), state)
    }

    /// The initial state of a sequence: zeros, for as many sequences as `x` has rows.
    #[track_caller]
    pub fn zero_state(&self, x: &Tensor<f32>) -> LstmState {
        let zeros = zero_state(x, self.units);
        (zeros.clone(), zeros)
    }

    /// The part of `z` that depends on the input only.
    #[track_caller]
    fn inputs(&self, x: &Tensor<f32>) -> Tensor<f32> {
        x.matmul(&self.kernel) + &self.bias
    }

    #[track_caller]
    fn step(&self, inputs: &Tensor<f32>, (h, c): LstmState) -> LstmState {
        let z = inputs + h.matmul(&self.recurrent_kernel);
        let gates = z.split(4, -1);
        let c = gates[1].sigmoid() * c + gates[0].sigmoid() * gates[2].tanh();
        (gates[3].sigmoid() * c.tanh(), c)
    }

    /// The kernel, `[inputs, 4 * units]`.
    pub fn kernel(&self) -> &Variable<f32> {
        &self.kernel
    }

    /// The recurrent kernel, `[units, 4 * units]`.
    pub fn recurrent_kernel(&self) -> &Variable<f32> {
        &self.recurrent_kernel
    }

    /// The bias, `[4 * units]`.
    pub fn bias(&self) -> &Variable<f32> {
        &self.bias
    }
}

/// An LSTM over sequences. (`keras.layers.LSTM`)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::Lstm;
/// let x = zeros::<f32>(&[2, 7, 3]);
/// assert_eq!(Lstm::new(3, 10).call(&x).shape().to_string(), "[2,10]");
/// assert_eq!(Lstm::new(3, 10).return_sequences().call(&x).shape().to_string(), "[2,7,10]");
/// ```
#[derive(Clone, Module)]
pub struct Lstm {
    cell: LstmCell,
    return_sequences: bool,
}

impl Lstm {
    /// Makes a layer with `units` units for steps of `inputs` values. It returns the output of the last step.
    #[track_caller]
    pub fn new(inputs: usize, units: usize) -> Lstm {
        Lstm {
            cell: LstmCell::new(inputs, units),
            return_sequences: false,
        }
    }

    /// Returns the outputs of all steps.
    #[must_use]
    pub fn return_sequences(mut self) -> Lstm {
        self.return_sequences = true;
        self
    }

    /// For sequences `[batch, time, inputs]`, the output `[batch, units]` of the last step, or the outputs `[batch, time, units]` of all
    /// steps.
    ///
    /// # Errors
    /// If the sequences don't have that shape.
    #[track_caller]
    pub fn call(&self, x: impl AsOperand<f32>) -> Tensor<f32> {
        let cell = &self.cell;
        let x = rows(x, "Lstm", &["batch", "time"], &cell.kernel, 0);
        let state = cell.zero_state(&x);
        let steps = time_first(&cell.inputs(&x));
        if self.return_sequences {
            return time_first(&scan(|state, x| cell.step(&x, state), &steps, state).0);
        }
        fold(|state, x| cell.step(&x, state), &steps, state).0
    }

    /// The cell.
    pub fn cell(&self) -> &LstmCell {
        &self.cell
    }
}

/// One step of a GRU. (`keras.layers.GRUCell`; Cho et al., 2014, with the reset gate applied after the product, as in cuDNN)
///
/// With `a = x · kernel + bias[0]` and `b = h · recurrent_kernel + bias[1]`, each split into three parts: `z = σ(a₀ + b₀)`, `r = σ(a₁ +
/// b₁)`, `n = tanh(a₂ + r b₂)`, and `h' = z h + (1 - z) n`.
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::GruCell;
/// let cell = GruCell::new(3, 10);
/// let h = cell.call(zeros::<f32>(&[2, 3]), zeros(&[2, 10]));
/// assert_eq!(h.shape().to_string(), "[2,10]");
/// ```
#[derive(Clone, Module)]
pub struct GruCell {
    kernel: Variable<f32>,
    recurrent_kernel: Variable<f32>,
    bias: Variable<f32>,
    units: usize,
}

impl GruCell {
    /// Makes a cell with `units` units for steps of `inputs` values.
    #[track_caller]
    pub fn new(inputs: usize, units: usize) -> GruCell {
        let gates = 3 * units;
        GruCell {
            kernel: glorot_uniform("kernel", &[inputs, gates], inputs, gates),
            recurrent_kernel: orthogonal("recurrent_kernel", units, gates),
            bias: zero("bias", &[2, gates]),
            units,
        }
    }

    /// The state `h` after a step, which is also the output.
    ///
    /// # Errors
    /// If `x` isn't `[batch, inputs]`, or `h` isn't `[batch, units]`.
    #[track_caller]
    pub fn call(&self, x: impl AsOperand<f32>, h: Tensor<f32>) -> Tensor<f32> {
        let x = rows(x, "GruCell", &["batch"], &self.kernel, 0);
        self.step(&self.inputs(&x), h)
    }

    /// The initial state of a sequence: zeros, for as many sequences as `x` has rows.
    #[track_caller]
    pub fn zero_state(&self, x: &Tensor<f32>) -> Tensor<f32> {
        zero_state(x, self.units)
    }

    /// The part of the gates that depends on the input only: `a`.
    #[track_caller]
    fn inputs(&self, x: &Tensor<f32>) -> Tensor<f32> {
        x.matmul(&self.kernel) + self.bias.read().get(0)
    }

    #[track_caller]
    fn step(&self, inputs: &Tensor<f32>, h: Tensor<f32>) -> Tensor<f32> {
        let a = inputs.split(3, -1);
        let b = (h.matmul(&self.recurrent_kernel) + self.bias.read().get(1)).split(3, -1);
        let z = (&a[0] + &b[0]).sigmoid();
        let r = (&a[1] + &b[1]).sigmoid();
        let n = (&a[2] + r * &b[2]).tanh();
        &z * h + (1.0 - &z) * n
    }

    /// The kernel, `[inputs, 3 * units]`.
    pub fn kernel(&self) -> &Variable<f32> {
        &self.kernel
    }

    /// The recurrent kernel, `[units, 3 * units]`.
    pub fn recurrent_kernel(&self) -> &Variable<f32> {
        &self.recurrent_kernel
    }

    /// The biases of the kernel and of the recurrent kernel, `[2, 3 * units]`.
    pub fn bias(&self) -> &Variable<f32> {
        &self.bias
    }
}

/// A GRU over sequences. (`keras.layers.GRU`)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::Gru;
/// let x = zeros::<f32>(&[2, 7, 3]);
/// assert_eq!(Gru::new(3, 10).call(&x).shape().to_string(), "[2,10]");
/// assert_eq!(Gru::new(3, 10).return_sequences().call(&x).shape().to_string(), "[2,7,10]");
/// ```
#[derive(Clone, Module)]
pub struct Gru {
    cell: GruCell,
    return_sequences: bool,
}

impl Gru {
    /// Makes a layer with `units` units for steps of `inputs` values. It returns the output of the last step.
    #[track_caller]
    pub fn new(inputs: usize, units: usize) -> Gru {
        Gru {
            cell: GruCell::new(inputs, units),
            return_sequences: false,
        }
    }

    /// Returns the outputs of all steps.
    #[must_use]
    pub fn return_sequences(mut self) -> Gru {
        self.return_sequences = true;
        self
    }

    /// For sequences `[batch, time, inputs]`, the output `[batch, units]` of the last step, or the outputs `[batch, time, units]` of all
    /// steps.
    ///
    /// # Errors
    /// If the sequences don't have that shape.
    #[track_caller]
    pub fn call(&self, x: impl AsOperand<f32>) -> Tensor<f32> {
        let cell = &self.cell;
        let x = rows(x, "Gru", &["batch", "time"], &cell.kernel, 0);
        let state = cell.zero_state(&x);
        let steps = time_first(&cell.inputs(&x));
        if self.return_sequences {
            return time_first(&scan(|h, x| cell.step(&x, h), &steps, state));
        }
        fold(|h, x| cell.step(&x, h), &steps, state)
    }

    /// The cell.
    pub fn cell(&self) -> &GruCell {
        &self.cell
    }
}

/// Swaps batch and time: `[batch, time, ..]` to `[time, batch, ..]`, or back.
#[track_caller]
fn time_first(x: &Tensor<f32>) -> Tensor<f32> {
    x.permute([1, 0, 2])
}

/// Zeros `[batch, units]` for the batch size of `x`.
#[track_caller]
fn zero_state(x: &Tensor<f32>, units: usize) -> Tensor<f32> {
    let batch = x.shape().dims().and_then(|sizes| *sizes.first()?);
    if let Some(batch) = batch {
        return zeros(&[batch, units]);
    }
    let sizes = concat([x.len_tensor().reshape(&[1]), tensor([units as i32])], 0);
    zeros::<f32>(sizes).relax_shape(&[None, Some(units)])
}
