//! The instructions of word programs, in one table, and the loop that runs them. The functions that loops over numbers use most have an
//! instruction for each dtype, which calls the function's row of the elementwise [table](crate::element::table); the others are called
//! through a pointer. A conditional jump names both targets, so that it can be copied to another index.

use std::ops::Range;

use super::divisor::Power;
use super::{Memory, Registers, Rows, WordFailure, WordProgram, WrittenRow};
use crate::DType;
use crate::block::Lane;
use crate::element::function::{Function, evaluate};
use crate::element::table::functions;
use crate::element::{ElementError, ElementOp};
use crate::number::Number;
use crate::simd::Unfused;

/// One instruction: the code, the register written, two registers read, and two numbers, which are jump targets, an index or an exponent.
/// If a third register is read, `y` is its number. If both numbers are targets, `b` may be an index or an exponent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction {
    pub code: Code,
    pub to: u8,
    pub a: u8,
    pub b: u8,
    pub x: u16,
    pub y: u16,
}

/// Declares the codes, their lookup, and the loop.
macro_rules! instructions {
    (
        values { $($value:ident = $op:ident $type:ident $dtype:ident;)* }
        divisions { $($by_power:ident $by:ident = $division:ident $divided:ident $divided_dtype:ident $method:ident;)* }
        tests { $($test:ident $if:ident = $cmp:ident $of:ident $cmp_dtype:ident;)* }
        counts { $($count:ident = $add:ident $less:ident $counted:ident;)* }
        remainders { $($if_power:ident $if_by:ident = $rem_power:ident $rem_by:ident $equal:ident $unequal:ident $of_rem:ident $rem:ident;)* }
    ) => {
        /// The operation of an instruction.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Code {
            Move, Swap, Select, Read, ReadFixed, ReadList, ReadAt, Write, WriteAt, Call, Jump, If, Switch, Assert,
            $($value,)*
            $($by_power, $by,)*
            $($test, $if,)*
            $($count,)*
            $($if_power, $if_by,)*
        }

        impl Code {
            /// The instruction of a function, if it has one.
            pub fn of(op: ElementOp, dtype: DType) -> Option<Code> {
                match (op, dtype) {
                    $((ElementOp::$op, DType::$dtype) => Some(Code::$value),)*
                    $((ElementOp::$cmp, DType::$cmp_dtype) => Some(Code::$test),)*
                    (ElementOp::Select, _) => Some(Code::Select),
                    _ => None,
                }
            }

            /// The two divisions by a constant: by a power of two, whose exponent is `x`, and by the program's divisor with index `x`.
            pub fn divisions(op: ElementOp, dtype: DType) -> Option<(Code, Code)> {
                match (op, dtype) {
                    $((ElementOp::$division, DType::$divided_dtype) => Some((Code::$by_power, Code::$by)),)*
                    _ => None,
                }
            }

            /// The jump on a comparison, if there is such an instruction: to `x` if the comparison holds, else to `y`.
            pub fn jump(op: ElementOp, dtype: DType) -> Option<Code> {
                match (op, dtype) {
                    $((ElementOp::$cmp, DType::$cmp_dtype) => Some(Code::$if),)*
                    _ => None,
                }
            }

            /// True for a conditional jump.
            pub fn decides(self) -> bool {
                matches!(self, Code::If $(| Code::$if)* $(| Code::$count)* $(| Code::$if_power | Code::$if_by)*)
            }

            /// One instruction for the remainder by a constant and the jump on its comparison with 0, if there is such an instruction: it
            /// jumps to `x` if the remainder is 0. The second value is true if the original jump goes to `x` if it is not 0.
            pub fn remainder(self, then: Code) -> Option<(Code, bool)> {
                match (self, then) {
                    $(
                        (Code::$rem_power, Code::$equal) => Some((Code::$if_power, false)),
                        (Code::$rem_power, Code::$unequal) => Some((Code::$if_power, true)),
                        (Code::$rem_by, Code::$equal) => Some((Code::$if_by, false)),
                        (Code::$rem_by, Code::$unequal) => Some((Code::$if_by, true)),
                    )*
                    _ => None,
                }
            }

            /// One instruction for an addition to the register `a` and the comparison of the sum with the register `to`, if there is such
            /// an instruction.
            pub fn count(self, then: Code) -> Option<Code> {
                match (self, then) {
                    $((Code::$add, Code::$less) => Some(Code::$count),)*
                    _ => None,
                }
            }
        }

        /// Runs a program from the first of the instructions in a range until it leaves them at their end, and calls `tell` with the
        /// index of each instruction before running it. Each jump back takes one from `jumps`; the run stops behind the jump that finds
        /// none left, and returns the jump's target. At the end it returns `None`.
        pub(super) fn run(
            program: &WordProgram,
            r: &mut Registers,
            memory: &mut Memory<'_>,
            Range { start: mut next, end }: Range<usize>,
            jumps: &mut u64,
            mut tell: impl FnMut(usize),
        ) -> Result<Option<usize>, WordFailure> {
            macro_rules! go {
                ($target:expr) => {{
                    let target: usize = $target;
                    if target < next {
                        match jumps.checked_sub(1) {
                            Some(left) => *jumps = left,
                            None => return Ok(Some(target)),
                        }
                    }
                    next = target;
                }};
            }
            let instructions = &program.code[..end];
            while let Some(&Instruction { code, to, a, b, x, y }) = instructions.get(next) {
                tell(next);
                next += 1;
                let to = to as usize;
                let words = [r[a as usize], r[b as usize]];
                let is_true = words[0] & 1 == 1;
                let either = |holds| usize::from(if holds { x } else { y });
                let failed = |error| WordFailure { step: next - 1, error };
                match code {
                    Code::Move => r[to] = words[0],
                    Code::Swap => r.swap(to, a as usize),
                    Code::Select => r[to] = if is_true { words[1] } else { r[usize::from(y as u8)] },
                    Code::Read | Code::ReadFixed | Code::ReadList => match memory.read(rows(code, x), position(words[0], b), y.into()) {
                        Ok(word) => r[to] = word,
                        Err(error) => return Err(failed(Some(error))),
                    },
                    Code::ReadAt => {
                        let (from, wide) = program.places[x as usize];
                        match memory.read(from, position(words[0], wide), element(words[1])) {
                            Ok(word) => r[to] = word,
                            Err(error) => return Err(failed(Some(error))),
                        }
                    }
                    Code::WriteAt => {
                        let WrittenRow { list, from, grows } = &program.rows[x as usize];
                        let word = r[usize::from(from[0])];
                        let list = &mut memory.lists[usize::from(*list)];
                        let place = (position(words[0], y as u8), element(words[1]));
                        if let Err(error) = list.write_at(place, word, *grows) {
                            return Err(failed(Some(error)));
                        }
                    }
                    Code::Write => {
                        let WrittenRow { list, from, grows } = &program.rows[x as usize];
                        let row = from.iter().map(|register| r[usize::from(*register)]);
                        let list = &mut memory.lists[usize::from(*list)];
                        if let Err(error) = list.write(position(words[0], b), row, *grows) {
                            return Err(failed(Some(error)));
                        }
                    }
                    Code::Call => match program.functions[x as usize]([words[0], words[1], r[usize::from(y as u8)]]) {
                        Ok(word) => r[to] = word,
                        Err(error) => return Err(failed(Some(error.into()))),
                    },
                    Code::Jump => go!(x.into()),
                    Code::If => go!(either(is_true)),
                    Code::Switch => go!(chosen(&program.switches[x as usize], words[0])),
                    Code::Assert if is_true => {}
                    Code::Assert => return Err(failed(None)),
                    $(Code::$value => match apply::<$type, functions::$op>(words) {
                        Ok(word) => r[to] = word,
                        Err(error) => return Err(failed(Some(error.into()))),
                    },)*
                    $(
                        Code::$by_power => {
                            let result = Power(x).$method($divided::of_word(words[0]).into());
                            r[to] = (result as $divided).to_word();
                        }
                        Code::$by => {
                            let divisor = &program.divisors[x as usize];
                            let result = divisor.$method($divided::of_word(words[0]).into());
                            r[to] = (result as $divided).to_word();
                        }
                    )*
                    $(Code::$test => r[to] = holds::<$of, functions::$cmp>(words).into(),)*
                    $(Code::$if => go!(either(holds::<$of, functions::$cmp>(words))),)*
                    $(Code::$count => {
                        let sum = $counted::of_word(words[0]).add($counted::of_word(words[1]));
                        r[a as usize] = sum.to_word();
                        go!(either(sum < $counted::of_word(r[to])));
                    })*
                    $(
                        Code::$if_power => {
                            let rest = Power(b.into()).$rem($of_rem::of_word(words[0]).into());
                            r[to] = (rest as $of_rem).to_word();
                            go!(either(rest == 0));
                        }
                        Code::$if_by => {
                            let divisor = &program.divisors[b as usize];
                            let rest = divisor.$rem($of_rem::of_word(words[0]).into());
                            r[to] = (rest as $of_rem).to_word();
                            go!(either(rest == 0));
                        }
                    )*
                }
            }
            Ok(None)
        }
    };
}

instructions! {
    values {
        AddI32 = Add i32 I32;
        AddI64 = Add i64 I64;
        AddF32 = Add f32 F32;
        AddF64 = Add f64 F64;
        SubI32 = Sub i32 I32;
        SubI64 = Sub i64 I64;
        SubF32 = Sub f32 F32;
        SubF64 = Sub f64 F64;
        MulI32 = Mul i32 I32;
        MulI64 = Mul i64 I64;
        MulF32 = Mul f32 F32;
        MulF64 = Mul f64 F64;
        DivI32 = Div i32 I32;
        DivI64 = Div i64 I64;
        DivF32 = Div f32 F32;
        DivF64 = Div f64 F64;
        RemI32 = Rem i32 I32;
        RemI64 = Rem i64 I64;
        FloorDivI32 = FloorDiv i32 I32;
        FloorDivI64 = FloorDiv i64 I64;
        FloorModI32 = FloorMod i32 I32;
        FloorModI64 = FloorMod i64 I64;
        BitAndI32 = BitAnd i32 I32;
        BitAndI64 = BitAnd i64 I64;
        BitOrI32 = BitOr i32 I32;
        BitOrI64 = BitOr i64 I64;
        BitXorI32 = BitXor i32 I32;
        BitXorI64 = BitXor i64 I64;
        NegI32 = Neg i32 I32;
        NegI64 = Neg i64 I64;
        NegF32 = Neg f32 F32;
        NegF64 = Neg f64 F64;
        AbsI32 = Abs i32 I32;
        AbsI64 = Abs i64 I64;
        AbsF32 = Abs f32 F32;
        AbsF64 = Abs f64 F64;
        MaximumI32 = Maximum i32 I32;
        MaximumI64 = Maximum i64 I64;
        MaximumF32 = Maximum f32 F32;
        MaximumF64 = Maximum f64 F64;
        MinimumI32 = Minimum i32 I32;
        MinimumI64 = Minimum i64 I64;
        MinimumF32 = Minimum f32 F32;
        MinimumF64 = Minimum f64 F64;
        SquareF32 = Square f32 F32;
        SquareF64 = Square f64 F64;
        SqrtF32 = Sqrt f32 F32;
        SqrtF64 = Sqrt f64 F64;
        LogicalAndBool = LogicalAnd bool Bool;
        LogicalOrBool = LogicalOr bool Bool;
        LogicalNotBool = LogicalNot bool Bool;
        I32ToI64 = ToI64 i32 I32;
        I64ToI32 = ToI32 i64 I64;
        I32ToF32 = ToF32 i32 I32;
        I32ToF64 = ToF64 i32 I32;
    }
    divisions {
        DivPowerI32 DivByI32 = Div i32 I32 div;
        DivPowerI64 DivByI64 = Div i64 I64 div;
        RemPowerI32 RemByI32 = Rem i32 I32 rem;
        RemPowerI64 RemByI64 = Rem i64 I64 rem;
        FloorDivPowerI32 FloorDivByI32 = FloorDiv i32 I32 floor_div;
        FloorDivPowerI64 FloorDivByI64 = FloorDiv i64 I64 floor_div;
        FloorModPowerI32 FloorModByI32 = FloorMod i32 I32 floor_mod;
        FloorModPowerI64 FloorModByI64 = FloorMod i64 I64 floor_mod;
    }
    tests {
        LessI32 IfLessI32 = Less i32 I32;
        LessI64 IfLessI64 = Less i64 I64;
        LessF32 IfLessF32 = Less f32 F32;
        LessF64 IfLessF64 = Less f64 F64;
        LessEqualI32 IfLessEqualI32 = LessEqual i32 I32;
        LessEqualI64 IfLessEqualI64 = LessEqual i64 I64;
        LessEqualF32 IfLessEqualF32 = LessEqual f32 F32;
        LessEqualF64 IfLessEqualF64 = LessEqual f64 F64;
        GreaterI32 IfGreaterI32 = Greater i32 I32;
        GreaterI64 IfGreaterI64 = Greater i64 I64;
        GreaterF32 IfGreaterF32 = Greater f32 F32;
        GreaterF64 IfGreaterF64 = Greater f64 F64;
        GreaterEqualI32 IfGreaterEqualI32 = GreaterEqual i32 I32;
        GreaterEqualI64 IfGreaterEqualI64 = GreaterEqual i64 I64;
        GreaterEqualF32 IfGreaterEqualF32 = GreaterEqual f32 F32;
        GreaterEqualF64 IfGreaterEqualF64 = GreaterEqual f64 F64;
        EqualI32 IfEqualI32 = Equal i32 I32;
        EqualI64 IfEqualI64 = Equal i64 I64;
        EqualF32 IfEqualF32 = Equal f32 F32;
        EqualF64 IfEqualF64 = Equal f64 F64;
        NotEqualI32 IfNotEqualI32 = NotEqual i32 I32;
        NotEqualI64 IfNotEqualI64 = NotEqual i64 I64;
        NotEqualF32 IfNotEqualF32 = NotEqual f32 F32;
        NotEqualF64 IfNotEqualF64 = NotEqual f64 F64;
    }
    counts {
        CountI32 = AddI32 IfLessI32 i32;
        CountI64 = AddI64 IfLessI64 i64;
    }
    remainders {
        IfRemPowerI32 IfRemByI32 = RemPowerI32 RemByI32 IfEqualI32 IfNotEqualI32 i32 rem;
        IfRemPowerI64 IfRemByI64 = RemPowerI64 RemByI64 IfEqualI64 IfNotEqualI64 i64 rem;
        IfFloorModPowerI32 IfFloorModByI32 = FloorModPowerI32 FloorModByI32 IfEqualI32 IfNotEqualI32 i32 floor_mod;
        IfFloorModPowerI64 IfFloorModByI64 = FloorModPowerI64 FloorModByI64 IfEqualI64 IfNotEqualI64 i64 floor_mod;
    }
}

/// Applies a function that doesn't depend on the instruction set.
#[inline(always)]
fn apply<T: Lane, F: Function<T>>([a, b]: [u64; 2]) -> Result<u64, ElementError> {
    const { assert!(!F::ROUNDS, "a call to the math functions is no instruction") };
    evaluate::<T, F>([a, b, 0])
}

/// Applies a comparison.
#[inline(always)]
fn holds<T: Lane, F: Function<T, Operands = (T, T), Output = bool>>(words: [u64; 2]) -> bool {
    F::call::<Unfused>((T::of_word(words[0]), T::of_word(words[1])))
}

/// From what an instruction reads.
#[inline(always)]
fn rows(code: Code, number: u16) -> Rows {
    let number = number as u8;
    match code {
        Code::ReadFixed => Rows::Fixed(number),
        Code::ReadList => Rows::List(number),
        _ => Rows::Array(number),
    }
}

/// The position in a word: an `int64` if `wide` is 1, else an `int32`.
#[inline(always)]
fn position(word: u64, wide: u8) -> i64 {
    match wide {
        1 => i64::of_word(word),
        _ => i32::of_word(word).into(),
    }
}

/// The number of a value in a row.
#[inline(always)]
fn element(word: u64) -> usize {
    usize::try_from(i32::of_word(word)).unwrap_or(usize::MAX)
}

/// The target with an `int32` index; the last target if the index is out of range.
fn chosen(targets: &[u16], index: u64) -> usize {
    let index = usize::try_from(i32::of_word(index)).unwrap_or(usize::MAX);
    targets[index.min(targets.len() - 1)].into()
}
