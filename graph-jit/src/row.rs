//! Arrays as machine code reads them.

use graph_kernels::{Array, DType};

/// A vector of which values are read. The code knows the order of the fields and their sizes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub data: *const u8,
    pub len: u64,
}

impl Row {
    /// The bytes of a row.
    pub const BYTES: i32 = size_of::<Row>() as i32;
    /// Where the length is in a row.
    pub const LEN: i32 = std::mem::offset_of!(Row, len) as i32;

    /// `None` if the array isn't a vector of this dtype.
    pub fn of(array: &Array, dtype: DType) -> Option<Row> {
        match array.shape() {
            [len] if array.dtype() == dtype => Some(Row {
                data: array.bytes()?.as_ptr(),
                len: *len as u64,
            }),
            _ => None,
        }
    }
}
