//! The attributes of one use of an op: parameters that are fixed when the graph is built, such as the axes of a reduction.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use graph_kernels::{DType, KernelError};

use crate::types::Shape;

/// A compile-time parameter of one use of an op, such as the axes of a reduction.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Attr {
    Int(i64),
    Ints(Vec<i64>),
    Bool(bool),
    Text(String),
    DType(DType),
    Shape(Shape),
}

/// The attributes of one use of an op, in the order of its definition: a list of names with values.
///
/// Most ops have none, and passes copy nodes often; so copies share the list, and an empty one takes no memory.
#[derive(Clone, Default, PartialEq)]
pub struct Attrs(Option<Arc<Vec<(&'static str, Attr)>>>);

/// An attribute that an op needs and that is missing or has another type. Only a graph that was parsed from text can cause this.
/// `?` turns it into the error of a type rule (`String`) or of a kernel ([`KernelError`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttrError {
    name: String,
    expected: &'static str,
}

impl AttrError {
    /// The error for an attribute that isn't `expected`.
    pub(super) fn new(name: &str, expected: &'static str) -> AttrError {
        AttrError {
            name: name.to_owned(),
            expected,
        }
    }
}

impl fmt::Display for AttrError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the attribute `{}` must be given as {}",
            self.name, self.expected
        )
    }
}

impl std::error::Error for AttrError {}

impl From<AttrError> for String {
    fn from(error: AttrError) -> String {
        error.to_string()
    }
}

impl From<AttrError> for KernelError {
    fn from(error: AttrError) -> KernelError {
        KernelError::Value(error.to_string())
    }
}

/// One typed getter per line: name, variant, result type, conversion, and what the error calls the type.
macro_rules! readers {
    ($($(#[$doc:meta])* $name:ident $variant:ident -> $type:ty = $read:expr, $expected:literal;)*) => { $(
        $(#[$doc])*
        ///
        /// # Errors
        /// If the attribute is missing or of another type.
        #[inline]
        pub fn $name(&self, name: &str) -> Result<$type, AttrError> {
            match self.get(name) {
                Some(Attr::$variant(value)) => Ok($read(value)),
                _ => Err(AttrError::new(name, $expected)),
            }
        }
    )* };
}

impl Attrs {
    /// No attributes.
    pub fn new() -> Attrs {
        Attrs::default()
    }

    /// Adds an attribute.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: Attr) -> Attrs {
        self.push(name, value);
        self
    }

    /// Appends an attribute.
    pub fn push(&mut self, name: &'static str, value: Attr) {
        Arc::make_mut(self.0.get_or_insert_default()).push((name, value));
    }

    /// The attribute with this name, if it exists.
    #[inline]
    pub fn get(&self, name: &str) -> Option<&Attr> {
        self.iter()
            .find(|(n, _)| *n == name)
            .map(|(_, value)| value)
    }

    readers! {
        /// The integer attribute with this name.
        int Int -> i64 = |v: &i64| *v, "an integer";
        /// The attribute with this name, which is a list of integers.
        ints Ints -> &[i64] = Vec::as_slice, "a list of integers";
        /// The boolean attribute with this name.
        bool Bool -> bool = |v: &bool| *v, "a truth value";
        /// The text attribute with this name.
        text Text -> &str = String::as_str, "a text";
        /// The dtype attribute with this name.
        dtype DType -> DType = |v: &DType| *v, "a dtype";
        /// The shape attribute with this name.
        shape Shape -> &Shape = std::convert::identity, "a shape";
    }
}

impl Deref for Attrs {
    type Target = [(&'static str, Attr)];

    #[inline]
    fn deref(&self) -> &[(&'static str, Attr)] {
        self.0.as_ref().map_or(&[], |attrs| &attrs[..])
    }
}

impl DerefMut for Attrs {
    fn deref_mut(&mut self) -> &mut [(&'static str, Attr)] {
        let attrs = self.0.as_mut().map(Arc::make_mut);
        attrs.map_or(&mut [], Vec::as_mut_slice)
    }
}

impl fmt::Debug for Attrs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self[..], f)
    }
}

impl FromIterator<(&'static str, Attr)> for Attrs {
    fn from_iter<I: IntoIterator<Item = (&'static str, Attr)>>(attrs: I) -> Attrs {
        let attrs: Vec<(&'static str, Attr)> = attrs.into_iter().collect();
        Attrs((!attrs.is_empty()).then(|| Arc::new(attrs)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_give_the_value_or_name_the_attribute() {
        let attrs = Attrs::new()
            .with("axis", Attr::Int(3))
            .with("axes", Attr::Ints(vec![0, 1]));
        assert_eq!(attrs.int("axis"), Ok(3));
        assert_eq!(attrs.ints("axes"), Ok([0, 1].as_slice()));
        let wrong: String = attrs.int("axes").unwrap_err().into();
        assert_eq!(wrong, "the attribute `axes` must be given as an integer");
        assert!(attrs.bool("keep_dims").is_err());
    }
}
