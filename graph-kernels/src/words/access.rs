//! Which registers a step reads and writes, and what tells the dtypes of their values. The interpreter's lanes, machine code and kernels of
//! devices learn it here.

use smallvec::{SmallVec, smallvec};

use super::{Register, Rows, WordStep};
use crate::DType;

/// What tells the dtype of a value that a step reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// The step itself: it is this one.
    Is(DType),
    /// The array or list whose element the value is.
    OfElement(Rows),
    /// Only other steps: a move copies a value of any dtype.
    Any,
}

impl ValueType {
    /// The dtype, if it is known without other steps. `elements` says which dtype the elements of an array or list have.
    pub fn dtype(self, elements: impl FnOnce(Rows) -> Option<DType>) -> Option<DType> {
        match self {
            ValueType::Is(dtype) => Some(dtype),
            ValueType::OfElement(rows) => elements(rows),
            ValueType::Any => None,
        }
    }
}

/// The registers that a step reads and writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordAccess {
    /// The registers read. A step that accesses memory reads the position first, then the number of the value, then values.
    pub reads: SmallVec<[(Register, ValueType); 4]>,
    /// The registers written.
    pub writes: SmallVec<[(Register, ValueType); 2]>,
}

impl WordStep {
    /// The registers that the step reads and writes; `None` if its function isn't defined for its dtype. (No program has such a step.)
    ///
    /// ```
    /// # use graph_kernels::{DType, ElementOp, ValueType, WordStep};
    /// # use smallvec::smallvec;
    /// let less = WordStep::Apply { op: ElementOp::Less, dtype: DType::F32, operands: smallvec![1, 2], to: 3 };
    /// let access = less.access().unwrap();
    /// let float = ValueType::Is(DType::F32);
    /// assert_eq!(access.reads[..], [(1, float), (2, float)]);
    /// assert_eq!(access.writes[..], [(3, ValueType::Is(DType::Bool))]);
    /// ```
    pub fn access(&self) -> Option<WordAccess> {
        let number = ValueType::Is(DType::I32);
        let truth = ValueType::Is(DType::Bool);
        Some(match self {
            WordStep::Apply {
                op,
                dtype,
                operands,
                to,
            } => {
                let (dtypes, output) = op.signature(*dtype)?;
                let dtypes = dtypes.iter().map(|dtype| ValueType::Is(*dtype));
                WordAccess {
                    reads: operands.iter().copied().zip(dtypes).collect(),
                    writes: smallvec![(*to, ValueType::Is(output))],
                }
            }
            WordStep::MulAdd {
                dtype,
                operands,
                to,
            } => WordAccess {
                reads: of_type(operands, ValueType::Is(*dtype)),
                writes: smallvec![(*to, ValueType::Is(*dtype))],
            },
            WordStep::Read {
                from,
                index,
                dtype,
                to,
                ..
            } => WordAccess {
                reads: smallvec![(*index, ValueType::Is(*dtype))],
                writes: smallvec![(*to, ValueType::OfElement(*from))],
            },
            WordStep::ReadAt {
                from,
                element,
                index,
                dtype,
                to,
            } => WordAccess {
                reads: smallvec![(*index, ValueType::Is(*dtype)), (*element, number)],
                writes: smallvec![(*to, ValueType::OfElement(*from))],
            },
            WordStep::Write {
                list,
                index,
                dtype,
                from,
                ..
            } => {
                let mut reads = of_type(from, ValueType::OfElement(Rows::List(*list)));
                reads.insert(0, (*index, ValueType::Is(*dtype)));
                only_reads(reads)
            }
            WordStep::WriteAt {
                list,
                element,
                index,
                dtype,
                from,
                ..
            } => only_reads(smallvec![
                (*index, ValueType::Is(*dtype)),
                (*element, number),
                (*from, ValueType::OfElement(Rows::List(*list))),
            ]),
            WordStep::Move { .. } | WordStep::Swap(..) => {
                let moves = self.moves().into_iter();
                let (writes, reads) = moves
                    .map(|(to, from)| ((to, ValueType::Any), (from, ValueType::Any)))
                    .unzip();
                WordAccess { reads, writes }
            }
            WordStep::Jump(_) => only_reads(smallvec![]),
            WordStep::Unless { condition, .. } | WordStep::Assert(condition) => {
                only_reads(smallvec![(*condition, truth)])
            }
            WordStep::UnlessHolds {
                dtype, operands, ..
            } => only_reads(of_type(operands, ValueType::Is(*dtype))),
            WordStep::Switch { index, .. } => only_reads(smallvec![(*index, number)]),
        })
    }

    /// What a move or swap copies: pairs of a register that is written and the one whose value it gets. All are read before one is written.
    /// Empty for other steps.
    pub fn moves(&self) -> SmallVec<[(Register, Register); 2]> {
        match self {
            WordStep::Move { to, from } => smallvec![(*to, *from)],
            WordStep::Swap(a, b) => smallvec![(*a, *b), (*b, *a)],
            _ => smallvec![],
        }
    }

    /// True if the step behind this one may run next.
    pub fn goes_on(&self) -> bool {
        !matches!(self, WordStep::Jump(_) | WordStep::Switch { .. })
    }

    /// The registers read.
    pub(super) fn reads(&self) -> SmallVec<[Register; 4]> {
        let access = self.access().into_iter();
        access.flat_map(|access| registers(&access.reads)).collect()
    }

    /// The registers written.
    pub(super) fn writes(&self) -> SmallVec<[Register; 2]> {
        let access = self.access().into_iter();
        access
            .flat_map(|access| registers(&access.writes))
            .collect()
    }
}

/// Registers whose values have one dtype.
fn of_type(registers: &[Register], ty: ValueType) -> SmallVec<[(Register, ValueType); 4]> {
    registers.iter().map(|register| (*register, ty)).collect()
}

/// The access of a step that writes no register.
fn only_reads(reads: SmallVec<[(Register, ValueType); 4]>) -> WordAccess {
    WordAccess {
        reads,
        writes: smallvec![],
    }
}

fn registers(typed: &[(Register, ValueType)]) -> SmallVec<[Register; 4]> {
    typed.iter().map(|(register, _)| *register).collect()
}
