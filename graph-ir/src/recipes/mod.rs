//! What a dataset does, without its tensors: sources and transformations, one file a kind. A graph holds a [`Recipe`] where an iteration
//! begins, the plan too, and the device goes through its elements.
//!
//! An element that is a row of an array isn't copied before something needs it: to take, skip, shuffle or repeat rows moves their
//! numbers, and a batch or window copies each row once, into an array that is used again.

mod batch;
mod cache;
mod map;
mod pick;
mod prefetch;
mod range;
mod recipe;
mod shuffle;
mod slices;
mod text;
mod zip;

pub use batch::Window;
pub use cache::Cache;
pub use map::{ElementFunction, Filter, Map};
pub use pick::{Repeat, Skip, Take};
pub use prefetch::Prefetch;
pub use range::{Counted, ZERO_STEP, count_between};
pub use recipe::{
    Column, Cursor, Element, Iterable, Iteration, Operands, PassThrough, Recipe, next_number,
};
pub use shuffle::Shuffle;
pub use slices::Slices;
pub use text::of_text;
pub use zip::{Concatenate, Enumerate, Zip};
