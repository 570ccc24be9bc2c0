//! What a traced call took: its parameters, as its concrete function shows and checks them.

use graph_ir::types::TypeSpec;

use super::describe::describe;
use super::record::Record;
use crate::signature::{Key, Signature, Structs};

pub(super) struct Taken {
    /// The parameters' names and trace types.
    pub parameters: Vec<(&'static str, TypeSpec)>,
    /// The signature of the parameters.
    pub key: Key,
    /// Whether there were variables among the arguments.
    pub variables: bool,
}

impl Taken {
    /// What the call with this record took, without the words of the signature that stand for generic parameters.
    pub fn by(names: &[&'static str], record: Option<&mut Record>, generics: usize) -> Taken {
        let (types, key, structs, variables) = match record {
            Some(record) => {
                let Signature {
                    key,
                    structs,
                    variables,
                    ..
                } = &record.signature;
                let types = std::mem::take(&mut record.types);
                (types, &key[generics..], structs, !variables.is_empty())
            }
            None => (Vec::new(), &[][..], &Structs::new(), false),
        };
        let types = match types.is_empty() {
            // The body began as plain Rust, since no argument holds a tensor.
            true => describe(key, structs, names).types,
            false => types,
        };
        Taken {
            parameters: names.iter().copied().zip(types).collect(),
            key: Key::from_slice(key),
            variables,
        }
    }
}
