//! Recurrent layers: a loop over the positions of a sequence, for each direction. What doesn't depend on the state is done before the loop for all
//! positions, so that a step is a product with the recurrence and the chain behind it.

use super::super::build::{Build, Val};
use super::super::error::{Result, invalid};
use super::super::node::Node;
use super::super::repeat::{Iteration, repeat};
use super::super::table::Import::Many;
use super::super::table::Row;
use super::super::value::Value;
use super::activation::{Activation, parameters};

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

/// A range of gates: the first, and the one behind the last.
type Gates = (usize, usize);

/// The weights of one direction.
struct Weights {
    /// [columns, gates * hidden].
    w: Val,
    /// For each product of a step with the recurrence, the weights of its gates: [hidden, gates * hidden].
    r: Vec<Val>,
    /// What is added to the product of all inputs, before the loop: [gates * hidden].
    bias: Option<Val>,
    /// What a step adds to its product for the last gate, if the gate before it is a factor of that sum: [hidden].
    inner_bias: Option<Val>,
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
        let (w, r) = (g.transpose(w, &[1, 0])?, g.transpose(r, &[1, 0])?);
        let [bias, inner_bias] = match bias {
            Some(bias) => layer.biases(g, bias)?,
            None => [None; 2],
        };
        let peepholes = match peepholes {
            Some(p) => {
                let mut gate = |n: usize| g.part(p, 0, n * layer.hidden, (n + 1) * layer.hidden);
                Some([gate(0)?, gate(1)?, gate(2)?])
            }
            None => None,
        };
        Ok(Weights {
            w,
            r: layer.parts(g, r, layer.products())?,
            bias,
            inner_bias,
            peepholes,
        })
    }
}

impl Layer {
    /// The gates of each product of a step with the recurrence.
    fn products(&self) -> &'static [Gates] {
        match self.kind {
            Kind::Rnn => &[(0, 1)],
            Kind::Gru if self.linear_before_reset => &[(0, 3)],
            Kind::Gru => &[(0, 2), (2, 3)],
            Kind::Lstm => &[(0, 4)],
        }
    }

    /// The gates of each array of inputs that a step reads. What isn't added to a whole product is an array by itself, so that the chain of the
    /// step reads it where it is.
    fn inputs(&self) -> &'static [Gates] {
        match self.kind {
            Kind::Gru if self.linear_before_reset => &[(0, 1), (1, 2), (2, 3)],
            _ => self.products(),
        }
    }

    /// From the biases of the inputs and of the recurrence, [2 * gates * hidden], what is added before the loop and in each step.
    fn biases(&self, g: &mut Build<'_>, both: Val) -> Result<[Option<Val>; 2]> {
        let gates = self.kind.gates();
        let (inputs, recurrence) = (
            self.gates(g, both, (0, gates))?,
            self.gates(g, both, (gates, 2 * gates))?,
        );
        let sum = g.add(inputs, recurrence)?;
        if !self.linear_before_reset {
            return Ok([Some(sum), None]);
        }
        let (first, last) = (self.gates(g, sum, (0, 2))?, self.gates(g, inputs, (2, 3))?);
        let inner = self.gates(g, recurrence, (2, 3))?;
        Ok([Some(g.concat(&[first, last], 0)?), Some(inner)])
    }

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
            Some(bias) => g.add(gates, bias)?,
            None => gates,
        };
        let inputs = self.parts(g, gates, self.inputs())?;
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
            let inputs = inputs.iter().map(|input| g.index(*input, at));
            let inputs = inputs.collect::<Result<Vec<Val>>>()?;
            let [old, old_cell] = [state.carried[0], state.carried[1]];
            let (mut new, mut cell) = self.step(g, &inputs, weights, old, old_cell, functions)?;
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
        inputs: &[Val],
        weights: &Weights,
        h: Val,
        cell: Val,
        functions: &[Activation],
    ) -> Result<(Val, Val)> {
        let rest = g.matmul(h, weights.r[0], false)?;
        match self.kind {
            Kind::Rnn => {
                let sum = self.sum(g, inputs[0], rest)?;
                Ok((functions[0].apply(g, sum)?, cell))
            }
            Kind::Gru => Ok((self.gru(g, inputs, rest, weights, h, functions)?, cell)),
            Kind::Lstm => {
                let all = g.add(inputs[0], rest)?;
                self.lstm(g, all, weights, cell, functions)
            }
        }
    }

    /// Some gates of an array of several.
    fn gates(&self, g: &mut Build<'_>, all: Val, (from, to): Gates) -> Result<Val> {
        let axis = g.rank(all)? - 1;
        g.part(all, axis, from * self.hidden, to * self.hidden)
    }

    /// An array of all gates, in parts.
    fn parts(&self, g: &mut Build<'_>, all: Val, parts: &[Gates]) -> Result<Vec<Val>> {
        match parts {
            [_] => Ok(vec![all]),
            _ => parts.iter().map(|part| self.gates(g, all, *part)).collect(),
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

    /// `rest` is the first product with the recurrence. The gates are z, r, h.
    fn gru(
        &self,
        g: &mut Build<'_>,
        inputs: &[Val],
        rest: Val,
        weights: &Weights,
        h: Val,
        functions: &[Activation],
    ) -> Result<Val> {
        let (z, sum) = if let [own_z, own_r, own] = *inputs {
            let mut gate = |own: Val, n: usize| {
                let rest = self.gates(g, rest, (n, n + 1))?;
                let sum = self.sum(g, own, rest)?;
                functions[0].apply(g, sum)
            };
            let (z, r) = (gate(own_z, 0)?, gate(own_r, 1)?);
            let mut rest = self.gates(g, rest, (2, 3))?;
            if let Some(bias) = weights.inner_bias {
                rest = g.add(rest, bias)?;
            }
            let rest = g.mul(r, rest)?;
            (z, self.sum(g, own, rest)?)
        } else {
            let zr = self.sum(g, inputs[0], rest)?;
            let zr = functions[0].apply(g, zr)?;
            let (z, r) = (self.gates(g, zr, (0, 1))?, self.gates(g, zr, (1, 2))?);
            let reset = g.mul(r, h)?;
            let rest = g.matmul(reset, weights.r[1], false)?;
            (z, self.sum(g, inputs[1], rest)?)
        };
        let new = functions[1].apply(g, sum)?;
        let more = g.sub(h, new)?;
        let more = g.mul(z, more)?;
        g.add(new, more)
    }

    /// The gates are i, o, f, c.
    fn lstm(
        &self,
        g: &mut Build<'_>,
        all: Val,
        weights: &Weights,
        cell: Val,
        functions: &[Activation],
    ) -> Result<(Val, Val)> {
        let peep = |g: &mut Build<'_>, gate: Val, at: usize, cell: Val| match weights.peepholes {
            Some(peepholes) => {
                let more = g.mul(peepholes[at], cell)?;
                g.add(gate, more)
            }
            None => Ok(gate),
        };
        let gate =
            |g: &mut Build<'_>, n: usize, hole: Option<(usize, Val)>, function: &Activation| {
                let own = self.gates(g, all, (n, n + 1))?;
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
