//! The sources of seeds: the streams of the process, a generator that a program holds, or a given seed.

use std::fmt;

use super::Rng;
use crate::error::Location;
use crate::state::{GraphState, Nest};
use crate::tensor::{Tensor, stack, tensor};
use crate::trace::{self, AnyTensor};

/// The global stream of the process, from which the functions of this module draw.
#[derive(Clone, Copy, Debug, Default)]
pub struct Global;

impl Rng for Global {
    fn next_seed(&mut self) -> Tensor<i64> {
        Tensor::from_any(trace::next_seed(None, Location::caller()))
    }
}

/// The stream of one seed given to ops: see [`with_seed`].
#[derive(Clone, Copy, Debug)]
pub struct Seeded(i64);

/// The stream of a seed. It restarts with [`set_seed`](super::set_seed), has a position of its own, and gives the same numbers in every run
/// of the program, whether or not there is a global seed.
///
/// ```
/// use graph_runtime::random::{self, Rng};
/// let a = random::with_seed(1).uniform::<f32>(&[2]);
/// let b = random::with_seed(1).uniform::<f32>(&[2]);
/// assert_ne!(a.to_vec(), b.to_vec()); // the stream moves on
/// ```
pub fn with_seed(seed: i64) -> Seeded {
    Seeded(seed)
}

impl Rng for Seeded {
    fn next_seed(&mut self) -> Tensor<i64> {
        Tensor::from_any(trace::next_seed(Some(self.0), Location::caller()))
    }
}

/// A given seed of two integers: a draw is a function of the seed and the same each time.
#[derive(Clone)]
pub struct Stateless(Tensor<i64>);

/// Draws with a seed of two integers, like `tf.random.stateless_uniform`: no state is read or changed.
///
/// ```
/// use graph_runtime::random::{self, Rng};
/// use graph_runtime::tensor::tensor;
/// let seed = tensor([1i64, 2]);
/// assert_eq!(random::stateless(&seed).uniform::<f32>(&[2]).to_vec(), [0.8440604, 0.19204533]);
/// ```
#[doc(alias("PRNGKey"))]
pub fn stateless(seed: &Tensor<i64>) -> Stateless {
    Stateless(seed.clone())
}

impl Rng for Stateless {
    fn next_seed(&mut self) -> Tensor<i64> {
        self.0.clone()
    }
}

/// Derives `count` seeds from one: `[count, 2]`, one row for each part of a program that draws independently (`tf.random.split`).
///
/// ```
/// use graph_runtime::{random, tensor::tensor};
/// let seeds = random::split(&tensor([1i64, 2]), 2);
/// assert_eq!(seeds.row(0).to_vec(), [7464880146280614444, 1591045637757961278]);
/// ```
#[track_caller]
pub fn split(seed: &Tensor<i64>, count: usize) -> Tensor<i64> {
    stateless(seed).bits(&[count, 2])
}

/// Derives the seed for one part of a program from the part's number (`tf.random.fold_in`).
///
/// ```
/// use graph_runtime::{random, tensor::tensor};
/// let seed = random::fold_in(&tensor([1i64, 2]), &tensor(7i64));
/// assert_eq!(seed.to_vec(), [7464880146280614444, 7]);
/// ```
#[track_caller]
pub fn fold_in(seed: &Tensor<i64>, number: &Tensor<i64>) -> Tensor<i64> {
    stack([&stateless(seed).bits(&[]), number], 0)
}

/// A generator that a program holds. Its state is a tensor, which branches and loops of a graph function carry like any other. A clone
/// draws the same numbers again.
///
/// ```
/// use graph_runtime::prelude::*;
/// use graph_runtime::random::{Generator, Rng};
///
/// #[graph_fn]
/// fn walk(n: Tensor<i32>) -> Tensor<f32> {
///     let mut generator = Generator::from_seed(3);
///     let mut place = tensor(0.0f32);
///     for _ in 0..n {
///         place += generator.normal(&[]);
///     }
///     place
/// }
/// assert_eq!(walk(tensor(10)).item(), walk(tensor(10)).item());
/// ```
#[derive(Clone)]
pub struct Generator {
    /// The number of the stream, and how many seeds it has given so far.
    state: Tensor<i64>,
}

impl Generator {
    /// Makes a generator at the beginning of the stream with this number.
    #[track_caller]
    pub fn from_seed(seed: i64) -> Generator {
        Generator {
            state: tensor([seed, 0]),
        }
    }

    /// Makes a generator at a state that [`state`](Self::state) returned.
    pub fn from_state(state: Tensor<i64>) -> Generator {
        Generator { state }
    }

    /// The state of the generator, two integers.
    pub fn state(&self) -> &Tensor<i64> {
        &self.state
    }
}

impl Rng for Generator {
    fn next_seed(&mut self) -> Tensor<i64> {
        let next = &self.state + tensor([0i64, 1]);
        std::mem::replace(&mut self.state, next)
    }
}

impl fmt::Debug for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Generator").finish_non_exhaustive()
    }
}

#[diagnostic::do_not_recommend]
impl Nest for Generator {
    type Structure = ();
    fn structure(&self) -> Option<()> {
        Some(())
    }
    fn leaves(&self, visit: &mut dyn FnMut(&AnyTensor)) {
        visit(self.state.as_any());
    }
    fn rebuild(_: &(), next: &mut dyn FnMut() -> AnyTensor) -> Generator {
        Generator::from_state(Tensor::from_any(next()))
    }
}
#[diagnostic::do_not_recommend]
impl GraphState for Generator {}
