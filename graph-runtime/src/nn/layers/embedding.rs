//! Embedding.

use super::super::initial::uniform;
use crate::nn::Module;
use crate::tensor::{AsOperand, IndexElement, Tensor};
use crate::variable::Variable;

/// A table with one row for each word (or any other numbered item), initialized uniformly between -0.05 and 0.05.
/// (`keras.layers.Embedding`)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::Embedding;
/// let words = Embedding::new(1000, 64);
/// let y = words.call(tensor([[4, 20, 7], [9, 0, 0]]));
/// assert_eq!(y.shape().to_string(), "[2,3,64]");
/// ```
#[derive(Clone, Module)]
pub struct Embedding {
    embeddings: Variable<f32>,
}

impl Embedding {
    /// Makes a table of `words` rows with `width` values each.
    #[track_caller]
    pub fn new(words: usize, width: usize) -> Embedding {
        Embedding {
            embeddings: uniform("embeddings", &[words, width], 0.05),
        }
    }

    /// The rows of words given by number: `[..]` gives `[.., width]`.
    ///
    /// # Errors
    /// When run, if a number isn't in `0..words`.
    #[track_caller]
    pub fn call<I: IndexElement>(&self, words: impl AsOperand<I>) -> Tensor<f32> {
        self.embeddings.read().gather(words)
    }

    /// The table, `[words, width]`.
    pub fn embeddings(&self) -> &Variable<f32> {
        &self.embeddings
    }
}
