//! Graph functions whose graphs are translated: each op that the example writes stands in one of them.

use graph_runtime::prelude::*;

#[graph_fn]
pub fn functions(x: Tensor<f32, shape![2, 3]>, y: Tensor<f32, shape![2, 3]>) -> Tensor<f32> {
    let angles = x.sin() + x.cos() + x.tan() + x.asin() + x.acos() + x.atan() + x.atan2(&y);
    let hyperbolic = x.sinh() + x.cosh() + x.tanh() + x.asinh() + (&y + 1.5).acosh() + x.atanh();
    let powers = x.exp() + x.exp2() + x.expm1() + y.log() + y.log2() + y.log10() + y.log1p();
    let roots = y.sqrt() + y.rsqrt() + y.cbrt() + y.reciprocal() + x.square() + y.pow(&x);
    let rounded = (&x * 3.0).floor() + (&x * 3.0).ceil() + (&x * 3.0).round() + (&x * 3.0).trunc();
    let layers = x.relu()
        + x.relu6()
        + x.elu()
        + x.selu()
        + x.leaky_relu(0.1)
        + x.softplus()
        + x.softsign()
        + x.sigmoid();
    let others = x.abs()
        + x.sign()
        + x.erf()
        + x.erfc()
        + x.xlogy(&y)
        + x.xlog1py(&y)
        + x.xdivy(&y)
        + x.divide_no_nan(&y);
    let two = x.maximum(&y) - x.minimum(&y) * x.squared_difference(&y) / &y % 0.7 + -&x;
    let sums = angles + hyperbolic + powers + roots + rounded + layers + others + two;
    where_(sums.is_finite(), &sums, f32::INFINITY).dynamic()
}

#[graph_fn]
pub fn whole_numbers(
    n: Tensor<i32, shape![4]>,
    m: Tensor<i32, shape![4]>,
) -> (Tensor<i32>, Tensor<f64>, Tensor<bool>) {
    let bits = (&n & &m) + (&n | &m) + (&n ^ &m) + n.left_shift(&m) + n.right_shift(1);
    let quotients = n.floor_div(&m) + n.floor_mod(&m) + &n / &m + &n % 3;
    let order = n
        .lt(&m)
        .logical_or(n.ge(3))
        .logical_xor(n.equal(&m))
        .logical_and(n.not_equal(7));
    let order = order
        .logical_not()
        .logical_or(n.le(&m))
        .logical_and(n.gt(-9));
    (
        (bits + quotients).dynamic(),
        n.true_div(&m).dynamic(),
        order.dynamic(),
    )
}

#[graph_fn]
pub fn shapes(x: Tensor<f32, shape![2, 3]>) -> (Tensor<f32>, Tensor<i32>) {
    let column = x
        .expand_dims(-1)
        .permute([2, 0, 1])
        .squeeze(0)
        .tile([1, 2])
        .broadcast_to([2, 2, 6]);
    let sizes = x.shape_tensor();
    let same = column
        .reshape([4, -1])
        .reshape(stack([tensor(8), tensor(3)], 0))
        .broadcast_to(stack([tensor(8), tensor(3)], 0));
    let filled = fill(&sizes, 2.0f32) + fill([2, 3], x.sum());
    let joined = concat([&same, &filled.dynamic()], 0).pad_with([(1, 0), (0, 2)], 0.5);
    let joined = joined
        .pad_reflect(&[(1, 1), (0, 0)])
        .pad_symmetric(&[(0, 1), (0, 0)]);
    (
        joined,
        concat(
            [
                &sizes.dynamic(),
                &stack([&x.size(), &x.rank_tensor()], 0).dynamic(),
            ],
            0,
        ),
    )
}

#[graph_fn]
pub fn parts(
    x: Tensor<f32, shape![4, 5]>,
    at: Tensor<i64, shape![2]>,
) -> (Tensor<f32>, Tensor<f32>) {
    let begin = at.get(0);
    let taken =
        x.get((1..-1, (..).by(2))).reshape([-1]).sum() + x.get((.., 1)).sum() + x.get((2, 3));
    let moving = x.get((.., &begin..)).sum()
        + x.get(&begin..&at.get(1)).sum()
        + x.get((Ellipsis, &begin)).sum()
        + x.get((&begin, &begin));
    let sliced = x.slice([1, 2], [2, -1]).sum()
        + x.slice(&at, [1, 1]).sum()
        + x.slice_axis(1, None, Some(-1), 2).sum();
    let changed = x
        .with_part((1..3, &begin), 7.0)
        .with_row(0, fill([5], 1.5f32))
        .with_part((.., 4), x.get((.., 0)));
    let rows = changed.gather(&at).sum()
        + changed.gather_axis(&at, 1).sum()
        + changed.gather_nd(at.expand_dims(0)).sum();
    let scattered = x
        .scatter_update(at.expand_dims(1), fill([2, 5], 3.0f32))
        .scatter_add(at.expand_dims(1), fill([2, 5], 1.0f32));
    let scattered = scattered
        .scatter_sub(at.expand_dims(0), 2.0f32 * fill([1], 1.0f32))
        .scatter_max(at.expand_dims(1), fill([2, 5], 0.5f32));
    let picked = scattered.take_along_axis(tensor([[0i64, 4], [1, 1], [2, 3], [3, 0]]), 1);
    let masked = x.boolean_mask(x.get((.., 0)).gt(0.0)).sum() + x.nonzero().cast::<f32>().sum();
    (
        (taken + moving + sliced + rows + masked).dynamic(),
        concat([&picked, &scattered.dynamic()], 1),
    )
}

#[graph_fn]
pub fn orders(
    x: Tensor<f32, shape![3, 4]>,
    ids: Tensor<i64, shape![3]>,
) -> (Tensor<f32>, Tensor<i64>) {
    let sorted = x.sort_axis(1, true)
        + x.roll([1, 2], [0, 1])
        + x.reverse([1])
        + x.cumsum_with(1, true, false)
        + x.cumprod_with(0, false, true);
    let chosen = x.gather_batch(x.argsort_axis(-1, false), 1, 1) + x.softmax(1) + x.log_softmax(0);
    let best = x.top_k(2).1.cast::<i64>().sum() + x.argmax(0).sum() + x.argmin(1).sum();
    let repeated = x.repeat(2, 0).sum()
        + x.repeat_each(&ids, 0).sum()
        + x.reverse_sequence(&ids + 1, 1, 0).sum();
    let sums = x.sum_axes(&[0], true).sum()
        + x.prod_axes(&[1], false).sum()
        + x.max_axes(&[0, 1], false)
        + x.min()
        + x.mean();
    let flags = x.gt(0.0).any_axes(&[0], false).all().cast::<f32>();
    let segments = x.segment_sum(&ids).sum()
        + x.segment_mean(&ids).sum()
        + x.segment_prod(&ids).sum()
        + x.segment_max(&ids).sum()
        + x.segment_min(&ids).sum();
    let segments =
        segments + x.unsorted_segment_sum(&ids, 4).sum() + x.unsorted_segment_mean(&ids, 4).sum();
    let (values, index) = ids.unique();
    let found = tensor([1.0f32, 2.0, 3.0]).searchsorted(x.get(0), true);
    let counts = values.sum()
        + index.cast::<i64>().sum()
        + found.cast::<i64>().sum()
        + ids.bincount_with(1, Some(5)).cast::<i64>().sum();
    (
        sorted + chosen + (repeated + sums + flags + segments),
        (best + counts + tensor([2i64, 0, 1]).invert_permutation()).dynamic(),
    )
}

#[graph_fn]
pub fn matrices(x: Tensor<f32, shape![3, 3]>, y: Tensor<f32, shape![3, 3]>) -> Tensor<f32> {
    let products = x.matmul(&y) + x.matmul_t(&y) + x.t_matmul(&y) + einsum("ij,jk->ik", [&x, &y]);
    let diagonals =
        x.diag_part().diag() + x.set_diag(y.diag_part_at(0), 0) + x.band_part(0, 1) + eye::<f32>(3);
    let solved = (&x + eye::<f32>(3) * 9.0).solve(&y);
    let sum = x.tensordot(&y, &[0, 1], &[1, 0])
        + linspace(0.0f32, 1.0, 3).sum()
        + range(0.0f32, 3.0, 1.0).sum();
    products + diagonals + solved + sum + x.get(0).cast::<i32>().one_hot::<f32>(3)
}

#[graph_fn]
pub fn images(
    image: Tensor<f32, shape![1, 4, 4, 2]>,
    filter: Tensor<f32, shape![2, 2, 2, 3]>,
) -> (Tensor<f32>, Tensor<f32>) {
    let window = Window {
        strides: [2, 2],
        padding: Padding::Same,
        ..Window::default()
    };
    let seen = image.conv2d(&filter, window);
    let back = seen.conv2d_transpose(&filter, [4, 4], window);
    let pooled = image.max_pool2d([2, 2], window) + image.avg_pool2d([2, 2], window);
    (
        back.dynamic()
            + image.depthwise_conv2d(
                filter.get((.., .., .., 0..1)),
                Window {
                    strides: [1, 1],
                    ..window
                },
            ),
        pooled,
    )
}

#[graph_fn]
pub fn squares(n: Tensor<i32>, row: Tensor<f32, shape![2]>) -> (Tensor<f32>, Tensor<f32>) {
    let mut rows = TensorArray::<f32>::dynamic();
    let mut total = tensor(0.0f32);
    for i in 0..n {
        let next = &row * i.cast::<f32>();
        total += next.sum();
        rows.write(&i, &next);
    }
    (rows.stack(), total)
}

#[graph_fn]
pub fn texts(words: Tensor<String, shape![2]>) -> (Tensor<String>, Tensor<i32>) {
    let joined = strings::join([&words, &words.to_uppercase(), &words.to_lowercase()], "-");
    let parts = concat(
        [&joined.strip().dynamic(), &joined.substr(0, 3).dynamic()],
        0,
    );
    let all = parts.reduce_join_axis(0, " ");
    (
        all.split_string("-"),
        (words.char_count() + words.string_length() + words.equal("b").cast::<i32>()).dynamic(),
    )
}

#[graph_fn]
pub fn drawn(seed: Tensor<i64, shape![2]>) -> (Tensor<f32>, Tensor<i64>) {
    let mut stream = random::stateless(&seed.dynamic());
    let floats = stream.uniform::<f32>([2])
        + stream.normal::<f32>([2])
        + stream.truncated_normal::<f32>([2]);
    (
        floats,
        stream.integers(0i64, 9, [2]) + stream.bits::<i64>([2]),
    )
}
