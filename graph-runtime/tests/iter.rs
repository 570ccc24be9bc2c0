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

#[test]
fn tensors_have_zip_and_enumerate_themselves() {
    #[graph_fn]
    fn places_of_equals(x: &Tensor<i32>, y: &Variable<i32>) -> Tensor<i32> {
        let mut places = tensor(0);
        for (i, row) in x.enumerate() {
            places = places * 10 + (i + 1) * row;
        }
        for (i, (x, y)) in x.zip(y).enumerate() {
            if x == y {
                places = places * 10 + i;
            }
        }
        for (x, y) in y.zip(x.iter()) {
            places += x - y;
        }
        places
    }
    let (x, y) = (tensor([1, 0, 3]), Variable::new(tensor([1, 2, 3, 4])));
    // 1, 0, 9; equal at 0 and 2; and the differences 0, 2, 0.
    assert_eq!(both(|| places_of_equals(&x, &y).item()), [10904; 2]);
    let graph = places_of_equals::function()
        .latest()
        .unwrap()
        .graph()
        .to_string();
    assert_eq!(graph.matches("while_loop").count(), 3, "{graph}");
}

#[test]
fn a_plain_loop_takes_the_rows_as_values() {
    let (x, y) = (tensor([[1, 2], [3, 4]]), tensor([10, 20, 30]));
    let mut seen = Vec::new();
    for (i, (row, y)) in x.zip(&y).enumerate() {
        seen.push((i.item(), row.to_vec(), y.item()));
    }
    assert_eq!(seen, [(0, vec![1, 2], 10), (1, vec![3, 4], 20)]);
    let rows = x.iter().into_iter().map(|row| row.sum().item());
    assert_eq!(rows.collect::<Vec<i32>>(), [3, 7]);
    assert_eq!(zeros::<i32>(&[0, 2]).enumerate().into_iter().count(), 0);
}

#[test]
fn a_plain_loop_while_tracing_is_refused() {
    fn helper(x: &Tensor<i32>) -> Tensor<i32> {
        let mut sum = tensor(0);
        for row in x.iter() {
            sum += row;
        }
        sum
    }
    #[graph_fn]
    fn traced(x: Tensor<i32>) -> Result<Tensor<i32>, graph_runtime::Error> {
        Ok(helper(&x))
    }
    assert_eq!(helper(&tensor([1, 2])).item(), 3);
    let error = traced(tensor([1, 2])).unwrap_err().to_string();
    assert!(
        error.contains("plain Rust code iterates over the rows") && error.contains("iter.rs"),
        "{error}"
    );
}
