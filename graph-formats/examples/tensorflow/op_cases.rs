//! Operands and attributes for each op of the table that TensorFlow has.

use graph_ir::ops::{Attr, Attrs, with_window};
use graph_ir::types::Shape;
use graph_kernels::{Array, DType, Padding, Window};

type Case = (&'static str, Attrs, Vec<Array>);

/// The cases of all ops.
pub fn all() -> Vec<Case> {
    let families = [
        elementwise,
        reductions,
        shapes,
        positions,
        lists,
        images,
        algebra,
        strings,
        random,
    ];
    families.iter().flat_map(|family| family()).collect()
}

fn attrs<const N: usize>(given: [(&'static str, Attr); N]) -> Attrs {
    given
        .into_iter()
        .fold(Attrs::new(), |attrs, (name, value)| attrs.with(name, value))
}

fn int(n: i64) -> Attr {
    Attr::Int(n)
}

fn ints(values: &[i64]) -> Attr {
    Attr::Ints(values.to_vec())
}

fn yes(value: bool) -> Attr {
    Attr::Bool(value)
}

fn text(value: &str) -> Attr {
    Attr::Text(value.to_owned())
}

/// Floats between -1.5 and 2, no two alike in a small array.
fn floats(shape: &[usize]) -> Array {
    let value = |i: usize| (i * 37 % 101) as f32 / 29.0 - 1.5;
    Array::new(
        shape,
        (0..shape.iter().product()).map(value).collect::<Vec<f32>>(),
    )
}

/// Floats between 0.1 and 0.9.
fn small(shape: &[usize]) -> Array {
    let value = |i: usize| (i * 31 % 97) as f32 / 121.0 + 0.1;
    Array::new(
        shape,
        (0..shape.iter().product()).map(value).collect::<Vec<f32>>(),
    )
}

fn vector(values: &[i32]) -> Array {
    Array::new(&[values.len()], values.to_vec())
}

fn scalar(n: i32) -> Array {
    Array::scalar(n)
}

fn bools(values: &[bool]) -> Array {
    Array::new(&[values.len()], values.to_vec())
}

fn texts(values: &[&str]) -> Array {
    Array::new(
        &[values.len()],
        values
            .iter()
            .map(|text| (*text).to_owned())
            .collect::<Vec<String>>(),
    )
}

fn plain(name: &'static str, operands: Vec<Array>) -> Case {
    (name, Attrs::new(), operands)
}

fn elementwise() -> Vec<Case> {
    let mut cases = Vec::new();
    for op in [
        "add",
        "sub",
        "mul",
        "maximum",
        "minimum",
        "less",
        "less_equal",
        "greater",
        "greater_equal",
        "equal",
        "not_equal",
        "squared_difference",
    ] {
        cases.push(plain(op, vec![floats(&[2, 3]), floats(&[3])]));
        cases.push(plain(op, vec![vector(&[5, -7, 3]), vector(&[3, 3, 3])]));
    }
    for op in ["div", "floor_div", "floor_mod", "rem", "true_div"] {
        cases.push(plain(op, vec![floats(&[2, 3]), small(&[3])]));
        cases.push(plain(
            op,
            vec![vector(&[7, -7, 7, -7]), vector(&[2, 2, -2, -2])],
        ));
    }
    for op in [
        "pow",
        "atan2",
        "divide_no_nan",
        "xlogy",
        "xlog1py",
        "xdivy",
        "grad_div",
        "leaky_relu",
    ] {
        cases.push(plain(op, vec![small(&[2, 3]), small(&[3])]));
    }
    for op in ["bit_and", "bit_or", "bit_xor"] {
        cases.push(plain(op, vec![vector(&[6, 12]), scalar(10)]));
        cases.push(plain(op, vec![bools(&[true, false]), bools(&[true, true])]));
    }
    for op in ["left_shift", "right_shift"] {
        cases.push(plain(op, vec![vector(&[6, -12]), scalar(2)]));
    }
    for op in ["neg", "abs", "sign", "square", "relu", "relu6"] {
        cases.push(plain(op, vec![floats(&[4])]));
        cases.push(plain(op, vec![vector(&[3, -4])]));
    }
    for op in [
        "exp",
        "sin",
        "cos",
        "tanh",
        "sigmoid",
        "floor",
        "ceil",
        "round",
        "trunc",
        "is_nan",
        "is_inf",
        "is_finite",
        "exp2",
        "expm1",
        "cbrt",
        "tan",
        "atan",
        "sinh",
        "cosh",
        "asinh",
        "erf",
        "erfc",
        "softplus",
        "softsign",
        "elu",
        "selu",
        "stop_gradient",
    ] {
        cases.push(plain(op, vec![floats(&[2, 3])]));
    }
    for op in [
        "log",
        "sqrt",
        "rsqrt",
        "log1p",
        "log2",
        "log10",
        "reciprocal",
        "asin",
        "acos",
        "atanh",
    ] {
        cases.push(plain(op, vec![small(&[2, 3])]));
    }
    let above = Array::new(&[2], vec![1.5f32, 3.0]);
    cases.push(plain("acosh", vec![above]));
    for op in ["logical_and", "logical_or", "logical_xor"] {
        cases.push(plain(
            op,
            vec![bools(&[true, true, false]), bools(&[true, false, false])],
        ));
    }
    cases.push(plain("logical_not", vec![bools(&[true, false])]));
    cases.push(plain("bit_not", vec![vector(&[0, -1, 5])]));
    cases.push(plain(
        "select",
        vec![bools(&[true, false, true]), floats(&[2, 3]), floats(&[3])],
    ));
    cases.push(plain("after", vec![floats(&[2]), floats(&[3])]));
    cases.push((
        "check_numerics",
        attrs([("message", text("wrong"))]),
        vec![floats(&[2])],
    ));
    cases.push((
        "one_value",
        attrs([("of", text("condition"))]),
        vec![floats(&[1, 1])],
    ));
    for (dtype, x) in [
        (DType::I32, floats(&[4])),
        (DType::F64, floats(&[4])),
        (DType::Bool, vector(&[0, 2])),
        (DType::F32, bools(&[true, false])),
        (DType::F16, floats(&[2])),
        (DType::F32, texts(&["1.5", "-2"])),
        (DType::Str, vector(&[1, -2])),
    ] {
        cases.push(("cast", attrs([("dtype", Attr::DType(dtype))]), vec![x]));
    }
    cases
}

fn reductions() -> Vec<Case> {
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
        cases.push(("sort", given, vec![Array::new(&[3], vec![5u8, 0, 255])]));
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

fn shapes() -> Vec<Case> {
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

fn positions() -> Vec<Case> {
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

fn lists() -> Vec<Case> {
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

fn images() -> Vec<Case> {
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

fn algebra() -> Vec<Case> {
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

fn strings() -> Vec<Case> {
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

fn random() -> Vec<Case> {
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
