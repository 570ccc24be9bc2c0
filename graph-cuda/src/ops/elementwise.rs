//! Elementwise functions: a chain of one function.

use graph_kernels::{DType, ElementOp};

use super::{Call, Outcome, Trouble};
use crate::kernels::{Chain, Kernels, Step, Target};

/// The dtype of a function's table that belongs to its operands.
pub fn table_dtype(op: ElementOp, operands: &[DType]) -> DType {
    match (op, operands) {
        (ElementOp::Select, [_, dtype, _]) => *dtype,
        (_, [dtype, ..]) => *dtype,
        _ => DType::Bool,
    }
}

/// The steps of one function on as many operands.
fn steps(op: ElementOp, operands: &[DType]) -> Vec<Step> {
    let count = operands.len();
    let mut steps: Vec<Step> = (0..count).map(Step::Operand).collect();
    let dtype = table_dtype(op, operands);
    steps.push(Step::Element(op, dtype, (0..count).collect()));
    steps
}

/// Applies the op's function.
pub fn run(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let op = (call.op.element)(call.attrs);
    let op = op.ok_or(Trouble::NoKernel("it isn't elementwise"))?;
    let shape = call.shape()?;
    let dtypes: Vec<DType> = call.operands.iter().map(|x| x.dtype).collect();
    let steps = steps(op, &dtypes);
    let chain = Chain {
        operands: Vec::new(),
        steps,
        dtype: call.dtype,
        checks: false,
    };
    if !chain.is_supported_for(&dtypes) {
        return Err(Trouble::NoKernel(
            "the function has no instructions for these dtypes",
        ));
    }
    let inputs: Result<Vec<_>, _> = call.operands.iter().map(|x| x.input(shape)).collect();
    let inputs = inputs?;
    kernels.result(call.dtype, shape, |out| {
        let target = Target::Whole(out);
        Ok(kernels.map(&target, shape, call.dtype, chain.steps, &inputs)?)
    })
}
