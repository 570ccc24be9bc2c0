//! The ops that importers compose, as methods that take plain Rust arguments.

use graph_ir::ops::{self, Attr, Attrs, OpDef};
use graph_ir::types::Shape;
use graph_kernels::{Array, DType, bf16, f16};

use super::build::{Build, Val};
use super::error::{Fault, Result, invalid};
pub(crate) use super::sizes::{axes, axis, len, signed};

/// A scalar or vector of numbers as a dtype.
pub(crate) fn numbers(values: &[f64], shape: &[usize], dtype: DType) -> Result<Array> {
    macro_rules! of {
        ($type:ty) => {
            Array::copy_of(
                shape,
                &values.iter().map(|v| *v as $type).collect::<Vec<$type>>(),
            )
        };
    }
    Ok(match dtype {
        DType::F32 => of!(f32),
        DType::F64 => of!(f64),
        DType::F16 => Array::copy_of(
            shape,
            &values.iter().map(|v| f16::from_f64(*v)).collect::<Vec<_>>(),
        ),
        DType::BF16 => Array::copy_of(
            shape,
            &values
                .iter()
                .map(|v| bf16::from_f64(*v))
                .collect::<Vec<_>>(),
        ),
        DType::I32 => of!(i32),
        DType::I64 => of!(i64),
        DType::U8 => of!(u8),
        DType::I8 => of!(i8),
        DType::I16 => of!(i16),
        DType::U16 => of!(u16),
        DType::U32 => of!(u32),
        DType::U64 => of!(u64),
        DType::Bool => Array::copy_of(shape, &values.iter().map(|v| *v != 0.0).collect::<Vec<_>>()),
        DType::Str => return invalid("strings where numbers are expected"),
    })
}

fn ints(values: &[i64]) -> Attr {
    Attr::Ints(values.to_vec())
}

/// One method per line for ops with one or two operands and no attributes.
macro_rules! plain {
    ($($name:ident($($x:ident),+) $op:ident;)*) => { $(
        pub fn $name(&mut self, $($x: Val),+) -> Result<Val> {
            self.op(&ops::$op, &[$($x),+], Attrs::new())
        }
    )* };
}

/// One method per line for reductions.
macro_rules! reductions {
    ($($name:ident $op:ident;)*) => { $(
        pub fn $name(&mut self, x: Val, axes: &[i64], keep: bool) -> Result<Val> {
            self.reduce(&ops::$op, x, axes, keep)
        }
    )* };
}

impl Build<'_> {
    plain! {
        add(a, b) ADD; sub(a, b) SUB; mul(a, b) MUL; div(a, b) DIV; pow(a, b) POW;
        maximum(a, b) MAXIMUM; minimum(a, b) MINIMUM; floor_mod(a, b) FLOOR_MOD;
        neg(x) NEG; abs(x) ABS; exp(x) EXP; log(x) LOG; sqrt(x) SQRT; square(x) SQUARE; floor(x) FLOOR; round(x) ROUND;
        tanh(x) TANH; sigmoid(x) SIGMOID; relu(x) RELU; softplus(x) SOFTPLUS; erf(x) ERF;
        reciprocal(x) RECIPROCAL; is_nan(x) IS_NAN; is_inf(x) IS_INF;
        less(a, b) LESS; less_equal(a, b) LESS_EQUAL; greater(a, b) GREATER; greater_equal(a, b) GREATER_EQUAL;
        equal(a, b) EQUAL; not_equal(a, b) NOT_EQUAL;
        and(a, b) LOGICAL_AND; or(a, b) LOGICAL_OR; not(x) LOGICAL_NOT;
        select(c, a, b) SELECT; nonzero(x) NONZERO; boolean_mask(x, mask) BOOLEAN_MASK;
        reshape_to(x, shape) RESHAPE_TO; broadcast_as(x, shape) BROADCAST_AS; fill_to(x, shape) FILL_TO;
        scatter_update(x, at, updates) SCATTER_UPDATE; scatter_add(x, at, updates) SCATTER_ADD;
        scatter_max(x, at, updates) SCATTER_MAX; scatter_min(x, at, updates) SCATTER_MIN;
        size_of(x) SIZE_OF; range(start, limit, delta) RANGE;
        set_row(x, i, row) SET_ROW; index(x, i) INDEX;
    }

    reductions! {
        sum REDUCE_SUM; mean REDUCE_MEAN; max REDUCE_MAX; min REDUCE_MIN; any REDUCE_ANY;
    }

    /// A reduction over axes of the value as it is.
    pub fn reduce_axes(
        &mut self,
        op: &'static OpDef,
        x: Val,
        axes: &[i64],
        keep: bool,
    ) -> Result<Val> {
        let attrs = Attrs::new()
            .with("axes", ints(axes))
            .with("keep_dims", Attr::Bool(keep));
        self.op(op, &[x], attrs)
    }

    pub fn dtype(&self, x: Val) -> DType {
        self.ty(x).dtype
    }

    /// A scalar.
    pub fn number(&mut self, value: f64, dtype: DType) -> Result<Val> {
        Ok(self.constant(numbers(&[value], &[], dtype)?))
    }

    /// A scalar of the dtype of `x`.
    pub fn like(&mut self, value: f64, x: Val) -> Result<Val> {
        self.number(value, self.dtype(x))
    }

    /// An int64 scalar.
    pub fn int(&mut self, value: i64) -> Val {
        self.constant(Array::scalar(value))
    }

    /// An int64 vector.
    pub fn vector(&mut self, values: &[i64]) -> Val {
        self.constant(Array::copy_of(&[values.len()], values))
    }

    /// 0 to `n`, excluded, as an int64 vector.
    pub fn iota(&mut self, n: usize) -> Result<Val> {
        if n <= super::build::MAX_FOLDED {
            let numbers: Vec<i64> = (0..n as i64).collect();
            return Ok(self.vector(&numbers));
        }
        let (start, step) = (self.int(0), self.int(1));
        let end = self.int(i64::try_from(n).unwrap_or(i64::MAX));
        let range = self.op(&ops::RANGE, &[start, end, step], Attrs::new())?;
        self.of_shape(range, Shape::known(&[n]))
    }

    /// The value, of which the shape is known.
    pub fn of_shape(&mut self, x: Val, shape: Shape) -> Result<Val> {
        if *self.shape(x) == shape {
            return Ok(x);
        }
        self.op(
            &ops::RELAX_SHAPE,
            &[x],
            Attrs::new().with("shape", Attr::Shape(shape)),
        )
    }

    /// As another dtype.
    pub fn cast(&mut self, x: Val, dtype: DType) -> Result<Val> {
        if self.dtype(x) == dtype {
            return Ok(x);
        }
        self.op(
            &ops::CAST,
            &[x],
            Attrs::new().with("dtype", Attr::DType(dtype)),
        )
    }

    /// As int64, for indices and sizes.
    pub fn index_of(&mut self, x: Val) -> Result<Val> {
        self.cast(x, DType::I64)
    }

    /// Scaled: x times a number.
    pub fn scale(&mut self, x: Val, by: f64) -> Result<Val> {
        let by = self.like(by, x)?;
        self.mul(x, by)
    }

    /// Shifted: x plus a number.
    pub fn shift(&mut self, x: Val, by: f64) -> Result<Val> {
        let by = self.like(by, x)?;
        self.add(x, by)
    }

    pub fn reshape(&mut self, x: Val, shape: &[i64]) -> Result<Val> {
        self.op(&ops::RESHAPE, &[x], Attrs::new().with("shape", ints(shape)))
    }

    pub fn transpose(&mut self, x: Val, perm: &[i64]) -> Result<Val> {
        if perm.iter().copied().eq(0..perm.len() as i64) {
            return Ok(x);
        }
        self.op(&ops::TRANSPOSE, &[x], Attrs::new().with("perm", ints(perm)))
    }

    /// One axis moved to another place.
    pub fn move_axis(&mut self, x: Val, from: usize, to: usize) -> Result<Val> {
        let mut perm: Vec<i64> = (0..self.rank(x)? as i64).collect();
        let axis = perm.remove(from);
        perm.insert(to, axis);
        self.transpose(x, &perm)
    }

    pub fn expand_dims(&mut self, x: Val, axis: i64) -> Result<Val> {
        self.op(
            &ops::EXPAND_DIMS,
            &[x],
            Attrs::new().with("axis", Attr::Int(axis)),
        )
    }

    /// Without these axes of size 1; `x` itself if there are none.
    pub fn squeeze(&mut self, x: Val, axes: &[i64]) -> Result<Val> {
        if axes.is_empty() {
            return Ok(x);
        }
        self.op(&ops::SQUEEZE, &[x], Attrs::new().with("axes", ints(axes)))
    }

    pub fn concat(&mut self, xs: &[Val], axis: i64) -> Result<Val> {
        if let [x] = xs {
            return Ok(*x);
        }
        self.op(&ops::CONCAT, xs, Attrs::new().with("axis", Attr::Int(axis)))
    }

    pub fn stack(&mut self, xs: &[Val], axis: i64) -> Result<Val> {
        self.op(&ops::STACK, xs, Attrs::new().with("axis", Attr::Int(axis)))
    }

    pub fn broadcast_to(&mut self, x: Val, shape: &[usize]) -> Result<Val> {
        if *self.shape(x) == shape {
            return Ok(x);
        }
        self.op(
            &ops::BROADCAST_TO,
            &[x],
            Attrs::new().with("shape", Attr::Ints(signed(shape))),
        )
    }

    /// The scalar everywhere.
    pub fn fill(&mut self, x: Val, shape: &[usize]) -> Result<Val> {
        self.op(
            &ops::FILL,
            &[x],
            Attrs::new().with("shape", Attr::Ints(signed(shape))),
        )
    }

    /// Begin to end, by steps, of one axis, clipped as NumPy does. `None` is the axis' own end.
    pub fn slice(
        &mut self,
        x: Val,
        axis: usize,
        begin: Option<i64>,
        end: Option<i64>,
        step: i64,
    ) -> Result<Val> {
        let mask = i64::from(begin.is_none()) + 2 * i64::from(end.is_none());
        let attrs = Attrs::new()
            .with("axes", ints(&[axis as i64]))
            .with("begins", ints(&[begin.unwrap_or(0)]))
            .with("ends", ints(&[end.unwrap_or(0)]))
            .with("steps", ints(&[step]))
            .with("masks", ints(&[mask]));
        self.op(&ops::STRIDED_SLICE, &[x], attrs)
    }

    /// Begin to end of one axis.
    pub fn part(&mut self, x: Val, axis: usize, begin: usize, end: usize) -> Result<Val> {
        self.slice(x, axis, Some(begin as i64), Some(end as i64), 1)
    }

    pub fn gather(&mut self, x: Val, indices: Val, axis: i64) -> Result<Val> {
        self.op(
            &ops::GATHER,
            &[x, indices],
            Attrs::new().with("axis", Attr::Int(axis)),
        )
    }

    pub fn gather_nd(&mut self, x: Val, indices: Val, batch: usize) -> Result<Val> {
        let attrs = Attrs::new().with("batch_dims", Attr::Int(batch as i64));
        self.op(&ops::GATHER_ND, &[x, indices], attrs)
    }

    pub fn take_along(&mut self, x: Val, indices: Val, axis: i64) -> Result<Val> {
        self.op(
            &ops::TAKE_ALONG_AXIS,
            &[x, indices],
            Attrs::new().with("axis", Attr::Int(axis)),
        )
    }

    /// The slice at an integer scalar on an axis, which is dropped.
    pub fn index_axis(&mut self, x: Val, at: Val, axis: i64) -> Result<Val> {
        self.op(
            &ops::INDEX_AXIS,
            &[x, at],
            Attrs::new().with("axis", Attr::Int(axis)),
        )
    }

    pub fn softmax(&mut self, x: Val, axis: i64) -> Result<Val> {
        self.op(
            &ops::SOFTMAX,
            &[x],
            Attrs::new().with("axis", Attr::Int(axis)),
        )
    }

    pub fn cumsum(&mut self, x: Val, axis: i64) -> Result<Val> {
        let attrs = Attrs::new()
            .with("axis", Attr::Int(axis))
            .with("exclusive", Attr::Bool(false))
            .with("reverse", Attr::Bool(false));
        self.op(&ops::CUMSUM, &[x], attrs)
    }

    pub fn argsort(&mut self, x: Val, axis: i64, descending: bool) -> Result<Val> {
        let attrs = Attrs::new()
            .with("axis", Attr::Int(axis))
            .with("descending", Attr::Bool(descending));
        self.op(&ops::ARGSORT, &[x], attrs)
    }

    /// The matrix product; the second operand may be given transposed.
    pub fn matmul(&mut self, a: Val, b: Val, transpose_b: bool) -> Result<Val> {
        let attrs = Attrs::new()
            .with("transpose_a", Attr::Bool(false))
            .with("transpose_b", Attr::Bool(transpose_b));
        self.op(&ops::MATMUL, &[a, b], attrs)
    }

    pub fn einsum(&mut self, equation: &str, xs: &[Val]) -> Result<Val> {
        self.op(
            &ops::EINSUM,
            xs,
            Attrs::new().with("equation", Attr::Text(equation.to_owned())),
        )
    }

    /// Padded with a scalar; a negative number cuts off.
    pub fn pad(&mut self, x: Val, before: &[i64], after: &[i64], value: Val) -> Result<Val> {
        let mut x = x;
        for (axis, (b, a)) in before.iter().zip(after).enumerate() {
            if *b < 0 || *a < 0 {
                let end = Some(a.min(&0)).filter(|a| **a < 0);
                x = self.slice(x, axis, Some((*b).min(0).saturating_neg()), end.copied(), 1)?;
            }
        }
        let only = |n: &[i64]| n.iter().map(|n| (*n).max(0)).collect::<Vec<i64>>();
        let (before, after) = (only(before), only(after));
        if before.iter().chain(&after).all(|n| *n == 0) {
            return Ok(x);
        }
        let attrs = Attrs::new()
            .with("before", Attr::Ints(before))
            .with("after", Attr::Ints(after));
        self.op(&ops::PAD, &[x, value], attrs)
    }

    /// The shape as an int64 vector: a constant if the sizes are known.
    pub fn shape_of(&mut self, x: Val) -> Result<Val> {
        if let Some(dims) = self.shape(x).to_known() {
            return Ok(self.vector(&signed(&dims)));
        }
        let shape = self.op(&ops::SHAPE_OF, &[x], Attrs::new())?;
        self.index_of(shape)
    }

    /// The size of an axis as an int64 scalar: a constant if it is known.
    pub fn size_at(&mut self, x: Val, axis: usize) -> Result<Val> {
        if let Some(size) = self.shape(x).get(axis) {
            return Ok(self.int(i64::try_from(size).unwrap_or(i64::MAX)));
        }
        let shape = self.shape_of(x)?;
        let at = self.int(axis as i64);
        self.index(shape, at)
    }

    /// The same values under a shape of these int64 scalars, of which at most some are known.
    pub fn reshape_sizes(&mut self, x: Val, sizes: &[Val]) -> Result<Val> {
        let known: Vec<Option<i64>> = sizes
            .iter()
            .map(|size| {
                self.known_ints(*size, "")
                    .ok()
                    .and_then(|size| size.first().copied())
            })
            .collect();
        if known.iter().filter(|size| size.is_none()).count() <= 1 {
            let sizes: Vec<i64> = known.iter().map(|size| size.unwrap_or(-1)).collect();
            return self.reshape(x, &sizes);
        }
        let shape = self.stack(sizes, 0)?;
        let reshaped = self.reshape_to(x, shape)?;
        let dims = known
            .iter()
            .map(|size| size.and_then(|size| usize::try_from(size).ok()));
        self.of_shape(reshaped, Shape::of(dims))
    }

    /// The sizes of all axes for a reshape; -1 for the only one that isn't known.
    pub fn open_sizes(&self, x: Val) -> Result<Vec<i64>> {
        self.rank(x)?;
        let dims = self.shape(x).dims().unwrap_or_default();
        if dims.iter().filter(|size| size.is_none()).count() > 1 {
            return Err(Fault::NeedsShape("the sizes of an operand".to_owned()));
        }
        let size = |size: &Option<usize>| size.map_or(-1, |n| i64::try_from(n).unwrap_or(i64::MAX));
        Ok(dims.iter().map(size).collect())
    }

    /// 0 to an int64 scalar, excluded.
    pub fn count_to(&mut self, size: Val) -> Result<Val> {
        if let Ok([size]) = self.known_ints(size, "").as_deref() {
            return self.iota(usize::try_from(*size).unwrap_or(0));
        }
        let (zero, one) = (self.int(0), self.int(1));
        self.range(zero, size, one)
    }

    /// Each slice of the axis `count` times in a row.
    pub fn repeat_slices(&mut self, x: Val, axis: usize, count: usize) -> Result<Val> {
        if count == 1 {
            return Ok(x);
        }
        let attrs = Attrs::new()
            .with("axis", Attr::Int(axis as i64))
            .with("count", Attr::Int(count as i64));
        self.op(&ops::REPEAT, &[x], attrs)
    }

    /// The integers of a value, which must be known; `what` names it in the error.
    pub fn known_ints(&self, x: Val, what: &str) -> Result<Vec<i64>> {
        let Some(array) = self.known(x) else {
            return Err(Fault::NeedsValue(what.to_owned(), x));
        };
        let values = match array.dtype() {
            DType::I64 => array.values::<i64>().map(<[i64]>::to_vec),
            DType::I32 => array
                .values::<i32>()
                .map(|v| v.iter().map(|v| i64::from(*v)).collect()),
            _ => None,
        };
        values.map_or_else(
            || invalid(format!("{what} doesn't hold int32 or int64")),
            Ok,
        )
    }

    /// The floats of a value, which must be known; `what` names it in the error.
    pub fn known_floats(&self, x: Val, what: &str) -> Result<Vec<f64>> {
        let Some(array) = self.known(x) else {
            return Err(Fault::NeedsValue(what.to_owned(), x));
        };
        let mut out = Array::default();
        graph_kernels::cast(array, DType::F64, &mut out)?;
        out.values::<f64>().map_or_else(
            || invalid(format!("{what} doesn't hold numbers")),
            |v| Ok(v.to_vec()),
        )
    }

    /// The truth value of a scalar, if it is known.
    pub fn known_flag(&self, x: Val) -> Option<bool> {
        self.known(x)?
            .values::<bool>()
            .and_then(|v| v.first().copied())
    }
}
