//! Calls of functions without tensors need no signature, until a body meets a tensor or variable.

use graph_runtime::prelude::*;
use graph_runtime::{Argument, Nest};

static STATE: std::sync::LazyLock<Variable<i32>> =
    std::sync::LazyLock::new(|| Variable::new(tensor(0)));

/// Uses a variable only if the text is long.
#[graph_fn]
fn long_texts(text: &str, seen: &mut Vec<usize>) -> usize {
    if text.len() > 3 {
        STATE.assign_add(1);
    }
    seen.push(text.len());
    text.len()
}

#[test]
fn a_call_that_meets_a_tensor_after_plain_ones() {
    let mut seen = vec![];
    for text in ["a", "ab", "abcd", "abcd", "abcde", "abcd"] {
        assert_eq!(long_texts(text, &mut seen), text.len());
    }
    assert_eq!(seen, [1, 2, 4, 4, 5, 4]);
    assert_eq!(STATE.read().item(), 4);
    // The first call that met the variable had no signature, so its trace wasn't kept.
    assert_eq!(long_texts::function().concrete_functions().len(), 3);
}

#[graph_fn]
fn twice<T: Argument + Nest + Clone + std::ops::Add<Output = T>>(name: &str, x: T) -> T {
    assert!(!name.is_empty());
    x.clone() + x
}

#[test]
fn a_generic_function_that_is_called_with_a_tensor_after_plain_values() {
    assert_eq!(twice("a", 1), 2);
    assert_eq!(twice("a", 2.5), 5.0);
    assert_eq!(twice::function().trace_count(), 0);
    for _ in 0..3 {
        assert_eq!(twice("a", tensor([1, 2])).to_vec(), [2, 4]);
        assert_eq!(twice("a", tensor(1.5)).item(), 3.0);
        assert_eq!(twice("b", 7), 14);
    }
    // The first call with a tensor had no signature, so its trace wasn't kept. Later calls made one trace for each type.
    assert_eq!(twice::function().trace_count(), 3);
    assert_eq!(twice::function().concrete_functions().len(), 2);
}
