//! Nested values with tensors at the leaves: what a branch or a loop can carry ([`GraphState`]) and what a graph
//! function can return ([`Nest`]). A value is split into its structure (Rust data, compared between branches) and its leaves
//! (tensors, values of the graph), and rebuilt from the structure and other leaves.
//!
//! Programs derive both traits by [`GraphState`](derive@crate::GraphState); [the guide](crate::guide::state) has a page on state.

use std::any::Any;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::hash::{BuildHasher, Hash};

use graph_ir::types::{Shape, TypeSpec};
use graph_kernels::Element;

use crate::tensor::{ShapeSpec, Tensor, spec_of};
use crate::trace::{AnyTensor, Repr};
use crate::tuples::up_to_twelve;

pub use crate::trace::{GraphState, Nest};

impl<T: Element, S: ShapeSpec> Nest for Tensor<T, S> {
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
    fn structure_of(spec: &TypeSpec, shapes: &mut Vec<Shape>) -> Option<()> {
        let (ty, shape) = (spec.only_tensor()?, spec_of::<S>());
        let fits = ty.dtype == T::DTYPE && ty.shape.may_be(&shape);
        shapes.push(shape);
        fits.then_some(())
    }
    fn poisoned() -> Option<Self> {
        Some(Tensor::from_any(AnyTensor::new(Repr::Poisoned(T::DTYPE))))
    }
}
#[diagnostic::do_not_recommend]
impl<T: Element, S: ShapeSpec> GraphState for Tensor<T, S> {}

/// A tensor of any dtype.
#[diagnostic::do_not_recommend]
impl Nest for AnyTensor {
    type Structure = ();
    fn structure(&self) -> Option<()> {
        Some(())
    }
    fn leaves(&self, visit: &mut dyn FnMut(&AnyTensor)) {
        visit(self);
    }
    fn rebuild(_: &(), next: &mut dyn FnMut() -> AnyTensor) -> AnyTensor {
        next()
    }
    fn structure_of(spec: &TypeSpec, shapes: &mut Vec<Shape>) -> Option<()> {
        spec.only_tensor()?;
        shapes.push(Shape::unknown());
        Some(())
    }
}

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
            fn type_spec(&self) -> TypeSpec { TypeSpec::Literal(format!("{self:?}")) }
            fn structure_of(spec: &TypeSpec, _: &mut Vec<Shape>) -> Option<$type> { <$type as FromLiteral>::of(literal(spec)?) }
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
    fn type_spec(&self) -> TypeSpec {
        TypeSpec::None
    }
    fn structure_of(spec: &TypeSpec, _: &mut Vec<Shape>) -> Option<()> {
        (*spec == TypeSpec::None).then_some(())
    }
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
            fn type_spec(&self) -> TypeSpec { TypeSpec::Literal(self.to_string()) }
            fn structure_of(spec: &TypeSpec, _: &mut Vec<Shape>) -> Option<$bits> { literal(spec)?.parse().ok().map($type::to_bits) }
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
            fn type_spec(&self) -> TypeSpec { TypeSpec::Tuple(vec![$(self.$index.type_spec()),*]) }
            fn structure_of(spec: &TypeSpec, shapes: &mut Vec<Shape>) -> Option<Self::Structure> {
                let count = [$($index),*].len();
                let parts = spec.parts().filter(|parts| parts.len() == count)?;
                Some(($($name::structure_of(parts[$index].1, shapes)?,)*))
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
    fn type_spec(&self) -> TypeSpec {
        TypeSpec::List(self.iter().map(T::type_spec).collect())
    }
    fn structure_of(spec: &TypeSpec, shapes: &mut Vec<Shape>) -> Option<Self::Structure> {
        let parts = spec.parts()?;
        parts
            .iter()
            .map(|(_, part)| T::structure_of(part, shapes))
            .collect()
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
    fn type_spec(&self) -> TypeSpec {
        TypeSpec::List(self.iter().map(T::type_spec).collect())
    }
    fn structure_of(spec: &TypeSpec, shapes: &mut Vec<Shape>) -> Option<Self::Structure> {
        Vec::<T>::structure_of(spec, shapes).filter(|items| items.len() == N)
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
    fn type_spec(&self) -> TypeSpec {
        (**self).type_spec()
    }
    fn structure_of(spec: &TypeSpec, shapes: &mut Vec<Shape>) -> Option<Self::Structure> {
        T::structure_of(spec, shapes)
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
    fn type_spec(&self) -> TypeSpec {
        self.as_ref().map_or(TypeSpec::None, T::type_spec)
    }
    fn structure_of(spec: &TypeSpec, shapes: &mut Vec<Shape>) -> Option<Self::Structure> {
        match spec {
            TypeSpec::None => Some(None),
            spec => T::structure_of(spec, shapes).map(Some),
        }
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
    fn type_spec(&self) -> TypeSpec {
        self.as_ref().map_or(TypeSpec::None, T::type_spec)
    }
    fn structure_of(spec: &TypeSpec, shapes: &mut Vec<Shape>) -> Option<Self::Structure> {
        T::structure_of(spec, shapes)
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
    fn type_spec(&self) -> TypeSpec {
        dict(self.iter())
    }
    fn structure_of(spec: &TypeSpec, shapes: &mut Vec<Shape>) -> Option<Self::Structure> {
        entries::<K, T>(spec, shapes)
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
    fn type_spec(&self) -> TypeSpec {
        dict(sorted(self).into_iter())
    }
    fn structure_of(spec: &TypeSpec, shapes: &mut Vec<Shape>) -> Option<Self::Structure> {
        entries::<K, T>(spec, shapes)
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

/// The type of a map, given its entries in the order of the keys.
fn dict<'a, K: Debug + 'a, T: Nest + 'a>(
    entries: impl Iterator<Item = (&'a K, &'a T)>,
) -> TypeSpec {
    TypeSpec::Dict(
        entries
            .map(|(k, v)| (format!("{k:?}"), v.type_spec()))
            .collect(),
    )
}

/// The entries of a map or struct whose keys can be of type `K`: a string or a number. They are in the order of the leaves.
fn entries<K: Clone + 'static, T: Nest>(
    spec: &TypeSpec,
    shapes: &mut Vec<Shape>,
) -> Option<Vec<(K, T::Structure)>> {
    let parts = spec.parts()?;
    let entries = parts
        .iter()
        .map(|(name, part)| Some((key(name)?, T::structure_of(part, shapes)?)));
    entries.collect()
}

fn key<K: Clone + 'static>(text: &str) -> Option<K> {
    macro_rules! of_type {
        ($($type:ty)*) => {
            [$(text.parse::<$type>().ok().and_then(|key| (&key as &dyn Any).downcast_ref::<K>().cloned())),*]
        };
    }
    let keys = of_type! { String bool u8 u16 u32 u64 usize i8 i16 i32 i64 isize };
    keys.into_iter().flatten().next()
}

/// The text of a plain value.
fn literal(spec: &TypeSpec) -> Option<&str> {
    match spec {
        TypeSpec::Literal(text) => Some(text),
        _ => None,
    }
}

/// Plain values that can be read from their text in a [`TypeSpec`].
trait FromLiteral: Sized {
    fn of(text: &str) -> Option<Self> {
        let _ = text;
        None
    }
}

macro_rules! from_literal {
    ($($type:ty)*) => { $(
        impl FromLiteral for $type {
            fn of(text: &str) -> Option<$type> {
                text.parse().ok()
            }
        }
    )* };
}
from_literal! { bool u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }
impl FromLiteral for char {}
impl FromLiteral for std::time::Duration {}
impl FromLiteral for std::cmp::Ordering {}

impl FromLiteral for String {
    fn of(text: &str) -> Option<String> {
        let text = text.strip_prefix('"')?.strip_suffix('"')?;
        (!text.contains('\\')).then(|| text.to_owned())
    }
}
