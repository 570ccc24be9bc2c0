//! The trace types of all types that can be arguments: tensors, plain values, and collections of them.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::ffi::{CStr, CString, OsStr, OsString};
use std::num::NonZero;
use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, LazyLock, OnceLock};

use std::time::Duration;

use graph_kernels::Element;

use crate::autodiff;
use crate::error::Location;
use crate::graph::TensorType;
use crate::signature::{Argument, Holds, Literal, Sequence, Signature};
use crate::tensor::{AnyTensor, ShapeSpec, Tensor, spec_of};
use crate::tuples::up_to_twelve;

impl<T: Element, S: ShapeSpec> Argument for Tensor<T, S> {
    fn trace_type(&self, signature: &mut Signature) {
        if let Some(place) = self.as_any().variable() {
            return signature.variable(place);
        }
        // A type that specifies the shape is the signature, even where it leaves sizes open.
        match S::SIZES {
            None => signature.tensor(self.as_any()),
            Some(_) => {
                signature.tensor_of(self.as_any(), TensorType::new(T::DTYPE, spec_of::<S>()))
            }
        }
    }
    fn set_apart(&mut self, location: &Location) {
        autodiff::set_apart(self.any_mut(), location);
    }
}

impl Argument for AnyTensor {
    fn trace_type(&self, signature: &mut Signature) {
        match self.variable() {
            Some(place) => signature.variable(place),
            None => signature.tensor(self),
        }
    }
    fn set_apart(&mut self, location: &Location) {
        autodiff::set_apart(self, location);
    }
}

macro_rules! plain {
    ($($type:ident($value:ident) => $bits:expr;)*) => { $(
        impl Argument for $type {
            fn trace_type(&self, signature: &mut Signature) {
                let $value = *self;
                signature.literal(Literal::$type, $bits);
            }
            fn holds(_: usize) -> Holds {
        Holds::Rust
    }
        }
    )* };
}
plain! {
    bool(v) => v as u128;
    char(v) => v as u128;
    u8(v) => v as u128;
    u16(v) => v as u128;
    u32(v) => v as u128;
    u64(v) => v as u128;
    u128(v) => v;
    usize(v) => v as u128;
    i8(v) => v as i128 as u128;
    i16(v) => v as i128 as u128;
    i32(v) => v as i128 as u128;
    i64(v) => v as i128 as u128;
    i128(v) => v as u128;
    isize(v) => v as i128 as u128;
    f32(v) => v.to_bits() as u128;
    f64(v) => v.to_bits() as u128;
}

impl Argument for str {
    fn trace_type(&self, signature: &mut Signature) {
        signature.text(self);
    }
    fn holds(_: usize) -> Holds {
        Holds::Rust
    }
}

impl Argument for String {
    fn trace_type(&self, signature: &mut Signature) {
        signature.text(self);
    }
    fn holds(_: usize) -> Holds {
        Holds::Rust
    }
}

macro_rules! non_zero {
    ($($type:ty)*) => { $(
        impl Argument for NonZero<$type> {
            fn trace_type(&self, signature: &mut Signature) {
                self.get().trace_type(signature);
            }
            fn holds(_: usize) -> Holds { Holds::Rust }
        }
    )* };
}
non_zero! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }

/// Plain values that are compared by what their `Hash` feeds to the hasher.
macro_rules! by_value {
    ($($type:ty),*) => { $(
        impl Argument for $type {
            fn trace_type(&self, signature: &mut Signature) {
                signature.by_value(self);
            }
            fn holds(_: usize) -> Holds {
        Holds::Rust
    }
        }
    )* };
}
by_value! { Duration, Ordering, CStr, CString, OsStr, OsString, Path, PathBuf }

/// Pointers to an argument are arguments, too. A value behind a borrowed or shared pointer is never made distinct (`set_apart`).
macro_rules! pointers {
    ($($type:ty),*) => { $(
        impl<T: Argument + ?Sized> Argument for $type {
            fn trace_type(&self, signature: &mut Signature) {
                (**self).trace_type(signature);
            }
            fn holds(depth: usize) -> Holds { T::holds(depth + 1) }
        }
    )* };
}
pointers! { &T, Rc<T>, Arc<T> }

impl<T: Argument + ?Sized> Argument for Box<T> {
    fn holds(depth: usize) -> Holds {
        T::holds(depth + 1)
    }
    fn trace_type(&self, signature: &mut Signature) {
        (**self).trace_type(signature);
    }
    fn set_apart(&mut self, location: &Location) {
        (**self).set_apart(location);
    }
}

/// An empty cell is filled by the call, while tracing, so that trace serves only this call.
impl<T: Argument> Argument for OnceLock<T> {
    fn trace_type(&self, signature: &mut Signature) {
        match self.get() {
            Some(value) => value.trace_type(signature),
            None => {
                signature.sequence(Sequence::None, 0);
                signature.passing();
            }
        }
    }
}

impl<T: Argument, F: FnOnce() -> T> Argument for LazyLock<T, F> {
    fn trace_type(&self, signature: &mut Signature) {
        (**self).trace_type(signature);
    }
}

impl<T: Argument + ToOwned + ?Sized> Argument for Cow<'_, T> {
    fn holds(depth: usize) -> Holds {
        T::holds(depth + 1)
    }
    fn trace_type(&self, signature: &mut Signature) {
        (**self).trace_type(signature);
    }
}

impl<T: Argument> Argument for [T] {
    fn holds(depth: usize) -> Holds {
        T::holds(depth + 1)
    }
    fn trace_type(&self, signature: &mut Signature) {
        signature.sequence(Sequence::List, self.len());
        self.iter().for_each(|v| v.trace_type(signature));
    }
    fn set_apart(&mut self, location: &Location) {
        self.iter_mut().for_each(|v| v.set_apart(location));
    }
}

impl<T: Argument> Argument for Vec<T> {
    fn holds(depth: usize) -> Holds {
        T::holds(depth + 1)
    }
    fn trace_type(&self, signature: &mut Signature) {
        self.as_slice().trace_type(signature);
    }
    fn set_apart(&mut self, location: &Location) {
        self.as_mut_slice().set_apart(location);
    }
}

impl<T: Argument, const N: usize> Argument for [T; N] {
    fn holds(depth: usize) -> Holds {
        T::holds(depth + 1)
    }
    fn trace_type(&self, signature: &mut Signature) {
        self.as_slice().trace_type(signature);
    }
    fn set_apart(&mut self, location: &Location) {
        self.as_mut_slice().set_apart(location);
    }
}

impl<T: Argument> Argument for VecDeque<T> {
    fn holds(depth: usize) -> Holds {
        T::holds(depth + 1)
    }
    fn trace_type(&self, signature: &mut Signature) {
        list(signature, self.iter());
    }
    fn set_apart(&mut self, location: &Location) {
        self.iter_mut().for_each(|v| v.set_apart(location));
    }
}

impl<T: Argument> Argument for BTreeSet<T> {
    fn holds(depth: usize) -> Holds {
        T::holds(depth + 1)
    }
    fn trace_type(&self, signature: &mut Signature) {
        list(signature, self.iter());
    }
}

/// The items enter in sorted order, because the order of a set varies.
impl<T: Argument + Ord, H> Argument for HashSet<T, H> {
    fn holds(depth: usize) -> Holds {
        T::holds(depth + 1)
    }
    fn trace_type(&self, signature: &mut Signature) {
        let mut items: Vec<&T> = self.iter().collect();
        items.sort();
        list(signature, items.into_iter());
    }
}

fn list<'a, T: Argument + 'a>(
    signature: &mut Signature,
    items: impl ExactSizeIterator<Item = &'a T>,
) {
    signature.sequence(Sequence::List, items.len());
    items.for_each(|item| item.trace_type(signature));
}

/// Types with a fixed number of fields and a name, written as `#[derive(TraceType)]` writes a struct.
macro_rules! structs {
    ($($type:ident($value:ident) => $($part:expr),*;)*) => { $(
        impl<T: Argument> Argument for $type<T> {
            fn holds(depth: usize) -> Holds { T::holds(depth + 1) }
            fn trace_type(&self, signature: &mut Signature) {
                let $value = self;
                let parts: &[&T] = &[$($part),*];
                signature.sequence(Sequence::Struct, 1 + parts.len());
                signature.text(stringify!($type));
                parts.iter().for_each(|part| part.trace_type(signature));
            }
        }
    )* };
}
structs! {
    Range(range) => &range.start, &range.end;
    RangeInclusive(range) => range.start(), range.end();
    RangeFrom(range) => &range.start;
    RangeTo(range) => &range.end;
    RangeToInclusive(range) => &range.end;
}

impl Argument for RangeFull {
    fn holds(_: usize) -> Holds {
        Holds::Rust
    }
    fn trace_type(&self, signature: &mut Signature) {
        signature.text("..");
    }
}

impl<T: Argument, E: Argument> Argument for Result<T, E> {
    fn holds(depth: usize) -> Holds {
        T::holds(depth + 1).and(E::holds(depth + 1))
    }
    fn trace_type(&self, signature: &mut Signature) {
        signature.sequence(Sequence::Struct, 2);
        match self {
            Ok(value) => {
                signature.text("Ok");
                value.trace_type(signature);
            }
            Err(error) => {
                signature.text("Err");
                error.trace_type(signature);
            }
        }
    }
    fn set_apart(&mut self, location: &Location) {
        match self {
            Ok(value) => value.set_apart(location),
            Err(error) => error.set_apart(location),
        }
    }
}

impl<T: Argument> Argument for Option<T> {
    fn holds(depth: usize) -> Holds {
        T::holds(depth + 1)
    }
    fn trace_type(&self, signature: &mut Signature) {
        match self {
            Some(value) => {
                signature.sequence(Sequence::Some, 1);
                value.trace_type(signature);
            }
            None => signature.sequence(Sequence::None, 0),
        }
    }
    fn set_apart(&mut self, location: &Location) {
        self.iter_mut().for_each(|v| v.set_apart(location));
    }
}

impl<K: Argument, T: Argument> Argument for BTreeMap<K, T> {
    fn holds(depth: usize) -> Holds {
        K::holds(depth + 1).and(T::holds(depth + 1))
    }
    fn trace_type(&self, signature: &mut Signature) {
        signature.sequence(Sequence::Dict, 2 * self.len());
        for (key, value) in self {
            key.trace_type(signature);
            value.trace_type(signature);
        }
    }
    fn set_apart(&mut self, location: &Location) {
        self.values_mut().for_each(|v| v.set_apart(location));
    }
}

impl<K: Argument + Ord, T: Argument, H> Argument for HashMap<K, T, H> {
    fn holds(depth: usize) -> Holds {
        K::holds(depth + 1).and(T::holds(depth + 1))
    }
    fn trace_type(&self, signature: &mut Signature) {
        signature.sequence(Sequence::Dict, 2 * self.len());
        let mut entries: Vec<(&K, &T)> = self.iter().collect();
        entries.sort_by_key(|(k, _)| *k);
        for (key, value) in entries {
            key.trace_type(signature);
            value.trace_type(signature);
        }
    }
    fn set_apart(&mut self, location: &Location) {
        self.values_mut().for_each(|v| v.set_apart(location));
    }
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),*))*) => { $(
        impl<$($name: Argument),*> Argument for ($($name,)*) {
            fn trace_type(&self, signature: &mut Signature) {
                signature.sequence(Sequence::Tuple, [$($index),*].len());
                $(self.$index.trace_type(signature);)*
            }
            fn set_apart(&mut self, location: &Location) { $(self.$index.set_apart(location);)* }
            fn holds(depth: usize) -> Holds { Holds::Rust$(.and($name::holds(depth + 1)))* }
        }
    )* };
}
up_to_twelve!(tuples);

impl Argument for () {
    fn trace_type(&self, signature: &mut Signature) {
        signature.literal(Literal::unit, 0);
    }
    fn holds(_: usize) -> Holds {
        Holds::Rust
    }
}
