//! The public dataset type: a recipe with its tensors. A transformation makes a new dataset and runs nothing.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use graph_kernels::DType;

use graph_ir::recipes::{
    Cache, Concatenate, Enumerate, Filter, Map, Prefetch, Recipe, Repeat, Shuffle, Skip, Take,
    Window, Zip,
};

use super::Record;
use super::function;
use super::interleave::Interleave;
use super::seed::{Given, Seed};
use crate::error::{Error, Location, Result};
use crate::graph::{Shape, TensorType};
use crate::nesting;
use crate::tensor::{ShapeSpec, Tensor};
use crate::trace::{self, AnyTensor};

/// A source of elements of type `T`: a tensor, or a tuple of tensors. Cloning is cheap. Each `for` begins at the first element.
///
/// ```
/// use graph_runtime::prelude::*;
/// let dataset = Dataset::from_slices((tensor([1, 2, 3, 4, 5]), tensor([1.0, 4.0, 9.0, 16.0, 25.0])))
///     .skip(1)
///     .batch(2);
/// let mut seen = Vec::new();
/// for (x, y) in &dataset {
///     seen.push((x.to_vec(), y.to_vec()));
/// }
/// assert_eq!(seen, [(vec![2, 3], vec![4.0, 9.0]), (vec![4, 5], vec![16.0, 25.0])]);
/// ```
#[doc(alias("DataLoader"))]
pub struct Dataset<T> {
    pub(super) recipe: Recipe,
    pub(super) operands: Vec<Operand>,
    element: PhantomData<fn() -> T>,
}

/// An operand of an iteration.
#[derive(Clone)]
pub(super) enum Operand {
    /// A tensor.
    Tensor(AnyTensor),
    /// The next seed of a stream, drawn when the iteration begins.
    Seed(Option<i64>),
}

impl<T> Clone for Dataset<T> {
    fn clone(&self) -> Dataset<T> {
        Dataset {
            recipe: self.recipe.clone(),
            operands: self.operands.clone(),
            element: PhantomData,
        }
    }
}

impl<T> fmt::Debug for Dataset<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dataset({})", self.recipe)
    }
}

impl<T> Dataset<T> {
    /// Makes a dataset; fails at the caller's line if its recipe is nested too deep.
    #[track_caller]
    pub(super) fn of(recipe: Recipe, operands: Vec<Operand>) -> Dataset<T> {
        if let Some(message) = nesting::too_deep("datasets", recipe.depth()) {
            trace::fail(Error::trace(message, Location::caller()));
        }
        Dataset {
            recipe,
            operands,
            element: PhantomData,
        }
    }

    /// The types of the operands.
    fn operand_types(&self) -> Vec<TensorType> {
        let types = self.operands.iter().map(|operand| match operand {
            Operand::Tensor(tensor) => tensor.ty(),
            Operand::Seed(_) => TensorType::new(DType::I64, Shape::known(&[2])),
        });
        types.collect()
    }

    /// The dtypes and shapes of an element's leaves, as far as they are known.
    pub(super) fn types(&self, location: &Location) -> Result<Vec<TensorType>> {
        let types = self.recipe.types(&self.operand_types());
        types.map_err(|message| Error::trace(message, location.clone()))
    }

    /// A dataset with the same operands and another recipe.
    #[track_caller]
    fn with<R>(&self, recipe: Recipe) -> Dataset<R> {
        Dataset::of(recipe, self.operands.clone())
    }

    /// Applies a transformation that moves elements without looking into them; `own` is its own operand, if it has one. It is put before
    /// maps whose position in the recipe doesn't matter. Elements that aren't mapped yet are only row numbers, which are cheap to move; and
    /// a map that comes last is where [`batch`](Dataset::batch) can find it.
    #[track_caller]
    fn moved(&self, own: Option<Operand>, apply: impl Fn(Recipe) -> Recipe) -> Dataset<T> {
        let (mut below, mut maps) = (self.recipe.clone(), Vec::new());
        while let Some((source, function)) = below.0.as_map() {
            maps.push(function.clone());
            below = source.clone();
        }
        let mut operands = self.operands.clone();
        let place = below.operands();
        operands.splice(place..place, own);
        let unmapped = apply(below);
        let mapped = maps.into_iter().rev().fold(unmapped, |source, function| {
            Recipe::new(Map(source, function))
        });
        Dataset::of(mapped, operands)
    }

    /// The number of elements, if it is known without an iteration.
    ///
    /// ```
    /// use graph_runtime::prelude::*;
    /// let rows = Dataset::from_slices(zeros::<i32>(&[10, 3]));
    /// assert_eq!(rows.batch(4).len(), Some(3));
    /// assert_eq!(rows.filter(|row| row.sum().gt(0)).len(), None);
    /// ```
    #[doc(alias("cardinality"))]
    pub fn len(&self) -> Option<usize> {
        self.recipe.0.count(&self.operand_types())
    }

    /// Whether it is known that there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }
}

impl<T: Record> Dataset<T> {
    /// The first `count` elements.
    #[track_caller]
    pub fn take(&self, count: usize) -> Dataset<T> {
        self.moved(None, |source| Recipe::new(Take(source, count)))
    }

    /// All but the first `count` elements.
    #[track_caller]
    pub fn skip(&self, count: usize) -> Dataset<T> {
        self.moved(None, |source| Recipe::new(Skip(source, count)))
    }

    /// All elements, repeated `times` times.
    #[track_caller]
    pub fn repeat(&self, times: usize) -> Dataset<T> {
        self.moved(None, |source| Recipe::new(Repeat(source, Some(times))))
    }

    /// All elements, repeated without end: leave the loop by `break`, or limit it by [`take`](Self::take).
    #[track_caller]
    pub fn repeat_forever(&self) -> Dataset<T> {
        self.moved(None, |source| Recipe::new(Repeat(source, None)))
    }

    /// The elements in a random order, which is different in each iteration. A buffer holds `buffer` elements, and each element is drawn
    /// from it. If the buffer holds the whole dataset, every order is equally likely. In the buffer, a row of a tensor takes only a few
    /// bytes. The order is drawn from the global stream of [`random`](crate::random).
    ///
    /// # Panics
    /// If `buffer` is 0.
    #[track_caller]
    pub fn shuffle(&self, buffer: usize) -> Dataset<T> {
        self.shuffle_with(buffer, None, true)
    }

    /// [`shuffle`](Self::shuffle) with a [`Seed`]. Unless `reshuffle_each_iteration`, all iterations have the same order, which is drawn
    /// here.
    ///
    /// ```
    /// use graph_runtime::{prelude::*, random};
    /// let dataset = Dataset::range(0..100).shuffle_with(100, 7, true);
    /// let order = |dataset: &Dataset<Tensor<i64>>| dataset.iter().map(|n| n.item()).collect::<Vec<_>>();
    /// random::set_seed(1);
    /// let (first, second) = (order(&dataset), order(&dataset));
    /// assert_ne!(first, second);
    /// random::set_seed(1);
    /// assert_eq!(order(&dataset), first);
    /// ```
    ///
    /// # Panics
    /// If `buffer` is 0.
    #[track_caller]
    pub fn shuffle_with(
        &self,
        buffer: usize,
        seed: impl Into<Seed>,
        reshuffle_each_iteration: bool,
    ) -> Dataset<T> {
        assert!(
            buffer > 0,
            "a dataset is shuffled through a buffer of at least one element"
        );
        let seed = match seed.into().0 {
            Given::Pair(pair) => Operand::Tensor(pair),
            Given::Stream(stream) if reshuffle_each_iteration => Operand::Seed(stream),
            Given::Stream(stream) => Operand::Tensor(trace::next_seed(stream, Location::caller())),
        };
        self.moved(Some(seed), |source| {
            Recipe::new(Shuffle {
                source,
                buffer,
                each_time: reshuffle_each_iteration,
            })
        })
    }

    /// Batches of `size` elements along a new first axis; the last batch may have fewer. The memory of a batch is reused once the program
    /// has dropped it.
    ///
    /// # Panics
    /// If `size` is 0.
    #[track_caller]
    pub fn batch(&self, size: usize) -> Dataset<T::Batch> {
        self.windows(Window::batch(size, false))
    }

    /// [`batch`](Self::batch) without a smaller last batch, so that the size of all batches is known. (`drop_remainder=True`)
    ///
    /// # Panics
    /// If `size` is 0.
    #[doc(alias("drop_remainder", "drop_last"))]
    #[track_caller]
    pub fn batch_exact(&self, size: usize) -> Dataset<T::Batch> {
        self.windows(Window::batch(size, true))
    }

    /// Windows over the elements, each along a new first axis, like a [`batch`](Self::batch). A window has `size` elements, which are
    /// `stride` elements apart; the next window begins `shift` elements later. At the end, windows with too few elements are smaller, or
    /// are left out if `drop_remainder`; then the size of all windows is known. (TensorFlow's `window`, whose windows are datasets,
    /// followed by `flat_map(lambda w: w.batch(size))`)
    ///
    /// ```
    /// use graph_runtime::prelude::*;
    /// // Three values of a series and the one that follows them.
    /// let series = Dataset::from_slices(tensor([1.0, 2.0, 4.0, 8.0, 16.0]));
    /// let pairs = series.window(4, 1, 1, true).map(|w| (w.get(..3), w.get(3)));
    /// let pairs: Vec<_> = pairs.iter().map(|(x, y)| (x.to_vec(), y.item())).collect();
    /// assert_eq!(pairs, [(vec![1.0, 2.0, 4.0], 8.0), (vec![2.0, 4.0, 8.0], 16.0)]);
    /// ```
    ///
    /// # Panics
    /// If `size`, `shift` or `stride` is 0.
    #[track_caller]
    pub fn window(
        &self,
        size: usize,
        shift: usize,
        stride: usize,
        drop_remainder: bool,
    ) -> Dataset<T::Batch> {
        self.windows(Window {
            size,
            shift,
            stride,
            drop_remainder,
        })
    }

    #[track_caller]
    fn windows(&self, window: Window) -> Dataset<T::Batch> {
        assert!(
            window.size > 0,
            "a batch or window has at least one element"
        );
        assert!(
            window.shift > 0 && window.stride > 0,
            "`shift` and `stride` of a window are at least 1"
        );
        self.with(window.of(&self.recipe, &self.operand_types()))
    }

    /// Pairs of the elements of two datasets, until one of them ends.
    #[track_caller]
    pub fn zip<B: Record>(&self, other: &Dataset<B>) -> Dataset<(T, B)> {
        let recipe = Recipe::new(Zip(self.recipe.clone(), other.recipe.clone()));
        let operands = self.operands.iter().chain(&other.operands);
        Dataset::of(recipe, operands.cloned().collect())
    }

    /// The elements of this dataset, then those of the other one.
    ///
    /// ```
    /// use graph_runtime::prelude::*;
    /// let numbers = Dataset::range(0..2).concatenate(&Dataset::range(7..9));
    /// assert_eq!(numbers.iter().map(|n| n.item()).collect::<Vec<i64>>(), [0, 1, 7, 8]);
    /// ```
    #[track_caller]
    pub fn concatenate(&self, other: &Dataset<T>) -> Dataset<T> {
        let recipe = Recipe::new(Concatenate(self.recipe.clone(), other.recipe.clone()));
        let operands = self.operands.iter().chain(&other.operands);
        Dataset::of(recipe, operands.cloned().collect())
    }

    /// The elements of the datasets that a function makes of the elements of this one, one dataset after the other. The function is Rust
    /// code and is called for each element when it is reached; so the element has a value, which may be the name of a file. A graph knows
    /// only the shapes of the new elements that their types tell, as with [`from_generator`](Dataset::from_generator).
    ///
    /// ```
    /// use graph_runtime::prelude::*;
    /// let counted = Dataset::range(1..4).flat_map(|n| Dataset::range(0..n.item()));
    /// assert_eq!(counted.iter().map(|n| n.item()).collect::<Vec<i64>>(), [0, 0, 1, 0, 1, 2]);
    /// ```
    #[track_caller]
    pub fn flat_map<R: Record>(
        &self,
        f: impl Fn(T) -> Dataset<R> + Send + Sync + 'static,
    ) -> Dataset<R> {
        self.interleave(1, 1, f)
    }

    /// [`flat_map`](Self::flat_map) with `cycle` datasets that take turns: each gives `block` elements in its turn. When a dataset ends,
    /// the next one takes its place.
    ///
    /// # Panics
    /// If `cycle` or `block` is 0.
    #[track_caller]
    pub fn interleave<R: Record>(
        &self,
        cycle: usize,
        block: usize,
        f: impl Fn(T) -> Dataset<R> + Send + Sync + 'static,
    ) -> Dataset<R> {
        assert!(
            cycle > 0 && block > 0,
            "`cycle` and `block` of an interleaving are at least 1"
        );
        let source = self.recipe.clone();
        let recipe = Interleave::new(source, f, [cycle, block], &Location::caller());
        self.with(Recipe::new(recipe))
    }

    /// The same elements, kept in memory by the first iteration that reaches the end. Later iterations read no files and draw no random
    /// numbers for them. Shuffle after `cache`, not before it, for another order in each iteration.
    ///
    /// If a graph function makes the dataset of its arguments, the elements are kept as long as the arguments are the same tensors.
    ///
    /// ```
    /// use graph_runtime::prelude::*;
    /// let noise = Dataset::range(0..3).map(|_| graph_runtime::random::uniform::<f32>(&[2]));
    /// let kept = noise.cache();
    /// let values = || kept.iter().map(|x| x.to_vec()).collect::<Vec<_>>();
    /// assert_eq!(values(), values());
    /// ```
    #[track_caller]
    pub fn cache(&self) -> Dataset<T> {
        self.with(Recipe::new(Cache::new(self.recipe.clone())))
    }

    /// Pairs of the element's number, an `int64` scalar, and the element.
    #[track_caller]
    pub fn enumerate(&self) -> Dataset<(Tensor<i64>, T)> {
        self.with(Recipe::new(Enumerate(self.recipe.clone())))
    }

    /// Applies a function to each element. It is traced here, once, like the body of a graph function, and its graph runs for each element;
    /// random numbers are drawn anew each time.
    ///
    /// ```
    /// use graph_runtime::prelude::*;
    /// let pixels = tensor([[0u8, 51], [255, 102]]);
    /// let labels = tensor([0u8, 1]);
    /// let dataset = Dataset::from_slices((pixels, labels))
    ///     .map(|(x, y)| (x.cast::<f32>() / 255.0, y.cast::<i64>()));
    /// let (x, y) = dataset.iter().last().unwrap();
    /// assert_eq!((x.to_vec(), y.item()), (vec![1.0, 0.4], 1));
    /// ```
    ///
    /// # Errors
    /// If the function has an error, on its own line. It can't assign variables.
    #[track_caller]
    pub fn map<R: Record>(&self, f: impl FnOnce(T) -> R) -> Dataset<R> {
        self.apply(f, |source, function| Recipe::new(Map(source, function)))
    }

    /// Keeps the elements for which a function gives `true`. It is traced here, like that of [`map`](Self::map).
    ///
    /// ```
    /// use graph_runtime::prelude::*;
    /// let even = Dataset::range(0..10).filter(|n| (n % 2).equal(0i64));
    /// assert_eq!(even.iter().count(), 5);
    /// ```
    ///
    /// # Errors
    /// As [`map`](Self::map); if the function's result isn't a single truth value, on the calling line.
    #[track_caller]
    pub fn filter<S: ShapeSpec>(&self, f: impl FnOnce(T) -> Tensor<bool, S>) -> Dataset<T> {
        self.apply(f, |source, function| Recipe::new(Filter(source, function)))
    }

    #[track_caller]
    fn apply<R: crate::Nest, Y>(
        &self,
        f: impl FnOnce(T) -> R,
        recipe: impl FnOnce(Recipe, Arc<function::Function>) -> Recipe,
    ) -> Dataset<Y> {
        let location = Location::caller();
        let types = self.types(&location);
        let traced = types.and_then(|types| function::trace(types, f, &location));
        let (function, captures) = trace::or_fail(traced);
        let draws = function.draws;
        let mut dataset = self.with(recipe(self.recipe.clone(), Arc::new(function)));
        let captures = captures.into_iter().map(Operand::Tensor);
        dataset.operands.extend(captures);
        dataset
            .operands
            .extend(draws.then_some(Operand::Seed(None)));
        dataset
    }

    /// Makes up to `count` elements in advance, in a thread of its own, while the program uses earlier ones. The elements and their order
    /// stay the same. The prints of a function over elements appear when its element is taken.
    ///
    /// # Panics
    /// If `count` is 0.
    #[track_caller]
    pub fn prefetch(&self, count: usize) -> Dataset<T> {
        assert!(count > 0, "at least one element is made ahead");
        self.with(Recipe::new(Prefetch(self.recipe.clone(), count)))
    }
}
