//! Row programs whose row stays in registers from one reduction to the next.

use super::{CurrentRow, Group, Registers, RowProgram, RowStep, Values};
use crate::kernels::chain::Step;
use crate::ptx::{Code, Width};

impl RowProgram {
    /// The groups of elements that a thread keeps. A group beyond the end of the row reads the row's beginning.
    fn held_groups(&self, code: &mut Code, registers: &Registers) -> Vec<Group> {
        let member = code.widened(registers.member, self.index());
        (0..self.held)
            .map(|group| {
                let number = code.add(member, group as i64 * i64::from(self.team));
                let position = code.mul(number, self.lanes as i64);
                if self.full {
                    let inside = None;
                    return Group { position, inside };
                }
                let inside = code.compare("lt", position, registers.length);
                let zero = code.copy(0, self.index());
                let select = match self.index() {
                    Width::Double => "selp.b64",
                    _ => "selp.b32",
                };
                let safe = [position.into(), zero.into(), inside.into()];
                Group {
                    position: code.op(self.index(), select, &safe),
                    inside: Some(inside),
                }
            })
            .collect()
    }

    /// Runs the program with the elements in registers.
    pub(super) fn run_held(&self, code: &mut Code, registers: &Registers, current: &CurrentRow) {
        let groups = self.held_groups(code, registers);
        let varying = self.varying();
        let mut values: Values = vec![Vec::new(); self.steps.len()];
        for (i, (step, varies)) in self.steps.iter().zip(&varying).enumerate() {
            let context = (registers, current, &groups[..]);
            self.load_inputs(code, context, step, &mut values);
            values[i] = match step {
                // Loaded where it is needed first, so that fewer registers are in use.
                RowStep::Element(Step::Operand(_)) => continue,
                RowStep::Element(step) => self.step(code, context, step, *varies, &values),
                RowStep::Reduce(op, dtype, of) => {
                    let sum = self.start(code, *op, *dtype);
                    self.combine(code, (*op, *dtype), &groups, &values[*of], sum);
                    vec![self.reduced(code, registers, (*op, *dtype), sum)]
                }
                RowStep::Require(of) => self.require(code, &values[*of]),
            };
        }
        let last = values.pop().unwrap_or_default();
        match self.one_per_row {
            true => self.store_one(code, registers, current, last[0]),
            false => self.store(code, (registers, current, &groups), &last),
        }
    }

    /// Loads the operands that a step reads and none before it did.
    fn load_inputs(
        &self,
        code: &mut Code,
        context: (&Registers, &CurrentRow, &[Group]),
        step: &RowStep,
        values: &mut Values,
    ) {
        let inputs = match step {
            RowStep::Element(Step::Element(_, _, inputs)) => &inputs[..],
            RowStep::Reduce(_, _, of) | RowStep::Require(of) => std::slice::from_ref(of),
            RowStep::Element(_) => &[],
        };
        for input in inputs {
            if let (true, RowStep::Element(Step::Operand(operand))) =
                (values[*input].is_empty(), &self.steps[*input])
            {
                let (registers, current, groups) = context;
                values[*input] = self.operand(code, registers, current, *operand, groups);
            }
        }
    }
}
