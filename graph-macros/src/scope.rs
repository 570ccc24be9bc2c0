//! Which names are local variables, and what the syntax says about each: whether it can change, and whether it is certainly a tensor or
//! certainly a plain copyable value.

use std::collections::HashMap;

use syn::{Expr, FnArg, Lit, Pat, Type};

/// What the syntax says about a variable's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// A number or truth value of Rust.
    Number,
    /// Another plain value or a shared reference: `Copy`.
    Plain,
    /// A `&mut` reference.
    MutRef,
    /// Nothing is known.
    Nothing,
}

impl Known {
    /// True for types that are `Copy` and not tensors.
    pub fn is_plain(self) -> bool {
        matches!(self, Known::Number | Known::Plain)
    }
}

/// A local variable.
#[derive(Clone, Debug)]
pub struct Var {
    /// Declared `mut`.
    pub mutable: bool,
    /// What the syntax says about its type.
    pub known: Known,
    /// Which of the variables of this name it is.
    pub id: usize,
    /// Declared without a value and not assigned so far.
    pub uninitialized: bool,
    /// Its type, or that of the variable that it is an item of, is written at the declaration: inference needs no later use.
    pub is_typed: bool,
    /// A parameter of a closure without a written type: a use may be what tells it.
    pub is_inferred: bool,
    /// The same, and a `let` names the closure: where its body stands, nothing has told the type.
    pub is_untold: bool,
    /// It is used in a closure that, in plain Rust, can't change it by a method.
    pub is_shared: bool,
    /// It is certainly not a `&mut` reference, which would be reborrowed where it is taken.
    pub is_owned: bool,
    /// What its methods change is seen through it alone: it holds no `&mut` reference.
    pub is_alone: bool,
    /// If it is a closure, the variables that the closure changes.
    pub changes: Vec<syn::Ident>,
    /// The number of replayed constructs around the declaration.
    pub depth: usize,
    /// The number of bodies (functions, closures) around the declaration.
    pub body: usize,
}

/// The local variables in scope, innermost last.
#[derive(Default)]
pub struct Scopes {
    names: Vec<HashMap<String, Var>>,
    declared: usize,
}

impl Scopes {
    pub fn push(&mut self) {
        self.names.push(HashMap::new());
    }

    pub fn pop(&mut self) {
        self.names.pop();
    }

    pub fn declare(&mut self, name: &syn::Ident, var: Var) {
        self.declared += 1;
        if let Some(scope) = self.names.last_mut() {
            scope.insert(
                name.to_string(),
                Var {
                    id: self.declared,
                    ..var
                },
            );
        }
    }

    pub fn get(&self, name: &str) -> Option<&Var> {
        self.names.iter().rev().find_map(|scope| scope.get(name))
    }

    pub fn get_mut(&mut self, name: &str) -> Option<&mut Var> {
        self.names
            .iter_mut()
            .rev()
            .find_map(|scope| scope.get_mut(name))
    }
}

/// Variables without a value, by their ids.
pub type Unset = Vec<usize>;

impl Scopes {
    /// The variables that have no value so far.
    pub fn unset(&self) -> Unset {
        let vars = self.names.iter().flat_map(HashMap::values);
        vars.filter(|v| v.uninitialized).map(|v| v.id).collect()
    }

    /// Restores this set of variables without a value, where another branch begins.
    pub fn set_unset(&mut self, unset: &Unset) {
        let vars = self.names.iter_mut().flat_map(HashMap::values_mut);
        vars.filter(|v| unset.contains(&v.id))
            .for_each(|v| v.uninitialized = true);
    }

    /// Records a value for those variables of `before` that aren't in `now`.
    pub fn set_since(&mut self, before: &Unset, now: &Unset) {
        let vars = self.names.iter_mut().flat_map(HashMap::values_mut);
        vars.filter(|v| before.contains(&v.id) && !now.contains(&v.id))
            .for_each(|v| v.uninitialized = false);
    }
}

/// The names that a pattern binds, and whether each is `mut`. A constant or a unit variant looks the same and may be among them: it can't
/// be assigned, so the code generated for the name is right for it, too.
pub fn bindings(pat: &Pat) -> Vec<(syn::Ident, bool)> {
    fn collect(pat: &Pat, names: &mut Vec<(syn::Ident, bool)>) {
        match pat {
            Pat::Ident(p) => {
                names.push((p.ident.clone(), p.mutability.is_some()));
                if let Some((_, sub)) = &p.subpat {
                    collect(sub, names);
                }
            }
            Pat::Guard(p) => collect(&p.pat, names),
            Pat::Or(p) => p.cases.iter().for_each(|p| collect(p, names)),
            Pat::Paren(p) => collect(&p.pat, names),
            Pat::Reference(p) => collect(&p.pat, names),
            Pat::Slice(p) => p.elems.iter().for_each(|p| collect(p, names)),
            Pat::Struct(p) => p.fields.iter().for_each(|f| collect(&f.pat, names)),
            Pat::Tuple(p) => p.elems.iter().for_each(|p| collect(p, names)),
            Pat::TupleStruct(p) => p.elems.iter().for_each(|p| collect(p, names)),
            Pat::Type(p) => collect(&p.pat, names),
            _ => {}
        }
    }
    let mut names = Vec::new();
    collect(pat, &mut names);
    names
}

/// Rust's types of numbers, truth values and characters. The user may have a type of the same name, so no result depends on these names:
/// they only make code shorter, because a number is copied in any case, and they say that a literal need not become a tensor. For a
/// tensor type with the name of a number, rustc then asks for a `clone()`.
const PRIMITIVES: [&str; 17] = [
    "bool", "char", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
    "isize", "f32", "f64", "str",
];

/// True for the name of such a type.
pub fn names_a_primitive(name: &syn::Ident) -> bool {
    PRIMITIVES.iter().any(|primitive| name == primitive)
}

fn is_primitive_path(path: &syn::TypePath) -> bool {
    path.path.get_ident().is_some_and(names_a_primitive)
}

/// True for a type that a literal always has, or never has: then rustc reports an error and the fix.
pub fn is_primitive(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => is_primitive_path(path) || path.path.is_ident("String"),
        Type::Reference(_) => true,
        _ => false,
    }
}

/// What a type says.
pub fn known_type(ty: &Type) -> Known {
    match ty {
        Type::Path(path) if is_primitive_path(path) => Known::Number,
        Type::Reference(reference) if reference.mutability.is_some() => Known::MutRef,
        Type::Reference(_) => Known::Plain,
        Type::Paren(inner) => known_type(&inner.elem),
        Type::Group(inner) => known_type(&inner.elem),
        _ => Known::Nothing,
    }
}

impl Scopes {
    /// The variable that an expression names.
    pub fn variable(&self, expr: &Expr) -> Option<&Var> {
        match expr {
            Expr::Path(path) => self.get(&path.path.get_ident()?.to_string()),
            _ => None,
        }
    }

    /// What an expression says about its type.
    pub fn known_expr(&self, expr: &Expr) -> Known {
        match expr {
            Expr::Lit(lit) => match lit.lit {
                Lit::Verbatim(_) => Known::Nothing,
                Lit::Int(_) | Lit::Float(_) | Lit::Bool(_) => Known::Number,
                _ => Known::Plain,
            },
            Expr::Path(_) => self.variable(expr).map_or(Known::Nothing, |var| var.known),
            Expr::Paren(inner) => self.known_expr(&inner.expr),
            Expr::Group(inner) => self.known_expr(&inner.expr),
            Expr::Unary(unary) => match (unary.op, self.known_expr(&unary.expr)) {
                (syn::UnOp::Deref(_), _) => Known::Nothing,
                (_, known) => known,
            },
            Expr::Cast(cast) => known_type(&cast.ty),
            Expr::Reference(reference) if reference.mutability.is_none() => Known::Plain,
            Expr::Reference(_) => Known::MutRef,
            _ => Known::Nothing,
        }
    }

    /// True for a Rust number or truth value, or a calculation with such values.
    pub fn is_number(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Lit(_) | Expr::Path(_) | Expr::Cast(_) => self.known_expr(expr) == Known::Number,
            Expr::Unary(e) => !matches!(e.op, syn::UnOp::Deref(_)) && self.is_number(&e.expr),
            Expr::Paren(e) => self.is_number(&e.expr),
            Expr::Group(e) => self.is_number(&e.expr),
            Expr::Binary(e) => self.is_number(&e.left) && self.is_number(&e.right),
            _ => false,
        }
    }
}

/// True for a type that isn't a reference, unless an alias hides one.
pub fn is_owned(ty: &Type) -> bool {
    matches!(ty, Type::Path(_) | Type::Tuple(_) | Type::Array(_))
}

impl Scopes {
    /// True for a value that isn't a `&mut` reference: the result of an operator, or of a call with such values. (A leaked value is an
    /// exception.)
    pub fn is_owned_value(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Path(_) => self.variable(expr).is_none_or(|var| var.is_owned),
            Expr::Paren(e) => self.is_owned_value(&e.expr),
            Expr::Group(e) => self.is_owned_value(&e.expr),
            Expr::Unary(e) => !matches!(e.op, syn::UnOp::Deref(_)),
            Expr::Reference(e) => e.mutability.is_none(),
            Expr::Call(e) => e.args.iter().all(|argument| self.is_owned_value(argument)),
            Expr::MethodCall(e) => {
                let receiver = &*e.receiver;
                let is_fixed = match receiver {
                    Expr::Path(_) => self.variable(receiver).is_some_and(|var| !var.mutable),
                    _ => true,
                };
                is_fixed
                    && e.args
                        .iter()
                        .chain([receiver])
                        .all(|e| self.is_owned_value(e))
            }
            Expr::Lit(_)
            | Expr::Binary(_)
            | Expr::Cast(_)
            | Expr::Index(_)
            | Expr::Struct(_)
            | Expr::Tuple(_)
            | Expr::Array(_)
            | Expr::Repeat(_)
            | Expr::Range(_) => true,
            Expr::If(_) | Expr::Match(_) | Expr::Block(_) => {
                let mut ends = Vec::new();
                crate::ends::ends(expr, &mut ends);
                ends.into_iter().all(|end| self.is_owned_value(end))
            }
            _ => false,
        }
    }
}

/// The pattern and the type of a parameter of a function or closure.
pub fn parameter(arg: &FnArg) -> Option<(&Pat, &Type)> {
    match arg {
        FnArg::Typed(typed) => Some((&typed.pat, &typed.ty)),
        FnArg::Receiver(_) => None,
    }
}
