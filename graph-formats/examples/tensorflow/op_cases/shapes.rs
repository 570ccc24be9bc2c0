//! Shapes, and lists of rows.

use graph_ir::ops::Attr;
use graph_ir::types::Shape;
use graph_kernels::{Array, DType};

use super::{Case, attrs, floats, int, ints, plain, scalar, text, vector, yes};

pub(super) fn shapes() -> Vec<Case> {
    let x = || floats(&[2, 3]);
    let shape = |values: &[i64]| attrs([("shape", ints(values))]);
    let axis = |n| attrs([("axis", int(n))]);
    vec![
        ("reshape", shape(&[3, -1]), vec![x()]),
        (
            "relax_shape",
            attrs([("shape", Attr::Shape(Shape::of([None, Some(3)])))]),
            vec![x()],
        ),
        ("transpose", attrs([("perm", ints(&[1, 0]))]), vec![x()]),
        ("expand_dims", axis(-1), vec![x()]),
        (
            "squeeze",
            attrs([("axes", ints(&[1]))]),
            vec![floats(&[2, 1, 3])],
        ),
        ("concat", axis(-1), vec![x(), floats(&[2, 1])]),
        ("concat", axis(0), vec![x()]),
        ("stack", axis(1), vec![x(), x()]),
        ("broadcast_to", shape(&[2, 2, 3]), vec![x()]),
        ("tile", attrs([("multiples", ints(&[2, 1]))]), vec![x()]),
        plain("shape_of", vec![x()]),
        plain("size_of", vec![x()]),
        plain("rank_of", vec![x()]),
        plain("range", vec![scalar(1), scalar(9), scalar(3)]),
        ("fill", shape(&[2, 2]), vec![Array::scalar(1.5f32)]),
        plain("fill_to", vec![Array::scalar(true), vector(&[2, 1])]),
        (
            "linspace",
            attrs([("count", int(4))]),
            vec![Array::scalar(0f32), Array::scalar(3f32)],
        ),
        (
            "eye",
            attrs([
                ("rows", int(2)),
                ("cols", int(3)),
                ("dtype", Attr::DType(DType::F32)),
            ]),
            vec![],
        ),
        plain("reshape_to", vec![x(), vector(&[3, 2])]),
        plain("broadcast_as", vec![x(), vector(&[2, 2, 3])]),
        plain("tile_by", vec![x(), vector(&[1, 2])]),
        plain("sum_to", vec![floats(&[2, 3, 4]), vector(&[3, 1])]),
        (
            "pad",
            attrs([("before", ints(&[1, 0])), ("after", ints(&[0, 2]))]),
            vec![x(), Array::scalar(9f32)],
        ),
        (
            "mirror_pad",
            attrs([
                ("mode", text("reflect")),
                ("before", ints(&[1, 0])),
                ("after", ints(&[0, 2])),
            ]),
            vec![x()],
        ),
        plain(
            "pad_by",
            vec![
                x(),
                Array::scalar(9f32),
                Array::new(&[2, 2], vec![0, 1, 2, 0]),
            ],
        ),
        (
            "roll",
            attrs([("axes", ints(&[1]))]),
            vec![x(), vector(&[1])],
        ),
        (
            "repeat",
            attrs([("axis", int(1)), ("count", int(2))]),
            vec![x()],
        ),
        ("repeat_each", axis(1), vec![x(), vector(&[1, 0, 2])]),
        (
            "reverse_sequence",
            attrs([("seq_axis", int(1)), ("batch_axis", int(0))]),
            vec![x(), vector(&[2, 3])],
        ),
    ]
}

pub(super) fn lists() -> Vec<Case> {
    let row = || attrs([("shape", Attr::Shape(Shape::of([None, Some(2)])))]);
    let grows = || attrs([("grows", yes(true))]);
    vec![
        (
            "list_new",
            attrs([
                ("dtype", Attr::DType(DType::F32)),
                ("shape", Attr::Shape(Shape::of([None, Some(2)]))),
            ]),
            vec![scalar(3)],
        ),
        (
            "list_write",
            grows(),
            vec![floats(&[3, 2]), scalar(4), floats(&[2])],
        ),
        (
            "list_write",
            attrs([("grows", yes(false))]),
            vec![floats(&[3, 2]), scalar(1), floats(&[2])],
        ),
        (
            "list_scatter",
            grows(),
            vec![floats(&[3, 2]), vector(&[4, 0]), floats(&[2, 2])],
        ),
        plain("list_extend", vec![floats(&[3]), floats(&[2, 2])]),
        ("list_read", row(), vec![floats(&[3, 2]), scalar(1)]),
        plain("list_size", vec![floats(&[3, 2])]),
        ("list_rows", row(), vec![floats(&[3, 2])]),
        plain("list_concat", vec![floats(&[3, 2, 2])]),
        plain("list_add", vec![floats(&[3, 2]), floats(&[3, 2])]),
    ]
}
