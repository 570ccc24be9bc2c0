//! Programs that read rolled inputs, compared with a roll before the program.

use super::step;
use crate::parallel::on_threads;
use crate::{Array, DType, ElementOp, Operand, Program, roll};
use Operand::{Input, Step as Earlier};

/// Distinct numbers.
fn numbers(shape: &[usize], first: i32) -> Array {
    let len = shape.iter().product::<usize>() as i32;
    Array::new(shape, (first..first + len).collect())
}

#[test]
fn rolled_inputs_are_those_that_are_rolled_before() {
    let steps = [
        step(ElementOp::Mul, &[Input(0), Input(1)]),
        step(ElementOp::Sub, &[Earlier(0), Input(2)]),
    ];
    let plain = Program::new(&[DType::I32; 3], &steps).unwrap();
    for shape in [
        &[7][..],
        &[1],
        &[1500],
        &[3, 5],
        &[40, 70],
        &[4, 3, 200],
        &[300, 257],
    ] {
        let [x, y, z] = [0, 1000, 77].map(|first| numbers(shape, first));
        for (axis, shift) in
            (0..shape.len()).flat_map(|axis| [0, 1, -1, 5, -1003].map(|by| (axis, by)))
        {
            let program = plain.clone().known(&[shape; 3]);
            let program = program.with_roll(1, axis).and_then(|p| p.with_roll(2, 0));
            let Some(program) = program else {
                assert_eq!(shape, [1], "one value is read for all elements");
                continue;
            };
            let shifts = [shift, 2].map(|by| Array::new(&[1], vec![by]));
            let (mut moved, mut also, mut expected) = <(Array, Array, Array)>::default();
            roll(&y, &shifts[0], &[axis as i64], &mut moved).unwrap();
            roll(&z, &shifts[1], &[0], &mut also).unwrap();
            let run = [&x, &moved, &also].map(Some);
            plain.run(&run, &mut expected).unwrap();
            for threads in [1, 3] {
                let mut out = Array::default();
                let run = [&x, &y, &z, &shifts[0], &shifts[1]].map(Some);
                on_threads(threads, || program.run(&run, &mut out).unwrap());
                assert_eq!(out, expected, "{shape:?} {axis} {shift}");
            }
        }
    }
}

#[test]
fn a_rolled_input_has_one_shift_and_the_shape_that_was_given_ahead() {
    let steps = [step(ElementOp::Add, &[Input(0), Input(1)])];
    let program = Program::new(&[DType::I32; 2], &steps).unwrap();
    assert!(program.clone().with_roll(1, 0).is_none());
    let known = program.known(&[&[2, 3], &[3]]);
    assert!(known.clone().with_roll(1, 0).is_none());
    assert!(known.clone().with_roll(0, 2).is_none());
    let program = known.with_roll(0, 1).unwrap();
    let (x, y, mut out) = (numbers(&[2, 3], 0), numbers(&[3], 0), Array::default());
    let shift = |shape: &[usize]| Array::new(shape, vec![1; shape.iter().product()]);
    let mut run =
        |x: Option<&Array>, shift: &Array| program.run(&[x, Some(&y), Some(shift)], &mut out);
    assert!(run(Some(&x), &shift(&[1])).is_ok());
    assert!(run(Some(&x), &shift(&[2])).is_err());
    assert!(run(Some(&x), &shift(&[])).is_err());
    assert!(run(Some(&numbers(&[1, 3], 0)), &shift(&[1])).is_err());
    assert!(run(None, &shift(&[1])).is_err());
}
