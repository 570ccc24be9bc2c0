//! Mapped functions, whose iterations run side by side with chains as machine code, held against the interpreter.

use std::time::Instant;

use graph_kernels::codegen::{Codegen, MemoryTypes, WordSource, compile_words_after};
use graph_kernels::{
    Array, DType, ElementOp, List, Memory, Register, Registers, Rows, WordProgram, WordStep,
};
use smallvec::smallvec;

use super::chains::with_vectors;
use super::{ZEROS, comparable, source};
use crate::Cranelift;

/// Around the least number of iterations, vectors, and the most lanes.
const COUNTS: [usize; 13] = [0, 1, 8, 15, 16, 17, 31, 32, 33, 64, 65, 130, 512];

const COUNTER: Register = 0;
const LIMIT: Register = 1;
const X: Register = 2;
const Y: Register = 3;
const STEPS: Register = 4;
const ONE: Register = 9;

fn apply(op: ElementOp, dtype: DType, operands: &[Register], to: Register) -> WordStep {
    WordStep::Apply {
        op,
        dtype,
        operands: operands.iter().copied().collect(),
        to,
    }
}

fn write(list: u8, from: Register) -> WordStep {
    WordStep::Write {
        list,
        index: COUNTER,
        dtype: DType::I32,
        from: smallvec![from],
        grows: false,
    }
}

/// Newton's method for the cube root of each number, at most `most` steps, and how many it took:
/// `while |y³ - x| > x / 1024 && n < most { y = (2 y + x / y²) / 3; n += 1 }`.
fn roots(dtype: DType, most: u64) -> WordSource {
    let number = |value: f64| match dtype {
        DType::F32 => u64::from((value as f32).to_bits()),
        _ => value.to_bits(),
    };
    let f = |op, operands: &[Register], to| apply(op, dtype, operands, to);
    let unless = |op, dtype, operands, target| WordStep::UnlessHolds {
        op,
        dtype,
        operands,
        target,
    };
    let steps = [
        WordStep::Move {
            to: COUNTER,
            from: 10,
        },
        unless(ElementOp::Less, DType::I32, [COUNTER, LIMIT], 24),
        WordStep::Read {
            from: Rows::Array(0),
            element: 0,
            index: COUNTER,
            dtype: DType::I32,
            to: X,
        },
        WordStep::Move { to: Y, from: X },
        WordStep::Move {
            to: STEPS,
            from: 10,
        },
        f(ElementOp::Mul, &[Y, Y], 5),
        f(ElementOp::Mul, &[5, Y], 5),
        f(ElementOp::Sub, &[5, X], 5),
        f(ElementOp::Abs, &[5], 5),
        f(ElementOp::Mul, &[X, 11], 6),
        unless(ElementOp::Greater, dtype, [5, 6], 20),
        unless(ElementOp::Less, DType::I32, [STEPS, 14], 20),
        f(ElementOp::Mul, &[Y, 12], 5),
        f(ElementOp::Mul, &[Y, Y], 6),
        f(ElementOp::Div, &[X, 6], 6),
        f(ElementOp::Add, &[5, 6], 5),
        f(ElementOp::Div, &[5, 13], 5),
        WordStep::Swap(Y, 5),
        apply(ElementOp::Add, DType::I32, &[STEPS, ONE], STEPS),
        WordStep::Jump(5),
        write(0, Y),
        write(1, STEPS),
        apply(ElementOp::Add, DType::I32, &[COUNTER, ONE], COUNTER),
        WordStep::Jump(1),
    ];
    WordSource {
        constants: vec![
            (ONE, 1),
            (10, 0),
            (11, number(1.0 / 1024.0)),
            (12, number(2.0)),
            (13, number(3.0)),
            (14, most),
        ],
        ..source(&steps, &[(COUNTER, DType::I32)])
    }
}

/// The bits of the two lists of a run. All NaNs are one.
fn run(program: &WordProgram, x: &Array) -> [Vec<u64>; 2] {
    let list = |dtype| List::new(Array::zeros(dtype, &[x.len()]), dtype, &[]).unwrap();
    let mut lists = [list(x.dtype()), list(DType::I32)];
    let mut registers = ZEROS;
    registers[usize::from(LIMIT)] = x.len() as u64;
    let arrays = [x];
    let mut memory = Memory {
        arrays: &arrays,
        lists: &mut lists,
    };
    program.run_in(&mut registers, &mut memory).unwrap();
    lists.map(|list| {
        let array = list.into_array().unwrap();
        let word = |n| comparable(array.dtype(), array.word_at(n).unwrap());
        (0..array.len()).map(word).collect()
    })
}

/// Numbers that take few steps and many, and some that never come to an end.
fn numbers(dtype: DType, count: usize) -> Array {
    let special = [f64::NAN, f64::INFINITY, 0.0, -0.0, -8.0];
    let value = |n: usize| match n % 7 {
        6 => special[n / 7 % special.len()],
        k => 0.37 * 10f64.powi(k as i32 - 2) * (1 + n % 23) as f64,
    };
    let values = (0..count).map(value);
    match dtype {
        DType::F32 => Array::new(&[count], values.map(|v| v as f32).collect::<Vec<_>>()),
        _ => Array::new(&[count], values.collect::<Vec<_>>()),
    }
}

#[test]
fn mapped_loops_give_the_bits_of_the_interpreter() {
    with_vectors(|| {
        for dtype in [DType::F32, DType::F64] {
            for most in [0, 1, 3, 40] {
                let source = roots(dtype, most);
                let plain = WordProgram::new(&source.steps, &source.constants).unwrap();
                let WordSource {
                    steps,
                    constants,
                    results,
                } = &source;
                let program = WordProgram::with_results(steps, constants, results).unwrap();
                assert!(program.has_lanes());
                compile_words_after(Some(0));
                for count in COUNTS {
                    let x = numbers(dtype, count);
                    assert_eq!(run(&program, &x), run(&plain, &x), "{count} {dtype} {most}");
                }
                assert!(program.has_code(), "{dtype} {most}");
            }
        }
        compile_words_after(None);
    });
}

#[test]
fn enough_iterations_make_code_and_it_can_be_switched_off() {
    with_vectors(|| {
        let source = roots(DType::F64, 40);
        let WordSource {
            steps,
            constants,
            results,
        } = &source;
        let program = WordProgram::with_results(steps, constants, results).unwrap();
        let x = numbers(DType::F64, 40);
        compile_words_after(None);
        run(&program, &x);
        compile_words_after(Some(100));
        run(&program, &x);
        run(&program, &x);
        assert!(!program.has_code());
        run(&program, &x);
        assert!(program.has_code());
        compile_words_after(None);
    });
}

#[test]
#[ignore = "a measurement"]
fn mapped_loops_take_so_long() {
    let _alone = super::hot::alone();
    let source = roots(DType::F64, 1000);
    let WordSource {
        steps,
        constants,
        results,
    } = &source;
    let [functions, chains] =
        [(); 2].map(|()| WordProgram::with_results(steps, constants, results).unwrap());
    let count = 10_000;
    // Numbers whose sizes are spread evenly from 1e-3 to 1e3, in no order.
    let value = |n: usize| 10f64.powf((n * 7919 % count) as f64 * 6.0 / count as f64 - 3.0);
    let x = Array::new(&[count], (0..count).map(value).collect::<Vec<f64>>());
    let list = |dtype| List::new(Array::zeros(dtype, &[count]), dtype, &[]).unwrap();
    let arrays = [&x];
    let mut lists = [list(DType::F64), list(DType::I32)];
    let mut memory = Memory {
        arrays: &arrays,
        lists: &mut lists,
    };
    let mut registers = ZEROS;
    registers[usize::from(LIMIT)] = count as u64;
    let codegen = Cranelift::new().unwrap();
    let scalar = codegen
        .words(&source, &MemoryTypes::of(&memory), 0)
        .unwrap();
    let mut least = [f64::INFINITY; 3];
    for _ in 0..200 {
        let mut note = |n: usize, run: &mut dyn FnMut(&mut Registers, &mut Memory)| {
            let mut registers = registers;
            let start = Instant::now();
            run(&mut registers, &mut memory);
            least[n] = least[n].min(start.elapsed().as_secs_f64() * 1e6);
        };
        note(0, &mut |registers, memory| {
            constants
                .iter()
                .for_each(|(r, word)| registers[usize::from(*r)] = *word);
            assert!(scalar.run(registers, memory, 0));
        });
        compile_words_after(None);
        note(1, &mut |registers, memory| {
            functions.run_in(registers, memory).unwrap();
        });
        compile_words_after(Some(0));
        note(2, &mut |registers, memory| {
            chains.run_in(registers, memory).unwrap();
        });
    }
    let [scalar, functions, chains] = least;
    println!("µs: words as code {scalar:.0}, lanes {functions:.0}, lanes as code {chains:.0}");
}
