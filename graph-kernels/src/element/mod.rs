//! Functions of single values, all in one [table](table). [`elementwise`](crate::elementwise()) applies them to arrays.
//!
//! A row of the table becomes a loop over [blocks](crate::block) and a function of single values; both give the same bits.

mod convert;
pub(crate) mod function;
mod half;
mod integer;
mod symbolic;
pub(crate) mod table;

use crate::block::{Block, BlockMut, BlockRef};
use crate::dispatch::undefined;
use crate::{Array, DType, KernelError};

pub use function::ElementError;
pub use function::WordFunction;
pub(crate) use function::{BlockFunction, Entry};
pub(crate) use half::{narrow_all, widen_all};
pub use table::ElementOp;

impl ElementOp {
    /// The function for operands of the given dtypes.
    pub(crate) fn entry(self, operands: &[DType]) -> Result<&'static Entry, KernelError> {
        // The last operand's dtype selects the entry: of `Select`, that of the values.
        let Some(dtype) = operands.last() else {
            return Err(self.takes(self.arity(), 0));
        };
        let entry = self.of_dtype(*dtype);
        let entry = entry.ok_or_else(|| undefined(self.name(), *dtype))?;
        if operands.len() != entry.operands.len() {
            return Err(self.takes(entry.operands.len(), operands.len()));
        }
        match operands
            .iter()
            .zip(entry.operands)
            .find(|(is, takes)| is != takes)
        {
            None => Ok(entry),
            Some((is, takes)) => Err(KernelError::DType(format!(
                "`{}` takes an operand of {takes}, not {is}",
                self.name()
            ))),
        }
    }

    fn takes(self, takes: usize, given: usize) -> KernelError {
        let op = self.name();
        KernelError::Value(format!("`{op}` takes {takes} operands, not {given}"))
    }

    /// The conversion to a dtype; `None` for strings.
    pub fn conversion(dtype: DType) -> Option<ElementOp> {
        match dtype {
            DType::F32 => Some(ElementOp::ToF32),
            DType::F64 => Some(ElementOp::ToF64),
            DType::F16 => Some(ElementOp::ToF16),
            DType::BF16 => Some(ElementOp::ToBF16),
            DType::I32 => Some(ElementOp::ToI32),
            DType::I64 => Some(ElementOp::ToI64),
            DType::U8 => Some(ElementOp::ToU8),
            DType::I8 => Some(ElementOp::ToI8),
            DType::I16 => Some(ElementOp::ToI16),
            DType::U16 => Some(ElementOp::ToU16),
            DType::U32 => Some(ElementOp::ToU32),
            DType::U64 => Some(ElementOp::ToU64),
            DType::Bool => Some(ElementOp::ToBool),
            DType::Str => None,
        }
    }

    /// Converts the values of an array to a dtype that isn't `string`.
    pub(crate) fn convert_block(
        x: &Array,
        dtype: DType,
        mut out: BlockMut,
    ) -> Result<(), KernelError> {
        match (ElementOp::conversion(dtype), Block::of(x.buffer())) {
            (Some(op), Some(values)) => {
                let values = BlockRef::whole(&values);
                Ok((op.entry(&[x.dtype()])?.block)(&[values; 3], &mut out)?)
            }
            _ => Err(undefined("cast", x.dtype())),
        }
    }

    /// The dtype of the result for operands of the given dtypes.
    ///
    /// # Errors
    /// If the function isn't defined for them.
    ///
    /// ```
    /// # use graph_kernels::{DType, ElementOp};
    /// assert_eq!(ElementOp::Less.output(&[DType::F32; 2]), Ok(DType::Bool));
    /// assert!(ElementOp::Sqrt.output(&[DType::I32]).is_err());
    /// ```
    pub fn output(self, operands: &[DType]) -> Result<DType, KernelError> {
        self.entry(operands).map(|entry| entry.output)
    }

    /// The dtypes of the operands and of the result of the function that a dtype selects; `None` if it isn't defined for it.
    ///
    /// ```
    /// # use graph_kernels::{DType, ElementOp};
    /// let operands = [DType::Bool, DType::F32, DType::F32];
    /// assert_eq!(ElementOp::Select.signature(DType::F32), Some((&operands[..], DType::F32)));
    /// ```
    pub fn signature(self, dtype: DType) -> Option<(&'static [DType], DType)> {
        let entry = self.of_dtype(dtype)?;
        Some((entry.operands, entry.output))
    }

    /// One value. Operands and result are in the low bits of words: the bits of floats and integers, 0 or 1 for `bool`.
    /// Operands that the function doesn't take are ignored. `None` if the function isn't defined for the dtype.
    ///
    /// # Errors
    /// If the function isn't defined for the operands.
    ///
    /// ```
    /// # use graph_kernels::{DType, ElementOp};
    /// assert_eq!(ElementOp::Add.scalar(DType::I64, [2, 3, 0]), Some(Ok(5)));
    /// ```
    pub fn scalar(self, dtype: DType, operands: [u64; 3]) -> Option<Result<u64, ElementError>> {
        self.word_function(dtype).map(|function| function(operands))
    }

    /// True if the function is defined for every value of a dtype.
    ///
    /// ```
    /// # use graph_kernels::{DType, ElementOp};
    /// assert!(ElementOp::Exp.is_total(DType::F32));
    /// assert!(ElementOp::Div.is_total(DType::F32) && !ElementOp::Div.is_total(DType::I32));
    /// ```
    pub fn is_total(self, dtype: DType) -> bool {
        let entry = self.of_dtype(dtype);
        entry.is_some_and(|entry| entry.is_total)
    }

    /// Records the function that a dtype selects, for values of steps of a record. `None` if it isn't defined for the dtype, or can't be
    /// recorded.
    pub(crate) fn record(self, dtype: DType, operands: &[usize]) -> Option<usize> {
        self.recording(dtype)
            .filter(|_| operands.len() == self.arity())
            .and_then(|record| record(operands))
    }

    /// The function that [`scalar`](Self::scalar) calls, for callers that look it up once.
    pub fn word_function(self, dtype: DType) -> Option<WordFunction> {
        self.of_dtype(dtype).map(|entry| entry.word)
    }
}
