//! `graph_print!`: tensors print when the graph runs, everything else is formatted while tracing.

use graph_kernels::Element;

use crate::error::Location;
use crate::tensor::Tensor;
use crate::tensor::any::AnyTensor;
use crate::trace;
use crate::variable::Variable;

/// A part of a line.
pub enum Piece {
    /// Text, as it is.
    Text(String),
    /// A tensor, printed when the graph runs.
    Tensor(PrintedTensor),
}

/// A tensor in a line.
pub struct PrintedTensor(AnyTensor);

/// An argument of `graph_print!`.
pub struct Show<'a, T: ?Sized>(&'a T);

/// An argument of `graph_print!`.
pub fn show<T: ?Sized>(value: &T) -> Show<'_, T> {
    Show(value)
}

/// Tensors.
pub trait ShowTensor {
    /// The piece; the format doesn't apply.
    fn piece(self, format: impl FnOnce() -> String) -> Piece;
}

impl<T: Element, S> ShowTensor for Show<'_, Tensor<T, S>> {
    fn piece(self, _: impl FnOnce() -> String) -> Piece {
        Piece::Tensor(PrintedTensor(self.0.as_any().clone()))
    }
}

impl<T: Element, S> ShowTensor for Show<'_, &Tensor<T, S>> {
    fn piece(self, _: impl FnOnce() -> String) -> Piece {
        Piece::Tensor(PrintedTensor(self.0.as_any().clone()))
    }
}

/// Variables print what they hold.
impl<T: Element, S> ShowTensor for Show<'_, Variable<T, S>> {
    fn piece(self, _: impl FnOnce() -> String) -> Piece {
        Piece::Tensor(PrintedTensor(self.0.read().into_any()))
    }
}

impl<T: Element, S> ShowTensor for Show<'_, &Variable<T, S>> {
    fn piece(self, _: impl FnOnce() -> String) -> Piece {
        Piece::Tensor(PrintedTensor(self.0.read().into_any()))
    }
}

/// Everything else.
pub trait ShowPlain {
    /// The piece: what the format gives now.
    fn piece(&self, format: impl FnOnce() -> String) -> Piece;
}

impl<T: ?Sized> ShowPlain for Show<'_, T> {
    fn piece(&self, format: impl FnOnce() -> String) -> Piece {
        Piece::Text(format())
    }
}

/// Prints a line in program order when the graph runs; now, outside of graph functions.
#[track_caller]
pub fn print(pieces: impl IntoIterator<Item = Piece>) {
    let mut texts = vec![String::new()];
    let mut tensors = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) => texts.last_mut().expect("never empty").push_str(&text),
            Piece::Tensor(tensor) => {
                tensors.push(tensor.0);
                texts.push(String::new());
            }
        }
    }
    trace::print(texts, &tensors, Location::caller());
}
