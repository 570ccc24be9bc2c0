//! Programs that become code while they run. How many jumps that takes is a setting of the process, so these tests run one after another.

use std::sync::{Mutex, MutexGuard, PoisonError};

use graph_kernels::codegen::compile_words_after;
use graph_kernels::{Array, DType, ElementOp, Registers, WordProgram, WordStep};
use smallvec::smallvec;

use super::random::case;
use super::{ZEROS, results};

static SETTING: Mutex<()> = Mutex::new(());

pub fn alone() -> MutexGuard<'static, ()> {
    crate::register();
    SETTING.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn a_run_that_becomes_code_ends_as_it_would_have_without() {
    let _alone = alone();
    let mut compiled = 0;
    for seed in 0..600 {
        let case = case(seed);
        let arrays: Vec<&Array> = case.arrays.iter().collect();
        let source = &case.source;
        let text = format!("{seed}: {source:?}");
        let plain = WordProgram::new(&source.steps, &source.constants).unwrap();
        let hot = WordProgram::with_results(&source.steps, &source.constants, &source.results);
        let hot = hot.unwrap();
        compile_words_after(Some(seed % 5));
        // In the first run in the middle of a loop, in the second one from the beginning.
        for _ in 0..2 {
            let (mut expected, mut registers) = (case.registers, case.registers);
            let end = plain.run(&mut expected, &arrays);
            assert_eq!(hot.run(&mut registers, &arrays), end, "{text}");
            let same = match end {
                Ok(()) => results(source, &registers) == results(source, &expected),
                Err(_) => true,
            };
            assert!(same, "{text}");
        }
        compiled += u32::from(hot.has_code());
    }
    assert!(compiled > 60, "{compiled}");
}

/// Counts r0 down to zero in steps of r1, and sums what r2 gives by it in r3.
fn sums() -> WordProgram {
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
            operands: [0, 9],
            target: 5,
        },
        apply(ElementOp::Sub, 0, 1, 0),
        apply(ElementOp::Div, 2, 0, 4),
        apply(ElementOp::Add, 3, 4, 3),
        WordStep::Jump(0),
    ];
    WordProgram::with_results(&steps, &[(9, u64::MAX)], &[(3, DType::I64)]).unwrap()
}

fn registers(from: u64, by: u64) -> Registers {
    let mut registers = ZEROS;
    registers[..4].copy_from_slice(&[from, by, 1000, 0]);
    registers
}

#[test]
fn a_program_becomes_code_after_as_many_jumps_as_are_set() {
    let _alone = alone();
    compile_words_after(Some(10));
    let program = sums();
    let run = |from: u64, by: u64| {
        let mut registers = registers(from, by);
        program.run(&mut registers, &[]).map(|()| registers[3])
    };
    // From 7 by 2 to -1: three jumps go back, and the fourth leaves the loop.
    let sum = 1000 / 5 + 1000 / 3 + 1000;
    let sum = sum - 1000;
    for _ in 0..3 {
        assert_eq!(run(7, 2), Ok(sum));
        assert!(!program.has_code());
    }
    assert_eq!(run(7, 2), Ok(sum));
    assert!(program.has_code());
    assert_eq!(run(7, 2), Ok(sum));
    // The division by zero is the third step.
    let failure = run(4, 1).unwrap_err();
    assert_eq!(failure.step, 2);
    assert_eq!(
        failure.error.unwrap().to_string(),
        "Integer division by zero"
    );
}

#[test]
fn it_can_be_switched_off() {
    let _alone = alone();
    compile_words_after(None);
    let program = sums();
    let mut start = registers(200_001, 2);
    program.run(&mut start, &[]).unwrap();
    assert!(!program.has_code());
}

#[test]
fn straight_code_stays_with_the_interpreter() {
    let _alone = alone();
    compile_words_after(Some(0));
    let step = WordStep::Move { to: 1, from: 0 };
    let program = WordProgram::with_results(&[step], &[], &[(1, DType::I64)]).unwrap();
    program.run(&mut registers(3, 0), &[]).unwrap();
    assert!(!program.has_code());
}

#[test]
fn threads_share_the_code() {
    let _alone = alone();
    compile_words_after(Some(50));
    let program = sums();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..20 {
                    let mut registers = registers(99, 2);
                    program.run(&mut registers, &[]).unwrap();
                    let odd = (1..99u64).step_by(2);
                    // The last divisor is -1.
                    let sum: u64 = odd.map(|n| 1000 / n).sum::<u64>() - 1000;
                    assert_eq!(registers[3], sum);
                }
            });
        }
    });
    assert!(program.has_code());
}
