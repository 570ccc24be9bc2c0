//! The structure of Jacobians of several tensors: that of the target, with a Jacobian in place of each tensor.

use std::collections::BTreeMap;

use graph_kernels::Element;

use crate::state::GraphState;
use crate::tensor::{ShapeSpec, Tensor};
use crate::tuples::up_to_twelve;

/// A value whose Jacobian can be taken: a tensor, a tuple, array, `Vec`, `Option` or map of them, or a struct with
/// `#[derive(GraphState)]`. The result has the same structure, with derivatives in place of each tensor. A struct can't hold
/// derivatives, so its result is a list, in the order of its tensors.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no Jacobian",
    label = "expected tensors, in a structure that is known",
    note = "a tensor, a tuple, array, `Vec`, `Option` or map of such, or a struct with `#[derive(GraphState)]`"
)]
pub trait Outputs: GraphState {
    /// The same structure, with a `To` in place of each tensor.
    type Each<To>;
    /// Builds the structure; `next` yields the values in order.
    #[doc(hidden)]
    fn each<To>(&self, next: &mut dyn FnMut() -> To) -> Self::Each<To>;
}

#[diagnostic::do_not_recommend]
impl<T: Element, S: ShapeSpec> Outputs for Tensor<T, S> {
    type Each<To> = To;
    fn each<To>(&self, next: &mut dyn FnMut() -> To) -> To {
        next()
    }
}

#[diagnostic::do_not_recommend]
impl<Y: Outputs> Outputs for Vec<Y> {
    type Each<To> = Vec<Y::Each<To>>;
    fn each<To>(&self, next: &mut dyn FnMut() -> To) -> Self::Each<To> {
        self.iter().map(|y| y.each(next)).collect()
    }
}

#[diagnostic::do_not_recommend]
impl<Y: Outputs, const N: usize> Outputs for [Y; N] {
    type Each<To> = [Y::Each<To>; N];
    fn each<To>(&self, next: &mut dyn FnMut() -> To) -> Self::Each<To> {
        self.each_ref().map(|y| y.each(next))
    }
}

#[diagnostic::do_not_recommend]
impl<Y: Outputs> Outputs for Option<Y> {
    type Each<To> = Option<Y::Each<To>>;
    fn each<To>(&self, next: &mut dyn FnMut() -> To) -> Self::Each<To> {
        self.as_ref().map(|y| y.each(next))
    }
}

#[diagnostic::do_not_recommend]
impl<K: Ord + Clone, Y: Outputs> Outputs for BTreeMap<K, Y>
where
    BTreeMap<K, Y>: GraphState,
{
    type Each<To> = BTreeMap<K, Y::Each<To>>;
    fn each<To>(&self, next: &mut dyn FnMut() -> To) -> Self::Each<To> {
        self.iter()
            .map(|(k, y)| (k.clone(), y.each(next)))
            .collect()
    }
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),*))*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($name: Outputs),*> Outputs for ($($name,)*) {
            type Each<To> = ($($name::Each<To>,)*);
            fn each<To>(&self, next: &mut dyn FnMut() -> To) -> Self::Each<To> {
                ($(self.$index.each(next),)*)
            }
        }
    )* };
}
up_to_twelve!(tuples);
