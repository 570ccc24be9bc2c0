//! From steps to instructions, one for one, so that the position of an instruction is that of its step.

use super::super::ElementOp;
use super::code::{Code, Instruction};
use super::{Register, WordProgram, WordStep};
use crate::DType;

pub(super) fn program(steps: &[WordStep], constants: &[(Register, u64)]) -> Option<WordProgram> {
    let mut assembler = Assembler {
        program: WordProgram {
            code: Vec::with_capacity(steps.len()),
            constants: constants.to_vec(),
            functions: Vec::new(),
            switches: Vec::new(),
        },
        len: u16::try_from(steps.len()).ok()?,
    };
    for step in steps {
        let instruction = assembler.instruction(step)?;
        assembler.program.code.push(instruction);
    }
    turn_loops(&mut assembler.program.code);
    Some(assembler.program)
}

/// A jump back to a conditional jump that leaves the loop just behind it is the opposite conditional jump: one
/// instruction less in every iteration.
fn turn_loops(code: &mut [Instruction]) {
    for at in 0..code.len() {
        let Instruction {
            code: Code::Jump,
            x,
            ..
        } = code[at]
        else {
            continue;
        };
        let Some(head) = code.get(x as usize).copied() else {
            continue;
        };
        if let Some(opposite) = head.code.opposite()
            && head.x as usize == at + 1
        {
            code[at] = Instruction {
                code: opposite,
                x: x + 1,
                ..head
            };
        }
    }
}

struct Assembler {
    program: WordProgram,
    /// The position behind the last step.
    len: u16,
}

impl Assembler {
    fn instruction(&mut self, step: &WordStep) -> Option<Instruction> {
        Some(match step {
            WordStep::Apply {
                op,
                dtype,
                operands,
                to,
            } => {
                if operands.len() != op.arity() {
                    return None;
                }
                let [a, b, c] = std::array::from_fn(|n| operands.get(n).copied().unwrap_or(0));
                let division = self.by_power(*op, *dtype, b);
                let (code, x) = match division {
                    Some(division) => division,
                    None => match Code::of(*op, *dtype) {
                        Some(code) => (code, 0),
                        None => (Code::Call, self.function(*op, *dtype)?),
                    },
                };
                Instruction {
                    code,
                    to: *to,
                    a,
                    b,
                    c,
                    x,
                }
            }
            WordStep::Read {
                array,
                index,
                dtype,
                to,
            } => {
                let wide = match dtype {
                    DType::I32 => 0,
                    DType::I64 => 1,
                    _ => return None,
                };
                let x = u16::from(*array);
                Instruction {
                    code: Code::Read,
                    to: *to,
                    a: *index,
                    b: wide,
                    c: 0,
                    x,
                }
            }
            WordStep::Move { to, from } => plain(Code::Move, *to, *from, 0),
            WordStep::Swap(a, b) => plain(Code::Swap, *a, *b, 0),
            WordStep::Jump(target) => plain(Code::Jump, 0, 0, self.target(*target)?),
            WordStep::Unless { condition, target } => {
                plain(Code::Unless, 0, *condition, self.target(*target)?)
            }
            WordStep::UnlessHolds {
                op,
                dtype,
                operands: [a, b],
                target,
            } => {
                let (_, code) = Code::jumps(*op, *dtype)?;
                let x = self.target(*target)?;
                Instruction {
                    code,
                    to: 0,
                    a: *a,
                    b: *b,
                    c: 0,
                    x,
                }
            }
            WordStep::Switch { index, targets } => {
                let targets: Option<Vec<u16>> = targets.iter().map(|t| self.target(*t)).collect();
                self.program
                    .switches
                    .push(targets.filter(|t| !t.is_empty())?);
                let x = u16::try_from(self.program.switches.len() - 1).ok()?;
                plain(Code::Switch, 0, *index, x)
            }
            WordStep::Assert(condition) => plain(Code::Assert, 0, *condition, 0),
        })
    }

    fn target(&self, target: usize) -> Option<u16> {
        u16::try_from(target)
            .ok()
            .filter(|target| *target <= self.len)
    }

    /// The number of a function that has no instruction.
    fn function(&mut self, op: ElementOp, dtype: DType) -> Option<u16> {
        self.program.functions.push(op.word_function(dtype)?);
        u16::try_from(self.program.functions.len() - 1).ok()
    }

    /// The instruction and exponent of a division whose divisor is a known power of two.
    fn by_power(&self, op: ElementOp, dtype: DType, divisor: Register) -> Option<(Code, u16)> {
        let constants = &self.program.constants;
        let (_, word) = constants
            .iter()
            .find(|(register, _)| *register == divisor)?;
        let (code, sign) = match (op, dtype) {
            (ElementOp::FloorMod, DType::I32) => (Code::FloorModPower, 31),
            (ElementOp::FloorMod, DType::I64) => (Code::FloorModPower, 63),
            (ElementOp::FloorDiv, DType::I32) => (Code::FloorDivPowerI32, 31),
            (ElementOp::FloorDiv, DType::I64) => (Code::FloorDivPowerI64, 63),
            (ElementOp::Rem, DType::I32) => (Code::RemPowerI32, 31),
            (ElementOp::Rem, DType::I64) => (Code::RemPowerI64, 63),
            (ElementOp::Div, DType::I32) => (Code::DivPowerI32, 31),
            (ElementOp::Div, DType::I64) => (Code::DivPowerI64, 63),
            _ => return None,
        };
        let exponent = word.trailing_zeros();
        (word.is_power_of_two() && exponent < sign).then_some((code, exponent as u16))
    }
}

fn plain(code: Code, to: u8, a: u8, x: u16) -> Instruction {
    Instruction {
        code,
        to,
        a,
        b: 0,
        c: 0,
        x,
    }
}
