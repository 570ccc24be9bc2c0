//! Small numeric and machine learning programs: family ml_programs.

use graph_runtime::prelude::*;

use crate::harness::functions;

type Int = Tensor<i32>;
type Float = Tensor<f32>;

#[graph_fn]
fn ml_greedy_decode_until_eos(first: Int) -> (Int, Int) {
    let table = tensor([0, 4, 0, 5, 2, 6, 3]);
    let mut out = fill(&[6], -1);
    let mut tok = first;
    let mut n = tensor(0);
    while tok != 0 && n < 6 {
        out = out.with_row(&n, &tok);
        tok = table[&tok];
        n += 1;
    }
    (out, n)
}

#[graph_fn]
fn ml_ctc_collapse(path: Int) -> Int {
    let mut prev = tensor(-1);
    let mut out = TensorArray::dynamic().element_shape(&[]);
    let mut k = tensor(0);
    for p in path {
        if p != prev && p != 0 {
            out = out.write(&k, &p);
            k += 1;
        }
        prev = p;
    }
    out.stack()
}

#[graph_fn]
fn ml_perceptron_until_converged(x: Float, y: Int) -> (Float, Float, Int, Int) {
    let mut w = zeros(&[2]);
    let mut b = tensor(0.0);
    let mut epoch = tensor(0);
    let mut errors = tensor(1);
    while errors > 0 {
        if epoch >= 10 {
            break;
        }
        errors = tensor(0);
        for i in 0..tensor(4) {
            let t = y[&i].cast::<f32>();
            if &t * ((&w * x[&i]).sum() + &b) <= 0.0 {
                w += &t * x[&i];
                b += &t;
                errors += 1;
            }
        }
        epoch += 1;
    }
    (w, b, epoch, errors)
}

#[graph_fn]
fn num_gaussian_elimination(a: Float, b: Float) -> (Float, Float) {
    let mut m = concat([&a, &b.expand_dims(1)], 1);
    let mut det = tensor(1.0);
    let rows = range(0, 3, 1);
    for k in 0..tensor(3) {
        let p = &k + m[(&k.., &k)].abs().argmax(0).cast::<i32>();
        if p != k {
            let perm = (rows == k).select(&p, (rows == p).select(&k, &rows));
            m = m.gather(&perm).relax_shape(&[Some(3), Some(4)]);
            det = -det;
        }
        let pivot = m[(&k, &k)];
        det = det * &pivot;
        if pivot == 0.0 {
            break;
        }
        let factor = (rows == k).select(0.0, m[(.., &k)] / &pivot);
        m = &m - factor.expand_dims(1) * m[&k].expand_dims(0);
    }
    let x = if det == 0.0 {
        fill(&[3], f32::NAN)
    } else {
        m[(.., 3)] / m[(.., ..3)].diag_part()
    };
    (x, det)
}

#[graph_fn]
fn num_game_of_life(mut g: Int, n: Int) -> Int {
    for _ in 0..n {
        let p = g.pad([(1, 1), (1, 1)]);
        let mut s = g.zeros_like();
        for dy in 0..3 {
            for dx in 0..3 {
                if dy != 1 || dx != 1 {
                    s += p[(dy..dy + 3, dx..dx + 3)];
                }
            }
        }
        let alive = (s == 3).logical_or((s == 2).logical_and(g == 1));
        g = alive.select(1, 0);
    }
    g
}

/// `tf.linalg.matvec`.
fn matvec(m: &Float, v: &Float) -> Float {
    m.matmul(v.expand_dims(1)).squeeze(&[1])
}

#[graph_fn]
fn ml_power_iteration(m: Float) -> (Float, Float) {
    let mut v = tensor([1.0, 1.0]);
    let mut lam = tensor(0.0);
    for _ in 0..tensor(100) {
        let w = matvec(&m, &v);
        v = &w / w.norm();
        let new = matvec(&v.expand_dims(0), &matvec(&m, &v)).squeeze(&[0]);
        if (&new - &lam).abs() < 1e-6 {
            lam = new;
            break;
        }
        lam = new;
    }
    (lam, v)
}

functions! {
    ml_power_iteration(m);
    ml_greedy_decode_until_eos(first);
    ml_ctc_collapse(path);
    ml_perceptron_until_converged(x, y);
    num_gaussian_elimination(a, b);
    num_game_of_life(g, n);
}
