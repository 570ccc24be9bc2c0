//! Assignments to items of a tensor, like those to items of a `Vec`.

use graph_runtime::prelude::*;

use crate::support::{each_way, outcome, traced};

three_ways! { bubble_sort: f(ints(&[5, 1, 4, 2, 8])), f(ints(&[1, 2, 3]));
    fn f(mut v: Ints) -> (Ints, Int) {
        let mut swaps = int(0);
        for end in (1..v.len()).rev() {
            for i in 0..end {
                if v[i] > v[i + 1] {
                    let left = v[i];
                    v[i] = v[i + 1];
                    v[i + 1] = left;
                    swaps += 1;
                }
            }
        }
        (v, swaps)
    }
}

three_ways! { compound_assignments_that_look_at_their_vector: f(ints(&[1, 2, 3, 4]));
    fn f(mut v: Ints) -> Ints {
        for i in 1..v.len() {
            v[i] += v[i - 1];
            v[i] *= 2;
            if v[i] % 3 == 0 {
                v[0] -= v[i];
            }
        }
        v
    }
}

three_ways! { numbers_of_rust_as_items: f(ints(&[5, -1, 4, -2]), 7), f(ints(&[-1, 0, 0, 0]), 1);
    fn f(mut v: Ints, n: usize) -> Ints {
        let last: i32 = 9;
        for i in 0..v.len() {
            if v[i] > 0 {
                v[i] = n as i32 + i as i32;
            } else {
                v[i] = -last;
            }
        }
        v
    }
}

/// The sieve of Eratosthenes with tensors as positions, compared with a plain one.
#[test]
fn positions_may_be_tensors() {
    #[graph_fn]
    fn sieve(n: Tensor<i32>) -> Tensor<bool> {
        let mut prime = tensor([true; 30]);
        prime[0] = false;
        prime[1] = false;
        let mut p = tensor(2);
        while p * p < n {
            if prime[p] {
                let mut multiple = p * p;
                while multiple < n {
                    prime[multiple] = false;
                    multiple += p;
                }
            }
            p += 1;
        }
        prime
    }
    let is_prime = |n: usize| n > 1 && (2..n).all(|d| n % d != 0);
    let expected: Vec<bool> = (0..30).map(is_prime).collect();
    each_way(|| assert_eq!(sieve(tensor(30)).to_vec(), expected));
}

#[test]
fn parts_of_a_matrix() {
    #[graph_fn]
    fn f(n: Tensor<i32>) -> Tensor<i32> {
        let mut m = tensor([[1, 2, 3], [4, 5, 6], [7, 8, 9]]);
        let row = m[0];
        m[0] = m[n];
        m[n] = row;
        m[(0, 1)] = 50;
        m[[1, 1]] += m[(0, 1)];
        m[1][0] = -4;
        m[(.., 2)] = tensor([30, 60, 90]);
        m[(1.., n - 2..n - 1)] *= 10;
        m
    }
    // Rows 0 and 2 are swapped, and so on; calculated by hand.
    let expected = [7, 50, 30, -40, 55, 60, 10, 2, 90];
    each_way(|| assert_eq!(f(tensor(2)).to_vec(), expected));
}

#[test]
fn values_broadcast_to_the_part() {
    #[graph_fn]
    fn f(x: Tensor<f32>) -> Tensor<f32> {
        let mut m: Tensor<f32> = zeros([2, 3]);
        m[0] = 1.0;
        m[(1, 1..)] = x;
        m
    }
    each_way(|| assert_eq!(f(tensor(5.0)).to_vec(), [1.0, 1.0, 1.0, 0.0, 5.0, 5.0]));
}

/// `y = [a², 3a, c² + 3a, d]`, then `y[3] = b`; the gradient of `y · [1, 2, 3, 4]` is calculated by hand.
#[test]
fn gradients_go_to_what_is_left_and_to_what_is_written() {
    #[graph_fn]
    fn f(x: Tensor<f64>) -> Tensor<f64> {
        let mut y = x * x;
        y[1] = x[0] * 3.0;
        y[2] += y[1];
        y[(3..,)] = x[1];
        (y * tensor([1.0, 2.0, 3.0, 4.0])).sum()
    }
    let [a, b, c, d] = [2.0, -1.0, 0.5, 7.0];
    each_way(|| {
        let x = tensor([a, b, c, d]);
        assert_eq!(
            f(x.clone()).item(),
            a * a + 6.0 * a + 3.0 * (c * c + 3.0 * a) + 4.0 * b
        );
        let gradient = grad(|x: &Tensor<f64>| f(x.clone()))(&x);
        assert_eq!(gradient.to_vec(), [2.0 * a + 6.0 + 9.0, 4.0, 6.0 * c, 0.0]);
    });
}

/// Positions and ranges, counted from both ends, with a value that is broadcast.
#[test]
fn gradients_of_parts() {
    #[graph_fn]
    fn f(x: Tensor<f64>, part: Tensor<f64>) -> Tensor<f64> {
        let mut x = x;
        x[(0, .., 1)] = part;
        x[(Ellipsis, -1)] = part[0];
        (x * x).sum()
    }
    // Half of the 2 × 2 × 2 values are those of `x[.., 1]`. The last assignment writes all of them, so 4 are `part[0]` and the others stay.
    each_way(|| {
        let (x, part) = (
            tensor([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]),
            tensor([10.0, 20.0]),
        );
        let (dx, dpart) =
            grad(|(x, part): &(Tensor<f64>, Tensor<f64>)| f(x.clone(), part.clone()))(&(x, part));
        assert_eq!(dx.to_vec(), [2.0, 0.0, 6.0, 0.0, 10.0, 0.0, 14.0, 0.0]);
        assert_eq!(dpart.to_vec(), [80.0, 0.0]);
    });
}

#[test]
fn a_position_out_of_bounds_is_told_on_the_user_s_line() {
    #[graph_fn]
    fn f(x: Tensor<i32>, i: Tensor<i32>) -> graph_runtime::Result<Tensor<i32>> {
        let mut x = x;
        x[i] = 7;
        Ok(x)
    }
    let error = traced(|| f(tensor([1, 2]), tensor(2)).unwrap_err().to_string());
    assert!(error.contains("items.rs") && error.contains('2'), "{error}");
    // Outside a graph, the tensor is unchanged.
    let mut array = TensorArray::<i32>::new(2);
    array.write(0, 5);
    assert!(outcome(|| array.write(2, 7).size().item()).contains("panic"));
    assert_eq!(array.stack().to_vec(), [5, 0]);
}

/// A `TensorArray` is written as in Python, where the returned array may be assigned or ignored.
#[test]
fn arrays_change_in_place() {
    #[graph_fn]
    fn fibonacci(n: Tensor<i32>) -> Tensor<i64> {
        let mut numbers = TensorArray::<i64>::new(n);
        let (mut a, mut b) = (tensor(0i64), tensor(1i64));
        for i in 0..n {
            if i % 2 == 0 {
                numbers.write(i, a);
            } else {
                numbers = numbers.write(i, a);
            }
            (a, b) = (b, a + b);
        }
        numbers.stack()
    }
    each_way(|| assert_eq!(fibonacci(tensor(8)).to_vec(), [0, 1, 1, 2, 3, 5, 8, 13]));
}
