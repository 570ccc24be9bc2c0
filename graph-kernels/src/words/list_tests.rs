//! Lists of a run, the order in which programs may read and write them, and multiply-adds.

use smallvec::smallvec;

use super::order::writes_after_reads;
use super::*;
use crate::NO_SHAPE;
use crate::simd::{Level, with_level};

fn open(rows: usize) -> Array {
    Array::zeros(DType::I32, &[[rows].as_slice(), &NO_SHAPE].concat())
}

#[test]
fn a_list_keeps_its_rows_and_grows_by_zeros() {
    let array = Array::new(&[2, 2], vec![1, 2, 3, 4]);
    let mut list = List::new(array, DType::I32, &[2]).unwrap();
    list.write(1, [5, 6].into_iter(), false).unwrap();
    list.write(3, [7, 8].into_iter(), true).unwrap();
    let rows = vec![1, 2, 5, 6, 0, 0, 7, 8];
    assert_eq!(list.into_array(), Ok(Array::new(&[4, 2], rows)));
}

#[test]
fn rows_outside_are_refused() {
    let mut list = List::new(Array::zeros(DType::I32, &[2]), DType::I32, &[]).unwrap();
    for (index, grows) in [(2, false), (-1, false), (-1, true)] {
        let error = list.write(index, [1].into_iter(), grows).unwrap_err();
        let text = format!("Trying to modify element {index} in a list with 2 elements.");
        assert_eq!(error.to_string(), text);
    }
    assert!(list.write(i64::MAX, [1].into_iter(), true).is_err());
    assert_eq!(list.into_array(), Ok(Array::zeros(DType::I32, &[2])));
}

#[test]
fn a_list_without_a_row_shape_gets_it_by_a_write() {
    let list = || List::new(open(2), DType::I32, &[3]).unwrap();
    assert_eq!(list().into_array(), Ok(open(2)));
    let mut written = list();
    written.write(0, [1, 2, 3].into_iter(), false).unwrap();
    let rows = Array::new(&[2, 3], vec![1, 2, 3, 0, 0, 0]);
    assert_eq!(written.into_array(), Ok(rows));
}

#[test]
fn rows_of_another_shape_stay_and_take_no_writes() {
    let array = Array::new(&[2, 1], vec![1, 2]);
    let mut list = List::new(array.clone(), DType::I32, &[3]).unwrap();
    let error = list.write(0, [1, 2, 3].into_iter(), true).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("Item element shape: [3] list shape: [1]")
    );
    assert!(list.data().is_none());
    assert_eq!(list.into_array(), Ok(array));
    assert!(List::new(Array::scalar(1), DType::I32, &[]).is_err());
    assert!(List::new(open(1), DType::F32, &[]).is_err());
}

fn write(list: u8) -> WordStep {
    WordStep::Write {
        list,
        index: 0,
        dtype: DType::I64,
        from: smallvec![1],
        grows: false,
    }
}

fn read(list: u8) -> WordStep {
    WordStep::Read {
        from: Rows::List(list),
        element: 0,
        index: 0,
        dtype: DType::I64,
        to: 2,
    }
}

#[test]
fn no_program_writes_a_list_after_it_has_read_it() {
    let unless = |target| WordStep::Unless {
        condition: 3,
        target,
    };
    assert!(!writes_after_reads(&[write(0), read(0), read(0)]));
    assert!(writes_after_reads(&[read(0), write(0)]));
    assert!(!writes_after_reads(&[read(1), write(0)]));
    // In a loop, what stands before is done after, too.
    assert!(writes_after_reads(&[
        unless(4),
        write(0),
        read(0),
        WordStep::Jump(0)
    ]));
    assert!(!writes_after_reads(&[
        unless(3),
        write(0),
        WordStep::Jump(0),
        unless(6),
        read(0),
        WordStep::Jump(3),
    ]));
    // Of two branches only one is taken.
    assert!(!writes_after_reads(&[
        unless(3),
        read(0),
        WordStep::Jump(4),
        write(0)
    ]));
    assert!(WordProgram::new(&[read(0), write(0)], &[]).is_none());
}

#[test]
fn a_multiply_add_is_that_of_products_at_every_level() {
    let step = WordStep::MulAdd {
        dtype: DType::F64,
        operands: [0, 1, 2],
        to: 3,
    };
    let program = WordProgram::new(&[step], &[]).unwrap();
    // One rounding gives what two lose of the product.
    let x = 1.0 + f64::EPSILON;
    let values = [x, x, -(1.0 + 2.0 * f64::EPSILON)];
    for level in Level::supported() {
        let result = with_level(level, || {
            let mut registers = [0; REGISTERS];
            registers[..3].copy_from_slice(&values.map(f64::to_bits));
            program.run(&mut registers, &[]).unwrap();
            let a = Array::new(&[1, 2], vec![1.0, values[0]]);
            let b = Array::new(&[2, 1], vec![values[2], values[1]]);
            let mut product = Array::default();
            crate::matmul(&a, &b, false, false, &mut product).unwrap();
            (registers[3], product.word_at(0).unwrap())
        });
        let (word, product) = result.unwrap();
        assert_eq!(word, product, "{level:?}");
        assert_eq!(word == 0f64.to_bits(), !level.fuses(), "{level:?}");
    }
}
