//! The text of arrays: as NumPy's `str` gives it, and as TensorFlow's `tf.print` does.

mod floats;
mod layout;
mod numpy;
mod tf_print;

pub use numpy::numpy;
pub use tf_print::tf_print;
