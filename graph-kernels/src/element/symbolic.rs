//! The rows of the table over symbols: what they record. The classes of the table stand here under the same names, for symbols; the table
//! writes a [`Formula`] for each row with them.

use std::ops::{BitAnd as And, BitOr as Or, BitXor as Xor};

use super::function::Near;
use crate::formula::{FormulaValue, LaneOp, Rounding, Symbol, Unknown, all_ways, unknown};
use crate::number::{div_power, larger, smaller};
use crate::simd::Fused;
use crate::simd::MulAdd;

pub(super) use crate::math::Math;

/// A function of the table over symbols: see [`Function`](super::function::Function).
pub(super) trait Formula<T> {
    type Operands: Operands;
    type Output: FormulaValue;
    const FAILS: bool;
    const NEAR: Near;

    fn call<M: MulAdd>(operands: Self::Operands) -> Self::Output;
    fn refuses(operands: Self::Operands) -> bool;
    fn is_near(operands: Self::Operands) -> bool;
    fn near<M: MulAdd>(operands: Self::Operands) -> Self::Output;
}

/// Records a function of the values of some steps: the step of its value. `None` if that can't be recorded.
pub(crate) type Record = fn(&[usize]) -> Option<usize>;

/// Records a formula.
pub(super) fn record<T, F: Formula<T>>(steps: &[usize]) -> Option<usize> {
    all_ways(|| {
        let operands = F::Operands::of_steps(steps);
        // Where the operands decide whether there is an error, the interpreter finds it.
        if F::FAILS && (!operands.last_is_number() || F::refuses(operands)) {
            unknown();
            return 0;
        }
        let near = matches!(F::NEAR, Near::OneLast) && F::is_near(operands);
        match near {
            true => F::near::<Fused>(operands).to_step(),
            false => F::call::<Fused>(operands).to_step(),
        }
    })
}

/// What records a function at a dtype, if the dtype belongs to the class and has symbols.
macro_rules! recorded {
    (Lane $($rest:tt)*) => { recorded!(@ [F32 f32, F64 f64, I32 i32, Bool bool]; $($rest)*) };
    (Convert $($rest:tt)*) => { recorded!(Lane $($rest)*) };
    (Number $($rest:tt)*) => { recorded!(@ [F32 f32, F64 f64, I32 i32]; $($rest)*) };
    (LowBits $($rest:tt)*) => { recorded!(Number $($rest)*) };
    (Divided $($rest:tt)*) => { recorded!(Number $($rest)*) };
    (Real $($rest:tt)*) => { recorded!(@ [F32 f32, F64 f64]; $($rest)*) };
    (Integer $($rest:tt)*) => { recorded!(@ [I32 i32]; $($rest)*) };
    (Inverted $($rest:tt)*) => { recorded!(Integer $($rest)*) };
    (Bits $($rest:tt)*) => { recorded!(@ [I32 i32, Bool bool]; $($rest)*) };
    (Truth $($rest:tt)*) => { recorded!(@ [Bool bool]; $($rest)*) };
    (Rare $($rest:tt)*) => { recorded!(@ []; $($rest)*) };
    (@ [$($variant:ident $type:ty),*]; $dtype:ident, $function:path) => {
        match $dtype {
            $(DType::$variant => Some(record::<$type, $function> as Record),)*
            #[allow(unreachable_patterns)]
            _ => None,
        }
    };
}
pub(super) use recorded;

/// One to three operands.
pub(super) trait Operands: Copy {
    fn of_steps(steps: &[usize]) -> Self;
    /// Whether the last one is the same number in all lanes.
    fn last_is_number(&self) -> bool;
}

macro_rules! operands {
    ($($type:ident $n:tt),*; $last:tt) => {
        impl<$($type: FormulaValue),*> Operands for ($($type,)*) {
            fn of_steps(steps: &[usize]) -> Self {
                ($($type::of_step(steps[$n]),)*)
            }
            fn last_is_number(&self) -> bool {
                self.$last.is_number()
            }
        }
    };
}
operands!(A 0; 0);
operands!(A 0, B 1; 1);
operands!(A 0, B 1, C 2; 2);

/// Any value.
pub(super) trait Lane: FormulaValue + PartialOrd {}
impl<T: FormulaValue + PartialOrd> Lane for T {}

/// See [`Number`](crate::number::Number).
pub(super) trait Number: Lane {
    const ZERO: Self;
    const ONE: Self;
    const HIGHEST: Self;
    const IS_INTEGER: bool;
    type Quotient: FormulaValue;

    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    fn neg(self) -> Self;
    fn abs(self) -> Self;
    fn from_usize(n: usize) -> Self;
    fn quotient(self, other: Self) -> Self::Quotient;
    fn is_power(self) -> bool;
    fn div_power(self, power: Self) -> Self;
    fn floor_div_power(self, power: Self) -> Self;
    fn pow<M: MulAdd>(self, other: Self) -> Self;
    fn rem(self, other: Self) -> Self;
    fn floor_div(self, other: Self) -> Self;
    fn floor_mod(self, other: Self) -> Self;
    fn sign(self) -> Self;

    #[allow(clippy::eq_op, reason = "only a NaN differs from itself")]
    fn is_nan(self) -> bool {
        self != self
    }

    fn maximum(self, other: Self) -> Self {
        larger(self, other)
    }

    fn minimum(self, other: Self) -> Self {
        smaller(self, other)
    }
}

/// What floats and integers have in common.
macro_rules! arithmetic {
    ($($unrecorded:ident)*) => {
        fn add(self, other: Self) -> Self { self + other }
        fn sub(self, other: Self) -> Self { self - other }
        fn mul(self, other: Self) -> Self { self * other }
        fn pow<M: MulAdd>(self, _: Self) -> Self { Symbol::unknown() }
        $( fn $unrecorded(self, _: Self) -> Self { Symbol::unknown() } )*
        fn sign(self) -> Self { Symbol::unknown() }
    };
}

macro_rules! floats {
    ($($type:ident)*) => { $(
        impl Number for Symbol<$type> {
            const ZERO: Self = Symbol::Number(0.0);
            const ONE: Self = Symbol::Number(1.0);
            const HIGHEST: Self = Symbol::Number($type::INFINITY);
            const IS_INTEGER: bool = false;
            type Quotient = Self;

            arithmetic! { rem floor_div floor_mod div_power floor_div_power }
            fn div(self, other: Self) -> Self { self / other }
            fn neg(self) -> Self { -self }
            fn abs(self) -> Self { self.magnitude() }
            fn from_usize(n: usize) -> Self { Symbol::Number(n as $type) }
            fn quotient(self, other: Self) -> Self { self / other }
            fn is_power(self) -> bool { false }
        }
    )* };
}
floats! { f32 f64 }

impl Number for Symbol<i32> {
    const ZERO: Self = Symbol::Number(0);
    const ONE: Self = Symbol::Number(1);
    const HIGHEST: Self = Symbol::Number(i32::MAX);
    const IS_INTEGER: bool = true;
    type Quotient = Unknown;

    arithmetic! { div rem floor_div floor_mod }
    div_power!();

    fn neg(self) -> Self {
        Self::ZERO - self
    }

    fn abs(self) -> Self {
        if self < Self::ZERO {
            Number::neg(self)
        } else {
            self
        }
    }

    fn from_usize(n: usize) -> Self {
        Symbol::Number(n as i32)
    }

    fn quotient(self, _: Self) -> Unknown {
        unknown();
        Unknown
    }

    fn is_power(self) -> bool {
        matches!(self, Symbol::Number(number) if crate::number::Number::is_power(number))
    }

    fn floor_div_power(self, power: Self) -> Self {
        match power {
            Symbol::Number(power) => self >> power.trailing_zeros(),
            Symbol::Value(_) => Symbol::unknown(),
        }
    }
}

/// See [`Float`](crate::number::Float).
pub(super) trait Float: Number {
    fn sqrt(self) -> Self;
    fn floor(self) -> Self;
    fn ceil(self) -> Self;
    fn round(self) -> Self;
    fn trunc(self) -> Self;
    fn of_f64(value: f64) -> Self;
}

macro_rules! float_functions {
    ($($type:ident)*) => { $(
        impl Float for Symbol<$type> {
            fn sqrt(self) -> Self { Symbol::apply(LaneOp::Sqrt, &[self]) }
            fn floor(self) -> Self { Symbol::apply(LaneOp::Round(Rounding::Down), &[self]) }
            fn ceil(self) -> Self { Symbol::apply(LaneOp::Round(Rounding::Up), &[self]) }
            fn round(self) -> Self { Symbol::apply(LaneOp::Round(Rounding::Nearest), &[self]) }
            fn trunc(self) -> Self { Symbol::apply(LaneOp::Round(Rounding::TowardsZero), &[self]) }
            fn of_f64(value: f64) -> Self { Symbol::Number(value as $type) }
        }
    )* };
}
float_functions! { f32 f64 }

/// Floats.
pub(super) trait Real: Float + Math {}
impl<T: Float + Math> Real for T {}

/// Numbers with low bits that depend only on low bits.
pub(super) trait LowBits: Number {}
impl<T: Number> LowBits for T {}

/// Numbers with a quotient.
pub(super) trait Divided: Number {}
impl<T: Number> Divided for T {}

/// Values with bits.
pub(super) trait Bits:
    Lane + And<Output = Self> + Or<Output = Self> + Xor<Output = Self>
{
}
impl Bits for Symbol<i32> {}
impl Bits for bool {}

/// Integers.
pub(super) trait Integer: Number + Bits {
    fn left_shift(self, by: Self) -> Self;
    fn right_shift(self, by: Self) -> Self;
}

impl Integer for Symbol<i32> {
    fn left_shift(self, _: Self) -> Self {
        Symbol::unknown()
    }

    fn right_shift(self, _: Self) -> Self {
        Symbol::unknown()
    }
}

/// Integers of which every bit is inverted.
pub(super) trait Inverted: Integer + std::ops::Not<Output = Self> {}
impl Inverted for Symbol<i32> {}

/// Truth values.
pub(super) trait Truth: Lane {}
impl Truth for bool {}

/// Conversion to another type.
pub(super) trait To<U> {
    fn to(self) -> U;
}

/// Values that are converted.
pub(super) trait Convert:
    Lane + To<Symbol<f32>> + To<Symbol<f64>> + To<Symbol<i32>> + To<bool> + To<Unknown>
{
    fn convert<U>(self) -> U
    where
        Self: To<U>,
    {
        self.to()
    }
}

/// Targets of rare conversions, which aren't recorded.
pub(super) trait Rare: Convert {}
impl<T: Convert> Rare for T {}

/// Conversions of symbols: `unknown` if they aren't recorded.
macro_rules! conversions {
    ($($from:ty => $($to:ty)*: $convert:expr;)*) => { $( $(
        impl To<$to> for $from {
            fn to(self) -> $to { $convert(self) }
        }
    )* )* };
}
conversions! {
    Symbol<f32> => Symbol<f32>: std::convert::identity;
    Symbol<f64> => Symbol<f64>: std::convert::identity;
    Symbol<i32> => Symbol<i32>: std::convert::identity;
    bool => bool: std::convert::identity;
    Symbol<i32> => Symbol<f32>: |x: Symbol<i32>| Symbol::<f32>::apply(LaneOp::ToFloat, &[x.cast()]);
    Symbol<f32> => Symbol<i32>: truncated;
    Symbol<f32> => bool: |x| x != Symbol::Number(0.0);
    Symbol<f64> => bool: |x| x != Symbol::Number(0.0);
    Symbol<i32> => bool: |x| x != Symbol::Number(0);
    bool => Symbol<f32>: |x| Symbol::Number(f32::from(u8::from(x)));
    bool => Symbol<f64>: |x| Symbol::Number(f64::from(x));
    bool => Symbol<i32>: |x| Symbol::Number(i32::from(x));
    Symbol<f32> => Symbol<f64>: |_| Symbol::unknown();
    Symbol<i32> => Symbol<f64>: |_| Symbol::unknown();
    Symbol<f64> => Symbol<f32> Symbol<i32>: |_| Symbol::unknown();
    Symbol<f32> => Unknown: lost;
    Symbol<f64> => Unknown: lost;
    Symbol<i32> => Unknown: lost;
    bool => Unknown: lost;
}
impl Convert for Symbol<f32> {}
impl Convert for Symbol<f64> {}
impl Convert for Symbol<i32> {}
impl Convert for bool {}

#[allow(clippy::eq_op, reason = "only a NaN differs from itself")]
/// Rust's `as`: beyond the range of the integers the nearest one, and 0 for NaN.
fn truncated(x: Symbol<f32>) -> Symbol<i32> {
    if x != x {
        Symbol::Number(0)
    } else if x >= Symbol::Number(2_147_483_648.0) {
        Symbol::Number(i32::MAX)
    } else if x < Symbol::Number(-2_147_483_648.0) {
        Symbol::Number(i32::MIN)
    } else {
        Symbol::<i32>::apply(LaneOp::ToInteger, &[x.cast()])
    }
}

/// A value of a type that isn't recorded.
fn lost<T>(_: T) -> Unknown {
    unknown();
    Unknown
}

#[cfg(test)]
mod tests {
    use super::super::ElementOp;
    use crate::formula::{LaneType, input, record};
    use crate::{DType, simd};

    /// Numbers of a dtype: zeros, small and large ones, those beyond all limits, and no number.
    fn words(dtype: DType) -> Vec<u64> {
        let numbers = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.3,
            -0.7,
            2.5,
            -6.5,
            19.0,
            88.5,
            -90.0,
            150.0,
            1e-40,
            -1e-12,
            3e9,
            -1e30,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ];
        let integers = [0, 1, -1, 2, 7, -8, 1000, i32::MAX, i32::MIN];
        match dtype {
            DType::F32 => numbers.map(|x| u64::from((x as f32).to_bits())).to_vec(),
            DType::F64 => numbers.map(f64::to_bits).to_vec(),
            DType::I32 => integers.map(|x| u64::from(x as u32)).to_vec(),
            _ => vec![0, 1],
        }
    }

    /// A word in which all NaNs are one.
    fn comparable(dtype: DType, word: u64) -> u64 {
        let is_nan = match dtype {
            DType::F32 => f32::from_bits(word as u32).is_nan(),
            DType::F64 => f64::from_bits(word).is_nan(),
            _ => false,
        };
        if is_nan { u64::MAX } else { word }
    }

    #[test]
    fn what_is_recorded_has_the_bits_of_the_function() {
        // Records fuse, as machine code does.
        if !simd::level().fuses() {
            return;
        }
        let mut compared = 0;
        for op in ElementOp::ALL {
            for dtype in [DType::F32, DType::F64, DType::I32, DType::Bool] {
                let Some((operands, output)) = op.signature(dtype) else {
                    continue;
                };
                let types: Option<Vec<LaneType>> =
                    operands.iter().map(|own| LaneType::of(*own)).collect();
                let program = types.and_then(|types| {
                    record(|| {
                        let inputs = types.iter().enumerate();
                        let inputs: Vec<usize> = inputs.map(|(n, ty)| input(n, *ty)).collect();
                        Some(vec![op.record(dtype, &inputs)?])
                    })
                });
                let Some(program) = program else { continue };
                let all = operands
                    .iter()
                    .fold(vec![Vec::new()], |all: Vec<Vec<u64>>, own| {
                        let more = all.iter().flat_map(|before| {
                            let words = words(*own).into_iter();
                            words.map(move |word| [before.as_slice(), &[word]].concat())
                        });
                        more.collect()
                    });
                for operands in all {
                    let mut words = [0; 3];
                    words[..operands.len()].copy_from_slice(&operands);
                    let expected = op.scalar(dtype, words).unwrap().unwrap();
                    let recorded = program.evaluate(&operands).unwrap()[0];
                    let [expected, recorded] =
                        [expected, recorded].map(|word| comparable(output, word));
                    assert_eq!(expected, recorded, "{op:?} of {dtype}: {operands:x?}");
                    compared += 1;
                }
            }
        }
        assert!(compared > 5000, "{compared}");
    }
}
