//! What is known about a value at compile time: its dtype, and what tracing could infer about its shape.

use std::fmt;

use graph_kernels::{Array, DType};
use smallvec::SmallVec;

/// One axis of a [`Shape`]: its size, or `None` if it is known only at run time.
pub type Dim = Option<usize>;

/// The most values of a small tensor, which a plan takes apart into scalars.
pub(crate) const SMALL: usize = 16;

/// A shape that may be partly unknown: the rank is unknown, or the rank is known and each size is known or unknown.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shape(Option<SmallVec<[Dim; 4]>>);

impl Shape {
    /// The shape of unknown rank.
    pub fn unknown() -> Shape {
        Shape(None)
    }

    /// The shape of a scalar.
    pub fn scalar() -> Shape {
        Shape(Some(SmallVec::new()))
    }

    /// A fully known shape.
    pub fn known(dims: &[usize]) -> Shape {
        Shape(Some(dims.iter().copied().map(Some).collect()))
    }

    /// A shape of known rank.
    pub fn of(dims: impl IntoIterator<Item = Dim>) -> Shape {
        Shape(Some(dims.into_iter().collect()))
    }

    /// The axes, if the rank is known.
    pub fn dims(&self) -> Option<&[Dim]> {
        self.0.as_deref()
    }

    /// The number of axes, if known.
    pub fn rank(&self) -> Option<usize> {
        self.0.as_ref().map(|d| d.len())
    }

    /// The size of an axis, counted from 0. `None` if the axis doesn't exist or its size is known only at run time.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let shape = tensor([[1, 2, 3]]).shape();
    /// assert_eq!((shape.get(1), shape.get(2)), (Some(3), None));
    /// ```
    pub fn get(&self, axis: usize) -> Option<usize> {
        self.known_axis(axis).copied()
    }

    /// The size of an axis, if it is known.
    pub fn known_axis(&self, axis: usize) -> Option<&usize> {
        self.dims()?.get(axis)?.as_ref()
    }

    /// Whether all sizes are known.
    pub fn is_known(&self) -> bool {
        self.dims().is_some_and(|dims| !dims.contains(&None))
    }

    /// The sizes, if all are known.
    pub fn to_known(&self) -> Option<SmallVec<[usize; 4]>> {
        self.0.as_ref()?.iter().copied().collect()
    }

    /// The number of elements, if all sizes are known and it fits into `usize`.
    pub fn size(&self) -> Option<usize> {
        self.to_known()?
            .iter()
            .try_fold(1usize, |size, d| size.checked_mul(*d))
    }

    /// True if every array of shape `other` also has this shape: `other` has the same known sizes.
    pub fn covers(&self, other: &Shape) -> bool {
        match (&self.0, &other.0) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(a), Some(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_none() || a == b)
            }
        }
    }

    /// True if an array can have both shapes: they are equal wherever both are known.
    pub fn may_be(&self, other: &Shape) -> bool {
        let (Some(a), Some(b)) = (&self.0, &other.0) else {
            return true;
        };
        a.len() == b.len()
            && a.iter()
                .zip(b)
                .all(|(a, b)| a.is_none() || b.is_none() || a == b)
    }

    /// The most specific shape that covers both.
    pub fn join(&self, other: &Shape) -> Shape {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) if a.len() == b.len() => {
                Shape::of(a.iter().zip(b).map(|(a, b)| if a == b { *a } else { None }))
            }
            _ => Shape::unknown(),
        }
    }
}

/// A shape equals a list of sizes if all its sizes are known and are the same.
macro_rules! equal_to_sizes {
    ($([$($n:tt)*] $sizes:ty;)*) => { $(
        impl<$($n)*> PartialEq<$sizes> for Shape {
            fn eq(&self, sizes: &$sizes) -> bool {
                let sizes: &[usize] = AsRef::<[usize]>::as_ref(sizes);
                self.to_known().is_some_and(|known| known.as_slice() == sizes)
            }
        }
    )* };
}
equal_to_sizes! {
    [] [usize];
    [] &[usize];
    [] Vec<usize>;
    [const N: usize] [usize; N];
    [const N: usize] &[usize; N];
}

impl fmt::Display for Shape {
    /// `[2,3]`, `[?,3]`, `[]` for a scalar, `[*]` for an unknown rank.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(dims) = &self.0 else {
            return f.write_str("[*]");
        };
        f.write_str("[")?;
        for (i, d) in dims.iter().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            match d {
                Some(n) => write!(f, "{n}")?,
                None => f.write_str("?")?,
            }
        }
        f.write_str("]")
    }
}

/// The static type of a graph value: dtype and shape.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TensorType {
    /// The element type.
    pub dtype: DType,
    /// What is known about the shape.
    pub shape: Shape,
}

impl TensorType {
    /// A type from its parts.
    pub fn new(dtype: DType, shape: Shape) -> TensorType {
        TensorType { dtype, shape }
    }

    /// The type of an existing array.
    pub fn of_array(array: &Array) -> TensorType {
        TensorType::new(array.dtype(), Shape::known(array.shape()))
    }

    /// A scalar of a dtype.
    pub fn scalar(dtype: DType) -> TensorType {
        TensorType::new(dtype, Shape::scalar())
    }

    /// The most specific type that covers both, if the dtypes agree.
    pub fn join(&self, other: &TensorType) -> Option<TensorType> {
        (self.dtype == other.dtype)
            .then(|| TensorType::new(self.dtype, self.shape.join(&other.shape)))
    }

    /// True if an array is of this type.
    pub fn accepts(&self, array: &Array) -> bool {
        self.accepts_sizes(array.dtype(), array.shape())
    }

    /// True if arrays of this dtype and these sizes are of this type.
    pub fn accepts_sizes(&self, dtype: DType, shape: &[usize]) -> bool {
        let fits = |dims: &[Dim]| {
            let sizes = dims.iter().zip(shape);
            dims.len() == shape.len() && sizes.into_iter().all(|(d, n)| d.is_none_or(|d| d == *n))
        };
        self.dtype == dtype && self.shape.dims().is_none_or(fits)
    }

    /// True if every array of type `other` is also of this type.
    pub fn covers(&self, other: &TensorType) -> bool {
        self.dtype == other.dtype && self.shape.covers(&other.shape)
    }
}

impl fmt::Display for TensorType {
    /// `int32[2,3]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.dtype, self.shape)
    }
}
