//! State: variables that a branch or loop changes, in any number, of any dtype and shape, declared anywhere.

three_ways! { a_branch_that_changes_nothing: f(int(1)), f(int(-1));
    fn f(x: Int) -> Int {
        if x > 0 {
            let _y = x * 2;
        }
        x
    }
}

three_ways! { one_variable: f(int(1)), f(int(-1));
    fn f(x: Int) -> Int {
        let mut x = x;
        if x > 0 {
            x += 1;
        }
        x
    }
}

three_ways! { twelve_variables_in_a_branch: f(int(3)), f(int(-3));
    fn f(x: Int) -> Vec<Int> {
        let (mut a, mut b, mut c, mut d) = (int(1), int(2), int(3), int(4));
        let (mut e, mut f, mut g, mut h) = (int(5), int(6), int(7), int(8));
        let (mut i, mut j, mut k, mut l) = (int(9), int(10), int(11), int(12));
        if x > 0 {
            a += x;
            b += a;
            c += b;
            d += c;
            e += d;
            f += e;
        } else {
            g -= x;
            h -= g;
            i -= h;
            j -= i;
            k -= j;
            l -= k;
        }
        vec![a, b, c, d, e, f, g, h, i, j, k, l]
    }
}

three_ways! { twenty_four_variables_in_a_loop: f(int(0)), f(int(1)), f(int(5));
    fn f(n: Int) -> Vec<Int> {
        let (mut a, mut b, mut c, mut d, mut e, mut f) = (int(1), int(2), int(3), int(4), int(5), int(6));
        let (mut g, mut h, mut i, mut j, mut k, mut l) = (int(7), int(8), int(9), int(10), int(11), int(12));
        let (mut m, mut o, mut p, mut q, mut r, mut s) = (int(13), int(14), int(15), int(16), int(17), int(18));
        let (mut t, mut u, mut v, mut w, mut x, mut y) = (int(19), int(20), int(21), int(22), int(23), int(24));
        for z in 0..n {
            (a, b, c, d, e, f) = (b, c, d, e, f, a);
            (g, h, i, j, k, l) = (l, g, h, i, j, k);
            m += z;
            o += m;
            p -= o;
            q += p;
            r -= q;
            s += r;
            (t, u, v, w, x, y) = (y, x, w, v, u, t);
        }
        let mut all = vec![a, b, c, d, e, f, g, h, i, j, k, l];
        all.extend([m, o, p, q, r, s, t, u, v, w, x, y]);
        all
    }
}

three_ways! { fifteen_variables_and_leaves: f(int(2)), f(int(20));
    fn f(n: Int) -> Vec<Int> {
        let (mut a, mut b, mut c, mut d, mut e) = (int(0), int(0), int(0), int(0), int(0));
        let (mut f, mut g, mut h, mut i, mut j) = (int(0), int(0), int(0), int(0), int(0));
        let (mut k, mut l, mut m, mut o, mut p) = (int(0), int(0), int(0), int(0), int(0));
        loop {
            a += 1;
            b += a;
            if a > n {
                break;
            }
            c += b;
            (d, e) = (e.clone(), d + 1);
            if a % 2 == 0 {
                f += 1;
                continue;
            }
            g += f;
            h += 1;
            if g > 6 {
                i += 1;
                break;
            }
            (j, k, l) = (k.clone(), l.clone(), j + a);
            m += l;
            o += m;
            p += o;
        }
        vec![a, b, c, d, e, f, g, h, i, j, k, l, m, o, p]
    }
}

three_ways! { variables_of_several_dtypes: f(int(4)), f(int(-4));
    fn f(n: Int) -> (Int, Float, Truth) {
        let mut count = int(0);
        let mut x = float(1.0);
        let mut odd = truth(false);
        while count < n {
            count += 1;
            x = x * 1.5;
            odd = !odd;
            if odd {
                x -= 0.25;
            }
        }
        (count, x, odd)
    }
}

three_ways! { what_is_only_read_is_not_state: f(int(4), int(7));
    fn f(n: Int, step: Int) -> Int {
        let factor = step * 2;
        let mut s = int(0);
        for i in 0..n {
            if i < step {
                s += factor * i;
            }
        }
        s
    }
}

three_ways! { initialized_by_the_branches: f(int(4)), f(int(-4)), f(int(40));
    fn f(x: Int) -> (Int, Int) {
        let a;
        let b;
        if x > 0 {
            if x > 10 {
                a = x * 2;
            } else {
                a = x.clone();
            }
            b = a + 1;
        } else {
            (a, b) = (int(0), x);
        }
        (a, b)
    }
}

three_ways! { initialized_where_the_other_branch_leaves: f(int(4)), f(int(-4));
    fn f(x: Int) -> Int {
        let y;
        if x > 0 {
            y = x * 2;
        } else {
            return -1;
        }
        y + 1
    }
}

three_ways! { initialized_in_the_loop: f(int(4));
    fn f(n: Int) -> Int {
        let mut s = int(0);
        for i in 0..n {
            let square;
            if i % 2 == 0 {
                square = i * i;
            } else {
                square = int(0);
            }
            s += square;
        }
        s
    }
}

three_ways! { shadowed_variables: f(int(4)), f(int(-4));
    fn f(x: Int) -> Int {
        let x = x + 1;
        let mut y = x.clone();
        if x > 0 {
            let x = x * 10;
            let mut y = x.clone();
            y += 1;
            let x = y + x;
            if x > 50 {
                return x;
            }
        } else {
            let x = -x;
            y += x;
        }
        for x in 0..3 {
            y += x;
        }
        x * 1000 + y
    }
}

three_ways! { swapped_replaced_and_taken: f(int(1), int(2)), f(int(2), int(1));
    fn f(a: Int, b: Int) -> (Int, Int, Int) {
        let (mut a, mut b) = (a, b);
        let mut old = int(0);
        if a < b {
            std::mem::swap(&mut a, &mut b);
            old = std::mem::replace(&mut b, int(50));
        }
        (a, b, old)
    }
}

three_ways! { a_reference_to_state: f(int(3));
    fn f(n: Int) -> (Int, Int) {
        let mut a = int(1);
        let mut b = int(1);
        for i in 0..n {
            let target = &mut a;
            *target += i;
            bump(&mut b, 2);
            if i > 0 {
                bump(&mut a, 10);
            }
        }
        (a, b)
    }
    fn bump(x: &mut Int, by: i32) {
        *x += by;
    }
}

three_ways! { mutable_parameters_left_early: call(int(3)), call(int(-3)), call(int(30));
    fn f(x: Int, out: &mut Int) -> Truth {
        *out += 1;
        if x < 0 {
            return truth(false);
        }
        *out += x;
        for i in 0..x.clone() {
            *out += i;
            if *out > 50 {
                *out = 0;
                return truth(true);
            }
        }
        x > 2
    }
    fn call(x: Int) -> (Truth, Int) {
        let mut out = int(1);
        let r = f(x, &mut out);
        (r, out)
    }
}

three_ways! { a_closure_that_changes_captured_state: f(int(3)), f(int(-3));
    fn f(x: Int) -> (Int, Int) {
        let mut total = int(0);
        let mut calls = int(0);
        let mut add = |n: &Int| {
            calls += 1;
            if *n > 0 {
                total += n;
            }
        };
        add(&x);
        add(&int(10));
        add(&-x);
        (total, calls)
    }
}

/// One closure changes the variable `sum` by a method. The other one only has a parameter and a field of that name.
#[derive(Clone, graph_runtime::GraphState)]
struct Sum<T> {
    sum: T,
}

impl<T: Clone> Sum<T> {
    fn set(&mut self, to: T) {
        self.sum = to;
    }
}

fn both<A, B>(a: A, b: B, first: impl FnOnce(A) -> A, second: impl FnOnce(B) -> B) -> (A, B) {
    (first(a), second(b))
}

three_ways! { a_closure_that_changes_by_a_method_beside_one_with_the_same_names: f(int(3)), f(int(-3));
    fn f(x: Int) -> (Int, Int, Int) {
        let other = Sum { sum: int(7) };
        let mut sum = Sum { sum: int(0) };
        let (a, b) = both(
            x.clone(),
            int(5),
            |sum| sum + &other.sum,
            |b| {
                if x > 0 {
                    sum.set(int(4));
                }
                b
            },
        );
        (a, b, sum.sum)
    }
}

three_ways! { a_once_closure_that_changes_what_it_takes_along: f(int(3)), f(int(-3));
    fn f(x: Int) -> Int {
        let mut sum = Sum { sum: int(1) };
        let give = || {
            if x > 0 {
                sum.set(int(4));
            }
            sum
        };
        give().sum
    }
}

mod tensors_only {
    use crate::support::{assert_ways, outcome};
    use graph_runtime::prelude::*;

    /// A shape may differ between branches.
    #[graph_fn]
    fn rows(x: Tensor<i32>, n: Tensor<i32>) -> Tensor<i32> {
        let mut y = x.clone();
        if n > 1 {
            y = concat([&x, &x], 0);
        }
        y + 1
    }

    #[test]
    fn shapes_that_differ_by_branch() {
        assert_ways(&["[2, 3]", "[2, 3, 2, 3]"].map(String::from), || {
            (1..3)
                .map(|n| outcome(|| rows(tensor([1, 2]), tensor(n))))
                .collect()
        });
    }

    /// A shape may change between iterations if the variable's type leaves it open.
    #[graph_fn]
    fn grown(n: Tensor<i32>) -> Tensor<i32> {
        let mut xs = zeros::<i32>(&[0]).relax_shape(&[None]);
        for i in 0..n {
            xs = concat([&xs, &i.expand_dims(0)], 0).relax_shape(&[None]);
        }
        xs
    }

    #[test]
    fn shapes_that_change_in_a_loop() {
        assert_ways(&["[]", "[0, 1, 2]"].map(String::from), || {
            [0, 3]
                .iter()
                .map(|n| outcome(|| grown(tensor(*n))))
                .collect()
        });
    }

    /// Vectors, matrices and strings in the same loop.
    #[graph_fn]
    fn mixed(n: Tensor<i32>) -> (Tensor<f32>, Tensor<i32>, Tensor<String>) {
        let mut m = eye::<f32>(2);
        let mut v = tensor([1, 1]);
        let mut s: Tensor<String> = tensor("");
        let mut i = tensor(0);
        while i < n {
            m = m.matmul(tensor([[1.0, 1.0], [0.0, 1.0]]));
            v = v + stack([&i, &i], 0);
            s = s + "x";
            i += 1;
        }
        (m, v, s)
    }

    #[test]
    fn dtypes_and_ranks_side_by_side() {
        let expected = [
            "([1.0, 0.0, 0.0, 1.0], [1, 1], \"\")".to_string(),
            "([1.0, 3.0, 0.0, 1.0], [4, 4], \"xxx\")".to_string(),
        ];
        assert_ways(&expected, || {
            [0, 3]
                .iter()
                .map(|n| outcome(|| mixed(tensor(*n))))
                .collect()
        });
    }
}

three_ways! { mutable_parameters: call(int(3)), call(int(-3)), call(int(0));
    fn f(x: &mut Int, log: &mut Vec<Int>, total: &mut Int) -> Int {
        if *x > 0 {
            *x -= 1;
            log[0] += 10;
        } else {
            *total -= 100;
        }
        while *x > 0 {
            *total += x.clone();
            *x -= 1;
        }
        *total = *total * 2;
        log[1] = total.clone();
        x.clone() + 1
    }
    fn call(x: Int) -> Vec<Int> {
        let (mut x, mut total) = (x, int(7));
        let mut log = vec![int(0), int(0)];
        let first = f(&mut x, &mut log, &mut total);
        let second = f(&mut x, &mut log, &mut total);
        log.extend([first, second, x, total]);
        log
    }
}
