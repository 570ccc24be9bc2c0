//! Updates at positions, and reductions of segments.

use super::*;

const SCATTERS: [&OpDef; 5] = [
    &ops::SCATTER_UPDATE,
    &ops::SCATTER_ADD,
    &ops::SCATTER_SUB,
    &ops::SCATTER_MIN,
    &ops::SCATTER_MAX,
];

#[test]
fn updates_of_one_element_are_applied_in_their_order() {
    for op in SCATTERS {
        for dtype in DTYPES {
            let operands = vec![
                cast(&numbers(&[13, 5, 3]), dtype),
                positions(&[70, 1], 13),
                cast(&numbers(&[70, 5, 3]), dtype),
            ];
            Applied::new(op, &[], operands).gives_the_same();
        }
        let pairs = Array::new(&[2, 20, 2], {
            let pair = |i: i64| [(i * 5) % 13, (i * i) % 5];
            (0..40).flat_map(pair).collect::<Vec<i64>>()
        });
        let operands = vec![numbers(&[13, 5, 3]), pairs, numbers(&[2, 20, 3])];
        Applied::new(op, &[], operands).gives_the_same();
        let operands = vec![numbers(&[40]), positions(&[6000, 1], 40), numbers(&[6000])];
        Applied::new(op, &[], operands).gives_the_same();
    }
}

#[test]
fn positions_outside_of_a_tensor_are_faults() {
    for position in [-1, 13] {
        let indices = Array::new(&[2, 1], vec![3, position]);
        let operands = vec![numbers(&[13, 5]), indices, numbers(&[2, 5])];
        Applied::new(&ops::SCATTER_ADD, &[], operands).fails_the_same();
        let indices = Array::new(&[2], vec![3, position]);
        let operands = vec![numbers(&[13, 5]), numbers(&[2, 5]), indices];
        let attrs = [Attr::Int(0), Attr::Int(0)];
        Applied::new(&ops::GATHER_ADD, &attrs, operands).fails_the_same();
    }
    let ids = Array::new(&[20], vec![7; 20]);
    let operands = vec![numbers(&[20, 5]), ids];
    Applied::new(&ops::UNSORTED_SEGMENT_SUM, &[Attr::Int(7)], operands).fails_the_same();
}

#[test]
fn gradients_of_lookups_are_the_cpus() {
    for (axis, batch, indices, part) in [
        (0, 0, &[50][..], &[50, 9, 4][..]),
        (1, 0, &[3, 7], &[6, 3, 7, 4]),
        (1, 1, &[6, 30], &[6, 30, 4]),
        (2, 1, &[6, 30], &[6, 9, 30]),
    ] {
        let limit = [6, 9, 4][axis as usize];
        let operands = vec![
            numbers(&[6, 9, 4]),
            numbers(part),
            positions(indices, limit),
        ];
        let attrs = [Attr::Int(axis), Attr::Int(batch)];
        Applied::new(&ops::GATHER_ADD, &attrs, operands).gives_the_same();
    }
    for (axis, indices) in [(0, [30, 9]), (1, [6, 30]), (1, [1, 30])] {
        let operands = vec![
            numbers(&[6, 9]),
            positions(&indices, [6, 9][axis as usize]),
            numbers(&if axis == 0 { [30, 9] } else { [6, 30] }),
        ];
        Applied::new(&ops::ADD_ALONG_AXIS, &[Attr::Int(axis)], operands).gives_the_same();
    }
    let scalar = |at: i32| Array::new(&[], vec![at]);
    let operands = vec![numbers(&[6, 9, 4]), numbers(&[4]), scalar(5), scalar(-2)];
    Applied::new(&ops::INDEX_ADD, &[], operands).gives_the_same();
}

#[test]
fn segments_are_reduced_in_the_order_of_their_rows() {
    let sorted = [
        &ops::SEGMENT_SUM,
        &ops::SEGMENT_PROD,
        &ops::SEGMENT_MAX,
        &ops::SEGMENT_MIN,
        &ops::SEGMENT_MEAN,
    ];
    let unsorted = [
        &ops::UNSORTED_SEGMENT_SUM,
        &ops::UNSORTED_SEGMENT_PROD,
        &ops::UNSORTED_SEGMENT_MAX,
        &ops::UNSORTED_SEGMENT_MIN,
        &ops::UNSORTED_SEGMENT_MEAN,
    ];
    // The sorted ids leave one out, and the others leave out more.
    let ids: Vec<i32> = (0..40).map(|i| i / 3 + i / 20 * 2).collect();
    let other: Vec<i64> = (0..40).map(|i| (i * i * 5) % 9 - 1).collect();
    for dtype in DTYPES {
        let x = cast(&numbers(&[40, 6]), dtype);
        for (sorted, unsorted) in sorted.into_iter().zip(unsorted) {
            if dtype.is_integer() && sorted.name == "segment_mean" {
                continue;
            }
            let ids = Array::new(&[40], ids.clone());
            Applied::new(sorted, &[], vec![x.clone(), ids]).gives_the_same();
            let ids = Array::new(&[40], other.clone());
            let operands = vec![x.clone(), ids];
            Applied::new(unsorted, &[Attr::Int(11)], operands).gives_the_same();
        }
    }
}

#[test]
fn numbers_are_counted() {
    for (min, max) in [(0, -1), (30, -1), (0, 5), (12, 12)] {
        let attrs = [Attr::Int(min), Attr::Int(max)];
        let x = positions(&[10, 30], 17);
        Applied::new(&ops::BINCOUNT, &attrs, vec![x.clone()]).gives_the_same();
        let operands = vec![x, numbers(&[10, 30])];
        Applied::new(&ops::WEIGHTED_BINCOUNT, &attrs, operands).gives_the_same();
    }
    let attrs = [Attr::Int(12), Attr::Int(12)];
    let x = Array::new(&[30], vec![-1; 30]);
    Applied::new(&ops::BINCOUNT, &attrs, vec![x]).fails_the_same();
}
