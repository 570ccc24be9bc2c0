//! Softmax, its logarithm, and the cross entropy of labels: row programs along one axis. 16-bit floats are calculated in `f32`.

use graph_kernels::{DType, ElementOp, ReduceOp, normalize_axis};

use super::{Call, Outcome, Run, Trouble};
use crate::kernels::{Input, Kernels, PerAxis, Row, RowStep, Step, View};

pub const OPS: &[(&str, Run)] = &[
    ("softmax", softmax),
    ("log_softmax", log_softmax),
    ("sparse_softmax_cross_entropy_with_logits", cross_entropy),
];

/// A row program that is being written. Values are known by their numbers.
struct Program {
    steps: Vec<RowStep>,
    /// The dtype in which floats are calculated.
    wide: DType,
}

impl Program {
    /// A program on operands of which the first one's elements are widened; the number of their values.
    fn new(dtype: DType, operands: usize) -> (Program, usize) {
        let steps = (0..operands).map(|i| RowStep::Element(Step::Operand(i)));
        let mut program = Program {
            steps: steps.collect(),
            wide: match dtype {
                DType::F64 => DType::F64,
                _ => DType::F32,
            },
        };
        let x = program.converted(0, dtype, program.wide);
        (program, x)
    }

    fn push(&mut self, step: RowStep) -> usize {
        self.steps.push(step);
        self.steps.len() - 1
    }

    fn element(&mut self, op: ElementOp, dtype: DType, inputs: &[usize]) -> usize {
        self.push(RowStep::Element(Step::Element(op, dtype, inputs.to_vec())))
    }

    fn converted(&mut self, value: usize, from: DType, to: DType) -> usize {
        match ElementOp::conversion(to) {
            Some(op) if from != to => self.element(op, from, &[value]),
            _ => value,
        }
    }

    /// The differences from the row's largest value, their exponentials, and the sum of the exponentials.
    fn exponentials(&mut self, x: usize) -> (usize, usize, usize) {
        let largest = self.push(RowStep::Reduce(ReduceOp::Max, self.wide, x));
        let differences = self.element(ElementOp::Sub, self.wide, &[x, largest]);
        let exponentials = self.element(ElementOp::Exp, self.wide, &[differences]);
        let sum = self.push(RowStep::Reduce(ReduceOp::Sum, self.wide, exponentials));
        (differences, exponentials, sum)
    }
}

fn softmax(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    along(kernels, call, |program, x| {
        let (_, exponentials, sum) = program.exponentials(x);
        program.element(ElementOp::Div, program.wide, &[exponentials, sum])
    })
}

fn log_softmax(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    along(kernels, call, |program, x| {
        let (differences, _, sum) = program.exponentials(x);
        let log = program.element(ElementOp::Log, program.wide, &[sum]);
        program.element(ElementOp::Sub, program.wide, &[differences, log])
    })
}

/// A row program along the axis of the attributes, with a result of the operand's shape.
fn along(
    kernels: &Kernels,
    call: &Call<'_>,
    write: impl FnOnce(&mut Program, usize) -> usize,
) -> Outcome {
    let x = call.operand()?;
    let axis = normalize_axis(call.attrs.int("axis")?, x.shape.len())?;
    let mut order: Vec<usize> = (0..x.shape.len()).filter(|other| *other != axis).collect();
    order.push(axis);
    let dims: Vec<usize> = order.iter().map(|axis| x.shape[*axis]).collect();
    let view = View::of(&x.shape).permuted(&order);
    let (mut program, wide) = Program::new(x.dtype, 1);
    let result = write(&mut program, wide);
    program.converted(result, program.wide, call.dtype);
    let input = x.input_by(view.clone())?;
    kernels.result(call.dtype, &x.shape, |out| {
        let row = Row {
            dims: &dims,
            dtype: call.dtype,
            steps: program.steps,
            inputs: &[input],
            target: Some(view),
        };
        Ok(kernels.rows(out, row)?)
    })
}

/// `-log_softmax(logits)[label]` for each row. A label that is no position in the row is a fault.
fn cross_entropy(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [labels, logits] = call.all()?;
    let shape = call.shape()?;
    let Some((length, rows)) = logits.shape.split_last() else {
        return Err(Trouble::NoKernel("the logits have no rows"));
    };
    if labels.shape[..] != *rows || *length == 0 {
        return Err(Trouble::NoKernel("there isn't a label for each row"));
    }
    let rank = logits.shape.len();
    let mut of_row = View::of(rows);
    of_row.strides.push(0);
    let mut position = PerAxis::from_elem(0, rank);
    position[rank - 1] = 1;
    let inputs = [
        logits.input_by(View::of(&logits.shape))?,
        labels.input_by(of_row)?,
        Input::Position(View {
            offset: 0,
            strides: position,
        }),
        Input::Value(DType::I64, *length as u64),
    ];
    let (mut program, x) = Program::new(logits.dtype, inputs.len());
    let wide = program.wide;
    let label = program.converted(1, labels.dtype, DType::I64);
    let zero = program.push(RowStep::Element(Step::Constant(DType::I64, 0)));
    let begins = program.element(ElementOp::GreaterEqual, DType::I64, &[label, zero]);
    let ends = program.element(ElementOp::Less, DType::I64, &[label, 3]);
    for holds in [begins, ends] {
        program.push(RowStep::Require(holds));
    }
    let (differences, _, sum) = program.exponentials(x);
    let log = program.element(ElementOp::Log, wide, &[sum]);
    let is_label = program.element(ElementOp::Equal, DType::I64, &[label, 2]);
    let nothing = program.push(RowStep::Element(Step::Constant(wide, 0)));
    let of_label = [is_label, differences, nothing];
    let of_label = program.element(ElementOp::Select, wide, &of_label);
    let of_label = program.push(RowStep::Reduce(ReduceOp::Sum, wide, of_label));
    let loss = program.element(ElementOp::Sub, wide, &[log, of_label]);
    program.converted(loss, wide, call.dtype);
    kernels.result(call.dtype, shape, |out| {
        let row = Row {
            dims: &logits.shape,
            dtype: call.dtype,
            steps: program.steps,
            inputs: &inputs,
            target: None,
        };
        Ok(kernels.rows(out, row)?)
    })
}
