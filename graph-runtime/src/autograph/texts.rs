//! A `match` on strings: `match s { "add" => …, "sub" => …, _ => … }`. The patterns stay as they are. A tensor of strings is
//! compared with each text in them; the `match` runs once for each text, and once for the case that none is equal.

use graph_kernels::Array;

use super::match_stmt::{Positions, Scrutinee};
use crate::error::Location;
use crate::kind::{Graph, Rust};
use crate::ops::{self, Attrs, OneValue};
use crate::tensor::Tensor;
use crate::trace::{self, AnyTensor};

/// The scrutinee of a `match` on strings, a `&str` or a tensor of strings, with the texts in the patterns.
pub struct Texts<S> {
    scrutinee: S,
    /// The texts in the patterns; a text is identified by its index here.
    texts: &'static [&'static str],
    /// A text that differs from all of them.
    other: &'static str,
}

/// Wraps the scrutinee of a `match` on strings.
pub fn texts<S>(scrutinee: S, texts: &'static [&'static str], other: &'static str) -> Texts<S> {
    Texts {
        scrutinee,
        texts,
        other,
    }
}

/// A `&str` is `Copy`, and Rust matches it.
#[diagnostic::do_not_recommend]
impl<T: Copy> Scrutinee for Texts<T> {
    type Kind = Rust;
    type Value = T;
    type Bound = T;
    fn choose(&self, _: &Positions, _: &mut dyn FnMut(&dyn Fn() -> AnyTensor) -> bool) -> T {
        self.scrutinee
    }
    fn known(&self) -> T {
        self.scrutinee
    }
    fn one(&self, _: &Location) -> Self {
        Texts { ..*self }
    }
    fn bind(&self, value: T) -> T {
        value
    }
}

#[diagnostic::do_not_recommend]
impl<S> Scrutinee for Texts<Tensor<String, S>> {
    type Kind = Graph;
    type Value = &'static str;
    type Bound = Tensor<String, S>;
    fn choose(
        &self,
        _: &Positions,
        decide: &mut dyn FnMut(&dyn Fn() -> AnyTensor) -> bool,
    ) -> &'static str {
        let is = |text: &str| {
            let text = AnyTensor::constant(Array::scalar(text.to_owned()));
            let operands = [self.scrutinee.as_any(), &text];
            AnyTensor::apply(&ops::EQUAL, Attrs::default(), &operands)
        };
        let chosen = self.texts.iter().find(|text| decide(&|| is(text)));
        chosen.unwrap_or(&self.other)
    }
    #[track_caller]
    fn known(&self) -> &'static str {
        let value = self.scrutinee.item();
        let chosen = self.texts.iter().find(|text| **text == value);
        chosen.unwrap_or(&self.other)
    }
    fn one(&self, location: &Location) -> Self {
        let one = trace::scalar(self.scrutinee.as_any(), OneValue::Match, location);
        Texts {
            scrutinee: Tensor::from_any(one),
            ..*self
        }
    }
    fn bind(&self, _: &'static str) -> Tensor<String, S> {
        self.scrutinee.clone()
    }
}
