//! Arrays as machine code reads them.

use graph_kernels::{Array, DType};

/// An array of which values are read by their positions along its first axis. The code knows the order of the fields and their sizes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub data: *const u8,
    /// The size of the first axis.
    pub len: u64,
    /// The number of values at each position: 1 for a vector.
    pub values: u64,
}

impl Row {
    /// The bytes of a row.
    pub const BYTES: i32 = size_of::<Row>() as i32;
    /// Where the length is in a row.
    pub const LEN: i32 = std::mem::offset_of!(Row, len) as i32;
    /// Where the number of values is in a row.
    pub const VALUES: i32 = std::mem::offset_of!(Row, values) as i32;

    /// `None` if the array has no axis, another dtype than this, or no values at a position.
    pub fn of(array: &Array, dtype: DType) -> Option<Row> {
        let (len, rest) = array.shape().split_first()?;
        let values: usize = rest.iter().product();
        Some(Row {
            data: array.bytes()?.as_ptr(),
            len: *len as u64,
            values: values as u64,
        })
        .filter(|_| array.dtype() == dtype && values > 0)
    }
}
