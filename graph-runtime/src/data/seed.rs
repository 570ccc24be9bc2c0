//! The seed of a shuffled dataset.

use crate::tensor::Tensor;
use crate::trace::AnyTensor;

/// What decides the order of a shuffled dataset. `None`: the global stream of [`random`](crate::random). A number: the stream of that seed,
/// which gives the same sequence of orders in each run of the program. A tensor of two integers: one order, which is a function of them.
pub struct Seed(pub(super) Given);

pub(super) enum Given {
    Stream(Option<i64>),
    Pair(AnyTensor),
}

impl From<i64> for Seed {
    fn from(seed: i64) -> Seed {
        Seed(Given::Stream(Some(seed)))
    }
}

impl From<Option<i64>> for Seed {
    fn from(seed: Option<i64>) -> Seed {
        Seed(Given::Stream(seed))
    }
}

impl<S> From<&Tensor<i64, S>> for Seed {
    fn from(seed: &Tensor<i64, S>) -> Seed {
        Seed(Given::Pair(seed.as_any().clone()))
    }
}
