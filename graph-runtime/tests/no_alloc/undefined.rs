//! Values that one branch has and another one hasn't: where they are undefined, they aren't used and take no memory.

use graph_runtime::prelude::*;

use super::{BYTES, alone};

/// A tensor of 4 MB.
fn large() -> Tensor<f32> {
    ones(&[1024, 1024])
}

const SIZE: usize = 4 << 20;

/// The number of allocated bytes, in sizes of the large tensor, rounded down.
fn sizes(f: impl FnOnce()) -> usize {
    let before = BYTES.get();
    f();
    (BYTES.get() - before) / SIZE
}

#[graph_fn]
fn returns(x: Tensor<f32>, n: Tensor<i32>) -> Tensor<f32> {
    for i in 0..n {
        if i > 3 {
            return &x * 2.0;
        }
    }
    x
}

#[test]
fn a_return_out_of_a_loop() {
    let _alone = alone();
    let x = large();
    // The first call traces. It returns the argument itself.
    assert_eq!(sizes(|| drop(returns(x.clone(), tensor(2)))), 0);
    // This call returns a result, and keeps a handle of it.
    assert_eq!(
        sizes(|| assert_eq!(returns(x.clone(), tensor(10)).get((3, 5)).item(), 2.0)),
        1
    );
    assert_eq!(sizes(|| drop(returns(x.clone(), tensor(2)))), 0);
    let text = returns::function().latest().unwrap().graph().to_string();
    assert!(text.len() < 3000, "{text}");
}

#[graph_fn]
fn leaves(x: Tensor<f32>, n: Tensor<i32>) -> Tensor<f32> {
    let mut y = &x + 1.0;
    'outer: for i in 0..n {
        for j in 0..n {
            if i * j > 5 {
                break 'outer;
            }
            if j > i {
                continue 'outer;
            }
            if i + j > 10 {
                return y * 3.0;
            }
            y = &x + i.cast::<f32>();
        }
    }
    y
}

#[test]
fn nested_loops() {
    let _alone = alone();
    let x = large();
    // At most the state, its next value, and the result.
    assert!(sizes(|| drop(leaves(x.clone(), tensor(4)))) <= 3);
    // The case i = 2, j = 3.
    assert_eq!(leaves(x, tensor(4)).get((3, 5)).item(), 3.0);
}

#[graph_fn]
fn gradient(x: Tensor<f32>, n: Tensor<i32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = if n > 3 { x.square().sin() } else { x.clone() };
    tape.gradient(&y.sum(), &x).unwrap()
}

/// One branch saves values for the gradient that the other branch doesn't have.
#[test]
fn a_branch_and_its_gradient() {
    let _alone = alone();
    let x = large();
    let text = gradient::concrete(x.clone(), tensor(1))
        .unwrap()
        .graph()
        .to_string();
    assert!(text.len() < 5000, "{text}");
    assert_eq!(gradient(x.clone(), tensor(1)).get((3, 5)).item(), 1.0);
    let expected = 2.0 * 1f32.cos();
    assert!((gradient(x, tensor(5)).get((3, 5)).item() - expected).abs() < 1e-6);
}
