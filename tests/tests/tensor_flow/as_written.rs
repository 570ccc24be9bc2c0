//! Programs over tensors that users wrote, as they wrote them: several forms meet in each, where the other files have one at a time.

use graph_runtime::prelude::*;

use crate::support::each_way;

three_ways! { return_of_an_if: f(int(1), int(2)), f(int(2), int(1)), f(int(7), int(7)), f(int(0), int(0));
    fn f(a: Int, b: Int) -> Int {
        if a != b {
            return if a < b { int(-1) } else { int(1) };
        }
        if a == 7 {
            return match b {
                7 if a > 3 => int(10),
                n if n > 100 => n,
                _ => int(20),
            };
        }
        return if a > 5 { a } else { b + 3 };
    }
}

#[test]
fn locals_that_are_used_again() {
    #[graph_fn]
    fn divided(a: Tensor<i32>, b: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
        (a.floor_div(b), a.floor_mod(b))
    }
    #[graph_fn]
    fn products(u: Tensor<f32>, h: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
        let y = u.matvec(h) + h;
        (y, u.matmul(u))
    }
    #[graph_fn]
    fn leaky(x: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
        (concat([x, x], 0), select(x > 0.0, x, x * 0.1))
    }
    #[graph_fn]
    fn slope(x: Tensor<f32>) -> (Tensor<f32>, Option<Tensor<f32>>) {
        let tape = GradientTape::new();
        tape.watch(&x);
        let y = x * x;
        (y, tape.gradient(&y, &x))
    }
    #[graph_fn]
    fn runs(n: Tensor<i32>, stop: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
        let mut ta = TensorArray::<i32>::new(n);
        let mut last = n;
        let mut run = n;
        for i in 0..n {
            run += i;
            ta.write(i, run);
            last = i;
            if i == stop {
                break;
            }
        }
        (ta.stack(), last)
    }
    fn noisy(name: &str, v: Tensor<bool>) -> Tensor<bool> {
        graph_print!("eval {name}");
        v
    }
    #[graph_fn]
    fn lazily(a: Tensor<bool>, b: Tensor<bool>) -> (Tensor<bool>, Tensor<bool>) {
        (
            noisy("a", a) && noisy("b", b),
            noisy("a", a) || noisy("b", b),
        )
    }
    #[graph_fn]
    fn g(x: Tensor<i32>) -> Tensor<i32> {
        if x > 0 { x * 10 } else { x }
    }
    #[graph_fn]
    fn mirrored(x: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
        (g(x), g(-x))
    }
    each_way(|| {
        let (q, r) = divided(tensor(-7), tensor(2));
        assert_eq!((q.item(), r.item()), (-4, 1));
        let (y, square) = products(tensor([[1.0, 1.0], [0.0, 1.0]]), tensor([2.0, 3.0]));
        assert_eq!(
            (y.to_vec(), square.to_vec()),
            (vec![7.0, 6.0], vec![1.0, 2.0, 0.0, 1.0])
        );
        let (twice, leaked) = leaky(tensor([1.0, -10.0]));
        assert_eq!(
            (twice.to_vec(), leaked.to_vec()),
            (vec![1.0, -10.0, 1.0, -10.0], vec![1.0, -1.0])
        );
        let (y, dy) = slope(tensor(3.0));
        assert_eq!((y.item(), dy.unwrap().item()), (9.0, 6.0));
        let (sums, last) = runs(tensor(4), tensor(2));
        assert_eq!((sums.to_vec(), last.item()), (vec![4, 5, 7, 0], 2));
        let ((both, any), lines) =
            graph_runtime::collect_prints(|| lazily(tensor(false), tensor(true)));
        assert_eq!((both.item(), any.item()), (false, true));
        assert_eq!(lines, ["eval a", "eval a", "eval b"]);
        let (up, down) = mirrored(tensor(3));
        assert_eq!((up.item(), down.item()), (30, -3));
    });
}

three_ways! { a_first_value_where_other_ways_jump: f(int(3), true), f(int(9), true), f(int(9), false), f(int(0), false);
    fn f(n: Int, strict: bool) -> Int {
        let mut sum = int(0);
        for i in 0..n {
            let r;
            if i == 1 {
                if strict {
                    continue;
                } else {
                    sum += 100;
                    continue;
                }
            } else if i > 6 {
                break;
            } else {
                r = i * 2;
            }
            sum += r;
        }
        let s;
        if strict {
            if sum > 5 {
                if n > 5 { return int(21); } else { return int(20); }
            } else {
                s = int(1);
            }
        } else {
            s = sum * 2;
        }
        s + n
    }
}

three_ways! { a_first_value_that_changes_at_once: f(int(1), int(0), true), f(int(-1), int(0), true), f(int(-1), int(3), true), f(int(-1), int(3), false);
    fn f(x: Int, y: Int, outer: bool) -> (Int, Int) {
        let mut q;
        match x {
            1 => q = int(1),
            _ => {
                q = int(20);
                if y != 0 {
                    q += 1;
                }
            }
        }
        let mut total = int(0);
        let mut k = int(0);
        loop {
            let mut p;
            if outer {
                if x > 0 {
                    p = int(1);
                } else {
                    p = int(20);
                    if y != 0 {
                        p += 1;
                    }
                }
            } else {
                p = int(5);
            }
            p += k;
            total += p;
            k += 1;
            if k > 2 {
                break;
            }
        }
        (q, total)
    }
}

#[test]
fn parts_of_variables() {
    #[graph_fn]
    fn f(v: &Variable<i32>, i: Tensor<i32>) -> Tensor<i32> {
        v[(i, 0)].assign(7);
        v[1..3].assign(tensor([[5, 6], [8, 9]]));
        v[(.., 1)].assign_add(i);
        v.sum()
    }
    each_way(|| {
        let v = Variable::new(tensor([[1, 2], [3, 4], [5, 6]]));
        assert_eq!(f(&v, tensor(0)).item(), 7 + 2 + 5 + 6 + 8 + 9);
    });
}

#[test]
fn bounds_and_rows_of_known_shape() {
    #[graph_fn]
    fn f(n: Tensor<i32, S0>, rows: Tensor<i32, S1<3>>) -> Tensor<i32> {
        let mut sum = tensor(0);
        for i in 0..n {
            sum += i;
        }
        for row in rows {
            sum += row;
        }
        sum
    }
    each_way(|| {
        assert_eq!(
            f(tensor(4).with_shape(), tensor([1, 2, 3]).with_shape()).item(),
            12
        )
    });
}

#[test]
fn a_random_op_in_a_plain_call() {
    #[graph_fn]
    fn rolls(n: usize) -> usize {
        if n > 1 {
            assert!(random::uniform::<f32>(&[]) < 2.0);
        }
        n
    }
    assert_eq!(rolls(1), 1);
    assert_eq!(rolls::function().trace_count(), 0);
    assert_eq!((rolls(2), rolls(2)), (2, 2));
    assert!(rolls::function().trace_count() > 0);
}
