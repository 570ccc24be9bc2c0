//! Programs by rows compared with the same steps one by one.

use super::{elementwise, one_by_one, step, words};
use crate::parallel::on_threads;
use crate::simd::{Level, with_level};
use crate::{Array, Axes, DType, ElementOp, Operand, Program, ReduceOp, Step, StepOp, Width};
use Operand::{Input, Step as Earlier};

/// Values that differ from row to row, and whose sums depend on the order.
fn fractions(shape: &[usize]) -> Array {
    let len = shape.iter().product();
    let values = (0..len).map(|n| 1.0 / (n * 7919 % 1013 + 3) as f32);
    Array::new(shape, values.collect())
}

/// Layer normalization: `(x - mean) * rsqrt(variance + 1e-5) * scale + shift`, where `shift` has one value per row.
fn layer_norm() -> Vec<Step> {
    vec![
        step(StepOp::Reduce(ReduceOp::Mean), &[Input(0)]),
        step(ElementOp::Sub, &[Input(0), Earlier(0)]),
        step(ElementOp::Square, &[Earlier(1)]),
        step(StepOp::Reduce(ReduceOp::Mean), &[Earlier(2)]),
        step(ElementOp::Add, &[Earlier(3), Input(1)]),
        step(ElementOp::Rsqrt, &[Earlier(4)]),
        step(ElementOp::Mul, &[Earlier(1), Earlier(5)]),
        step(ElementOp::Mul, &[Earlier(6), Input(2)]),
        step(ElementOp::Add, &[Earlier(7), Input(3)]),
    ]
}

const INPUTS: [(DType, Width); 4] = [
    (DType::F32, Width::Row),
    (DType::F32, Width::Uniform),
    (DType::F32, Width::Row),
    (DType::F32, Width::Column),
];

#[test]
fn rows_of_any_length_have_the_bits_of_steps_on_their_own() {
    let program = Program::of_rows(&INPUTS, &layer_norm()).unwrap();
    for shape in [
        &[3, 1][..],
        &[1, 5],
        &[200, 16],
        &[2, 3, 7],
        &[3, 1000],
        &[40, 1024],
        &[3, 2500],
        &[2, 0],
        &[0, 3],
        &[9],
    ] {
        let x = fractions(shape);
        let scale = fractions(&shape[shape.len() - 1..]);
        let mut columns = shape.to_vec();
        *columns.last_mut().unwrap() = 1;
        let shift = fractions(&columns);
        let epsilon = Array::scalar(1e-5f32);
        let inputs = [&x, &epsilon, &scale, &shift];
        for level in Level::supported() {
            with_level(level, || {
                let expected = one_by_one(&inputs, &layer_norm()).unwrap();
                for threads in [1, 3] {
                    let mut out = Array::default();
                    let given = inputs.map(Some);
                    on_threads(threads, || program.run(&given, &mut out)).unwrap();
                    assert_eq!(out.shape(), expected.shape());
                    assert_eq!(words(&out), words(&expected), "{shape:?} {level:?}");
                }
                // In place of the first operand.
                let mut out = x.clone();
                let given = [None, Some(&epsilon), Some(&scale), Some(&shift)];
                program.run(&given, &mut out).unwrap();
                assert_eq!(words(&out), words(&expected), "{shape:?} {level:?}");
            });
        }
    }
}

/// A large result is written past the caches in the second run, when its memory already exists.
#[test]
fn rows_of_a_large_result_have_the_same_bits_wherever_they_are_written() {
    let shape = if cfg!(miri) { [3, 1000] } else { [4200, 1000] };
    let x = fractions(&shape);
    let steps = [
        step(StepOp::Reduce(ReduceOp::Mean), &[Input(0)]),
        step(ElementOp::Sub, &[Input(0), Earlier(0)]),
    ];
    let program = Program::of_rows(&INPUTS[..1], &steps).unwrap();
    let mut expected = Array::default();
    program.run(&[Some(&x)], &mut expected).unwrap();
    let mut first = Array::default();
    let row = Array::new(&shape[1..], x.values::<f32>().unwrap()[..shape[1]].to_vec());
    program.run(&[Some(&row)], &mut first).unwrap();
    assert_eq!(
        expected.values::<f32>().unwrap()[..shape[1]],
        *first.values::<f32>().unwrap()
    );
    for threads in [1, 3] {
        let mut out = Array::zeros(DType::F32, &shape);
        on_threads(threads, || program.run(&[Some(&x)], &mut out)).unwrap();
        assert_eq!(out, expected);
    }
}

/// Values of a shape for a comparison of bits: fractions for floats, small integers for integers.
fn numbers(dtype: DType, shape: &[usize]) -> Array {
    let x = match dtype {
        DType::I32 => {
            let len: usize = shape.iter().product();
            Array::new(shape, (0..len).map(|n| n as f32 - 5.0).collect())
        }
        _ => fractions(shape),
    };
    let mut out = Array::default();
    elementwise(ElementOp::conversion(dtype).unwrap(), &[&x], &mut out).unwrap();
    out
}

/// The operands of a pair of functions that may become one instruction, in every order and width.
#[test]
fn two_functions_in_one_instruction_have_the_bits_of_each() {
    let functions = [ElementOp::Add, ElementOp::Sub, ElementOp::Mul];
    let pairs = functions
        .iter()
        .flat_map(|first| functions.map(|second| (*first, second)));
    let pairs = pairs.chain([(ElementOp::Mul, ElementOp::Div)]);
    let orders = [[0, 1, 2], [1, 0, 2], [0, 2, 1], [2, 0, 1]];
    for dtype in [DType::F32, DType::F64, DType::I32, DType::F16] {
        // Integers can't be divided by zero.
        let pairs = pairs
            .clone()
            .filter(|(_, second)| dtype != DType::I32 || *second != ElementOp::Div);
        for ((first, second), [a, b, c]) in pairs.flat_map(|pair| orders.map(|o| (pair, o))) {
            // The second function's operands in both orders, and both operands reading the first function.
            for value_first in [true, false] {
                let rest = Input(c);
                let others = if value_first {
                    [Earlier(0), rest]
                } else {
                    [rest, Earlier(0)]
                };
                let steps = [
                    step(first, &[Input(a), Input(b)]),
                    step(second, &others),
                    step(ElementOp::Mul, &[Earlier(1), Earlier(0)]),
                ];
                agrees(dtype, &steps);
                agrees(dtype, &steps[..2]);
            }
        }
    }
}

#[test]
fn a_function_of_one_operand_and_the_next_in_one_instruction_have_the_bits_of_each() {
    for dtype in [DType::F32, DType::F64, DType::F16] {
        for first in [
            ElementOp::Exp,
            ElementOp::Neg,
            ElementOp::Sigmoid,
            ElementOp::Sqrt,
            ElementOp::Square,
            ElementOp::Tanh,
        ] {
            for second in [ElementOp::Add, ElementOp::Sub, ElementOp::Mul] {
                for (a, b) in [(0, 0), (0, 1), (1, 0), (0, 2), (2, 0)] {
                    for operands in [[Earlier(0), Input(b)], [Input(b), Earlier(0)]] {
                        let steps = [step(first, &[Input(a)]), step(second, &operands)];
                        let again = step(ElementOp::Mul, &[Earlier(1), Earlier(0)]);
                        agrees(dtype, &steps);
                        agrees(dtype, &[&steps[..], &[again]].concat());
                    }
                }
            }
        }
    }
}

#[test]
fn sums_of_functions_have_the_bits_of_each() {
    let mean_of = |function: Step| {
        let back = step(ElementOp::Mul, &[Input(0), Earlier(1)]);
        [
            function,
            step(StepOp::Reduce(ReduceOp::Mean), &[Earlier(0)]),
            back,
        ]
    };
    for dtype in [DType::F32, DType::F64, DType::F16] {
        agrees(dtype, &mean_of(step(ElementOp::Square, &[Input(0)])));
        for [a, b] in [[0, 0], [0, 1], [1, 0], [0, 2], [2, 0]] {
            let operands = [Input(a), Input(b)];
            agrees(dtype, &mean_of(step(ElementOp::Mul, &operands)));
            agrees(
                dtype,
                &mean_of(step(ElementOp::SquaredDifference, &operands)),
            );
            let [difference, mean, back] = mean_of(step(ElementOp::Sub, &operands));
            let squared = step(ElementOp::Square, &[Earlier(0)]);
            let mean = step(mean.op, &[Earlier(1)]);
            let back = step(ElementOp::Add, &[Earlier(0), back.operands[0]]);
            let back_again = step(ElementOp::Mul, &[Earlier(3), Earlier(2)]);
            agrees(dtype, &[difference, squared, mean, back, back_again]);
        }
    }
}

#[test]
fn a_step_from_one_value_toward_another_has_the_bits_of_its_functions() {
    for dtype in [DType::F32, DType::F64, DType::I32, DType::F16] {
        for [a, b, c] in [
            [0, 1, 2],
            [1, 0, 2],
            [0, 2, 1],
            [2, 0, 1],
            [2, 0, 0],
            [0, 2, 2],
        ] {
            for swapped in [false, true] {
                let of =
                    |op, [x, y]: [Operand; 2]| step(op, &if swapped { [y, x] } else { [x, y] });
                let difference = step(ElementOp::Sub, &[Input(a), Input(b)]);
                let part = of(ElementOp::Mul, [Earlier(0), Input(c)]);
                let sum = of(ElementOp::Add, [Input(b), Earlier(1)]);
                let other = of(ElementOp::Add, [Input(a), Earlier(1)]);
                let again = step(ElementOp::Mul, &[Earlier(2), Earlier(1)]);
                agrees(dtype, &[difference.clone(), part.clone(), sum.clone()]);
                agrees(dtype, &[difference.clone(), part.clone(), sum, again]);
                agrees(dtype, &[difference, part, other]);
            }
        }
    }
}

/// Compares a program with its steps, with inputs that have one value per element, per column, per row, and for all.
fn agrees(dtype: DType, steps: &[Step]) {
    for width in [Width::Column, Width::Uniform] {
        let inputs = [Width::Row, width, Width::Row].map(|width| (dtype, width));
        let program = Program::of_rows(&inputs, steps).unwrap();
        for shape @ [rows, row] in [[5, 7], [40, 16], [2, 1024], [2, 2500]] {
            let rows = if width == Width::Column { rows } else { 1 };
            let [x, y, z] = [shape, [rows, 1], [1, row]].map(|shape| numbers(dtype, &shape));
            for level in Level::supported() {
                with_level(level, || {
                    let expected = one_by_one(&[&x, &y, &z], steps).unwrap();
                    let mut out = Array::default();
                    let given = [Some(&x), Some(&y), Some(&z)];
                    program.run(&given, &mut out).unwrap();
                    let case = format!("{dtype} {steps:?} {width:?} {shape:?} {level:?}");
                    assert_eq!(words(&out), words(&expected), "{case}");
                });
            }
        }
    }
}

#[test]
fn half_floats_are_added_in_a_wider_type() {
    let steps = [
        step(StepOp::Reduce(ReduceOp::Mean), &[Input(0)]),
        step(ElementOp::Sub, &[Input(0), Earlier(0)]),
    ];
    let program = Program::of_rows(&[(DType::F16, Width::Row)], &steps).unwrap();
    // In `f16`, 2048 + 1 = 2048.
    let ones = Array::new(&[2, 8000], vec![crate::f16::ONE; 16000]);
    let mut out = Array::default();
    program.run(&[Some(&ones)], &mut out).unwrap();
    assert_eq!(out, Array::zeros(DType::F16, &[2, 8000]));
}

#[test]
fn a_softmax_of_steps() {
    let steps = [
        step(StepOp::Reduce(ReduceOp::Max), &[Input(0)]),
        step(ElementOp::Sub, &[Input(0), Earlier(0)]),
        step(ElementOp::Exp, &[Earlier(1)]),
        step(StepOp::Reduce(ReduceOp::Sum), &[Earlier(2)]),
        step(ElementOp::Div, &[Earlier(2), Earlier(3)]),
    ];
    let program = Program::of_rows(&INPUTS[..1], &steps).unwrap();
    let x = Array::new(&[2, 3], vec![0f32, 0.0, 0.0, 1000.0, 0.0, 0.0]);
    let mut out = Array::default();
    program.run(&[Some(&x)], &mut out).unwrap();
    let third = 1f32 / 3.0;
    let expected = vec![third, third, third, 1.0, 0.0, 0.0];
    assert_eq!(out, Array::new(&[2, 3], expected));
}

#[test]
fn what_is_no_program_of_rows_is_refused() {
    let sum = step(StepOp::Reduce(ReduceOp::Sum), &[Input(0)]);
    let again = step(StepOp::Reduce(ReduceOp::Sum), &[Earlier(0)]);
    let any = step(StepOp::Reduce(ReduceOp::Any), &[Input(0)]);
    let back = step(ElementOp::Sub, &[Input(0), Earlier(0)]);
    let program = |steps: &[Step]| Program::of_rows(&INPUTS[..1], steps);
    // Invalid programs: one that ends with one value per row, one that reduces such a value, and one that reduces numbers by `any`.
    assert!(program(std::slice::from_ref(&sum)).is_err());
    assert!(program(&[sum.clone(), again, back.clone()]).is_err());
    assert!(program(&[any, back.clone()]).is_err());
    let all = Axes {
        axes: &[],
        keep_dims: false,
    };
    let centred = program(&[sum, back]).unwrap();
    assert!(centred.reduced(ReduceOp::Sum, all).is_err());
}

#[test]
fn inputs_of_another_width_are_refused() {
    let program = Program::of_rows(&INPUTS, &layer_norm()).unwrap();
    let (x, scalar) = (fractions(&[2, 3]), Array::scalar(1f32));
    let run = |epsilon: &Array, shift: &Array| {
        let inputs = [Some(&x), Some(epsilon), Some(&x), Some(shift)];
        program.run(&inputs, &mut Array::default())
    };
    assert!(run(&scalar, &fractions(&[2, 1])).is_ok());
    assert!(run(&scalar, &scalar).is_ok());
    assert!(run(&fractions(&[2, 1]), &scalar).is_err());
    assert!(run(&scalar, &x).is_err());
}
