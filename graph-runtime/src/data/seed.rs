//! Where the order of a shuffled dataset comes from.

use crate::tensor::Tensor;
use crate::trace::AnyTensor;

/// Where the order of a shuffled dataset comes from. From nothing, `None`: the global stream of [`random`](crate::random). From
/// a number: the stream of that seed, which gives the same orders in each run of the program, one after the other. From a tensor
/// of two integers: one order, a function of them.
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
