//! The programs of single functions that are applied to large arrays. A kernel calculates as fast as machine code does, but its stores first
//! read the cache lines that they overwrite, and a large array isn't in a cache. Machine code can store past the caches. A plan has a program for
//! each function; those of functions that are applied outside of plans are here. There are few: one for each function at each dtype and each
//! choice of operands with one value.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use smallvec::SmallVec;

use super::Program;
use crate::array::same_shape;
use crate::step::{Operand, Step};
use crate::{Array, DType, ElementOp, stream};

/// A function, the dtypes of its operands, and whether each has one value.
type Key = (ElementOp, SmallVec<[(DType, bool); 3]>);

static PROGRAMS: LazyLock<RwLock<HashMap<Key, Arc<Program>>>> = LazyLock::new(RwLock::default);

/// The program of a function of these operands, if its result is stored past the caches: all operands have as many values as the result, or one.
pub(crate) fn large(op: ElementOp, output: DType, operands: &[&Array]) -> Option<Arc<Program>> {
    let largest = operands.iter().max_by_key(|x| x.len())?;
    let (len, shape) = (largest.len(), largest.shape());
    let fits = |x: &&Array| x.len() == 1 || same_shape(x.shape(), shape);
    if !stream::is_worth_it(len, output.bytes()) || !operands.iter().all(fits) {
        return None;
    }
    let kinds = operands.iter().map(|x| (x.dtype(), x.len() == 1));
    let key: Key = (op, kinds.collect());
    let known = PROGRAMS.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(program) = known.get(&key) {
        return Some(program.clone());
    }
    drop(known);
    let step = Step {
        op: op.into(),
        operands: (0..operands.len()).map(Operand::Input).collect(),
    };
    let dtypes: SmallVec<[DType; 3]> = operands.iter().map(|x| x.dtype()).collect();
    let program = Program::new(&dtypes, &[step]).ok()?;
    let mut programs = PROGRAMS.write().unwrap_or_else(PoisonError::into_inner);
    let program = programs.entry(key).or_insert_with(|| Arc::new(program));
    Some(program.clone())
}
