//! Small algorithms that combine the forms: family algorithms.

use graph_runtime::prelude::*;

use crate::harness::functions;

type Int = Tensor<i32>;

// Python's `%` and `//` round down; for negative arguments Rust needs methods for this.
#[graph_fn]
fn alg_gcd_lcm(a: Int, b: Int) -> (Int, Int) {
    let (mut x, mut y) = (a.clone(), b.clone());
    while y != 0 {
        (x, y) = (y.clone(), x.floor_mod(y));
    }
    let lcm = if x == 0 {
        tensor(0)
    } else {
        (a * b).abs().floor_div(&x)
    };
    (x, lcm)
}

#[graph_fn]
fn alg_newton_sqrt(x: Tensor<f64>) -> (Tensor<f64>, Int) {
    if x <= 0.0 {
        return (tensor(0.0), tensor(0));
    }
    let mut g = x.clone();
    let mut k = tensor(0);
    while (g * g - x).abs() > 1e-12 * x {
        g = 0.5 * (g + x / g);
        k += 1;
    }
    (g, k)
}

#[graph_fn]
fn alg_bisection(mut lo: Tensor<f64>, mut hi: Tensor<f64>) -> (Tensor<f64>, Int) {
    let mut k = tensor(0);
    if (lo.pow(3.0) - lo - 1.0) * (hi.pow(3.0) - hi - 1.0) > 0.0 {
        return (tensor(f64::NAN), k);
    }
    while hi - lo > 1e-9 {
        let mid = (lo + hi) / 2.0;
        if (lo.pow(3.0) - lo - 1.0) * (mid.pow(3.0) - mid - 1.0) <= 0.0 {
            hi = mid;
        } else {
            lo = mid;
        }
        k += 1;
        if k >= 100 {
            break;
        }
    }
    ((lo + hi) / 2.0, k)
}

#[graph_fn]
fn alg_modular_power(mut b: Tensor<i64>, mut e: Tensor<i64>, m: Tensor<i64>) -> Tensor<i64> {
    let mut r = tensor(1) % m;
    b = b % m;
    while e > 0 {
        if e % 2 == 1 {
            r = r * b % m;
        }
        b = b * b % m;
        e = e / 2;
    }
    r
}

#[graph_fn]
fn alg_bubble_sort_tensorarray(v: Int) -> (Int, Int, Int) {
    let n = v.size();
    let mut ta = TensorArray::from_rows(&v);
    let mut swaps = tensor(0);
    let mut passes = tensor(0);
    let mut changed = tensor(true);
    while changed {
        changed = tensor(false);
        for j in 0..n - 1 - passes {
            let a = ta.read(&j);
            let b = ta.read(&j + 1);
            if a > b {
                ta = ta.write(&j, b).write(j + 1, a);
                swaps += 1;
                changed = tensor(true);
            }
        }
        passes += 1;
    }
    (ta.stack(), swaps, passes)
}

#[graph_fn]
fn alg_binary_search(v: Int, key: Int) -> (Int, Int) {
    let mut lo = tensor(0);
    let mut hi = v.size() - 1;
    let mut ans = tensor(-1);
    let mut probes = tensor(0);
    while lo <= hi {
        let mid = (lo + hi) / 2;
        probes += 1;
        if v[mid] == key {
            ans = mid;
            break;
        } else if v[mid] < key {
            lo = mid + 1;
        } else {
            hi = mid - 1;
        }
    }
    (ans, probes)
}

#[graph_fn]
fn alg_knapsack(weights: Int, values: Int) -> Int {
    let mut best = zeros::<i32>(&[8]);
    let ks = range(0, 8, 1);
    for i in 0..weights.size() {
        let w = weights[i];
        if w > 7 {
            continue;
        }
        let shifted = best.gather(&(ks - w).maximum(0)) + values[i];
        best = select(ks >= w, best.maximum(shifted), &best);
    }
    best
}

#[graph_fn]
fn alg_digits_palindrome(n: Int) -> (Tensor<bool>, Int) {
    if n < 0 {
        return (tensor(false), tensor(0));
    }
    let mut rev = tensor(0);
    let mut m = n.clone();
    let mut digits = tensor(0);
    while m > 0 {
        rev = rev * 10 + m % 10;
        m = m / 10;
        digits += 1;
    }
    (rev == n, digits)
}

functions! {
    alg_gcd_lcm(a, b);
    alg_newton_sqrt(x);
    alg_bisection(lo, hi);
    alg_modular_power(b, e, m);
    alg_bubble_sort_tensorarray(v);
    alg_binary_search(v, key);
    alg_knapsack(weights, values);
    alg_digits_palindrome(n);
}
