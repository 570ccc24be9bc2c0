//! Steps that the machine code of a loop calls as functions over bytes: they are kernels, which gain nothing by being code of the loop.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::block::{Block, BlockMut, BlockRef};
use crate::codegen::LoopFunction;
use crate::matmul::{BoundProduct, Finish};
use crate::reduce::{Reducer, reduce_rows};
use crate::{DType, Program};

/// Reduces rows of `len` values each.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReduceRows {
    pub reducer: &'static Reducer,
    pub len: usize,
}

impl ReduceRows {
    pub fn write(&self, values: Block, out: &mut BlockMut) {
        reduce_rows(self.reducer, &BlockRef::whole(&values), self.len, out);
    }
}

impl LoopFunction for ReduceRows {
    fn run(&self, operands: &[&[u8]], out: &mut [u8]) -> bool {
        let dtype = self.reducer.takes;
        let ([values], Some(mut out)) = (operands, BlockMut::of_bytes(dtype, out)) else {
            return false;
        };
        let values = Block::of_bytes(dtype, values);
        values.map(|values| self.write(values, &mut out)).is_some()
    }
}

/// A product of two matrices, and perhaps a chain in place behind it, whose other inputs are the operands behind the first two.
#[derive(Debug)]
pub(super) struct ProductThen {
    pub product: BoundProduct,
    pub dtype: DType,
    pub program: Option<Arc<Program>>,
}

impl LoopFunction for ProductThen {
    fn run(&self, operands: &[&[u8]], out: &mut [u8]) -> bool {
        let ([a, b, others @ ..], Some(mut out)) = (operands, BlockMut::of_bytes(self.dtype, out))
        else {
            return false;
        };
        let [Some(a), Some(b)] = [a, b].map(|bytes| Block::of_bytes(self.dtype, bytes)) else {
            return false;
        };
        let Some(program) = &self.program else {
            self.product.run([a, b], &mut out, &Finish::NOTHING);
            return true;
        };
        let mut values: SmallVec<[Option<Block>; 8]> = SmallVec::new();
        values.push(None);
        for (n, bytes) in others.iter().enumerate() {
            let block = program
                .input(n + 1)
                .and_then(|dtype| Block::of_bytes(dtype, bytes));
            if block.is_none() {
                return false;
            }
            values.push(block);
        }
        program.behind(&values, |sums, part| {
            self.product.run([a, b], &mut out, &Finish::new(sums, part));
            Ok(())
        })
    }
}
