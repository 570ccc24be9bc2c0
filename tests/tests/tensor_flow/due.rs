//! Rust numbers and tensors of known shape where a tensor is expected; rows where a tuple is expected; variables where a tensor is expected.

use graph_runtime::prelude::*;

use crate::support::{each_way, outcome, traced};

#[test]
fn numbers_of_rust() {
    #[graph_fn]
    fn branches(x: Tensor<i32>, k: i32) -> Tensor<i32> {
        if x > 5 {
            return k;
        }
        let mut y: Tensor<i32> = k + 1;
        if x > 0 {
            -k
        } else if x == 0 {
            y = 2 * k;
            y * 10
        } else {
            y
        }
    }
    each_way(|| {
        let all = [7, 1, 0, -1].map(|x| branches(tensor(x), 4).item());
        assert_eq!(all, [4, -4, 80, 5]);
    });
}

#[test]
fn shapes_that_types_say() {
    #[graph_fn]
    fn f(x: Tensor<f32, shape![_, 3]>, c: Tensor<bool>) -> Tensor<f32> {
        let mut y = x * 2.0;
        if c {
            y = x;
        }
        let any: Tensor<f32> = y;
        if any.sum() > 100.0 { x } else { any }
    }
    #[graph_fn]
    fn of_any_rank(x: Tensor<f32, shape![..]>) -> Tensor<f32> {
        x.sum()
    }
    #[graph_fn(input_signature = [f32[..], _])]
    fn signed_for_any_rank(x: Tensor<f32>, k: f32) -> Tensor<f32> {
        x.sum() * k
    }
    each_way(|| {
        let x = tensor([[1.0, 2.0, 3.0]]);
        assert_eq!(f(x.clone(), tensor(false)).to_vec(), [2.0, 4.0, 6.0]);
        assert_eq!(f(x.clone(), tensor(true)).to_vec(), [1.0, 2.0, 3.0]);
        assert_eq!(
            of_any_rank(x.clone()).item() + of_any_rank(tensor(1.0)).item(),
            7.0
        );
        assert_eq!(signed_for_any_rank(x, 2.0).item(), 12.0);
        assert_eq!(signed_for_any_rank(tensor(1.0), 2.0).item(), 2.0);
    });
    assert_eq!(of_any_rank::function().trace_count(), 1);
    assert_eq!(signed_for_any_rank::function().trace_count(), 1);
}

#[test]
fn sizes_that_tensors_tell() {
    #[graph_fn]
    fn f(n: Tensor<i32>, k: usize) -> Tensor<f32> {
        let flat: Tensor<f32> = ones([n - 2]);
        let sizes = vec![n, tensor(2)];
        flat.sum() + ones::<f32>(sizes).sum() + k as f32
    }
    each_way(|| assert_eq!(f(tensor(5), 1).item(), 3.0 + 10.0 + 1.0));
}

#[test]
fn rows_that_a_tuple_takes_apart() {
    #[graph_fn]
    fn pairs(rows: Tensor<i32>) -> Tensor<i32> {
        let mut sum = tensor(0);
        for (a, b) in rows {
            sum += a * b;
        }
        sum
    }
    #[graph_fn]
    fn triples(rows: Tensor<i32>, range: Tensor<i32>) -> Tensor<i32> {
        let mut sum = tensor(0);
        for (a, _, c) in &rows {
            sum += a - c;
        }
        let numbers = 0..range;
        for i in numbers {
            sum += i;
        }
        for (i, (a, b)) in [(1, 2), (3, 4)].into_iter().enumerate() {
            sum += i as i32 * (a + b);
        }
        sum
    }
    each_way(|| {
        assert_eq!(pairs(tensor([[1, 2], [3, 4]])).item(), 14);
        assert_eq!(
            triples(tensor([[1, 2, 5], [3, 4, 0]]), tensor(4)).item(),
            -1 + 6 + 7
        );
        let wrong = outcome(|| pairs(tensor([[1, 2, 3]])));
        assert!(
            wrong.contains("taken apart into 2 parts") && wrong.contains("[1,3]")
                || wrong.contains("[3]"),
            "{wrong}"
        );
    });
    // Tracing doesn't know the size of a row, but the run does.
    traced(|| {
        let of_all = pairs::concrete(TensorSpec::new(&[None, None])).unwrap();
        let sum: Tensor<i32> = of_all.call((tensor([[1, 2], [3, 4]]),)).unwrap();
        assert_eq!(sum.item(), 14);
        let wrong: Result<Tensor<i32>, _> = of_all.call((tensor([[1, 2, 3]]),));
        let error = wrong.unwrap_err().to_string();
        assert!(error.contains("taken apart into 2 parts"), "{error}");
    });
}

#[test]
fn variables() {
    #[graph_fn]
    fn f(v: &Variable<i32>, flag: &Variable<bool>) -> Tensor<i32> {
        let mut count = tensor(0);
        while flag {
            count += 1;
            v[(0, 1)].assign(count * 10);
            v[1].assign_add(1);
            flag.assign(count < 3);
        }
        if flag {
            count += 100;
        }
        count + v[1].sum() + v[(0, 0)]
    }
    each_way(|| {
        let v = Variable::new(tensor([[1, 2], [3, 4]]));
        assert_eq!(f(&v, &Variable::new(tensor(true))).item(), 3 + 13 + 1);
        assert_eq!(v.read().to_vec(), [1, 30, 6, 7]);
    });
}

#[test]
fn truth_values_have_ones() {
    let all: Tensor<bool> = ones([2]);
    assert_eq!(all.to_vec(), [true, true]);
    assert_eq!(Tensor::<bool>::ones([1]).to_vec(), [true]);
}
