//! Nested values with tensors at the leaves: what a branch or a loop can carry ([`GraphState`]) and what a graph
//! function can return ([`Nest`]). A value is taken apart into its structure (Rust data, compared between branches) and
//! its leaves (tensors, values of the graph), and put together again around other leaves.

use std::any::Any;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::hash::{BuildHasher, Hash};

use graph_kernels::Element;
use smallvec::SmallVec;

use crate::tensor::any::AnyTensor;
use crate::tensor::{Repr, Tensor};
use crate::tuples::up_to_twelve;

/// A value that can be taken apart into Rust structure and tensors: a tensor, a number, a string, or a tuple, array, `Vec`, map,
/// `Option` or `Result` of such.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the result of a graph function",
    label = "not made of tensors and plain values",
    note = "a graph function returns tensors, numbers, strings and tuples, arrays, `Vec`s, maps, `Option`s or `Result`s of them; \
            for a struct write `#[derive(GraphState)]`"
)]
pub trait Nest: Sized {
    /// What is left without the tensors.
    type Structure: Clone + PartialEq + Debug + Send + Sync + 'static;

    /// The structure, or `None` for an `Err`, which no graph can hold.
    fn structure(&self) -> Option<Self::Structure>;

    /// Visits the tensors, in a fixed order.
    fn leaves(&self, visit: &mut dyn FnMut(&AnyTensor));

    /// Puts a value together; `next` gives the tensors in the order of [`leaves`](Self::leaves).
    fn rebuild(structure: &Self::Structure, next: &mut dyn FnMut() -> AnyTensor) -> Self;

    /// A value that stands for one that an error kept from being made; `None` if there is none, as of a number of Rust.
    #[doc(hidden)]
    fn poisoned() -> Option<Self> {
        None
    }
}

/// A value that a branch or a loop with a tensor condition can carry: made of tensors and nothing else.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be changed or chosen under a tensor condition",
    label = "a `{Self}` is known while tracing, but the condition is decided when the graph runs",
    note = "make it a tensor: `let mut x = tensor(0);` instead of `let mut x = 0;`",
    note = "a branch or loop with a tensor condition carries tensors, and tuples, arrays, `Vec`s, maps, `Option`s and \
            `#[derive(GraphState)]` structs of tensors; a list that grows in a loop is a `TensorArray`"
)]
pub trait GraphState: Nest {}

/// A structure of any type, to compare and to keep.
pub(crate) trait Structure: Any + Debug + Send + Sync {
    fn same(&self, other: &dyn Structure) -> bool;
    fn as_any(&self) -> &dyn Any;
    fn copy(&self) -> Box<dyn Structure>;
}

impl<T: Clone + PartialEq + Debug + Send + Sync + 'static> Structure for T {
    fn same(&self, other: &dyn Structure) -> bool {
        other.as_any().downcast_ref::<T>() == Some(self)
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn copy(&self) -> Box<dyn Structure> {
        Box::new(self.clone())
    }
}

/// The tensors of a value; those of a small one need no list in memory.
pub(crate) type Leaves = SmallVec<[AnyTensor; 2]>;

/// A value taken apart.
pub(crate) struct Parts {
    pub structure: Box<dyn Structure>,
    pub leaves: Leaves,
}

impl Parts {
    /// Takes a value apart; `None` for an `Err`.
    pub fn of<T: Nest>(value: &T) -> Option<Parts> {
        let structure = Box::new(value.structure()?);
        let mut leaves = Leaves::new();
        value.leaves(&mut |t| leaves.push(t.clone()));
        Some(Parts { structure, leaves })
    }

    /// Puts the value together around other leaves.
    ///
    /// # Panics
    /// If the parts are of another type than `T`, or the leaves too few: callers pair them.
    pub fn rebuild<T: Nest>(&self, leaves: impl IntoIterator<Item = AnyTensor>) -> T {
        rebuild(&*self.structure, leaves)
    }
}

/// Puts a value together from its structure and leaves.
///
/// # Panics
/// If the structure is of another type than `T`, or the leaves too few: callers pair them.
pub(crate) fn rebuild<T: Nest>(
    structure: &dyn Structure,
    leaves: impl IntoIterator<Item = AnyTensor>,
) -> T {
    let structure = structure
        .as_any()
        .downcast_ref()
        .expect("the structure is of this type");
    let mut leaves = leaves.into_iter();
    T::rebuild(structure, &mut || {
        leaves.next().expect("a leaf for each place")
    })
}

/// A variable whose type is forgotten: what the tracer saves, restores and replaces.
pub(crate) trait Variable {
    fn read(&self) -> Option<Parts>;
    fn write(&mut self, structure: &dyn Structure, leaves: &mut dyn Iterator<Item = AnyTensor>);
}

impl<T: Nest> Variable for T {
    fn read(&self) -> Option<Parts> {
        Parts::of(self)
    }
    fn write(&mut self, structure: &dyn Structure, leaves: &mut dyn Iterator<Item = AnyTensor>) {
        *self = rebuild(structure, leaves);
    }
}

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

/// Plain values: all structure.
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

/// A graph holds the `Ok`; an `Err` ends the trace and is returned as it is.
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

/// The keys are visited in their order, not in the map's.
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
