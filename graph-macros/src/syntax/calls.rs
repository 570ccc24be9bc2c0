//! The parts of constructs that are calls: of methods whose receiver decides what they are, and of macros that assert.

use proc_macro2::TokenStream;
use syn::{Expr, ExprMethodCall, Ident};

use super::{FlowId, Sides};

/// `x[i].method(…)`, where an item of a Rust collection is a place and an item of a tensor is a value.
pub struct ItemMethod {
    /// What is indexed, and the index.
    pub base: Expr,
    pub index: Expr,
    /// The Rust place, with variables for its positions.
    pub place: Expr,
    /// The variables, each with the indexed collection and the index, the last one first.
    pub positions: Vec<(Ident, Expr, Expr)>,
    /// The call; the receiver is inserted later.
    pub call: ExprMethodCall,
}

/// `[1, 2, 3].method(&x)`.
pub struct Sought {
    /// `&x`.
    pub sought: Expr,
    /// The call; the receiver and argument are inserted when the type has decided.
    pub call: ExprMethodCall,
}

/// `x.unwrap()` or `x.expect("…")`. Types decide whether these are the standard library's methods.
pub struct Unwrapped {
    pub call: ExprMethodCall,
    pub receiver: Receiver,
    /// The flows around it, the innermost first, if a branch that a tensor decides can fail when there is nothing to unwrap.
    pub through: Vec<FlowId>,
}

/// `x[i].unwrap()` or `x[i].expect("…")`. Types decide whether these are the standard library's methods.
pub struct UnwrappedItem {
    /// A reference to the item.
    pub item: Expr,
    /// The call, which is an [`ItemMethod`].
    pub taken: Expr,
    /// The text of `expect`.
    pub message: Option<Expr>,
    /// The flows around it, the innermost first.
    pub through: Vec<FlowId>,
}

/// The receiver of `unwrap` or `expect`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Receiver {
    /// A variable that is needed again: if it is an `Option` or `Result` that can be copied, a copy is unwrapped.
    Reused,
    /// A variable or a field of one.
    Place,
    /// The result of an expression.
    Value,
    /// A place that must not be evaluated twice.
    Other,
}

/// `assert!` and similar macros.
pub struct Assertion {
    pub asserts: Asserts,
    /// True for `debug_assert!`.
    pub debug: bool,
    /// The flows around it, the innermost first: an assertion over Rust values that fails in a branch that a tensor decides leaves that
    /// branch.
    pub through: Vec<FlowId>,
}

/// What is asserted.
pub enum Asserts {
    /// `assert_eq!` and `assert_ne!`, with the user's message.
    Equality {
        method: String,
        left: Expr,
        right: Expr,
        message: Vec<Expr>,
    },
    /// A comparison without a message: an error shows the sides that aren't literals.
    Comparison {
        sides: Sides,
        method: &'static str,
        source: String,
        /// The sources of the sides that are shown.
        left: Option<String>,
        right: Option<String>,
    },
    /// A condition with a message that Rust formats.
    Says { condition: Expr, message: Vec<Expr> },
    /// The condition and message of `graph_assert!`.
    Graph(TokenStream),
}
