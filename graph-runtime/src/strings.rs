//! Functions of string tensors under the names of TensorFlow's `tf.strings`; [`Tensor<String>`](Tensor) has the same as methods.
//! `use graph_runtime::prelude::*;` imports the module: `strings::length(&x)`.

use graph_kernels::Element;

use crate::tensor::{AsOperand, IndexElement, Number, Tensor, string_join};

/// Defines one function for each method of a tensor.
macro_rules! of_methods {
    ($($name:ident $(<$($generic:ident: $bound:ident),*>)? ($x:ident: $of:ty $(, $argument:ident: $type:ty)*) -> $result:ty
        = $method:ident($($given:expr),*);)*) => { $(
        #[doc = concat!("[`Tensor::", stringify!($method), "`].")]
        #[track_caller]
        pub fn $name<S $($(, $generic: $bound)*)?>($x: &Tensor<$of, S> $(, $argument: $type)*) -> $result {
            $x.$method($($given),*)
        }
    )* };
}
of_methods! {
    length(x: String) -> Tensor<i32, S> = string_length();
    upper(x: String) -> Tensor<String, S> = to_uppercase();
    lower(x: String) -> Tensor<String, S> = to_lowercase();
    strip(x: String) -> Tensor<String, S> = strip();
    substr<I: IndexElement>(x: String, position: impl AsOperand<I>, length: impl AsOperand<I>) -> Tensor<String, S> = substr(position, length);
    split(x: String, separator: &str) -> Tensor<String> = split_string(separator);
    reduce_join(x: String) -> Tensor<String> = reduce_join("");
    to_number<T: Number>(x: String) -> Tensor<T, S> = to_number();
    as_string<T: Element>(x: T) -> Tensor<String, S> = as_string();
}

/// Joins strings elementwise, with a separator between them. (The same as [`string_join`].)
///
/// ```
/// # use graph_runtime::prelude::*;
/// let (x, y) = (tensor(["ab", "c"]), tensor(["x", ""]));
/// assert_eq!(strings::join([&x, &y], "-").to_vec(), ["ab-x", "c-"]);
/// assert_eq!(strings::upper(&x).to_vec(), ["AB", "C"]);
/// assert_eq!(strings::reduce_join(&x).item(), "abc");
/// ```
#[track_caller]
pub fn join(parts: impl IntoIterator<Item: AsOperand<String>>, separator: &str) -> Tensor<String> {
    string_join(parts, separator)
}
