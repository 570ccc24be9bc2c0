//! Arrays and lists as machine code reads and writes them.

use graph_kernels::{Array, DType, List};

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

/// A list, as [`Row`] is an array. The code changes `len` and `written`; a call for more room changes all fields.
#[repr(C)]
#[derive(Debug)]
pub struct ListRow {
    pub data: *mut u8,
    /// How many rows the list has.
    pub len: u64,
    /// For how many rows there is room.
    pub room: u64,
    /// 1 if a row was written.
    pub written: u64,
    /// The list, for calls.
    pub list: *mut List,
}

impl ListRow {
    pub const BYTES: i32 = size_of::<ListRow>() as i32;
    pub const DATA: i32 = std::mem::offset_of!(ListRow, data) as i32;
    pub const LEN: i32 = std::mem::offset_of!(ListRow, len) as i32;
    pub const ROOM: i32 = std::mem::offset_of!(ListRow, room) as i32;
    pub const WRITTEN: i32 = std::mem::offset_of!(ListRow, written) as i32;
}
