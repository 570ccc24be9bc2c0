//! Which names are local variables, and what the syntax tells of each: whether it can change, and whether it
//! certainly is a tensor or certainly a plain copyable value.

use std::collections::HashMap;

use syn::{Expr, FnArg, Lit, Pat, Type};

/// What syntax tells of a variable's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// A tensor.
    Tensor,
    /// A number or truth value of Rust.
    Number,
    /// Another plain value or a shared reference: `Copy`.
    Plain,
    /// A `&mut` reference.
    MutRef,
    /// Anything.
    Nothing,
}

impl Known {
    /// True for what is no tensor and `Copy`.
    pub fn is_plain(self) -> bool {
        matches!(self, Known::Number | Known::Plain)
    }
}

/// A local variable.
#[derive(Clone, Debug)]
pub struct Var {
    /// Declared `mut`.
    pub mutable: bool,
    /// What is known of its type.
    pub known: Known,
    /// Its type is written in a signature: no later use has to tell it.
    pub written: bool,
    /// Which of the variables of this name it is.
    pub id: usize,
    /// What is known of the type was told by the value, and its details may be open still.
    pub open: bool,
    /// Declared without a value and not assigned so far.
    pub uninitialized: bool,
    /// How many replayed constructs stood around the declaration.
    pub depth: usize,
    /// How many bodies (functions, closures) stood around it.
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

    /// Says again that these have none: where another branch begins.
    pub fn set_unset(&mut self, unset: &Unset) {
        let vars = self.names.iter_mut().flat_map(HashMap::values_mut);
        vars.filter(|v| unset.contains(&v.id))
            .for_each(|v| v.uninitialized = true);
    }

    /// Says that those of `before` that aren't in `now` have a value.
    pub fn set_since(&mut self, before: &Unset, now: &Unset) {
        let vars = self.names.iter_mut().flat_map(HashMap::values_mut);
        vars.filter(|v| before.contains(&v.id) && !now.contains(&v.id))
            .for_each(|v| v.uninitialized = false);
    }
}

/// The names that a pattern binds, with whether each is `mut`. Among them may be a constant or a unit variant, which looks the same: nothing
/// can assign it, so that nothing is made of it that isn't right for it, too.
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

/// What a type tells.
pub fn known_type(ty: &Type) -> Known {
    match ty {
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else {
                return Known::Nothing;
            };
            match last.ident.to_string().as_str() {
                "Tensor" => Known::Tensor,
                "char" => Known::Plain,
                "bool" | "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32"
                | "i64" | "i128" | "isize" | "f32" | "f64" => Known::Number,
                _ => Known::Nothing,
            }
        }
        Type::Reference(reference) if reference.mutability.is_some() => Known::MutRef,
        Type::Reference(_) => Known::Plain,
        Type::Paren(inner) => known_type(&inner.elem),
        Type::Group(inner) => known_type(&inner.elem),
        _ => Known::Nothing,
    }
}

/// True for a type that is written as a tensor.
pub fn is_tensor(ty: &Type) -> bool {
    known_type(ty) == Known::Tensor
}

/// True for a type that a literal has by itself.
pub fn is_primitive(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => {
            known_type(ty).is_plain()
                || path
                    .path
                    .segments
                    .last()
                    .is_some_and(|s| s.ident == "String")
        }
        Type::Reference(_) => true,
        _ => false,
    }
}

impl Scopes {
    /// What an expression tells of its type.
    pub fn known_expr(&self, expr: &Expr) -> Known {
        match expr {
            Expr::Lit(lit) => match lit.lit {
                Lit::Verbatim(_) => Known::Nothing,
                Lit::Int(_) | Lit::Float(_) | Lit::Bool(_) => Known::Number,
                _ => Known::Plain,
            },
            Expr::Path(path) => match path
                .path
                .get_ident()
                .and_then(|name| self.get(&name.to_string()))
            {
                Some(var) => var.known,
                None => Known::Nothing,
            },
            Expr::Paren(inner) => self.known_expr(&inner.expr),
            Expr::Group(inner) => self.known_expr(&inner.expr),
            Expr::Unary(unary) => match (unary.op, self.known_expr(&unary.expr)) {
                (syn::UnOp::Deref(_), _) => Known::Nothing,
                (_, known) => known,
            },
            Expr::Binary(binary) => match (
                self.known_expr(&binary.left),
                self.known_expr(&binary.right),
            ) {
                (Known::Tensor, _) | (_, Known::Tensor) => Known::Tensor,
                _ => Known::Nothing,
            },
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) => {
                    let path = &path.path;
                    let tensor = path.is_ident("tensor")
                        || path
                            .segments
                            .iter()
                            .rev()
                            .nth(1)
                            .is_some_and(|s| s.ident == "Tensor");
                    if tensor {
                        Known::Tensor
                    } else {
                        Known::Nothing
                    }
                }
                _ => Known::Nothing,
            },
            Expr::MethodCall(call) => {
                let to_rust = [
                    "item",
                    "to_vec",
                    "to_ndarray",
                    "array",
                    "shape",
                    "rank",
                    "dim",
                    "dtype",
                    "as_any",
                ];
                match self.known_expr(&call.receiver) {
                    Known::Tensor if !to_rust.contains(&call.method.to_string().as_str()) => {
                        Known::Tensor
                    }
                    _ => Known::Nothing,
                }
            }
            Expr::Index(index) => match self.known_expr(&index.expr) {
                Known::Tensor => Known::Tensor,
                _ => Known::Nothing,
            },
            Expr::If(_) | Expr::Match(_) | Expr::Block(_) => {
                let mut ends = Vec::new();
                crate::collect::literal::ends(expr, &mut ends);
                let tensor = ends.iter().any(|end| self.known_expr(end) == Known::Tensor);
                if tensor {
                    Known::Tensor
                } else {
                    Known::Nothing
                }
            }
            Expr::Cast(cast) => known_type(&cast.ty),
            Expr::Reference(reference) if reference.mutability.is_none() => Known::Plain,
            Expr::Reference(_) => Known::MutRef,
            _ => Known::Nothing,
        }
    }
}

impl Scopes {
    /// True for a number or truth value of Rust, or what is calculated of such.
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

    /// True for a tensor whose element type may be settled only later in the function.
    pub fn is_open_tensor(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Path(path) => {
                let var = path
                    .path
                    .get_ident()
                    .and_then(|name| self.get(&name.to_string()));
                var.is_some_and(|v| v.open && v.known == Known::Tensor)
            }
            Expr::Paren(e) => self.is_open_tensor(&e.expr),
            Expr::Unary(e) => self.is_open_tensor(&e.expr),
            Expr::Binary(e) => self.is_open_tensor(&e.left) || self.is_open_tensor(&e.right),
            Expr::Index(e) => self.is_open_tensor(&e.expr),
            Expr::MethodCall(e) => {
                self.is_open_tensor(&e.receiver) && self.known_expr(expr) == Known::Tensor
            }
            Expr::Call(_) => self.known_expr(expr) == Known::Tensor,
            _ => false,
        }
    }
}

/// Declares the parameters of a function or closure.
pub fn parameter(arg: &FnArg) -> Option<(&Pat, &Type)> {
    match arg {
        FnArg::Typed(typed) => Some((&typed.pat, &typed.ty)),
        FnArg::Receiver(_) => None,
    }
}
