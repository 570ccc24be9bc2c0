//! The steps of a loop's body over lanes.

use smallvec::SmallVec;

use super::chains::Chains;
use crate::DType;
use crate::element::function::BlockFunction;
use crate::element::{ElementOp, WordFunction};
use crate::words::live::Set;
use crate::words::{Memory, Register, Rows};

/// The number of a block of the file.
pub(super) type Slot = u8;

/// The block of truth values that tells which lanes are at the present step.
pub(super) const ACTIVE: Slot = 0;
/// The block of truth values of a comparison.
pub(super) const HOLDS: Slot = 1;

/// The body of a loop over lanes. Targets are positions among its steps; the first step is at 0, and the end is the jump back.
#[derive(Debug)]
pub(super) struct Body {
    pub steps: Vec<LaneStep>,
    /// The slots that are read at each step or after it, and last those that the next iteration reads.
    pub lives: Vec<Set>,
    /// The dtypes of the slots.
    pub slots: Vec<DType>,
    /// The slot of the counter.
    pub counter: Slot,
    /// The words that are written to all lanes before the loop.
    pub spread: Vec<(Register, Slot)>,
    /// True if all lanes go the same way.
    pub together: bool,
    /// The dtypes of the arrays and lists that are read and written.
    pub memory: Vec<(Rows, DType)>,
    /// The slots in which machine code calculates.
    pub beside: Vec<Slot>,
    /// The steps that become machine code.
    pub chains: Chains,
    /// If lanes go different ways: the same steps for all lanes in order, of which the jumps are one chain with masks.
    pub masked: Option<Box<Body>>,
}

/// A step over lanes. Those on words are the same in all lanes; `spread` is the slot that the result is also written to.
#[derive(Debug)]
pub(super) enum LaneStep {
    Word {
        function: WordFunction,
        operands: [Register; 3],
        to: Register,
        spread: Option<Slot>,
    },
    MoveWord {
        to: Register,
        from: Register,
        spread: Option<Slot>,
    },
    SwapWords(Register, Register),
    ReadWord {
        from: Rows,
        address: Address,
        to: Register,
        spread: Option<Slot>,
    },
    Apply(Apply),
    Copy {
        to: Slot,
        from: Slot,
    },
    Swap(Slot, Slot),
    Read {
        from: Rows,
        address: Address,
        to: Slot,
    },
    Write {
        list: u8,
        address: Address,
        from: SmallVec<[Slot; 4]>,
        grows: bool,
    },
    Jump(usize),
    UnlessWord {
        function: Option<WordFunction>,
        operands: [Register; 2],
        target: usize,
    },
    /// Jumps in those lanes in which the truth value is false.
    Unless {
        condition: Slot,
        /// What computes the condition before.
        test: Option<Apply>,
        target: usize,
    },
    Assert(Slot),
    AssertWord(Register),
}

/// A function over lanes.
#[derive(Debug)]
pub(super) struct Apply {
    pub op: ElementOp,
    pub function: BlockFunction,
    /// As many operands as the function takes, and then others that it doesn't read.
    pub operands: [Slot; 3],
    pub to: Slot,
    /// Another slot of the result's dtype, where the result is calculated if `to` is still needed.
    pub scratch: Slot,
    /// True if `to` is an operand.
    pub over_operand: bool,
}

impl Apply {
    /// The operands that the function takes.
    pub fn operands(&self) -> &[Slot] {
        &self.operands[..self.op.arity()]
    }
}

impl LaneStep {
    /// The target of a jump.
    pub fn target(&self) -> Option<usize> {
        match self {
            LaneStep::Jump(target)
            | LaneStep::Unless { target, .. }
            | LaneStep::UnlessWord { target, .. } => Some(*target),
            _ => None,
        }
    }
}

/// The address of a value in an array or list.
#[derive(Debug)]
pub(super) struct Address {
    /// The position along the first axis.
    pub index: Number,
    /// Which value it is among those at the position.
    pub element: Number,
}

/// A number for each lane.
#[derive(Debug)]
pub(super) enum Number {
    Fixed(i64),
    /// A word that is the same in all lanes, an `int64` if the second value is true, else an `int32`.
    Word(Register, bool),
    /// The number of the iteration.
    Iteration,
    Lanes(Slot),
}

impl Body {
    /// True if the arrays and lists have the dtypes that the steps are for.
    pub fn fits(&self, memory: &Memory<'_>) -> bool {
        self.memory.iter().all(|(rows, dtype)| match rows {
            Rows::Array(n) | Rows::Fixed(n) => memory.arrays[usize::from(*n)].dtype() == *dtype,
            Rows::List(n) => memory.lists[usize::from(*n)].dtype() == *dtype,
        })
    }
}
