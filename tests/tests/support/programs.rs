//! One program, compiled several times: as plain Rust, under `#[graph_fn]` over Rust values, and under `#[graph_fn]` over
//! tensors. The last two differ in the meaning of the names `Int`, `Float`, `Truth`, `Ints` and of the functions that
//! make such values.

/// The meaning of these names for a program over plain values.
pub mod scalars {
    #![allow(dead_code, reason = "each program uses its part")]
    pub type Int = i32;
    pub type Float = f32;
    pub type Truth = bool;
    pub type Ints = Vec<i32>;
    pub fn int(x: i32) -> Int {
        x
    }
    pub fn float(x: f32) -> Float {
        x
    }
    pub fn truth(x: bool) -> Truth {
        x
    }
    pub fn ints(x: &[i32]) -> Ints {
        x.to_vec()
    }
}

/// Their meaning for a program over tensors.
pub mod tensors {
    #![allow(dead_code, reason = "each program uses its part")]
    use graph_runtime::prelude::*;
    pub type Int = Tensor<i32>;
    pub type Float = Tensor<f32>;
    pub type Truth = Tensor<bool>;
    pub type Ints = Tensor<i32>;
    pub fn int(x: i32) -> Int {
        tensor(x)
    }
    pub fn float(x: f32) -> Float {
        tensor(x)
    }
    pub fn truth(x: bool) -> Truth {
        tensor(x)
    }
    pub fn ints(x: &[i32]) -> Ints {
        tensor(x)
    }
}

/// A program in its own module, over one kind of numbers, with or without the attribute.
macro_rules! program {
    ($module:ident, $numbers:ident, [$(#[$graph:meta])?], [$($call:expr),+], [$($item:tt)+]) => {
        pub mod $module {
            #[allow(unused_imports)]
            use crate::support::programs::$numbers::{
                Float, Int, Ints, Truth, float, int, ints, truth,
            };
            #[allow(unused_imports)]
            use super::super::*;
            #[allow(unused_imports)]
            use graph_runtime::prelude::*;
            $(#[$graph])?
            $($item)+
            pub fn outcomes() -> Vec<String> {
                vec![$(crate::support::outcome(|| $call)),+]
            }
        }
    };
}

/// One case over Rust values: a name, calls, and the function that they call (with any other items that it needs).
#[allow(unused_macros, reason = "each test binary uses its part")]
macro_rules! agree {
    ($name:ident: $($call:expr),+ $(,)?; $($item:tt)+) => {
        mod $name {
            program!(plain, scalars, [], [$($call),+], [$($item)+]);
            program!(rust, scalars, [#[graph_fn]], [$($call),+], [$($item)+]);

            #[test]
            fn rust_values_agree() {
                crate::support::assert_ways(&plain::outcomes(), rust::outcomes);
            }
        }
    };
}

/// One case over Rust values and over tensors.
#[allow(unused_macros, reason = "each test binary uses its part")]
macro_rules! three_ways {
    ($name:ident: $($call:expr),+ $(,)?; $($item:tt)+) => {
        mod $name {
            program!(plain, scalars, [], [$($call),+], [$($item)+]);
            program!(rust, scalars, [#[graph_fn]], [$($call),+], [$($item)+]);
            program!(graph, tensors, [#[graph_fn]], [$($call),+], [$($item)+]);

            #[test]
            fn rust_values_agree() {
                crate::support::assert_ways(&plain::outcomes(), rust::outcomes);
            }

            #[test]
            fn tensors_agree() {
                crate::support::assert_ways(&plain::outcomes(), graph::outcomes);
            }
        }
    };
}
