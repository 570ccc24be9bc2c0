//! The text of arrays: as NumPy's `str` gives it, and as TensorFlow's `tf.print` does; and of numbers, as `as_string` does.

mod as_string;
mod floats;
mod layout;
mod numpy;
mod tf_print;

pub use as_string::{NumberFormat, as_string};
pub use numpy::numpy;
pub use tf_print::tf_print;
