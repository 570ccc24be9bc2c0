//! Where the elements of a dataset come from: tensors in memory, ranges of numbers, iterators of Rust.

use graph_ir::recipes::{Recipe, Slices as SlicesOf};

use super::dataset::{Dataset, Operand};
use super::generator::{Generator, Items};
use super::record::types_of;
use super::{Numbers, Record, Slices};
use crate::error::{Error, Location};
use crate::ops::{self, Attr, Attrs};
use crate::tensor::Tensor;
use crate::trace::{self, AnyTensor};

impl Dataset<()> {
    /// The rows of a tensor along its first axis, or tuples of the rows of several tensors. Nothing is copied.
    /// (`tf.data.Dataset.from_tensor_slices`)
    ///
    /// # Errors
    /// If a tensor is a scalar or the tensors have different numbers of rows, on the calling line.
    #[doc(alias("from_tensor_slices", "TensorDataset"))]
    #[track_caller]
    pub fn from_slices<X: Slices>(tensors: X) -> Dataset<X::Row> {
        let mut operands = Vec::new();
        tensors.tensors(&mut |tensor| operands.push(Operand::Tensor(tensor.clone())));
        let dataset = Dataset::of(Recipe::new(SlicesOf(operands.len())), operands);
        trace::or_fail(dataset.types(&Location::caller()));
        dataset
    }

    /// One element: the tensor, or the tuple of tensors. ([`from_slices`](Dataset::from_slices) takes their rows.)
    /// (`tf.data.Dataset.from_tensors`)
    ///
    /// ```
    /// use graph_runtime::prelude::*;
    /// let one = Dataset::from_tensors((tensor([1, 2, 3]), tensor(0.5)));
    /// assert_eq!(one.len(), Some(1));
    /// for (x, y) in &one {
    ///     assert_eq!((x.to_vec(), y.item()), (vec![1, 2, 3], 0.5));
    /// }
    /// ```
    #[track_caller]
    pub fn from_tensors<X: Slices>(tensors: X) -> Dataset<X::Row> {
        let mut operands = Vec::new();
        tensors.tensors(&mut |tensor| {
            let attrs = Attrs::new().with("axis", Attr::Int(0));
            let one_row = AnyTensor::apply(&ops::EXPAND_DIMS, attrs, &[tensor]);
            operands.push(Operand::Tensor(one_row));
        });
        Dataset::of(Recipe::new(SlicesOf(operands.len())), operands)
    }

    /// The numbers of a range as `int64` scalars. They are made when they are needed, so the range may have any length. The bounds may be
    /// scalar tensors; see [`Numbers`] for all forms of a range. (`tf.data.Dataset.range`)
    ///
    /// # Errors
    /// If the step is 0: on the calling line, or when an iteration begins if the step is a tensor.
    ///
    /// ```
    /// use graph_runtime::prelude::*;
    /// let numbers: Vec<i64> = Dataset::range(0..3).iter().map(|n| n.item()).collect();
    /// assert_eq!(numbers, [0, 1, 2]);
    /// assert_eq!(Dataset::range(3).len(), Some(3));
    ///
    /// #[graph_fn]
    /// fn sum_of_odd(n: Tensor<i32>) -> Tensor<i64> {
    ///     let mut sum = tensor(0i64);
    ///     for k in Dataset::range((1, n, 2)) {
    ///         sum += k;
    ///     }
    ///     sum
    /// }
    /// assert_eq!(sum_of_odd(tensor(6)).item(), 1 + 3 + 5);
    /// ```
    #[track_caller]
    pub fn range(numbers: impl Numbers) -> Dataset<Tensor<i64>> {
        let location = Location::caller();
        let dataset = numbers.into_bounds().source().map(|(counted, operands)| {
            let operands = operands.into_iter().map(Operand::Tensor).collect();
            Dataset::of(Recipe::new(counted), operands)
        });
        let dataset = dataset.map_err(|message| Error::trace(message, location.clone()));
        trace::or_fail(dataset.and_then(|dataset| dataset.types(&location).map(|_| dataset)))
    }

    /// The items of an iterator, which is made anew for each iteration. Its items must have values: it runs as plain Rust, even if a graph
    /// runs the loop. (`tf.data.Dataset.from_generator`)
    ///
    /// A graph knows only the shapes that the items' types tell. So if the shapes matter, use types that tell them: `Tensor<f32, S0>` for a
    /// scalar, `Tensor<f32, shape![784]>` for a vector.
    ///
    /// ```
    /// use graph_runtime::prelude::*;
    /// let powers = Dataset::from_generator(|| (0..4).map(|n| tensor(2.0f32).pow(n as f32)));
    /// let sum: f32 = powers.iter().map(|x| x.item()).sum();
    /// assert_eq!(sum, 15.0);
    /// ```
    #[doc(alias("IterableDataset"))]
    #[track_caller]
    pub fn from_generator<T: Record, I>(begin: impl Fn() -> I + Send + Sync + 'static) -> Dataset<T>
    where
        I: Iterator<Item = T> + Send + 'static,
    {
        let begin = move || Ok(Box::new(begin().map(Ok)) as Items<T>);
        let generator = Generator::new("generator", types_of::<T>(), begin, Location::caller());
        Dataset::of(Recipe::new(generator), Vec::new())
    }
}
