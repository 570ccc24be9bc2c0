//! Programs with several results: the values of the same steps one by one on whole arrays.

use super::{samples, step, words};
use crate::block::{BlockMut, Lane};
use crate::parallel::on_threads;
use crate::simd::{Level, with_level};
use crate::{Array, Axes, DType, ElementOp, Operand, Program, ReduceOp, Step, Width, elementwise};

use Operand::{Input, Step as Of};

/// Adam: the inputs are the parameter, both moments, the gradient, the shares by which the moments change, the rate and epsilon.
fn adam() -> (Vec<Step>, [usize; 3]) {
    let steps = vec![
        step(ElementOp::Sub, &[Input(3), Input(1)]),
        step(ElementOp::Mul, &[Of(0), Input(4)]),
        step(ElementOp::Add, &[Input(1), Of(1)]),
        step(ElementOp::Square, &[Input(3)]),
        step(ElementOp::Sub, &[Of(3), Input(2)]),
        step(ElementOp::Mul, &[Of(4), Input(5)]),
        step(ElementOp::Add, &[Input(2), Of(5)]),
        step(ElementOp::Mul, &[Of(2), Input(6)]),
        step(ElementOp::Sqrt, &[Of(6)]),
        step(ElementOp::Add, &[Of(8), Input(7)]),
        step(ElementOp::Div, &[Of(7), Of(9)]),
        step(ElementOp::Sub, &[Input(0), Of(10)]),
    ];
    (steps, [11, 2, 6])
}

/// The values of all steps on whole arrays, as they are before any result takes an array's place.
fn expected(inputs: &[Array], steps: &[Step], results: &[usize]) -> Vec<Array> {
    let mut values: Vec<Array> = Vec::new();
    for step in steps {
        let operand = |operand: &Operand| match *operand {
            Input(n) => &inputs[n],
            Of(n) => &values[n],
        };
        let operands: Vec<&Array> = step.operands.iter().map(operand).collect();
        let crate::StepOp::Element(op) = step.op else {
            panic!("elementwise steps")
        };
        let mut out = Array::default();
        elementwise(op, &operands, &mut out).unwrap();
        values.push(out);
    }
    results
        .iter()
        .map(|result| values[*result].clone())
        .collect()
}

/// Checks that an update gives the bits of the steps one by one.
fn check(inputs: &[Array], steps: &[Step], results: &[usize]) {
    let width = |input: &Array| match input.len() {
        1 if input.rank() == 0 => Width::Uniform,
        _ => Width::Row,
    };
    let types: Vec<(DType, Width)> = inputs.iter().map(|x| (x.dtype(), width(x))).collect();
    let program = Program::updating(&types, steps, results).unwrap();
    let shapes: Vec<&[usize]> = inputs.iter().map(Array::shape).collect();
    for program in [program.clone().known(&shapes), program] {
        let expected = expected(inputs, steps, results);
        let (arrays, others) = inputs.split_at(results.len());
        let mut arrays = arrays.to_vec();
        let mut changed: Vec<&mut Array> = arrays.iter_mut().collect();
        let others: Vec<&Array> = others.iter().collect();
        program.update(&mut changed, &others).unwrap();
        let (own, wanted) = (arrays.iter().map(words), expected.iter().map(words));
        assert!(own.eq(wanted), "{steps:?} of {shapes:?}");
    }
}

/// As many values as an array has, from a list that begins anew, shifted by `first`.
fn repeated(dtype: DType, len: usize, first: usize) -> Array {
    let samples = samples(dtype);
    let mut array = Array::zeros(dtype, &[len]);
    let block = BlockMut::of(array.buffer_mut(), len).unwrap();
    let word = |n: usize| samples[(n * 7 + first) % samples.len()];
    block.put_words(&(0..len).map(word).collect::<Vec<u64>>());
    array
}

fn scalar<T: Lane>(value: T) -> Array {
    Array::new(&[], vec![value])
}

#[test]
fn three_results_have_the_bits_of_the_steps_one_by_one() {
    let (steps, results) = adam();
    for level in Level::supported() {
        with_level(level, || {
            for len in [0, 1, 17, 1024, 1025, 70_000] {
                let arrays = (0..4).map(|n| repeated(DType::F32, len, n * 3));
                let numbers = [0.1f32, 0.001, 0.01, 1e-7].map(scalar);
                let inputs: Vec<Array> = arrays.chain(numbers).collect();
                check(&inputs, &steps, &results);
                let arrays = (0..4).map(|n| repeated(DType::F64, len, n * 3));
                let numbers = [0.1f64, 0.001, 0.01, 1e-7].map(scalar);
                let inputs: Vec<Array> = arrays.chain(numbers).collect();
                check(&inputs, &steps, &results);
            }
        })
        .unwrap();
    }
}

#[test]
fn threads_and_operands_that_repeat_change_nothing() {
    let (steps, results) = adam();
    let shaped =
        |n: usize, shape: &[usize]| repeated(DType::F32, shape.iter().product(), n).reshaped(shape);
    let mut inputs: Vec<Array> = (0..3).map(|n| shaped(n, &[300, 700])).collect();
    inputs.extend([
        shaped(3, &[700]),
        shaped(4, &[300, 1]),
        scalar(0.5f32),
        shaped(5, &[1, 1]),
    ]);
    inputs.push(shaped(6, &[300, 700]));
    for threads in [1, 3] {
        on_threads(threads, || check(&inputs, &steps, &results));
    }
}

/// Each formula that is compiled to change its array in place, with operands of every width, and the same formulas with the array as a second
/// operand, too.
#[test]
fn an_array_is_changed_in_place_by_sums_differences_and_products() {
    use ElementOp::{Add, Mul, Sub};
    let last: [&[Step]; 8] = [
        &[step(Add, &[Input(1), Input(3)])],
        &[step(Add, &[Input(3), Input(1)])],
        &[step(Sub, &[Input(1), Input(3)])],
        &[step(Sub, &[Input(3), Input(1)])],
        &[
            step(Mul, &[Input(2), Input(3)]),
            step(Add, &[Of(1), Input(1)]),
        ],
        &[
            step(Mul, &[Input(3), Input(2)]),
            step(Sub, &[Input(1), Of(1)]),
        ],
        &[
            step(Sub, &[Input(2), Input(1)]),
            step(Mul, &[Of(1), Input(3)]),
            step(Add, &[Input(1), Of(2)]),
        ],
        &[
            step(Mul, &[Input(1), Input(3)]),
            step(Sub, &[Input(1), Of(1)]),
        ],
    ];
    for dtype in [DType::F32, DType::F64, DType::BF16] {
        let number = repeated(dtype, 5, 3).reshaped(&[5]);
        let one = Array::zeros(dtype, &[]);
        for third in [repeated(dtype, 1500, 2), number.clone(), one] {
            let shaped = |x: &Array| match x.len() {
                1500 => x.clone().reshaped(&[300, 5]),
                _ => x.clone(),
            };
            for steps in last {
                let first = step(Mul, &[Input(0), Input(2)]);
                let steps: Vec<Step> = std::iter::once(first)
                    .chain(steps.iter().cloned())
                    .collect();
                let mut inputs: Vec<Array> = (0..3).map(|n| repeated(dtype, 1500, n)).collect();
                inputs.push(third.clone());
                let inputs: Vec<Array> = inputs.iter().map(shaped).collect();
                check(&inputs, &steps, &[0, steps.len() - 1]);
            }
        }
    }
}

/// Merged into the last step, the difference would be of the new value.
#[test]
fn a_step_is_not_merged_behind_the_result_that_takes_its_operands_place() {
    let steps = [
        step(ElementOp::Sub, &[Input(2), Input(0)]),
        step(ElementOp::Add, &[Input(0), Input(2)]),
        step(ElementOp::Mul, &[Of(0), Input(1)]),
    ];
    let inputs: Vec<Array> = (0..3).map(|n| repeated(DType::F32, 40, n)).collect();
    check(&inputs, &steps, &[1, 2]);
}

#[test]
fn a_result_of_another_dtype_has_its_own_array() {
    let steps = [
        step(ElementOp::Greater, &[Input(1), Input(2)]),
        step(ElementOp::Select, &[Of(0), Input(1), Input(2)]),
    ];
    let mut inputs = vec![repeated(DType::Bool, 50, 0)];
    inputs.extend((0..2).map(|n| repeated(DType::F32, 50, n)));
    check(&inputs, &steps, &[0, 1]);
}

#[test]
fn what_cannot_be_updated_in_place_is_refused() {
    let add = |a, b| step(ElementOp::Add, &[a, b]);
    let floats = [(DType::F32, Width::Row); 3];
    let error = |inputs: &[(DType, Width)], steps: &[Step], results: &[usize]| {
        Program::updating(inputs, steps, results)
            .unwrap_err()
            .to_string()
    };
    let two = [add(Input(0), Input(2)), add(Input(1), Of(0))];
    assert!(Program::updating(&floats, &two, &[0, 1]).is_ok());
    assert!(error(&floats, &two, &[0]).contains("several results"));
    assert!(error(&floats, &two, &[1, 1]).contains("different steps"));
    assert!(error(&floats, &two, &[0, 2]).contains("can't take the place"));
    let late = [add(Input(0), Input(2)), add(Input(1), Input(0))];
    assert!(error(&floats, &late, &[0, 1]).contains("can't read Input(0)"));
    let integers = [(DType::I32, Width::Row); 3];
    let divides = [
        add(Input(0), Input(2)),
        step(ElementOp::Div, &[Input(1), Of(0)]),
    ];
    assert!(error(&integers, &divides, &[0, 1]).contains("isn't defined for all values"));
    let larger = [(DType::F64, Width::Row), floats[1], floats[2]];
    let of_larger = [add(Input(1), Input(2)), add(Input(1), Of(0))];
    assert!(error(&larger, &of_larger, &[0, 1]).contains("can't take the place"));
    let of_rows = [floats[0], floats[1], (DType::F32, Width::Column)];
    assert!(error(&of_rows, &two, &[0, 1]).contains("one value per row"));
    let program = Program::updating(&floats, &two, &[0, 1]).unwrap();
    let x = Array::new(&[1], vec![1f32]);
    let alone = program
        .run(&[Some(&x); 3], &mut Array::default())
        .unwrap_err();
    assert!(alone.to_string().contains("changes as many arrays"));
    let sum = program.reduced(
        ReduceOp::Sum,
        Axes {
            axes: &[0],
            keep_dims: false,
        },
    );
    assert!(sum.unwrap_err().to_string().contains("several results"));
}

#[test]
fn arrays_that_do_not_fit_stay_as_they_are() {
    let steps = [
        step(ElementOp::Add, &[Input(0), Input(2)]),
        step(ElementOp::Add, &[Input(1), Of(0)]),
    ];
    let program = Program::updating(&[(DType::F32, Width::Row); 3], &steps, &[0, 1]).unwrap();
    let fails = |b: Array, c: Array| {
        let (mut a, mut b) = (Array::new(&[2], vec![1f32, 2.0]), b);
        let error = program.update(&mut [&mut a, &mut b], &[&c]).unwrap_err();
        assert_eq!(a, Array::new(&[2], vec![1f32, 2.0]));
        error.to_string()
    };
    let vector = |len: usize| Array::new(&[len], vec![1f32; len]);
    assert!(
        fails(vector(1), vector(2)).contains("one of shape [1] can't hold values of shape [2]")
    );
    let wide = Array::new(&[3, 2], vec![1f32; 6]);
    assert!(fails(vector(2), wide).contains("can't hold values of shape [3,2]"));
    assert!(fails(vector(2), Array::new(&[2], vec![1i32; 2])).contains("don't fit the program"));
    fails(vector(2), vector(3));
}
