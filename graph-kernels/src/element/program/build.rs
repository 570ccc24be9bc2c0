//! From steps to instructions: the function of each step is looked up for its dtype, and values get registers that are
//! used again once nobody needs the value.

use smallvec::SmallVec;

use super::super::Entry;
use super::{Instruction, Operand, Place, Program, Register, Step};
use crate::{DType, KernelError};

pub(super) fn program(inputs: &[DType], steps: &[Step]) -> Result<Program, KernelError> {
    let mut registers = Registers::default();
    let input_registers = inputs.iter().map(|dtype| registers.take(*dtype)).collect();
    let mut builder = Builder {
        inputs,
        values: SmallVec::new(),
        registers,
    };
    let mut instructions = SmallVec::new();
    let mut cost = 0;
    for (n, step) in steps.iter().enumerate() {
        let entry = builder.entry(step)?;
        cost += entry.cost;
        instructions.push(builder.instruction(entry, step, n, steps));
    }
    let Some(last) = builder.values.last() else {
        return Err(KernelError::Value("a program has a step".to_owned()));
    };
    Ok(Program {
        inputs: inputs.into(),
        input_registers,
        instructions,
        output: last.dtype,
        reduction: None,
        cost,
    })
}

/// What is known of an earlier step's value.
struct Value {
    dtype: DType,
    place: Place,
}

struct Builder<'a> {
    inputs: &'a [DType],
    values: SmallVec<[Value; 4]>,
    registers: Registers,
}

impl Builder<'_> {
    /// The function of a step for its operands' dtypes.
    fn entry(&self, step: &Step) -> Result<&'static Entry, KernelError> {
        let dtypes: SmallVec<[DType; 3]> = step
            .operands
            .iter()
            .map(|operand| self.dtype(*operand))
            .collect::<Result<_, _>>()?;
        step.op.entry(&dtypes)
    }

    fn dtype(&self, operand: Operand) -> Result<DType, KernelError> {
        let dtype = match operand {
            Operand::Input(n) => self.inputs.get(n).copied(),
            Operand::Step(n) => self.values.get(n).map(|value| value.dtype),
        };
        dtype.ok_or_else(|| KernelError::Value(format!("there is no {operand:?} in the program")))
    }

    fn place(&self, operand: Operand) -> Place {
        match operand {
            Operand::Input(n) => Place::Input(n),
            Operand::Step(n) => self.values[n].place,
        }
    }

    /// The instruction of step `n`. Its result gets a register before those of its operands are free, because an instruction
    /// doesn't read what it writes.
    fn instruction(
        &mut self,
        entry: &'static Entry,
        step: &Step,
        n: usize,
        steps: &[Step],
    ) -> Instruction {
        let operands = step.operands.iter().map(|o| self.place(*o)).collect();
        let output = if n + 1 == steps.len() {
            Place::Output
        } else {
            Place::Register(self.registers.take(entry.output))
        };
        self.values.push(Value {
            dtype: entry.output,
            place: output,
        });
        let needed = |k: usize| {
            let later = steps[n + 1..].iter().flat_map(|step| &step.operands);
            later.into_iter().any(|o| *o == Operand::Step(k))
        };
        // Read for the last time here, each once; or never read at all.
        for k in 0..=n {
            let read_here = step.operands.contains(&Operand::Step(k));
            if (read_here || k == n)
                && !needed(k)
                && let Place::Register(register) = self.values[k].place
            {
                self.registers.give(register);
            }
        }
        Instruction {
            function: entry.block,
            operands,
            output,
        }
    }
}

/// Which registers are in use.
#[derive(Default)]
struct Registers {
    free: SmallVec<[Register; 8]>,
    used: [usize; DType::ALL.len()],
}

impl Registers {
    fn take(&mut self, dtype: DType) -> Register {
        if let Some(at) = self.free.iter().position(|free| free.dtype == dtype) {
            return self.free.swap_remove(at);
        }
        let index = self.used[dtype as usize];
        self.used[dtype as usize] += 1;
        Register { dtype, index }
    }

    fn give(&mut self, register: Register) {
        self.free.push(register);
    }
}
