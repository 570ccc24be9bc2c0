//! Shuffling through a buffer, as TensorFlow's `shuffle(buffer_size)`: the buffer is filled, and each element is drawn from it,
//! every one as likely as the others, while the next one takes its place.

use std::fmt;
use std::sync::Arc;

use graph_kernels::{Array, Draws};

use super::recipe::{Cook, Cursor, Element, Recipe};
use crate::error::{Error, Location};
use crate::graph::TensorType;
use crate::tensor::{AnyTensor, Tensor};

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

/// Elements in a random order. Its own operand is a seed.
pub(super) struct Shuffle {
    pub source: Recipe,
    pub buffer: usize,
    /// True if repetitions of one iteration have orders of their own.
    pub each_time: bool,
}

impl Cook for Shuffle {
    fn operands(&self) -> usize {
        self.source.operands() + 1
    }

    fn types(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, String> {
        let (_, source) = operands.split_last().ok_or("a seed is missing")?;
        self.source.types(source)
    }

    fn begin(&self, operands: &[Arc<Array>], round: u64) -> Result<Box<dyn Cursor>, Error> {
        let seed = operands.last().and_then(|seed| seed.values::<i64>());
        let (Some([a, b]), [source @ .., _]) = (seed, operands) else {
            let message = "a dataset is shuffled with a seed of two integers (int64[2])";
            return Err(Error::run(message, Location::unknown()));
        };
        let draws = Draws::new([*a, *b], if self.each_time { round } else { 0 });
        Ok(Box::new(Shuffled {
            source: Some(self.source.0.begin(source, round)?),
            size: self.buffer,
            buffer: Vec::new(),
            draws,
        }))
    }

    fn is_seed(&self, operand: usize) -> bool {
        operand == self.source.operands() || self.source.0.is_seed(operand)
    }

    fn count(&self, operands: &[TensorType]) -> Option<usize> {
        self.source.0.count(operands.split_last()?.1)
    }

    fn depth(&self) -> usize {
        self.source.depth()
    }
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.each_time {
            "shuffle"
        } else {
            "shuffle_once"
        };
        write!(f, "{name}({}, {})", self.source, self.buffer)
    }
}

struct Shuffled {
    /// Until its end.
    source: Option<Box<dyn Cursor>>,
    size: usize,
    buffer: Vec<Element>,
    draws: Draws,
}

impl Cursor for Shuffled {
    fn next(&mut self) -> Result<Option<Element>, Error> {
        while let Some(source) = &mut self.source
            && self.buffer.len() < self.size
        {
            match source.next()? {
                Some(element) => self.buffer.push(element),
                None => self.source = None,
            }
        }
        if self.buffer.is_empty() {
            return Ok(None);
        }
        let drawn = self.draws.below(self.buffer.len());
        Ok(Some(self.buffer.swap_remove(drawn)))
    }
}
