//! What a recorded formula consists of: steps, each of which gives one value per lane.

use smallvec::SmallVec;

use crate::DType;

/// The type of a value in a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LaneType {
    /// A `float32`.
    F32,
    /// A `float64`.
    F64,
    /// 32 bits of an integer.
    I32,
    /// 64 bits of an integer.
    I64,
    /// A truth value.
    Mask,
}

impl LaneType {
    /// The type of a dtype's values; `None` if lanes don't hold them.
    pub(crate) fn of(dtype: DType) -> Option<LaneType> {
        match dtype {
            DType::F32 => Some(LaneType::F32),
            DType::F64 => Some(LaneType::F64),
            DType::I32 => Some(LaneType::I32),
            DType::Bool => Some(LaneType::Mask),
            _ => None,
        }
    }
}

/// How two numbers are compared. A comparison with a NaN is false.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `a < b`.
    Less,
    /// `a <= b`.
    LessEqual,
    /// `a == b`.
    Equal,
}

/// To which integer a float is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// The nearest one, halves to the even one.
    Nearest,
    /// The next one below.
    Down,
    /// The next one above.
    Up,
    /// The next one towards zero.
    TowardsZero,
}

/// What a step does, in the type of the step. Bit operations take values of any type of the same size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LaneOp {
    /// The values of an input.
    Input(usize),
    /// The same number in all lanes, as its bits; of a mask 0 or 1.
    Number(u64),
    /// `a + b`; integers wrap.
    Add,
    /// `a - b`; integers wrap.
    Sub,
    /// `a * b`; integers wrap.
    Mul,
    /// `a / b` of floats.
    Div,
    /// `a * b + c` in one rounding.
    MulAdd,
    /// The square root.
    Sqrt,
    /// The float rounded to an integer.
    Round(Rounding),
    /// `a & b`.
    And,
    /// `a | b`.
    Or,
    /// `a ^ b`.
    Xor,
    /// `a << n`.
    ShiftLeft(u8),
    /// `a >> n`, without sign.
    ShiftRight(u8),
    /// `a >> n`, with sign.
    ShiftRightSigned(u8),
    /// Whether a comparison of two numbers of this type holds: a mask, though the type of the step is that of the numbers.
    Compare(Comparison),
    /// `a` where the mask, the first operand, is true, else `b`.
    Select,
    /// An `int32` as a `float32`.
    ToFloat,
    /// A `float32` within the range of `int32` as an integer, rounded towards zero. Other numbers give any integer.
    ToInteger,
    /// The beginning of a loop: the steps from here to the [`Repeat`](Self::Repeat) or [`Times`](Self::Times) with its number run once or more often. Loops have
    /// numbers of their own. It has no value.
    Loop(usize),
    /// A value that a loop carries from one iteration to the next: at first its operand. Such steps have numbers of their own, and stand
    /// behind the beginning of their loop.
    Carried(usize),
    /// The end of a loop. Its first operand is a mask: the loop begins anew as long as that is true in any lane. The others are what the
    /// carried values are then, in the order of their steps. Masked steps of the loop keep the values of lanes that are done. It has no value.
    Repeat(usize),
    /// The end of a loop that runs as often as a call says, of which a program has one at most. Its operands are the next values, as those of
    /// [`Repeat`](Self::Repeat).
    Times(usize),
}

/// A step of a formula. Its operands are the values of earlier steps.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LaneStep {
    /// What it does.
    pub op: LaneOp,
    /// In which type it does that.
    pub ty: LaneType,
    /// The operands, by the numbers of their steps.
    pub operands: SmallVec<[usize; 3]>,
}

/// A chain of elementwise functions as steps over lanes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaneProgram {
    /// The steps, each behind those of its operands.
    pub steps: Vec<LaneStep>,
    /// The steps whose values are the results.
    pub results: Vec<usize>,
}

impl LaneProgram {
    /// Whether some steps are repeated.
    pub fn has_loops(&self) -> bool {
        let mut steps = self.steps.iter();
        steps.any(|step| matches!(step.op, LaneOp::Loop(_)))
    }
}

impl LaneStep {
    /// Of the end of a loop, the mask, if there is one, and the next values of what the loop carries.
    pub fn end_of_loop(&self) -> Option<(Option<usize>, &[usize])> {
        match self.op {
            LaneOp::Repeat(_) => {
                let (again, nexts) = self.operands.split_first()?;
                Some((Some(*again), nexts))
            }
            LaneOp::Times(_) => Some((None, &self.operands)),
            _ => None,
        }
    }

    /// The type of the step's value.
    pub fn output(&self) -> LaneType {
        match self.op {
            LaneOp::Compare(_) => LaneType::Mask,
            _ => self.ty,
        }
    }

    /// The bits, if the value is the same number in all lanes.
    pub fn number(&self) -> Option<u64> {
        match self.op {
            LaneOp::Number(bits) => Some(bits),
            _ => None,
        }
    }
}
