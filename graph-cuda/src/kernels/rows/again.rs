//! Row programs that read their row again for each reduction, because it is too long for the registers of a team.

use super::{CurrentRow, Group, Registers, RowProgram, RowStep, Values};
use crate::kernels::chain::Step;
use crate::ptx::{Code, Reg};

impl RowProgram {
    /// Runs the program with one walk over the row for each reduction, and one for the result.
    pub(super) fn run_again(&self, code: &mut Code, registers: &Registers, current: &CurrentRow) {
        let varying = self.varying();
        let mut values: Values = Vec::new();
        for (i, (step, varies)) in self.steps.iter().zip(&varying).enumerate() {
            let value = match step {
                // Computed in the walks that need it.
                _ if *varies => Vec::new(),
                RowStep::Element(step) => {
                    self.step(code, (registers, current, &[]), step, false, &values)
                }
                RowStep::Reduce(op, dtype, of) => {
                    let (sum, of) = (self.start(code, *op, *dtype), *of);
                    self.walk(
                        code,
                        (registers, current),
                        &varying,
                        &values,
                        of,
                        |code, group, of| {
                            self.combine(code, (*op, *dtype), &[group], of, sum);
                        },
                    );
                    vec![self.reduced(code, registers, (*op, *dtype), sum)]
                }
                RowStep::Require(of) => self.require(code, &values[*of]),
            };
            values.push(value);
            if i + 1 < self.steps.len() {
                continue;
            }
            if self.one_per_row {
                self.store_one(code, registers, current, values[i][0]);
            } else {
                self.walk(
                    code,
                    (registers, current),
                    &varying,
                    &values,
                    i,
                    |code, group, value| {
                        self.store(code, (registers, current, &[group]), value);
                    },
                );
            }
        }
    }

    /// Walks over the row and computes a step's values, group by group.
    fn walk(
        &self,
        code: &mut Code,
        (registers, current): (&Registers, &CurrentRow),
        varying: &[bool],
        known: &Values,
        of: usize,
        then: impl FnOnce(&mut Code, Group, &[Reg]),
    ) {
        let needed = self.needed(varying, of);
        let member = code.widened(registers.member, self.index());
        let first = code.mul(member, self.lanes as i64);
        let position = code.copy(first, first.width);
        let step = i64::from(self.team) * self.lanes as i64;
        code.count_up(position, registers.length, step, |code| {
            let group = Group {
                position,
                inside: None,
            };
            let mut values = known.clone();
            values.resize(self.steps.len(), Vec::new());
            for i in needed {
                if let RowStep::Element(step) = &self.steps[i] {
                    let groups = [group];
                    let context = (registers, current, &groups[..]);
                    values[i] = self.step(code, context, step, true, &values);
                }
            }
            then(code, group, &values[of]);
        });
    }

    /// The steps with values for each element that a step's value depends on, in order.
    fn needed(&self, varying: &[bool], of: usize) -> Vec<usize> {
        let mut needed = vec![false; self.steps.len()];
        needed[of] = varying[of];
        for i in (0..=of).rev().filter(|i| varying[*i]) {
            if let (true, RowStep::Element(Step::Element(_, _, inputs))) =
                (needed[i], &self.steps[i])
            {
                for input in inputs {
                    needed[*input] |= varying[*input];
                }
            }
        }
        (0..needed.len()).filter(|i| needed[*i]).collect()
    }
}
