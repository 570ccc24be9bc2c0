//! Literals where a tensor may be expected: `x = 0`, `return 0`, a branch with the value `0`. They become `ag__::lift(0)`, which is the
//! literal itself or a constant tensor, depending on the expected type.

use syn::{Expr, GenericArgument, Lit, PathArguments, Type, UnOp};

use super::Collector;
use crate::ends::ends;
use crate::scope::is_primitive;
use crate::syntax::{Construct, FlowId, Tree};

/// A number, truth value or string, possibly negative.
pub(crate) fn is_literal(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(lit) => matches!(
            lit.lit,
            Lit::Int(_) | Lit::Float(_) | Lit::Bool(_) | Lit::Str(_)
        ),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)) && is_literal(&unary.expr),
        Expr::Paren(inner) => is_literal(&inner.expr),
        Expr::Group(inner) => is_literal(&inner.expr),
        _ => false,
    }
}

/// The types of the parts of a tuple type.
pub(crate) fn tuple_types(expected: Option<&Type>, len: usize) -> Vec<Option<Type>> {
    match expected {
        Some(Type::Tuple(tuple)) if tuple.elems.len() == len => {
            tuple.elems.iter().cloned().map(Some).collect()
        }
        _ => vec![None; len],
    }
}

/// `T` of `Option<T>` or `Result<T, E>`.
pub(crate) fn first_argument(ty: &Type) -> Option<Type> {
    let Type::Path(path) = ty else { return None };
    let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else {
        return None;
    };
    match arguments.args.first()? {
        GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    }
}

/// True if a branch evaluates to a reference to a value that it makes, which lives as long as the variable that the whole expression is
/// bound to. Then the branches must stay Rust's; no tensor chooses between references.
pub(crate) fn gives_references(expr: &Expr) -> bool {
    let mut found = Vec::new();
    ends(expr, &mut found);
    found.iter().any(|end| {
        matches!(end, Expr::Reference(r) if !matches!(&*r.expr, Expr::Path(_) | Expr::Field(_) | Expr::Index(_) | Expr::Unary(_) | Expr::Lit(_)))
    })
}

/// Lifts the literals among the ends of a value, if another end determines the type.
pub(crate) fn lift_ends(expr: &mut Expr, collector: &mut Collector) {
    let mut found = Vec::new();
    ends(expr, &mut found);
    let literals = found.iter().filter(|e| is_literal(e)).count();
    if literals > 0 && literals < found.len() {
        replace_ends(expr, collector);
    }
}

/// The first literal among the ends of a value, if the others are calls, whose type may depend on what is expected, as that of `s.parse().unwrap()`.
pub(crate) fn beside_calls(expr: &Expr) -> Option<&Expr> {
    let mut found = Vec::new();
    ends(expr, &mut found);
    let (literals, others): (Vec<&Expr>, Vec<&Expr>) =
        found.into_iter().partition(|end| is_literal(end));
    let are_calls = others
        .iter()
        .all(|end| matches!(end, Expr::MethodCall(_) | Expr::Call(_) | Expr::Try(_)));
    literals
        .first()
        .copied()
        .filter(|_| !others.is_empty() && are_calls)
}

/// True if every end of a value is a literal, so that only the construct decides whether they are Rust values or tensors.
pub(crate) fn gives_literals(expr: &Expr) -> bool {
    let mut found = Vec::new();
    ends(expr, &mut found);
    !found.is_empty() && found.iter().all(|end| is_literal(end))
}

fn is_text(literal: &Expr) -> bool {
    match literal {
        Expr::Lit(lit) => matches!(lit.lit, Lit::Str(_)),
        Expr::Paren(inner) => is_text(&inner.expr),
        Expr::Group(inner) => is_text(&inner.expr),
        _ => false,
    }
}

/// Converts a literal at the end of a branch to the construct's kind. The ends of nested constructs are converted with it.
pub(crate) fn choose(end: &mut Expr, flow: FlowId, tree: &mut Tree) {
    match end {
        Expr::Block(e) if e.label.is_none() => choose_end(&mut e.block, flow, tree),
        end if is_literal(end) => {
            let span = syn::spanned::Spanned::span(end);
            let literal = end.clone();
            let is_text = is_text(&literal);
            let chosen = Construct::Chosen {
                flow,
                literal,
                is_text,
            };
            *end = tree.place(span, chosen);
        }
        _ => {}
    }
}

pub(crate) fn choose_end(block: &mut syn::Block, flow: FlowId, tree: &mut Tree) {
    if let Some(syn::Stmt::Expr(expr, None)) = block.stmts.last_mut() {
        choose(expr, flow, tree);
    }
}

fn replace_ends(expr: &mut Expr, collector: &mut Collector) {
    match expr {
        Expr::If(e) => {
            replace_block_ends(&mut e.then_branch, collector);
            if let Some((_, other)) = &mut e.else_branch {
                replace_ends(other, collector);
            }
        }
        Expr::Match(e) => e
            .arms
            .iter_mut()
            .for_each(|arm| replace_ends(&mut arm.body, collector)),
        Expr::Block(e) => replace_block_ends(&mut e.block, collector),
        Expr::Paren(e) => replace_ends(&mut e.expr, collector),
        literal if is_literal(literal) => *literal = collector.lift(literal.clone()),
        _ => {}
    }
}

fn replace_block_ends(block: &mut syn::Block, collector: &mut Collector) {
    if let Some(syn::Stmt::Expr(expr, None)) = block.stmts.last_mut() {
        replace_ends(expr, collector);
    }
}

impl Collector {
    /// True if the expression is a literal and its expected type may be a tensor, or a Rust number and its expected type is a tensor.
    pub fn wants_lift(&self, expr: &Expr, expected: Option<&Type>) -> bool {
        if expected.is_none_or(|ty| is_primitive(ty) || super::has_infer(ty)) {
            return false;
        }
        is_literal(expr) || self.scopes.is_number(expr)
    }

    /// A literal that may become a tensor.
    pub fn lift(&mut self, literal: Expr) -> Expr {
        let span = syn::spanned::Spanned::span(&literal);
        let literal = match is_literal(&literal) {
            true => literal,
            false => self.value(literal, None),
        };
        self.construct(span, Construct::Lifted(literal))
    }
}
