//! A variable used as a tensor: it has the value that it holds at that point of the program, eagerly and in a graph.

use graph_runtime::debug;
use graph_runtime::prelude::*;

/// The result of a function as a graph, then eagerly; each call has its own variables.
fn both<R: PartialEq + std::fmt::Debug>(run: impl Fn() -> R) -> R {
    let traced = run();
    let _scope = debug::EAGER.scope(true);
    assert_eq!(run(), traced);
    traced
}

#[graph_fn]
fn methods(
    v: &Variable<f32>,
    x: Tensor<f32>,
) -> (Tensor<f32>, Tensor<f32>, Tensor<f32>, Tensor<f32>) {
    (v.sum(), v.matmul(x), v.sqrt().transpose(), v[0].relu())
}

#[test]
fn methods_of_tensors_read() {
    let run = || {
        let v = Variable::new(tensor([[1.0, 4.0], [9.0, 16.0]]));
        let (sum, product, roots, row) = methods(&v, tensor([[1.0], [2.0]]));
        (sum.item(), product.to_vec(), roots.to_vec(), row.to_vec())
    };
    let expected = (
        30.0,
        vec![9.0, 41.0],
        vec![1.0, 3.0, 2.0, 4.0],
        vec![1.0, 4.0],
    );
    assert_eq!(both(run), expected);
}

#[test]
fn outside_of_graph_functions_too() {
    let v = Variable::new(tensor([[1.0, 4.0], [9.0, 16.0]]));
    assert_eq!((v.sum().item(), v.max().item()), (30.0, 16.0));
    assert_eq!((v.len(), v.rank(), v.dim(-1)), (2, 2, 2));
    assert_eq!(v.get(1).to_vec(), [9.0, 16.0]);
    assert_eq!(v.to_vec(), [1.0, 4.0, 9.0, 16.0]);
    assert_eq!(v.matmul(&v).to_vec(), v.read().matmul(v.read()).to_vec());
    assert_eq!(v.cast::<i32>().reshape(&[-1]).to_vec(), [1, 4, 9, 16]);
    assert_eq!((&v * 2.0 - &v).to_vec(), v.to_vec());
}

#[graph_fn]
fn in_order(v: &Variable<i32>) -> (Tensor<i32>, Tensor<i32>, Tensor<i32>) {
    let before = v.sum();
    v.assign(tensor([10, 20]));
    let between = v.sum();
    v.assign_add(1);
    (before, between, v.sum())
}

#[test]
fn each_method_reads_when_it_is_called() {
    let run = || {
        let (a, b, c) = in_order(&Variable::new(tensor([1, 2])));
        (a.item(), b.item(), c.item())
    };
    assert_eq!(both(run), (3, 30, 32));
}

#[graph_fn]
fn methods_of_several_ops(v: &Variable<f32>, n: &Variable<i32>) -> Tensor<f32> {
    let mut sum = v.silu() + v.gelu() + v.gelu_tanh() + v.l2_normalize(0);
    for part in v
        .split(2, 0)
        .iter()
        .chain(&v.split_sizes(&[1, 1], 0))
        .chain(&v.unstack(0))
    {
        sum += part;
    }
    let (mean, variance) = v.moments(&[0], false);
    let counts =
        n.confusion_matrix(tensor([0, 1]), 2).sum() + n.sequence_mask(None).cast::<i32>().sum();
    sum + mean + variance + v.top_k(1).0 + v.unique().0 + counts.cast::<f32>()
}

/// Between two reads of one method, another thread could write.
#[test]
fn a_method_reads_once() {
    let (v, n) = (
        Variable::new(tensor([1.0, 2.0])),
        Variable::new(tensor([0, 1])),
    );
    let concrete = methods_of_several_ops::concrete(&v, &n).unwrap();
    let text = concrete.graph().to_string();
    assert_eq!(text.matches("= read_variable").count(), 12, "{text}");
}

/// A helper over tensors, which doesn't know variables.
fn mean_square(x: &Tensor<f32>) -> Tensor<f32> {
    (x * x).mean()
}

#[graph_fn]
fn square_of(x: &Tensor<f32>) -> Tensor<f32> {
    if x.sum() > 0.0 { x.square() } else { x * 0.0 }
}

#[graph_fn]
fn passed_on(v: &Variable<f32>) -> (Tensor<f32>, Tensor<f32>) {
    (mean_square(v), square_of(v))
}

#[test]
fn a_reference_to_a_variable_is_one_to_a_tensor() {
    let run = || {
        let v = Variable::new(tensor([1.0, 3.0]));
        let (mean, square) = passed_on(&v);
        assert_eq!(square_of(&v).to_vec(), [1.0, 9.0]);
        (mean.item(), square.to_vec())
    };
    assert_eq!(both(run), (5.0, vec![1.0, 9.0]));
}

#[graph_fn]
fn decides(flag: &Variable<bool>, n: &Variable<i32>, limit: &Variable<i32>) -> Tensor<i32> {
    let mut sum = tensor(0);
    if flag {
        sum += 100;
    }
    for i in 0..n {
        if i == limit {
            break;
        }
        sum += i;
    }
    while sum < limit && !flag {
        sum += n;
    }
    match n {
        3 => sum + 1000,
        _ => sum + n + limit * 2 - n,
    }
}

#[test]
fn variables_decide() {
    let run = |flag: bool, n: i32, limit: i32| {
        let new = |x: i32| Variable::new(tensor(x));
        decides(&Variable::new(tensor(flag)), &new(n), &new(limit)).item()
    };
    assert_eq!(both(|| run(true, 3, 2)), 1101);
    assert_eq!(both(|| run(false, 4, 9)), 10 + 18);
}

#[graph_fn]
fn joined(on: &Variable<bool>, x: Tensor<f32>) -> Tensor<i32> {
    let mut n = tensor(0);
    if on && x > 0.0 {
        n += 1;
    }
    if x > 0.0 || on {
        n += 10;
    }
    match on {
        true => n + 100,
        false => n,
    }
}

#[test]
fn variables_are_joined_with_conditions() {
    let run = |on: bool, x: f32| joined(&Variable::new(tensor(on)), tensor(x)).item();
    assert_eq!(both(|| [run(true, 1.0), run(true, -1.0)]), [111, 110]);
    assert_eq!(both(|| [run(false, 1.0), run(false, -1.0)]), [10, 0]);
}

#[graph_fn]
fn row(x: Tensor<f32, shape![_, 2]>, i: &Variable<i32>) -> Tensor<f32> {
    match i {
        0 => x[i],
        n if n > 1 => x[&n - 1] * 10.0,
        _ => x[(i, ..)] * 100.0,
    }
}

#[test]
fn variables_are_positions_and_arguments_of_a_known_shape() {
    let v = Variable::new(tensor([[1.0, 2.0], [3.0, 4.0]]));
    let at = |i: i32| row(&v, &Variable::new(tensor(i))).to_vec();
    let expected = [vec![1.0, 2.0], vec![300.0, 400.0], vec![30.0, 40.0]];
    assert_eq!(both(|| [at(0), at(1), at(2)]), expected);
}

#[graph_fn]
fn loops_over(v: &Variable<i32>) -> Tensor<i32> {
    let mut digits = tensor(0);
    for x in v {
        digits = digits * 10 + x;
    }
    for (i, x) in v.iter().enumerate() {
        digits = digits * 10 + x + i;
    }
    graph_print!("{v} {}", v.sum());
    assert!(v.sum() > 0, "v = {v}");
    digits
}

#[test]
fn variables_are_gone_through_and_printed() {
    assert_eq!(
        both(|| loops_over(&Variable::new(tensor([1, 2, 3]))).item()),
        123_135
    );
}

#[graph_fn]
fn loss_of(w: &Variable<f32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    let loss = w.square().sum() + mean_square(w);
    tape.gradient(&loss, w).unwrap()
}

#[test]
fn what_methods_read_has_a_gradient() {
    let run = || loss_of(&Variable::new(tensor([1.0, -2.0]))).to_vec();
    assert_eq!(both(run), [3.0, -6.0]);
    let w = Variable::new(tensor([1.0, -2.0]));
    let tape = GradientTape::new();
    let loss = w.square().sum() + mean_square(&w);
    assert_eq!(tape.gradient(&loss, &w).unwrap().to_vec(), [3.0, -6.0]);
}

#[test]
fn a_copy_of_what_a_variable_holds_stays() {
    let v = Variable::new(tensor(1));
    let held: &Tensor<i32> = &v;
    let copy = held.clone();
    v.assign(tensor(2));
    assert_eq!((copy.item(), held.item()), (1, 2));
}

#[test]
fn types_know_shapes() {
    let v: Variable<f32, shape![_, 2]> = Variable::new(tensor([[1.0, 2.0]]).with_shape());
    let product: Tensor<f32, shape![_, 1]> =
        v.matmul(tensor([[1.0], [2.0]]).with_shape::<shape![2, 1]>());
    assert_eq!(product.to_vec(), [5.0]);
    assert_eq!((v.shape().to_string(), v.len()), ("[?,2]".to_owned(), 1));
}
