//! Bodies whose chains have code, held against the interpreter. The code of these tests calculates lane by lane what was recorded.

use super::*;
use crate::codegen::{ChainCode, ChainInput, ChainSource, Codegen, MemoryTypes, WordCode};
use crate::words::lanes::steps::LaneStep;

#[derive(Debug)]
struct Evaluating;

#[derive(Debug)]
struct Evaluated(ChainSource);

impl Codegen for Evaluating {
    fn words(&self, _: &WordSource, _: &MemoryTypes, _: usize) -> Option<Box<dyn WordCode>> {
        None
    }

    fn chain(&self, source: &ChainSource) -> Option<Box<dyn ChainCode>> {
        Some(Box::new(Evaluated(source.clone())))
    }
}

impl ChainCode for Evaluated {
    fn run(&self, len: usize, inputs: &[&[u8]], results: &mut [&mut [u8]], _: bool) -> bool {
        let Evaluated(source) = self;
        let value = |n: usize, lane: usize| {
            let size = source.dtypes[n].bytes();
            let lane = match source.inputs[n] {
                ChainInput::Same => 0,
                _ => lane,
            };
            let mut word = [0; 8];
            word[..size].copy_from_slice(&inputs[n][lane * size..][..size]);
            u64::from_le_bytes(word)
        };
        for lane in 0..len {
            let words: Vec<u64> = (0..inputs.len()).map(|n| value(n, lane)).collect();
            let values = source.program.evaluate(&words).unwrap();
            for ((result, dtype), value) in results.iter_mut().zip(&source.results).zip(values) {
                let size = dtype.bytes();
                result[lane * size..][..size].copy_from_slice(&value.to_le_bytes()[..size]);
            }
        }
        true
    }
}

/// Runs the first loop with code and compares its lists with the interpreter's. Returns how many chains have code, and how many of them
/// have several results.
#[track_caller]
fn same_with_code(case: &Case, text: &str) -> [usize; 2] {
    let lanes = Lanes::of(&case.source).unwrap();
    let (found, body) = &lanes.loops[0];
    same_of(case, found, body, text)
}

/// As [`same_with_code`], for the code with masks, if there is some. Returns whether there is.
#[track_caller]
fn same_with_masks(case: &Case, text: &str) -> bool {
    let lanes = Lanes::of(&case.source).unwrap();
    let (found, body) = &lanes.loops[0];
    let Some(masked) = &body.masked else {
        return false;
    };
    let has_code = masked.chains.compile(masked, &Evaluating).has_some();
    if has_code {
        same_of(case, found, masked, text);
    }
    has_code
}

#[track_caller]
fn same_of(case: &Case, found: &Loop, body: &Body, text: &str) -> [usize; 2] {
    let codes = body.chains.compile(body, &Evaluating);
    let program = WordProgram::new(&case.source.steps, &case.source.constants).unwrap();
    let expected = case.run(&program);
    let mut registers = case.registers;
    let arrays: Vec<&Array> = case.arrays.iter().collect();
    let mut lists = case.lists();
    let mut memory = Memory {
        arrays: &arrays,
        lists: &mut lists,
    };
    program.start(&mut registers);
    let before = program.interpret_to(&mut registers, &mut memory, 0..found.head);
    before.unwrap();
    let iterations = found.iterations(&registers);
    let has_some = !iterations.is_empty();
    let done = body.run_with(Some(&codes), &registers, &mut memory, iterations);
    assert_eq!(done, expected.is_ok() && has_some, "{text}");
    if let (true, Ok((expected, _))) = (done, &expected) {
        let lists = lists.into_iter().map(|list| list.into_array().unwrap());
        let got: Vec<Vec<u64>> = lists.map(|list| words(&list)).collect();
        let expected: Vec<Vec<u64>> = expected.iter().map(words).collect();
        assert_eq!(got, expected, "{text}: {:#?}", body.steps);
    }
    let begins = (0..body.steps.len()).filter_map(|at| body.chains.at(&codes, at));
    let several = begins.clone().filter(|(chain, _)| chain.results.len() > 1);
    [begins.clone().count(), several.count()]
}

#[test]
fn random_bodies_give_the_same_with_code() {
    let mut counts = [0; 2];
    for seed in 0..120 {
        let case = random::case(seed, COUNTS[seed as usize % COUNTS.len()]);
        for level in Level::supported().filter(|level| level.fuses()) {
            let text = format!("{seed} at {level:?}");
            let more = with_level(level, || same_with_code(&case, &text)).unwrap();
            (0..2).for_each(|n| counts[n] += more[n]);
        }
    }
    let is_fused = Level::supported().any(Level::fuses);
    assert!(!is_fused || counts.iter().all(|n| *n > 20), "{counts:?}");
}

#[test]
fn random_bodies_give_the_same_with_masks() {
    let mut count = 0;
    for seed in 0..400 {
        let case = random::case_of(seed, COUNTS[seed as usize % COUNTS.len()], true);
        for level in Level::supported().filter(|level| level.fuses()) {
            let text = format!("{seed} at {level:?}");
            count += usize::from(with_level(level, || same_with_masks(&case, &text)).unwrap());
        }
    }
    let is_fused = Level::supported().any(Level::fuses);
    assert!(!is_fused || count > 100, "{count}");
}

#[test]
fn there_are_no_lanes_without_an_iteration() {
    // Doubles each number until it isn't below 0.5. For 0, which no iteration has, that never ends.
    let steps = || {
        vec![
            WordStep::Move { to: 3, from: 2 },
            unless(ElementOp::Less, DType::F64, [3, 203], 4),
            apply(ElementOp::Add, DType::F64, &[3, 3], 3),
            WordStep::Jump(1),
        ]
    };
    for count in COUNTS {
        let x: Vec<f64> = (0..count).map(|n| 0.4 / (1 + n % 50) as f64).collect();
        let x = Array::new(&[count], x);
        let case = mapped(x, Array::zeros(DType::F64, &[0]), steps());
        assert!(same_with_masks(&case, &count.to_string()));
    }
}

/// `r3 = (r2 + 0.5) * r2 - 0.5`, with a jump to its last step.
fn entered(count: usize) -> Case {
    let number = 203;
    let steps = vec![
        apply(ElementOp::Add, DType::F64, &[2, number], 3),
        apply(ElementOp::Mul, DType::F64, &[3, 2], 3),
        unless(ElementOp::Less, DType::F64, [2, number], 4),
        apply(ElementOp::Add, DType::F64, &[3, 2], 3),
        apply(ElementOp::Sub, DType::F64, &[3, number], 3),
        apply(ElementOp::Mul, DType::F64, &[3, 3], 3),
    ];
    let values: Vec<f64> = (0..count).map(|n| n as f64 * 0.03125).collect();
    mapped(
        Array::new(&[count], values),
        Array::zeros(DType::F64, &[0]),
        steps,
    )
}

#[test]
fn a_chain_ends_where_a_jump_leads() {
    let lanes = Lanes::of(&entered(1).source).unwrap();
    let (_, body) = &lanes.loops[0];
    let codes = body.chains.compile(body, &Evaluating);
    let ranges: Vec<_> = (0..body.steps.len())
        .filter_map(|at| body.chains.at(&codes, at))
        .map(|(chain, _)| chain.range.clone())
        .collect();
    // The step behind the read and the two of the first chain is the jump; the sum alone is none.
    assert_eq!(ranges, [1..3, 5..7]);
    assert!(matches!(body.steps[3], LaneStep::Unless { target: 5, .. }));
    for count in COUNTS {
        let case = entered(count);
        same_with_code(&case, &count.to_string());
        let value = |n: usize| {
            let x = n as f64 * 0.03125;
            let mut y = (x + 0.5) * x;
            if x < 0.5 {
                y += x;
            }
            (y - 0.5) * (y - 0.5)
        };
        let expected: Vec<f64> = (0..count).map(value).collect();
        let program = WordProgram::new(&case.source.steps, &case.source.constants).unwrap();
        let (lists, _) = case.run(&program).unwrap();
        assert_eq!(lists, [Array::new(&[count], expected)]);
    }
}
