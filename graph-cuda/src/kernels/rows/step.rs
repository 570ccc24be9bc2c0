//! The steps of a row program.

use graph_kernels::{DType, ReduceOp};

use crate::kernels::chain::Step;
use crate::ptx::{self, Code, Reg};

/// One value of a row program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RowStep {
    /// A value for each element.
    Element(Step),
    /// The reduction of a value over the row. The dtype is that of the value.
    Reduce(ReduceOp, DType, usize),
    /// Reports a fault where a value, which is the same for the whole row, is false.
    Require(usize),
}

impl RowStep {
    /// Whether a GPU has all functions of a row program on operands of these dtypes, and none can fail.
    pub fn are_supported(steps: &[RowStep], operands: &[DType]) -> bool {
        let mut code = Code::new();
        let mut values: Vec<Reg> = Vec::new();
        if !operands.iter().all(|dtype| ptx::is_held(*dtype)) {
            return false;
        }
        for step in steps {
            let value = match step {
                RowStep::Element(Step::Operand(i)) => Some(code.register(ptx::width(operands[*i]))),
                RowStep::Element(Step::Constant(dtype, _)) | RowStep::Reduce(_, dtype, _) => {
                    Some(code.register(ptx::width(*dtype)))
                }
                RowStep::Element(Step::Element(op, dtype, inputs)) => {
                    let inputs: Vec<Reg> = inputs.iter().map(|i| values[*i]).collect();
                    let value = ptx::element(&mut code, *op, *dtype, &inputs);
                    value.filter(|_| !ptx::can_fail(*op, *dtype))
                }
                RowStep::Require(of) => Some(values[*of]),
            };
            let Some(value) = value else { return false };
            values.push(value);
        }
        true
    }
}
