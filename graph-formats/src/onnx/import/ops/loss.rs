//! Losses of classifiers.

use graph_ir::ops::{self, Attr, Attrs};

use super::super::build::{Build, Val};
use super::super::error::{Result, invalid};
use super::super::node::Node;
use super::super::table::Import::{Many, One};
use super::super::table::Row;
use super::super::value::Value;

pub(crate) const ROWS: &[Row] = &[
    (
        "NegativeLogLikelihoodLoss",
        One(|n, g| {
            let (x, labels, weights) = (n.tensor(0)?, n.tensor(1)?, n.optional(2)?);
            likelihood(n, g, x, labels, weights)
        }),
    ),
    ("SoftmaxCrossEntropyLoss", Many(cross_entropy)),
];

/// The negative of the value at each label along axis 1, weighted by class, and reduced.
fn likelihood(
    n: &Node<'_>,
    g: &mut Build<'_>,
    x: Val,
    labels: Val,
    weights: Option<Val>,
) -> Result<Val> {
    let reduction = n.text("reduction")?.unwrap_or("mean").to_owned();
    let ignored = n.int("ignore_index")?;
    let labels = g.index_of(labels)?;
    let zero = g.int(0);
    let counts = ignored.map(|ignored| {
        let ignored = g.int(ignored);
        g.not_equal(labels, ignored)
    });
    let counts = counts.transpose()?;
    // An ignored label may be no class at all.
    let labels = counts.map_or(Ok(labels), |counts| g.select(counts, labels, zero))?;
    let at = g.expand_dims(labels, 1)?;
    let taken = g.take_along(x, at, 1)?;
    let taken = g.squeeze(taken, &[1])?;
    let loss = g.neg(taken)?;
    let weight = match weights {
        Some(weights) => g.gather(weights, labels, 0)?,
        None => {
            let (one, shape) = (g.like(1.0, x)?, g.shape_of(labels)?);
            super::shape::filled(g, one, shape)?
        }
    };
    let none = g.like(0.0, x)?;
    let weight = counts.map_or(Ok(weight), |counts| g.select(counts, weight, none))?;
    let loss = g.mul(loss, weight)?;
    match reduction.as_str() {
        "none" => Ok(loss),
        "sum" => g.sum(loss, &[], false),
        "mean" => {
            let (sum, count) = (g.sum(loss, &[], false)?, g.sum(weight, &[], false)?);
            g.div(sum, count)
        }
        other => invalid(format!("the reduction `{other}`")),
    }
}

fn cross_entropy(n: &Node<'_>, g: &mut Build<'_>) -> Result<Vec<Value>> {
    let (x, labels, weights) = (n.tensor(0)?, n.tensor(1)?, n.optional(2)?);
    let log = g.op(
        &ops::LOG_SOFTMAX,
        &[x],
        Attrs::new().with("axis", Attr::Int(1)),
    )?;
    let loss = likelihood(n, g, log, labels, weights)?;
    Ok(vec![loss.into(), log.into()])
}
