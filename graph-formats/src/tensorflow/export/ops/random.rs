//! Random numbers. A seed's numbers are those of TensorFlow's algorithm Philox; a new seed is drawn from TensorFlow's own stream.

use graph_ir::ops::Attrs;
use graph_ir::types::{Shape, TensorType};
use graph_kernels::DType;

use super::Rules;
use crate::tensorflow::attributes;
use crate::tensorflow::export::body::{Tensor, ValueInfo};
use crate::tensorflow::export::writer::{Effect, Writer};

pub(super) const RULES: Rules = &[
    ("stateless_uniform", |w, x, a, ty| {
        draw(w, "StatelessRandomUniformV2", x, a, ty)
    }),
    ("stateless_normal", |w, x, a, ty| {
        draw(w, "StatelessRandomNormalV2", x, a, ty)
    }),
    ("stateless_truncated_normal", |w, x, a, ty| {
        draw(w, "StatelessTruncatedNormalV2", x, a, ty)
    }),
    ("stateless_bits", |w, x, a, ty| {
        draw(w, "StatelessRandomUniformFullIntV2", x, a, ty)
    }),
    ("stateless_integers", integers),
    ("stateless_shuffle", shuffle),
];

/// The number of the algorithm Philox.
const PHILOX: i32 = 1;

/// The key, the counter and the algorithm of a seed.
fn generator(w: &mut Writer, seed: &Tensor) -> [Tensor; 3] {
    let vector = |n| ValueInfo::tensor(TensorType::new(DType::U64, Shape::known(&[n])));
    let state = w
        .op("StatelessRandomGetKeyCounter", &[seed])
        .give(&[vector(1), vector(2)]);
    let mut state = state.into_iter();
    let [key, counter] = [(); 2].map(|()| state.next().unwrap_or_else(|| seed.clone()));
    [key, counter, w.scalar(PHILOX)]
}

/// The sizes: the operand after the others, or the attribute.
fn sizes(w: &mut Writer, rest: &[Tensor], a: &Attrs) -> Result<Tensor, String> {
    match rest.first() {
        Some(sizes) => Ok(sizes.clone()),
        None => Ok(w.ints(a.ints("shape")?)),
    }
}

fn draw(
    w: &mut Writer,
    op: &str,
    x: &[Tensor],
    a: &Attrs,
    ty: &TensorType,
) -> Result<Tensor, String> {
    let shape = sizes(w, &x[1..], a)?;
    let [key, counter, algorithm] = generator(w, &x[0]);
    Ok(w.op(op, &[&shape, &key, &counter, &algorithm])
        .gives(ty.clone()))
}

fn integers(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let shape = sizes(w, &x[3..], a)?;
    let [key, counter, algorithm] = generator(w, &x[0]);
    let operands = [&shape, &key, &counter, &algorithm, &x[1], &x[2]];
    Ok(w.op("StatelessRandomUniformIntV2", &operands)
        .gives(ty.clone()))
}

fn shuffle(w: &mut Writer, x: &[Tensor], _: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let [key, counter, algorithm] = generator(w, &x[0]);
    Ok(
        w.op("StatelessShuffle", &[&x[1], &key, &counter, &algorithm])
            .gives(ty.clone()),
    )
}

/// The next seed of a random stream.
pub(crate) fn next_seed(w: &mut Writer, seed: Option<i64>) -> Tensor {
    let (shape, low, high) = (w.ints(&[2]), w.scalar(i64::MIN), w.scalar(i64::MAX));
    let ty = TensorType::new(DType::I64, Shape::known(&[2]));
    w.op("RandomUniformInt", &[&shape, &low, &high])
        .attr("seed", attributes::int(seed.unwrap_or(0)))
        .attr("seed2", attributes::int(seed.unwrap_or(0)))
        .effect(Effect::Write)
        .gives(ty)
}
