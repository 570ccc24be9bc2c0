//! The initial values of the variables of layers: Keras's initializers. They draw from the library's global stream of random numbers, so
//! [`random::set_seed`](crate::random::set_seed) makes them reproducible.

use crate::error::Location;
use crate::random;
use crate::tensor::{Tensor, ones, zeros};
use crate::trace;
use crate::variable::Variable;

/// A variable of a layer that holds zeros.
#[track_caller]
pub(super) fn zero(name: &str, shape: &[usize]) -> Variable<f32> {
    Variable::named(name, zeros(shape))
}

/// A variable of a layer that holds ones.
#[track_caller]
pub(super) fn one(name: &str, shape: &[usize]) -> Variable<f32> {
    Variable::named(name, ones(shape))
}

/// A variable with values drawn uniformly from `-limit..limit`.
#[track_caller]
pub(super) fn uniform(name: &str, shape: &[usize], limit: f64) -> Variable<f32> {
    let limit = limit as f32;
    Variable::named(name, random::uniform_between(-limit, limit, shape))
}

/// Glorot's uniform distribution: the limit is `sqrt(6 / (inputs + outputs))`. (Glorot and Bengio, 2010)
#[track_caller]
pub(super) fn glorot_uniform(
    name: &str,
    shape: &[usize],
    inputs: usize,
    outputs: usize,
) -> Variable<f32> {
    let limit = (6.0 / (inputs + outputs).max(1) as f64).sqrt();
    uniform(name, shape, limit)
}

/// A random matrix whose rows or columns, whichever are fewer, are orthogonal and of length one. (Saxe et al., 2014)
#[track_caller]
pub(super) fn orthogonal(name: &str, rows: usize, columns: usize) -> Variable<f32> {
    let (count, length) = (rows.min(columns), rows.max(columns));
    let drawn = random::normal::<f64>(&[count, length]);
    // The value is drawn now, even while a graph function is traced.
    let drawn = trace::initial_value(drawn.as_any(), &Location::caller());
    let drawn = trace::or_fail(drawn.and_then(|drawn| drawn.to_host()));
    let mut vectors: Vec<Vec<f64>> = drawn
        .values::<f64>()
        .unwrap_or_default()
        .chunks(length.max(1))
        .map(<[f64]>::to_vec)
        .collect();
    orthonormalize(&mut vectors);
    let value = |row: usize, column: usize| {
        let value = if rows <= columns {
            vectors[row][column]
        } else {
            vectors[column][row]
        };
        value as f32
    };
    let values = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let values: Vec<f32> = values.map(|(row, column)| value(row, column)).collect();
    let matrix = crate::Array::new(&[rows, columns], values);
    Variable::named(
        name,
        Tensor::from_any(crate::tensor::AnyTensor::constant(matrix)),
    )
}

/// The Gram-Schmidt process. Each vector is processed twice, because one pass leaves rounding errors in the directions of the others.
fn orthonormalize(vectors: &mut [Vec<f64>]) {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    for i in 0..vectors.len() {
        let (before, rest) = vectors.split_at_mut(i);
        let vector = &mut rest[0];
        for other in before.iter().chain(before.iter()) {
            let along = dot(vector, other);
            vector
                .iter_mut()
                .zip(other)
                .for_each(|(v, o)| *v -= along * o);
        }
        let length = dot(vector, vector).sqrt();
        vector.iter_mut().for_each(|v| *v /= length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_orthogonal_matrix_times_its_transpose_is_one() {
        for (rows, columns) in [(3, 8), (8, 3), (4, 4), (1, 1)] {
            let m = orthogonal("m", rows, columns).read();
            let product = if rows <= columns {
                m.matmul_t(&m)
            } else {
                m.t_matmul(&m)
            };
            let n = rows.min(columns);
            let away = (product - crate::tensor::eye::<f32>(n)).abs().max();
            assert!(away.item() < 1e-6, "{rows}×{columns}: {away}");
        }
    }

    #[test]
    fn glorot_draws_evenly_up_to_its_limit() {
        random::set_seed(1);
        let values = glorot_uniform("k", &[200, 100], 200, 100).read();
        let limit = (6.0f32 / 300.0).sqrt();
        assert!(values.abs().max().item() <= limit);
        assert!(values.abs().max().item() > 0.999 * limit);
        assert!((values.square().mean().item() - limit * limit / 3.0).abs() < 1e-3 * limit);
    }
}
