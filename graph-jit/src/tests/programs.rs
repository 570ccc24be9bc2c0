//! Random programs from their beginnings, and what only some programs do.

use graph_kernels::{Array, DType, ElementOp, Memory, Rows, WordStep};
use smallvec::smallvec;

use super::random::case;
use super::{ZEROS, compare, source};

#[test]
fn random_programs_give_the_results_of_the_interpreter() {
    let mut done = 0;
    for seed in 0..600 {
        let case = case(seed);
        let arrays: Vec<&Array> = case.arrays.iter().collect();
        let text = format!("{seed}: {:?}", case.source);
        done += u32::from(compare(&case.source, &case.registers, &arrays, &text));
    }
    assert!((100..550).contains(&done), "{done}");
}

#[test]
fn arrays_are_read_from_both_ends_and_not_outside() {
    for dtype in [DType::I32, DType::I64] {
        let read = WordStep::Read {
            from: Rows::Array(0),
            element: 0,
            index: 0,
            dtype,
            to: 1,
        };
        let source = source(&[read], &[(1, DType::I16)]);
        let row = Array::new(&[3], vec![-5i16, 6, 7]);
        let mut inside = 0;
        for index in [-4, -3, -1, 0, 2, 3, i64::from(i32::MIN), i64::MAX, i64::MIN] {
            let mut registers = ZEROS;
            registers[0] = index as u64;
            let case = format!("position {index} as {dtype}");
            inside += u32::from(compare(&source, &registers, &[&row], &case));
        }
        // The lowest `int64` is 0 in the low bits of a word, and the highest is -1.
        assert_eq!(inside, if dtype == DType::I32 { 6 } else { 4 });
    }
}

#[test]
fn the_values_of_rows_are_read() {
    for element in [0, 2] {
        let read = WordStep::Read {
            from: Rows::Array(0),
            element,
            index: 0,
            dtype: DType::I64,
            to: 1,
        };
        let source = source(&[read], &[(1, DType::F32)]);
        let rows = Array::new(&[2, 1, 3], vec![1.5f32, 2.5, 3.5, 4.5, 5.5, 6.5]);
        let mut inside = 0;
        for index in [-3i64, -2, -1, 0, 1, 2] {
            let mut registers = ZEROS;
            registers[0] = index as u64;
            let case = format!("value {element} at {index}");
            inside += u32::from(compare(&source, &registers, &[&rows], &case));
        }
        assert_eq!(inside, 4);
    }
}

#[test]
fn other_arrays_than_the_code_is_for_are_refused() {
    use graph_kernels::codegen::{Codegen, MemoryTypes};
    let read = WordStep::Read {
        from: Rows::Array(0),
        element: 0,
        index: 0,
        dtype: DType::I64,
        to: 1,
    };
    let source = source(&[read], &[(1, DType::I64)]);
    let code = crate::Cranelift::new().unwrap();
    let row = Array::new(&[1], vec![4i64]);
    let types = MemoryTypes::of(&Memory::of(&[&row]));
    let code = code.words(&source, &types, 0).unwrap();
    let mut registers = ZEROS;
    let mut run = |arrays: &[&Array], at| {
        let done = code.run(&mut registers, &mut Memory::of(arrays), at);
        done.then_some(registers[1])
    };
    assert_eq!(run(&[&row], 0), Some(4));
    assert_eq!(run(&[&row], 1), None);
    assert_eq!(run(&[], 0), None);
    assert_eq!(run(&[&Array::new(&[1], vec![4i32])], 0), None);
    assert_eq!(run(&[&Array::scalar(4i64)], 0), None);
    assert_eq!(run(&[&Array::new(&[1, 0], Vec::<i64>::new())], 0), None);
}

#[test]
fn a_branch_of_cheap_steps_takes_the_values_of_one_way() {
    let apply = |op, a, b, to| WordStep::Apply {
        op,
        dtype: DType::F64,
        operands: smallvec![a, b],
        to,
    };
    let steps = [
        WordStep::UnlessHolds {
            op: ElementOp::Less,
            dtype: DType::F64,
            operands: [0, 1],
            target: 4,
        },
        apply(ElementOp::Mul, 0, 1, 2),
        apply(ElementOp::Add, 2, 0, 0),
        WordStep::Jump(5),
        apply(ElementOp::Sub, 1, 0, 1),
    ];
    let source = source(&steps, &[(0, DType::F64), (1, DType::F64)]);
    for (a, b) in [(1.0, 2.0), (2.0, 1.0), (f64::NAN, 1.0)] {
        let mut registers = ZEROS;
        (registers[0], registers[1]) = (f64::to_bits(a), f64::to_bits(b));
        assert!(compare(&source, &registers, &[], &format!("{a} {b}")));
    }
}
