//! Activations of neural networks.

use graph_ir::ops::{self, Attr, Attrs, OpDef};

use super::super::build::{Build, Val};
use super::super::error::{Fault, Result, invalid};
use super::super::node::Node;
use super::super::table::Import::One;
use super::super::table::Row;
use super::super::terms;

pub(crate) const ROWS: &[Row] = &[
    (
        "LeakyRelu",
        One(|n, g| {
            let x = old(n)?;
            let alpha = n.float("alpha")?.unwrap_or(0.01);
            leaky(g, x, alpha)
        }),
    ),
    ("PRelu", One(prelu)),
    (
        "Elu",
        One(|n, g| {
            let x = old(n)?;
            let alpha = n.float("alpha")?.unwrap_or(1.0);
            elu(g, x, alpha)
        }),
    ),
    ("Celu", One(celu)),
    ("Selu", One(selu)),
    (
        "HardSigmoid",
        One(|n, g| {
            let (alpha, beta) = (
                n.float("alpha")?.unwrap_or(0.2),
                n.float("beta")?.unwrap_or(0.5),
            );
            let x = old(n)?;
            hard_sigmoid(g, x, alpha, beta)
        }),
    ),
    (
        "HardSwish",
        One(|n, g| {
            let x = n.tensor(0)?;
            let gate = hard_sigmoid(g, x, 1.0 / 6.0, 0.5)?;
            g.mul(x, gate)
        }),
    ),
    ("ThresholdedRelu", One(thresholded)),
    ("Shrink", One(shrink)),
    ("Hardmax", One(hardmax)),
    ("Softmax", One(|n, g| soft(n, g, &ops::SOFTMAX))),
    ("LogSoftmax", One(|n, g| soft(n, g, &ops::LOG_SOFTMAX))),
    ("Gelu", One(gelu)),
    (
        "Mish",
        One(|n, g| {
            let x = n.tensor(0)?;
            let s = g.softplus(x)?;
            let t = g.tanh(s)?;
            g.mul(x, t)
        }),
    ),
    ("Swish", One(swish)),
    ("SwiGLU", One(swiglu)),
    ("Relu", One(|n, g| unary(n, g, Build::relu))),
    ("Sigmoid", One(|n, g| unary(n, g, Build::sigmoid))),
    ("Tanh", One(|n, g| unary(n, g, Build::tanh))),
    ("Abs", One(|n, g| unary(n, g, Build::abs))),
    ("Neg", One(|n, g| unary(n, g, Build::neg))),
    ("Exp", One(|n, g| unary(n, g, Build::exp))),
    ("Log", One(|n, g| unary(n, g, Build::log))),
    ("Sqrt", One(|n, g| unary(n, g, Build::sqrt))),
    ("Floor", One(|n, g| unary(n, g, Build::floor))),
    (
        "Ceil",
        One(|n, g| {
            let x = old(n)?;
            g.op(&ops::CEIL, &[x], Attrs::new())
        }),
    ),
    ("Reciprocal", One(|n, g| unary(n, g, Build::reciprocal))),
];

/// A function of one operand.
fn unary<'m>(
    n: &Node<'_>,
    g: &mut Build<'m>,
    function: impl FnOnce(&mut Build<'m>, Val) -> Result<Val>,
) -> Result<Val> {
    let x = old(n)?;
    function(g, x)
}

/// The operand. Before version 6, an attribute says which operands may be overwritten.
fn old(n: &Node<'_>) -> Result<Val> {
    if n.version < 6 {
        n.ints("consumed_inputs")?;
    }
    n.tensor(0)
}

/// `negative` where x is below 0, else x.
fn below_zero(g: &mut Build<'_>, x: Val, negative: Val) -> Result<Val> {
    let zero = g.like(0.0, x)?;
    let is_negative = g.less(x, zero)?;
    g.select(is_negative, negative, x)
}

pub(crate) fn leaky(g: &mut Build<'_>, x: Val, alpha: f64) -> Result<Val> {
    let scaled = g.scale(x, alpha)?;
    below_zero(g, x, scaled)
}

fn prelu(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (x, mut slope) = (old(n)?, n.tensor(1)?);
    // Before version 7, a vector of slopes belongs to the channels, which are axis 1.
    if n.version < 7 && g.rank(slope)? == 1 && g.shape(slope).get(0) != Some(1) {
        for _ in 2..g.rank(x)? {
            slope = g.expand_dims(slope, -1)?;
        }
    }
    let scaled = g.mul(x, slope)?;
    below_zero(g, x, scaled)
}

/// exp(x) - 1, where x is negative; elsewhere anything finite.
fn exp_below(g: &mut Build<'_>, x: Val) -> Result<Val> {
    let zero = g.like(0.0, x)?;
    let low = g.minimum(x, zero)?;
    g.op(&ops::EXPM1, &[low], Attrs::new())
}

pub(crate) fn elu(g: &mut Build<'_>, x: Val, alpha: f64) -> Result<Val> {
    let negative = exp_below(g, x)?;
    let negative = g.scale(negative, alpha)?;
    below_zero(g, x, negative)
}

fn celu(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (x, alpha) = (n.tensor(0)?, n.float("alpha")?.unwrap_or(1.0));
    let scaled = g.scale(x, 1.0 / alpha)?;
    let negative = exp_below(g, scaled)?;
    let negative = g.scale(negative, alpha)?;
    below_zero(g, x, negative)
}

fn selu(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = old(n)?;
    let (alpha, gamma) = match n.version {
        ..6 => (1.6732, 1.0507),
        _ => (1.673_263_192_176_818_8, 1.050_701_022_148_132_3),
    };
    let alpha = n.float("alpha")?.unwrap_or(alpha);
    let gamma = n.float("gamma")?.unwrap_or(gamma);
    let x = elu(g, x, alpha)?;
    g.scale(x, gamma)
}

pub(crate) fn hard_sigmoid(g: &mut Build<'_>, x: Val, alpha: f64, beta: f64) -> Result<Val> {
    let y = g.scale(x, alpha)?;
    let y = g.shift(y, beta)?;
    let (zero, one) = (g.like(0.0, x)?, g.like(1.0, x)?);
    let y = g.maximum(y, zero)?;
    g.minimum(y, one)
}

pub(crate) fn thresholded_at(g: &mut Build<'_>, x: Val, alpha: f64) -> Result<Val> {
    let (alpha, zero) = (g.like(alpha, x)?, g.like(0.0, x)?);
    let above = g.greater(x, alpha)?;
    g.select(above, x, zero)
}

fn thresholded(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let alpha = n.float("alpha")?.unwrap_or(1.0);
    thresholded_at(g, x, alpha)
}

/// x moved toward 0 by the bias, and 0 within lambd of 0.
fn shrink(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let (bias, limit) = (
        n.float("bias")?.unwrap_or(0.0),
        n.float("lambd")?.unwrap_or(0.5),
    );
    let (low, high, zero) = (g.like(-limit, x)?, g.like(limit, x)?, g.like(0.0, x)?);
    let (up, down) = (g.shift(x, bias)?, g.shift(x, -bias)?);
    let (is_low, is_high) = (g.less(x, low)?, g.greater(x, high)?);
    let rest = g.select(is_high, down, zero)?;
    g.select(is_low, up, rest)
}

/// Applies `f` along an axis. Before version 13, the axes from that one on count as a single axis.
fn flattened(
    n: &Node<'_>,
    g: &mut Build<'_>,
    f: impl FnOnce(&mut Build<'_>, Val, i64) -> Result<Val>,
) -> Result<Val> {
    let x = old(n)?;
    let default = if n.version < 13 { 1 } else { -1 };
    let axis = n.int("axis")?.unwrap_or(default);
    if n.version >= 13 {
        return f(g, x, axis);
    }
    let (rank, shape) = (g.rank(x)?, g.shape_of(x)?);
    let axis = if axis == rank as i64 {
        rank
    } else {
        terms::axis(axis, rank)?
    };
    let flat = super::shape::flatten_at(g, x, axis)?;
    let y = f(g, flat, 1)?;
    super::shape::reshaped(g, y, shape)
}

fn soft(n: &Node<'_>, g: &mut Build<'_>, op: &'static OpDef) -> Result<Val> {
    flattened(n, g, |g, x, axis| {
        g.op(op, &[x], Attrs::new().with("axis", Attr::Int(axis)))
    })
}

fn hardmax(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    flattened(n, g, |g, x, axis| {
        let rank = g.rank(x)?;
        let axis = terms::axis(axis, rank)?;
        let Some(depth) = g.shape(x).get(axis) else {
            return Err(Fault::NeedsShape("the size of the axis".to_owned()));
        };
        let largest = g.op(
            &ops::ARGMAX,
            &[x],
            Attrs::new().with("axis", Attr::Int(axis as i64)),
        )?;
        let attrs = Attrs::new()
            .with("depth", Attr::Int(depth as i64))
            .with("dtype", Attr::DType(g.dtype(x)));
        let hot = g.op(&ops::ONE_HOT, &[largest], attrs)?;
        g.move_axis(hot, rank - 1, axis)
    })
}

pub(crate) fn gelu_of(g: &mut Build<'_>, x: Val, is_tanh: bool) -> Result<Val> {
    let inner = if is_tanh {
        let square = g.square(x)?;
        let cubic = g.scale(square, 0.044_715)?;
        let factor = g.shift(cubic, 1.0)?;
        let inner = g.mul(x, factor)?;
        let inner = g.scale(inner, (2.0 / std::f64::consts::PI).sqrt())?;
        g.tanh(inner)?
    } else {
        let inner = g.scale(x, std::f64::consts::FRAC_1_SQRT_2)?;
        g.erf(inner)?
    };
    let gate = g.shift(inner, 1.0)?;
    let half = g.scale(x, 0.5)?;
    g.mul(half, gate)
}

fn gelu(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    match n.text("approximate")?.unwrap_or("none") {
        "none" => gelu_of(g, x, false),
        "tanh" => gelu_of(g, x, true),
        other => invalid(format!("the approximation `{other}`")),
    }
}

fn swish_of(g: &mut Build<'_>, x: Val, alpha: f64) -> Result<Val> {
    let inner = g.scale(x, alpha)?;
    let gate = g.sigmoid(inner)?;
    g.mul(x, gate)
}

fn swish(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let alpha = n.float("alpha")?.unwrap_or(1.0);
    swish_of(g, x, alpha)
}

fn swiglu(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (gate, x) = (n.tensor(0)?, n.tensor(1)?);
    let alpha = n.float("alpha")?.unwrap_or(1.0);
    let gate = swish_of(g, gate, alpha)?;
    g.mul(gate, x)
}

/// An activation that an attribute names, with its parameters.
#[derive(Clone)]
pub(crate) struct Activation {
    /// In lower case.
    pub name: String,
    pub alpha: Option<f64>,
    pub beta: Option<f64>,
}

impl Activation {
    pub fn apply(&self, g: &mut Build<'_>, x: Val) -> Result<Val> {
        let alpha = |default: f64| self.alpha.unwrap_or(default);
        let beta = |default: f64| self.beta.unwrap_or(default);
        match self.name.as_str() {
            "sigmoid" => g.sigmoid(x),
            "tanh" => g.tanh(x),
            "relu" => g.relu(x),
            "softplus" => g.softplus(x),
            "softsign" => g.op(&ops::SOFTSIGN, &[x], Attrs::new()),
            "leakyrelu" => leaky(g, x, alpha(0.01)),
            "thresholdedrelu" => thresholded_at(g, x, alpha(1.0)),
            "hardsigmoid" => hard_sigmoid(g, x, alpha(0.2), beta(0.5)),
            "elu" => elu(g, x, alpha(1.0)),
            "affine" => {
                let x = g.scale(x, alpha(1.0))?;
                g.shift(x, beta(0.0))
            }
            "scaledtanh" => {
                let x = g.scale(x, beta(1.0))?;
                let x = g.tanh(x)?;
                g.scale(x, alpha(1.0))
            }
            _ => invalid(format!("the activation `{}`", self.name)),
        }
    }
}

/// Whether an activation takes the parameters alpha and beta.
pub(crate) fn parameters(name: &str) -> [bool; 2] {
    match name {
        "leakyrelu" | "thresholdedrelu" | "elu" => [true, false],
        "hardsigmoid" | "affine" | "scaledtanh" => [true, true],
        _ => [false, false],
    }
}
