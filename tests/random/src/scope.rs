//! The values of names while a program runs.

use crate::program::{Code, Name};
use crate::value::Value;

/// The names of a block and of the blocks around it.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    names: Vec<Name>,
    values: Vec<Value>,
}

impl Scope {
    /// A scope with these names and values.
    pub fn new(names: Vec<Name>, values: Vec<Value>) -> Scope {
        Scope { names, values }
    }

    /// The names and the values.
    pub fn into_parts(self) -> (Vec<Name>, Vec<Value>) {
        (self.names, self.values)
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
