//! Chains of functions as what machine code is made of: their formulas are recorded, one behind the other.

use smallvec::SmallVec;

use super::codegen::{ChainInput, ChainSource};
use crate::DType;
use crate::element::ElementOp;
use crate::formula::{LaneType, input, number, record};
use crate::step::{Operand, Step, StepOp};

/// What the code of a chain of functions is made of: inputs of some dtypes, which are read in some ways, steps, and those of them whose values are
/// the results. `None` if a function can't be recorded.
pub(crate) fn chain_source(
    inputs: &[DType],
    forms: &[ChainInput],
    steps: &[Step],
    results: &[usize],
) -> Option<ChainSource> {
    let dtypes = dtypes(inputs, steps)?;
    let program = record(|| {
        let mut of_inputs = Vec::with_capacity(inputs.len());
        for (n, (dtype, form)) in inputs.iter().zip(forms).enumerate() {
            of_inputs.push(match form {
                ChainInput::Number(value) => number(LaneType::I32, *value as u32 as u64),
                _ => input(n, LaneType::of(*dtype)?),
            });
        }
        record_steps(&of_inputs, inputs, steps, results)
    })?;
    Some(ChainSource {
        program,
        inputs: forms.into(),
        dtypes: inputs.into(),
        results: results.iter().map(|n| dtypes[*n]).collect(),
    })
}

/// Records steps whose inputs are the values of recorded steps, of these dtypes: the values of the results.
pub(crate) fn record_steps(
    of_inputs: &[usize],
    inputs: &[DType],
    steps: &[Step],
    results: &[usize],
) -> Option<Vec<usize>> {
    let dtypes = dtypes(inputs, steps)?;
    let mut values = Vec::with_capacity(steps.len());
    for step in steps {
        let at = |operand: &Operand| match *operand {
            Operand::Input(n) => (of_inputs[n], inputs[n]),
            Operand::Step(n) => (values[n], dtypes[n]),
        };
        let operands: SmallVec<[usize; 3]> =
            step.operands.iter().map(|operand| at(operand).0).collect();
        let (_, dtype) = at(step.operands.last()?);
        values.push(element(step.op)?.record(dtype, &operands)?);
    }
    Some(results.iter().map(|n| values[*n]).collect())
}

fn element(op: StepOp) -> Option<ElementOp> {
    match op {
        StepOp::Element(op) => Some(op),
        StepOp::Reduce(_) => None,
    }
}

/// The dtypes of the steps' values; `None` if one reduces, isn't valid, or has values that no lane holds.
pub(crate) fn dtypes(inputs: &[DType], steps: &[Step]) -> Option<SmallVec<[DType; 16]>> {
    let mut dtypes: SmallVec<[DType; 16]> = SmallVec::new();
    for step in steps {
        let operands = step.operands.iter().map(|operand| match *operand {
            Operand::Input(n) => inputs.get(n).copied(),
            Operand::Step(n) => dtypes.get(n).copied(),
        });
        let operands: SmallVec<[DType; 3]> = operands.collect::<Option<_>>()?;
        let dtype = element(step.op)?.output(&operands).ok()?;
        LaneType::of(dtype)?;
        dtypes.push(dtype);
    }
    Some(dtypes)
}
