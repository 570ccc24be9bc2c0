//! Recurrent layers: a loop over the positions of a sequence, for each direction.

use super::super::build::{Build, Val};
use super::super::error::{Result, invalid};
use super::super::node::Node;
use super::super::repeat::{Iteration, repeat};
use super::super::table::Import::Many;
use super::super::table::Row;
use super::super::value::Value;
use super::activation;

pub(crate) const ROWS: &[Row] = &[
    ("RNN", Many(|n, g| layer(n, g, Kind::Rnn))),
    ("GRU", Many(|n, g| layer(n, g, Kind::Gru))),
    ("LSTM", Many(|n, g| layer(n, g, Kind::Lstm))),
];

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Rnn,
    Gru,
    Lstm,
}

impl Kind {
    /// The number of gates.
    fn gates(self) -> usize {
        match self {
            Kind::Rnn => 1,
            Kind::Gru => 3,
            Kind::Lstm => 4,
        }
    }

    /// The activations of one direction, if they aren't given.
    fn activations(self) -> &'static [&'static str] {
        match self {
            Kind::Rnn => &["Tanh"],
            Kind::Gru => &["Sigmoid", "Tanh"],
            Kind::Lstm => &["Sigmoid", "Tanh", "Tanh"],
        }
    }
}

/// An activation with its parameters.
#[derive(Clone)]
struct Activation {
    /// In lower case.
    name: String,
    alpha: Option<f64>,
    beta: Option<f64>,
}

impl Activation {
    fn apply(&self, g: &mut Build<'_>, x: Val) -> Result<Val> {
        let alpha = |default: f64| self.alpha.unwrap_or(default);
        let beta = |default: f64| self.beta.unwrap_or(default);
        match self.name.as_str() {
            "sigmoid" => g.sigmoid(x),
            "tanh" => g.tanh(x),
            "relu" => g.relu(x),
            "softplus" => g.softplus(x),
            "softsign" => g.op(&graph_ir::ops::SOFTSIGN, &[x], graph_ir::ops::Attrs::new()),
            "leakyrelu" => activation::leaky(g, x, alpha(0.01)),
            "thresholdedrelu" => activation::thresholded_at(g, x, alpha(1.0)),
            "hardsigmoid" => activation::hard_sigmoid(g, x, alpha(0.2), beta(0.5)),
            "elu" => activation::elu(g, x, alpha(1.0)),
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

/// The activations of all directions.
fn activations(n: &Node<'_>, kind: Kind, directions: usize) -> Result<Vec<Activation>> {
    let defaults = kind.activations();
    let count = defaults.len() * directions;
    let names = match n.texts("activations")? {
        Some(names) if !names.is_empty() => names,
        _ => (0..count)
            .map(|n| defaults[n % defaults.len()].to_owned())
            .collect(),
    };
    if names.len() != count {
        return invalid(format!("{} activations instead of {count}", names.len()));
    }
    let numbers = |name| -> Result<_> { Ok(n.floats(name)?.unwrap_or_default().iter()) };
    let (mut alphas, mut betas) = (numbers("activation_alpha")?, numbers("activation_beta")?);
    let all = names.into_iter().map(|name| {
        let name = name.to_lowercase();
        // An activation without a parameter leaves the next number to those behind it.
        let [takes_alpha, takes_beta] = parameters(&name);
        let next = |numbers: &mut std::slice::Iter<'_, f32>, takes: bool| {
            takes
                .then(|| numbers.next().map(|v| f64::from(*v)))
                .flatten()
        };
        Activation {
            alpha: next(&mut alphas, takes_alpha),
            beta: next(&mut betas, takes_beta),
            name,
        }
    });
    Ok(all.collect())
}

/// Whether an activation takes the parameters alpha and beta.
fn parameters(name: &str) -> [bool; 2] {
    match name {
        "leakyrelu" | "thresholdedrelu" | "elu" => [true, false],
        "hardsigmoid" | "affine" | "scaledtanh" => [true, true],
        _ => [false, false],
    }
}

/// The weights of one direction.
struct Weights {
    /// [columns, gates * hidden].
    w: Val,
    /// [hidden, gates * hidden].
    r: Val,
    /// The biases of the inputs and of the recurrence: [gates * hidden] each.
    bias: Option<(Val, Val)>,
    /// The peepholes of the gates i, o and f: [hidden] each.
    peepholes: Option<[Val; 3]>,
}

/// What all directions have in common.
struct Layer {
    kind: Kind,
    hidden: usize,
    clip: Option<f64>,
    /// GRU: the reset gate applies after the product with the recurrence.
    linear_before_reset: bool,
    /// LSTM: the input gate also forgets.
    input_forget: bool,
}

/// For each direction, whether it goes from the last step to the first.
fn backwards(n: &Node<'_>, directions: usize) -> Result<Vec<bool>> {
    let direction = n.text("direction")?.unwrap_or("forward").to_owned();
    let backwards = match direction.as_str() {
        "forward" => vec![false],
        "reverse" => vec![true],
        "bidirectional" => vec![false, true],
        other => return invalid(format!("the direction `{other}`")),
    };
    if backwards.len() != directions {
        return invalid(format!(
            "weights of {directions} directions for `{direction}`"
        ));
    }
    Ok(backwards)
}

fn layer(n: &Node<'_>, g: &mut Build<'_>, kind: Kind) -> Result<Vec<Value>> {
    let (x, w, r) = (n.tensor(0)?, n.tensor(1)?, n.tensor(2)?);
    let (b, lengths, first) = (n.optional(3)?, n.optional(4)?, n.optional(5)?);
    let (first_cell, peepholes) = match kind {
        Kind::Lstm => (n.optional(6)?, n.optional(7)?),
        _ => (None, None),
    };
    let [directions, _, hidden] = g.dims(r)?[..] else {
        return invalid("the weights of the recurrence are of rank 3");
    };
    if n.int("hidden_size")?
        .is_some_and(|given| given != hidden as i64)
    {
        return invalid("the attribute `hidden_size` isn't that of the weights");
    }
    let backwards = backwards(n, directions)?;
    let activations = activations(n, kind, directions)?;
    let batch_first = n.flag("layout", false)?;
    if n.version < 7 {
        n.int("output_sequence")?;
    }
    let layer = Layer {
        kind,
        hidden,
        clip: n.float("clip")?,
        linear_before_reset: kind == Kind::Gru && n.flag("linear_before_reset", false)?,
        input_forget: kind == Kind::Lstm && n.flag("input_forget", false)?,
    };
    let turn = |g: &mut Build<'_>, x: Val| match batch_first {
        true => g.transpose(x, &[1, 0, 2]),
        false => Ok(x),
    };
    let x = turn(g, x)?;
    let first = first.map(|v| turn(g, v)).transpose()?;
    let first_cell = first_cell.map(|v| turn(g, v)).transpose()?;
    let each = activations.len() / directions;
    let mut all: [Vec<Val>; 3] = Default::default();
    for (d, back) in backwards.into_iter().enumerate() {
        let at = g.int(d as i64);
        let own = |g: &mut Build<'_>, v: Option<Val>| v.map(|v| g.index(v, at)).transpose();
        let (bias, holes) = (own(g, b)?, own(g, peepholes)?);
        let weights = Weights::of(g, &layer, [w, r].map(|v| (v, at)), bias, holes)?;
        let states = [own(g, first)?, own(g, first_cell)?];
        let functions = &activations[d * each..][..each];
        let outputs = layer.run(g, x, &weights, states, lengths, back, functions)?;
        for (list, output) in all.iter_mut().zip(outputs) {
            list.push(output);
        }
    }
    let y = g.stack(&all[0], 1)?;
    let (mut last, mut cell) = (g.stack(&all[1], 0)?, g.stack(&all[2], 0)?);
    let y = if batch_first {
        (last, cell) = (turn(g, last)?, turn(g, cell)?);
        g.transpose(y, &[2, 0, 1, 3])?
    } else {
        y
    };
    let outputs = if kind == Kind::Lstm {
        vec![y, last, cell]
    } else {
        vec![y, last]
    };
    Ok(outputs.into_iter().map(Value::Tensor).collect())
}

impl Weights {
    fn of(
        g: &mut Build<'_>,
        layer: &Layer,
        [(w, at), (r, _)]: [(Val, Val); 2],
        bias: Option<Val>,
        peepholes: Option<Val>,
    ) -> Result<Weights> {
        let (w, r) = (g.index(w, at)?, g.index(r, at)?);
        let width = layer.kind.gates() * layer.hidden;
        let bias = match bias {
            Some(bias) => Some((
                g.part(bias, 0, 0, width)?,
                g.part(bias, 0, width, 2 * width)?,
            )),
            None => None,
        };
        let peepholes = match peepholes {
            Some(p) => {
                let mut gate = |n: usize| g.part(p, 0, n * layer.hidden, (n + 1) * layer.hidden);
                Some([gate(0)?, gate(1)?, gate(2)?])
            }
            None => None,
        };
        Ok(Weights {
            w: g.transpose(w, &[1, 0])?,
            r: g.transpose(r, &[1, 0])?,
            bias,
            peepholes,
        })
    }
}

impl Layer {
    /// One direction: the outputs of all positions, the last output, and the last cell.
    #[allow(
        clippy::too_many_arguments,
        reason = "one direction of a layer has as many parts"
    )]
    fn run(
        &self,
        g: &mut Build<'_>,
        x: Val,
        weights: &Weights,
        states: [Option<Val>; 2],
        lengths: Option<Val>,
        backwards: bool,
        functions: &[Activation],
    ) -> Result<[Val; 3]> {
        let count = g.size_at(x, 0)?;
        let batch = g.size_at(x, 1)?;
        let states: Vec<Val> = states
            .into_iter()
            .map(|state| match state {
                Some(state) => Ok(state),
                None => {
                    let (zero, hidden) = (g.like(0.0, x)?, g.int(self.hidden as i64));
                    let shape = g.stack(&[batch, hidden], 0)?;
                    super::shape::filled(g, zero, shape)
                }
            })
            .collect::<Result<_>>()?;
        let gates = g.matmul(x, weights.w, false)?;
        let gates = match weights.bias {
            Some((bias, _)) => g.add(gates, bias)?,
            None => gates,
        };
        let lengths = lengths.map(|lengths| {
            let lengths = g.index_of(lengths)?;
            g.expand_dims(lengths, 1)
        });
        let lengths = lengths.transpose()?;
        let one = g.int(1);
        let last = g.sub(count, one)?;
        let done = repeat(g, Some(count), None, &states, |g, state| {
            let at = if backwards {
                g.sub(last, state.number)?
            } else {
                state.number
            };
            let gates = g.index(gates, at)?;
            let [old, old_cell] = [state.carried[0], state.carried[1]];
            let (mut new, mut cell) = self.step(g, gates, weights, old, old_cell, functions)?;
            let mut row = new;
            if let Some(lengths) = lengths {
                // Behind a sequence's end, the state stays and the output is 0.
                let counts = g.less(at, lengths)?;
                (new, cell) = (
                    g.select(counts, new, old)?,
                    g.select(counts, cell, old_cell)?,
                );
                let zero = g.like(0.0, row)?;
                row = g.select(counts, row, zero)?;
            }
            Ok(Iteration {
                cond: None,
                carried: vec![new, cell],
                rows: vec![row],
            })
        })?;
        let rows = if backwards {
            g.slice(done.rows[0], 0, None, None, -1)?
        } else {
            done.rows[0]
        };
        Ok([rows, done.carried[0], done.carried[1]])
    }

    /// One position: the output and the cell.
    fn step(
        &self,
        g: &mut Build<'_>,
        gates: Val,
        weights: &Weights,
        h: Val,
        cell: Val,
        functions: &[Activation],
    ) -> Result<(Val, Val)> {
        match self.kind {
            Kind::Rnn => {
                let rest = self.recurrent(g, h, weights, 0, 1)?;
                let sum = self.sum(g, gates, rest)?;
                Ok((functions[0].apply(g, sum)?, cell))
            }
            Kind::Gru => Ok((self.gru(g, gates, weights, h, functions)?, cell)),
            Kind::Lstm => self.lstm(g, gates, weights, h, cell, functions),
        }
    }

    /// Some gates of an array of all gates.
    fn gates(&self, g: &mut Build<'_>, all: Val, from: usize, to: usize) -> Result<Val> {
        let axis = g.rank(all)? - 1;
        g.part(all, axis, from * self.hidden, to * self.hidden)
    }

    /// What the recurrence adds to some gates.
    fn recurrent(
        &self,
        g: &mut Build<'_>,
        h: Val,
        weights: &Weights,
        from: usize,
        to: usize,
    ) -> Result<Val> {
        let r = self.gates(g, weights.r, from, to)?;
        let product = g.matmul(h, r, false)?;
        match weights.bias {
            Some((_, bias)) => {
                let bias = self.gates(g, bias, from, to)?;
                g.add(product, bias)
            }
            None => Ok(product),
        }
    }

    /// The sum of two operands of an activation, limited if the layer says so.
    fn sum(&self, g: &mut Build<'_>, a: Val, b: Val) -> Result<Val> {
        let sum = g.add(a, b)?;
        self.clipped(g, sum)
    }

    fn clipped(&self, g: &mut Build<'_>, x: Val) -> Result<Val> {
        let Some(clip) = self.clip.filter(|clip| *clip > 0.0) else {
            return Ok(x);
        };
        let (low, high) = (g.like(-clip, x)?, g.like(clip, x)?);
        let x = g.maximum(x, low)?;
        g.minimum(x, high)
    }

    fn gru(
        &self,
        g: &mut Build<'_>,
        gates: Val,
        weights: &Weights,
        h: Val,
        functions: &[Activation],
    ) -> Result<Val> {
        let rest = self.recurrent(g, h, weights, 0, 2)?;
        let own = self.gates(g, gates, 0, 2)?;
        let zr = self.sum(g, own, rest)?;
        let zr = functions[0].apply(g, zr)?;
        let (z, r) = (self.gates(g, zr, 0, 1)?, self.gates(g, zr, 1, 2)?);
        let own = self.gates(g, gates, 2, 3)?;
        let rest = if self.linear_before_reset {
            let rest = self.recurrent(g, h, weights, 2, 3)?;
            g.mul(r, rest)?
        } else {
            let reset = g.mul(r, h)?;
            self.recurrent(g, reset, weights, 2, 3)?
        };
        let new = self.sum(g, own, rest)?;
        let new = functions[1].apply(g, new)?;
        let more = g.sub(h, new)?;
        let more = g.mul(z, more)?;
        g.add(new, more)
    }

    /// The gates are i, o, f, c.
    fn lstm(
        &self,
        g: &mut Build<'_>,
        gates: Val,
        weights: &Weights,
        h: Val,
        cell: Val,
        functions: &[Activation],
    ) -> Result<(Val, Val)> {
        let rest = self.recurrent(g, h, weights, 0, 4)?;
        let all = g.add(gates, rest)?;
        let peep = |g: &mut Build<'_>, gate: Val, at: usize, cell: Val| match weights.peepholes {
            Some(peepholes) => {
                let more = g.mul(peepholes[at], cell)?;
                g.add(gate, more)
            }
            None => Ok(gate),
        };
        let gate =
            |g: &mut Build<'_>, n: usize, hole: Option<(usize, Val)>, function: &Activation| {
                let own = self.gates(g, all, n, n + 1)?;
                let own = hole.map_or(Ok(own), |(at, cell)| peep(g, own, at, cell))?;
                let own = self.clipped(g, own)?;
                function.apply(g, own)
            };
        let i = gate(g, 0, Some((0, cell)), &functions[0])?;
        let f = if self.input_forget {
            let one = g.like(1.0, i)?;
            g.sub(one, i)?
        } else {
            gate(g, 2, Some((2, cell)), &functions[0])?
        };
        let c = gate(g, 3, None, &functions[1])?;
        let (kept, written) = (g.mul(f, cell)?, g.mul(i, c)?);
        let cell = g.add(kept, written)?;
        let o = gate(g, 1, Some((1, cell)), &functions[0])?;
        let shown = functions[2].apply(g, cell)?;
        Ok((g.mul(o, shown)?, cell))
    }
}
