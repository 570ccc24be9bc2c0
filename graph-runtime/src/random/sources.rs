//! Where seeds come from: the streams of the process, a generator that a program holds itself, or a seed that is given.

use std::fmt;

use super::Rng;
use crate::error::Location;
use crate::state::{GraphState, Nest};
use crate::tensor::{Tensor, stack, tensor};
use crate::trace::{self, AnyTensor};

/// The global stream of the process: what the functions of this module draw from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Global;

impl Rng for Global {
    fn next_seed(&mut self) -> Tensor<i64> {
        Tensor::from_any(trace::next_seed(None, Location::caller()))
    }
}

/// The stream of the ops that were given one seed: see [`with_seed`].
#[derive(Clone, Copy, Debug)]
pub struct Seeded(i64);

/// The stream of a seed: it begins anew with [`set_seed`](super::set_seed), counts for itself, and gives the same numbers in every run of
/// the program, whether or not there is a global seed.
///
/// ```
/// use graph_runtime::random::{self, Rng};
/// let a = random::with_seed(1).uniform::<f32>(&[2]);
/// let b = random::with_seed(1).uniform::<f32>(&[2]);
/// assert_ne!(a.to_vec(), b.to_vec()); // the stream goes on
/// ```
pub fn with_seed(seed: i64) -> Seeded {
    Seeded(seed)
}

impl Rng for Seeded {
    fn next_seed(&mut self) -> Tensor<i64> {
        Tensor::from_any(trace::next_seed(Some(self.0), Location::caller()))
    }
}

/// A seed that is given, two integers: whatever is drawn with it is a function of the seed, the same each time.
#[derive(Clone)]
pub struct Stateless(Tensor<i64>);

/// Draws with a seed of two integers, as `tf.random.stateless_uniform` and its like do: no state is read or changed.
///
/// ```
/// use graph_runtime::random::{self, Rng};
/// use graph_runtime::tensor::tensor;
/// let seed = tensor([1i64, 2]);
/// assert_eq!(random::stateless(&seed).uniform::<f32>(&[2]).to_vec(), [0.8440604, 0.19204533]);
/// ```
pub fn stateless(seed: &Tensor<i64>) -> Stateless {
    Stateless(seed.clone())
}

impl Rng for Stateless {
    fn next_seed(&mut self) -> Tensor<i64> {
        self.0.clone()
    }
}

/// Seeds made of one: `[count, 2]`, each row good for a part of a program that draws for itself (`tf.random.split`).
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

/// The seed for one of many parts of a program, by its number (`tf.random.fold_in`).
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

/// A generator that a program holds itself: its state is a tensor, which a branch or a loop of a graph function carries like any
/// other. A clone draws the same numbers again.
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
    /// The number of the stream, and how many seeds it has given.
    state: Tensor<i64>,
}

impl Generator {
    /// The generator of a number, at its beginning.
    #[track_caller]
    pub fn from_seed(seed: i64) -> Generator {
        Generator {
            state: tensor([seed, 0]),
        }
    }

    /// The generator at a state that [`state`](Self::state) gave.
    pub fn from_state(state: Tensor<i64>) -> Generator {
        Generator { state }
    }

    /// Where the generator is, two integers.
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
