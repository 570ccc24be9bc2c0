//! Reductions, and ops that run along one axis.

use graph_kernels::{self as kernels, DType, Running};

use super::rules::{self, BOOL, Class, FLOAT, Inferred, NUMBER, along, operands, unary};
use super::table::op_table;
use super::{AttrError, Attrs};
use crate::types::{Dim, Shape, TensorType};

op_table! {
    REDUCE_SUM "reduce_sum" ["axes", "keep_dims"]: reduce(NUMBER), (reduction Sum), linear in floats, tf "Sum", onnx "ReduceSum",
        "The sum over the axes (all if the list is empty), which are removed or kept with size 1.";
    REDUCE_PROD "reduce_prod" ["axes", "keep_dims"]: reduce(NUMBER), (reduction Prod), tf "Prod", onnx "ReduceProd",
        "The product over the axes.";
    REDUCE_MEAN "reduce_mean" ["axes", "keep_dims"]: reduce(NUMBER), (reduction Mean), linear in floats, tf "Mean", onnx "ReduceMean",
        "The mean over the axes; of integers, divided toward zero.";
    REDUCE_MAX "reduce_max" ["axes", "keep_dims"]: reduce(NUMBER), (reduction Max), tf "Max", onnx "ReduceMax",
        "The largest value over the axes; NaN wins.";
    REDUCE_MIN "reduce_min" ["axes", "keep_dims"]: reduce(NUMBER), (reduction Min), tf "Min", onnx "ReduceMin",
        "The smallest value over the axes; NaN wins.";
    REDUCE_ANY "reduce_any" ["axes", "keep_dims"]: reduce(BOOL), (reduction Any), tf "Any",
        "Whether any value over the axes is true.";
    REDUCE_ALL "reduce_all" ["axes", "keep_dims"]: reduce(BOOL), (reduction All), tf "All",
        "Whether all values over the axes are true.";

    ARGMAX "argmax" ["axis"]: arg_best(), (|x, a, out| kernels::argmax(x[0], a.int("axis")?, out)), tf "ArgMax", onnx "ArgMax",
        "The int64 index of the largest value along the axis, which is removed: the first of equal ones, never NaN.";
    ARGMIN "argmin" ["axis"]: arg_best(), (|x, a, out| kernels::argmin(x[0], a.int("axis")?, out)), tf "ArgMin", onnx "ArgMin",
        "The int64 index of the smallest value along the axis, which is removed: the first of equal ones, never NaN.";
    CUMSUM "cumsum" ["axis", "exclusive", "reverse"]: running(), (|x, a, out| kernels::cumsum(x[0], a.int("axis")?, range(a)?, out)), linear in floats, tf "Cumsum", onnx "CumSum",
        "The running sum along the axis: of the values before each value, and of that value unless exclusive; from the end if reverse.";
    CUMPROD "cumprod" ["axis", "exclusive", "reverse"]: running(), (|x, a, out| kernels::cumprod(x[0], a.int("axis")?, range(a)?, out)), tf "Cumprod", onnx "CumProd",
        "The running product along the axis: of the values before each value, and of that value unless exclusive; from the end if reverse.";
    SOFTMAX "softmax" ["axis"]: along(FLOAT), (|x, a, out| kernels::softmax(x[0], a.int("axis")?, out)), tf "Softmax", onnx "Softmax",
        "exp(x) divided by its sum along the axis.";
    LOG_SOFTMAX "log_softmax" ["axis"]: along(FLOAT), (|x, a, out| kernels::log_softmax(x[0], a.int("axis")?, out)), tf "LogSoftmax", onnx "LogSoftmax",
        "The logarithm of the softmax along the axis.";
    SPARSE_SOFTMAX_CROSS_ENTROPY "sparse_softmax_cross_entropy_with_logits" []: sparse_cross_entropy(), (binary kernels::sparse_cross_entropy), tf "SparseSoftmaxCrossEntropyWithLogits",
        "The cross entropy of integer labels [..] with logits [.., classes]: [..].";
}

fn sparse_cross_entropy(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [labels, logits] = operands(op, types)?;
    rules::check_class(op, FLOAT, logits.dtype)?;
    rules::check_integers(op, "labels", labels)?;
    let rows = match logits.shape.dims() {
        None => return Ok(TensorType::new(logits.dtype, labels.shape.clone())),
        Some([]) => return Err(format!("`{op}` takes logits of rank 1 or more")),
        Some([rows @ .., _]) => Shape::of(rows.iter().copied()),
    };
    let shape = rules::merge(op, &labels.shape, &rows)?;
    Ok(TensorType::new(logits.dtype, shape))
}

/// Which values a running sum or product includes.
fn range(attrs: &Attrs) -> Result<Running, AttrError> {
    Ok(Running {
        exclusive: attrs.bool("exclusive")?,
        reverse: attrs.bool("reverse")?,
    })
}

fn running(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    range(attrs)?;
    along(op, types, attrs, NUMBER)
}

fn reduce(op: &str, types: &[TensorType], attrs: &Attrs, class: Class) -> Inferred {
    let x = unary(op, types, attrs, class)?;
    let (axes, keep_dims) = (attrs.ints("axes")?, attrs.bool("keep_dims")?);
    let shape = match x.shape.dims() {
        Some(dims) => reduced_shape(dims, axes, keep_dims)?,
        None if axes.is_empty() && !keep_dims => Shape::scalar(),
        None => Shape::unknown(),
    };
    Ok(TensorType::new(x.dtype, shape))
}

fn reduced_shape(dims: &[Dim], axes: &[i64], keep_dims: bool) -> Result<Shape, String> {
    let mut reduced = vec![axes.is_empty(); dims.len()];
    for given in axes {
        let axis = rules::axis(*given, dims.len())?;
        if std::mem::replace(&mut reduced[axis], true) {
            return Err(format!("axis {given} is reduced twice"));
        }
    }
    let kept = dims
        .iter()
        .zip(reduced)
        .filter(|(_, reduced)| keep_dims || !reduced);
    Ok(Shape::of(kept.map(
        |(dim, reduced)| if reduced { Some(1) } else { *dim },
    )))
}

fn arg_best(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let x = along(op, types, attrs, NUMBER)?;
    let axis = attrs.int("axis")?;
    let shape = x.shape.dims().map_or(Ok(Shape::unknown()), |dims| {
        reduced_shape(dims, &[axis], false)
    })?;
    Ok(TensorType::new(DType::I64, shape))
}

#[cfg(test)]
pub(super) mod tests {
    //! Cases of reductions and of what runs along an axis.

    use graph_kernels::{Array, DType};

    use crate::ops::tests::*;
    use crate::ops::*;

    pub(in crate::ops) fn cases() -> Vec<Case> {
        [sums(), extremes(), empty(), losses(), along()]
            .into_iter()
            .flatten()
            .collect()
    }

    /// A reduction that drops its axes.
    fn over<const N: usize>(
        op: &'static OpDef,
        axes: [i64; N],
        x: Array,
        expected: Expected,
    ) -> Case {
        case_with(op, [ints(axes), Attr::Bool(false)], [x], expected)
    }

    fn sums() -> Vec<Case> {
        let x = || matrix([[1, 2, 3], [4, 5, 6]]);
        let cube = || Array::new(&[2, 2, 2], (1..=8).collect());
        let long = || Array::new(&[2, 5000], [vec![1f32; 5000], vec![0.5f32; 5000]].concat());
        vec![
            over(&REDUCE_SUM, [], x(), Value(scalar(21))),
            over(&REDUCE_SUM, [0], x(), Value(vector([5, 7, 9]))),
            over(&REDUCE_SUM, [-1], x(), Value(vector([6, 15]))),
            over(&REDUCE_SUM, [0, 2], cube(), Value(vector([14, 22]))),
            over(&REDUCE_SUM, [1], cube(), Value(matrix([[4, 6], [12, 14]]))),
            over(&REDUCE_SUM, [1], long(), Value(vector([5000f32, 2500.0]))),
            over(&REDUCE_SUM, [], scalar(3), Value(scalar(3))),
            case_with(
                &REDUCE_SUM,
                [ints([1]), Attr::Bool(true)],
                [x()],
                Value(matrix([[6], [15]])),
            ),
            case_with(
                &REDUCE_SUM,
                [ints([]), Attr::Bool(true)],
                [x()],
                Value(matrix([[21]])),
            ),
            over(
                &REDUCE_SUM,
                [2],
                x(),
                TypeError("axis 2 is out of range for an array of rank 2"),
            ),
            over(&REDUCE_PROD, [0], x(), Value(vector([4, 10, 18]))),
            over(
                &REDUCE_MEAN,
                [],
                vector([1, 2, 2, -4, -2]),
                Value(scalar(0)),
            ),
            over(&REDUCE_MEAN, [], vector([-1, -2]), Value(scalar(-1))),
            over(&REDUCE_MEAN, [], vector([255u8, 253]), Value(scalar(254u8))),
            over(
                &REDUCE_MEAN,
                [1],
                matrix([[1.0, 2.0], [3.0, 5.0]]),
                Value(vector([1.5, 4.0])),
            ),
            over(
                &REDUCE_ANY,
                [1],
                matrix([[true, false], [false, false]]),
                Value(vector([true, false])),
            ),
            over(
                &REDUCE_ALL,
                [1],
                matrix([[true, false], [true, true]]),
                Value(vector([false, true])),
            ),
            over(
                &REDUCE_ANY,
                [],
                scalar(1),
                TypeError("`reduce_any` is not defined for int32"),
            ),
        ]
    }

    fn extremes() -> Vec<Case> {
        let nan = f64::NAN;
        let along = |op, x: Array, expected| case_with(op, [Attr::Int(0)], [x], expected);
        vec![
            over(&REDUCE_MAX, [], vector([1.0, nan, 3.0]), Value(scalar(nan))),
            over(
                &REDUCE_MAX,
                [0],
                matrix([[1, 9], [5, 2]]),
                Value(vector([5, 9])),
            ),
            over(&REDUCE_MIN, [], vector([1.0, nan, 3.0]), Value(scalar(nan))),
            over(
                &REDUCE_MIN,
                [1],
                matrix([[1, 9], [5, 2]]),
                Value(vector([1, 2])),
            ),
            along(&ARGMAX, vector([1, 3, 3]), Value(scalar(1i64))),
            along(&ARGMAX, vector([nan, 1.0, 2.0]), Value(scalar(2i64))),
            along(&ARGMAX, matrix([[1, 9], [5, 2]]), Value(vector([1i64, 0]))),
            along(&ARGMIN, vector([nan, 1.0, 1.0]), Value(scalar(1i64))),
            case_with(
                &ARGMIN,
                [Attr::Int(-1)],
                [matrix([[1, 9], [5, 2]])],
                Value(vector([0i64, 1])),
            ),
            along(
                &ARGMAX,
                Array::zeros(DType::F32, &[0]),
                RunError("Reduction axis 0 is empty in shape [0]"),
            ),
        ]
    }

    fn empty() -> Vec<Case> {
        let floats = || Array::zeros(DType::F32, &[0]);
        let ints = || Array::zeros(DType::I32, &[0]);
        let bools = || Array::zeros(DType::Bool, &[0]);
        let inf = f32::INFINITY;
        vec![
            over(&REDUCE_SUM, [], floats(), Value(scalar(0f32))),
            over(
                &REDUCE_SUM,
                [0],
                Array::zeros(DType::I32, &[0, 2]),
                Value(vector([0, 0])),
            ),
            over(
                &REDUCE_SUM,
                [1],
                Array::zeros(DType::I32, &[0, 2]),
                Value(ints()),
            ),
            over(&REDUCE_PROD, [], ints(), Value(scalar(1))),
            over(&REDUCE_MEAN, [], floats(), Value(scalar(f32::NAN))),
            over(&REDUCE_MEAN, [], ints(), Value(scalar(0))),
            over(&REDUCE_MAX, [], floats(), Value(scalar(-inf))),
            over(&REDUCE_MAX, [], ints(), Value(scalar(i32::MIN))),
            over(&REDUCE_MIN, [], floats(), Value(scalar(inf))),
            over(&REDUCE_MIN, [], ints(), Value(scalar(i32::MAX))),
            over(&REDUCE_ALL, [], bools(), Value(scalar(true))),
            over(&REDUCE_ANY, [], bools(), Value(scalar(false))),
        ]
    }

    fn losses() -> Vec<Case> {
        let logits = || matrix([[1f32, 2.0, 3.0], [1e4, -1e4, 0.0]]);
        let loss = |labels: Array, expected| {
            case(&SPARSE_SOFTMAX_CROSS_ENTROPY, [labels, logits()], expected)
        };
        vec![
            // TensorFlow's own.
            loss(vector([2, 0]), Value(vector([0.407_605_95f32, 0.0]))),
            loss(vector([2i64, 2]), Value(vector([0.407_605_95f32, 1e4]))),
            loss(
                vector([3, 0]),
                RunError("Received a label value of 3 which is outside the valid range of [0, 3)."),
            ),
            loss(
                vector([2, 0, 1]),
                TypeError(
                    "Shapes [3] and [2] are incompatible for sparse_softmax_cross_entropy_with_logits",
                ),
            ),
        ]
    }

    fn along() -> Vec<Case> {
        let at = |op, axis, x: Array, expected| case_with(op, [Attr::Int(axis)], [x], expected);
        let running = |op, axis, exclusive, reverse, x: Array, expected| {
            let attrs = [Attr::Int(axis), Attr::Bool(exclusive), Attr::Bool(reverse)];
            case_with(op, attrs, [x], expected)
        };
        let x = || matrix([[1, 2, 3], [4, 5, 6]]);
        vec![
            running(
                &CUMSUM,
                0,
                false,
                false,
                x(),
                Value(matrix([[1, 2, 3], [5, 7, 9]])),
            ),
            running(
                &CUMSUM,
                -1,
                false,
                false,
                x(),
                Value(matrix([[1, 3, 6], [4, 9, 15]])),
            ),
            running(
                &CUMSUM,
                1,
                true,
                false,
                x(),
                Value(matrix([[0, 1, 3], [0, 4, 9]])),
            ),
            running(
                &CUMSUM,
                1,
                false,
                true,
                x(),
                Value(matrix([[6, 5, 3], [15, 11, 6]])),
            ),
            running(
                &CUMPROD,
                1,
                true,
                true,
                x(),
                Value(matrix([[6, 3, 1], [30, 6, 1]])),
            ),
            running(
                &CUMPROD,
                0,
                false,
                false,
                x(),
                Value(matrix([[1, 2, 3], [4, 10, 18]])),
            ),
            running(
                &CUMSUM,
                2,
                false,
                false,
                x(),
                TypeError("axis 2 is out of range for an array of rank 2"),
            ),
            // exp(ln 3) : exp(0) = 3 : 1, and large values don't overflow.
            at(
                &SOFTMAX,
                -1,
                matrix([[3f64.ln(), 0.0], [1e4, -1e4]]),
                Value(matrix([[0.75, 0.25], [1.0, 0.0]])),
            ),
            at(
                &SOFTMAX,
                0,
                matrix([[5.0, 1.0], [5.0, 1.0]]),
                Value(matrix([[0.5, 0.5], [0.5, 0.5]])),
            ),
            at(
                &LOG_SOFTMAX,
                0,
                vector([1e4, -1e4]),
                Value(vector([0.0, -2e4])),
            ),
            at(
                &LOG_SOFTMAX,
                0,
                vector([7.0, 7.0]),
                Value(vector([-(2f64.ln()), -(2f64.ln())])),
            ),
        ]
    }
}
