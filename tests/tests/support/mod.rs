//! Shared by the language tests: runs a function in each of the ways in which it can run, and describes the outcomes as text,
//! so that they can be compared.
#![allow(dead_code, reason = "each test binary uses its part")]

#[macro_use]
pub mod programs;

use std::panic::{AssertUnwindSafe, catch_unwind};

use graph_runtime::prelude::*;
use graph_runtime::{Element, Error, debug};

/// Runs `f` with traced graph functions.
pub fn traced<R>(f: impl FnOnce() -> R) -> R {
    let _scope = debug::EAGER.scope(false);
    f()
}

/// Runs `f` with graph functions that run op by op. Only in this thread, because tests run in parallel.
pub fn eagerly<R>(f: impl FnOnce() -> R) -> R {
    let _scope = debug::EAGER.scope(true);
    f()
}

/// The outcome of `f` as text: its value, or the message of its panic.
pub fn outcome<R: Shown>(f: impl FnOnce() -> R) -> String {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(value) => value.shown(),
        Err(payload) => {
            let text = payload.downcast_ref::<String>().cloned();
            let text = text.or_else(|| payload.downcast_ref::<&str>().map(|s| s.to_string()));
            format!("panic: {}", text.unwrap_or_else(|| "?".to_string()))
        }
    }
}

/// Asserts that a traced, a cached and an eager run have the `expected` outcomes, one by one.
pub fn assert_ways(expected: &[String], outcomes: impl Fn() -> Vec<String>) {
    assert_eq!(traced(&outcomes), expected, "traced");
    assert_eq!(traced(&outcomes), expected, "from the cache");
    assert_eq!(eagerly(&outcomes), expected, "eagerly");
}

/// Runs assertions in each way: traced, cached, eagerly.
pub fn each_way(assertions: impl Fn()) {
    traced(&assertions);
    traced(&assertions);
    eagerly(&assertions);
}

/// A value as text. The text of a tensor is that of the plain values in it.
pub trait Shown {
    fn shown(&self) -> String;
}

/// A scalar as its value, a vector as a list; the values of higher ranks are listed flat.
impl<T: Element + std::fmt::Debug, S> Shown for Tensor<T, S> {
    fn shown(&self) -> String {
        match self.rank() {
            0 => format!("{:?}", self.item()),
            _ => format!("{:?}", self.to_vec()),
        }
    }
}

macro_rules! shown_by_debug {
    ($($type:ty),*) => { $(
        impl Shown for $type {
            fn shown(&self) -> String {
                format!("{self:?}")
            }
        }
    )* };
}
shown_by_debug!(
    bool, char, u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64, str,
    String, Error
);

impl<T: Shown + ?Sized> Shown for &T {
    fn shown(&self) -> String {
        (**self).shown()
    }
}

impl<T: Shown + ?Sized> Shown for Box<T> {
    fn shown(&self) -> String {
        (**self).shown()
    }
}

impl<T: Shown> Shown for [T] {
    fn shown(&self) -> String {
        let items: Vec<String> = self.iter().map(T::shown).collect();
        format!("[{}]", items.join(", "))
    }
}

impl<T: Shown> Shown for Vec<T> {
    fn shown(&self) -> String {
        self.as_slice().shown()
    }
}

impl<T: Shown, const N: usize> Shown for [T; N] {
    fn shown(&self) -> String {
        self.as_slice().shown()
    }
}

impl<T: Shown> Shown for Option<T> {
    fn shown(&self) -> String {
        self.as_ref()
            .map_or("None".to_string(), |v| format!("Some({})", v.shown()))
    }
}

impl<T: Shown, E: Shown> Shown for Result<T, E> {
    fn shown(&self) -> String {
        match self {
            Ok(value) => format!("Ok({})", value.shown()),
            Err(error) => format!("Err({})", error.shown()),
        }
    }
}

macro_rules! shown_tuples {
    ($(($($name:ident $index:tt),*))*) => { $(
        impl<$($name: Shown),*> Shown for ($($name,)*) {
            fn shown(&self) -> String {
                let parts: Vec<String> = vec![$(self.$index.shown()),*];
                format!("({})", parts.join(", "))
            }
        }
    )* };
}
shown_tuples! {
    ()
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
}
