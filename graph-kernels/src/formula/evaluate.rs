//! One step on single values. Steps whose operands are known are calculated ahead by it, and tests compare whole programs.

use super::steps::{Comparison, LaneOp, LaneProgram, LaneStep, LaneType, Rounding};

/// The bits of the value that a step has for the bits of its operands. `None` for an input, and for an operation that the type doesn't
/// have.
pub(super) fn evaluate(step: &LaneStep, operands: &[u64]) -> Option<u64> {
    if let LaneOp::Number(bits) = step.op {
        return Some(bits);
    }
    if let (LaneOp::Select, [mask, a, b]) = (step.op, operands) {
        return Some(if mask & 1 == 1 { *a } else { *b });
    }
    match step.ty {
        LaneType::F32 => {
            let bits = |x: f32| u64::from(x.to_bits());
            if let (LaneOp::ToFloat, [x]) = (step.op, operands) {
                return Some(bits(*x as i32 as f32));
            }
            let numbers = operands.iter().map(|x| f32::from_bits(*x as u32));
            float(step.op, &numbers.collect::<Vec<_>>(), bits)
                .or_else(|| integer(step.op, operands))
        }
        LaneType::F64 => {
            let numbers = operands.iter().map(|x| f64::from_bits(*x));
            float(step.op, &numbers.collect::<Vec<_>>(), f64::to_bits)
                .or_else(|| wide(step.op, operands))
        }
        LaneType::I32 => integer(step.op, operands),
        LaneType::I64 => long(step.op, operands),
        LaneType::Mask => wide(step.op, operands).map(|bits| bits & 1),
    }
}

/// Whether a comparison holds.
fn holds<T: PartialOrd>(comparison: Comparison, a: T, b: T) -> u64 {
    u64::from(match comparison {
        Comparison::Less => a < b,
        Comparison::LessEqual => a <= b,
        Comparison::Equal => a == b,
    })
}

/// The functions of `f32` and `f64` under one name.
trait Float:
    Copy
    + PartialOrd
    + std::ops::Add<Output = Self>
    + std::ops::Sub<Output = Self>
    + std::ops::Mul<Output = Self>
    + std::ops::Div<Output = Self>
{
    fn mul_add(self, b: Self, c: Self) -> Self;
    fn sqrt(self) -> Self;
    fn round(self, to: Rounding) -> Self;
}

macro_rules! floats {
    ($($type:ident)*) => { $(
        impl Float for $type {
            fn mul_add(self, b: Self, c: Self) -> Self {
                $type::mul_add(self, b, c)
            }
            fn sqrt(self) -> Self {
                $type::sqrt(self)
            }
            fn round(self, to: Rounding) -> Self {
                match to {
                    Rounding::Nearest => self.round_ties_even(),
                    Rounding::Down => self.floor(),
                    Rounding::Up => self.ceil(),
                    Rounding::TowardsZero => self.trunc(),
                }
            }
        }
    )* };
}
floats! { f32 f64 }

fn float<T: Float>(op: LaneOp, operands: &[T], bits: impl Fn(T) -> u64) -> Option<u64> {
    Some(bits(match (op, operands) {
        (LaneOp::Add, [a, b]) => *a + *b,
        (LaneOp::Sub, [a, b]) => *a - *b,
        (LaneOp::Mul, [a, b]) => *a * *b,
        (LaneOp::Div, [a, b]) => *a / *b,
        (LaneOp::MulAdd, [a, b, c]) => a.mul_add(*b, *c),
        (LaneOp::Sqrt, [x]) => x.sqrt(),
        (LaneOp::Round(to), [x]) => x.round(to),
        (LaneOp::Compare(comparison), [a, b]) => return Some(holds(comparison, a, b)),
        _ => return None,
    }))
}

/// Operations on 32 bits.
fn integer(op: LaneOp, operands: &[u64]) -> Option<u64> {
    let numbers: Vec<i32> = operands.iter().map(|x| *x as i32).collect();
    let value = match (op, &numbers[..]) {
        (LaneOp::Add, [a, b]) => a.wrapping_add(*b),
        (LaneOp::Sub, [a, b]) => a.wrapping_sub(*b),
        (LaneOp::Mul, [a, b]) => a.wrapping_mul(*b),
        (LaneOp::ShiftLeft(n), [x]) => x << n,
        (LaneOp::ShiftRight(n), [x]) => (*x as u32 >> n) as i32,
        (LaneOp::ShiftRightSigned(n), [x]) => x >> n,
        (LaneOp::Compare(comparison), [a, b]) => return Some(holds(comparison, a, b)),
        // The same as the conversion for all numbers for which the result is defined.
        (LaneOp::ToInteger, [x]) => f32::from_bits(*x as u32) as i32,
        _ => return wide(op, operands).map(|bits| bits & u64::from(u32::MAX)),
    };
    Some(u64::from(value as u32))
}

/// Operations on 64 bits.
fn long(op: LaneOp, operands: &[u64]) -> Option<u64> {
    Some(match (op, operands) {
        (LaneOp::Add, [a, b]) => a.wrapping_add(*b),
        (LaneOp::Sub, [a, b]) => a.wrapping_sub(*b),
        (LaneOp::Mul, [a, b]) => a.wrapping_mul(*b),
        (LaneOp::ShiftLeft(n), [x]) => x << n,
        (LaneOp::ShiftRight(n), [x]) => x >> n,
        (LaneOp::ShiftRightSigned(n), [x]) => (*x as i64 >> n) as u64,
        (LaneOp::Compare(comparison), [a, b]) => holds(comparison, *a as i64, *b as i64),
        _ => return wide(op, operands),
    })
}

/// Operations on bits of any number.
fn wide(op: LaneOp, operands: &[u64]) -> Option<u64> {
    Some(match (op, operands) {
        (LaneOp::And, [a, b]) => a & b,
        (LaneOp::Or, [a, b]) => a | b,
        (LaneOp::Xor, [a, b]) => a ^ b,
        _ => return None,
    })
}

impl LaneProgram {
    /// The bits of the results for the bits of one value of each input. `None` if a step isn't defined for its type.
    ///
    /// It is slow; tests hold machine code against it.
    ///
    /// ```
    /// use graph_kernels::codegen::{LaneOp, LaneProgram, LaneStep, LaneType};
    ///
    /// let step = |op, operands: &[usize]| LaneStep { op, ty: LaneType::I32, operands: operands.iter().copied().collect() };
    /// let steps = vec![step(LaneOp::Input(0), &[]), step(LaneOp::Add, &[0, 0])];
    /// assert_eq!(LaneProgram { steps, results: vec![1] }.evaluate(&[21]), Some(vec![42]));
    /// ```
    pub fn evaluate(&self, inputs: &[u64]) -> Option<Vec<u64>> {
        self.evaluate_times(1, inputs)
    }

    /// As [`evaluate`](Self::evaluate), with this number of iterations of the loop that runs as often as the call says.
    pub fn evaluate_times(&self, times: u64, inputs: &[u64]) -> Option<Vec<u64>> {
        let mut values: Vec<u64> = vec![0; self.steps.len()];
        // Where the loops begin that the current step is in, and the values that they carry.
        let mut loops: Vec<(usize, Vec<usize>)> = Vec::new();
        let (mut at, mut left) = (0, times);
        while let Some(step) = self.steps.get(at) {
            let operands: Vec<u64> = step.operands.iter().map(|n| values[*n]).collect();
            if let Some((again, nexts)) = step.end_of_loop() {
                let (begin, carried) = loops.pop()?;
                let goes_on = match again {
                    Some(again) => values[again] & 1 == 1,
                    None => {
                        left = left.checked_sub(1)?;
                        left > 0
                    }
                };
                if goes_on {
                    let nexts: Vec<u64> = nexts.iter().map(|n| values[*n]).collect();
                    let places = carried.iter().zip(nexts);
                    places.for_each(|(place, next)| values[*place] = next);
                    at = begin;
                    loops.push((begin, carried));
                    continue;
                }
            }
            match step.op {
                LaneOp::Loop(_) => loops.push((at + 1, Vec::new())),
                LaneOp::Carried(_) => {
                    let (begin, carried) = loops.last_mut()?;
                    carried.push(at);
                    *begin = at + 1;
                    values[at] = *operands.first()?;
                }
                LaneOp::Repeat(_) | LaneOp::Times(_) => {}
                LaneOp::Input(n) => values[at] = *inputs.get(n)?,
                _ => values[at] = evaluate(step, &operands)?,
            }
            at += 1;
        }
        Some(self.results.iter().map(|n| values[*n]).collect())
    }
}
