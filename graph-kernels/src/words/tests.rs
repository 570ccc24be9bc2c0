//! Word programs compared with the table's functions one by one, and with loops in plain Rust.

use smallvec::{SmallVec, smallvec};

use super::code::Code;
use super::*;
use crate::ElementError;

/// Words that are special to some dtype: small numbers, limits, bit patterns of floats, NaN.
fn words(dtype: DType) -> Vec<u64> {
    let ints = [0i64, 1, 2, 3, 7, 8, -1, -2, -3, -8, 100, i64::MAX, i64::MIN];
    let floats = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        2.0,
        1e30,
        f64::INFINITY,
        f64::NAN,
        -1e-40,
    ];
    match dtype {
        DType::F32 => floats
            .iter()
            .map(|v| u64::from((*v as f32).to_bits()))
            .collect(),
        DType::F64 => floats.iter().map(|v| v.to_bits()).collect(),
        DType::I32 => ints.iter().map(|v| u64::from(*v as i32 as u32)).collect(),
        DType::I64 => ints.iter().map(|v| *v as u64).collect(),
        DType::U8 => ints.iter().map(|v| u64::from(*v as u8)).collect(),
        _ => vec![0, 1],
    }
}

const DTYPES: [DType; 6] = [
    DType::F32,
    DType::F64,
    DType::I32,
    DType::I64,
    DType::U8,
    DType::Bool,
];

fn run(program: &WordProgram, registers: &mut Registers) -> Result<u64, Option<String>> {
    let result = program.run(registers, &[]);
    result.map_err(|failure| failure.error.map(|e| e.to_string()))?;
    Ok(registers[3])
}

/// The result of a function according to the table.
fn expected(result: Result<u64, ElementError>) -> Result<u64, Option<String>> {
    result.map_err(|error| Some(KernelError::from(error).to_string()))
}

#[test]
fn every_function_gives_what_the_table_says() {
    for op in ElementOp::ALL.iter().copied() {
        for dtype in DTYPES {
            if op.scalar(dtype, [1; 3]).is_none() {
                continue;
            }
            let operands: SmallVec<[Register; 3]> = (0..op.arity() as u8).collect();
            let step = WordStep::Apply {
                op,
                dtype,
                operands,
                to: 3,
            };
            let program = WordProgram::new(&[step], &[]).unwrap();
            let values = words(dtype);
            for (a, b) in values
                .iter()
                .flat_map(|a| values.iter().map(move |b| (*a, *b)))
            {
                let (mut registers, first) =
                    ([0; REGISTERS], if op.arity() == 3 { a & 1 } else { a });
                registers[..3].copy_from_slice(&[first, b, a]);
                let result = op.scalar(dtype, [first, b, a]).unwrap();
                assert_eq!(
                    run(&program, &mut registers),
                    expected(result),
                    "{op:?} {dtype} {a:x} {b:x}"
                );
            }
        }
    }
}

#[test]
fn divisions_by_known_numbers_are_divisions() {
    let divisions = [
        ElementOp::Div,
        ElementOp::Rem,
        ElementOp::FloorDiv,
        ElementOp::FloorMod,
    ];
    let numbers = [
        5,
        10,
        60,
        641,
        1 << 30,
        i64::from(i32::MAX),
        1 << 62,
        i64::MAX - 1,
    ];
    for (op, dtype) in divisions
        .iter()
        .flat_map(|op| [(*op, DType::I32), (*op, DType::I64)])
    {
        let word = |number: i64| match dtype {
            DType::I32 => u64::from(number as u32),
            _ => number as u64,
        };
        for divisor in words(dtype).into_iter().chain(numbers.map(word)) {
            let step = WordStep::Apply {
                op,
                dtype,
                operands: smallvec![0, 1],
                to: 3,
            };
            let program = WordProgram::new(&[step], &[(1, divisor)]).unwrap();
            // Multiples, and their neighbours.
            let multiples = [-1000, -2, -1, 1, 2, 1000, i64::MAX]
                .into_iter()
                .flat_map(|factor| {
                    [-1, 0, 1]
                        .map(|more| word((divisor as i64).wrapping_mul(factor).wrapping_add(more)))
                });
            for dividend in words(dtype).into_iter().chain(multiples) {
                let mut registers = [0; REGISTERS];
                registers[0] = dividend;
                let result = op.scalar(dtype, [dividend, divisor, 0]).unwrap();
                assert_eq!(
                    run(&program, &mut registers),
                    expected(result),
                    "{op:?} {dividend:x} {divisor:x}"
                );
            }
        }
    }
    // The shorter instructions are used.
    let code = |divisor: i64| {
        let step = WordStep::Apply {
            op: ElementOp::Rem,
            dtype: DType::I64,
            operands: smallvec![0, 1],
            to: 3,
        };
        WordProgram::new(&[step], &[(1, divisor as u64)])
            .unwrap()
            .code[0]
            .code
    };
    assert_eq!(
        [8, 10, -8].map(code),
        [Code::RemPowerI64, Code::RemByI64, Code::RemI64]
    );
}

#[test]
fn comparisons_jump_as_they_compare() {
    let comparisons = [
        ElementOp::Less,
        ElementOp::LessEqual,
        ElementOp::Greater,
        ElementOp::GreaterEqual,
        ElementOp::Equal,
        ElementOp::NotEqual,
    ];
    for op in comparisons {
        for dtype in &DTYPES[..4] {
            let one = WordStep::Move { to: 3, from: 4 };
            let jump = WordStep::UnlessHolds {
                op,
                dtype: *dtype,
                operands: [0, 1],
                target: 2,
            };
            let forward = WordProgram::new(&[jump, one.clone()], &[(4, 1)]).unwrap();
            // A loop that ends at once or after one iteration, in which the first operand becomes the second. The jump back is the test.
            let head = WordStep::UnlessHolds {
                op,
                dtype: *dtype,
                operands: [0, 1],
                target: 4,
            };
            let round = [
                head,
                one,
                WordStep::Move { to: 0, from: 5 },
                WordStep::Jump(0),
            ];
            for (a, b) in words(*dtype)
                .iter()
                .flat_map(|a| words(*dtype).into_iter().map(move |b| (*a, b)))
            {
                let holds = |a, b| op.scalar(*dtype, [a, b, 0]).unwrap().unwrap();
                let mut registers = [0; REGISTERS];
                registers[..2].copy_from_slice(&[a, b]);
                assert_eq!(
                    run(&forward, &mut registers.clone()),
                    Ok(holds(a, b)),
                    "{op:?} {a:x} {b:x}"
                );
                for next in words(*dtype) {
                    if holds(next, b) == 1 {
                        continue;
                    }
                    registers[5] = next;
                    let program = WordProgram::new(&round, &[(4, 1)]).unwrap();
                    assert_eq!(run(&program, &mut registers.clone()), Ok(holds(a, b)));
                }
            }
        }
    }
}

/// Counts the steps of the Collatz sequence of r0 in r1.
fn collatz() -> WordProgram {
    let apply = |op, a, b, to| WordStep::Apply {
        op,
        dtype: DType::I64,
        operands: smallvec![a, b],
        to,
    };
    let steps = [
        WordStep::UnlessHolds {
            op: ElementOp::NotEqual,
            dtype: DType::I64,
            operands: [0, 10],
            target: 9,
        },
        apply(ElementOp::Rem, 0, 12, 2),
        WordStep::UnlessHolds {
            op: ElementOp::Equal,
            dtype: DType::I64,
            operands: [2, 11],
            target: 5,
        },
        apply(ElementOp::Div, 0, 12, 0),
        WordStep::Jump(7),
        apply(ElementOp::Mul, 0, 13, 0),
        apply(ElementOp::Add, 0, 10, 0),
        apply(ElementOp::Add, 1, 10, 1),
        WordStep::Jump(0),
    ];
    WordProgram::new(&steps, &[(10, 1), (11, 0), (12, 2), (13, 3)]).unwrap()
}

#[test]
fn a_loop_counts_and_its_instructions_are_counted() {
    let mut registers = [0; REGISTERS];
    registers[0] = 6;
    // 6 3 10 5 16 8 4 2 1: two odd steps of 5 instructions, six even ones of 5, and the first test.
    assert_eq!(
        collatz().run_counting(&mut registers, &mut Memory::of(&[])),
        Ok(8 * 5 + 1)
    );
    assert_eq!(registers[1], 8);
}

/// For the numbers below r0: counts those divisible by three in r1 and the others in r2; 7 ends the loop.
fn counts(dtype: DType) -> WordProgram {
    let apply = |op, a, b, to| WordStep::Apply {
        op,
        dtype,
        operands: smallvec![a, b],
        to,
    };
    let unless = |op, operands, target| WordStep::UnlessHolds {
        op,
        dtype,
        operands,
        target,
    };
    let steps = [
        unless(ElementOp::Less, [3, 0], 10),
        unless(ElementOp::NotEqual, [3, 13], 10),
        apply(ElementOp::Rem, 3, 12, 4),
        unless(ElementOp::Equal, [4, 11], 6),
        apply(ElementOp::Add, 1, 10, 1),
        WordStep::Jump(7),
        apply(ElementOp::Add, 2, 10, 2),
        // A jump to a jump.
        WordStep::Jump(8),
        apply(ElementOp::Add, 3, 10, 3),
        WordStep::Jump(0),
    ];
    WordProgram::new(&steps, &[(10, 1), (11, 0), (12, 3), (13, 7)]).unwrap()
}

#[test]
fn counting_testing_and_going_back_is_one_instruction() {
    for dtype in [DType::I32, DType::I64] {
        let run = |n: u64| {
            let mut registers = [0; REGISTERS];
            registers[0] = n;
            let instructions = counts(dtype)
                .run_counting(&mut registers, &mut Memory::of(&[]))
                .unwrap();
            ((registers[1], registers[2], registers[3]), instructions)
        };
        // The first test. Then in each iteration: the test for seven, the test of the remainder, a sum, and the count of the iteration.
        assert_eq!(run(0), ((0, 0, 0), 1));
        assert_eq!(run(1), ((1, 0, 1), 1 + 4));
        assert_eq!(run(5), ((2, 3, 5), 1 + 5 * 4));
        // Of the seven numbers below 7, three are multiples; the test for seven ends the loop.
        assert_eq!(run(1000), ((3, 4, 7), 1 + 7 * 4 + 1));
    }
}

#[test]
fn values_of_rows_are_read_by_the_position_of_the_row() {
    let read = |element: u16, index: i64| {
        let steps = [WordStep::Read {
            from: Rows::Array(0),
            element,
            index: 0,
            dtype: DType::I64,
            to: 3,
        }];
        let program = WordProgram::new(&steps, &[]).unwrap();
        let array = Array::new(&[2, 1, 3], vec![10i32, 20, 30, 40, 50, 60]);
        let mut registers = [0; REGISTERS];
        registers[0] = index as u64;
        let done = program.run(&mut registers, &[&array]);
        done.map(|()| registers[3])
    };
    assert_eq!(
        [read(0, 0), read(2, 1), read(1, -2)],
        [Ok(10), Ok(60), Ok(20)]
    );
    let error = read(1, 2).unwrap_err().error.unwrap().to_string();
    assert_eq!(error, "slice index 2 of dimension 0 out of bounds.");
}

#[test]
fn arrays_are_read_by_position() {
    let steps = [WordStep::Read {
        from: Rows::Array(0),
        element: 0,
        index: 0,
        dtype: DType::I32,
        to: 3,
    }];
    let program = WordProgram::new(&steps, &[]).unwrap();
    let array = Array::new(&[3], vec![10i64, 20, 30]);
    let read = |index: i32| {
        let mut registers = [0; REGISTERS];
        registers[0] = u64::from(index as u32);
        program
            .run(&mut registers, &[&array])
            .map(|()| registers[3])
    };
    assert_eq!([read(0), read(2), read(-3)], [Ok(10), Ok(30), Ok(10)]);
    for index in [3, -4, i32::MIN] {
        let error = read(index).unwrap_err().error.unwrap().to_string();
        assert_eq!(
            error,
            format!("slice index {index} of dimension 0 out of bounds.")
        );
    }
}

#[test]
fn a_remainder_is_tested_in_one_instruction() {
    let apply = |op, dtype| WordStep::Apply {
        op,
        dtype,
        operands: smallvec![0, 1],
        to: 2,
    };
    let cases = [ElementOp::Rem, ElementOp::FloorMod]
        .into_iter()
        .flat_map(|op| [DType::I32, DType::I64].map(|dtype| (op, dtype)));
    for ((op, dtype), divisor) in cases.flat_map(|case| [1u64, 2, 8, 3, 7, 100].map(|d| (case, d)))
    {
        for (test, operands) in [ElementOp::Equal, ElementOp::NotEqual]
            .into_iter()
            .flat_map(|test| [(test, [2, 4]), (test, [4, 2])])
        {
            let steps = [
                apply(op, dtype),
                WordStep::UnlessHolds {
                    op: test,
                    dtype,
                    operands,
                    target: 3,
                },
                WordStep::Move { to: 3, from: 5 },
            ];
            let program = WordProgram::new(&steps, &[(1, divisor), (4, 0)]).unwrap();
            for value in words(dtype) {
                let mut registers = [0; REGISTERS];
                (registers[0], registers[5]) = (value, 1);
                let rest = op.scalar(dtype, [value, divisor, 0]).unwrap().unwrap();
                let holds = (rest == 0) == (test == ElementOp::Equal);
                let count = program.run_counting(&mut registers, &mut Memory::of(&[]));
                let case = format!("{op:?} {dtype} {value:x} by {divisor}, {test:?}");
                assert_eq!(registers[2..4], [rest, holds.into()], "{case}");
                assert_eq!(count, Ok(1 + u64::from(holds)), "{case}");
            }
        }
    }
}

#[test]
fn switches_and_assertions() {
    let steps = [
        WordStep::Switch {
            index: 0,
            targets: vec![1, 3],
        },
        WordStep::Move { to: 3, from: 1 },
        WordStep::Jump(4),
        WordStep::Move { to: 3, from: 2 },
        WordStep::Assert(4),
    ];
    let program = WordProgram::new(&steps, &[]).unwrap();
    for (index, value) in [(0u32, 5), (1, 6), (2, 6), (u32::MAX, 6)] {
        let mut registers = [0; REGISTERS];
        registers[..5].copy_from_slice(&[index.into(), 5, 6, 0, 1]);
        assert_eq!(run(&program, &mut registers), Ok(value));
        registers[4] = 0;
        assert_eq!(
            program.run(&mut registers, &[]),
            Err(WordFailure {
                step: 4,
                error: None
            })
        );
    }
}

#[test]
fn what_makes_no_program_is_refused() {
    let add = |dtype, operands| WordStep::Apply {
        op: ElementOp::Add,
        dtype,
        operands,
        to: 0,
    };
    for step in [
        add(DType::Bool, smallvec![0, 1]),
        add(DType::I32, smallvec![0]),
        WordStep::Jump(2),
        WordStep::Switch {
            index: 0,
            targets: vec![],
        },
        WordStep::Read {
            from: Rows::Array(0),
            element: 0,
            index: 0,
            dtype: DType::F32,
            to: 0,
        },
        WordStep::UnlessHolds {
            op: ElementOp::Add,
            dtype: DType::I32,
            operands: [0, 1],
            target: 0,
        },
    ] {
        assert!(
            WordProgram::new(std::slice::from_ref(&step), &[]).is_none(),
            "{step:?}"
        );
    }
}

#[test]
#[ignore = "a measurement"]
fn collatz_takes_so_long() {
    let program = collatz();
    let mut best = f64::INFINITY;
    for _ in 0..2000 {
        let mut registers = [0; REGISTERS];
        registers[0] = 837_799;
        let start = std::time::Instant::now();
        program.run(&mut registers, &[]).unwrap();
        best = best.min(start.elapsed().as_secs_f64());
        assert_eq!(registers[1], 524);
    }
    println!("{:.2} µs", best * 1e6);
}
