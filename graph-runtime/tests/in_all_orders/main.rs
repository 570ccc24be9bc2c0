//! The files that threads share, under every order in which two or three threads can run (`loom`). Each model runs the library's own file;
//! `around` replaces the code around it that no threads share.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p graph-runtime --test in_all_orders`
#![cfg(loom)]
#![allow(dead_code, reason = "the models need a part of each file")]

mod around;
mod data;
mod executable;
mod frames;
mod helpers;
mod traces;
mod variables;

use around::{device, error, graph, passes, print, sync, types};
use device::Storage;

#[path = "../../src/function/cache.rs"]
mod cache;

#[path = "../../src/function/waits.rs"]
mod waits;

#[path = "../../../graph-ir/src/plan/scratch.rs"]
mod scratch;

#[path = "../../../graph-ir/src/device/place.rs"]
mod place;

#[path = "../../../graph-kernels/src/parallel/team.rs"]
mod team;
