//! `if`. A condition that can only be a `bool` leaves it as it is. Any other condition may be a tensor: the `if` stands in a loop
//! that runs once for a `bool`, and once per branch while a tensor's branches are traced.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{BinOp, Block, Expr, ExprIf, Ident, Type, parse_quote};

use super::conditions::{
    chain, has_let, has_let_binary, is_bool, let_patterns, rename_behind_lets,
};
use super::literal::{choose, choose_end, gives_literals, gives_references, lift_ends};
use super::{Lower, Region, Want, What, generated};
use crate::activity::{self, How, Place};
use crate::scope::{Known, known_type};

impl Lower {
    pub fn if_expr(&mut self, mut e: ExprIf, want: Want<'_>) -> Expr {
        if let (Want::Value(Some(ty)), None) = (want, &e.else_branch)
            && known_type(ty) == Known::Tensor
        {
            let ty = ty.to_token_stream().to_string().replace(' ', "");
            self.errors.push(
                &e,
                &format!("this `if` has no `else`, but a `{ty}` is due: say what it is otherwise"),
            );
        }
        let want = if e.else_branch.is_none() {
            Want::Nothing
        } else {
            want
        };
        if let Want::Value(_) = want {
            let mut expr = Expr::If(e);
            lift_ends(&mut expr, self);
            let Expr::If(lifted) = expr else {
                unreachable!("an `if` stays one")
            };
            e = lifted;
        }
        if has_let(&e.cond) {
            return self.if_let(e, want);
        }
        let references = matches!(want, Want::Value(_)) && gives_references(&Expr::If(e.clone()));
        if references || is_bool(&e.cond) {
            return self.rust_if(e, want);
        }
        self.graph_if(e, want)
    }

    /// An `if` whose condition is Rust's in any case.
    fn rust_if(&mut self, mut e: ExprIf, want: Want<'_>) -> Expr {
        let mut pats = Vec::new();
        let_patterns(&e.cond, &mut pats);
        for mut rename in pats.iter().flat_map(|pat| self.shadows(pat)) {
            rename_behind_lets(&mut e.cond, &mut rename);
            rename.visit_block_mut(&mut e.then_branch);
        }
        self.scopes.push();
        *e.cond = self.let_condition(*e.cond);
        let unset = self.scopes.unset();
        e.then_branch = self.block(e.then_branch, want);
        self.scopes.pop();
        let behind = self.scopes.unset();
        self.scopes.set_unset(&unset);
        e.else_branch = e
            .else_branch
            .map(|(token, other)| (token, Box::new(self.else_expr(*other, want))));
        self.scopes.set_since(&unset, &behind);
        Expr::If(e)
    }

    /// Lowers a branch, before and behind which the same variables have no value yet.
    pub fn branch<R>(&mut self, lower: impl FnOnce(&mut Self) -> R) -> R {
        let unset = self.scopes.unset();
        let lowered = lower(self);
        self.scopes.set_unset(&unset);
        lowered
    }

    fn else_expr(&mut self, expr: Expr, want: Want<'_>) -> Expr {
        let lowered = match expr {
            Expr::If(e) => self.if_expr(e, want),
            Expr::Block(mut e) => {
                e.block = self.block(e.block, want);
                Expr::Block(e)
            }
            other => self.statement(other),
        };
        match lowered {
            Expr::If(_) | Expr::Block(_) => lowered,
            other => code!(other.span()=> { #other }),
        }
    }

    /// The conditions of an `if let` chain that are no `let`s are Rust's, but for the last, which may be a tensor.
    fn if_let(&mut self, e: ExprIf, want: Want<'_>) -> Expr {
        let mut operands = chain(*e.cond.clone());
        let last_let = operands
            .iter()
            .rposition(|o| matches!(o, Expr::Let(_)))
            .unwrap_or(0);
        let behind: Vec<Expr> = operands.split_off(last_let + 1);
        if behind.iter().all(is_bool) {
            return self.rust_if(e, want);
        }
        let condition = behind
            .into_iter()
            .reduce(|a, b| parse_quote!(#a && #b))
            .expect("not empty");
        let chain = operands
            .into_iter()
            .reduce(|a, b| parse_quote!(#a && #b))
            .expect("a `let`");
        let then_branch = e.then_branch;
        let Some((_, otherwise)) = e.else_branch else {
            return self.if_expr(parse_quote!(if #chain { if #condition #then_branch }), want);
        };
        // `if let P = x && c { A } else { B }`  ⇒  `'chain: { if let P = x { if c { break 'chain A } } B }`
        let ident = self.fresh("chain", e.if_token.span());
        let label = Self::label(&ident);
        let taken: Block = match want {
            Want::Nothing => parse_quote!({ #then_branch; break #label; }),
            Want::Value(_) => parse_quote!({ break #label #then_branch; }),
        };
        let otherwise: Expr = match want {
            Want::Nothing => parse_quote!({ #otherwise; }),
            Want::Value(_) => parse_quote!(#otherwise),
        };
        let block: syn::ExprBlock =
            parse_quote!(#label: { if #chain { if #condition #taken } #otherwise });
        self.labelled_block(block, want)
    }

    /// A condition with `let`s in it.
    fn let_condition(&mut self, condition: Expr) -> Expr {
        match condition {
            Expr::Binary(mut e) if matches!(e.op, BinOp::And(_)) && has_let_binary(&e) => {
                *e.left = self.let_condition(*e.left);
                *e.right = self.let_condition(*e.right);
                Expr::Binary(e)
            }
            Expr::Let(_) => self.expr(condition),
            other => self.condition(other),
        }
    }

    fn graph_if(&mut self, mut e: ExprIf, want: Want<'_>) -> Expr {
        let span = e.if_token.span();
        let chooses = want.is_open() && gives_literals(&Expr::If(e.clone()));
        let exits = activity::exits(|v| syn::visit::Visit::visit_expr_if(v, &e));
        let places = activity::changes(&self.scopes, |v| {
            syn::visit::Visit::visit_block(v, &e.then_branch);
            e.else_branch
                .iter()
                .for_each(|(_, other)| syn::visit::Visit::visit_expr(v, other));
        });
        let never_ends = activity::if_diverges(&e);
        let fails = activity::may_fail(|v| syn::visit::Visit::visit_expr_if(v, &e));
        let otherwise = e.else_branch.as_ref().map(|(_, other)| &**other);
        let unset = self.unset_in(
            &places,
            &[
                Way::Block(&e.then_branch),
                otherwise.map_or(Way::Nothing, Way::Expr),
            ],
        );
        let condition = self.condition(*e.cond);
        let ident = self.fresh("if_stmt", span);
        if chooses {
            choose_end(&mut e.then_branch, &ident);
            e.else_branch
                .iter_mut()
                .for_each(|(_, other)| choose(other, &ident));
        }
        let begin = match self.escape_kind(&exits, span) {
            Some(kind) => quote_spanned!(span=> ag__::if_stmt(#condition).of(&#kind)),
            None => quote_spanned!(span=> ag__::if_stmt(#condition)),
        };
        self.enter(ident.clone(), What::Branch, Vec::new());
        let then_branch = self.branch(|lower| lower.block(e.then_branch, want));
        let otherwise = e
            .else_branch
            .map(|(_, other)| self.branch(|lower| lower.else_expr(*other, want)));
        let region = self.regions.pop().expect("entered above");
        let otherwise = match otherwise {
            Some(Expr::Block(block)) => quote_spanned!(span=> else #block),
            Some(other) => quote_spanned!(span=> else #other),
            None => TokenStream::new(),
        };
        let code = quote_spanned!(span=> if #ident.branch() #then_branch #otherwise);
        self.replayed(Replayed {
            region,
            begin,
            code,
            want,
            places,
            unset,
            leaves: !exits.is_empty() || fails,
            never_ends,
            keeps_temporaries: false,
        })
    }

    /// The loop that runs a branching construct once per branch.
    pub fn replayed(&mut self, construct: Replayed<'_>) -> Expr {
        let Replayed {
            region,
            begin,
            code,
            want,
            mut places,
            unset,
            leaves,
            never_ends,
            keeps_temporaries,
        } = construct;
        places.retain(|p| !unset.iter().any(|u| u.root == p.root));
        let (ident, span) = (&region.ident, region.ident.span());
        let (deferred, state): (Vec<Place>, Vec<Place>) =
            places.into_iter().partition(|p| self.is_uninitialized(p));
        let vars = variables(&state);
        let vars = match unset.as_slice() {
            [] => vars,
            unset => {
                let unset = unset.iter().map(unset_variable);
                quote::quote!(#(#unset,)* #vars)
            }
        };
        let takes_value = matches!(want, Want::Value(_));
        let outputs: Vec<&Expr> = deferred.iter().map(|p| &p.expr).collect();

        let value = generated("value", span);
        let bind = match &want {
            Want::Nothing => code.clone(),
            Want::Value(ty) => {
                let ty = ty
                    .filter(|ty| !super::has_infer(ty))
                    .map(|ty: &Type| quote_spanned!(span=> : #ty));
                quote_spanned!(span=> let #value #ty = #code;)
            }
        };
        let (done, leave, note) = match (takes_value, outputs.is_empty()) {
            (false, true) => (
                quote_spanned!(span=> break),
                quote_spanned!(span=> break),
                quote_spanned!(span=> #ident.graph().falls();),
            ),
            (true, true) => (
                quote_spanned!(span=> break #ident.graph().value()),
                quote_spanned!(span=> break #value),
                quote_spanned!(span=> #ident.graph().yields(#value);),
            ),
            (false, false) => (
                quote_spanned!(span=> (#(#outputs,)*) = #ident.graph().value(); break),
                quote_spanned!(span=> break),
                quote_spanned!(span=> #ident.graph().yields((#(#outputs,)*));),
            ),
            (true, false) => (
                quote_spanned!(span=> let #value; (#value, #(#outputs,)*) = #ident.graph().value(); break #value),
                quote_spanned!(span=> break #value),
                quote_spanned!(span=> #ident.graph().yields((#value, #(#outputs,)*));),
            ),
        };
        let end = match (leaves, never_ends) {
            (true, true) => self.left(ident),
            (true, false) => {
                let exit = self.propagate(ident);
                quote_spanned!(span=> #exit #done;)
            }
            (false, _) => quote_spanned!(span=> #done;),
        };
        for place in &deferred {
            let outside = self.regions.len();
            if let Some(var) = self
                .scopes
                .get_mut(&place.root)
                .filter(|v| outside <= v.depth)
            {
                var.uninitialized = false;
            }
        }
        let head = quote_spanned! {span=>
            if #ident.traced() && #ident.graph().next(&mut [#vars]) {
                #end
            }
        };
        let label = region
            .is_labelled
            .then(|| region.label.clone())
            .map(|l| quote_spanned!(span=> #l:));
        let pass = match never_ends {
            // A loop without a `break`, so that rustc knows it, too.
            true => code,
            false => quote_spanned!(span=> #bind if !#ident.traced() { #leave; } #note),
        };
        let replay = quote_spanned!(span=> #label loop { #head #pass });
        if keeps_temporaries {
            return code!(span=> match #begin { mut #ident => #replay });
        }
        code!(span=> { let mut #ident = #begin; #replay })
    }

    /// The variables without a value that one of the ways leaves without one.
    pub fn unset_in(&self, places: &[Place], ways: &[Way<'_>]) -> Vec<Place> {
        let leaves_unset = |place: &Place, way: &Way<'_>| {
            let changes = |visit: &dyn Fn(&mut activity::Changes<'_>)| {
                activity::changes(&self.scopes, |v| visit(v))
                    .iter()
                    .any(|p| p.root == place.root)
            };
            match way {
                Way::Nothing => true,
                Way::Block(block) => {
                    !activity::diverges(block)
                        && !changes(&|v| syn::visit::Visit::visit_block(v, block))
                }
                Way::Expr(expr) => {
                    !activity::expr_diverges(expr)
                        && !changes(&|v| syn::visit::Visit::visit_expr(v, expr))
                }
            }
        };
        let unset = places
            .iter()
            .filter(|p| self.is_uninitialized(p) && ways.iter().any(|way| leaves_unset(p, way)));
        unset.cloned().collect()
    }

    /// The variables that a loop changes; one without a value is refused where a tensor decides about the loop.
    pub fn loop_variables(&self, places: &[Place]) -> TokenStream {
        let (unset, set): (Vec<Place>, Vec<Place>) = places
            .iter()
            .cloned()
            .partition(|p| self.is_uninitialized(p));
        let (unset, vars) = (unset.iter().map(unset_variable), variables(&set));
        quote::quote!(#(#unset,)* #vars)
    }

    pub fn is_uninitialized(&self, place: &Place) -> bool {
        matches!(place.expr, Expr::Path(_))
            && self
                .scopes
                .get(&place.root)
                .is_some_and(|v| v.uninitialized)
    }

    /// The kind of a condition that decides about leaving loops or blocks around it: those must know it.
    pub fn escape_kind(
        &mut self,
        exits: &[activity::Exit],
        span: proc_macro2::Span,
    ) -> Option<Ident> {
        let first = self.bodies.last().map_or(0, |b| b.regions);
        let mut crossed = Vec::new();
        for exit in exits {
            for (i, region) in self.regions.iter().enumerate().skip(first).rev() {
                let is_frame = !matches!(region.what, What::Branch);
                if is_frame && !crossed.contains(&i) {
                    crossed.push(i);
                }
                if region.is_target(exit) {
                    break;
                }
            }
        }
        if crossed.is_empty() {
            return None;
        }
        let kind = self.open_kind(span);
        crossed
            .into_iter()
            .for_each(|i| self.regions[i].escapes.push(kind.clone()));
        Some(kind)
    }

    pub fn enter(&mut self, ident: Ident, what: What, places: Vec<Place>) {
        let label = Self::label(&ident);
        self.regions.push(Region {
            ident,
            label,
            is_labelled: false,
            what,
            places,
            escapes: Vec::new(),
            result: None,
        });
    }
}

/// A branching construct, lowered but for the loop around it.
pub(crate) struct Replayed<'a> {
    pub region: Region,
    /// The expression that begins it.
    pub begin: TokenStream,
    /// The `if` or `match`.
    pub code: TokenStream,
    pub want: Want<'a>,
    /// What it may change.
    pub places: Vec<Place>,
    /// Those that have no value and don't get one in every branch.
    pub unset: Vec<Place>,
    /// True if it may be left early.
    pub leaves: bool,
    /// True if every branch leaves it early.
    pub never_ends: bool,
    /// True if temporaries of `begin` live as long as the construct, as those of a `match` do.
    pub keeps_temporaries: bool,
}

/// `ag__::var("x", &mut x), …`, each on the user's own tokens.
pub(crate) fn variables(places: &[Place]) -> TokenStream {
    let vars = places.iter().map(|place| {
        let expr = &place.expr;
        let name = expr.to_token_stream().to_string().replace(' ', "");
        let name = name.trim_start_matches('*');
        // The star is often the macro's.
        let span = match expr {
            Expr::Unary(e) => e.expr.span(),
            other => other.span(),
        };
        match (place.how, expr) {
            (How::ByMethod, _) => {
                quote_spanned!(span=> ag__::receiver(#name, &mut #expr).var())
            }
            (How::ByCall, _) => quote_spanned!(span=> ag__::called(&#expr)),
            (How::Assigned, Expr::Unary(_)) => {
                quote_spanned!(span=> ag__::behind(#name, &mut #expr).var())
            }
            (How::Assigned, _) => quote_spanned!(span=> ag__::var(#name, &mut #expr)),
        }
    });
    quote::quote!(#(#vars),*)
}

/// `ag__::unset("x")`: stands for a variable without a value.
fn unset_variable(place: &Place) -> TokenStream {
    let name = &place.root;
    quote_spanned!(place.expr.span()=> ag__::unset(#name))
}

/// A way through a branching construct.
pub(crate) enum Way<'a> {
    /// An `else` that isn't there.
    Nothing,
    Block(&'a Block),
    Expr(&'a Expr),
}
