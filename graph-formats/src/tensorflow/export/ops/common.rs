//! What several rules need: axes, ranks, sizes and positions.

use graph_ir::types::{Shape, TensorType};
use graph_kernels::{DType, normalize_axis};

use crate::tensorflow::attributes;
use crate::tensorflow::export::body::Tensor;
use crate::tensorflow::export::writer::Writer;

/// The number of axes, which must be known.
pub(super) fn rank(x: &Tensor) -> Result<usize, String> {
    x.rank()
        .ok_or_else(|| "the rank of its operand is known only at run time".to_owned())
}

/// The axis, counted from the beginning if the rank is known; TensorFlow's ops take both.
pub(super) fn axis(x: &Tensor, given: i64) -> Result<i64, String> {
    match x.rank() {
        None => Ok(given),
        Some(rank) => normalize_axis(given, rank)
            .map(|axis| axis as i64)
            .map_err(|error| error.to_string()),
    }
}

/// The axis, counted from the beginning.
pub(super) fn from_start(x: &Tensor, given: i64) -> Result<usize, String> {
    let axis = axis(x, given)?;
    usize::try_from(axis)
        .map_err(|_| "the rank of its operand is known only at run time".to_owned())
}

impl Writer {
    /// The sizes, a vector of `int32`.
    pub fn shape(&mut self, x: &Tensor) -> Tensor {
        let rank = x.rank();
        let ty = TensorType::new(DType::I32, Shape::of([rank]));
        self.op("Shape", &[x]).gives(ty)
    }

    /// The number of values, an `int32` scalar.
    pub fn size(&mut self, x: &Tensor) -> Tensor {
        self.op("Size", &[x]).gives(TensorType::scalar(DType::I32))
    }

    /// The size of an axis, an `int32` scalar.
    pub fn axis_size(&mut self, x: &Tensor, axis: i64) -> Tensor {
        let shape = self.shape(x);
        let bounds = [self.ints(&[axis]), self.ints(&[axis + 1]), self.ints(&[1])];
        let size = self.op(
            "StridedSlice",
            &[&shape, &bounds[0], &bounds[1], &bounds[2]],
        );
        size.attr("shrink_axis_mask", attributes::int(1))
            .gives(TensorType::scalar(DType::I32))
    }

    /// The values under another shape.
    pub fn reshape(&mut self, x: &Tensor, shape: &Tensor) -> Tensor {
        self.op("Reshape", &[x, shape]).of(x.dtype())
    }

    /// All values, as a vector.
    pub fn flat(&mut self, x: &Tensor) -> Tensor {
        let all = self.ints(&[-1]);
        let ty = TensorType::new(x.dtype(), Shape::of([x.info.ty.shape.size()]));
        self.op("Reshape", &[x, &all]).gives(ty)
    }

    /// Vectors one after another.
    pub fn joined(&mut self, parts: &[Tensor]) -> Tensor {
        let dtype = parts.first().map_or(DType::I32, Tensor::dtype);
        let axis = self.int(0);
        self.op("ConcatV2", &[]).list(parts).with(&axis).of(dtype)
    }

    /// Scalars as a vector.
    pub fn packed(&mut self, scalars: &[Tensor]) -> Tensor {
        let dtype = scalars.first().map_or(DType::I32, Tensor::dtype);
        let ty = TensorType::new(dtype, Shape::known(&[scalars.len()]));
        let pack = self.op("Pack", &[]).list(scalars);
        pack.attr("axis", attributes::int(0)).gives(ty)
    }

    /// The elements of a vector from a position on, up to another, if there is one.
    pub fn part_of_vector(&mut self, x: &Tensor, begin: i64, end: Option<i64>) -> Tensor {
        let bounds = [
            self.ints(&[begin]),
            self.ints(&[end.unwrap_or(0)]),
            self.ints(&[1]),
        ];
        let part = self.op("StridedSlice", &[x, &bounds[0], &bounds[1], &bounds[2]]);
        part.attr("end_mask", attributes::int(i64::from(end.is_none())))
            .of(x.dtype())
    }

    /// The axes in another order.
    pub fn transpose(&mut self, x: &Tensor, perm: &[i64]) -> Tensor {
        let order = self.ints(perm);
        let dims = x.info.ty.shape.dims();
        let shape = dims.map_or_else(Shape::unknown, |dims| {
            Shape::of(
                perm.iter()
                    .map(|axis| dims.get(*axis as usize).copied().flatten()),
            )
        });
        let ty = TensorType::new(x.dtype(), shape);
        self.op("Transpose", &[x, &order]).gives(ty)
    }

    /// Applies `f` to the array whose given axis is the last, and puts the axis of the result back.
    pub fn along_last(
        &mut self,
        x: &Tensor,
        given: i64,
        f: impl FnOnce(&mut Writer, &Tensor) -> Result<Tensor, String>,
    ) -> Result<Tensor, String> {
        if given == -1 || x.rank().is_some_and(|rank| given == rank as i64 - 1) {
            return f(self, x);
        }
        let (rank, axis) = (rank(x)? as i64, axis(x, given)?);
        let mut order: Vec<i64> = (0..rank).collect();
        order.swap(axis as usize, rank as usize - 1);
        let moved = self.transpose(x, &order);
        let result = f(self, &moved)?;
        Ok(self.transpose(&result, &order))
    }

    /// Applies a binary op that broadcasts and keeps the dtype.
    pub fn binary(&mut self, op: &str, a: &Tensor, b: &Tensor) -> Tensor {
        self.op(op, &[a, b]).of(a.dtype())
    }
}
