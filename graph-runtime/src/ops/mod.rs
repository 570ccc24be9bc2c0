//! The op table: each operation is one [`OpDef`] row that says its operands, its type rule and its kernel.
//! Tracing, the verifier, the text form, eager execution and the plan all read the row; nothing else knows an op.

mod def;

pub use def::{Attr, Attrs, OpDef};
