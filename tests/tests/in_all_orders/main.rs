//! The files that threads share, under every order in which two or three threads can run (`loom`). Each model runs the library's own file;
//! `around` replaces the code around it that no threads share.
#![allow(dead_code, reason = "the models need a part of each file")]
#![allow(clippy::clone_on_copy, reason = "an element of the models is a number")]

mod around;
mod data;
mod executable;
mod frames;
mod helpers;
mod traces;
mod variables;

use around::{device, error, graph, passes, print, sync, types};
use device::Storage;

#[path = "../../../graph-runtime/src/function/cache.rs"]
mod cache;

#[path = "../../../graph-runtime/src/function/waits.rs"]
mod waits;

#[path = "../../../graph-ir/src/plan/scratch.rs"]
mod scratch;

#[path = "../../../graph-ir/src/device/place.rs"]
mod place;

#[path = "../../../graph-kernels/src/parallel/team.rs"]
mod team;
