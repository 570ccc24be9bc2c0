//! Which loops are elementwise, and their exchanged form held against the iterations one by one. The code of these tests calculates lane by lane
//! what was recorded.

use super::*;
use crate::ElementOp;
use crate::bound::tests::counter_of;
use crate::codegen::{MemoryTypes, WordCode, WordSource};
use crate::{Operand, REGISTERS, Step};
use BoundArray::{Changing, Fixed};

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
    fn run(&self, _: usize, _: &[&[u8]], _: &mut [&mut [u8]], _: bool) -> bool {
        false
    }

    fn run_times(
        &self,
        times: u64,
        len: usize,
        inputs: &[&[u8]],
        results: &mut [&mut [u8]],
    ) -> bool {
        let Evaluated(source) = self;
        for lane in 0..len {
            let word = |n: usize| {
                let size = source.dtypes[n].bytes();
                let (bytes, lane) = match source.inputs[n] {
                    ChainInput::Same => (inputs[n], 0),
                    ChainInput::Result(result) => (&*results[result], lane),
                    _ => (inputs[n], lane),
                };
                let mut word = [0; 8];
                word[..size].copy_from_slice(&bytes[lane * size..][..size]);
                u64::from_le_bytes(word)
            };
            let words: Vec<u64> = (0..inputs.len()).map(word).collect();
            let values = source.program.evaluate_times(times, &words).unwrap();
            for ((result, dtype), value) in results.iter_mut().zip(&source.results).zip(values) {
                let size = dtype.bytes();
                result[lane * size..][..size].copy_from_slice(&value.to_le_bytes()[..size]);
            }
        }
        true
    }
}

fn chain(dtypes: &[DType], steps: &[(ElementOp, &[Operand])]) -> Arc<Program> {
    let steps = steps.iter().map(|(op, operands)| Step {
        op: (*op).into(),
        operands: operands.iter().copied().collect(),
    });
    let steps: Vec<Step> = steps.collect();
    let shape: &[usize] = &[5];
    let shapes = vec![shape; dtypes.len()];
    Arc::new(Program::new(dtypes, &steps).unwrap().known(&shapes))
}

/// `x = (x < c) ? x * x + c : x`, counted by array 1, where `x` and array 2 are exchanged.
fn escaping(limit: u64) -> BoundLoop {
    use Operand::{Input, Step};
    let dtypes = [DType::F32, DType::F32];
    let less: &[Operand] = &[Input(0), Input(1)];
    let next = chain(
        &dtypes,
        &[
            (ElementOp::Less, less),
            (ElementOp::Square, &[Input(0)]),
            (ElementOp::Add, &[Step(1), Input(1)]),
            (ElementOp::Select, &[Step(0), Step(2), Input(0)]),
        ],
    );
    let dtypes = [DType::I32, DType::F32, DType::F32];
    let count = chain(
        &dtypes,
        &[
            (ElementOp::Less, &[Input(1), Input(2)]),
            (ElementOp::ToI32, &[Step(0)]),
            (ElementOp::Add, &[Input(0), Step(1)]),
        ],
    );
    let steps = vec![
        BoundStep::Chain {
            program: count,
            inputs: vec![None, Some(Changing(0)), Some(Fixed(0))],
            to: 1,
        },
        BoundStep::Chain {
            program: next,
            inputs: vec![Some(Changing(0)), Some(Fixed(0))],
            to: 2,
        },
        BoundStep::Swap(0, 2),
        counter_of(3, limit),
    ];
    BoundLoop::new(steps, Some(Changing(4)))
}

/// The changing arrays before a loop.
fn arrays() -> [Array; 5] {
    [
        Array::new(&[5], vec![0.0f32, -1.0, 0.5, f32::NAN, 3.0]),
        Array::new(&[5], vec![0, 1, 2, 3, 4]),
        Array::zeros(DType::F32, &[5]),
        Array::scalar(0),
        Array::scalar(true),
    ]
}

#[test]
fn exchanged_loops_give_what_the_iterations_give() {
    let c = Array::new(&[5], vec![0.25f32, 0.3, 1.5, 2.0, 4.0]);
    for limit in [1, 2, 3, 9, 40] {
        let code = escaping(limit);
        let elements = ElementLoop::of(&code, &[1]).unwrap();
        assert_eq!(elements.kept, [0, 1]);
        let (mut one_by_one, mut exchanged) = (arrays(), arrays());
        let registers = &mut [0; REGISTERS];
        let end = code
            .run(&[&c], &mut one_by_one.each_mut(), registers)
            .unwrap();
        let times = end.iterations + 1;
        assert_eq!(times, limit);
        let done = elements.run_code(&Evaluating, (5, times), &[&c], &mut exchanged.each_mut());
        assert_eq!(done, Some(true));
        let bits = |arrays: &[Array; 5]| {
            let x = arrays[0].values::<f32>().unwrap().iter();
            (
                x.map(|x| x.to_bits()).collect::<Vec<_>>(),
                arrays[1].clone(),
            )
        };
        assert_eq!(bits(&exchanged), bits(&one_by_one), "{limit}");
    }
}

#[test]
fn loops_that_do_more_are_none() {
    let of = |change: &dyn Fn(&mut Vec<BoundStep>)| {
        let mut steps = escaping(3).steps().to_vec();
        change(&mut steps);
        ElementLoop::of(&BoundLoop::new(steps, Some(Changing(4))), &[1]).is_some()
    };
    assert!(of(&|_| {}));
    // The condition is an array.
    let steps = escaping(3).steps().to_vec();
    assert!(ElementLoop::of(&BoundLoop::new(steps, Some(Changing(2))), &[1]).is_none());
    // A chain reads an array rolled.
    assert!(!of(&|steps| {
        if let BoundStep::Chain { program, .. } = &mut steps[1] {
            let rolled = Program::clone(program).with_roll(0, 0).unwrap();
            *program = Arc::new(rolled);
        }
    }));
    // A chain reads the counter.
    assert!(!of(&|steps| {
        if let BoundStep::Chain { inputs, .. } = &mut steps[0] {
            inputs[0] = Some(Changing(3));
        }
    }));
    // The counter reads an array.
    assert!(!of(&|steps| {
        if let BoundStep::Words(words) = &mut steps[3] {
            words.inputs[0].0 = Changing(1);
        }
    }));
    // The loop may end before its last step.
    assert!(!of(&|steps| {
        if let BoundStep::Words(words) = &mut steps[3] {
            words.leaves_unless = Some(3);
        }
        steps.swap(0, 3);
    }));
    assert!(!of(&|steps| steps.push(BoundStep::Leave(Changing(4)))));
    assert!(!of(&|steps| {
        steps.pop();
    }));
}

#[test]
fn arrays_of_other_shapes_are_none() {
    let elements = ElementLoop::of(&escaping(3), &[1]).unwrap();
    let c = Array::new(&[5], vec![1f32; 5]);
    let len = |c: &Array, change: &dyn Fn(&mut [Array; 5])| {
        let mut arrays = arrays();
        change(&mut arrays);
        elements.len(&[c], &arrays.each_mut())
    };
    assert_eq!(len(&c, &|_| {}), Some(5));
    assert_eq!(len(&Array::scalar(1f32), &|_| {}), Some(5));
    assert_eq!(len(&Array::new(&[4], vec![1f32; 4]), &|_| {}), None);
    let other = |arrays: &mut [Array; 5]| arrays[2] = Array::zeros(DType::F32, &[4]);
    assert_eq!(len(&c, &other), None);
}
