//! Rust code runs while tracing: once, in all branches and bodies, whatever the graph does later.

use std::cell::RefCell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI32, Ordering};

use graph_runtime::Error;
use graph_runtime::prelude::*;

static SEEN: AtomicI32 = AtomicI32::new(0);

thread_local! {
    static PLACES: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

fn see(place: &'static str) {
    PLACES.with_borrow_mut(|places| places.push(place));
}

#[graph_fn]
fn looks_around(x: Tensor<i32>) -> Tensor<i32> {
    let mut y = x.clone();
    if x > 0 {
        SEEN.fetch_add(1, Ordering::Relaxed);
        see("then");
        y += 1;
    } else {
        SEEN.fetch_add(10, Ordering::Relaxed);
        see("else");
    }
    for _ in 0..x {
        SEEN.fetch_add(100, Ordering::Relaxed);
        see("body");
    }
    y
}

#[test]
fn rust_state_changes_once_while_tracing() {
    for x in [3, 0, -2, 5] {
        looks_around(tensor(x));
        assert_eq!(SEEN.load(Ordering::Relaxed), 111);
    }
    assert_eq!(PLACES.take(), ["then", "else", "body"]);
    looks_around(tensor(3));
    assert!(PLACES.take().is_empty());
}

static FACTOR: AtomicI32 = AtomicI32::new(2);
static LIST: Mutex<Vec<i32>> = Mutex::new(Vec::new());

#[graph_fn]
fn scaled(x: Tensor<i32>) -> Tensor<i32> {
    LIST.lock().unwrap().push(1);
    x * FACTOR.load(Ordering::Relaxed) + LIST.lock().unwrap().len() as i32
}

#[test]
fn rust_values_are_what_they_were_while_tracing() {
    assert_eq!(scaled(tensor(10)).item(), 21);
    FACTOR.store(7, Ordering::Relaxed);
    assert_eq!(scaled(tensor(10)).item(), 21);
    // For another signature the function is traced now, with the current value.
    assert_eq!(scaled(tensor([10])).to_vec(), [72]);
    assert_eq!(scaled(tensor(1)).item(), 3);
}

#[graph_fn]
fn collects(n: Tensor<i32>) -> Result<Tensor<i32>, Error> {
    let mut squares = vec![tensor(0)];
    for i in 0..n {
        squares.push(i * i);
    }
    Ok(stack(&squares, 0))
}

#[graph_fn]
fn collects_in_a_branch(x: Tensor<i32>) -> Result<Tensor<i32>, Error> {
    let mut parts = vec![x.clone()];
    if x > 0 {
        parts.push(x);
    }
    Ok(stack(&parts, 0))
}

#[test]
fn a_list_does_not_grow_while_a_graph_runs() {
    for error in [
        collects(tensor(3)).unwrap_err(),
        collects_in_a_branch(tensor(3)).unwrap_err(),
    ] {
        let text = error.message();
        assert!(
            text.starts_with("'squares' ") || text.starts_with("'parts' "),
            "{text}"
        );
        assert!(
            text.ends_with("A list that grows while the graph runs is a `TensorArray`"),
            "{text}"
        );
    }
}

#[graph_fn]
fn collects_in_an_array(n: Tensor<i32>) -> Tensor<i32> {
    let mut squares = TensorArray::dynamic();
    for i in 0..n {
        squares = squares.write(&i, i * i);
    }
    squares.stack()
}

#[test]
fn a_tensor_array_does() {
    assert_eq!(collects_in_an_array(tensor(4)).to_vec(), [0, 1, 4, 9]);
}
