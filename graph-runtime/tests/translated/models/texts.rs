//! The model `texts`, translated from ONNX.

use graph_runtime::prelude::*;

#[graph_fn]
pub fn texts(words: Tensor<String, shape![2]>) -> (Tensor<String, shape![_]>, Tensor<i32, shape![2]>) {
    let words = words.dynamic();
    let string_upper = words.to_uppercase();
    let string_lower = words.to_lowercase();
    let string_join = strings::join([&words, &string_upper, &string_lower], "-");
    let string_strip = string_join.strip();
    let string_substr = string_join.substr(0_i32, 3_i32);
    let concat_ = concat([&string_strip, &string_substr], 0);
    let string_reduce_join = concat_.reduce_join_axis(0, " ");
    let string_split = string_reduce_join.split_string("-");
    let string_chars = words.char_count();
    let string_length = words.string_length();
    let add = &string_chars + &string_length;
    let equal = words.equal(tensor("b"));
    let cast = equal.cast::<i32>();
    let add_2 = &add + &cast;
    (string_split.with_shape::<shape![_]>(), add_2.with_shape::<shape![2]>())
}
