//! Expressions of programs.

use std::sync::Arc;

use graph_runtime::Array;
use graph_runtime::ops::{Attrs, OpDef};

use super::Name;

/// An expression.
#[derive(Clone, Debug)]
pub enum Expr {
    /// The value of a name.
    Name(Name),
    /// A constant.
    Constant(Arc<Array>),
    /// An op of the op table.
    Apply(&'static OpDef, Box<Attrs>, Vec<Expr>),
    /// A function with a custom gradient.
    Custom(Custom, Box<Expr>),
    /// The value of a variable.
    Read(Name),
    /// The next seed of a stream, or of the global stream.
    Seed(Option<i64>),
    /// An op that may fail, and two arrays of its type that can stand in for its result.
    Failing(Box<Expr>, [Arc<Array>; 2]),
}

/// Functions with custom gradients, which equal their usual gradients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Custom {
    /// x²
    Square,
    /// sin x
    Sine,
    /// tanh x
    Tanh,
}

impl Expr {
    /// Applies the op of this name to operands.
    ///
    /// # Panics
    /// If there is no such op.
    pub fn apply(op: &str, operands: Vec<Expr>) -> Expr {
        Expr::with(op, Attrs::new(), operands)
    }

    /// Applies the op of this name with attributes.
    ///
    /// # Panics
    /// If there is no such op.
    pub fn with(op: &str, attrs: Attrs, operands: Vec<Expr>) -> Expr {
        let row = graph_runtime::ops::find(op).unwrap_or_else(|| panic!("no op {op}"));
        Expr::Apply(row, Box::new(attrs), operands)
    }

    /// A constant.
    pub fn constant(array: Array) -> Expr {
        Expr::Constant(Arc::new(array))
    }

    /// The expressions of which it is made.
    pub fn operands(&self) -> &[Expr] {
        match self {
            Expr::Name(_) | Expr::Constant(_) | Expr::Read(_) | Expr::Seed(_) => &[],
            Expr::Apply(_, _, operands) => operands,
            Expr::Custom(_, operand) | Expr::Failing(operand, _) => std::slice::from_ref(operand),
        }
    }

    /// The same expression of other operands.
    #[must_use]
    pub fn with_operands(&self, operands: Vec<Expr>) -> Expr {
        let mut expr = self.clone();
        let mut operands = operands.into_iter();
        match &mut expr {
            Expr::Name(_) | Expr::Constant(_) | Expr::Read(_) | Expr::Seed(_) => {}
            Expr::Apply(_, _, old) => *old = operands.collect(),
            Expr::Custom(_, old) | Expr::Failing(old, _) => {
                **old = operands.next().expect("as many operands");
            }
        }
        expr
    }

    /// Whether `holds` is true for it or for a part of it.
    pub fn any(&self, holds: &impl Fn(&Expr) -> bool) -> bool {
        holds(self) || self.operands().iter().any(|operand| operand.any(holds))
    }

    /// The same expression with other parts, where `change` gives one.
    #[must_use]
    pub fn map(&self, change: &impl Fn(&Expr) -> Option<Expr>) -> Expr {
        let with_operands = || {
            let operands = self.operands().iter().map(|o| o.map(change));
            self.with_operands(operands.collect())
        };
        change(self).unwrap_or_else(with_operands)
    }
}
