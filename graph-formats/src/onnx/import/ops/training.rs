//! ONNX's preview domain for training: steps of optimizers. The operands are the rate, the number of the step, and then lists of equal
//! length: parameters, gradients and states.

use graph_kernels::DType;

use super::super::build::{Build, Val};
use super::super::error::{Result, invalid};
use super::super::node::Node;
use super::super::table::Import::Many;
use super::super::table::Row;
use super::super::value::Value;

pub(crate) const ROWS: &[Row] = &[
    ("Adagrad", Many(|n, g| steps(n, g, 3, adagrad))),
    ("Adam", Many(|n, g| steps(n, g, 4, adam))),
    ("Momentum", Many(|n, g| steps(n, g, 3, momentum))),
];

/// What a step has in common for all parameters.
struct Common<'a, 'n> {
    n: &'a Node<'n>,
    rate: Val,
    number: Val,
}

impl Common<'_, '_> {
    fn attribute(&self, name: &str) -> Result<f64> {
        Ok(self.n.float(name)?.unwrap_or(0.0))
    }

    /// The gradient with that of the norm.
    fn gradient(&self, g: &mut Build<'_>, x: Val, gradient: Val) -> Result<Val> {
        let norm = self.attribute("norm_coefficient")?;
        let more = g.scale(x, norm)?;
        g.add(more, gradient)
    }

    /// The number of the step as a float.
    fn step(&self, g: &mut Build<'_>, like: Val) -> Result<Val> {
        g.cast(self.number, g.dtype(like))
    }

    /// Whether it isn't the first step.
    fn is_later(&self, g: &mut Build<'_>) -> Result<Val> {
        let zero = g.like(0.0, self.number)?;
        g.greater(self.number, zero)
    }
}

/// Applies a step to each parameter, which has `lists` - 1 operands beside it.
fn steps(
    n: &Node<'_>,
    g: &mut Build<'_>,
    lists: usize,
    step: impl Fn(&Common<'_, '_>, &mut Build<'_>, &[Val]) -> Result<Vec<Val>>,
) -> Result<Vec<Value>> {
    let operands = n.tensors()?;
    let count = operands.len().saturating_sub(2) / lists;
    if operands.len() != 2 + count * lists || count == 0 {
        return invalid("the lists of operands have different lengths");
    }
    let rate = g.reshape(operands[0], &[])?;
    let number = g.reshape(operands[1], &[])?;
    let common = Common { n, rate, number };
    let mut columns: Vec<Vec<Val>> = vec![Vec::new(); lists - 1];
    for at in 0..count {
        let own: Vec<Val> = (0..lists)
            .map(|list| operands[2 + list * count + at])
            .collect();
        for (column, value) in columns.iter_mut().zip(step(&common, g, &own)?) {
            column.push(value);
        }
    }
    Ok(columns.into_iter().flatten().map(Value::Tensor).collect())
}

fn adagrad(common: &Common<'_, '_>, g: &mut Build<'_>, own: &[Val]) -> Result<Vec<Val>> {
    let [x, gradient, h] = own[..] else {
        return invalid("an operand is missing");
    };
    let (decay, epsilon) = (
        common.attribute("decay_factor")?,
        common.attribute("epsilon")?,
    );
    let step = common.step(g, x)?;
    let slower = g.scale(step, decay)?;
    let slower = g.shift(slower, 1.0)?;
    let rate = g.div(common.rate, slower)?;
    let gradient = common.gradient(g, x, gradient)?;
    let square = g.square(gradient)?;
    let h = g.add(h, square)?;
    let root = g.sqrt(h)?;
    let root = g.shift(root, epsilon)?;
    let change = g.mul(rate, gradient)?;
    let change = g.div(change, root)?;
    Ok(vec![g.sub(x, change)?, h])
}

fn adam(common: &Common<'_, '_>, g: &mut Build<'_>, own: &[Val]) -> Result<Vec<Val>> {
    let [x, gradient, v, h] = own[..] else {
        return invalid("an operand is missing");
    };
    let alpha = common.n.float("alpha")?.unwrap_or(0.9);
    let beta = common.n.float("beta")?.unwrap_or(0.999);
    let (epsilon, post) = (
        common.attribute("epsilon")?,
        common.attribute("norm_coefficient_post")?,
    );
    let gradient = common.gradient(g, x, gradient)?;
    let mixed = |g: &mut Build<'_>, old: Val, new: Val, share: f64| {
        let (old, new) = (g.scale(old, share)?, g.scale(new, 1.0 - share)?);
        g.add(old, new)
    };
    let v = mixed(g, v, gradient, alpha)?;
    let square = g.square(gradient)?;
    let h = mixed(g, h, square, beta)?;
    let root = g.sqrt(h)?;
    let root = g.shift(root, epsilon)?;
    let step = common.step(g, x)?;
    let rest = |g: &mut Build<'_>, base: f64| {
        let base = g.number(base, DType::F64)?;
        let step = g.cast(step, DType::F64)?;
        let power = g.pow(base, step)?;
        let power = g.neg(power)?;
        let rest = g.shift(power, 1.0)?;
        g.cast(rest, g.dtype(x))
    };
    let (of_v, of_h) = (rest(g, alpha)?, rest(g, beta)?);
    let of_h = g.sqrt(of_h)?;
    let corrected = g.mul(common.rate, of_h)?;
    let corrected = g.div(corrected, of_v)?;
    let is_later = common.is_later(g)?;
    let rate = g.select(is_later, corrected, common.rate)?;
    let change = g.div(v, root)?;
    let change = g.mul(rate, change)?;
    let x = g.sub(x, change)?;
    Ok(vec![g.scale(x, 1.0 - post)?, v, h])
}

fn momentum(common: &Common<'_, '_>, g: &mut Build<'_>, own: &[Val]) -> Result<Vec<Val>> {
    let [x, gradient, v] = own[..] else {
        return invalid("an operand is missing");
    };
    let (alpha, beta) = (common.attribute("alpha")?, common.attribute("beta")?);
    let mode = common.n.text("mode")?.unwrap_or("standard").to_owned();
    let gradient = common.gradient(g, x, gradient)?;
    let is_later = common.is_later(g)?;
    let (beta, one) = (g.like(beta, x)?, g.like(1.0, x)?);
    let share = g.select(is_later, beta, one)?;
    let new = g.mul(share, gradient)?;
    let old = g.scale(v, alpha)?;
    let v = g.add(old, new)?;
    let change = match mode.as_str() {
        "standard" => v,
        "nesterov" => {
            let more = g.scale(v, alpha)?;
            g.add(gradient, more)?
        }
        other => return invalid(format!("the mode `{other}`")),
    };
    let change = g.mul(common.rate, change)?;
    Ok(vec![g.sub(x, change)?, v])
}
