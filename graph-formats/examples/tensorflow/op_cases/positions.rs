//! Reading and replacing by position.

use graph_ir::ops::Attr;
use graph_kernels::{Array, DType};

use super::{Case, attrs, bools, floats, int, ints, plain, scalar, small, vector};

pub(super) fn positions() -> Vec<Case> {
    let x = || floats(&[4, 3, 2]);
    let axis = |n| attrs([("axis", int(n))]);
    let sliced = || {
        attrs([
            ("axes", ints(&[0, 1])),
            ("begins", ints(&[1, 2])),
            ("ends", ints(&[4, 0])),
            ("steps", ints(&[2, -1])),
            ("masks", ints(&[0, 2])),
        ])
    };
    let mask = |axis, mask| attrs([("axis", int(axis)), ("mask", int(mask))]);
    let rows = || Array::new(&[2, 1], vec![1, 3]);
    vec![
        plain("index", vec![x(), scalar(-1), scalar(2)]),
        plain("index_add", vec![x(), floats(&[2]), scalar(-1), scalar(2)]),
        ("index_axis", axis(1), vec![x(), scalar(2)]),
        ("strided_slice", sliced(), vec![x()]),
        ("strided_slice_add", sliced(), vec![x(), floats(&[2, 3, 2])]),
        plain("slice_rows", vec![x(), scalar(1), scalar(3)]),
        (
            "slice_axis",
            mask(1, 2),
            vec![x(), scalar(1), scalar(0), scalar(1)],
        ),
        (
            "slice_axis_add",
            mask(1, 2),
            vec![x(), floats(&[4, 2, 2]), scalar(1), scalar(0), scalar(1)],
        ),
        (
            "slice",
            attrs([("sizes", ints(&[2, -1, 1]))]),
            vec![x(), vector(&[1, 1, 0])],
        ),
        plain(
            "slice_to",
            vec![x(), vector(&[1, 1, 0]), vector(&[2, -1, 1])],
        ),
        plain(
            "slice_add",
            vec![x(), floats(&[2, 1, 1]), vector(&[1, 1, 0])],
        ),
        plain("set_row", vec![x(), scalar(-1), floats(&[3, 2])]),
        (
            "set_part",
            attrs([("axes", ints(&[0, 1])), ("masks", ints(&[4, 2]))]),
            vec![
                x(),
                floats(&[2]),
                scalar(1),
                scalar(0),
                scalar(1),
                scalar(1),
                scalar(0),
                scalar(1),
            ],
        ),
        (
            "one_hot",
            attrs([("depth", int(3)), ("dtype", Attr::DType(DType::F32))]),
            vec![vector(&[2, -1, 0])],
        ),
        plain(
            "boolean_mask",
            vec![x(), bools(&[true, false, false, true])],
        ),
        ("gather", axis(1), vec![x(), vector(&[2, 0])]),
        (
            "batch_gather",
            attrs([("axis", int(1)), ("batch_dims", int(1))]),
            vec![x(), Array::new(&[4, 2], vec![0, 1, 2, 0, 1, 1, 2, 2])],
        ),
        (
            "take_along_axis",
            axis(-1),
            vec![floats(&[4, 3]), Array::new(&[1, 4], vec![0, -1, 1, 1])],
        ),
        (
            "take_along_axis",
            axis(0),
            vec![x(), Array::new(&[2, 1, 2], vec![3i64, 0, -4, 1])],
        ),
        (
            "add_along_axis",
            axis(1),
            vec![
                floats(&[2, 3]),
                Array::new(&[2, 2], vec![2, 2, -1, 0]),
                small(&[2, 2]),
            ],
        ),
        (
            "gather_nd",
            attrs([("batch_dims", int(0))]),
            vec![x(), rows()],
        ),
        (
            "gather_add",
            attrs([("axis", int(0)), ("batch_dims", int(0))]),
            vec![x(), floats(&[2, 3, 2]), vector(&[3, 3])],
        ),
        (
            "gather_add",
            attrs([("axis", int(1)), ("batch_dims", int(0))]),
            vec![
                x(),
                floats(&[4, 5, 2, 2]),
                Array::new(&[5, 2], vec![0, 1, 2, 1, 0, 0, 0, 0, 1, 2]),
            ],
        ),
        plain("nonzero", vec![vector(&[0, 3, 0, 1])]),
        plain("scatter_update", vec![x(), rows(), floats(&[2, 3, 2])]),
        plain("scatter_add", vec![x(), rows(), floats(&[2, 3, 2])]),
        plain("scatter_sub", vec![x(), rows(), floats(&[2, 3, 2])]),
        plain("scatter_min", vec![x(), rows(), small(&[2, 3, 2])]),
        plain("scatter_max", vec![x(), rows(), small(&[2, 3, 2])]),
        plain("invert_permutation", vec![vector(&[2, 0, 1])]),
    ]
}
