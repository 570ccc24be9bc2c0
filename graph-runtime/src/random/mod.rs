//! Random numbers: uniform, normal, integers, shuffling, dropout, drawn with Philox4x32-10.
//!
//! Every draw is a function of a seed, which is taken when the draw runs: each execution of a graph draws new numbers, a traced function
//! draws the same numbers as its eager run, and tracing draws nothing. Seeds come from
//! - the global stream, which the functions of this module use: unpredictable, or after [`set_seed`] the same in each run of the program;
//! - the stream of a seed given to the op: [`with_seed`];
//! - a [`Generator`] that the program holds: independent of everything else;
//! - the program itself: [`stateless`], with [`split`] and [`fold_in`] to derive more seeds from one.
//!
//! All four are [`Rng`]s with the same methods. The numbers of [`stateless`] draws are those of TensorFlow's `tf.random.stateless_*` with
//! `alg="philox"`. The numbers of the streams differ from TensorFlow's, which derives the seeds of its ops from Python's generator and from
//! the order in which a graph was built.
//!
//! The streams belong to the process. Threads that draw at the same time take seeds in an undetermined order. To get reproducible numbers
//! there, give each thread a [`Generator`].

mod rng;
mod sources;

use graph_kernels::Element;

pub use rng::Rng;
pub use sources::{Generator, Global, Seeded, Stateless, fold_in, split, stateless, with_seed};

use crate::seeds;
use crate::tensor::{AsOperand, Float, IndexElement, Sizes, Tensor};

/// Restarts the global stream and the streams of all seeds given to ops: from here on, the same numbers are drawn in each run of the
/// program. (`tf.random.set_seed`)
///
/// ```
/// use graph_runtime::random;
/// random::set_seed(7);
/// let a = random::uniform::<f32>(&[3]).to_vec();
/// random::set_seed(7);
/// assert_eq!(random::uniform::<f32>(&[3]).to_vec(), a);
/// ```
#[doc(alias("manual_seed"))]
pub fn set_seed(seed: i64) {
    seeds::restart(seed);
}

/// Defines one free function for each method of [`Rng`], which draws from the global stream.
macro_rules! of_the_global_stream {
    ($($(#[$alias:meta])* $name:ident $(<$($generic:ident: $bound:ident),*>)? $((+ $free:ident))? ($($argument:ident: $type:ty),*) -> $result:ty;)*) => { $(
        #[doc = concat!("[`Rng::", stringify!($name), "`] of the global stream.")]
        $(#[$alias])*
        #[track_caller]
        pub fn $name<$($($generic: $bound,)*)? $($free)?>($($argument: $type),*) -> $result {
            Global.$name($($argument),*)
        }
    )* };
}
of_the_global_stream! {
    #[doc(alias = "rand")]
    uniform<T: Float>(shape: impl Sizes<usize>) -> Tensor<T>;
    uniform_between<T: Float>(low: impl AsOperand<T>, high: impl AsOperand<T>, shape: impl Sizes<usize>) -> Tensor<T>;
    #[doc(alias = "randn")]
    normal<T: Float>(shape: impl Sizes<usize>) -> Tensor<T>;
    truncated_normal<T: Float>(shape: impl Sizes<usize>) -> Tensor<T>;
    #[doc(alias = "randint")]
    integers<T: IndexElement>(low: impl AsOperand<T>, high: impl AsOperand<T>, shape: impl Sizes<usize>) -> Tensor<T>;
    bits<T: IndexElement>(shape: impl Sizes<usize>) -> Tensor<T>;
    uniform_like<T: Float>(+ S)(x: &Tensor<T, S>) -> Tensor<T, S>;
    normal_like<T: Float>(+ S)(x: &Tensor<T, S>) -> Tensor<T, S>;
    bernoulli(probability: f64, shape: impl Sizes<usize>) -> Tensor<bool>;
    shuffle<T: Element>(+ S)(x: &Tensor<T, S>) -> Tensor<T, S>;
    dropout<T: Float>(+ S)(x: &Tensor<T, S>, rate: f64) -> Tensor<T, S>;
    #[doc(alias = "multinomial")]
    categorical<T: Float>(logits: impl AsOperand<T>, count: usize) -> Tensor<i64>;
}
