//! Convolutions, matrices, strings and random numbers.

use graph_ir::ops::{Attr, Attrs, with_window};
use graph_kernels::{Array, DType, Padding, Window};

use super::{Case, attrs, floats, int, ints, plain, scalar, small, text, texts, vector, yes};

pub(super) fn images() -> Vec<Case> {
    let window = |strides, padding| {
        let window = Window {
            strides,
            dilations: [1, 1],
            padding,
        };
        with_window(Attrs::new(), window)
    };
    let pool = |size: &[i64], strides, padding| {
        let window = Window {
            strides,
            dilations: [1, 1],
            padding,
        };
        with_window(attrs([("size", ints(size))]), window)
    };
    let x = || floats(&[2, 6, 5, 3]);
    let (filter, sizes) = (|| small(&[3, 2, 3, 4]), || vector(&[2, 6, 5, 3]));
    vec![
        (
            "conv2d",
            window([1, 1], Padding::Valid),
            vec![x(), filter()],
        ),
        ("conv2d", window([2, 2], Padding::Same), vec![x(), filter()]),
        (
            "conv2d",
            window([1, 1], Padding::Explicit([[1, 0], [0, 2]])),
            vec![x(), filter()],
        ),
        (
            "depthwise_conv2d",
            window([1, 1], Padding::Same),
            vec![x(), small(&[2, 2, 3, 2])],
        ),
        (
            "conv2d_transpose",
            pool(&[6, 5], [1, 1], Padding::Same),
            vec![floats(&[2, 6, 5, 4]), filter()],
        ),
        (
            "conv2d_backprop_input",
            window([1, 1], Padding::Valid),
            vec![sizes(), filter(), floats(&[2, 4, 4, 4])],
        ),
        (
            "conv2d_backprop_filter",
            window([1, 1], Padding::Valid),
            vec![x(), vector(&[3, 2, 3, 4]), floats(&[2, 4, 4, 4])],
        ),
        (
            "max_pool2d",
            pool(&[2, 2], [2, 2], Padding::Valid),
            vec![x()],
        ),
        (
            "max_pool2d",
            pool(&[3, 2], [1, 2], Padding::Same),
            vec![x()],
        ),
        (
            "avg_pool2d",
            pool(&[2, 2], [2, 2], Padding::Same),
            vec![x()],
        ),
        (
            "max_pool2d_grad",
            pool(&[2, 2], [2, 2], Padding::Valid),
            vec![x(), floats(&[2, 3, 2, 3])],
        ),
        (
            "max_pool2d_grad_grad",
            pool(&[2, 2], [2, 2], Padding::Valid),
            vec![x(), small(&[2, 6, 5, 3])],
        ),
        (
            "avg_pool2d_grad",
            pool(&[2, 2], [2, 2], Padding::Valid),
            vec![sizes(), floats(&[2, 3, 2, 3])],
        ),
    ]
}

pub(super) fn algebra() -> Vec<Case> {
    let product = |a, b| attrs([("transpose_a", yes(a)), ("transpose_b", yes(b))]);
    let diagonal = |k| attrs([("diagonal", int(k))]);
    let square = || Array::new(&[2, 2], vec![2f32, 1.0, 1.0, 3.0]);
    vec![
        (
            "matmul",
            product(false, false),
            vec![floats(&[2, 3]), floats(&[3, 4])],
        ),
        (
            "matmul",
            product(true, true),
            vec![floats(&[3, 2]), floats(&[4, 3])],
        ),
        (
            "matmul",
            product(false, true),
            vec![floats(&[5, 2, 3]), floats(&[4, 3])],
        ),
        (
            "solve",
            attrs([("adjoint", yes(false))]),
            vec![square(), floats(&[2, 1])],
        ),
        (
            "einsum",
            attrs([("equation", text("ij,jk->ik"))]),
            vec![floats(&[2, 3]), floats(&[3, 4])],
        ),
        (
            "einsum",
            attrs([("equation", text("...ij,jk->...ik"))]),
            vec![floats(&[5, 2, 3]), floats(&[3, 4])],
        ),
        (
            "tensordot",
            attrs([("axes_a", ints(&[2, 0])), ("axes_b", ints(&[1, -1]))]),
            vec![floats(&[2, 5, 3]), floats(&[4, 3, 2])],
        ),
        ("diag", diagonal(1), vec![floats(&[2, 3])]),
        ("diag_part", diagonal(-1), vec![floats(&[2, 3, 3])]),
        ("set_diag", diagonal(0), vec![floats(&[3, 3]), small(&[3])]),
        (
            "band_part",
            attrs([("low", int(-1)), ("high", int(0))]),
            vec![floats(&[4, 4])],
        ),
    ]
}

pub(super) fn strings() -> Vec<Case> {
    let number = |precision, scientific| {
        attrs([
            ("precision", int(precision)),
            ("scientific", yes(scientific)),
            ("shortest", yes(false)),
            ("width", int(0)),
            ("fill", text("")),
        ])
    };
    vec![
        plain("add", vec![texts(&["a", "b"]), texts(&["x", "y"])]),
        plain("string_length", vec![texts(&["aä", ""])]),
        plain("string_chars", vec![texts(&["aä", ""])]),
        plain("string_upper", vec![texts(&["aä"])]),
        plain("string_lower", vec![texts(&["AÄ"])]),
        plain("string_strip", vec![texts(&[" a "])]),
        (
            "string_join",
            attrs([("separator", text("-"))]),
            vec![texts(&["a", "b"]), texts(&["x", "y"])],
        ),
        plain(
            "string_substr",
            vec![texts(&["abcd", "xyz"]), scalar(1), scalar(2)],
        ),
        (
            "string_reduce_join",
            attrs([("axis", int(0)), ("separator", text(","))]),
            vec![texts(&["a", "b"])],
        ),
        (
            "string_split",
            attrs([("separator", text(","))]),
            vec![Array::scalar("a,b,,c".to_owned())],
        ),
        ("as_string", number(2, false), vec![floats(&[2])]),
        ("as_string", number(-1, false), vec![vector(&[1, -2])]),
    ]
}

pub(super) fn random() -> Vec<Case> {
    let seed = || Array::new(&[2], vec![1i64, 2]);
    let float = || attrs([("shape", ints(&[5])), ("dtype", Attr::DType(DType::F32))]);
    vec![
        ("stateless_uniform", float(), vec![seed()]),
        ("stateless_uniform", float(), vec![seed(), vector(&[3, 2])]),
        ("stateless_normal", float(), vec![seed()]),
        ("stateless_truncated_normal", float(), vec![seed()]),
        (
            "stateless_bits",
            attrs([("shape", ints(&[3])), ("dtype", Attr::DType(DType::I32))]),
            vec![seed()],
        ),
        (
            "stateless_integers",
            attrs([("shape", ints(&[3]))]),
            vec![seed(), scalar(-5), scalar(100)],
        ),
    ]
}
