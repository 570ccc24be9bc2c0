//! Errors leave variables unchanged: values that don't fit, errors while tracing, and errors in a run.

use std::panic::{AssertUnwindSafe, catch_unwind};

use graph_runtime::Error;
use graph_runtime::prelude::*;

/// The text of the panic of `f`.
fn panic_text<R>(f: impl FnOnce() -> R) -> String {
    let payload = catch_unwind(AssertUnwindSafe(f)).err().expect("a panic");
    payload
        .downcast_ref::<String>()
        .cloned()
        .unwrap_or_default()
}

#[graph_fn]
fn assigns(v: &Variable<f32>, x: Tensor<f32>) -> Result<(), Error> {
    v.assign_add(1.0);
    v.assign(x);
    Ok(())
}

const MISMATCH: &str = "Cannot assign value to variable 'Variable': Shape mismatch. The variable shape [2], and the assigned value \
                        shape [3] are incompatible.";

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let v = Variable::new(tensor([1.0, 2.0]));
    let text = panic_text(|| v.assign(tensor([1.0, 2.0, 3.0])));
    assert!(text.starts_with(MISMATCH), "{text}");
    // A graph finds the error while tracing, so that not even the assignment before it happens.
    let error = assigns(&v, tensor([1.0, 2.0, 3.0])).unwrap_err();
    assert_eq!(error.message(), MISMATCH);
    assert_eq!(v.read().to_vec(), [1.0, 2.0]);
    let text = panic_text(|| v.assign_add(tensor([[1.0], [2.0]])));
    assert!(
        text.contains("variable shape [2], and the assigned value shape [2,2]"),
        "{text}"
    );
    let text = panic_text(|| v.assign_sub(tensor([1.0, 2.0, 3.0])));
    assert!(text.contains("sub"), "{text}");
    assert_eq!(v.read().to_vec(), [1.0, 2.0]);
    assert!(assigns(&v, tensor([3.0, 4.0])).is_ok());
    assert_eq!(v.read().to_vec(), [3.0, 4.0]);
}

#[graph_fn]
fn of_unknown_size(v: &Variable<f32>, x: Tensor<f32>) -> Result<(), Error> {
    let x = x.relax_shape(&[None]);
    v.assign_add(1.0);
    v.assign(&x * 2.0);
    v.assign_add(x);
    Ok(())
}

#[test]
fn shapes_that_only_a_run_knows_are_checked_there() {
    let v = Variable::new(tensor([1.0, 2.0]));
    let error = of_unknown_size(&v, tensor([1.0, 2.0, 3.0])).unwrap_err();
    assert_eq!(error.message(), MISMATCH);
    // Earlier assignments stay, as in TensorFlow.
    assert_eq!(v.read().to_vec(), [2.0, 3.0]);
    assert!(of_unknown_size(&v, tensor([1.0, 2.0])).is_ok());
    assert_eq!(v.read().to_vec(), [3.0, 6.0]);
}

#[graph_fn]
fn scatters(v: &Variable<i32>, rows: Tensor<i32>) -> Result<(), Error> {
    v.assign_add(1);
    v.scatter_add(&rows, tensor([10, 20]));
    Ok(())
}

#[test]
fn a_failing_update_in_place_changes_nothing() {
    let v = Variable::new(tensor([1, 2, 3]));
    let error = scatters(&v, tensor([[1], [7]])).unwrap_err();
    let message = "indices[1] = [7] does not index into shape [3]";
    assert!(error.message().contains(message), "{error}");
    assert_eq!(v.read().to_vec(), [2, 3, 4]);
    scatters(&v, tensor([[1], [2]])).unwrap();
    assert_eq!(v.read().to_vec(), [3, 14, 25]);
    let text = panic_text(|| v.scatter_sub(tensor([[1], [7]]), tensor([10, 20])));
    assert!(text.contains(message), "{text}");
    assert_eq!(v.read().to_vec(), [3, 14, 25]);
}

#[graph_fn]
fn divides(v: &Variable<i32>, x: Tensor<i32>) -> Result<(), Error> {
    v.assign(v / x);
    Ok(())
}

#[test]
fn a_failing_chain_changes_nothing() {
    let v = Variable::new(tensor([10, 20, 30]));
    for _ in 0..2 {
        let error = divides(&v, tensor([1, 2, 0])).unwrap_err();
        assert!(error.message().contains("division by zero"), "{error}");
        assert_eq!(v.read().to_vec(), [10, 20, 30]);
    }
    divides(&v, tensor([1, 2, 3])).unwrap();
    assert_eq!(v.read().to_vec(), [10, 10, 10]);
}

#[graph_fn]
fn fails_while_traced(v: &Variable<f32>, x: Tensor<f32>) -> Result<Tensor<f32>, Error> {
    v.assign(5.0);
    let y = matmul(&x, &x);
    v.assign(6.0);
    Ok(y)
}

#[test]
fn an_error_while_tracing_changes_no_variable() {
    let v = Variable::new(tensor(1.0));
    assert!(fails_while_traced(&v, tensor([[1.0, 2.0]])).is_err());
    assert_eq!(v.item(), 1.0);
    assert!(fails_while_traced(&v, tensor([[2.0]])).is_ok());
    assert_eq!(v.item(), 6.0);
}
