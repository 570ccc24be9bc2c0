//! Single functions compared with plain calculations.

use super::*;
use crate::simd::{Level, with_level};
use crate::{ElementError, Operand, Program, Step, elementwise, f16};

/// The words of the operands at an index.
fn at(operands: &[Vec<u64>], n: usize) -> [u64; 3] {
    std::array::from_fn(|k| operands.get(k).map_or(0, |words| words[n]))
}

/// The combinations of operands that a function is defined for.
fn defined(op: ElementOp, dtype: DType, operands: &[Vec<u64>]) -> Vec<Vec<u64>> {
    let places =
        (0..operands[0].len()).filter(|n| op.scalar(dtype, at(operands, *n)).unwrap().is_ok());
    let places: Vec<usize> = places.collect();
    let keep = |words: &Vec<u64>| places.iter().map(|n| words[*n]).collect();
    operands.iter().map(keep).collect()
}

#[test]
fn loops_give_what_single_values_give_at_every_level() {
    for level in Level::supported() {
        with_level(level, || {
            for (op, dtype) in ElementOp::ALL
                .iter()
                .flat_map(|op| DType::ALL.map(|d| (*op, d)))
            {
                let Some(dtypes) = operand_dtypes(op, dtype) else {
                    continue;
                };
                let operands = defined(op, dtype, &combinations(&dtypes));
                let len = operands[0].len();
                let arrays: Vec<Array> = dtypes
                    .iter()
                    .zip(&operands)
                    .map(|(dtype, words)| array(*dtype, &[len], words))
                    .collect();
                let mut out = Array::default();
                elementwise(op, &arrays.iter().collect::<Vec<_>>(), &mut out).unwrap();
                let single: Vec<u64> = (0..len)
                    .map(|n| op.scalar(dtype, at(&operands, n)).unwrap().unwrap())
                    .collect();
                let single = array(out.dtype(), &[len], &single);
                assert_eq!(words(&out), words(&single), "{op:?} {dtype} {level:?}");
            }
        });
    }
}

/// The value of a function by a plain calculation, for functions that are one operation of the CPU or the standard library.
fn plain_f64(op: ElementOp, a: f64, b: f64) -> Option<f64> {
    let truth = |v: bool| f64::from(u8::from(v));
    Some(match op {
        ElementOp::Add => a + b,
        ElementOp::Sub => a - b,
        ElementOp::Mul => a * b,
        ElementOp::Div | ElementOp::TrueDiv => a / b,
        ElementOp::Rem => a % b,
        ElementOp::FloorDiv => (a / b).floor(),
        ElementOp::DivNoNan => [a / b, 0.0][usize::from(b == 0.0)],
        ElementOp::Xdivy => [a / b, 0.0][usize::from(a == 0.0)],
        ElementOp::Maximum if a.is_nan() || b.is_nan() => f64::NAN,
        ElementOp::Minimum if a.is_nan() || b.is_nan() => f64::NAN,
        ElementOp::Maximum if a != b => a.max(b),
        ElementOp::Minimum if a != b => a.min(b),
        ElementOp::SquaredDifference => (a - b).powi(2),
        ElementOp::LeakyRelu if a > 0.0 => a,
        ElementOp::LeakyRelu => a * b,
        ElementOp::Less => truth(a < b),
        ElementOp::LessEqual => truth(a <= b),
        ElementOp::Greater => truth(a > b),
        ElementOp::GreaterEqual => truth(a >= b),
        ElementOp::Equal => truth(a == b),
        ElementOp::NotEqual => truth(a != b),
        ElementOp::Neg => -a,
        ElementOp::Abs => a.abs(),
        ElementOp::Square => a * a,
        ElementOp::Reciprocal => a.recip(),
        ElementOp::Sqrt => a.sqrt(),
        ElementOp::Rsqrt => 1.0 / a.sqrt(),
        ElementOp::Softsign => a / (1.0 + a.abs()),
        ElementOp::Floor => a.floor(),
        ElementOp::Ceil => a.ceil(),
        ElementOp::Round => a.round_ties_even(),
        ElementOp::Trunc => a.trunc(),
        ElementOp::IsNan => truth(a.is_nan()),
        ElementOp::IsInf => truth(a.is_infinite()),
        ElementOp::IsFinite => truth(a.is_finite()),
        ElementOp::ToF64 => a,
        ElementOp::ToF32 => f64::from(a as f32),
        ElementOp::ToBool => truth(a != 0.0),
        _ => return None,
    })
}

#[test]
fn functions_of_floats_are_what_the_cpu_does() {
    let mut checked = 0;
    for op in ElementOp::ALL {
        let operands = combinations(&[DType::F64, DType::F64]);
        for n in 0..operands[0].len() {
            let [a, b, _] = at(&operands, n);
            let Some(expected) = plain_f64(*op, f64::from_bits(a), f64::from_bits(b)) else {
                continue;
            };
            let word = op.scalar(DType::F64, [a, b, 0]).unwrap().unwrap();
            let actual = match op.output(&vec![DType::F64; op.arity()]).unwrap() {
                DType::Bool => word as f64,
                DType::F32 => f64::from(f32::from_bits(word as u32)),
                _ => f64::from_bits(word),
            };
            let same =
                actual.to_bits() == expected.to_bits() || actual.is_nan() && expected.is_nan();
            assert!(
                same,
                "{op:?} {:e} {:e}: {actual:e}, not {expected:e}",
                f64::from_bits(a),
                f64::from_bits(b)
            );
            checked += 1;
        }
    }
    assert!(checked > 10_000);
}

/// The value of an integer function before it wraps; `i128` is wide enough for every result but a power.
fn plain_i128(op: ElementOp, a: i128, b: i128, bits: u32) -> Option<i128> {
    let shift = b.clamp(0, i128::from(bits) - 1);
    Some(match op {
        ElementOp::Add => a + b,
        ElementOp::Sub => a - b,
        ElementOp::Mul => a.wrapping_mul(b),
        ElementOp::Div => a / b,
        ElementOp::Rem => a % b,
        ElementOp::FloorDiv => a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0),
        ElementOp::FloorMod => {
            let rem = a.rem_euclid(b);
            if b < 0 && rem != 0 { rem + b } else { rem }
        }
        ElementOp::Maximum => a.max(b),
        ElementOp::Minimum => a.min(b),
        ElementOp::SquaredDifference => (a - b).wrapping_mul(a - b),
        ElementOp::BitAnd => a & b,
        ElementOp::BitOr => a | b,
        ElementOp::BitXor => a ^ b,
        ElementOp::BitNot => !a,
        ElementOp::LeftShift => a << shift,
        ElementOp::RightShift => a >> shift,
        ElementOp::Less => (a < b).into(),
        ElementOp::LessEqual => (a <= b).into(),
        ElementOp::Greater => (a > b).into(),
        ElementOp::GreaterEqual => (a >= b).into(),
        ElementOp::Equal => (a == b).into(),
        ElementOp::NotEqual => (a != b).into(),
        ElementOp::Neg => -a,
        ElementOp::Abs => a.abs(),
        ElementOp::Sign => a.signum(),
        ElementOp::Square => a.wrapping_mul(a),
        ElementOp::Relu => a.max(0),
        ElementOp::Relu6 => a.clamp(0, 6),
        ElementOp::ToI8 | ElementOp::ToI16 | ElementOp::ToI32 | ElementOp::ToI64 => a,
        ElementOp::ToU8 | ElementOp::ToU16 | ElementOp::ToU32 | ElementOp::ToU64 => a,
        ElementOp::ToBool => (a != 0).into(),
        ElementOp::Pow => (0..b).fold(1i128, |power, _| power.wrapping_mul(a)),
        _ => return None,
    })
}

/// The integer in the low bits of a word, after wrapping.
fn integer(dtype: DType, word: u64) -> i128 {
    match dtype {
        DType::I32 => i128::from(word as i32),
        DType::I64 => i128::from(word as i64),
        DType::I8 => i128::from(word as i8),
        DType::I16 => i128::from(word as i16),
        DType::U16 => i128::from(word as u16),
        DType::U32 => i128::from(word as u32),
        DType::U64 => i128::from(word),
        _ => i128::from(word as u8),
    }
}

/// Every integer type.
fn integers() -> impl Iterator<Item = DType> {
    DType::ALL.into_iter().filter(|dtype| dtype.is_integer())
}

#[test]
fn functions_of_integers_are_exact_and_wrap() {
    for (op, (dtype, bits)) in ElementOp::ALL
        .iter()
        .flat_map(|op| integers().map(|dtype| (*op, (dtype, dtype.bytes() as u32 * 8))))
    {
        let operands = combinations(&[dtype, dtype]);
        for n in 0..operands[0].len() {
            let [a, b, _] = at(&operands, n);
            let (x, y) = (integer(dtype, a), integer(dtype, b));
            let divides = matches!(
                op,
                ElementOp::Div | ElementOp::Rem | ElementOp::FloorDiv | ElementOp::FloorMod
            );
            if divides && y == 0 {
                let error = Err(ElementError::DivisionByZero);
                assert_eq!(op.scalar(dtype, [a, b, 0]), Some(error));
                continue;
            }
            if op == ElementOp::Pow && y < 0 {
                let error = Err(ElementError::NegativeExponent);
                assert_eq!(op.scalar(dtype, [a, b, 0]), Some(error));
                continue;
            }
            if op == ElementOp::Pow && y > 1000 {
                continue;
            }
            let Some(expected) = plain_i128(op, x, y, bits) else {
                continue;
            };
            let word = op.scalar(dtype, [a, b, 0]).unwrap().unwrap();
            let output = op.output(&vec![dtype; op.arity()]).unwrap();
            let expected = integer(output, expected as u64);
            assert_eq!(integer(output, word), expected, "{op:?} {dtype} {x} {y}");
        }
    }
}

#[test]
fn functions_of_16_bit_floats_are_those_of_float32_rounded() {
    for op in ElementOp::ALL {
        let Some(dtypes) = operand_dtypes(*op, DType::F16) else {
            continue;
        };
        let output = op.output(&dtypes).unwrap();
        let wide_dtypes = operand_dtypes(*op, DType::F32).unwrap();
        let operands = combinations(&dtypes);
        for n in 0..operands[0].len() {
            let place = at(&operands, n);
            let widened: [u64; 3] = std::array::from_fn(|k| match dtypes.get(k) {
                Some(DType::F16) => u64::from(f16::from_bits(place[k] as u16).to_f32().to_bits()),
                _ => place[k],
            });
            let wide = op.scalar(DType::F32, widened).unwrap().unwrap();
            let expected = match (op.output(&wide_dtypes).unwrap(), output) {
                (DType::F32, DType::F16) => {
                    u64::from(f16::from_f32(f32::from_bits(wide as u32)).to_bits())
                }
                _ => wide,
            };
            let actual = op.scalar(DType::F16, place).unwrap().unwrap();
            let same = [actual, expected].map(|word| words(&array(output, &[1], &[word])));
            assert_eq!(same[0], same[1], "{op:?} {place:x?}");
        }
    }
}

#[test]
fn blocks_of_powers_of_two_divide_as_single_values_do() {
    let ops = [
        ElementOp::Div,
        ElementOp::Rem,
        ElementOp::FloorDiv,
        ElementOp::FloorMod,
    ];
    for dtype in integers() {
        let bits = dtype.bytes() * 8 - usize::from(!dtype.is_unsigned());
        let dividends = samples(dtype);
        let operand = |words: &[u64]| array(dtype, &[words.len()], words);
        for (op, divisor) in ops
            .iter()
            .flat_map(|op| (0..bits).map(move |bit| (*op, 1 << bit)))
        {
            let (a, b) = (
                operand(&dividends),
                operand(&vec![divisor; dividends.len()]),
            );
            let mut out = Array::default();
            elementwise(op, &[&a, &b], &mut out).unwrap();
            let single = |a: &u64| op.scalar(dtype, [*a, divisor, 0]).unwrap().unwrap();
            let single: Vec<u64> = dividends.iter().map(single).collect();
            assert_eq!(words(&out), single, "{op:?} {dtype} {divisor}");
        }
        // A divisor that differs from the others at one place.
        let mut divisors = vec![4; dividends.len()];
        divisors[dividends.len() / 2] = 3;
        for op in ops {
            let mut out = Array::default();
            elementwise(op, &[&operand(&dividends), &operand(&divisors)], &mut out).unwrap();
            let single = |(a, b): (&u64, &u64)| op.scalar(dtype, [*a, *b, 0]).unwrap().unwrap();
            let single: Vec<u64> = dividends.iter().zip(&divisors).map(single).collect();
            assert_eq!(words(&out), single, "{op:?} {dtype}");
        }
    }
}

#[test]
fn a_block_with_one_refused_value_is_an_error() {
    let (a, b) = (Array::new(&[300], vec![7; 300]), {
        let mut divisors = vec![2; 300];
        divisors[299] = 0;
        Array::new(&[300], divisors)
    });
    let mut out = Array::default();
    let error = elementwise(ElementOp::Div, &[&a, &b], &mut out).unwrap_err();
    assert_eq!(error.to_string(), "Integer division by zero");
    let error = elementwise(ElementOp::Pow, &[&a, &Array::scalar(-1)], &mut out).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Integers to negative integer powers are not allowed"
    );
    // Nothing is divided here, so there is no division by zero.
    let none = Array::zeros(DType::I32, &[0]);
    assert_eq!(
        elementwise(ElementOp::Div, &[&none, &Array::scalar(0)], &mut out),
        Ok(())
    );
    assert_eq!(out, none);
}

#[test]
fn what_a_function_is_not_defined_for_is_refused() {
    let (f, i) = (Array::scalar(1f32), Array::scalar(1));
    let mut out = Array::default();
    let mut error =
        |op, operands: &[&Array]| elementwise(op, operands, &mut out).unwrap_err().to_string();
    assert_eq!(
        error(ElementOp::Sqrt, &[&i]),
        "`sqrt` is not defined for int32"
    );
    assert_eq!(
        error(ElementOp::Add, &[&f, &i]),
        "`add` takes an operand of int32, not float32"
    );
    assert_eq!(
        error(ElementOp::Add, &[&f]),
        "`add` takes 2 operands, not 1"
    );
    assert_eq!(error(ElementOp::Add, &[]), "`add` takes 2 operands, not 0");
    let step = |operand| Step {
        op: ElementOp::Neg.into(),
        operands: [operand].into_iter().collect(),
    };
    assert!(Program::new(&[DType::F32], &[step(Operand::Input(1))]).is_err());
    assert!(Program::new(&[DType::F32], &[step(Operand::Step(0))]).is_err());
    assert!(Program::new(&[DType::F32], &[]).is_err());
    assert!(Program::new(&[DType::Str], &[step(Operand::Input(0))]).is_err());
}
