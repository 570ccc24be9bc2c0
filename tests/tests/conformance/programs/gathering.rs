//! Rows collected one by one: families tensorarray, higher_order, python_lists.

use graph_runtime::prelude::*;

use crate::harness::functions;

type Int = Tensor<i32>;
type Float = Tensor<f32>;
type Text = Tensor<String>;

#[graph_fn]
fn ta_write_stack(n: Int) -> (Int, Int) {
    let mut ta = TensorArray::new(&n);
    for i in 0..n {
        ta = ta.write(&i, &i * &i);
    }
    (ta.stack(), ta.size())
}

#[graph_fn]
fn ta_unwritten_elements_zero(i: Int) -> Float {
    let mut ta = TensorArray::new(4).element_shape(&[2]);
    ta = ta.write(i, tensor([1.0, 2.0]));
    ta.stack()
}

#[graph_fn]
fn ta_rows_vector_elements(n: Int) -> Float {
    let mut ta = TensorArray::new(&n);
    let mut row = tensor([1.0, 2.0]);
    for i in 0..n {
        ta = ta.write(i, &row);
        row = row * 2.0;
    }
    ta.stack()
}

#[graph_fn]
fn ta_out_of_bounds_write(i: Int) -> Int {
    let mut ta = TensorArray::new(2).element_shape(&[]);
    ta = ta.write(i, 7);
    ta.stack()
}

#[graph_fn]
fn ta_fibonacci_reads_itself(n: Int) -> Int {
    let mut ta = TensorArray::new(&n).write(0, 1).write(1, 1);
    for i in 2..n {
        let next = ta.read(&i - 1) + ta.read(&i - 2);
        ta = ta.write(i, next);
    }
    ta.stack()
}

#[graph_fn]
fn map_fn_empty(v: Int) -> Float {
    map_fn(|e| e.cast::<f32>() * 0.5, &v)
}

#[graph_fn]
fn ragged_free_string_loop(words: Text) -> (Text, Int, Text) {
    let mut n = tensor(0);
    let mut longest: Text = tensor("");
    for w in &words {
        if w.string_length() > longest.string_length() {
            longest = w.clone();
        }
        if w == "z" {
            n += 1;
        }
    }
    (longest, n, words.reduce_join(","))
}

functions! {
    ta_write_stack(n);
    ta_unwritten_elements_zero(i);
    ta_rows_vector_elements(n);
    ta_out_of_bounds_write(i);
    ta_fibonacci_reads_itself(n);
    map_fn_empty(v);
    ragged_free_string_loop(words);
}
