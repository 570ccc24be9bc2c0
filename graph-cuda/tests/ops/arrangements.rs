//! Ops that take, move and choose parts.

use super::*;

#[test]
fn slices_are_taken_added_to_and_set() {
    let scalar = |at: i64| Array::new(&[], vec![at]);
    let vector = |at: &[i64]| Array::new(&[at.len()], at.to_vec());
    let x = || numbers(&[7, 6, 5]);
    let attrs = [
        ints(&[0, -1]),
        ints(&[-1, 1]),
        ints(&[0, 0]),
        ints(&[-2, 2]),
        ints(&[0, 2]),
    ];
    Applied::new(&ops::STRIDED_SLICE, &attrs, vec![x()]).gives_the_same();
    let operands = vec![x(), numbers(&[3, 6, 2])];
    Applied::new(&ops::STRIDED_SLICE_ADD, &attrs, operands).gives_the_same();
    let operands = vec![x(), vector(&[2, 0, 1])];
    Applied::new(&ops::SLICE, &[ints(&[3, -1, 4])], operands).gives_the_same();
    let operands = vec![x(), vector(&[2, 0, 1]), vector(&[-1, 5, 4])];
    Applied::new(&ops::SLICE_TO, &[], operands).gives_the_same();
    let operands = vec![x(), numbers(&[3, 5, 4]), vector(&[2, 0, 1])];
    Applied::new(&ops::SLICE_ADD, &[], operands).gives_the_same();
    for (bounds, mask, count) in [([1, 5, 2], 0, 2), ([-1, 0, -2], 3, 3), ([2, 0, 1], 2, 4)] {
        let attrs = [Attr::Int(1), Attr::Int(mask)];
        let bounds = bounds.map(scalar).to_vec();
        let operands = [vec![x()], bounds.clone()].concat();
        Applied::new(&ops::SLICE_AXIS, &attrs, operands).gives_the_same();
        let operands = [vec![x(), numbers(&[7, count, 5])], bounds].concat();
        Applied::new(&ops::SLICE_AXIS_ADD, &attrs, operands).gives_the_same();
    }
    let attrs = [ints(&[0, 2]), ints(&[4, 1])];
    let bounds = [-2, 0, 1, 0, 4, 2].map(scalar).to_vec();
    let operands = [vec![x(), numbers(&[6, 1])], bounds].concat();
    Applied::new(&ops::SET_PART, &attrs, operands).gives_the_same();
    for outside in [-1, 7] {
        let operands = vec![x(), vector(&[outside, 0, 1])];
        let applied = Applied::new(&ops::SLICE, &[ints(&[3, -1, 4])], operands);
        let _alone = alone();
        let message = applied.on(Device::cpu()).unwrap_err();
        assert_eq!(applied.on(gpu()).unwrap_err(), message);
    }
}

#[test]
fn arrangements_are_the_cpus() {
    let vector = |at: &[i64]| Array::new(&[at.len()], at.to_vec());
    for dtype in [DType::F32, DType::I8, DType::Bool, DType::F64] {
        let x = || cast(&numbers(&[7, 6, 5]), dtype);
        let operands = vec![x(), vector(&[2, -9, 1])];
        Applied::new(&ops::ROLL, &[ints(&[0, 2, 0])], operands).gives_the_same();
        let operands = vec![x(), vector(&[2, 0, 1, -4, 7, 1])];
        Applied::new(&ops::REPEAT_EACH, &[Attr::Int(1)], operands).gives_the_same();
        for (sequence, batch, lengths) in [(1, 0, &[6, 0, 1, 2, 3, 4, 5][..]), (0, -1, &[7; 5])] {
            let attrs = [Attr::Int(sequence), Attr::Int(batch)];
            let narrow: Vec<i32> = lengths.iter().map(|length| *length as i32).collect();
            for lengths in [vector(lengths), Array::new(&[narrow.len()], narrow)] {
                let operands = vec![x(), lengths];
                Applied::new(&ops::REVERSE_SEQUENCE, &attrs, operands).gives_the_same();
            }
        }
        for mode in ["reflect", "symmetric"] {
            let attrs = [
                Attr::Text(mode.to_owned()),
                ints(&[2, 0, 4]),
                ints(&[1, 3, 0]),
            ];
            Applied::new(&ops::MIRROR_PAD, &attrs, vec![x()]).gives_the_same();
        }
        let paddings = Array::new(&[3, 2], vec![1i64, 2, 0, 3, 2, 0]);
        let one = cast(&Array::new(&[], vec![1f32]), dtype);
        Applied::new(&ops::PAD_BY, &[], vec![x(), one, paddings]).gives_the_same();
        Applied::new(&ops::TILE_BY, &[], vec![x(), vector(&[2, 1, 3])]).gives_the_same();
        for diagonal in [0, 2, -3] {
            Applied::new(&ops::DIAG, &[Attr::Int(diagonal)], vec![x()]).gives_the_same();
            let length = [5, 3, 3][[0, 2, -3].iter().position(|d| *d == diagonal).unwrap()];
            let operands = vec![x(), cast(&numbers(&[7, length]), dtype)];
            Applied::new(&ops::SET_DIAG, &[Attr::Int(diagonal)], operands).gives_the_same();
        }
    }
    for wrong in [-1, 7] {
        let operands = vec![numbers(&[7, 6]), vector(&[1, 2, 3, 4, 5, 6, wrong])];
        let attrs = [Attr::Int(1), Attr::Int(0)];
        Applied::new(&ops::REVERSE_SEQUENCE, &attrs, operands).fails_the_same();
    }
}

#[test]
fn ranges_are_the_cpus() {
    for dtype in DTYPES {
        for [start, limit, delta] in [[1.0, 100.0, 3.0], [120.0, 3.0, -2.0]] {
            if dtype == DType::U8 && delta < 0.0 {
                continue;
            }
            let operands = [start, limit, delta];
            let operands = operands.map(|x| cast(&Array::new(&[], vec![x]), dtype));
            Applied::new(&ops::RANGE, &[], operands.to_vec()).gives_the_same();
        }
        if !dtype.is_integer() {
            let ends = [-1.5, 7.25].map(|x| cast(&Array::new(&[], vec![x]), dtype));
            let attrs = [Attr::Int(77)];
            Applied::new(&ops::LINSPACE, &attrs, ends.to_vec()).gives_the_same();
        }
    }
}

#[test]
fn what_a_mask_chooses_is_the_cpus() {
    for dtype in [DType::F32, DType::I64, DType::Bool] {
        let x = cast(&special(&[5, 9, 3]), dtype);
        Applied::new(&ops::NONZERO, &[], vec![x]).gives_the_same();
    }
    for shape in [&[5][..], &[5, 9], &[5, 9, 3]] {
        let mask = cast(&positions(shape, 2), DType::Bool);
        Applied::new(&ops::BOOLEAN_MASK, &[], vec![numbers(&[5, 9, 3]), mask]).gives_the_same();
    }
    let none = Array::new(&[90], vec![false; 90]);
    Applied::new(&ops::BOOLEAN_MASK, &[], vec![numbers(&[90, 2]), none]).gives_the_same();
}

#[test]
fn lists_are_written_and_joined() {
    let shape = |dims: &[Option<usize>]| Attr::Shape(Shape::of(dims.iter().copied()));
    let size = Array::new(&[], vec![9]);
    let attrs = [Attr::DType(DType::F64), shape(&[None, Some(4)])];
    Applied::new(&ops::LIST_NEW, &attrs, vec![size]).gives_the_same();
    let list = || numbers(&[9, 4]);
    for grows in [false, true] {
        let operands = vec![list(), positions(&[12], 9), numbers(&[12, 4])];
        Applied::new(&ops::LIST_SCATTER, &[Attr::Bool(grows)], operands).gives_the_same();
    }
    let operands = vec![numbers(&[30]), numbers(&[7, 2])];
    Applied::new(&ops::LIST_EXTEND, &[], operands).gives_the_same();
    Applied::new(&ops::LIST_ADD, &[], vec![list(), list()]).gives_the_same();
    let attrs = [Attr::Bool(false)];
    let outside = Array::new(&[2], vec![3, 9]);
    let operands = vec![list(), outside, numbers(&[2, 4])];
    Applied::new(&ops::LIST_SCATTER, &attrs, operands).fails_the_same();
}
