//! Random ops: functions of a seed.

use graph_kernels::{Dims, sizes, sizes_in};

use super::{Call, Outcome, Run, Trouble};
use crate::kernels::{Distribution, Input, Kernels, View};
use crate::value::{Tensor, integers};

pub const OPS: &[(&str, Run)] = &[
    ("stateless_uniform", |kernels, call| {
        draw(kernels, call, Distribution::Uniform, 0)
    }),
    ("stateless_normal", |kernels, call| {
        draw(kernels, call, Distribution::Normal, 0)
    }),
    ("stateless_truncated_normal", |kernels, call| {
        draw(kernels, call, Distribution::Truncated, 0)
    }),
    ("stateless_bits", |kernels, call| {
        draw(kernels, call, Distribution::Bits, 0)
    }),
    ("stateless_integers", |kernels, call| {
        draw(kernels, call, Distribution::Integers, 2)
    }),
];

/// The two parts of a seed.
fn parts(seed: &Tensor) -> Result<[Input<'_>; 2], Trouble> {
    if seed.shape[..] != [2] {
        return Err(Trouble::NoKernel("the seed isn't two integers"));
    }
    let known = seed.known().and_then(|array| integers(array));
    if let Some([first, second]) = known.as_deref() {
        let number = |part: &i64| Input::Value(graph_kernels::DType::I64, *part as u64);
        return Ok([number(first), number(second)]);
    }
    let buffer = seed.buffer()?;
    Ok([0, 1].map(|offset| {
        let view = View {
            offset,
            ..View::default()
        };
        Input::Tensor(seed.dtype, buffer, view)
    }))
}

/// Draws numbers. After the seed follow some bounds, and then perhaps the sizes of the result.
fn draw(kernels: &Kernels, call: &Call<'_>, distribution: Distribution, bounds: usize) -> Outcome {
    let Some((seed, rest)) = call.operands.split_first() else {
        return Err(Trouble::NoKernel("an operand is missing"));
    };
    let shape: Dims = match (call.shape, rest.get(bounds)) {
        (Some(shape), _) => shape.into(),
        (None, Some(given)) => sizes_in("draw", &*given.fetch()?)?,
        (None, None) => sizes(call.attrs.ints("shape")?)?,
    };
    let mut inputs = parts(seed)?.to_vec();
    for bound in rest.iter().take(bounds) {
        inputs.push(bound.input(&[])?);
    }
    let count = shape.iter().product();
    kernels.result(call.dtype, &shape, |out| {
        Ok(kernels.draw(out, count, (distribution, call.dtype), &inputs)?)
    })
}
