//! The operations of a dataset, without its tensors: sources and transformations, one file for each kind. The node that begins an iteration
//! contains a [`Recipe`], so does the plan, and the device iterates over its elements.
//!
//! An element that is a row of an array isn't copied until it is needed: to take, skip, shuffle or repeat rows, only row numbers
//! are moved. A batch or window copies each row once, into an array that is reused.

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
