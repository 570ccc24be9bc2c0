//! What the attribute promises to plain Rust, shown on code that nobody here wrote: the tool puts `#[graph_fn]` on every free function of a
//! published crate, and in a second run on every method, compiles it, and runs the crate's own tests before and after.
//!
//! ```text
//! list ─ which crates, each of an exact version
//! source, manifest ─ the crate as cargo has it, copied, with graph-runtime among its dependencies
//! functions, rewrite ─ where its functions are; the attribute written before them
//! check, blame ─ what the compiler says; from which functions the attribute must go until it compiles
//! trial ─ the tests of the crate, each with its result
//! survey ─ all of it for one crate
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

/// What went wrong with the tool itself or with a crate before the attribute came to it, as a text.
pub type Fault = Box<dyn std::error::Error + Send + Sync>;
