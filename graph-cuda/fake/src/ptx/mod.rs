//! From PTX text to decoded functions. Whatever isn't known is an error that names its line, as an assembler's would be.

mod body;
mod cursor;
mod declare;
mod decode;
mod function;
mod literal;
mod module;
mod names;
mod operand;
mod resolve;
mod token;

pub(crate) use crate::types::{Kind, Type};
pub(crate) use body::Body;
pub(crate) use module::parse;
pub(crate) use operand::Operand;
pub(crate) use resolve::{WrittenAddress, generic_base, is_sink};

/// Why a text isn't a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LoadError {
    pub line: u32,
    pub message: String,
}

impl std::fmt::Display for LoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}
