//! Every function of the table, at every dtype, on special values: as a value, with a constant as its last operand, and as a condition.

use graph_kernels::codegen::{Codegen, MemoryTypes, WordSource};
use graph_kernels::{DType, ElementOp, Register, WordStep};

use super::{DTYPES, ZEROS, compare_code, words};
use crate::Cranelift;

/// Every function at every dtype, with the dtypes of its operands and of its result.
pub fn functions() -> impl Iterator<Item = (ElementOp, DType, &'static [DType], DType)> {
    let all = ElementOp::ALL.iter();
    all.flat_map(|op| DTYPES.map(|dtype| (*op, dtype)))
        .filter_map(|(op, dtype)| {
            let (operands, output) = op.signature(dtype)?;
            Some((op, dtype, operands, output))
        })
}

/// The program that applies a function to registers 0, 1 and 2 and writes register 3.
pub fn one_step(op: ElementOp, dtype: DType, output: DType) -> WordSource {
    let step = WordStep::Apply {
        op,
        dtype,
        operands: (0..op.arity() as Register).collect(),
        to: 3,
    };
    super::source(&[step], &[(3, output)])
}

/// All combinations of special values of the operands.
fn operands(dtypes: &[DType]) -> Vec<Vec<u64>> {
    dtypes.iter().fold(vec![Vec::new()], |all, dtype| {
        let words = words(*dtype);
        let more = all.iter().flat_map(|before| {
            words
                .iter()
                .map(move |word| [before.as_slice(), &[*word]].concat())
        });
        more.collect()
    })
}

#[test]
fn every_function_gives_the_bits_of_the_interpreter() {
    let codegen = Cranelift::new().unwrap();
    let (mut done, mut failed) = (0, 0);
    for (op, dtype, dtypes, output) in functions() {
        let source = one_step(op, dtype, output);
        let code = codegen.words(&source, &MemoryTypes::default(), 0);
        let code = code.unwrap_or_else(|| panic!("no code for {op:?} of {dtype}"));
        for values in operands(dtypes) {
            let mut registers = ZEROS;
            registers[..values.len()].copy_from_slice(&values);
            let case = format!("{op:?} of {dtype}: {values:x?}");
            match compare_code(&source, &*code, &registers, &[], &case) {
                true => done += 1,
                false => failed += 1,
            }
        }
    }
    // Both kinds of ends occur: only divisions by zero and negative exponents fail.
    assert!(done > 50_000 && failed > 500, "{done} {failed}");
}

#[test]
fn divisions_by_constants_give_the_bits_of_the_interpreter() {
    let codegen = Cranelift::new().unwrap();
    let divisions = [
        ElementOp::Div,
        ElementOp::Rem,
        ElementOp::FloorDiv,
        ElementOp::FloorMod,
    ];
    let cases = divisions
        .iter()
        .flat_map(|op| [DType::I32, DType::I64, DType::U8, DType::I16].map(|dtype| (*op, dtype)));
    for (op, dtype) in cases {
        for divisor in words(dtype) {
            let mut source = one_step(op, dtype, dtype);
            source.constants.push((1, divisor));
            let code = codegen.words(&source, &MemoryTypes::default(), 0).unwrap();
            for dividend in words(dtype) {
                let mut registers = ZEROS;
                (registers[0], registers[1]) = (dividend, divisor);
                let case = format!("{op:?} of {dtype}: {dividend:x} by {divisor:x}");
                compare_code(&source, &*code, &registers, &[], &case);
            }
        }
    }
}

#[test]
fn whether_a_number_divides_another_is_decided_as_in_the_interpreter() {
    let codegen = Cranelift::new().unwrap();
    let tests = [ElementOp::Equal, ElementOp::NotEqual, ElementOp::Less];
    let cases = [ElementOp::Rem, ElementOp::FloorMod].iter().flat_map(|op| {
        let dtypes = [DType::I32, DType::I64].into_iter();
        dtypes.flat_map(move |dtype| tests.map(|test| (*op, dtype, test)))
    });
    for (op, dtype, test) in cases {
        for divisor in [1, 2, 3, 4, 6, 7, 64, 641, i64::from(i32::MAX), -1, -3] {
            let mut source = one_step(op, dtype, dtype);
            let unless = |operands, target| WordStep::UnlessHolds {
                op: test,
                dtype,
                operands,
                target,
            };
            // The remainder itself is read behind the second test alone.
            source.steps.extend([
                unless([3, 5], 3),
                WordStep::Move { to: 4, from: 6 },
                unless([5, 3], 5),
                WordStep::Move { to: 4, from: 3 },
            ]);
            source.constants = vec![(1, divisor as u64), (5, 0), (6, 1)];
            source.results.push((4, dtype));
            let code = codegen.words(&source, &MemoryTypes::default(), 0).unwrap();
            let multiples =
                [-1000, -2, -1, 1, 2, 1000, i64::MAX / 5].map(|n| divisor.wrapping_mul(n));
            let near = multiples
                .iter()
                .flat_map(|n| [-1, 0, 1].map(|more| n.wrapping_add(more) as u64));
            for dividend in words(dtype).into_iter().chain(near) {
                let mut registers = ZEROS;
                registers[0] = dividend;
                let case = format!("{op:?} of {dtype}: {dividend:x} by {divisor}, {test:?}");
                assert!(compare_code(&source, &*code, &registers, &[], &case));
            }
        }
    }
}

#[test]
fn products_with_constants_give_the_bits_of_the_interpreter() {
    let codegen = Cranelift::new().unwrap();
    for dtype in [DType::I32, DType::I64, DType::U8] {
        for (register, factor) in (0..2).flat_map(|r| [1u64, 3, 5, 6, 9].map(|f| (r, f))) {
            let mut source = one_step(ElementOp::Mul, dtype, dtype);
            source.constants.push((register, factor));
            let code = codegen.words(&source, &MemoryTypes::default(), 0).unwrap();
            for number in words(dtype) {
                let mut registers = ZEROS;
                registers[usize::from(1 - register)] = number;
                let case = format!("{dtype}: {factor} times {number:x}");
                assert!(compare_code(&source, &*code, &registers, &[], &case));
            }
        }
    }
}

#[test]
fn every_comparison_jumps_as_in_the_interpreter() {
    let codegen = Cranelift::new().unwrap();
    let tests = functions().filter(|(op, dtype, ..)| op.is_test(*dtype));
    for (op, dtype, ..) in tests {
        let jump = WordStep::UnlessHolds {
            op,
            dtype,
            operands: [0, 1],
            target: 2,
        };
        let source = super::source(
            &[jump, WordStep::Move { to: 3, from: 4 }],
            &[(3, DType::I64)],
        );
        let code = codegen.words(&source, &MemoryTypes::default(), 0).unwrap();
        for values in operands(&[dtype; 2]) {
            let mut registers = ZEROS;
            registers[..2].copy_from_slice(&values);
            registers[4] = 1;
            let case = format!("unless {op:?} of {dtype}: {values:x?}");
            assert!(compare_code(&source, &*code, &registers, &[], &case));
        }
    }
}
