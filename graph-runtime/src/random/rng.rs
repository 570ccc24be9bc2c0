//! The distributions that can be drawn from a source of seeds.

use graph_kernels::Element;

use crate::error::{Error, Location};
use crate::ops::{self, Attr, Attrs, OpDef};
use crate::tensor::{AsOperand, Float, IndexElement, SizeList, Sizes, Tensor, tensor, zeros};
use crate::trace::{self, AnyTensor};

/// A source of random numbers: it gives a seed for each draw. The shapes in the arguments are those of the results: Rust numbers, or an
/// integer vector for a shape that is known only when run.
pub trait Rng {
    /// The seed of the next draw: two integers.
    #[track_caller]
    fn next_seed(&mut self) -> Tensor<i64>;

    /// Floats drawn uniformly from [0, 1): multiples of 2⁻²³ (`f32`) or 2⁻⁵² (`f64`).
    ///
    /// ```
    /// use graph_runtime::random;
    /// let x = random::uniform::<f32>(&[2, 3]);
    /// assert!(x.to_vec().iter().all(|x| (0.0..1.0).contains(x)));
    /// ```
    #[doc(alias("rand"))]
    #[track_caller]
    fn uniform<T: Float>(&mut self, shape: impl Sizes<usize>) -> Tensor<T> {
        draw(
            &ops::STATELESS_UNIFORM,
            self.next_seed(),
            shape.into_sizes(),
        )
    }

    /// Floats drawn uniformly from [`low`, `high`). Rounding may give `high`.
    ///
    /// ```
    /// use graph_runtime::random;
    /// let x = random::uniform_between::<f64>(-1.0, 1.0, &[100]);
    /// assert!(x.to_vec().iter().all(|x| (-1.0..=1.0).contains(x)));
    /// ```
    #[track_caller]
    fn uniform_between<T: Float>(
        &mut self,
        low: impl AsOperand<T>,
        high: impl AsOperand<T>,
        shape: impl Sizes<usize>,
    ) -> Tensor<T> {
        let [low, high] = [low.into_operand(), high.into_operand()].map(Tensor::<T>::from_any);
        self.uniform::<T>(shape) * (high - &low) + low
    }

    /// Floats of the standard normal distribution (mean 0, standard deviation 1), drawn by the Box-Muller transform. For another mean and
    /// deviation: `normal(shape) * deviation + mean`.
    ///
    /// ```
    /// use graph_runtime::random;
    /// let x = random::normal::<f32>(&[3]) * 0.1 + 5.0;
    /// assert_eq!(x.array().shape(), [3]);
    /// ```
    #[doc(alias("randn"))]
    #[track_caller]
    fn normal<T: Float>(&mut self, shape: impl Sizes<usize>) -> Tensor<T> {
        draw(&ops::STATELESS_NORMAL, self.next_seed(), shape.into_sizes())
    }

    /// Floats of the standard normal distribution, truncated: values with a magnitude of 2 or more are drawn again.
    ///
    /// ```
    /// use graph_runtime::random;
    /// let x = random::truncated_normal::<f32>(&[100]);
    /// assert!(x.to_vec().iter().all(|x| x.abs() < 2.0));
    /// ```
    #[track_caller]
    fn truncated_normal<T: Float>(&mut self, shape: impl Sizes<usize>) -> Tensor<T> {
        let seed = self.next_seed();
        draw(&ops::STATELESS_TRUNCATED_NORMAL, seed, shape.into_sizes())
    }

    /// Integers drawn uniformly from [`low`, `high`). The bounds are numbers or scalar tensors.
    ///
    /// # Errors
    /// When run, if `low` isn't less than `high`.
    ///
    /// ```
    /// use graph_runtime::random;
    /// let dice = random::integers(1, 7, &[10]);
    /// assert!(dice.to_vec().iter().all(|n| (1..=6).contains(n)));
    /// ```
    #[doc(alias("randint"))]
    #[track_caller]
    fn integers<T: IndexElement>(
        &mut self,
        low: impl AsOperand<T>,
        high: impl AsOperand<T>,
        shape: impl Sizes<usize>,
    ) -> Tensor<T> {
        let operands = vec![
            self.next_seed().into_any(),
            low.into_operand(),
            high.into_operand(),
        ];
        let op = &ops::STATELESS_INTEGERS;
        Tensor::from_any(shape.into_sizes().draw(op, None, operands))
    }

    /// Integers drawn uniformly from all values of the type.
    ///
    /// ```
    /// use graph_runtime::random;
    /// assert_eq!(random::bits::<i64>(&[2]).to_vec().len(), 2);
    /// ```
    #[track_caller]
    fn bits<T: IndexElement>(&mut self, shape: impl Sizes<usize>) -> Tensor<T> {
        draw(&ops::STATELESS_BITS, self.next_seed(), shape.into_sizes())
    }

    /// [`uniform`](Self::uniform) in the shape of another tensor, even if that is known only when run.
    ///
    /// ```
    /// use graph_runtime::{random, tensor::tensor};
    /// assert_eq!(random::uniform_like(&tensor([1.0, 2.0])).to_vec().len(), 2);
    /// ```
    #[doc(alias("rand_like"))]
    #[track_caller]
    fn uniform_like<T: Float, S>(&mut self, x: &Tensor<T, S>) -> Tensor<T, S> {
        draw(&ops::STATELESS_UNIFORM, self.next_seed(), x.sizes())
    }

    /// [`normal`](Self::normal) in the shape of another tensor, even if that is known only when run.
    ///
    /// ```
    /// use graph_runtime::{random, tensor::tensor};
    /// assert_eq!(random::normal_like(&tensor([1.0, 2.0])).to_vec().len(), 2);
    /// ```
    #[doc(alias("randn_like"))]
    #[track_caller]
    fn normal_like<T: Float, S>(&mut self, x: &Tensor<T, S>) -> Tensor<T, S> {
        draw(&ops::STATELESS_NORMAL, self.next_seed(), x.sizes())
    }

    /// Truth values, each true with the given probability.
    ///
    /// ```
    /// use graph_runtime::random;
    /// assert_eq!(random::bernoulli(1.0, &[3]).to_vec(), [true; 3]);
    /// ```
    #[track_caller]
    fn bernoulli(&mut self, probability: f64, shape: impl Sizes<usize>) -> Tensor<bool> {
        self.uniform::<f64>(shape).lt(probability)
    }

    /// The rows of the first axis in a random order. All orders are equally likely.
    ///
    /// # Errors
    /// If `x` is a scalar.
    ///
    /// ```
    /// use graph_runtime::{random, tensor::tensor};
    /// let shuffled = random::shuffle(&tensor([3, 1, 2]));
    /// assert_eq!(shuffled.sort().to_vec(), [1, 2, 3]);
    /// ```
    #[doc(alias("permutation", "randperm"))]
    #[track_caller]
    fn shuffle<T: Element, S>(&mut self, x: &Tensor<T, S>) -> Tensor<T, S> {
        let operands = [self.next_seed().into_any(), x.as_any().clone()];
        let operands = operands.each_ref();
        Tensor::from_any(AnyTensor::apply(
            &ops::STATELESS_SHUFFLE,
            Attrs::default(),
            &operands,
        ))
    }

    /// Sets each value to 0 with probability `rate` and divides the others by `1 - rate`, so that the expected sum stays the same. Keeps
    /// the shape. A rate of 0 gives `x` and draws nothing.
    ///
    /// # Errors
    /// If `rate` isn't in [0, 1).
    ///
    /// ```
    /// use graph_runtime::{random, tensor::ones};
    /// let x = random::dropout(&ones::<f32>(&[8]), 0.5);
    /// assert!(x.to_vec().iter().all(|x| *x == 0.0 || *x == 2.0));
    /// ```
    #[track_caller]
    fn dropout<T: Float, S>(&mut self, x: &Tensor<T, S>, rate: f64) -> Tensor<T, S> {
        if !(0.0..1.0).contains(&rate) {
            let message = format!(
                "`rate` must be a scalar tensor or a float in the range [0, 1). Received: rate={rate}"
            );
            trace::fail(Error::trace(message, Location::caller()));
        }
        if rate == 0.0 {
            return x.clone();
        }
        let x = x.to_dynamic();
        let kept = self.uniform_like(&x).ge(tensor(rate).cast::<T>());
        let scaled = &x * tensor(1.0 / (1.0 - rate)).cast::<T>();
        Tensor::from_any(kept.select(scaled, T::default()).into_any())
    }

    /// For each row of unnormalized log-probabilities `[rows, classes]`, draws `count` classes: `[rows, count]`. (By the Gumbel-max trick:
    /// the class with the largest sum of log-probability and Gumbel noise.)
    ///
    /// ```
    /// use graph_runtime::{random, tensor::tensor};
    /// let never = f32::NEG_INFINITY;
    /// let classes = random::categorical(&tensor([[never, 0.0, never]]), 4);
    /// assert_eq!(classes.to_vec(), [1; 4]);
    /// ```
    #[doc(alias("multinomial"))]
    #[track_caller]
    fn categorical<T: Float>(&mut self, logits: impl AsOperand<T>, count: usize) -> Tensor<i64> {
        let logits = Tensor::<T>::from_any(logits.into_operand());
        let repeated = logits.expand_dims(-2) + zeros::<T>(&[count, 1]);
        let waits = zeros::<T>(&[]) - self.uniform_like(&repeated).log();
        (repeated - waits.log()).argmax(-1)
    }
}

#[track_caller]
fn draw<T: Element, S>(op: &'static OpDef, seed: Tensor<i64>, sizes: SizeList) -> Tensor<T, S> {
    let dtype = Some(("dtype", Attr::DType(T::DTYPE)));
    Tensor::from_any(sizes.draw(op, dtype, vec![seed.into_any()]))
}
