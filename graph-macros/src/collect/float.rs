//! Float literals in generic functions: `x * 0.9`, `x > 0.9`, `x *= 0.9`. Where the element type of a tensor is a parameter, Rust has no literal
//! of it, so the type of the other side decides what the literal becomes.

use syn::spanned::Spanned;
use syn::{BinOp, Expr, ExprBinary, Lit, UnOp};

use super::Collector;
use super::literal::is_literal;
use super::operator::compares;
use crate::syntax::{Construct, Operator, WithFloat};

impl Collector {
    /// An operator with a float literal on one side, if the other side's type may have a parameter.
    pub fn with_float(&mut self, binary: &ExprBinary) -> Option<Expr> {
        let operator = match compares(&binary.op) {
            Some(method) => Operator::Comparison(method),
            None if is_arithmetic(&binary.op) => Operator::Arithmetic(binary.op),
            None => return None,
        };
        let is_left = is_float(&binary.left);
        let (literal, operand) = match is_left {
            true => (&*binary.left, &*binary.right),
            false => (&*binary.right, &*binary.left),
        };
        if !is_float(literal) || !self.may_be_of_parameter(operand) {
            return None;
        }
        let operand = match operator {
            Operator::Arithmetic(_) => self.operand(operand.clone()),
            Operator::Comparison(_) => self.compared(operand.clone()),
        };
        let with = WithFloat {
            literal: literal.clone(),
            operand,
            is_left,
            operator,
        };
        Some(self.construct(binary.span(), Construct::WithFloat(with)))
    }

    /// A float literal that is assigned to a place with an operator, if the place's type may have a parameter.
    pub fn float_beside(&mut self, place: &Expr, literal: &Expr) -> Option<Expr> {
        let is_named = match place {
            Expr::Path(_) | Expr::Field(_) => true,
            Expr::Unary(unary) => {
                matches!(unary.op, UnOp::Deref(_)) && matches!(&*unary.expr, Expr::Path(_))
            }
            _ => false,
        };
        if !is_float(literal) || !is_named || !self.may_be_of_parameter(place) {
            return None;
        }
        let (place, literal) = (place.clone(), literal.clone());
        Some(self.construct(literal.span(), Construct::FloatBeside { place, literal }))
    }

    /// True unless the syntax says that a value isn't a tensor whose element type is a parameter, or asking for its type would be too early.
    fn may_be_of_parameter(&self, value: &Expr) -> bool {
        self.is_generic
            && !is_literal(value)
            && !self.scopes.is_number(value)
            && !self.is_untold(value)
    }

    /// True if the type of an operand is inferred from code behind it.
    fn is_untold(&self, value: &Expr) -> bool {
        match value {
            Expr::Path(_) => self.scopes.variable(value).is_some_and(|v| v.is_untold),
            Expr::Binary(binary) => self.is_untold(&binary.left) || self.is_untold(&binary.right),
            Expr::Unary(unary) => self.is_untold(&unary.expr),
            Expr::Paren(inner) => self.is_untold(&inner.expr),
            _ => false,
        }
    }
}

/// A float literal without a written type, possibly negative.
fn is_float(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(lit) => matches!(&lit.lit, Lit::Float(float) if float.suffix().is_empty()),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)) && is_float(&unary.expr),
        Expr::Paren(inner) => is_float(&inner.expr),
        Expr::Group(inner) => is_float(&inner.expr),
        _ => false,
    }
}

fn is_arithmetic(op: &BinOp) -> bool {
    use BinOp::{Add, Div, Mul, Rem, Sub};
    matches!(op, Add(_) | Sub(_) | Mul(_) | Div(_) | Rem(_))
}
