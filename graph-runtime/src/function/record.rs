//! What a call records about its arguments: their signature, and what is needed to undo a failed call. It is large, so it doesn't lie in the
//! frames of the stack, of which a recursive graph function has several a level; and it is made without an allocation, in the memory of the
//! thread's last record.

use std::cell::Cell;
use std::ops::Range;

use graph_ir::types::TypeSpec;
use smallvec::SmallVec;

use crate::signature::Signature;
use crate::trace::Parts;

/// The record of a call.
#[derive(Default)]
pub(super) struct Record {
    pub signature: Signature,
    /// The `&mut` parameters before the call, to restore them if tracing fails.
    pub originals: SmallVec<[Parts; 2]>,
    /// The words of the `&mut` parameters that Rust changes while tracing.
    pub of_rust: SmallVec<[Range<usize>; 1]>,
    /// The parameters' trace types; empty before the body is traced.
    pub types: Vec<TypeSpec>,
}

impl Record {
    /// Empties the record; what its parts have allocated stays.
    fn clear(&mut self) {
        let Record {
            signature,
            originals,
            of_rust,
            types,
        } = self;
        signature.clear();
        originals.clear();
        of_rust.clear();
        types.clear();
    }
}

/// The record of a call if it needs one: most calls without tensors don't.
#[derive(Default)]
pub(super) struct MaybeRecord(Option<Box<Record>>);

thread_local! {
    /// The memory of the last record of this thread, which is empty.
    static SPARE: Cell<Option<Box<Record>>> = const { Cell::new(None) };
}

impl MaybeRecord {
    pub fn get(&self) -> Option<&Record> {
        self.0.as_deref()
    }

    pub fn get_mut(&mut self) -> Option<&mut Record> {
        self.0.as_deref_mut()
    }

    /// The record, made if there is none.
    #[inline]
    pub fn get_or_make(&mut self) -> &mut Record {
        self.0
            .get_or_insert_with(|| SPARE.take().unwrap_or_default())
    }
}

impl Drop for MaybeRecord {
    #[inline]
    fn drop(&mut self) {
        if let Some(mut record) = self.0.take() {
            record.clear();
            // While a thread ends there is no spare.
            let _ = SPARE.try_with(|spare| spare.set(Some(record)));
        }
    }
}

#[cfg(test)]
mod tests {
    use graph_ir::types::TensorType;
    use graph_kernels::DType;

    use super::*;

    #[test]
    fn a_record_uses_the_memory_of_the_last_one_and_begins_empty() {
        let address = |record: &mut MaybeRecord| std::ptr::from_ref(record.get_or_make());
        let mut first = MaybeRecord::default();
        assert!(first.get().is_none());
        let of_first = address(&mut first);
        first
            .get_or_make()
            .types
            .push(TypeSpec::OfTensor(TensorType::scalar(DType::F32)));
        first.get_or_make().signature.passing = true;
        drop(first);
        let (mut second, mut beside) = (MaybeRecord::default(), MaybeRecord::default());
        assert_eq!(address(&mut second), of_first);
        assert_ne!(address(&mut beside), of_first);
        let record = second.get_or_make();
        assert!(record.types.is_empty() && !record.signature.passing);
    }
}
