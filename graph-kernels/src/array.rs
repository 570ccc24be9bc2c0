//! `Array`: a dense row-major array of one dtype. Kernels read and write nothing else.

use smallvec::SmallVec;

use crate::block::{BlockMut, Lane, with_lanes};
use crate::buffer::{Buffer, Element, with_buffer};
use crate::dtype::DType;
use crate::error::KernelError;
use crate::parallel;
use crate::values::Values;

/// The sizes of an array's axes, outermost first.
pub type Dims = SmallVec<[usize; 6]>;

/// Whether two shapes are equal. They are compared size by size: `==` of slices calls `memcmp`, which takes hundreds of cycles for the
/// empty
/// shape of a scalar on CPUs with AVX-512.
pub(crate) fn same_shape(a: &[usize], b: &[usize]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b)
}

/// Runs `$body` with `$v` bound to the values of an [`Array`] as a slice of their Rust type.
///
/// ```
/// # use graph_kernels::{Array, with_values};
/// let texts = |x: &Array| with_values!(x, values => values.iter().map(|v| format!("{v:?}")).collect::<Vec<_>>());
/// assert_eq!(texts(&Array::new(&[2], vec![1i8, -1])), ["1", "-1"]);
/// ```
#[macro_export]
macro_rules! with_values {
    ($array:expr, $v:ident => $body:expr) => {
        $crate::with_values!(@ $array, $v, $body; F32 f32, F64 f64, F16 $crate::f16, BF16 $crate::bf16, I32 i32, I64 i64, U8 u8, I8 i8,
            I16 i16, U16 u16, U32 u32, U64 u64, Bool bool, Str String)
    };
    (@ $array:expr, $v:ident, $body:expr; $($variant:ident $type:ty),*) => {{
        let array: &$crate::Array = $array;
        match array.dtype() {
            $($crate::DType::$variant => {
                let $v: &[$type] = array.values().unwrap_or_default();
                $body
            })*
        }
    }};
}

/// The number of values of a shape, or `None` if no array can have that shape. The sizes must multiply without overflow even when axes
/// of size 0 are left out.
///
/// ```
/// # use graph_kernels::len_of;
/// assert_eq!(len_of(&[2, 3]), Some(6));
/// assert_eq!(len_of(&[usize::MAX, 2, 0]), None);
/// ```
pub fn len_of(shape: &[usize]) -> Option<usize> {
    let mut sizes = shape.iter().map(|n| (*n).max(1));
    let product = sizes.try_fold(1, usize::checked_mul)?;
    Some(if shape.contains(&0) { 0 } else { product })
}

/// The number of values of a shape, for callers that can't return an error.
///
/// # Panics
/// If no array can have the shape.
fn expect_len(shape: &[usize]) -> usize {
    len_of(shape).unwrap_or_else(|| panic!("{}", too_large(shape)))
}

/// The error for a shape for which there isn't enough memory.
pub(crate) fn too_large(shape: &[usize]) -> KernelError {
    KernelError::Value(format!("an array of shape {shape:?} is too large"))
}

/// A dense row-major array: a shape and as many values as the shape's product. Invariant: the buffer's
/// length equals the product of `shape`.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    shape: Dims,
    data: Buffer,
}

impl Default for Array {
    /// An empty `float32` vector: the initial state of an output buffer.
    fn default() -> Self {
        Array {
            shape: Dims::from_slice(&[0]),
            data: Buffer::F32(Values::new()),
        }
    }
}

impl Array {
    /// An array of the given shape.
    ///
    /// # Panics
    /// If the number of values isn't the product of the shape, or that product overflows `usize`.
    pub fn new<T: Element>(shape: &[usize], values: Vec<T>) -> Array {
        assert_eq!(
            expect_len(shape),
            values.len(),
            "an array of shape {shape:?} has as many values"
        );
        Array {
            shape: Dims::from_slice(shape),
            data: T::wrap(values.into()),
        }
    }

    /// An array of the given shape with a copy of `values`. The copy starts at a cache line and uses large pages if it is large.
    ///
    /// # Panics
    /// If the number of values isn't the product of the shape.
    ///
    /// ```
    /// # use graph_kernels::Array;
    /// assert_eq!(Array::copy_of(&[2], &[1, 2]), Array::new(&[2], vec![1, 2]));
    /// ```
    pub fn copy_of<T: Element>(shape: &[usize], values: &[T]) -> Array {
        let array = Array {
            shape: Dims::from_slice(&[values.len()]),
            data: T::wrap(Values::copied(values)),
        };
        array.reshaped(shape)
    }

    /// A scalar (rank 0).
    pub fn scalar<T: Element>(value: T) -> Array {
        Array {
            shape: Dims::new(),
            data: T::wrap(Values::one(value)),
        }
    }

    /// An array of default values (zeros, `false`, empty strings).
    ///
    /// # Panics
    /// If there is no memory for that many values. [`reset`](Self::reset) gives an error instead.
    pub fn zeros(dtype: DType, shape: &[usize]) -> Array {
        let mut array = Array::default();
        match array.reset(dtype, shape) {
            Ok(()) => array,
            Err(error) => panic!("{error}"),
        }
    }

    /// The sizes of the axes.
    #[inline]
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The number of axes.
    #[inline]
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        with_buffer!(&self.data, v => v.len())
    }

    /// The number of values that fit without a new allocation.
    pub fn room(&self) -> usize {
        with_buffer!(&self.data, v => v.room())
    }

    /// True if there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The dtype of the values.
    pub fn dtype(&self) -> DType {
        self.data.dtype()
    }

    /// The buffer.
    #[inline]
    pub fn buffer(&self) -> &Buffer {
        &self.data
    }

    /// The buffer, mutable. Callers don't change its dtype or length.
    pub(crate) fn buffer_mut(&mut self) -> &mut Buffer {
        &mut self.data
    }

    /// The values, if `T` is the dtype.
    pub fn values<T: Element>(&self) -> Option<&[T]> {
        T::of(&self.data)
    }

    /// The values, mutable, if `T` is the dtype.
    pub fn values_mut<T: Element>(&mut self) -> Option<&mut [T]> {
        T::of_mut(&mut self.data)
    }

    /// Makes this an array of the given dtype and shape. Its values are unspecified: old values or defaults. The allocation is reused if
    /// it is large enough, so a buffer that is written again and again is allocated once.
    ///
    /// # Errors
    /// If there is no memory for that many values.
    pub fn reset(&mut self, dtype: DType, shape: &[usize]) -> Result<(), KernelError> {
        if !self.is_of(dtype, shape) {
            let len = self.try_reserve(dtype, shape)?;
            with_buffer!(&mut self.data, v => v.resize(len));
            self.shape = Dims::from_slice(shape);
        }
        Ok(())
    }

    fn is_of(&self, dtype: DType, shape: &[usize]) -> bool {
        self.dtype() == dtype && same_shape(&self.shape, shape)
    }

    /// Makes room for an array of a dtype and shape; returns the number of its values.
    fn try_reserve(&mut self, dtype: DType, shape: &[usize]) -> Result<usize, KernelError> {
        let too_large = || too_large(shape);
        let len = len_of(shape).ok_or_else(too_large)?;
        if self.data.dtype() != dtype {
            self.shape = Dims::from_slice(&[0]);
            self.data = Buffer::empty(dtype);
        }
        with_buffer!(&mut self.data, v => v.try_reserve(len)).map_err(|_| too_large())?;
        Ok(len)
    }

    /// Makes this an array of a dtype and shape, and calls `write` for each chunk of `chunk` values (the last one may be shorter) with
    /// the position of the chunk's first value and the chunk, whose values are unspecified. Several threads write if the whole takes
    /// `nanoseconds` on one thread and that is worth it. A single thread touches new memory chunk by chunk: the zeros that the memory
    /// starts with are still in the cache when the values are written.
    ///
    /// # Errors
    /// If there is no memory for that many values.
    pub(crate) fn try_fill_chunks(
        &mut self,
        dtype: DType,
        shape: &[usize],
        chunk: usize,
        nanoseconds: usize,
        write: impl Fn(usize, BlockMut) + Sync,
    ) -> Result<(), KernelError> {
        let len = self.try_reserve(dtype, shape)?;
        if self.len() < len && !parallel::is_worth_splitting(nanoseconds) {
            with_lanes!(&mut self.data, values => {
                for start in (0..len).step_by(chunk) {
                    let end = len.min(start + chunk);
                    values.resize(values.len().max(end));
                    write(start, Lane::block_mut(&mut values[start..end]));
                }
            });
            return self.reset(dtype, shape);
        }
        self.reset(dtype, shape)?;
        with_lanes!(&mut self.data, values => {
            parallel::for_each_chunk(values, chunk, nanoseconds, |start, chunk| {
                write(start, Lane::block_mut(chunk));
            });
        });
        Ok(())
    }

    /// Changes the number of values: those at the front of the buffer stay, those added behind them are defaults (zeros, `false`, empty
    /// strings). Growing step by step costs as much as growing at once.
    ///
    /// # Errors
    /// If there is no memory for that many values; the array is then unchanged.
    pub fn try_resize(&mut self, shape: &[usize]) -> Result<(), KernelError> {
        let len = self.try_reserve(self.dtype(), shape)?;
        with_buffer!(&mut self.data, v => v.grow(len));
        self.shape = Dims::from_slice(shape);
        Ok(())
    }

    /// Like [`reset`](Self::reset), and returns the typed values to write.
    ///
    /// # Errors
    /// If there is no memory for that many values.
    pub fn reset_as<T: Element>(&mut self, shape: &[usize]) -> Result<&mut [T], KernelError> {
        self.reset(T::DTYPE, shape)?;
        Ok(T::of_mut(&mut self.data).expect("reset set the dtype"))
    }

    /// The values as integers of their size, if `T` is that integer type; for kernels that move values and don't look at them.
    pub(crate) fn stored<T: Element>(&self) -> Option<&[T]> {
        T::stored(&self.data)
    }

    /// As [`stored`](Self::stored), mutable.
    pub(crate) fn stored_mut<T: Element>(&mut self) -> Option<&mut [T]> {
        T::stored_mut(&mut self.data)
    }

    /// Like [`reset`](Self::reset), with the dtype of another array; returns the values as in [`stored`](Self::stored).
    pub(crate) fn reset_like<T: Element>(
        &mut self,
        like: &Array,
        shape: &[usize],
    ) -> Result<&mut [T], KernelError> {
        self.reset(like.dtype(), shape)?;
        let values = T::stored_mut(&mut self.data);
        Ok(values.expect("the values of the other array were moved as this type"))
    }

    /// Copies another array into this one, reusing the allocation.
    ///
    /// # Errors
    /// If there is no memory for that many values.
    pub fn assign(&mut self, other: &Array) -> Result<(), KernelError> {
        self.assign_as(other, other.shape())
    }

    /// Copies another array's values into this one under another shape of the same size, reusing the allocation.
    ///
    /// # Errors
    /// If there is no memory for that many values.
    ///
    /// # Panics
    /// If the sizes differ.
    pub fn assign_as(&mut self, other: &Array, shape: &[usize]) -> Result<(), KernelError> {
        self.reset(other.dtype(), shape)?;
        match (&mut self.data, &other.data) {
            (Buffer::F32(a), Buffer::F32(b)) => a.copy_from_slice(b),
            (Buffer::F64(a), Buffer::F64(b)) => a.copy_from_slice(b),
            (Buffer::F16(a), Buffer::F16(b)) => a.copy_from_slice(b),
            (Buffer::BF16(a), Buffer::BF16(b)) => a.copy_from_slice(b),
            (Buffer::I32(a), Buffer::I32(b)) | (Buffer::U32(a), Buffer::U32(b)) => {
                a.copy_from_slice(b)
            }
            (Buffer::I64(a), Buffer::I64(b)) | (Buffer::U64(a), Buffer::U64(b)) => {
                a.copy_from_slice(b)
            }
            (Buffer::U8(a), Buffer::U8(b)) | (Buffer::I8(a), Buffer::I8(b)) => a.copy_from_slice(b),
            (Buffer::I16(a), Buffer::I16(b)) | (Buffer::U16(a), Buffer::U16(b)) => {
                a.copy_from_slice(b)
            }
            (Buffer::Bool(a), Buffer::Bool(b)) => a.copy_from_slice(b),
            (Buffer::Str(a), Buffer::Str(b)) => a.clone_from_slice(b),
            _ => unreachable!("reset set the dtype"),
        }
        Ok(())
    }

    /// Gives the values another shape of the same size.
    ///
    /// # Panics
    /// If the sizes differ.
    pub fn set_shape(&mut self, shape: &[usize]) {
        assert_eq!(
            expect_len(shape),
            self.len(),
            "a reshape keeps the number of values"
        );
        self.shape = Dims::from_slice(shape);
    }

    /// The same values under another shape of the same size.
    ///
    /// # Panics
    /// If the sizes differ.
    pub fn reshaped(mut self, shape: &[usize]) -> Array {
        self.set_shape(shape);
        self
    }
}

#[cfg(test)]
mod tests;
