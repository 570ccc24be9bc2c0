//! "Understanding TensorFlow's @tf.function decorator".

use std::sync::atomic::{AtomicI32, Ordering};

use graph_runtime::Error;
use graph_runtime::prelude::*;

use crate::{host_print, in_each_way, prints, traced};

fn matrix(rows: usize, columns: usize) -> Tensor<f32> {
    let value = |k: usize| ((k * 37 + 11) % 200) as f32 / 100.0 - 1.0;
    Tensor::from_vec(&[rows, columns], (0..rows * columns).map(value).collect()).unwrap()
}

fn some_costly_computation(x: Tensor<f32>) -> Tensor<f32> {
    let mut aux = eye::<f32>(100);
    let mut result = zeros::<f32>(&[100]);
    for i in 1..100 {
        aux = matmul(&x, aux) / i as f32;
        result += &aux;
    }
    result
}

#[graph_fn]
fn quick_computation(x: Tensor<f32>) -> Tensor<f32> {
    host_print("Only prints the first time!");
    graph_print!("Prints every time!");
    let mut aux = eye::<f32>(100);
    let mut result = zeros::<f32>(&[100]);
    for i in 1..100 {
        aux = matmul(&x, aux) / i as f32;
        result = result + aux;
    }
    result
}

/// The same loop under a tensor condition: one `while_loop` instead of 99 copies of the body.
#[graph_fn]
fn looped_computation(x: Tensor<f32>, n: Tensor<i32>) -> Tensor<f32> {
    let mut aux = eye::<f32>(100);
    let mut result = zeros::<f32>(&[100, 100]);
    for i in 1..n {
        aux = matmul(&x, aux) / i.cast::<f32>();
        result = result + aux;
    }
    result
}

#[test]
fn quick_computation_gives_the_same_and_prints() {
    let x = matrix(100, 100) * 0.05;
    let expected = some_costly_computation(x.clone()).to_vec();
    traced(|| {
        let (host, graph) = prints(|| {
            assert_eq!(quick_computation(x.clone()).to_vec(), expected);
            assert_eq!(quick_computation(x.clone()).to_vec(), expected);
        });
        assert_eq!(host, ["Only prints the first time!"]);
        assert_eq!(graph, ["Prints every time!", "Prints every time!"]);
    });
    in_each_way(|| {
        assert_eq!(
            looped_computation(x.clone(), tensor(100)).to_vec(),
            expected
        )
    });
}

#[graph_fn]
fn function_with_for(x: Tensor<f32>) -> Tensor<f32> {
    let mut summ = tensor(0.0);
    for row in x {
        summ = summ + row.mean();
    }
    summ
}

#[graph_fn]
fn vectorized_function(x: Tensor<f32>) -> Tensor<f32> {
    let result = x.mean_axis(0);
    result.sum()
}

/// In the document, the results of the two functions differ in the last digit.
#[test]
fn rows_one_by_one_and_at_once() {
    let x = matrix(100, 100);
    let exact: f64 = x.to_vec().iter().map(|v| f64::from(*v)).sum::<f64>() / 100.0;
    in_each_way(|| {
        for sum in [function_with_for(x.clone()), vectorized_function(x.clone())] {
            assert!(
                (f64::from(sum.item()) - exact).abs() < 1e-4,
                "{sum} is not {exact}"
            );
        }
    });
}

static Y: AtomicI32 = AtomicI32::new(2);

#[graph_fn]
fn power(x: Tensor<f32>) -> Tensor<f32> {
    x.pow(Y.load(Ordering::Relaxed) as f32)
}

#[graph_fn]
fn power_of(x: Tensor<f32>, y: Tensor<f32>) -> Tensor<f32> {
    x.pow(y)
}

/// A value that a function reads from outside is frozen while tracing; an argument isn't.
#[test]
fn values_from_outside_are_frozen() {
    traced(|| {
        assert_eq!(power(tensor(2.0)).item(), 4.0);
        Y.store(3, Ordering::Relaxed);
        assert_eq!(power(tensor(2.0)).item(), 4.0);
        assert_eq!(power_of(tensor(2.0), tensor(2.0)).item(), 4.0);
        assert_eq!(power_of(tensor(2.0), tensor(3.0)).item(), 8.0);
        assert_eq!(power_of::function().trace_count(), 1);
    });
}

/// In Rust, the document's type error is an error of the compiler; it is solved in the same way.
#[test]
fn dtypes_are_cast() {
    #[graph_fn]
    fn z(x: Tensor<f32>, y: Tensor<i32>) {
        graph_print!("{}", x + y.cast::<f32>());
    }
    in_each_way(|| assert_eq!(prints(|| z(tensor(1.0), tensor(1))).1, ["2"]));
}

#[graph_fn]
fn mismatched(x: Tensor<f32>, y: Tensor<f32>) -> Result<Tensor<f32>, Error> {
    let z = matmul(x, y);
    Ok(z)
}

/// The document: "Matrix size-incompatible: In[0]: [100,100], In[1]: [1,100]".
#[test]
fn shapes_that_do_not_fit_are_named() {
    in_each_way(|| {
        let error = mismatched(matrix(100, 100), matrix(1, 100)).unwrap_err();
        assert!(
            error.message().contains("[100,100]") && error.message().contains("[1,100]"),
            "{error}"
        );
        assert!(error.location().file.ends_with("blog.rs"), "{error}");
    });
}
