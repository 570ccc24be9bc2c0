//! Programs of rows, whose steps behind the last reduction are machine code, held against the interpreter.

use Operand::{Input, Step as Of};
use graph_kernels::simd::level;
use graph_kernels::{Array, DType, ElementOp, Operand, Program, ReduceOp, Step, StepOp, Width};

use super::chains::{Random, both, both_in_place, step, with_vectors};

fn reduce(op: ReduceOp, operand: Operand) -> Step {
    Step {
        op: StepOp::Reduce(op),
        operands: [operand].into_iter().collect(),
    }
}

/// `(x - mean) * rsqrt(variance + e) * scale + shift`.
fn layer_norm() -> Vec<Step> {
    vec![
        reduce(ReduceOp::Mean, Input(0)),
        step(ElementOp::Sub, &[Input(0), Of(0)]),
        step(ElementOp::Square, &[Of(1)]),
        reduce(ReduceOp::Mean, Of(2)),
        step(ElementOp::Add, &[Of(3), Input(1)]),
        step(ElementOp::Rsqrt, &[Of(4)]),
        step(ElementOp::Mul, &[Of(1), Of(5)]),
        step(ElementOp::Mul, &[Of(6), Input(2)]),
        step(ElementOp::Add, &[Of(7), Input(3)]),
    ]
}

/// `exp(x - max) / sum + y`: the exponentials are kept from before the last reduction.
fn softmax() -> Vec<Step> {
    vec![
        reduce(ReduceOp::Max, Input(0)),
        step(ElementOp::Sub, &[Input(0), Of(0)]),
        step(ElementOp::Exp, &[Of(1)]),
        reduce(ReduceOp::Sum, Of(2)),
        step(ElementOp::Div, &[Of(2), Of(3)]),
        step(ElementOp::Mul, &[Of(4), Input(1)]),
        step(ElementOp::Mul, &[Of(5), Input(2)]),
        step(ElementOp::Add, &[Of(6), Input(3)]),
    ]
}

fn program(dtype: DType, steps: &[Step], shift: Width) -> Program {
    let widths = [Width::Row, Width::Uniform, Width::Row, shift];
    Program::of_rows(&widths.map(|width| (dtype, width)), steps).unwrap()
}

#[test]
fn rows_of_all_lengths_and_all_ways_to_read_inputs() {
    with_vectors(|| {
        let mut random = Random::new(11);
        for n in [1, 16, 64, 65, 100, 127, 1000, 1024, 1031, 2500, 9000] {
            // Of what is read by rows, and of what has one value for each row.
            let shapes: [[&[usize]; 3]; 5] = [
                [&[5, n], &[n], &[5, 1]],
                [&[1, n], &[1, n], &[1]],
                [&[2, 3, n], &[3, n], &[3, 1]],
                [&[2, 3, n], &[2, 1, n], &[2, 1, 1]],
                [&[n], &[], &[]],
            ];
            for ([x, scale, shift], dtype) in shapes
                .into_iter()
                .zip([DType::F32, DType::F64].into_iter().cycle())
            {
                for steps in [layer_norm(), softmax()] {
                    let program = program(dtype, &steps, Width::Column);
                    let inputs = [x, &[], scale, shift].map(|shape| random.array(dtype, shape));
                    let inputs = inputs.each_ref();
                    let [interpreted, code] = both(&program, &inputs, &Array::default());
                    assert_eq!(interpreted, code, "{x:?} {scale:?} {shift:?} {dtype}");
                    assert_eq!(program.has_code(), n >= 64, "{x:?} {dtype} {:?}", level());
                    let given = [None, Some(inputs[1]), Some(inputs[2]), Some(inputs[3])];
                    let [interpreted, code] = both_in_place(&program, &given, inputs[0]);
                    assert_eq!(interpreted, code, "in place of {x:?}");
                }
            }
        }
    });
}

/// Rows of which some begin at multiples of a vector and some don't; those of the second shape have pieces.
#[test]
fn large_results_have_the_same_bits_past_the_caches() {
    with_vectors(|| {
        let mut random = Random::new(12);
        for shape in [[3200, 1000], [800, 4096]] {
            let program = program(DType::F32, &layer_norm(), Width::Row);
            let x = random.array(DType::F32, &shape);
            let [epsilon, scale, shift] =
                [&[][..], &shape[1..], &shape[1..]].map(|shape| random.array(DType::F32, shape));
            let out = Array::zeros(DType::F32, &shape);
            let [interpreted, code] = both(&program, &[&x, &epsilon, &scale, &shift], &out);
            assert!(interpreted == code, "{shape:?}");
            assert!(program.has_code());
        }
    });
}
