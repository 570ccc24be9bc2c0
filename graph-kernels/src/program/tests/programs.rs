//! Programs compared with their steps one by one.

use proptest::prelude::*;

use super::*;
use crate::NO_SHAPE;
use crate::simd::{Level, with_level};
use crate::{
    Axes, AxisSlice, InputPart, Operand, Program, ReduceOp, Step, Width, elementwise, reduce,
};

/// A random chain: inputs of any dtype, and functions of the values so far.
fn chain(seeds: &[u32]) -> (Vec<DType>, Vec<Step>) {
    let mut seeds = seeds.iter().map(|seed| *seed as usize);
    let mut next = |below: usize| seeds.next().unwrap_or(0) % below;
    let dtypes = [
        DType::F32,
        DType::F64,
        DType::F16,
        DType::BF16,
        DType::I32,
        DType::I64,
        DType::U8,
        DType::Bool,
    ];
    let inputs: Vec<DType> = (0..1 + next(4))
        .map(|_| dtypes[next(dtypes.len())])
        .collect();
    let mut values: Vec<(Operand, DType)> = inputs
        .iter()
        .enumerate()
        .map(|(n, d)| (Operand::Input(n), *d))
        .collect();
    let mut steps = Vec::new();
    for _ in 0..1 + next(12) {
        // The last value is used most often, so that chains are long.
        let last = if next(2) == 0 {
            values.len() - 1
        } else {
            next(values.len())
        };
        let (operand, dtype) = values[last];
        let ops: Vec<ElementOp> = ElementOp::ALL
            .iter()
            .copied()
            .filter(|op| operand_dtypes(*op, dtype).is_some())
            .collect();
        let op = ops[next(ops.len())];
        let mut operands: Vec<Operand> = Vec::new();
        for wanted in &operand_dtypes(op, dtype).unwrap()[1..] {
            let others: Vec<Operand> = values
                .iter()
                .filter(|(_, d)| d == wanted)
                .map(|(o, _)| *o)
                .collect();
            operands.push(others[next(others.len())]);
        }
        let conditions: Vec<Operand> = values
            .iter()
            .filter(|(_, d)| *d == DType::Bool)
            .map(|(o, _)| *o)
            .collect();
        match (op, conditions.as_slice()) {
            (ElementOp::Select, []) => continue,
            (ElementOp::Select, _) => {
                operands.push(operand);
                operands.rotate_right(1);
                operands.truncate(2);
                operands.insert(0, conditions[next(conditions.len())]);
            }
            _ => operands.insert(0, operand),
        }
        let given: Vec<DType> = operands
            .iter()
            .map(|o| values.iter().find(|(v, _)| v == o).unwrap().1)
            .collect();
        let output = op.output(&given).unwrap();
        values.push((Operand::Step(steps.len()), output));
        steps.push(Step {
            op: op.into(),
            operands: operands.into_iter().collect(),
        });
    }
    if steps.is_empty() {
        steps.push(Step {
            op: ElementOp::ToF32.into(),
            operands: [Operand::Input(0)].into_iter().collect(),
        });
    }
    (inputs, steps)
}

/// Values of an array: its dtype's samples in an order that depends on the seed.
fn filled(dtype: DType, shape: &[usize], seed: usize) -> Array {
    let samples = samples(dtype);
    let len = shape.iter().product();
    let words: Vec<u64> = (0..len)
        .map(|n: usize| samples[(n * 7 + n / 5 + seed) % samples.len()])
        .collect();
    array(dtype, shape, &words)
}

/// The steps that the last one depends on, without the others.
fn needed(steps: &[Step]) -> Vec<Step> {
    let mut live = vec![false; steps.len()];
    *live.last_mut().unwrap() = true;
    for n in (0..steps.len()).rev() {
        if live[n] {
            for operand in &steps[n].operands {
                if let Operand::Step(k) = operand {
                    live[*k] = true;
                }
            }
        }
    }
    let place = |k: usize| live[..k].iter().filter(|live| **live).count();
    let renamed = |operand: &Operand| match operand {
        Operand::Step(k) => Operand::Step(place(*k)),
        input => *input,
    };
    let kept = steps.iter().zip(&live).filter(|(_, live)| **live);
    kept.map(|(step, _)| Step {
        op: step.op,
        operands: step.operands.iter().map(renamed).collect(),
    })
    .collect()
}

/// Shapes that broadcast against each other, of few and of many values, with short and with long runs.
const SHAPES: &[&[&[usize]]] = &[
    &[&[7]],
    &[&[2500]],
    &[&[3, 1100], &[1100], &[3, 1], &[]],
    &[&[50, 40], &[40], &[50, 1], &[1, 1]],
    &[&[9, 512], &[512], &[9, 1]],
    &[&[5, 64, 16], &[64, 1], &[64, 16], &[5, 1, 16]],
    &[&[2, 3, 5, 7], &[3, 1, 7], &[2, 1, 5, 1], &[5, 7]],
    &[&[0, 3], &[3], &[1]],
    &[&[1], &[1, 1], &[]],
    &[&[40_000], &[1]],
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 2 } else { 300 }))]

    #[test]
    fn a_program_gives_what_its_steps_give(seeds in prop::collection::vec(any::<u32>(), 64), shapes in 0..SHAPES.len(), salt in 0..1000usize) {
        let (dtypes, steps) = chain(&seeds);
        let steps = needed(&steps);
        let shapes = SHAPES[shapes];
        // The first shape is the one that all broadcast to; every input has it or one of the others.
        let inputs: Vec<Array> = dtypes.iter().enumerate()
            .map(|(n, dtype)| filled(*dtype, shapes[(salt >> n) % shapes.len()], salt + n))
            .collect();
        let used = |n: usize| steps.iter().any(|step| step.operands.contains(&Operand::Input(n)));
        let level = Level::supported().nth(salt % Level::supported().count()).unwrap();
        with_level(level, || {
            // Some inputs may be declared uniform, but not all: then there would be no value per element.
            let some_have_more = inputs.iter().any(|input| input.len() != 1);
            let is_known = |n: usize| some_have_more && (0..inputs.len()).all(used) && salt >> n & 1 == 1;
            let width = |n: usize| match inputs[n].len() {
                1 if is_known(n) => Width::Uniform,
                _ => Width::Row,
            };
            let types: Vec<_> = dtypes.iter().enumerate().map(|(n, dtype)| (*dtype, width(n))).collect();
            let program = Program::of_rows(&types, &steps).unwrap();
            let references: Vec<&Array> = inputs.iter().collect();
            let expected = one_by_one(&references, &steps);
            let given: Vec<Option<&Array>> = inputs.iter().map(Some).collect();
            let mut out = filled(DType::I32, &[3], 0);
            let result = program.run(&given, &mut out);
            if (0..inputs.len()).all(used) {
                assert_eq!(result, expected.as_ref().map(|_| ()).map_err(Clone::clone), "{steps:?}");
                if let Ok(expected) = &expected {
                    assert_eq!((out.shape(), out.dtype()), (expected.shape(), expected.dtype()));
                    assert_eq!(words(&out), words(expected), "{steps:?}");
                    check_reductions(&program, &given, expected, salt);
                    // In place of each input, whether its shape and dtype allow it or not.
                    for n in 0..inputs.len() {
                        let mut out = inputs[n].clone();
                        let mut given = given.clone();
                        given[n] = None;
                        program.run(&given, &mut out).unwrap();
                        assert_eq!(words(&out), words(expected), "{steps:?} in place of {n}");
                    }
                }
            }
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 2 } else { 200 }))]

    #[test]
    fn parts_of_inputs_are_read_where_they_are(sizes in prop::collection::vec(1..40usize, 3), cuts in prop::collection::vec((0..5i64, 0..5i64), 6), seeds in prop::collection::vec(any::<u32>(), 64), salt in 0..1000usize) {
        let (dtypes, steps) = chain(&seeds);
        let steps = needed(&steps);
        // Each input is larger than what is read of it, or is read whole; some have sizes of 1, which are repeated.
        let slices: Vec<Vec<AxisSlice>> = (0..dtypes.len()).map(|n| {
            let slice = |axis: usize| {
                let (before, after) = cuts[(n + axis) % cuts.len()];
                let end = (after > 0).then_some(-after);
                AxisSlice { axis: axis as i64, begin: Some(before), end, step: 1 }
            };
            let sliced = (0..3).filter(|axis| salt >> (n + axis) & 1 == 1);
            sliced.map(slice).collect()
        }).collect();
        let inputs: Vec<Array> = dtypes.iter().zip(&slices).enumerate().map(|(n, (dtype, slices))| {
            let mut shape: Vec<usize> = sizes.iter().enumerate()
                .map(|(axis, size)| if salt >> (2 * n + axis) & 3 == 3 { 1 } else { *size })
                .collect();
            for slice in slices {
                shape[slice.axis as usize] += (slice.begin.unwrap() - slice.end.unwrap_or(0)) as usize;
            }
            filled(*dtype, &shape, salt + n)
        }).collect();
        let parts: Vec<InputPart> = inputs.iter().zip(&slices)
            .map(|(input, slices)| InputPart { shape: input.shape(), slices })
            .collect();
        let program = Program::new(&dtypes, &steps).unwrap();
        let copies: Vec<Array> = inputs.iter().zip(&slices).map(|(input, slices)| {
            let mut copy = Array::default();
            crate::strided_slice(input, slices.iter().copied(), &mut copy).unwrap();
            copy
        }).collect();
        let (mut apart, mut there) = (Array::default(), Array::default());
        let expected = program.run(&copies.iter().map(Some).collect::<Vec<_>>(), &mut apart);
        let Some(program) = program.known_parts(&parts) else {
            // A row of one value, of several.
            prop_assert!(copies.iter().any(|copy| copy.shape()[2] == 1));
            return Ok(());
        };
        let given: Vec<_> = inputs.iter().map(Some).collect();
        prop_assert_eq!(program.run(&given, &mut there), expected.clone());
        if expected.is_ok() {
            prop_assert_eq!(there.shape(), apart.shape());
            prop_assert_eq!(words(&there), words(&apart));
        }
        if slices.iter().any(|slices| !slices.is_empty()) {
            let others = vec![Some(&apart); inputs.len()];
            let same = inputs.iter().all(|input| input.shape() == apart.shape());
            prop_assert!(same || program.run(&others, &mut there).is_err());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 2 } else { 200 }))]

    #[test]
    fn rows_of_inputs_are_read_where_they_are(sizes in prop::collection::vec(1..5usize, 2), last in 1..3000usize, seeds in prop::collection::vec(any::<u32>(), 64), salt in 0..10_000usize) {
        let (dtypes, steps) = chain(&seeds);
        let steps = needed(&steps);
        let row = |n: usize| match salt >> n & 3 {
            0 => vec![last],
            1 => vec![],
            _ => vec![sizes[0], last],
        };
        // One row is read of some inputs, at one position or at two; a list has one position.
        let leading: Vec<Vec<usize>> = (0..dtypes.len()).map(|n| sizes[..(salt >> (n + 3)) % 3].to_vec()).collect();
        let is_list = |n: usize| leading[n].len() == 1 && !row(n).is_empty() && salt >> (n + 5) & 1 == 1;
        let inputs: Vec<Array> = dtypes.iter().enumerate()
            .map(|(n, dtype)| filled(*dtype, &[leading[n].clone(), row(n)].concat(), salt + n))
            .collect();
        let mut program = Program::new(&dtypes, &steps).unwrap();
        let mut positions: Vec<Array> = Vec::new();
        let mut copies: Vec<Array> = Vec::new();
        for (n, input) in inputs.iter().enumerate() {
            let at: Vec<i64> = leading[n].iter().map(|size| (salt / 7 % size) as i64).collect();
            let back = if is_list(n) { 0 } else { salt as i64 & 1 };
            let own: Vec<Array> = at.iter().zip(&leading[n]).map(|(i, size)| Array::scalar(i - back * *size as i64)).collect();
            let mut copy = Array::default();
            crate::index(input, &own.iter().collect::<Vec<_>>(), &mut copy).unwrap();
            copies.push(copy);
            if !own.is_empty() {
                program = program.with_row(n, own.len(), is_list(n));
            }
            positions.extend(own);
        }
        if salt & 2 == 2 {
            program = program.known(&copies.iter().map(Array::shape).collect::<Vec<_>>());
        }
        let (mut apart, mut there) = (Array::default(), Array::default());
        let plain = Program::new(&dtypes, &steps).unwrap();
        let expected = plain.run(&copies.iter().map(Some).collect::<Vec<_>>(), &mut apart);
        let mut given: Vec<_> = inputs.iter().chain(&positions).map(Some).collect();
        prop_assert_eq!(program.run(&given, &mut there), expected.clone());
        if expected.is_ok() {
            prop_assert_eq!(there.shape(), apart.shape());
            prop_assert_eq!(words(&there), words(&apart));
        }
        // A position out of range on either side.
        let far = [Array::scalar(7), Array::scalar(-7)];
        for far in far.iter().filter(|_| !positions.is_empty()) {
            given[inputs.len()] = Some(far);
            prop_assert!(program.run(&given, &mut there).is_err());
        }
        prop_assert!(positions.is_empty() || program.run(&given[..inputs.len()], &mut there).is_err());
    }
}

#[test]
fn of_a_list_only_what_was_written_is_read() {
    let negate = step(ElementOp::Neg, &[Operand::Input(0)]);
    let program = Program::new(&[DType::I32], &[negate]).unwrap();
    let (of_list, of_array) = (
        program.clone().with_row(0, 1, true),
        program.with_row(0, 1, false),
    );
    let mut out = Array::default();
    let last = Array::scalar(-1);
    let none_written = Array::zeros(DType::I32, &[&[2][..], &NO_SHAPE].concat());
    let rows = Array::new(&[2, 1], vec![3, 4]);
    assert!(of_list.run(&[Some(&rows), Some(&last)], &mut out).is_err());
    of_array.run(&[Some(&rows), Some(&last)], &mut out).unwrap();
    assert_eq!(out, Array::new(&[1], vec![-4]));
    let first = Array::scalar(0);
    assert!(
        of_list
            .run(&[Some(&none_written), Some(&first)], &mut out)
            .is_err()
    );
    of_array.run(&[None, Some(&first)], &mut out).unwrap();
    assert_eq!(out, Array::scalar(4));
}

/// Programs followed by a reduction, over the last axes and over others.
fn check_reductions(program: &Program, given: &[Option<&Array>], values: &Array, salt: usize) {
    let rank = values.rank() as i64;
    let op = ReduceOp::ALL[salt % 7];
    if !op.is_defined_for(values.dtype()) {
        assert!(
            program
                .clone()
                .reduced(
                    op,
                    Axes {
                        axes: &[],
                        keep_dims: false
                    }
                )
                .is_err()
        );
        return;
    }
    let last: Vec<i64> = (1..=(salt / 7) as i64 % (rank + 1)).map(|n| -n).collect();
    for axes in [last, vec![0; rank.min(1) as usize]] {
        let axes = Axes {
            axes: &axes,
            keep_dims: salt.is_multiple_of(2),
        };
        let program = program.clone().reduced(op, axes).unwrap();
        let (mut fused, mut apart) = (Array::default(), Array::default());
        program.run(given, &mut fused).unwrap();
        reduce(op, values, axes, &mut apart).unwrap();
        assert_eq!(
            (fused.shape(), fused.dtype()),
            (apart.shape(), apart.dtype())
        );
        assert_eq!(
            words(&fused),
            words(&apart),
            "{op:?} {axes:?} of {:?}",
            values.shape()
        );
    }
}

#[test]
fn reductions_of_long_rows_are_the_same_for_any_number_of_threads() {
    let square = step(ElementOp::Square, &[Operand::Input(0)]);
    let program = Program::new(&[DType::F32], &[square]).unwrap();
    for (shape, axes) in [
        (&[2, 70_001][..], &[-1][..]),
        (&[200_000], &[]),
        (&[1000, 60], &[1]),
    ] {
        let len: usize = shape.iter().product();
        let values = (0..len).map(|n| (n % 1013) as f32 / 7.0).collect();
        let x = Array::new(shape, values);
        let axes = Axes {
            axes,
            keep_dims: false,
        };
        let mut squares = Array::default();
        elementwise(ElementOp::Square, &[&x], &mut squares).unwrap();
        for op in [ReduceOp::Sum, ReduceOp::Mean] {
            let mut expected = Array::default();
            reduce(op, &squares, axes, &mut expected).unwrap();
            let program = program.clone().reduced(op, axes).unwrap();
            for threads in [1, 3] {
                let mut out = Array::default();
                crate::parallel::on_threads(threads, || program.run(&[Some(&x)], &mut out))
                    .unwrap();
                assert_eq!(words(&out), words(&expected), "{shape:?} {op:?} {threads}");
            }
        }
    }
}

#[test]
fn a_long_chain_is_built_in_no_time() {
    let step = |n: usize| Step {
        op: ElementOp::Add.into(),
        operands: match n {
            0 => [Operand::Input(0), Operand::Input(0)].into_iter().collect(),
            _ => [Operand::Step(n - 1), Operand::Input(0)]
                .into_iter()
                .collect(),
        },
    };
    let steps: Vec<Step> = (0..20_000).map(step).collect();
    let program = Program::new(&[DType::I64], &steps).unwrap();
    let mut out = Array::default();
    program
        .run(&[Some(&Array::new(&[2], vec![1i64, 2]))], &mut out)
        .unwrap();
    assert_eq!(out, Array::new(&[2], vec![20_001i64, 40_002]));
}

#[test]
fn shapes_that_do_not_broadcast_are_refused() {
    let (a, b) = (
        Array::zeros(DType::F32, &[2, 3]),
        Array::zeros(DType::F32, &[4, 2]),
    );
    let error = elementwise(ElementOp::Add, &[&a, &b], &mut Array::default()).unwrap_err();
    assert_eq!(error.to_string(), "Incompatible shapes: [2,3] vs. [4,2]");
    let (a, b) = (
        Array::zeros(DType::F32, &[1 << 24, 1]),
        Array::zeros(DType::F32, &[1, 1 << 24]),
    );
    let c = Array::zeros(DType::F32, &[1 << 20, 1, 1]);
    let wide = elementwise(
        ElementOp::Select,
        &[&Array::zeros(DType::Bool, &[1 << 20, 1, 1]), &a, &b],
        &mut Array::default(),
    );
    assert!(
        wide.unwrap_err().to_string().ends_with("is too large"),
        "{:?}",
        c.shape()
    );
}

#[test]
fn results_are_the_same_for_any_number_of_threads() {
    let x = filled(DType::F32, &[300_000], 1);
    let run = |threads| {
        crate::parallel::on_threads(threads, || {
            let mut out = Array::default();
            elementwise(ElementOp::Tanh, &[&x], &mut out).unwrap();
            words(&out)
        })
    };
    assert_eq!(run(1), run(3));
    let zeros = Array::zeros(DType::I32, &[300_000]);
    let error = crate::parallel::on_threads(3, || {
        elementwise(ElementOp::Div, &[&zeros, &zeros], &mut Array::default())
    });
    assert!(error.is_err());
}
