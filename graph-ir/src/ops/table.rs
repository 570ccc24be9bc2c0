//! The macro that declares a family of ops: one row per op with its name, attributes, type rule, kernel and description.

/// Declares the rows of a family as statics, and the list `ROWS` of them:
/// `STATIC "name" ["attr", ..]: rule(arguments of the rule), kernel, in_place kernel, product kernel, fails Never, linear in floats, tf "Name", onnx "Name", "doc";`.
///
/// - The rule is called with the name, the operands' types, the attributes and its arguments.
/// - The kernel is `(element Op)`, a function of the elementwise table, `(conversion "attr")` to the dtype in an attribute, `(reduction Op)`,
///   `(unary f)`, `(binary f)` or `(|x, attrs, out| ..)`.
/// - `in_place (|x, others, attrs| ..)` updates the first operand, `product (|x, attrs, behind, out| ..)` is the kernel with what stands behind
///   it. `in_place`, `product`, `tf` and `onnx` are left out if there is no such kernel or op.
/// - `fails Never` or `fails OnShapes` (a [`Fails`](crate::ops::Fails)) says that values of operands can't make the op fail; without it,
///   they can.
/// - `linear in floats` marks linear ops ([`OpDef::linear`](crate::ops::OpDef::linear)), except elementwise ones.
macro_rules! op_table {
    ($($row:ident $name:literal [$($attr:literal),*]: $rule:ident($($argument:expr),*), ($($kernel:tt)*),
        $(in_place $in_place:expr,)? $(product $product:expr,)? $(fails $fails:ident,)? $(linear in $floats:ident,)? $(tf $tf:literal,)? $(onnx $onnx:literal,)? $doc:literal;)*) => {
        $(
            #[doc = $doc]
            #[allow(rustdoc::broken_intra_doc_links, reason = "shapes stand in brackets")]
            pub static $row: $crate::ops::OpDef = $crate::ops::OpDef {
                name: $name,
                attrs: &[$($attr),*],
                infer: |types, attrs| $rule($name, types, attrs, $($argument),*),
                kernel: $crate::ops::table::kernel!($($kernel)*),
                element: $crate::ops::table::element!($($kernel)*),
                reduction: $crate::ops::table::reduction!($($kernel)*),
                fails: $crate::ops::table::fails!($($fails)?),
                in_place: $crate::ops::table::optional!($($in_place)?),
                product: $crate::ops::table::optional!($($product)?),
                linear: $crate::ops::table::given!($($floats)?),
                tf: $crate::ops::table::optional!($($tf)?),
                onnx: $crate::ops::table::optional!($($onnx)?),
                doc: $doc,
            };
        )*

        /// The rows of this family.
        pub(super) static ROWS: &[&$crate::ops::OpDef] = &[$(&$row),*];
    };
}
pub(super) use op_table;

/// Makes a kernel with the uniform signature of a kernel with one or two operands, or of a closure.
macro_rules! kernel {
    (element $op:ident) => {
        |x, _, out| graph_kernels::elementwise(graph_kernels::ElementOp::$op, x, out)
    };
    (conversion $attr:literal) => {
        |x, attrs, out| graph_kernels::cast(x[0], attrs.dtype($attr)?, out)
    };
    (reduction $op:ident) => {
        |x, attrs, out| {
            let axes = graph_kernels::Axes {
                axes: attrs.ints("axes")?,
                keep_dims: attrs.bool("keep_dims")?,
            };
            graph_kernels::reduce(graph_kernels::ReduceOp::$op, x[0], axes, out)
        }
    };
    (unary $f:path) => {
        |x, _, out| $f(x[0], out)
    };
    (binary $f:path) => {
        |x, _, out| $f(x[0], x[1], out)
    };
    ($f:expr) => {
        $f
    };
}
pub(super) use kernel;

/// The elementwise function of a kernel, if it is one.
macro_rules! element {
    (element $op:ident) => {
        |_| Some(graph_kernels::ElementOp::$op)
    };
    (conversion $attr:literal) => {
        |attrs| graph_kernels::ElementOp::conversion(attrs.dtype($attr).ok()?)
    };
    ($($other:tt)*) => {
        |_| None
    };
}
pub(super) use element;

/// The reduction of a kernel, if it is one.
macro_rules! reduction {
    (reduction $op:ident) => {
        Some(graph_kernels::ReduceOp::$op)
    };
    ($($other:tt)*) => {
        None
    };
}
pub(super) use reduction;

/// What can make an op fail.
macro_rules! fails {
    () => {
        $crate::ops::Fails::OnValues
    };
    ($fails:ident) => {
        $crate::ops::Fails::$fails
    };
}
pub(super) use fails;

/// Whether a row has an optional part.
macro_rules! given {
    () => {
        false
    };
    ($part:ident) => {
        true
    };
}
pub(super) use given;

/// The value of an optional part of a row.
macro_rules! optional {
    () => {
        None
    };
    ($value:expr) => {
        Some($value)
    };
}
pub(super) use optional;
