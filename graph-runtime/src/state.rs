//! Nested values with tensors at the leaves: what a branch or a loop can carry ([`GraphState`]) and what a graph
//! function can return ([`Nest`]). A value is split into its structure (Rust data, compared between branches) and its leaves
//! (tensors, values of the graph), and rebuilt from the structure and other leaves.
//!
//! Programs derive both traits by [`GraphState`](derive@crate::GraphState); [the guide](crate::guide::state) has a page on state.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::hash::{BuildHasher, Hash};

use graph_kernels::Element;

use crate::tensor::Tensor;
use crate::trace::{AnyTensor, Repr};
use crate::tuples::up_to_twelve;

pub use crate::trace::{GraphState, Nest};

impl<T: Element, S> Nest for Tensor<T, S> {
    type Structure = ();
    fn structure(&self) -> Option<()> {
        Some(())
    }
    fn leaves(&self, visit: &mut dyn FnMut(&AnyTensor)) {
        visit(self.as_any());
    }
    fn rebuild(_: &(), next: &mut dyn FnMut() -> AnyTensor) -> Self {
        Tensor::from_any(next())
    }
    fn poisoned() -> Option<Self> {
        Some(Tensor::from_any(AnyTensor::new(Repr::Poisoned(T::DTYPE))))
    }
}
#[diagnostic::do_not_recommend]
impl<T: Element, S> GraphState for Tensor<T, S> {}

/// Plain values have no leaves: the value is its own structure.
macro_rules! plain {
    ($($type:ty)*) => { $(
        #[diagnostic::do_not_recommend]
        impl Nest for $type {
            type Structure = $type;
            fn structure(&self) -> Option<$type> { Some(self.clone()) }
            #[inline]
            fn leaves(&self, _: &mut dyn FnMut(&AnyTensor)) {}
            fn rebuild(structure: &$type, _: &mut dyn FnMut() -> AnyTensor) -> $type { structure.clone() }
        }
    )* };
}
plain! { bool char u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize String std::time::Duration std::cmp::Ordering }

#[diagnostic::do_not_recommend]
impl Nest for () {
    type Structure = ();
    fn structure(&self) -> Option<()> {
        Some(())
    }
    fn leaves(&self, _: &mut dyn FnMut(&AnyTensor)) {}
    fn rebuild((): &(), _: &mut dyn FnMut() -> AnyTensor) {}
    fn poisoned() -> Option<()> {
        Some(())
    }
}
#[diagnostic::do_not_recommend]
impl GraphState for () {}

/// Floats are compared by their bits, so that NaN equals itself.
macro_rules! floats {
    ($($type:ident $bits:ident)*) => { $(
        #[diagnostic::do_not_recommend]
        impl Nest for $type {
            type Structure = $bits;
            fn structure(&self) -> Option<$bits> { Some(self.to_bits()) }
            #[inline]
            fn leaves(&self, _: &mut dyn FnMut(&AnyTensor)) {}
            fn rebuild(structure: &$bits, _: &mut dyn FnMut() -> AnyTensor) -> $type { $type::from_bits(*structure) }
        }
    )* };
}
floats! { f32 u32 f64 u64 }

macro_rules! tuples {
    ($(($($name:ident $index:tt),*))*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($name: Nest),*> Nest for ($($name,)*) {
            type Structure = ($($name::Structure,)*);
            fn structure(&self) -> Option<Self::Structure> { Some(($(self.$index.structure()?,)*)) }
            fn leaves(&self, visit: &mut dyn FnMut(&AnyTensor)) { $(self.$index.leaves(visit);)* }
            fn rebuild(structure: &Self::Structure, next: &mut dyn FnMut() -> AnyTensor) -> Self {
                ($($name::rebuild(&structure.$index, next),)*)
            }
            fn poisoned() -> Option<Self> { Some(($($name::poisoned()?,)*)) }
        }
        #[diagnostic::do_not_recommend]
        impl<$($name: GraphState),*> GraphState for ($($name,)*) {}
    )* };
}
up_to_twelve!(tuples);

#[diagnostic::do_not_recommend]
impl<T: Nest> Nest for Vec<T> {
    type Structure = Vec<T::Structure>;
    fn structure(&self) -> Option<Self::Structure> {
        self.iter().map(T::structure).collect()
    }
    fn leaves(&self, visit: &mut dyn FnMut(&AnyTensor)) {
        self.iter().for_each(|v| v.leaves(visit));
    }
    fn rebuild(structure: &Self::Structure, next: &mut dyn FnMut() -> AnyTensor) -> Self {
        structure.iter().map(|s| T::rebuild(s, next)).collect()
    }
}
#[diagnostic::do_not_recommend]
impl<T: GraphState> GraphState for Vec<T> {}

#[diagnostic::do_not_recommend]
impl<T: Nest, const N: usize> Nest for [T; N] {
    type Structure = Vec<T::Structure>;
    fn structure(&self) -> Option<Self::Structure> {
        self.iter().map(T::structure).collect()
    }
    fn leaves(&self, visit: &mut dyn FnMut(&AnyTensor)) {
        self.iter().for_each(|v| v.leaves(visit));
    }
    fn rebuild(structure: &Self::Structure, next: &mut dyn FnMut() -> AnyTensor) -> Self {
        std::array::from_fn(|i| T::rebuild(&structure[i], next))
    }
}
#[diagnostic::do_not_recommend]
impl<T: GraphState, const N: usize> GraphState for [T; N] {}

#[diagnostic::do_not_recommend]
impl<T: Nest> Nest for Box<T> {
    type Structure = T::Structure;
    fn structure(&self) -> Option<Self::Structure> {
        (**self).structure()
    }
    fn leaves(&self, visit: &mut dyn FnMut(&AnyTensor)) {
        (**self).leaves(visit);
    }
    fn rebuild(structure: &Self::Structure, next: &mut dyn FnMut() -> AnyTensor) -> Self {
        Box::new(T::rebuild(structure, next))
    }
}
#[diagnostic::do_not_recommend]
impl<T: GraphState> GraphState for Box<T> {}

#[diagnostic::do_not_recommend]
impl<T: Nest> Nest for Option<T> {
    type Structure = Option<T::Structure>;
    fn structure(&self) -> Option<Self::Structure> {
        match self {
            Some(value) => value.structure().map(Some),
            None => Some(None),
        }
    }
    fn leaves(&self, visit: &mut dyn FnMut(&AnyTensor)) {
        self.iter().for_each(|v| v.leaves(visit));
    }
    fn rebuild(structure: &Self::Structure, next: &mut dyn FnMut() -> AnyTensor) -> Self {
        structure.as_ref().map(|s| T::rebuild(s, next))
    }
}
#[diagnostic::do_not_recommend]
impl<T: GraphState> GraphState for Option<T> {}

/// A graph can return only an `Ok`. An `Err` ends the trace and is returned unchanged.
#[diagnostic::do_not_recommend]
impl<T: Nest, E> Nest for Result<T, E> {
    type Structure = T::Structure;
    fn structure(&self) -> Option<Self::Structure> {
        self.as_ref().ok()?.structure()
    }
    fn leaves(&self, visit: &mut dyn FnMut(&AnyTensor)) {
        self.iter().for_each(|v| v.leaves(visit));
    }
    fn rebuild(structure: &Self::Structure, next: &mut dyn FnMut() -> AnyTensor) -> Self {
        Ok(T::rebuild(structure, next))
    }
}
#[diagnostic::do_not_recommend]
impl<T: GraphState, E> GraphState for Result<T, E> {}

#[diagnostic::do_not_recommend]
impl<K: Ord + Clone + Debug + Send + Sync + 'static, T: Nest> Nest for BTreeMap<K, T> {
    type Structure = Vec<(K, T::Structure)>;
    fn structure(&self) -> Option<Self::Structure> {
        self.iter()
            .map(|(k, v)| Some((k.clone(), v.structure()?)))
            .collect()
    }
    fn leaves(&self, visit: &mut dyn FnMut(&AnyTensor)) {
        self.values().for_each(|v| v.leaves(visit));
    }
    fn rebuild(structure: &Self::Structure, next: &mut dyn FnMut() -> AnyTensor) -> Self {
        structure
            .iter()
            .map(|(k, s)| (k.clone(), T::rebuild(s, next)))
            .collect()
    }
}
#[diagnostic::do_not_recommend]
impl<K: Ord + Clone + Debug + Send + Sync + 'static, T: GraphState> GraphState for BTreeMap<K, T> {}

/// Leaves are visited in the order of the keys, because the order of the map varies.
#[diagnostic::do_not_recommend]
impl<K: Ord + Hash + Clone + Debug + Send + Sync + 'static, T: Nest, H: BuildHasher + Default> Nest
    for HashMap<K, T, H>
{
    type Structure = Vec<(K, T::Structure)>;
    fn structure(&self) -> Option<Self::Structure> {
        sorted(self)
            .into_iter()
            .map(|(k, v)| Some((k.clone(), v.structure()?)))
            .collect()
    }
    fn leaves(&self, visit: &mut dyn FnMut(&AnyTensor)) {
        sorted(self).into_iter().for_each(|(_, v)| v.leaves(visit));
    }
    fn rebuild(structure: &Self::Structure, next: &mut dyn FnMut() -> AnyTensor) -> Self {
        structure
            .iter()
            .map(|(k, s)| (k.clone(), T::rebuild(s, next)))
            .collect()
    }
}
#[diagnostic::do_not_recommend]
impl<K: Ord + Hash + Clone + Debug + Send + Sync + 'static, T: GraphState, H: BuildHasher + Default>
    GraphState for HashMap<K, T, H>
{
}

fn sorted<K: Ord, T, H>(map: &HashMap<K, T, H>) -> Vec<(&K, &T)> {
    let mut entries: Vec<(&K, &T)> = map.iter().collect();
    entries.sort_by_key(|(k, _)| *k);
    entries
}
