//! Whole programs, classical algorithms, small models and their training, loops over datasets: families algorithms, ml_programs,
//! grad_while, grad_for, for_dataset.

use graph_runtime::prelude::*;

use crate::harness::functions;

type Int = Tensor<i32>;
type Long = Tensor<i64>;
type Float = Tensor<f32>;
type Double = Tensor<f64>;
type Bool = Tensor<bool>;
type Text = Tensor<String>;

#[graph_fn]
fn sieve(n: Int) -> Long {
    let mut prime = range(0, &n + 1, 1).gt(1);
    let mut i = tensor(2);
    while i * i <= n {
        if prime[&i] {
            let mut j = i * i;
            while j <= n {
                prime = prime.with_row(&j, tensor(false));
                j += i;
            }
        }
        i += 1;
    }
    prime.nonzero().flatten()
}

#[graph_fn]
fn edit_distance(a: Int, b: Int) -> Int {
    let mut row = range(0, b.size() + 1, 1);
    for x in a {
        let mut last = row[0];
        row = row.with_row(0, &last + 1);
        for j in 0..b.size() {
            let best = if x == b[&j] {
                last
            } else {
                1 + last.minimum(row[&j].minimum(row[&j + 1]))
            };
            last = row[&j + 1];
            row = row.with_row(j + 1, best);
        }
    }
    row[-1]
}

#[graph_fn]
fn runge_kutta(mut y: Double, h: Double, n: Int) -> (Double, Double) {
    let slope = |y: &Double| stack(&[y[1], -y[0]], 0);
    let energy = 0.5 * (y * y).sum();
    for _ in 0..n {
        let k1 = slope(&y);
        let k2 = slope(&(y + h / 2.0 * k1));
        let k3 = slope(&(y + h / 2.0 * k2));
        let k4 = slope(&(y + h * k3));
        y = y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    (y.clone(), 0.5 * (y * y).sum() / energy)
}

#[graph_fn]
fn breadth_first(adjacent: Bool, start: Int) -> (Int, Int) {
    let nodes = range(0, adjacent.len_tensor(), 1);
    let mut frontier = nodes == start;
    let mut distance = select(&frontier, 0, -1);
    let mut d = tensor(0);
    while frontier.any() {
        let reached = (&adjacent & frontier[(.., NewAxis)]).any_axis(0);
        frontier = reached & (distance < 0);
        d += 1;
        distance = select(&frontier, &d, distance);
    }
    (distance, d)
}

#[graph_fn]
fn fibonacci_by_squaring(mut n: Long) -> Long {
    let mut result = eye(2);
    let mut base = tensor([[1, 1], [1, 0]]);
    while n > 0 {
        if n % 2 == 1 {
            result = matmul(result, &base);
        }
        base = matmul(&base, &base);
        n /= 2;
    }
    result[(0, 1)]
}

#[graph_fn]
fn run_lengths(v: Int) -> (Int, Int) {
    let mut values = TensorArray::dynamic();
    let mut counts = TensorArray::dynamic();
    let mut k = tensor(0);
    let mut current = v[0];
    let mut count = tensor(1);
    for x in v[1..] {
        if x == current {
            count += 1;
        } else {
            values = values.write(&k, current);
            counts = counts.write(&k, count);
            k += 1;
            (current, count) = (x, tensor(1));
        }
    }
    (
        values.write(&k, current).stack(),
        counts.write(&k, count).stack(),
    )
}

#[graph_fn]
fn mandelbrot(re: Float, im: Float, limit: Int) -> Int {
    let (mut x, mut y) = (re.zeros_like(), im.zeros_like());
    let mut steps = re.zeros_like().cast::<i32>();
    for _ in 0..limit {
        let inside = x * x + y * y <= 4.0;
        if !inside.any() {
            break;
        }
        (x, y) = (
            select(&inside, x * x - y * y + &re, &x),
            select(&inside, 2.0 * x * y + &im, &y),
        );
        steps += inside.cast::<i32>();
    }
    steps
}

#[graph_fn]
fn two_sum(v: Int, target: Int) -> (Int, Int) {
    for i in 0..v.size() {
        for j in &i + 1..v.size() {
            if v[&i] + v[&j] == target {
                return (i, j);
            }
        }
    }
    (tensor(-1), tensor(-1))
}

#[graph_fn]
fn merge_sorted(a: Int, b: Int) -> Int {
    let (m, n) = (a.size(), b.size());
    let mut out = TensorArray::new(m + n);
    let (mut i, mut j) = (tensor(0), tensor(0));
    while i + j < m + n {
        if i < m && (j == n || a[&i] <= b[&j]) {
            out = out.write(i + j, a[&i]);
            i += 1;
        } else {
            out = out.write(i + j, b[&j]);
            j += 1;
        }
    }
    out.stack()
}

#[graph_fn]
fn page_rank(links: Float) -> Float {
    let n = links.len_tensor().cast::<f32>();
    let mut rank = fill(&[3], 1.0 / n);
    let out = &links / links.sum_axes(&[1], true);
    let mut delta = tensor(1.0);
    let mut steps = tensor(0);
    while delta > 1e-4 && steps < 50 {
        let new = 0.15 / n + 0.85 * out.t().matvec(&rank);
        delta = (&new - rank).abs().max();
        rank = new;
        steps += 1;
    }
    rank
}

#[graph_fn]
fn k_means(points: Float, limit: Int) -> (Float, Int) {
    let mut centers = points[..2];
    let mut labels = range(0, points.len_tensor(), 1) * 0;
    for step in 0..limit {
        let between = points[(.., NewAxis)] - centers[NewAxis];
        let new = between.square().sum_axis(-1).argmin(1).cast::<i32>();
        if step > 0 && (new == labels).all() {
            break;
        }
        labels = new;
        centers = points.unsorted_segment_mean(&labels, 2);
    }
    (centers, labels)
}

#[graph_fn]
fn viterbi(seen: Int) -> (Int, Float) {
    let start = tensor([0.6, 0.4]).ln();
    let moves = tensor([[0.7, 0.3], [0.4, 0.6]]).ln();
    let emit = tensor([[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]]).ln();
    let n = seen.size();
    let mut back = TensorArray::new(&n).write(0, tensor([0, 0]));
    let mut score = start + emit[(.., seen[0])];
    for t in 1..&n {
        let all = score[(.., NewAxis)] + &moves;
        back = back.write(&t, all.argmax(0).cast::<i32>());
        score = all.max_axis(0) + emit[(.., seen[t])];
    }
    let pointers = back.stack();
    let mut state = score.argmax(0).cast::<i32>();
    let mut path = TensorArray::new(&n);
    for t in (0..n).rev() {
        path = path.write(&t, &state);
        state = pointers[(t, state)];
    }
    (path.stack(), score.max())
}

#[graph_fn]
fn beam_search(table: Float, steps: Int) -> (Int, Float) {
    let logs = table.ln();
    let mut scores = tensor([0.0, f32::NEG_INFINITY]);
    let mut beams = zeros(&[2, 1]).relax_shape(&[Some(2), None]);
    for _ in 0..steps {
        let candidates = scores[(.., NewAxis)] + logs.gather(beams[(.., -1)]);
        let (best, index) = candidates.flatten().top_k(2);
        let (rows, tokens) = (&index / 3, index % 3);
        beams = concat(&[beams.gather(rows), tokens[(.., NewAxis)]], 1);
        scores = best;
    }
    (beams, scores)
}

#[graph_fn]
fn masked_recurrence(x: Float, lengths: Int) -> Float {
    let w = tensor([[0.5, -0.3], [0.1, 0.8]]);
    let mut h = zeros(&[2, 2]);
    for t in 0..x.shape_tensor()[1] {
        let now = x[(.., &t)];
        let z = matmul(&now, &w).sigmoid();
        let new = (1.0 - z) * h + z * (matmul(&h, &w) + now).tanh();
        h = select((t < lengths)[(.., NewAxis)], new, h);
    }
    h
}

#[graph_fn]
fn logistic_regression(x: Float, y: Float) -> (Float, Float, Int) {
    let (mut w, mut b) = (zeros(&[2]), tensor(0.0));
    let mut step = tensor(0);
    let mut loss = tensor(f32::INFINITY);
    while step < 100 {
        let tape = GradientTape::new();
        tape.watch(&(&w, &b));
        let new = (x.matvec(&w) + b).sigmoid_cross_entropy(&y).mean();
        let (gw, gb) = tape.gradient(&new, &(&w, &b));
        (w, b) = (w - gw.unwrap(), b - gb.unwrap());
        step += 1;
        if loss - new < 1e-3 {
            break;
        }
        loss = new;
    }
    (w, b, step)
}

#[graph_fn]
fn softmax_regression_gradient(logits: Float, labels: Int) -> (Float, Float, Float) {
    let target: Float = labels.one_hot(3);
    let smooth = 0.9 * target + 0.1 / 3.0;
    let loss = -(&smooth * logits.log_softmax(-1)).sum_axis(1).mean();
    let right = logits.argmax(1).cast::<i32>() == labels;
    let gradient = (logits.softmax(-1) - smooth) / 2.0;
    (loss, gradient, right.cast::<f32>().mean())
}

#[graph_fn]
fn rosenbrock_descent(mut p: Double, rate: Double) -> (Double, Double, Int) {
    let mut m = p.zeros_like();
    let mut step = tensor(0);
    let mut value = tensor(f64::INFINITY);
    while value > 0.1 && step < 300 {
        let tape = GradientTape::new();
        tape.watch(&p);
        value = (1.0 - p[0]).square() + 100.0 * (p[1] - p[0].square()).square();
        let mut g = tape.gradient(&value, &p).unwrap();
        let norm = g.norm();
        if norm > 1.0 {
            g = g / norm;
        }
        m = 0.9 * m + g;
        p = p - rate * m;
        step += 1;
    }
    (p, value, step)
}

#[graph_fn]
fn gradient_of_branches_in_a_loop(x: Float, n: Int) -> (Float, Float) {
    let tape = GradientTape::new();
    tape.watch(&x);
    let mut y = x.clone();
    for _ in 0..n {
        if y > 1.0 {
            y = y.sqrt() * &x;
        } else if y < -1.0 {
            break;
        } else {
            y = y * y + &x;
        }
    }
    let gradient = tape.gradient(&y, &x);
    (y, gradient.unwrap())
}

#[graph_fn]
fn dataset_batches(xs: Float, ys: Int) -> (Int, Float, Text) {
    let (mut count, mut total) = (tensor(0), tensor(0.0));
    let mut sizes = tensor("");
    for (x, y) in Dataset::from_slices((xs, ys)).batch(2) {
        count += 1;
        total += (&x * y.cast::<f32>()).sum();
        sizes = sizes + x.size().as_string();
    }
    (count, total, sizes)
}

#[graph_fn]
fn dataset_range_break(limit: Long) -> (Long, Long) {
    let (mut sum, mut last) = (tensor(0), tensor(-1));
    for i in Dataset::from_slices(range(0, 10, 1)) {
        if i % 3 == 1 {
            continue;
        }
        if i > limit {
            break;
        }
        sum += i;
        last = i;
    }
    (sum, last)
}

#[graph_fn]
fn dataset_map_filter(v: Int, low: Int) -> (Int, Long) {
    let (mut total, mut positions) = (tensor(0), tensor(0));
    let large = Dataset::from_slices(v)
        .map(|x| x * 2)
        .filter(move |x| x > 2 * &low);
    for (i, x) in large.enumerate() {
        total += x;
        positions = positions * 10 + i;
    }
    (total, positions)
}

#[graph_fn]
fn dataset_return_inside(v: Int) -> Int {
    for x in Dataset::from_slices(v).repeat(2).skip(1).take(4) {
        if x == 3 {
            return x * 10;
        }
    }
    tensor(0)
}

#[graph_fn]
fn dataset_windows(v: Int) -> Text {
    let rows = Dataset::from_slices(v);
    let mut text = tensor("");
    let windows = [
        (3, 3, 1),
        (3, 1, 1),
        (3, 1, 2),
        (2, 4, 3),
        (3, 3, 2),
        (1, 3, 5),
        (2, 3, 3),
        (4, 9, 1),
        (2, 20, 1),
    ];
    for (size, shift, stride) in windows {
        for drop in [false, true] {
            for w in rows.window(size, shift, stride, drop) {
                text = text + w.as_string().reduce_join("") + " ";
            }
            text = text + "/";
        }
    }
    text
}

functions! {
    sieve(n);
    edit_distance(a, b);
    runge_kutta(y, h, n);
    breadth_first(adjacent, start);
    fibonacci_by_squaring(n);
    run_lengths(v);
    mandelbrot(re, im, limit);
    two_sum(v, target);
    merge_sorted(a, b);
    page_rank(links);
    k_means(points, limit);
    viterbi(seen);
    beam_search(table, steps);
    masked_recurrence(x, lengths);
    logistic_regression(x, y);
    softmax_regression_gradient(logits, labels);
    rosenbrock_descent(p, rate);
    gradient_of_branches_in_a_loop(x, n);
    dataset_batches(xs, ys);
    dataset_range_break(limit);
    dataset_map_filter(v, low);
    dataset_return_inside(v);
    dataset_windows(v);
}
