//! A matrix product in a [bound loop](crate::BoundLoop): its sizes are compared before the first iteration.

use super::{Finish, Layout, Product};
use crate::Array;
use crate::block::{Block, BlockMut};

/// A product of two matrices, whose sizes are known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundProduct(Product<'static>);

impl BoundProduct {
    /// The product of these arrays. `None` if they aren't two matrices that fit each other, if their dtype isn't one that products are
    /// calculated in, or if the result doesn't have the shape and dtype of `out`.
    pub fn new(a: &Array, b: &Array, transposed: [bool; 2], out: &Array) -> Option<BoundProduct> {
        let product = Product::new(a.shape(), b.shape(), transposed).ok()?;
        let [(m, _), (_, n)] = product.layouts.map(Layout::read);
        let dtype = out.dtype();
        let fits = product.batches.iter().all(|batch| batch.is_empty())
            && dtype.is_calculated_with()
            && [a, b].iter().all(|operand| operand.dtype() == dtype)
            && out.shape() == [m, n];
        fits.then_some(BoundProduct(Product {
            layouts: product.layouts,
            batches: [&[]; 2],
            packed: None,
        }))
    }

    /// Writes the product, and finishes it as it is told.
    #[inline]
    pub fn run(&self, operands: [Block; 2], out: &mut BlockMut, finish: &Finish) {
        match (operands, out) {
            ([Block::F32(a), Block::F32(b)], BlockMut::F32(out)) => self.0.run(a, b, out, finish),
            ([Block::F64(a), Block::F64(b)], BlockMut::F64(out)) => self.0.run(a, b, out, finish),
            ([Block::I32(a), Block::I32(b)], BlockMut::I32(out)) => self.0.run(a, b, out, finish),
            ([Block::I64(a), Block::I64(b)], BlockMut::I64(out)) => self.0.run(a, b, out, finish),
            _ => unreachable!("a bound product has the dtypes that were compared"),
        }
    }
}
