//! The text of arrays in the style of NumPy's `str` and of TensorFlow's `tf.print`, and of numbers in that of `as_string`.

mod as_string;
mod floats;
mod layout;
mod numpy;
mod spec;
mod tf_print;

use crate::{Buffer, Element};

/// The text of an integer in a buffer; empty for other dtypes.
fn integer(buffer: &Buffer, at: usize) -> String {
    fn text<T: Element + ToString>(buffer: &Buffer, at: usize) -> String {
        let value = T::of(buffer).and_then(|values| values.get(at));
        value.map_or_else(String::new, T::to_string)
    }
    match buffer {
        Buffer::I32(_) => text::<i32>(buffer, at),
        Buffer::I64(_) => text::<i64>(buffer, at),
        Buffer::U8(_) => text::<u8>(buffer, at),
        Buffer::I8(_) => text::<i8>(buffer, at),
        Buffer::I16(_) => text::<i16>(buffer, at),
        Buffer::U16(_) => text::<u16>(buffer, at),
        Buffer::U32(_) => text::<u32>(buffer, at),
        Buffer::U64(_) => text::<u64>(buffer, at),
        _ => String::new(),
    }
}

pub use as_string::{NumberFormat, as_string};
pub use numpy::numpy;
pub use spec::Spec;
pub use tf_print::tf_print;
