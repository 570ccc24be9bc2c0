//! Ops whose results are as large as there are values that a mask chooses: the chosen ones are counted first.

use graph_kernels::{DType, Dims, ElementOp, ReduceOp};

use super::parts::look_up;
use super::{Call, Outcome, Run, Trouble};
use crate::driver::Buffer;
use crate::kernels::{Along, Input, Kernels, Outside, Reduction, Step, Target, View};
use crate::value::{Tensor, integers};

pub const OPS: &[(&str, Run)] = &[("nonzero", nonzero), ("boolean_mask", boolean_mask)];

/// The numbers of the elements that aren't zero, in order.
fn chosen(kernels: &Kernels, x: &Tensor) -> Outcome {
    let count = x.count();
    let line = View::of(&[count]);
    // The last of these steps is the flag of an element.
    let flag = || match x.dtype {
        DType::Bool => vec![Step::Operand(0)],
        dtype => vec![
            Step::Operand(0),
            Step::Constant(dtype, 0),
            Step::Element(ElementOp::NotEqual, dtype, vec![0, 1]),
        ],
    };
    let flags = x.input_by(line.clone())?;
    let mut steps = flag();
    let last = steps.len() - 1;
    steps.push(Step::Element(ElementOp::ToI64, DType::Bool, vec![last]));
    let sum = kernels.result(DType::I64, &[], |out| {
        let reduction = Reduction {
            op: ReduceOp::Sum,
            dims: &[count],
            kept: 0,
            dtype: DType::I64,
            steps,
            inputs: std::slice::from_ref(&flags),
        };
        Ok(kernels.reduce(out, reduction)?)
    })?;
    let room = count.next_power_of_two();
    let keys = Buffer::new(kernels.gpu(), room * 8)?;
    let nowhere = [Input::Value(DType::I64, u64::MAX)];
    let target = Target::Whole(&keys);
    let fill = vec![Step::Operand(0)];
    kernels.map(&target, &[room], DType::I64, fill, &nowhere)?;
    let mut steps = flag();
    let last = steps.len() - 1;
    steps.extend([
        Step::Operand(1),
        Step::Constant(DType::I64, u64::MAX),
        Step::Element(
            ElementOp::Select,
            DType::I64,
            vec![last, last + 1, last + 2],
        ),
    ]);
    let inputs = [flags, Input::Position(line)];
    kernels.map(&target, &[count], DType::I64, steps, &inputs)?;
    kernels.sort(&keys, 1, room)?;
    let found = integers(&*sum.fetch()?).and_then(|sums| usize::try_from(*sums.first()?).ok());
    let found = found.ok_or(Trouble::NoKernel("there is no count"))?;
    let shape = [found];
    let input = [Input::Tensor(DType::I64, &keys, View::of(&shape))];
    kernels.result(DType::I64, &shape, |out| {
        let steps = vec![Step::Operand(0)];
        Ok(kernels.map(&Target::Whole(out), &shape, DType::I64, steps, &input)?)
    })
}

/// The coordinates of the elements that aren't zero.
fn nonzero(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let x = call.operand()?;
    if x.count() == 0 {
        return Err(Trouble::NoKernel("the tensor is empty"));
    }
    let numbers = chosen(kernels, x)?;
    let (found, rank) = (numbers.count(), x.shape.len());
    let shape = [found, rank];
    let own = View::of(&x.shape);
    let input = [numbers.input_by(View::of(&[found]))?];
    kernels.result(DType::I64, &shape, |out| {
        for (axis, size) in x.shape.iter().enumerate() {
            let column = View {
                offset: axis as i64,
                strides: [rank as i64].into_iter().collect(),
            };
            let of = |op, operands| Step::Element(op, DType::I64, operands);
            let steps = vec![
                Step::Operand(0),
                Step::Constant(DType::I64, own.strides[axis].max(1) as u64),
                Step::Constant(DType::I64, *size as u64),
                of(ElementOp::Div, vec![0, 1]),
                of(ElementOp::Rem, vec![3, 2]),
            ];
            let target = Target::Part(out, column);
            kernels.map(&target, &[found], DType::I64, steps, &input)?;
        }
        Ok(())
    })
}

/// The parts where a mask, which covers the leading axes, is true.
fn boolean_mask(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, mask] = call.all()?;
    if mask.shape.is_empty() || !x.shape.starts_with(&mask.shape) || x.count() == 0 {
        return Err(Trouble::NoKernel("the mask doesn't fit"));
    }
    let numbers = chosen(kernels, mask)?;
    let rest = &x.shape[mask.shape.len()..];
    let mut shape = Dims::from_slice(&[numbers.count()]);
    shape.extend_from_slice(rest);
    let mut start = View::of(&shape);
    let inner = start.strides[0];
    start.strides[0] = 0;
    let mut view = View::of(&[numbers.count()]);
    view.strides.extend(rest.iter().map(|_| 0));
    let along = vec![Along {
        indices: numbers.input_by(view)?,
        size: mask.count(),
        stride: inner,
    }];
    look_up(kernels, x, &shape, start, along, Outside::Wrong)
}
