//! Loops in lanes held against the interpreter, on random bodies; and which loops run in lanes.

mod chains;
mod random;

use smallvec::smallvec;

use super::*;
use crate::element::ElementOp;
use crate::simd::{Level, with_level};
use crate::words::{List, REGISTERS, Rows, WordStep};
use crate::{Array, DType};

/// The numbers of iterations: around the least number, vectors, and the numbers of lanes.
const COUNTS: [usize; 15] = [0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 64, 65, 130, 257, 1000];

/// What a run gives: the lists, and registers that are results; or the failure.
type Outcome = Result<(Vec<Array>, Vec<u64>), WordFailure>;

/// A program with the registers, arrays and lists that it begins with.
struct Case {
    source: WordSource,
    registers: Registers,
    arrays: Vec<Array>,
    lists: Vec<(Array, Vec<usize>)>,
}

impl Case {
    fn run(&self, program: &WordProgram) -> Outcome {
        let mut registers = self.registers;
        let arrays: Vec<&Array> = self.arrays.iter().collect();
        let mut lists = self.lists();
        let mut memory = Memory {
            arrays: &arrays,
            lists: &mut lists,
        };
        program.run_in(&mut registers, &mut memory)?;
        let lists = lists.into_iter().map(|list| list.into_array().unwrap());
        let results = self.source.results.iter();
        let results = results.map(|(register, _)| registers[usize::from(*register)]);
        Ok((lists.collect(), results.collect()))
    }

    fn lists(&self) -> Vec<List> {
        let lists = self.lists.iter();
        let lists = lists.map(|(array, row)| List::new(array.clone(), array.dtype(), row));
        lists.collect::<Result<_, _>>().unwrap()
    }

    /// Runs the program in lanes and by the interpreter, which must give the same. Returns what they give.
    #[track_caller]
    fn same(&self, text: &str) -> Outcome {
        let WordSource {
            steps,
            constants,
            results,
        } = &self.source;
        let lanes = WordProgram::with_results(steps, constants, results).unwrap();
        assert!(lanes.has_lanes(), "{text}: {steps:#?}");
        let expected = self.run(&WordProgram::new(steps, constants).unwrap());
        let got = self.run(&lanes);
        // A NaN equals no NaN, so the bits are compared, those of any NaN as the same.
        assert_eq!(bits(&got), bits(&expected), "{text}: {steps:#?}");
        expected
    }

    /// Whether the first loop runs in lanes to its end.
    fn ends_in_lanes(&self) -> bool {
        let lanes = Lanes::of(&self.source).unwrap();
        let (found, body) = &lanes.loops[0];
        let steps = &self.source.steps[..found.head];
        let mut registers = self.registers;
        let arrays: Vec<&Array> = self.arrays.iter().collect();
        let mut lists = self.lists();
        let mut memory = Memory {
            arrays: &arrays,
            lists: &mut lists,
        };
        let before = WordProgram::new(steps, &self.source.constants).unwrap();
        before.run_in(&mut registers, &mut memory).unwrap();
        let iterations = found.iterations(&registers);
        body.run(&registers, &mut memory, iterations)
    }
}

fn bits(outcome: &Outcome) -> Result<(Vec<String>, Vec<u64>), WordFailure> {
    let bytes = |array: &Array| format!("{:?} {:?}", array.shape(), words(array));
    let (lists, results) = outcome.as_ref().map_err(Clone::clone)?;
    Ok((lists.iter().map(bytes).collect(), results.clone()))
}

/// The bits of the values. Which NaN an operation gives depends on the order of its operands in the machine's instruction.
fn words(array: &Array) -> Vec<u64> {
    let one = |word: u64| match array.dtype() {
        DType::F64 if f64::from_bits(word).is_nan() => f64::NAN.to_bits(),
        DType::F32 if f32::from_bits(word as u32).is_nan() => f32::NAN.to_bits().into(),
        _ => word,
    };
    let words = (0..array.len()).map(|n| array.word_at(n).unwrap());
    words.map(one).collect()
}

fn apply(op: ElementOp, dtype: DType, operands: &[u8], to: u8) -> WordStep {
    WordStep::Apply {
        op,
        dtype,
        operands: operands.iter().copied().collect(),
        to,
    }
}

fn unless(op: ElementOp, dtype: DType, operands: [u8; 2], target: usize) -> WordStep {
    WordStep::UnlessHolds {
        op,
        dtype,
        operands,
        target,
    }
}

/// The counter, the limit, and the constants 0, 1 and others.
const COUNTER: u8 = 0;
const LIMIT: u8 = 1;
const ZERO: u8 = 200;
const ONE: u8 = 201;
const CONSTANTS: [(u8, u64); 4] = [(ZERO, 0), (ONE, 1), (202, 3), (203, 0x3fe0_0000_0000_0000)];

/// A loop that reads `x[i]`, runs some steps on it in register 2, and writes register 3 to row `i` of a list.
fn mapped(x: Array, list: Array, steps: Vec<WordStep>) -> Case {
    let len = steps.len();
    let read = WordStep::Read {
        from: Rows::Array(0),
        element: 0,
        index: COUNTER,
        dtype: DType::I32,
        to: 2,
    };
    let mut all = vec![
        WordStep::Move {
            to: COUNTER,
            from: ZERO,
        },
        unless(ElementOp::Less, DType::I32, [COUNTER, LIMIT], len + 6),
        read,
    ];
    all.extend(steps.into_iter().map(|mut step| {
        step.targets_mut()
            .iter_mut()
            .for_each(|target| *target += 3);
        step
    }));
    all.extend([
        WordStep::Write {
            list: 0,
            index: COUNTER,
            dtype: DType::I32,
            from: smallvec![3],
            grows: true,
        },
        apply(ElementOp::Add, DType::I32, &[COUNTER, ONE], COUNTER),
        WordStep::Jump(1),
    ]);
    let mut registers = [0; REGISTERS];
    registers[usize::from(LIMIT)] = x.len() as u64;
    Case {
        source: WordSource {
            steps: all,
            constants: CONSTANTS.to_vec(),
            results: vec![(COUNTER, DType::I32)],
        },
        registers,
        arrays: vec![x],
        lists: vec![(list, vec![])],
    }
}

/// How often `(x & 3) + 1` can be taken from each number while it is above 1.
fn countdowns(numbers: Vec<i64>) -> Case {
    // r3 = 0; while r2 > 1 { r2 = r2 - (r2 & r202) - 1; r3 += 1 }
    let steps = vec![
        WordStep::Move { to: 3, from: ZERO },
        unless(ElementOp::Greater, DType::I64, [2, ONE], 7),
        apply(ElementOp::BitAnd, DType::I64, &[2, 202], 4),
        apply(ElementOp::Sub, DType::I64, &[2, 4], 2),
        apply(ElementOp::Sub, DType::I64, &[2, ONE], 2),
        apply(ElementOp::Add, DType::I64, &[3, ONE], 3),
        WordStep::Jump(1),
    ];
    let len = numbers.len();
    let x = Array::new(&[len], numbers);
    mapped(x, Array::zeros(DType::I64, &[0]), steps)
}

#[test]
fn a_loop_inside_runs_until_each_lane_is_done() {
    let steps_of = |mut x: i64| {
        let mut steps = 0;
        while x > 1 {
            x -= (x & 3) + 1;
            steps += 1;
        }
        steps
    };
    for count in COUNTS {
        let numbers: Vec<i64> = (0..count as i64).map(|n| n * 37 % 101).collect();
        let expected: Vec<i64> = numbers.iter().copied().map(steps_of).collect();
        let case = countdowns(numbers);
        let (lists, results) = case.same(&format!("{count}")).unwrap();
        assert_eq!(lists, [Array::new(&[count], expected)]);
        assert_eq!(results, [count as u64]);
        assert_eq!(case.ends_in_lanes(), count > 0);
    }
}

#[test]
fn a_lane_that_fails_leaves_the_loop_to_the_interpreter() {
    // r4 = x != 3; assert r4; r3 = x
    let steps = vec![
        apply(ElementOp::NotEqual, DType::I64, &[2, 202], 4),
        WordStep::Assert(4),
        apply(ElementOp::Add, DType::I64, &[2, ZERO], 3),
    ];
    for count in COUNTS {
        for bad in [0, 5, 40, 256] {
            let numbers: Vec<i64> = (0..count).map(|n| if n == bad { 3 } else { 4 }).collect();
            let x = Array::new(&[count], numbers);
            let case = mapped(x, Array::zeros(DType::I64, &[0]), steps.clone());
            let outcome = case.same(&format!("{bad} of {count}"));
            let failure = WordFailure {
                step: 4,
                error: None,
            };
            match bad < count {
                true => assert_eq!(outcome, Err(failure)),
                false => assert_eq!((outcome.is_ok(), case.ends_in_lanes()), (true, count > 0)),
            }
        }
    }
}

#[test]
fn a_list_that_is_too_short_has_the_error_of_the_interpreter() {
    let mut case = countdowns(vec![5; 40]);
    case.lists[0].0 = Array::zeros(DType::I64, &[30]);
    if let WordStep::Write { grows, .. } = case.source.steps.iter_mut().rev().nth(2).unwrap() {
        *grows = false;
    }
    let failure = case.same("a short list").unwrap_err();
    assert!(
        failure
            .error
            .unwrap()
            .to_string()
            .contains("element 30 in a list with 30")
    );
    assert!(!case.ends_in_lanes());
}

#[test]
fn loops_that_carry_values_or_may_fail_are_none() {
    let x = || Array::new(&[40], vec![5i64; 40]);
    let list = || Array::zeros(DType::I64, &[0]);
    let of = |steps: Vec<WordStep>| Lanes::of(&mapped(x(), list(), steps).source).is_some();
    let sum = apply(ElementOp::Add, DType::I64, &[2, ZERO], 3);
    assert!(of(vec![sum.clone()]));
    // The sum of all iterations before.
    assert!(!of(vec![apply(ElementOp::Add, DType::I64, &[2, 3], 3)]));
    assert!(!of(vec![apply(ElementOp::Div, DType::I64, &[2, 202], 3)]));
    // The counter counts otherwise.
    assert!(!of(vec![
        sum.clone(),
        apply(ElementOp::Add, DType::I32, &[COUNTER, ONE], COUNTER)
    ]));
    // Only some iterations write a value that all write.
    assert!(!of(vec![
        unless(ElementOp::Less, DType::I64, [2, ONE], 2),
        sum.clone()
    ]));
    // The last value is a result.
    let mut case = mapped(x(), list(), vec![sum.clone()]);
    case.source.results.push((3, DType::I64));
    assert!(Lanes::of(&case.source).is_none());
    // All iterations write the same row.
    let mut case = mapped(x(), list(), vec![sum]);
    if let WordStep::Write { index, .. } = case.source.steps.iter_mut().rev().nth(2).unwrap() {
        *index = ONE;
    }
    assert!(Lanes::of(&case.source).is_none());
}

#[test]
fn random_bodies_give_what_the_interpreter_gives_at_every_level() {
    let mut done = [0; 2];
    for seed in 0..240 {
        let case = random::case(seed, COUNTS[seed as usize % COUNTS.len()]);
        for level in Level::supported() {
            let text = format!("{seed} at {level:?}");
            let outcome = with_level(level, || case.same(&text)).unwrap();
            done[usize::from(outcome.is_ok())] += 1;
            if outcome.is_ok() {
                assert_eq!(
                    case.ends_in_lanes(),
                    case.registers[usize::from(LIMIT)] > 0,
                    "{text}"
                );
            }
        }
    }
    assert!(done.iter().all(|count| *count > 40), "{done:?}");
}
