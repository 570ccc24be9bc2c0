//! The values of names while a program runs.

use graph_runtime::Argument;
use graph_runtime::function::{Holds, Signature};

use crate::program::{Code, Name};
use crate::state::Handle;
use crate::value::Value;

/// The variables that can be named. As an argument, they are no part of the signature: the function captures those that it uses. (The
/// signature has its block, which belongs to one program.)
#[derive(Clone, Debug, Default)]
pub struct Variables(pub Vec<(Name, Handle)>);

impl Variables {
    /// The variable of a name.
    ///
    /// # Panics
    /// If there is no such variable.
    pub fn get(&self, name: Name) -> &Handle {
        let found = self.0.iter().find(|(n, _)| *n == name);
        &found.unwrap_or_else(|| panic!("no variable {name}")).1
    }

    /// The variables of names.
    pub fn get_all(&self, names: impl Iterator<Item = Name>) -> Vec<Handle> {
        names.map(|name| self.get(name).clone()).collect()
    }

    /// These and more variables.
    #[must_use]
    pub fn with(mut self, names: &[Name], variables: &[Handle]) -> Variables {
        let more = names.iter().copied().zip(variables.iter().cloned());
        self.0.extend(more);
        self
    }
}

impl Argument for Variables {
    fn trace_type(&self, _: &mut Signature) {}
    fn holds(_: usize) -> Holds {
        Holds::Rust
    }
}

/// The names of a block and of the blocks around it.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    names: Vec<Name>,
    values: Vec<Value>,
    /// The variables, which blocks share.
    pub variables: Variables,
}

impl Scope {
    /// A scope with these names and values.
    pub fn new(names: Vec<Name>, values: Vec<Value>, variables: Variables) -> Scope {
        Scope {
            names,
            values,
            variables,
        }
    }

    /// The names, the values and the variables.
    pub fn into_parts(self) -> (Vec<Name>, Vec<Value>, Variables) {
        (self.names, self.values, self.variables)
    }

    /// The same scope with more names.
    pub fn with(&self, names: impl IntoIterator<Item = (Name, Value)>) -> Scope {
        let mut scope = self.clone();
        for (name, value) in names {
            scope.declare(name, value);
        }
        scope
    }

    /// Declares a new name.
    pub fn declare(&mut self, name: Name, value: Value) {
        self.names.push(name);
        self.values.push(value);
    }

    /// Removes the names declared after the first `len`.
    pub fn truncate(&mut self, len: usize) {
        self.names.truncate(len);
        self.values.truncate(len);
    }

    /// The number of names.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The value of a name.
    ///
    /// # Panics
    /// If there is no such name.
    pub fn get(&self, name: Name) -> &Value {
        let at = self.names.iter().rposition(|n| *n == name);
        &self.values[at.unwrap_or_else(|| panic!("no name {name}"))]
    }

    /// The values of names.
    pub fn get_all(&self, names: &[Name]) -> Vec<Value> {
        names.iter().map(|name| self.get(*name).clone()).collect()
    }

    /// Assigns to a name.
    ///
    /// # Panics
    /// If there is no such name.
    pub fn set(&mut self, name: Name, value: Value) {
        let at = self.names.iter().rposition(|n| *n == name);
        self.values[at.unwrap_or_else(|| panic!("no name {name}"))] = value;
    }

    /// Assigns to several names.
    pub fn set_all(&mut self, names: &[Name], values: impl IntoIterator<Item = Value>) {
        for (name, value) in names.iter().zip(values) {
            self.set(*name, value);
        }
    }

    /// The names of this scope that the blocks assign to.
    pub fn carried<'a>(&self, blocks: impl IntoIterator<Item = &'a Code>) -> Vec<Name> {
        let mut names: Vec<Name> = blocks
            .into_iter()
            .flat_map(|block| block.assigned())
            .filter(|name| self.names.contains(name))
            .copied()
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}
