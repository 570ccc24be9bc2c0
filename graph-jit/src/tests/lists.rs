//! Programs that read and write lists, and multiply-adds.

use graph_kernels::codegen::{Codegen, MemoryTypes, WordSource};
use graph_kernels::simd::{Level, with_level};
use graph_kernels::{Array, DType, ElementOp, List, Memory, Rows, WordProgram, WordStep};
use smallvec::smallvec;

use super::random::case_with_lists;
use super::{ZEROS, comparable, compare, results, source};
use crate::Cranelift;

#[test]
fn random_programs_write_the_same_lists() {
    let codegen = Cranelift::new().unwrap();
    let (mut ends, mut grown) = (0, 0);
    for seed in 0..600 {
        let case = case_with_lists(seed);
        let text = format!("{seed}: {:?}", case.source);
        let program = WordProgram::new(&case.source.steps, &case.source.constants).unwrap();
        let code = codegen.words(&case.source, &case.types(), 0).unwrap();
        let arrays: Vec<&Array> = case.arrays.iter().collect();
        let (mut expected, mut ran) = (case.lists(), case.lists());
        let mut registers = [case.registers; 2];
        let mut memory = Memory {
            arrays: &arrays,
            lists: &mut expected,
        };
        let done = program.run_in(&mut registers[0], &mut memory);
        let mut memory = Memory {
            arrays: &arrays,
            lists: &mut ran,
        };
        assert_eq!(
            code.run(&mut registers[1], &mut memory, 0),
            done.is_ok(),
            "{text}"
        );
        if done.is_err() {
            // The interpreter begins anew, with what was written, and fails in the same way.
            assert_eq!(
                program.run_in(&mut registers[1], &mut memory),
                done,
                "{text}"
            );
        } else {
            let [expected, ran] = registers.each_ref().map(|all| results(&case.source, all));
            assert_eq!(ran, expected, "{text}");
            ends += 1;
        }
        for (expected, ran) in expected.into_iter().zip(ran) {
            let arrays = [expected, ran].map(|list| list.into_array().unwrap());
            grown += u32::from(arrays[0].len() > 4);
            assert_eq!(arrays[0].shape(), arrays[1].shape(), "{text}");
            let [expected, ran] = arrays.map(|array| words_of(&array));
            assert_eq!(ran, expected, "{text}");
        }
    }
    assert!((100..550).contains(&ends), "{ends}");
    assert!(grown > 20, "{grown}");
}

/// The values of an array as words, all NaNs as one.
fn words_of(array: &Array) -> Vec<u64> {
    let words = (0..array.len()).map(|n| array.word_at(n).unwrap());
    words.map(|word| comparable(array.dtype(), word)).collect()
}

/// A program that writes r0, as a row of two values, at the positions below r1, and leaves its last position in r2.
fn growing(grows: bool) -> WordSource {
    let dtype = DType::I64;
    let steps = [
        WordStep::UnlessHolds {
            op: ElementOp::Less,
            dtype,
            operands: [2, 1],
            target: 4,
        },
        WordStep::Write {
            list: 0,
            index: 2,
            dtype,
            from: smallvec![0, 2],
            grows,
        },
        WordStep::Apply {
            op: ElementOp::Add,
            dtype,
            operands: smallvec![2, 8],
            to: 2,
        },
        WordStep::Jump(0),
    ];
    let mut source = source(&steps, &[(2, dtype)]);
    source.constants = vec![(8, 1)];
    source
}

#[test]
fn a_list_grows_in_code_as_in_the_interpreter() {
    for (grows, rows, end) in [(true, 100, 100), (false, 5, 5), (false, 6, 5)] {
        let source = growing(grows);
        let array = Array::zeros(DType::I64, &[5, 2]);
        let list = || List::new(array.clone(), DType::I64, &[2]).unwrap();
        let mut lists = [list()];
        let mut memory = Memory {
            arrays: &[],
            lists: &mut lists,
        };
        let code = Cranelift::new().unwrap();
        let code = code.words(&source, &MemoryTypes::of(&memory), 0).unwrap();
        let mut registers = ZEROS;
        (registers[0], registers[1]) = (7, rows);
        assert_eq!(code.run(&mut registers, &mut memory, 0), rows == end);
        let [list] = lists;
        let values = (0..end as i64).flat_map(|n| [7, n]).collect::<Vec<i64>>();
        assert_eq!(
            list.into_array().unwrap(),
            Array::new(&[end as usize, 2], values)
        );
    }
}

#[test]
fn code_with_multiply_adds_is_for_the_level_of_its_thread() {
    let step = |dtype| WordStep::MulAdd {
        dtype,
        operands: [0, 1, 2],
        to: 3,
    };
    // One rounding gives the rest of the product, two give 0.
    let (x, e) = (1.0 + f64::EPSILON, f64::EPSILON);
    let mut registers = ZEROS;
    registers[..3].copy_from_slice(&[x, x, -(1.0 + 2.0 * e)].map(f64::to_bits));
    let source = source(&[step(DType::F64)], &[(3, DType::F64)]);
    let codes = Level::supported().map(|level| {
        let codegen = Cranelift::new().unwrap();
        let code = with_level(level, || codegen.words(&source, &MemoryTypes::default(), 0));
        (level, code.unwrap().unwrap())
    });
    let codes: Vec<_> = codes.collect();
    for level in Level::supported() {
        with_level(level, || {
            assert!(compare(&source, &registers, &[], level.name()));
            for (made, code) in &codes {
                let mut registers = registers;
                let ran = code.run(&mut registers, &mut Memory::of(&[]), 0);
                assert_eq!(ran, made.fuses() == level.fuses());
                let rest = if level.fuses() { e * e } else { 0.0 };
                assert!(!ran || f64::from_bits(registers[3]) == rest);
            }
        });
    }
}

#[test]
fn a_list_is_read_inside_only() {
    let read = WordStep::Read {
        from: Rows::Fixed(0),
        element: 1,
        index: 0,
        dtype: DType::I32,
        to: 1,
    };
    let source = source(&[read], &[(1, DType::F32)]);
    let rows = Array::new(&[2, 2], vec![1.5f32, 2.5, 3.5, 4.5]);
    let mut inside = 0;
    for index in [-1i32, 0, 1, 2] {
        let mut registers = ZEROS;
        registers[0] = u64::from(index as u32);
        inside += u32::from(compare(&source, &registers, &[&rows], &format!("{index}")));
    }
    assert_eq!(inside, 2);
}
