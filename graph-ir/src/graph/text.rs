//! The text form of a graph. It reads like a program, and parses back to an equal graph (apart from source locations and the
//! numbering of values), unless it leaves out values of a large constant. Tests of passes and error reports use it, and users
//! who look at traces.
//!
//! ```text
//! fn twice(x: int32[]) -> int32[] {
//!   %1 = add(x, x) : int32[]
//!   return %1
//! }
//! graph (x: int32[], %1: float32[?,3]) with (v: int32[]) -> (int32[], float32[*]) {
//!   %2 = constant [1, -2] : int32[2]
//!   %3 = greater(x, x) : bool[]
//!   %4 = reduce_sum(%1) {axes = [0], keep_dims = false} : float32[*]
//!   %5 = cond %3 (x) : int32[] {
//!     then (x: int32[]) { … return x }
//!     else (x: int32[]) { … return x }
//!   }
//!   %6 = switch_case x (x) : int32[] {
//!     branch (x: int32[]) { … }
//!   }
//!   print("step ", x)
//!   assert(%3, "message")
//!   seed = next_seed() : int64[2]
//!   i, %8 = while_loop (x, %5; %4) : int32[], int32[] {
//!     cond (i: int32[], s: int32[], n: float32[*]) { … }
//!     body (i: int32[], s: int32[], n: float32[*]) { … }
//!   }
//!   y = fusion (%1) : float32[?,3] {
//!     body (x: float32[?,3]) { %1 = exp(x) : float32[?,3] … return %2 }
//!   }
//!   %9 = call twice(x) : int32[]
//!   a = read_variable v : int32[]
//!   assign_variable v (x)
//!   update_variable v (%9) {
//!     body (v: int32[], d: int32[]) { s = add(v, d) : int32[] return s }
//!   }
//!   return %9, %4
//! }
//! ```
//!
//! - A value is written as its name if it has one (`name_1` if the name is taken, `%"any text"` if it isn't an
//!   identifier), otherwise as `%n` with its number in order of definition.
//! - The operands of `while_loop` before the `;` are the state; those after it are loop-invariant.
//! - Called graphs are written before their first caller; `name#2` is the second graph with the same name.
//! - The values of a constant are written as one flat list in row-major order; unusual NaNs as `nan(0x7fc00001)`. Of more than 64
//!   different values, `{}` shows the first ones and their number, `[0, 1, 2, 3, 4, 5, 6, 7, … 100 values]`; `Graph::to_text` writes all.
//! - Variables are listed after `with`. In a call, `call f(x) with (v)`, they are the variables that those of the called graph refer to.
//!   Variables and values have separate names: a value may have the same name as a variable.
//! - A shape attribute is written as `dims[2,?]`, which distinguishes it from a list of integers.
//! - `constant #3` is a constant whose values come with the text: it is number 3 of a list. [`library`] writes large constants so.
//! - `@"src/main.rs":3:5` before a node is the line of the program that it came from; `@4:5` is one of the same file. Only [`library`] writes it.
//! - `//` starts a comment.

mod array;
mod lexer;
pub mod library;
mod parse;
mod print;

use std::fmt;

pub(crate) use array::{fingerprint, same_bits, values_text};
pub use parse::ParseError;

/// The maximum depth of subgraphs in a text, which bounds the recursion of all code that walks the graph.
pub const MAX_DEPTH: usize = 64;

/// The maximum number of nodes of a parsed graph after inlining all calls: a short text could describe astronomically many.
pub const MAX_NODES: usize = 1 << 20;

/// The maximum number of values of a constant that a [`library`] has in the text, so that a short text can't ask for much memory.
const MAX_VALUES: usize = 64;

impl crate::graph::Graph {
    /// The graph as text with all values of its constants, which [`str::parse`] reads. `{}` is shorter, for users: it leaves out most values
    /// of large constants.
    ///
    /// ```
    /// use graph_runtime::graph::Graph;
    /// # fn main() -> Result<(), graph_runtime::graph::ParseError> {
    /// let values: Vec<String> = (0..100).map(|n| n.to_string()).collect();
    /// let text = format!("graph () -> int32[100] {{ x = constant [{}] : int32[100] return x }}", values.join(", "));
    /// let graph: Graph = text.parse()?;
    /// assert!(graph.to_string().contains("constant [0, 1, 2, 3, 4, 5, 6, 7, … 100 values] : int32[100]"));
    /// assert_eq!(graph.to_text().parse::<Graph>()?.to_text(), graph.to_text());
    /// # Ok(())
    /// # }
    /// ```
    pub fn to_text(&self) -> String {
        format!("{self:#}")
    }
}

impl fmt::Display for crate::graph::Graph {
    /// Writes the graph; with `{:#}`, all values of constants are written, as in [`to_text`](crate::graph::Graph::to_text).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print::print(self, f)
    }
}

impl std::str::FromStr for crate::graph::Graph {
    type Err = ParseError;

    /// Parses and [verifies](crate::graph::verify) a graph. The nodes' locations are lines of the text.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        parse::parse(text)
    }
}

#[cfg(test)]
mod tests;
