//! Blocks, and blocks with a label, which `break` can leave.

use syn::{Expr, ExprBlock};

use super::{Collector, Want};
use crate::activity;
use crate::syntax::{Construct, Labelled, What};

impl Collector {
    pub fn block_expr(&mut self, mut e: ExprBlock) -> Expr {
        if e.label.is_some() {
            return self.labelled_block(e, Want::Value(None));
        }
        e.block = self.block(e.block, Want::Value(None));
        Expr::Block(e)
    }

    /// A block with a label.
    pub fn labelled_block(&mut self, e: ExprBlock, want: Want<'_>) -> Expr {
        let label = e.label.clone().expect("callers ask");
        let span = label.name.span();
        let places = activity::changes(&self.scopes, |v| {
            syn::visit::Visit::visit_block(v, &e.block)
        });
        let name = label.name.ident.to_string();
        let id = self.flow("block_stmt", span, What::Block { label: name });
        self.enter(id, places);
        self.tree[id].label = label.name;
        if let (Want::Value(ty), Some(around)) = (want, self.flows.last_mut()) {
            around.result = ty.cloned();
        }
        let inner = match want {
            Want::Nothing => Want::Value(None),
            value => value,
        };
        let block = self.block(e.block, inner);
        let around = self.flows.pop().expect("entered above");
        let carried = self.loop_variables(&around.places);
        let escapes = !self.tree[id].escapes.is_empty();
        let labelled = Labelled {
            flow: id,
            block,
            gives: want.gives(),
            carried,
            way_out: escapes.then(|| self.way_out()),
        };
        self.construct(span, Construct::Block(labelled))
    }
}
