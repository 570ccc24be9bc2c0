//! The promise to Rust: nothing that a `bool` condition accepts in plain Rust breaks under `#[graph_fn]`. Each case
//! is one function over Rust values, compiled twice, with and without the attribute; the two must give the same: values,
//! logs of side effects, drops, panics with their messages; traced, from the cache and eagerly.
#![allow(clippy::all, reason = "the programs are written to have a form, not to be short")]

#[path = "../support/mod.rs"]
mod support;

/// One case: a name, calls, and the function they call (with whatever items it needs behind it).
macro_rules! agree {
    ($name:ident: $($call:expr),+ $(,)?; $($item:tt)+) => {
        mod $name {
            mod plain {
                #[allow(unused_imports)]
                use super::super::*;
                $($item)+
                pub fn outcomes() -> Vec<String> {
                    vec![$(crate::support::outcome(|| $call)),+]
                }
            }
            mod graph {
                #[allow(unused_imports)]
                use super::super::*;
                use graph_runtime::graph_fn;
                #[graph_fn]
                $($item)+
                pub fn outcomes() -> Vec<String> {
                    vec![$(crate::support::outcome(|| $call)),+]
                }
            }
            #[test]
            fn agrees() {
                crate::support::assert_ways(&plain::outcomes(), graph::outcomes);
            }
        }
    };
}

mod borrows;
mod callables;
mod generics;
mod indexing;
mod jumps;
mod macros;
mod methods;
mod moves;
mod order;
mod patterns;
mod values;
