//! At each call, errors say the same: what is wrong, on which line, and in which branches and loops.

use graph_runtime::prelude::*;
use graph_runtime::{Error, collect_prints};

use crate::{CALLS, numbers};

/// Checks that the error is the same at each call.
fn always(call: impl Fn() -> Result<Tensor<f32>, Error>) -> Error {
    let first = call().expect_err("it can't be right");
    for _ in 0..CALLS {
        let error = call().expect_err("it can't be right");
        assert_eq!(error.to_string(), first.to_string());
        assert_eq!(error.location(), first.location());
        assert_eq!(error.around(), first.around());
    }
    first
}

const PRODUCT: u32 = line!() + 3;
#[graph_fn(input_signature = [f32[_, _], f32[_, _]])]
fn product(x: Tensor<f32>, y: Tensor<f32>) -> Result<Tensor<f32>, Error> {
    Ok(matmul(&x, &y) + 1.0)
}

#[test]
fn sizes_that_do_not_fit() {
    let of = |n: usize| product(numbers(&[2, 3]), numbers(&[n, 2]));
    assert_eq!(always(|| of(4)).location().line, PRODUCT);
    // Only these sizes give an error.
    assert!(of(3).is_ok() && of(3).is_ok());
    let concrete = &product::function().concrete_functions()[0];
    assert_eq!(concrete.sized_plans().len(), 1);
    assert_eq!(product::function().trace_count(), 1);
}

#[graph_fn(input_signature = [f32[_, _], f32[3, 2]])]
fn one_branch(x: Tensor<f32>, w: Tensor<f32>) -> Result<Tensor<f32>, Error> {
    let columns = x.shape_tensor().get(1);
    let centred = &x - x.mean_axes(&[1], true);
    let mut sum = (&centred * centred.square().mean_axes(&[1], true)).sum();
    if columns == 3 {
        sum += matmul(&x, &w).sum();
    }
    Ok(sum)
}

#[test]
fn a_branch_that_is_not_taken_may_be_wrong() {
    for columns in [3, 4] {
        let x = numbers(&[5, columns]);
        let call = || one_branch(x.clone(), numbers(&[3, 2])).map(|y| y.to_vec());
        let first = call().unwrap();
        for _ in 0..CALLS {
            assert_eq!(call().unwrap(), first);
        }
    }
    let concrete = &one_branch::function().concrete_functions()[0];
    let plans = concrete.sized_plans();
    assert_eq!(plans.len(), 2);
    assert!(
        plans.iter().all(|p| p.scopes.is_empty()),
        "the branch is decided"
    );
}

#[graph_fn(input_signature = [f32[_], i32[]])]
fn within(x: Tensor<f32>, i: Tensor<i32>) -> Result<Tensor<f32>, Error> {
    let mut sum = tensor(0.0);
    if x.len_tensor() > 2 {
        let mut at = i.clone();
        while at >= 0 {
            sum += x[&at + 2];
            at -= 1;
        }
    }
    Ok(sum)
}

#[test]
fn what_is_around_an_error() {
    let error = always(|| within(numbers(&[4]), tensor(2)));
    assert_eq!(error.around().len(), 2, "{error}");
    assert_eq!(
        within::function().concrete_functions()[0]
            .sized_plans()
            .len(),
        1
    );
    assert!(within(numbers(&[4]), tensor(1)).is_ok());
}

#[graph_fn(input_signature = [f32[_]])]
fn asserting(x: Tensor<f32>) -> Result<Tensor<f32>, Error> {
    graph_print!("begin");
    let sum = x.sum();
    assert!(&sum < 1.0, "the sum of {} is {}", x.len_tensor(), &sum);
    graph_print!("end");
    Ok(sum)
}

#[test]
fn effects_before_an_error_happen_once() {
    let call = |x: [f32; 2]| collect_prints(|| asserting(tensor(x)));
    let first = call([1.0, 1.0]);
    assert_eq!(first.1, ["begin"]);
    let message = first.0.unwrap_err().to_string();
    for _ in 0..CALLS {
        let (result, lines) = call([1.0, 1.0]);
        assert_eq!(lines, ["begin"]);
        assert_eq!(result.unwrap_err().to_string(), message);
        assert_eq!(call([0.0, 0.5]).1, ["begin", "end"]);
    }
}

#[graph_fn(input_signature = [f32[_, _], f32[_, _]])]
fn flat(x: Tensor<f32>, y: Tensor<f32>) -> Result<Tensor<f32>, Error> {
    Ok(matmul(&x, &y) + 1.0)
}

#[test]
fn wrong_tensors_of_a_flat_call() {
    let concrete = flat::concrete(numbers(&[2, 2]), numbers(&[2, 2])).unwrap();
    let (x, wrong) = (numbers(&[2, 2]), tensor([[1, 2], [3, 4]]));
    type Flat = Result<Tensor<f32>, Error>;
    let call = |tensors: &[&graph_runtime::tensor::AnyTensor]| concrete.call_flat::<Flat>(tensors);
    let right = [x.as_any(), x.as_any()];
    for _ in 0..CALLS {
        assert!(call(&[x.as_any(), wrong.as_any()]).is_err());
    }
    for _ in 0..CALLS {
        assert!(call(&right).is_ok());
        let message = call(&[x.as_any(), wrong.as_any()]).unwrap_err().to_string();
        assert!(message.contains("Can not cast"), "{message}");
        let message = call(&[x.as_any()]).unwrap_err().to_string();
        assert!(message.contains("the number of tensors"), "{message}");
    }
    assert_eq!(concrete.sized_plans().len(), 1);
}

const ROWS: u32 = line!() + 3;
#[graph_fn(input_signature = [f32[_, 3]])]
fn mean_of_rows(x: Tensor<f32>) -> Result<Tensor<f32>, Error> {
    Ok(x.sum_axis(0) / x.shape()[0] as f32)
}

#[graph_fn(input_signature = [f32[_, 3]])]
fn two_rows(x: Tensor<f32>) -> Result<Tensor<f32>, Error> {
    Ok(if x.len() == 2 { x } else { x * 2.0 })
}

#[graph_fn(input_signature = [f32[_, 3]])]
fn columns(x: Tensor<f32>) -> Result<Tensor<f32>, Error> {
    assert!(x.shape() != [2, 3] && x.shape().get(0).is_none());
    Ok(&x / x.shape()[1] as f32 / *x.shape().last().unwrap() as f32)
}

#[test]
fn rust_code_that_asks_for_an_open_size_is_told_so() {
    let x = numbers(&[2, 3]);
    let error = always(|| mean_of_rows(x.clone()));
    let says = "the size of axis 0 of a tensor of shape [?,3] is not known while tracing; `shape_tensor()` gives it when run; `x` came in with shape [?,3]";
    assert_eq!((error.message(), error.location().line), (says, ROWS));
    assert_eq!(always(|| two_rows(x.clone())).message(), says);
    assert!(columns(x).is_ok(), "what is known can be asked for");
}

const RANGE: u32 = line!() + 3;
#[graph_fn]
fn rows_of_a_range(x: Tensor<f32>, n: Tensor<i32>) -> Result<Tensor<f32>, Error> {
    let rows = x.gather(range(0, n, 1));
    let shifted = if rows.sum() > 0.0 { rows * 2.0 } else { rows };
    let half = shifted.shape()[0] / 2;
    Ok(shifted.get(..half))
}

#[test]
fn what_made_a_size_unknown_is_named_with_its_line() {
    let error = always(|| rows_of_a_range(numbers(&[4, 3]), tensor(2)));
    let end =
        format!("it is unknown since `range` at graph-runtime/tests/sizes/errors.rs:{RANGE}:");
    assert!(error.message().contains(&end), "{error}");
    assert_eq!(error.location().line, RANGE + 2);
}

#[graph_fn]
fn positions(x: Tensor<f32>) -> Result<Tensor<f32>, Error> {
    let n = range(0, 33, 1).shape()[0];
    let tenths = range(1.0f32, 2.0, 0.1).shape()[0];
    let small = range(9u8, 2, 0).shape().get(0).is_none();
    let none = range(3i64, 0, 1).len();
    assert_eq!((n, tenths, small, none), (33, 10, true, 0));
    Ok(x + range(5.0, 0.0, -2.0))
}

#[test]
fn a_range_of_rust_numbers_has_its_size_in_a_graph() {
    let sum = positions(tensor([0.5, 0.5, 0.5])).expect("three numbers");
    assert_eq!(sum.to_vec(), [5.5, 3.5, 1.5]);
    assert_eq!(range(1.0f32, 2.0, 0.1).len(), 10, "as it is eagerly");
}
