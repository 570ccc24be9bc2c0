//! Elementwise loops over arrays, exchanged and as one piece of code, held against their iterations one by one.

use std::sync::Arc;

use graph_kernels::codegen::compile_words_after;
use graph_kernels::{
    Array, BoundArray, BoundLoop, BoundStep, BoundWords, DType, Dims, ElementLoop, ElementOp,
    Operand, Program, REGISTERS, Step, WordProgram, WordStep, WrittenWords,
};
use smallvec::smallvec;

use super::chains::{Random, with_vectors};
use BoundArray::{Changing, Fixed};

/// Runs a loop over fixed and changing arrays; returns how often it went back.
type Runs<'a> = dyn Fn(&[&Array], &mut [&mut Array]) -> Option<u64> + 'a;

/// The changing arrays: floats, integers, and then the counter and the condition.
const FLOATS: usize = 3;
const ARRAYS: usize = 5;

fn dtype(array: usize) -> DType {
    match array {
        n if n < FLOATS => DType::F32,
        _ => DType::I32,
    }
}

fn counter(limit: u64) -> BoundStep {
    let apply = |op, operands, to| WordStep::Apply {
        op,
        dtype: DType::I32,
        operands,
        to,
    };
    let steps = [
        apply(ElementOp::Add, smallvec![0, 1], 0),
        apply(ElementOp::Less, smallvec![0, 2], 3),
    ];
    let written = |to, dtype, register| WrittenWords {
        to,
        dtype,
        shape: Dims::new(),
        registers: smallvec![register],
    };
    BoundStep::Words(BoundWords {
        program: Arc::new(WordProgram::new(&steps, &[(1, 1), (2, limit)]).unwrap()),
        inputs: vec![(Changing(ARRAYS), None, 0)],
        arrays: vec![],
        outputs: vec![
            written(ARRAYS, DType::I32, 0),
            written(ARRAYS + 1, DType::Bool, 3),
        ],
        leaves_unless: None,
    })
}

/// A chain that writes an array, from others and from fixed ones: one with a value for each place, and a number.
fn chain(random: &mut Random, len: usize, to: usize) -> BoundStep {
    let floats = [
        Changing(random.below(FLOATS)),
        Changing(random.below(FLOATS)),
        Fixed(random.below(2)),
    ];
    let integers = [
        Changing(FLOATS + random.below(ARRAYS - FLOATS)),
        Changing(FLOATS + random.below(ARRAYS - FLOATS)),
    ];
    let [a, b, c, m, n] = [0, 1, 2, 3, 4].map(Operand::Input);
    let step = |op: ElementOp, operands: &[Operand]| Step {
        op: op.into(),
        operands: operands.iter().copied().collect(),
    };
    let less = step(ElementOp::Less, &[a, b]);
    let steps = match (dtype(to), random.below(4)) {
        (DType::F32, 0) => vec![
            less,
            step(ElementOp::Mul, &[a, c]),
            step(ElementOp::Select, &[Operand::Step(0), Operand::Step(1), b]),
        ],
        (DType::F32, 1) => vec![
            step(ElementOp::Square, &[a]),
            step(ElementOp::Sub, &[Operand::Step(0), b]),
            step(ElementOp::Add, &[Operand::Step(1), c]),
        ],
        (DType::F32, 2) => vec![
            step(ElementOp::Tanh, &[a]),
            step(ElementOp::Maximum, &[Operand::Step(0), c]),
        ],
        (DType::F32, _) => vec![
            step(ElementOp::ToF32, &[m]),
            step(ElementOp::Add, &[Operand::Step(0), a]),
        ],
        (_, 0) => vec![
            less,
            step(ElementOp::ToI32, &[Operand::Step(0)]),
            step(ElementOp::Add, &[m, Operand::Step(1)]),
        ],
        (_, 1) => vec![less, step(ElementOp::Select, &[Operand::Step(0), m, n])],
        _ => vec![
            step(ElementOp::BitXor, &[m, n]),
            step(ElementOp::Sub, &[Operand::Step(0), m]),
        ],
    };
    let dtypes = [DType::F32, DType::F32, DType::F32, DType::I32, DType::I32];
    let whole: &[usize] = &[len];
    let one: &[usize] = &[];
    let shapes = [
        whole,
        whole,
        if floats[2] == Fixed(1) { one } else { whole },
        whole,
        whole,
    ];
    let inputs = floats.into_iter().chain(integers);
    let place = |array: BoundArray| (array != Changing(to)).then_some(array);
    BoundStep::Chain {
        program: Arc::new(Program::new(&dtypes, &steps).unwrap().known(&shapes)),
        inputs: inputs.map(place).collect(),
        to,
    }
}

#[test]
fn exchanged_loops_give_what_their_iterations_give() {
    with_vectors(|| {
        let mut done = 0;
        for seed in 0..150 {
            let mut random = Random::new(seed);
            let len = [64, 65, 79, 100, 333][seed as usize % 5];
            let mut steps = Vec::new();
            for _ in 0..1 + random.below(5) {
                steps.push(match random.below(5) {
                    0 => BoundStep::Swap(random.below(FLOATS), random.below(FLOATS)),
                    1 => BoundStep::Copy {
                        to: random.below(FLOATS),
                        from: Changing(random.below(FLOATS)),
                    },
                    _ => {
                        let to = random.below(ARRAYS);
                        chain(&mut random, len, to)
                    }
                });
            }
            steps.retain(|step| match step {
                BoundStep::Swap(a, b) => a != b,
                BoundStep::Copy { to, from } => *from != Changing(*to),
                _ => true,
            });
            // What nothing writes would be a fixed array.
            for to in 0..ARRAYS {
                let is_written =
                    |step: &BoundStep| matches!(step, BoundStep::Chain { to: at, .. } if *at == to);
                if !steps.iter().any(is_written) {
                    steps.push(chain(&mut random, len, to));
                }
            }
            steps.push(counter(1 + random.next() % 9));
            let code = BoundLoop::new(steps, Some(Changing(ARRAYS + 1)));
            let fixed = [
                random.array(DType::F32, &[len]),
                random.array(DType::F32, &[]),
            ];
            let mut before: Vec<Array> = (0..ARRAYS)
                .map(|n| random.array(dtype(n), &[len]))
                .collect();
            before.extend([Array::scalar(0), Array::scalar(true)]);
            let behind: Vec<usize> = (0..ARRAYS).collect();
            let Some(elements) = ElementLoop::of(&code, &behind) else {
                continue;
            };
            let run = |runs: &Runs<'_>| {
                let mut arrays = before.clone();
                let fixed: Vec<&Array> = fixed.iter().collect();
                let mut changing: Vec<&mut Array> = arrays.iter_mut().collect();
                let iterations = runs(&fixed, &mut changing);
                let words = arrays.iter().map(|array| {
                    let word = |n| super::comparable(array.dtype(), array.word_at(n).unwrap());
                    (0..array.len()).map(word).collect::<Vec<u64>>()
                });
                iterations.map(|iterations| (iterations, words.collect::<Vec<_>>()))
            };
            compile_words_after(None);
            let off = run(&|fixed, changing| {
                let end = elements.run(fixed, changing, &mut [0; REGISTERS]);
                end.map(|end| end.iterations)
            });
            assert_eq!(off, None);
            let expected = run(&|fixed, changing| {
                let end = code.run(fixed, changing, &mut [0; REGISTERS]).unwrap();
                assert_eq!(end.stopped, None);
                Some(end.iterations)
            });
            compile_words_after(Some(0));
            let exchanged = run(&|fixed, changing| {
                let end = elements.run(fixed, changing, &mut [0; REGISTERS]);
                end.map(|end| end.iterations)
            });
            if exchanged.is_some() {
                assert_eq!(exchanged, expected, "{seed}");
                done += 1;
            }
        }
        compile_words_after(None);
        assert!(done > 120, "{done}");
    });
}
