//! Blocks, and those with a label, which `break` can leave.

use quote::quote_spanned;
use syn::{Block, Expr, ExprBlock, Ident, Label};

use super::repeat::escapes;
use super::{Lower, Want, What, generated};
use crate::activity;

impl Lower {
    pub fn block_expr(&mut self, mut e: ExprBlock) -> Expr {
        if e.label.is_some() {
            return self.labelled_block(e, Want::Value(None));
        }
        e.block = self.block(e.block, Want::Value(None));
        Expr::Block(e)
    }

    /// A block that `break` can leave.
    pub fn labelled_block(&mut self, e: ExprBlock, want: Want<'_>) -> Expr {
        let label = e.label.clone().expect("callers ask");
        let span = label.name.span();
        let places = activity::changes(&self.scopes, |v| {
            syn::visit::Visit::visit_block(v, &e.block)
        });
        let ident = self.fresh("block_stmt", span);
        let name = label.name.ident.to_string();
        self.enter(ident.clone(), What::Block { label: name }, places);
        let last = self.regions.len() - 1;
        self.regions[last].label = label.name.clone();
        if let Want::Value(ty) = want {
            self.regions[last].result = ty.cloned();
        }
        let inner = match want {
            Want::Nothing => Want::Value(None),
            value => value,
        };
        let block = self.block(e.block, inner);
        let ty = match want {
            Want::Value(Some(ty)) if !super::has_infer(ty) => Some(quote_spanned!(span=> : #ty)),
            _ => None,
        };
        let region = self.regions.pop().expect("entered above");
        let Label { name, .. } = &label;
        if region.escapes.is_empty() {
            return self.rust_block(label, &ident, block, region.is_labelled);
        }
        let (escapes, vars) = (
            escapes(&region.escapes, span),
            self.loop_variables(&region.places),
        );
        let exit = self.propagate(&ident);
        let value = generated("value", span);
        code! {span=>
            {
                let mut #ident = ag__::block_stmt(#escapes);
                #name: loop {
                    if #ident.traced() && #ident.graph().next(&mut [#vars]) {
                        #exit
                        break #name #ident.graph().value();
                    }
                    let #value #ty = #block;
                    if !#ident.traced() { break #name #value; }
                    #ident.graph().breaks_with_here(#value, &mut [#vars]);
                }
            }
        }
    }

    /// A labelled block that no tensor decides about stays one.
    fn rust_block(&mut self, label: Label, ident: &Ident, block: Block, jumped: bool) -> Expr {
        let span = ident.span();
        if !jumped {
            return code!(span=> #label #block);
        }
        // A loop, for what is noted around a jump leads on with `continue`, as everywhere.
        let name = &label.name;
        code!(span=> { let mut #ident = ag__::block_stmt(()); #label loop { break #name #block } })
    }
}
