//! Reductions, running sums, sorting and counting.

use graph_kernels::Array;

use super::{Case, attrs, bools, floats, int, ints, plain, vector, yes};

pub(super) fn reductions() -> Vec<Case> {
    let mut cases = Vec::new();
    for op in [
        "reduce_sum",
        "reduce_prod",
        "reduce_mean",
        "reduce_max",
        "reduce_min",
    ] {
        for (axes, keep) in [(&[][..], false), (&[1], true), (&[0, -1], false)] {
            cases.push((
                op,
                attrs([("axes", ints(axes)), ("keep_dims", yes(keep))]),
                vec![floats(&[2, 3, 2])],
            ));
        }
    }
    for op in ["reduce_any", "reduce_all"] {
        cases.push((
            op,
            attrs([("axes", ints(&[0])), ("keep_dims", yes(false))]),
            vec![bools(&[true, false])],
        ));
    }
    for op in ["argmax", "argmin"] {
        cases.push((op, attrs([("axis", int(-1))]), vec![floats(&[2, 5])]));
    }
    for op in ["cumsum", "cumprod"] {
        for (exclusive, reverse) in [(false, false), (true, false), (false, true)] {
            let given = attrs([
                ("axis", int(1)),
                ("exclusive", yes(exclusive)),
                ("reverse", yes(reverse)),
            ]);
            cases.push((op, given, vec![floats(&[2, 4])]));
        }
    }
    for op in ["softmax", "log_softmax"] {
        cases.push((op, attrs([("axis", int(-1))]), vec![floats(&[2, 3])]));
        cases.push((op, attrs([("axis", int(0))]), vec![floats(&[2, 3])]));
    }
    const CROSS: &str = "sparse_softmax_cross_entropy_with_logits";
    cases.push(plain(CROSS, vec![vector(&[2, 0]), floats(&[2, 3])]));
    cases.push(plain(
        CROSS,
        vec![Array::new(&[2, 2], vec![2, 0, 1, 1]), floats(&[2, 2, 3])],
    ));
    for descending in [false, true] {
        for axis in [-1, 0] {
            let given = || attrs([("axis", int(axis)), ("descending", yes(descending))]);
            cases.push(("sort", given(), vec![floats(&[3, 4])]));
            cases.push(("argsort", given(), vec![floats(&[3, 4])]));
        }
        let given = attrs([("axis", int(0)), ("descending", yes(descending))]);
        cases.push((
            "sort",
            given.clone(),
            vec![Array::new(&[3], vec![5u8, 0, 255])],
        ));
        cases.push(("sort", given, vec![Array::new(&[3], vec![5i8, -128, 127])]));
    }
    cases.push(("top_k", attrs([("k", int(2))]), vec![floats(&[3, 4])]));
    for right in [false, true] {
        let sorted = Array::new(&[4], vec![1.0f32, 2.0, 2.0, 5.0]);
        let values = Array::new(&[3], vec![2.0f32, 0.0, 9.0]);
        cases.push((
            "searchsorted",
            attrs([("right", yes(right))]),
            vec![sorted, values],
        ));
    }
    for op in [
        "segment_sum",
        "segment_mean",
        "segment_prod",
        "segment_max",
        "segment_min",
    ] {
        cases.push(plain(op, vec![floats(&[4, 2]), vector(&[0, 0, 2, 2])]));
    }
    for op in [
        "unsorted_segment_sum",
        "unsorted_segment_mean",
        "unsorted_segment_prod",
        "unsorted_segment_max",
        "unsorted_segment_min",
    ] {
        cases.push((
            op,
            attrs([("count", int(3))]),
            vec![floats(&[4, 2]), vector(&[2, 0, 2, -1])],
        ));
    }
    for max in [-1, 3] {
        let given = || attrs([("min", int(2)), ("max", int(max))]);
        cases.push(("bincount", given(), vec![vector(&[1, 4, 1])]));
        cases.push((
            "weighted_bincount",
            given(),
            vec![vector(&[1, 4, 1]), floats(&[3])],
        ));
    }
    cases.push(plain("unique", vec![vector(&[3, 1, 3, 2])]));
    cases.push(plain("unique_index", vec![vector(&[3, 1, 3, 2])]));
    cases
}
