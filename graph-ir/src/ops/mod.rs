//! The op table: each op is one [`OpDef`] row with its attributes, its type rule and its kernel.
//! Tracing, the verifier, the text form, eager execution and the plan all use the row, so an op is defined in one place.
//! Each family of ops is one file; `FAMILIES` lists them.

mod attrs;
mod def;
mod rules;
mod table;

mod arithmetic;
mod arrange;
mod compare;
mod conv;
mod conv_gradient;
mod count;
mod diagonal;
mod dynamic;
mod einsum;
mod gather;
mod gradient;
mod index;
mod linalg;
mod list;
mod mathematics;
mod one_value;
mod pad;
mod random;
mod reduce;
mod scatter;
mod segment;
mod shape;
mod sort;
mod source;
mod strings;

#[cfg(test)]
mod tests;

pub use arithmetic::*;
pub use arrange::*;
pub use attrs::{Attr, AttrError, Attrs};
pub use compare::*;
pub use conv::*;
pub use conv_gradient::*;
pub use count::*;
pub use def::{Fails, OpDef, ProductKernel};
pub use diagonal::*;
pub use dynamic::*;
pub use einsum::*;
pub use gather::*;
pub use gradient::*;
pub use index::*;
pub use linalg::*;
pub use list::*;
pub use mathematics::*;
pub use one_value::*;
pub use pad::*;
pub use random::*;
pub use reduce::*;
pub use scatter::*;
pub use segment::*;
pub use shape::*;
pub use sort::*;
pub use source::*;
pub use strings::*;

/// The families of the table.
static FAMILIES: &[&[&OpDef]] = &[
    arithmetic::ROWS,
    mathematics::ROWS,
    compare::ROWS,
    reduce::ROWS,
    shape::ROWS,
    index::ROWS,
    dynamic::ROWS,
    gather::ROWS,
    gradient::ROWS,
    scatter::ROWS,
    pad::ROWS,
    arrange::ROWS,
    sort::ROWS,
    count::ROWS,
    segment::ROWS,
    diagonal::ROWS,
    linalg::ROWS,
    conv::ROWS,
    conv_gradient::ROWS,
    einsum::ROWS,
    source::ROWS,
    strings::ROWS,
    list::ROWS,
    one_value::ROWS,
    random::ROWS,
];

/// Every op of the table.
pub fn all() -> impl Iterator<Item = &'static OpDef> {
    FAMILIES.iter().flat_map(|family| family.iter().copied())
}

/// The op with this name, if there is one.
pub fn find(name: &str) -> Option<&'static OpDef> {
    all().find(|op| op.name == name)
}
