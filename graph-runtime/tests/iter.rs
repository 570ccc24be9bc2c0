//! `for` over `x.iter()`, with `zip` and `enumerate`: loops of the graph with the same meaning as Rust's.

use graph_runtime::prelude::*;

/// The result of `f`, as a graph and eagerly.
fn both<R>(f: impl Fn() -> R) -> [R; 2] {
    let graph = f();
    let _eager = graph_runtime::debug::EAGER.scope(true);
    [graph, f()]
}

#[test]
fn rows_of_two_tensors_go_together_as_long_as_both_have_some() {
    #[graph_fn]
    fn dot(x: Tensor<i32>, y: Tensor<i32>) -> Tensor<i32> {
        let mut sum = tensor(0);
        for (x, y) in x.iter().zip(y) {
            sum += x * y;
        }
        sum
    }
    let x = tensor([1, 2, 3]);
    for y in [tensor([10, 100]), tensor([10, 100, 0, 5])] {
        assert_eq!(both(|| dot(x.clone(), y.clone()).item()), [210, 210]);
    }
    assert_eq!(both(|| dot(x.clone(), zeros(&[0])).item()), [0, 0]);
    let graph = dot::function().latest().unwrap().graph().to_string();
    assert!(
        graph.contains("while_loop") || graph.contains("for"),
        "{graph}"
    );
}

#[test]
fn rows_come_behind_their_numbers() {
    #[graph_fn]
    fn of_greatest(x: Tensor<f32>, bias: Tensor<f32>) -> (Tensor<i32>, Tensor<f32>) {
        let (mut best, mut at) = (tensor(f32::NEG_INFINITY), tensor(-1));
        for (i, (row, bias)) in x.into_iter().zip(&bias).enumerate() {
            let sum = row.sum() + bias;
            if sum < 0.0 {
                continue;
            }
            if sum > best {
                best = sum;
                at = i;
            }
        }
        (at, best)
    }
    let x = tensor([[1.0, 2.0], [3.0, 4.0], [3.0, 3.0]]);
    let run = |bias: [f32; 3]| {
        both(|| {
            let (at, best) = of_greatest(x.clone(), tensor(bias));
            (at.item(), best.item())
        })
    };
    assert_eq!(run([0.0, 0.0, 0.0]), [(1, 7.0); 2]);
    assert_eq!(run([0.0, 0.0, 5.0]), [(2, 11.0); 2]);
    assert_eq!(run([-9.0; 3]), [(-1, f32::NEG_INFINITY); 2]);
}

#[test]
fn sizes_that_only_a_run_knows() {
    #[graph_fn(input_signature = [i32[_], i32[_]])]
    fn last_place_of_equals(x: Tensor<i32>, y: Tensor<i32>) -> Tensor<i32> {
        let mut place = tensor(-1);
        for (i, (x, y)) in x.iter().zip(y.iter()).enumerate() {
            if x == y {
                place = i;
            }
        }
        place
    }
    let run = |x: &[i32], y: &[i32]| both(|| last_place_of_equals(tensor(x), tensor(y)).item());
    assert_eq!(run(&[1, 2, 3], &[1, 2, 4, 5]), [1; 2]);
    assert_eq!(run(&[], &[1]), [-1; 2]);
}
