//! Tests the attribute's promise about plain Rust on other people's code: the tool puts `#[graph_fn]` on every free function of a
//! published crate, and in a second run on every method, compiles the crate, and runs its own tests before and after.
//!
//! ```text
//! list ─ the crates, each with its exact version
//! source, manifest ─ a copy of the crate from cargo, with graph-runtime among its dependencies
//! functions, rewrite ─ finds its functions, and writes the attribute before them
//! check, blame ─ the compiler's errors; the functions from which the attribute must be removed
//! trial ─ the tests of the crate, each with its result
//! survey ─ all of this for one crate
//! report ─ the results as JSON and as a table
//! ```

pub mod blame;
pub mod check;
pub mod functions;
pub mod list;
pub mod manifest;
pub mod report;
pub mod rewrite;
pub mod source;
pub mod survey;
pub mod trial;

/// The text of an error of the tool itself, or of a crate before it has the attribute.
pub type Fault = Box<dyn std::error::Error + Send + Sync>;
