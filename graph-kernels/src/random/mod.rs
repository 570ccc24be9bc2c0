//! Random numbers as pure functions of a seed: two integers name a sequence, and the same seed gives the same numbers on every machine
//! and for any number of threads. The caller chooses seeds, and decides where a sequence continues in the next call.
//!
//! The numbers are those of TensorFlow's `tf.random.stateless_*` with `alg="philox"` (normal numbers up to the last bits of the logarithm
//! and the sine); only the order of [`random_shuffle`] is different.

mod distribution;
mod philox;

use crate::dispatch::{dispatch, shape_text, typed, undefined};
use crate::parallel;
use crate::{Array, Buffer, DType, Element, KernelError, bf16, f16};
use distribution::{
    normal_pair_f64, normals_f32, truncated_f32, truncated_f64, unit_bf16, unit_f16, unit_f32,
    unit_f64, wide,
};
use philox::Philox;

/// The number of values that a thread draws at a time: a multiple of the group of any distribution.
const CHUNK: usize = 1 << 12;

/// The number of words reserved for each truncated normal value, so that a value doesn't depend on how many were rejected before it.
const WORDS_PER_TRUNCATED: u64 = 256;

/// Floats drawn evenly from [0, 1).
///
/// # Errors
/// If the seed isn't two integers, the dtype is no float, or there is no memory for the shape.
pub fn random_uniform(
    seed: &Array,
    shape: &[usize],
    dtype: DType,
    out: &mut Array,
) -> Result<(), KernelError> {
    let generator = generator("random_uniform", seed)?;
    match dtype {
        DType::F32 => fill(generator, shape, out, |words| words.map(unit_f32)),
        DType::F64 => fill(generator, shape, out, |[a, b, c, d]| {
            [unit_f64(a, b), unit_f64(c, d)]
        }),
        DType::F16 => fill(generator, shape, out, |words| words.map(unit_f16)),
        DType::BF16 => fill(generator, shape, out, |words| words.map(unit_bf16)),
        _ => Err(undefined("random_uniform", dtype)),
    }
}

/// Normal floats of mean 0 and deviation 1.
///
/// # Errors
/// If the seed isn't two integers, the dtype is no float, or there is no memory for the shape.
pub fn random_normal(
    seed: &Array,
    shape: &[usize],
    dtype: DType,
    out: &mut Array,
) -> Result<(), KernelError> {
    let generator = generator("random_normal", seed)?;
    match dtype {
        DType::F32 => fill(generator, shape, out, normals_f32),
        DType::F64 => fill(generator, shape, out, normal_pair_f64),
        DType::F16 => fill(generator, shape, out, |words| {
            normals_f32(words).map(f16::from_f32)
        }),
        DType::BF16 => fill(generator, shape, out, |words| {
            normals_f32(words).map(bf16::from_f32)
        }),
        _ => Err(undefined("random_normal", dtype)),
    }
}

/// Normal floats of mean 0 and deviation 1; those at a distance of two or more from the mean are drawn again.
///
/// # Errors
/// If the seed isn't two integers, the dtype is no float, or there is no memory for the shape.
pub fn random_truncated_normal(
    seed: &Array,
    shape: &[usize],
    dtype: DType,
    out: &mut Array,
) -> Result<(), KernelError> {
    let generator = generator("random_truncated_normal", seed)?;
    match dtype {
        DType::F32 => fill_groups(generator, shape, out, |g| {
            truncated_f32::<4>(|| g.next_block())
        }),
        DType::F64 => fill_groups(generator, shape, out, |g| {
            truncated_f64::<2>(|| g.next_block())
        }),
        DType::F16 => fill_groups(generator, shape, out, |g| {
            truncated_f32::<4>(|| g.next_block()).map(f16::from_f32)
        }),
        DType::BF16 => fill_groups(generator, shape, out, |g| {
            truncated_f32::<4>(|| g.next_block()).map(bf16::from_f32)
        }),
        _ => Err(undefined("random_truncated_normal", dtype)),
    }
}

/// Integers drawn uniformly from `low..high` (up to a bias of 2⁻³² per value of the range, for `int64` 2⁻⁶⁴).
///
/// # Errors
/// `Need minval < maxval, got 5 >= 5`; if the bounds aren't scalars of one dtype, `int32` or `int64`.
pub fn random_integers(
    seed: &Array,
    low: &Array,
    high: &Array,
    shape: &[usize],
    out: &mut Array,
) -> Result<(), KernelError> {
    const OP: &str = "random_integers";
    let generator = generator(OP, seed)?;
    if low.rank() != 0 || high.rank() != 0 {
        let (low, high) = (shape_text(low.shape()), shape_text(high.shape()));
        return Err(KernelError::Shape(format!(
            "`{OP}` takes scalar bounds, not shapes {low} and {high}"
        )));
    }
    let empty = |low: i64, high: i64| {
        KernelError::Value(format!("Need minval < maxval, got {low} >= {high}"))
    };
    match low.buffer() {
        Buffer::I32(low) => {
            let (low, high) = (low[0], typed::<i32>(OP, high)?[0]);
            if low >= high {
                return Err(empty(low.into(), high.into()));
            }
            let count = high.wrapping_sub(low).cast_unsigned();
            fill(generator, shape, out, |words| {
                words.map(|word| low.wrapping_add_unsigned(word % count))
            })
        }
        Buffer::I64(low) => {
            let (low, high) = (low[0], typed::<i64>(OP, high)?[0]);
            if low >= high {
                return Err(empty(low, high));
            }
            let count = high.wrapping_sub(low).cast_unsigned();
            fill(generator, shape, out, |[a, b, c, d]| {
                [wide(a, b), wide(c, d)].map(|word| low.wrapping_add_unsigned(word % count))
            })
        }
        other => Err(undefined(OP, other.dtype())),
    }
}

/// Integers of any value: random bits.
///
/// # Errors
/// If the seed isn't two integers, the dtype isn't `int32` or `int64`, or there is no memory for the shape.
pub fn random_bits(
    seed: &Array,
    shape: &[usize],
    dtype: DType,
    out: &mut Array,
) -> Result<(), KernelError> {
    let generator = generator("random_bits", seed)?;
    match dtype {
        DType::I32 => fill(generator, shape, out, |words| words.map(u32::cast_signed)),
        DType::I64 => fill(generator, shape, out, |[a, b, c, d]| {
            [wide(a, b), wide(c, d)].map(u64::cast_signed)
        }),
        _ => Err(undefined("random_bits", dtype)),
    }
}

/// The rows of `x` in a random order; all orders are equally likely (Fisher and Yates).
///
/// # Errors
/// If the seed isn't two integers or `x` is a scalar.
pub fn random_shuffle(seed: &Array, x: &Array, out: &mut Array) -> Result<(), KernelError> {
    let mut generator = generator("random_shuffle", seed)?;
    let Some((rows, row)) = x.shape().split_first() else {
        return Err(KernelError::Shape(
            "`random_shuffle` takes an array with at least one axis, not a scalar".to_owned(),
        ));
    };
    let mut order: Vec<usize> = (0..*rows).collect();
    for last in (1..*rows).rev() {
        order.swap(last, below(last as u64 + 1, &mut generator) as usize);
    }
    let row: usize = row.iter().product();
    dispatch!(moved x, values => {
        let out = out.reset_like(x, x.shape())?;
        for (to, from) in out.chunks_exact_mut(row.max(1)).zip(order) {
            to.clone_from_slice(&values[from * row..(from + 1) * row]);
        }
        Ok(())
    })
}

/// A sequence of random numbers that is drawn one by one.
#[derive(Clone, Debug)]
pub struct Draws(Philox);

impl Draws {
    /// The sequence of a seed and of a number that distinguishes its users.
    pub fn new(seed: [i64; 2], number: u64) -> Draws {
        let [a, b, c, d] = Philox::seeded(seed).next_block();
        let numbered = wide(c, d).wrapping_add(number);
        Draws(Philox::seeded([wide(a, b), numbered].map(u64::cast_signed)))
    }

    /// A number below `count`, uniformly; `count` is at least 1.
    pub fn below(&mut self, count: usize) -> usize {
        below(count as u64, &mut self.0) as usize
    }
}

/// A number below `count`, uniformly: the high half of a product. It is drawn again if the low half shows that it would introduce a bias
/// (Lemire 2019).
fn below(count: u64, generator: &mut Philox) -> u64 {
    loop {
        let [a, b, ..] = generator.next_block();
        let product = u128::from(wide(a, b)) * u128::from(count);
        if product as u64 >= count.wrapping_neg() % count {
            return (product >> 64) as u64;
        }
    }
}

/// The generator of a seed: two `int64` or `int32` values.
fn generator(op: &str, seed: &Array) -> Result<Philox, KernelError> {
    let pair = match (seed.shape(), seed.buffer()) {
        ([2], Buffer::I64(seed)) => [seed[0], seed[1]],
        ([2], Buffer::I32(seed)) => [seed[0].into(), seed[1].into()],
        (shape, buffer) => {
            let (dtype, shape) = (buffer.dtype(), shape_text(shape));
            return Err(KernelError::Shape(format!(
                "`{op}` takes a seed of two integers, not {dtype}{shape}"
            )));
        }
    };
    Ok(Philox::seeded(pair))
}

/// Fills an array with groups of values, each made of one block.
fn fill<T: Element + Copy, const N: usize>(
    generator: Philox,
    shape: &[usize],
    out: &mut Array,
    draw: impl Fn([u32; 4]) -> [T; N] + Sync,
) -> Result<(), KernelError> {
    let values = out.reset_as(shape)?;
    let nanoseconds = 2 * values.len();
    parallel::for_each_chunk(values, CHUNK, nanoseconds, |offset, chunk| {
        let mut generator = generator.skipped((offset / N) as u64);
        for group in chunk.chunks_mut(N) {
            group.copy_from_slice(&draw(generator.next_block())[..group.len()]);
        }
    });
    Ok(())
}

/// Fills an array with groups of values, each made of any number of blocks from a range of its own.
fn fill_groups<T: Element + Copy, const N: usize>(
    generator: Philox,
    shape: &[usize],
    out: &mut Array,
    draw: impl Fn(&mut Philox) -> [T; N] + Sync,
) -> Result<(), KernelError> {
    let blocks = N as u64 * WORDS_PER_TRUNCATED / 4;
    let values = out.reset_as(shape)?;
    let nanoseconds = 10 * values.len();
    parallel::for_each_chunk(values, CHUNK, nanoseconds, |offset, chunk| {
        for (n, group) in chunk.chunks_mut(N).enumerate() {
            let group_number = (offset / N + n) as u64;
            let mut generator = generator.skipped(group_number.wrapping_mul(blocks));
            group.copy_from_slice(&draw(&mut generator)[..group.len()]);
        }
    });
    Ok(())
}

#[cfg(test)]
mod tests;
