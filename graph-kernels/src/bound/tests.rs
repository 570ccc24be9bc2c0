use smallvec::smallvec;

use super::*;
use crate::{Dims, ElementOp, Operand, REGISTERS, Step, WordStep, matmul};

use BoundArray::{Changing, Fixed};

fn vector(values: [f32; 2]) -> Array {
    Array::new(&[2], values.to_vec())
}

/// Counts the second changing array up.
fn counter(limit: u64) -> BoundStep {
    counter_of(1, limit)
}

/// Counts a changing array, an `int32`, up while it is below a limit. The next one is the truth value of the comparison.
pub(crate) fn counter_of(array: usize, limit: u64) -> BoundStep {
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
        inputs: vec![(Changing(array), None, 0)],
        arrays: vec![],
        outputs: vec![
            written(array, DType::I32, 0),
            written(array + 1, DType::Bool, 3),
        ],
        leaves_unless: None,
    })
}

/// Runs a loop from the position 0 on; returns how it ended and the position.
fn run(
    steps: Vec<BoundStep>,
    fixed: &[&Array],
    first: &mut Array,
    others: &mut [&mut Array],
) -> (Option<BoundEnd>, i32) {
    let code = BoundLoop::new(steps, Some(Changing(2)));
    let (mut position, mut held) = (Array::scalar(0), Array::scalar(true));
    let mut changing = vec![first, &mut position, &mut held];
    changing.extend(others.iter_mut().map(|array| &mut **array));
    let end = code.run(fixed, &mut changing, &mut [0; REGISTERS]);
    (end, position.values::<i32>().unwrap()[0])
}

fn ended(iterations: u64, stopped: Option<usize>) -> Option<BoundEnd> {
    Some(BoundEnd {
        iterations,
        stopped,
    })
}

#[test]
fn arrays_have_their_values_after_any_number_of_exchanges() {
    for n in 1..8 {
        let [mut a, mut b, mut c] = [0.0, 1.0, 2.0].map(|first| vector([first, 9.0]));
        // One after the other: the values move on by one array.
        let steps = vec![BoundStep::Swap(0, 3), BoundStep::Swap(3, 4), counter(n)];
        let (end, position) = run(steps, &[], &mut a, &mut [&mut b, &mut c]);
        assert_eq!((end, position), (ended(n - 1, None), n as i32));
        let first = |array: &Array| array.values::<f32>().unwrap()[0] as u64;
        let expected = [n % 3, (n + 1) % 3, (n + 2) % 3];
        assert_eq!([first(&a), first(&b), first(&c)], expected);
    }
}

#[test]
fn a_row_that_a_list_does_not_have_stops_the_loop() {
    let mut list = Array::zeros(DType::F32, &[3, 2]);
    let row = vector([1.0, 2.0]);
    let write = BoundStep::Write {
        list: 0,
        at: Changing(1),
        row: Fixed(0),
    };
    let (end, position) = run(vec![write, counter(5)], &[&row], &mut list, &mut []);
    assert_eq!((end, position), (ended(3, Some(0)), 3));
    let rows = [1.0f32, 2.0].repeat(3);
    assert_eq!(list, Array::new(&[3, 2], rows));
}

#[test]
fn arrays_that_do_not_fit_stay() {
    let mut list = Array::zeros(DType::F32, &[3, 2]);
    let row = Array::new(&[3], vec![1f32; 3]);
    let write = BoundStep::Write {
        list: 0,
        at: Changing(1),
        row: Fixed(0),
    };
    let (end, position) = run(vec![counter(5), write], &[&row], &mut list, &mut []);
    assert_eq!((end, position), (None, 0));
    assert_eq!(list, Array::zeros(DType::F32, &[3, 2]));
}

#[test]
fn a_product_and_its_chain_are_those_of_the_kernels() {
    let numbers = |shape: &[usize]| {
        let len: usize = shape.iter().product();
        let values = (0..len).map(|n| (n * 7 % 11) as f32 / 4.0 - 1.0);
        Array::new(shape, values.collect())
    };
    let (w, rows) = (numbers(&[20, 20]), numbers(&[5, 20]));
    // The row at the position is added to the product, and the sum goes through `tanh`.
    let add = Step {
        op: ElementOp::Add.into(),
        operands: smallvec![Operand::Input(0), Operand::Input(1)],
    };
    let tanh = Step {
        op: ElementOp::Tanh.into(),
        operands: smallvec![Operand::Step(0)],
    };
    let program = Program::new(&[DType::F32; 2], &[add, tanh]).unwrap();
    let program = program.known(&[&[1, 20], &[20]]).with_row(1, 1, false);
    let (mut x, mut next) = (numbers(&[1, 20]), Array::zeros(DType::F32, &[1, 20]));
    let mut expected = x.clone();
    for n in 0..5 {
        let mut product = Array::default();
        matmul(&expected, &w, false, true, &mut product).unwrap();
        let position = Array::scalar(n);
        let inputs = [None, Some(&rows), Some(&position)];
        program.run(&inputs, &mut product).unwrap();
        expected = product;
    }
    let product = BoundStep::Product {
        operands: [Changing(0), Fixed(0)],
        transposed: [false, true],
        behind: Some((
            Arc::new(program),
            vec![None, Some(Fixed(1)), Some(Changing(1))],
        )),
        to: 3,
    };
    let steps = vec![product, BoundStep::Swap(0, 3), counter(5)];
    let (end, _) = run(steps, &[&w, &rows], &mut x, &mut [&mut next]);
    assert_eq!(end, ended(4, None));
    assert_eq!(x, expected);
}

/// Machine code of a loop would ask where in a period of no values a block begins.
#[test]
fn chains_without_values_are_not_bound() {
    let sub = Step {
        op: ElementOp::Sub.into(),
        operands: smallvec![Operand::Input(0), Operand::Input(1)],
    };
    let program = Program::new(&[DType::F32; 2], &[sub]).unwrap();
    let program = Arc::new(program.known(&[&[3], &[2, 0, 3]]));
    let chain = BoundStep::Chain {
        program,
        inputs: vec![Some(Fixed(0)), None],
        to: 0,
    };
    let row = Array::new(&[3], vec![1f32; 3]);
    let mut none = Array::zeros(DType::F32, &[2, 0, 3]);
    let (end, position) = run(vec![chain, counter(5)], &[&row], &mut none, &mut []);
    assert_eq!((end, position), (None, 0));
}
