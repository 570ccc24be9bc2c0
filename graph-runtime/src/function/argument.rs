//! The trace types of everything that can be an argument: tensors, plain values, and what is made of them.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::ffi::{CStr, CString};
use std::rc::Rc;
use std::sync::{Arc, LazyLock, OnceLock};

use std::time::Duration;

use graph_kernels::Element;

use super::signature::{Argument, Literal, Sequence, Signature};
use crate::graph::TensorType;
use crate::tensor::{ShapeSpec, Tensor, spec_of};

impl<T: Element, S: ShapeSpec> Argument for Tensor<T, S> {
    fn trace_type(&self, signature: &mut Signature) {
        // A type that tells the shape is the signature, whatever the sizes that it leaves open are.
        match S::SIZES {
            None => signature.tensor(self.as_any()),
            Some(_) => {
                signature.tensor_of(self.as_any(), TensorType::new(T::DTYPE, spec_of::<S>()))
            }
        }
    }
    fn make_distinct(&mut self) {
        self.any_mut().make_distinct();
    }
}

macro_rules! plain {
    ($($type:ident($value:ident) => $bits:expr;)*) => { $(
        impl Argument for $type {
            fn trace_type(&self, signature: &mut Signature) {
                let $value = *self;
                signature.literal(Literal::$type, $bits);
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
}

impl Argument for String {
    fn trace_type(&self, signature: &mut Signature) {
        signature.text(self);
    }
}

/// Plain values that are known by what they hash.
macro_rules! by_value {
    ($($type:ty),*) => { $(
        impl Argument for $type {
            fn trace_type(&self, signature: &mut Signature) {
                signature.by_value(self);
            }
        }
    )* };
}
by_value! { Duration, Ordering, CStr, CString }

/// What points at an argument is one; a borrowed or shared value isn't taken apart.
macro_rules! pointers {
    ($($type:ty),*) => { $(
        impl<T: Argument + ?Sized> Argument for $type {
            fn trace_type(&self, signature: &mut Signature) {
                (**self).trace_type(signature);
            }
        }
    )* };
}
pointers! { &T, Rc<T>, Arc<T> }

impl<T: Argument + ?Sized> Argument for Box<T> {
    fn trace_type(&self, signature: &mut Signature) {
        (**self).trace_type(signature);
    }
    fn make_distinct(&mut self) {
        (**self).make_distinct();
    }
}

/// One that is empty is filled by the call, while tracing: the trace is for this one alone.
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
    fn trace_type(&self, signature: &mut Signature) {
        (**self).trace_type(signature);
    }
}

impl<T: Argument> Argument for [T] {
    fn trace_type(&self, signature: &mut Signature) {
        signature.sequence(Sequence::List, self.len());
        self.iter().for_each(|v| v.trace_type(signature));
    }
    fn make_distinct(&mut self) {
        self.iter_mut().for_each(T::make_distinct);
    }
}

impl<T: Argument> Argument for Vec<T> {
    fn trace_type(&self, signature: &mut Signature) {
        self.as_slice().trace_type(signature);
    }
    fn make_distinct(&mut self) {
        self.as_mut_slice().make_distinct();
    }
}

impl<T: Argument, const N: usize> Argument for [T; N] {
    fn trace_type(&self, signature: &mut Signature) {
        self.as_slice().trace_type(signature);
    }
    fn make_distinct(&mut self) {
        self.as_mut_slice().make_distinct();
    }
}

impl<T: Argument> Argument for Option<T> {
    fn trace_type(&self, signature: &mut Signature) {
        match self {
            Some(value) => {
                signature.sequence(Sequence::Some, 1);
                value.trace_type(signature);
            }
            None => signature.sequence(Sequence::None, 0),
        }
    }
    fn make_distinct(&mut self) {
        self.iter_mut().for_each(T::make_distinct);
    }
}

impl<K: Argument, T: Argument> Argument for BTreeMap<K, T> {
    fn trace_type(&self, signature: &mut Signature) {
        signature.sequence(Sequence::Dict, 2 * self.len());
        for (key, value) in self {
            key.trace_type(signature);
            value.trace_type(signature);
        }
    }
    fn make_distinct(&mut self) {
        self.values_mut().for_each(T::make_distinct);
    }
}

impl<K: Argument + Ord, T: Argument, H> Argument for HashMap<K, T, H> {
    fn trace_type(&self, signature: &mut Signature) {
        signature.sequence(Sequence::Dict, 2 * self.len());
        let mut entries: Vec<(&K, &T)> = self.iter().collect();
        entries.sort_by_key(|(k, _)| *k);
        for (key, value) in entries {
            key.trace_type(signature);
            value.trace_type(signature);
        }
    }
    fn make_distinct(&mut self) {
        self.values_mut().for_each(T::make_distinct);
    }
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),*))*) => { $(
        impl<$($name: Argument),*> Argument for ($($name,)*) {
            fn trace_type(&self, signature: &mut Signature) {
                signature.sequence(Sequence::Tuple, [$($index),*].len());
                $(self.$index.trace_type(signature);)*
            }
            fn make_distinct(&mut self) { $(self.$index.make_distinct();)* }
        }
    )* };
}
tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11)
}

impl Argument for () {
    fn trace_type(&self, signature: &mut Signature) {
        signature.literal(Literal::unit, 0);
    }
}
