//! The state of a construct that only the graph needs. Where Rust decides, its type says that there is none, so nothing of it is left in
//! the compiled code: an `if` over a `bool` costs what it costs without the attribute.

/// Holds a `T` if a tensor decides and a graph is being traced.
pub trait InGraph<T> {
    /// Holds the value, which is `None` where Rust decides.
    fn of(value: Option<T>) -> Self;
    /// The value.
    fn get(&self) -> Option<&T>;
    /// The value, to be changed.
    fn get_mut(&mut self) -> Option<&mut T>;
}

/// Rust decides: there is never a value.
impl<T> InGraph<T> for () {
    #[inline]
    fn of(_: Option<T>) {}
    #[inline]
    fn get(&self) -> Option<&T> {
        None
    }
    #[inline]
    fn get_mut(&mut self) -> Option<&mut T> {
        None
    }
}

/// A tensor decides.
impl<T> InGraph<T> for Option<T> {
    fn of(value: Option<T>) -> Option<T> {
        value
    }
    fn get(&self) -> Option<&T> {
        self.as_ref()
    }
    fn get_mut(&mut self) -> Option<&mut T> {
        self.as_mut()
    }
}

#[cfg(test)]
mod tests {
    use std::mem::needs_drop;

    use crate::autograph::{If, Loop, Match};
    use crate::kind::{Graph, Rust};

    #[test]
    fn constructs_that_rust_decides_hold_nothing_for_a_graph() {
        assert_eq!(size_of::<If<Rust>>(), size_of::<bool>());
        assert_eq!(size_of::<Loop<Rust, Rust>>(), 0);
        assert_eq!(size_of::<Loop<Rust, (Rust, (Rust, Rust))>>(), 0);
        assert!(!needs_drop::<Match<(), Rust, (Rust, Rust)>>());
        assert!(needs_drop::<If<Graph>>());
        assert!(needs_drop::<Loop<Rust, (Rust, (Graph, Rust))>>());
        assert!(needs_drop::<Match<(), Rust, (Graph, Rust)>>());
    }
}
