//! From steps to instructions, one for one: the index of an instruction is that of its step.

use super::code::{Code, Instruction};
use super::divisor::Divisor;
use super::{Register, Rows, WordProgram, WordStep, WrittenRow, jumps, mul_add, order};
use smallvec::smallvec;

use crate::DType;
use crate::block::Lane;
use crate::element::ElementOp;

pub(super) fn program(steps: &[WordStep], constants: &[(Register, u64)]) -> Option<WordProgram> {
    if order::writes_after_reads(steps) {
        return None;
    }
    let mut assembler = Assembler {
        program: WordProgram {
            code: Vec::with_capacity(steps.len()),
            constants: constants.to_vec(),
            functions: Vec::new(),
            divisors: Vec::new(),
            rows: Vec::new(),
            places: Vec::new(),
            switches: Vec::new(),
            source: None,
            hot: None,
            lanes: None,
        },
        len: u16::try_from(steps.len()).ok()?,
    };
    for step in steps {
        let instruction = assembler.instruction(step)?;
        assembler.program.code.push(instruction);
    }
    let WordProgram {
        code, constants, ..
    } = &mut assembler.program;
    jumps::shorten(code, constants);
    Some(assembler.program)
}

struct Assembler {
    program: WordProgram,
    /// The index behind the last step.
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
                let division = self.division(*op, *dtype, b);
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
                    x,
                    y: c.into(),
                }
            }
            WordStep::MulAdd {
                dtype,
                operands: [a, b, c],
                to,
            } => {
                self.program.functions.push(mul_add::function(*dtype)?);
                Instruction {
                    code: Code::Call,
                    to: *to,
                    a: *a,
                    b: *b,
                    x: u16::try_from(self.program.functions.len() - 1).ok()?,
                    y: (*c).into(),
                }
            }
            WordStep::Read {
                from,
                element,
                index,
                dtype,
                to,
            } => {
                let (code, number) = match *from {
                    Rows::Array(array) => (Code::Read, array),
                    Rows::Fixed(array) => (Code::ReadFixed, array),
                    Rows::List(list) => (Code::ReadList, list),
                };
                Instruction {
                    code,
                    to: *to,
                    a: *index,
                    b: wide(*dtype)?,
                    x: number.into(),
                    y: *element,
                }
            }
            WordStep::Write {
                list,
                index,
                dtype,
                from,
                grows,
            } => {
                let row = WrittenRow {
                    list: *list,
                    from: from.clone(),
                    grows: *grows,
                };
                self.program.rows.push(row);
                Instruction {
                    b: wide(*dtype)?,
                    ..plain(
                        Code::Write,
                        0,
                        *index,
                        u16::try_from(self.program.rows.len() - 1).ok()?,
                    )
                }
            }
            WordStep::ReadAt {
                from,
                element,
                index,
                dtype,
                to,
            } => {
                self.program.places.push((*from, wide(*dtype)?));
                let x = u16::try_from(self.program.places.len() - 1).ok()?;
                Instruction {
                    b: *element,
                    ..plain(Code::ReadAt, *to, *index, x)
                }
            }
            WordStep::WriteAt {
                list,
                element,
                index,
                dtype,
                from,
                grows,
            } => {
                self.program.rows.push(WrittenRow {
                    list: *list,
                    from: smallvec![*from],
                    grows: *grows,
                });
                let x = u16::try_from(self.program.rows.len() - 1).ok()?;
                Instruction {
                    b: *element,
                    y: wide(*dtype)?.into(),
                    ..plain(Code::WriteAt, 0, *index, x)
                }
            }
            WordStep::Move { to, from } => plain(Code::Move, *to, *from, 0),
            WordStep::Swap(a, b) => plain(Code::Swap, *a, *b, 0),
            WordStep::Jump(target) => plain(Code::Jump, 0, 0, self.target(*target)?),
            WordStep::Unless { condition, target } => Instruction {
                y: self.target(*target)?,
                ..plain(Code::If, 0, *condition, self.next())
            },
            WordStep::UnlessHolds {
                op,
                dtype,
                operands: [a, b],
                target,
            } => Instruction {
                b: *b,
                y: self.target(*target)?,
                ..plain(Code::jump(*op, *dtype)?, 0, *a, self.next())
            },
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

    /// The index behind the instruction that is being made.
    fn next(&self) -> u16 {
        self.program.code.len() as u16 + 1
    }

    fn target(&self, target: usize) -> Option<u16> {
        u16::try_from(target)
            .ok()
            .filter(|target| *target <= self.len)
    }

    /// Adds a function that has no instruction, and returns its index.
    fn function(&mut self, op: ElementOp, dtype: DType) -> Option<u16> {
        self.program.functions.push(op.word_function(dtype)?);
        u16::try_from(self.program.functions.len() - 1).ok()
    }

    /// The instruction of a division by a constant, and the constant's exponent or the index of its [`Divisor`].
    fn division(&mut self, op: ElementOp, dtype: DType, divisor: Register) -> Option<(Code, u16)> {
        let (by_power, by) = Code::divisions(op, dtype)?;
        let mut constants = self.program.constants.iter();
        let (_, word) = *constants.find(|(register, _)| *register == divisor)?;
        let number = match dtype {
            DType::I32 => i32::of_word(word).into(),
            _ => i64::of_word(word),
        };
        if number > 0 && number & (number - 1) == 0 {
            return Some((by_power, number.trailing_zeros() as u16));
        }
        self.program.divisors.push(Divisor::new(number)?);
        let position = u16::try_from(self.program.divisors.len() - 1).ok()?;
        Some((by, position))
    }
}

/// 1 for positions that are `int64`, 0 for `int32`; `None` for other dtypes.
fn wide(dtype: DType) -> Option<u8> {
    match dtype {
        DType::I32 => Some(0),
        DType::I64 => Some(1),
        _ => None,
    }
}

fn plain(code: Code, to: u8, a: u8, x: u16) -> Instruction {
    Instruction {
        code,
        to,
        a,
        b: 0,
        x,
        y: 0,
    }
}
