"""Programs of the families of cases.json that were written for this project, with TensorFlow's answers.

    python siblings.py > siblings.json

TensorFlow 2.21 on CPU. Each program is a tf.function with AutoGraph; its calls stand above it, the family in front. asking.py has
the form of the record.
"""

from asking import *


# ---------------------------------------------------------------- numbers

@case("int_division", (i32([7, -7, 7, -7, 0]), i32([2, 2, -2, -2, 5])), (i32(-1), i32(3)), (i32(-2147483648), i32(7)))
def floor_and_truncated_division(a, b):
    return (a // b, a % b, tf.truncatediv(a, b), tf.truncatemod(a, b), tf.math.floordiv(a, b), tf.math.floormod(a, b))


@case("int_division", (f32([7.5, -7.5, 7.5, -7.5, 1e10]), f32([2.0, 2.0, -2.0, -2.0, 0.3])),
      (f32([0.0, -0.0, 5.0, INF, NAN, 3.0]), f32([1.0, 3.0, 0.0, 2.0, 1.0, INF])))
def float_floor_division(a, b):
    return a // b, a % b, a / b, tf.math.divide_no_nan(a, b)


@case("int_division", (u8([7, 200, 255]), u8([2, 7, 16])))
def uint8_division(a, b):
    return a // b, a % b, a / b


@case("division_by_zero", (f32([1.0, -1.0, 0.0]), f32([0.0, 0.0, 0.0])), (f32([1.0, -1.0, 0.0]), f32([-0.0, -0.0, -0.0])))
def float_division_by_zero(a, b):
    return a / b, tf.math.divide_no_nan(a, b), tf.math.reciprocal_no_nan(b), tf.math.reciprocal(b)


@case("division_by_zero", (i32([4, 6]), i32([2, 0])), (i32([4, 6]), i32([2, 3])))
def guarded_division(a, b):
    safe = tf.where(b == 0, 1, b)
    return tf.where(b == 0, 0, a // safe)


@case("overflow", (u8([250, 0, 128, 255]), u8([10, 1, 2, 255])))
def overflow_uint8_wraps(a, b):
    return a + b, a - b, a * b, tf.square(a), tf.maximum(a, b)


@case("overflow", (i32([2147483647, -2147483648, 65536]),))
def overflow_in_reductions(a):
    return tf.reduce_sum(a), tf.reduce_prod(a), tf.cumsum(a), tf.square(a), tf.negative(a)


@case("overflow", (f32([3e38, -3e38, 1e-30]),))
def overflow_float_to_infinity(a):
    return a * 10.0, a * a, tf.reduce_sum(a * 2.0), tf.math.is_inf(a * 2.0), tf.math.is_finite(a * 2.0)


@case("nan", (f32([3.0, NAN, 1.0, -INF]),), (f32([NAN, NAN]),))
def nan_in_reductions(v):
    return (tf.reduce_sum(v), tf.reduce_max(v), tf.reduce_min(v), tf.reduce_any(tf.math.is_nan(v)),
            tf.reduce_all(v == v), tf.where(tf.math.is_nan(v), 0.0, v), tf.math.count_nonzero(v))


@case("nan", (f32(NAN),), (f32(1.0),), (f32(-INF),))
def nan_in_conditions(x):
    r = 0
    if x > 0.0:
        r += 1
    if not x > 0.0:
        r += 2
    if x != x:
        r += 4
    while x < 0.0:
        r += 8
        x = -x
    return r, x


@case("casts", (f64([0.1, -1.9, 1e40, NAN, 2.5]),))
def cast_between_floats(a):
    return tf.cast(a, tf.float32), tf.cast(tf.cast(a, tf.float32), tf.float64), tf.cast(a, tf.bool), tf.round(a)


@case("casts", (b([True, False]),))
def cast_bools(a):
    return (tf.cast(a, tf.int32), tf.cast(a, tf.float64), tf.cast(a, tf.uint8), tf.reduce_sum(tf.cast(a, tf.int64)))


@case("casts", (i64([1, -1, 4294967296, 2147483648]),))
def cast_int64(a):
    return tf.cast(a, tf.int32), tf.cast(a, tf.float32), tf.cast(a, tf.uint8), tf.cast(a, tf.bool)


@case("casts", (s(["1", "-2", " 3"]), s(["1.5", "inf", "-2e3"])))
def strings_to_numbers(a, b):
    return (tf.strings.to_number(a, tf.int32), tf.strings.to_number(b), tf.strings.to_number(b, tf.float64),
            tf.strings.to_number(a, tf.int64))


@case("casts", (i32([1, -22]), f32([1.5, -0.25]), b([True, False])))
def numbers_to_strings(a, x, t):
    return (tf.strings.as_string(a), tf.strings.as_string(x), tf.strings.as_string(t),
            tf.strings.as_string(x, precision=2), tf.strings.as_string(a, width=4, fill="0"),
            tf.strings.as_string(tf.strings.as_string(a)))


@case("dtypes", (s(["hello world", "", "a-b-c"]),))
def string_parts(a):
    return (tf.strings.substr(a, 0, 1), tf.strings.length(a), tf.strings.lower(tf.strings.upper(a)), tf.strings.strip(a + "  "),
            tf.strings.join([a, "!"]), a == "", tf.strings.reduce_join(a, separator="|"))


@case("dtypes", (f32([0.1, 1.5, -2.25]),), compare="approx:1e-2")
def half_precision(x):
    h = tf.cast(x, tf.float16)
    w = tf.cast(x, tf.bfloat16)
    return (tf.cast(h * h, tf.float32), tf.cast(w + w, tf.float32), tf.cast(tf.reduce_sum(h), tf.float32),
            tf.cast(tf.nn.relu(w), tf.float32), h > 0.0)


@case("pow", (f32([2.0, -2.0, 0.0, 9.0]), f32([0.5, 2.0, 0.0, -1.0])), compare="approx:1e-6")
def pow_float(a, b):
    return a ** b, tf.pow(a, 2.0), a ** 3, tf.sqrt(a), tf.math.rsqrt(tf.abs(a) + 1.0), tf.exp(b), tf.math.log1p(tf.abs(a))


@case("pow", (i32([2, -3, 0, 7]), i32(3)), (i32([2, -3, 0, 7]), i32(0)))
def pow_int_broadcasts(a, k):
    return a ** k, a ** 2, 2 ** tf.abs(a)


@case("non_strict", (i32([1, 2, 3]), i32(7)), (i32([1, 2, 3]), i32(1)))
def unused_bad_gather(v, i):
    unused = v[i]
    return tf.reduce_sum(v)


@case("asserts", (i32(3),), (i32(0),), (i32(12),))
def asserts_of_tensorflow(x):
    tf.debugging.Assert(x > 0, ["not positive"])
    tf.debugging.Assert(x < 10, ["large"])
    return x * 2


# ---------------------------------------------------------------- arrays

@case("where_vectorised", (i32([[1, -2, 3], [-4, 5, 0]]),))
def where_positions(m):
    return (tf.where(m > 0), tf.where(m > 0, m, tf.zeros_like(m)), tf.where(tf.reduce_any(m < 0, 1, keepdims=True), m, -1),
            tf.boolean_mask(m, m > 0), tf.boolean_mask(m, [True, False]))


@case("where_vectorised", (f32([0.0, 4.0, -1.0]),), compare="approx:1e-6")
def where_guards_sqrt(x):
    safe = tf.where(x > 0.0, x, 1.0)
    return tf.where(x > 0.0, tf.sqrt(safe), 0.0), tf.where(x > 0.0, 1, 0), tf.sign(x)


@case("argmax", (f32([1.0, 3.0, 3.0]),), (f32([NAN, 1.0, 2.0]),), (f32([-INF, -INF]),))
def argmax_ties_and_nan(v):
    return tf.argmax(v), tf.argmin(v), tf.math.argmax(v, axis=0), tf.argmax(v, output_type=tf.int32)


@case("argmax", (f32([[1.0, 5.0, 2.0], [7.0, 0.0, 7.0]]),))
def top_k_of_rows(m):
    values, indices = tf.math.top_k(m, k=2)
    return values, indices, tf.reduce_max(m, axis=-1)


@case("empty", (empty(tf.int32, 0),), (i32([4]),))
def reduce_over_empty_int(v):
    return (tf.reduce_sum(v), tf.reduce_prod(v), tf.reduce_max(v), tf.reduce_min(v), tf.size(v), tf.reduce_any(v > 0),
            tf.reduce_all(v > 0))


@case("empty", (empty(tf.float32, 0, 3),), (f32([[1.0, 2.0, 3.0]]),))
def loops_over_empty(m):
    total = tf.zeros([3])
    n = 0
    for row in m:
        total += row
        n += 1
    return total, n, tf.shape(m)[0], tf.concat([m, tf.ones([1, 3])], 0), m[:0]


@case("empty", (s([]),), (s(["a", "b"]),))
def strings_of_empty(v):
    return tf.size(v), tf.strings.reduce_join(v), tf.strings.reduce_join(v, separator=","), v + "x"


@case("broadcasting", (f32([[1.0], [2.0]]), f32([10.0, 20.0, 30.0])), (f32(1.0), f32([[2.0, 3.0]])))
def broadcast_shapes(a, b):
    return a + b, tf.maximum(a, b), a < b, tf.broadcast_to(a, tf.shape(a * b)), tf.math.squared_difference(a, b)


@case("broadcasting", (i32([1, 2, 3]), i32([10, 20])))
def outer_products(a, b):
    return (a[:, None] * b, a[:, tf.newaxis] + b[tf.newaxis, :], tf.expand_dims(a, -1) - b, tf.tensordot(a, b, axes=0))


@case("broadcasting", (f32([[1.0, 2.0], [3.0, 4.0]]),), compare="approx:1e-6")
def normalized_by_keepdims(m):
    mean = tf.reduce_mean(m, axis=1, keepdims=True)
    variance = tf.math.reduce_variance(m, axis=1, keepdims=True)
    return (m - mean) / tf.sqrt(variance + 1e-3), m / tf.reduce_sum(m, axis=0), m - tf.reduce_max(m)


@case("indexing", (i32([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]),))
def slices_with_steps(m):
    return (m[-1], m[::2], m[:, ::-1], m[1:, -2:], m[::-1, ::2], m[..., -1], m[0, 1:3], m[-2:-1], m[:, tf.newaxis, 1],
            m[2:1])


@case("indexing", (i32([10, 20, 30, 40]), i32(1), i32(3)), (i32([10, 20, 30, 40]), i32(-3), i32(-1)))
def slices_between_tensors(v, i, j):
    return v[i:j], v[:j], v[i:], v[i::2], v[i], v[-1], tf.slice(v, [tf.abs(i)], [1])


@case("indexing", (i32([[1, 2], [3, 4], [5, 6]]), i32([2, 0, 2])))
def gathers(m, i):
    return (tf.gather(m, i), tf.gather(m, [1, 0], axis=1), tf.gather_nd(m, [[0, 1], [2, 0]]), tf.gather_nd(m, [[1], [2]]),
            tf.gather(m, tf.constant([[0, 1], [1, 2]])), tf.gather(i, m % 3), tf.one_hot(i, 3), tf.one_hot(i, 4, on_value=5, off_value=-1))


@case("indexing", (i32([1, 2, 3, 4, 5]), i32([[0], [3]]), i32([9, 8])))
def scatters(v, i, u):
    return (tf.tensor_scatter_nd_update(v, i, u), tf.tensor_scatter_nd_add(v, i, u), tf.tensor_scatter_nd_sub(v, i, u),
            tf.tensor_scatter_nd_max(v, i, u), tf.tensor_scatter_nd_min(v, i, u), tf.scatter_nd(i, u, [6]))


@case("indexing", (i32([[1, 2, 3], [4, 5, 6]]), i32(0), i32(2)), (i32([[1, 2, 3], [4, 5, 6]]), i32(1), i32(-1)),
      (i32([[1, 2, 3], [4, 5, 6]]), i32(0), i32(3)))
def two_dynamic_indices(m, i, j):
    return m[i, j], m[i, j] + m[1 - i, 0]


@case("shape_ops", (i32([[1, 2, 3], [4, 5, 6]]),))
def join_and_part(m):
    a, c, d = tf.unstack(m, axis=1)
    left, right = tf.split(m, [1, 2], axis=1)
    return (tf.stack([a, c], axis=1), tf.concat([m, m], axis=1), left, right, tf.stack([m, m]), d, tf.tile(m, [1, 2]),
            tf.repeat(m, 2, axis=0), tf.repeat(a, [1, 3]))


@case("shape_ops", (i32([[1, 2, 3], [4, 5, 6]]),))
def pad_flip_roll(m):
    return (tf.pad(m, [[1, 0], [0, 2]]), tf.pad(m, [[0, 0], [1, 1]], constant_values=9), tf.pad(m, [[1, 1], [2, 2]], mode="REFLECT"),
            tf.pad(m, [[1, 1], [1, 1]], mode="SYMMETRIC"), tf.reverse(m, [1]), tf.roll(m, 1, 0), tf.roll(m, [1, -1], [0, 1]),
            tf.reverse(m, [0, 1]))


@case("shape_ops", (i32([[1, 2, 3], [4, 5, 6]]),), (i32([[1, 2, 3]]),))
def shapes_of_shapes(m):
    n = tf.shape(m)[0]
    return (tf.shape(m), tf.rank(m), tf.size(m), tf.reshape(m, [n * 3]), tf.reshape(m, [3, n]), tf.fill([n, 2], 7),
            tf.zeros([n]), tf.ones([2, n], tf.int32), tf.range(n), tf.squeeze(m[None, :, :, None]), tf.transpose(m))


@case("shape_ops", (f32([1.0, 2.0, 3.0]),), compare="approx:1e-6")
def triangles_and_diagonals(v):
    m = v[:, None] * v[None, :]
    return (tf.linalg.band_part(m, -1, 0), tf.linalg.band_part(m, 0, -1), tf.linalg.diag_part(m), tf.linalg.trace(m),
            tf.linalg.set_diag(m, tf.zeros([3])), tf.eye(3) * v, tf.meshgrid(v, v[:2])[0], tf.linalg.diag(v, k=1))


@case("shape_ops", (i32([3, 1, 2, 1]),))
def counting(v):
    y, idx, count = tf.unique_with_counts(v)
    return (y, idx, count, tf.math.bincount(v), tf.cumsum(v), tf.cumsum(v, exclusive=True), tf.cumsum(v, reverse=True),
            tf.math.cumprod(v), tf.sequence_mask(v, 3), tf.searchsorted(tf.sort(v), [1, 2, 5]), tf.math.segment_sum(v, [0, 0, 1, 1]),
            tf.math.unsorted_segment_max(v, [1, 0, 1, 0], 2))


@case("linear_algebra", (f32([[1.0, 2.0], [3.0, 4.0]]), f32([[5.0, 6.0], [7.0, 8.0]])), compare="approx:1e-6")
def matmul_forms(a, b):
    return (a @ b, tf.matmul(a, b, transpose_a=True), tf.matmul(a, b, transpose_b=True), tf.linalg.matvec(a, b[0]),
            tf.tensordot(a, b, 1), tf.tensordot(a, b, 2), tf.tensordot(a, b, [[0], [1]]), tf.linalg.trace(a @ b), tf.norm(a),
            tf.norm(a, axis=1), tf.norm(a, ord=1), tf.reduce_sum(a * b))


@case("linear_algebra", (f32(np.arange(12.0).reshape(2, 2, 3)), f32(np.arange(6.0).reshape(2, 3, 1))), compare="approx:1e-6")
def batched_matmul(a, b):
    return a @ b, tf.einsum("bij,bjk->bik", a, b), tf.einsum("bij->bji", a), tf.linalg.matvec(a, b[:, :, 0]), tf.einsum("bij->b", a)


@case("linear_algebra", (i32([[1, 2], [3, 4]]), i32([[1, 0], [0, -1]])))
def integer_matrices(a, b):
    return tf.matmul(a, b), a @ a, tf.transpose(a) @ b, tf.reduce_sum(a, 0), tf.linalg.diag_part(a), tf.linalg.matvec(a, [1, 1])


@case("softmax", (f32([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]]),), compare="approx:1e-5")
def softmax_axes(x):
    return (tf.nn.softmax(x, axis=0), tf.nn.softmax(x), tf.nn.log_softmax(x, axis=0), tf.reduce_logsumexp(x),
            tf.reduce_logsumexp(x, axis=0, keepdims=True), tf.nn.softmax_cross_entropy_with_logits(labels=tf.nn.softmax(x), logits=x),
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[2, 0], logits=x))


@case("softmax", (f32([-2.0, -0.5, 0.0, 0.5, 2.0]),), compare="approx:1e-5")
def activations(x):
    return (tf.nn.relu(x), tf.nn.relu6(x * 4.0), tf.nn.leaky_relu(x), tf.nn.elu(x), tf.nn.selu(x), tf.nn.gelu(x), tf.nn.silu(x),
            tf.nn.softplus(x), tf.sigmoid(x), tf.nn.softsign(x), tf.nn.gelu(x, approximate=True),
            tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.ones_like(x), logits=x))


@case("sorting", (f32([3.0, INF, 1.0, -0.0, 0.0, -INF]),), (f32([[2.0, 1.0], [0.0, 5.0]]),))
def sort_values(v):
    return tf.sort(v), tf.sort(v, direction="DESCENDING"), tf.argsort(v), tf.argsort(v, direction="DESCENDING")


@case("sorting", (i32([[3, 1, 2], [9, 7, 8]]),))
def sort_axes(m):
    return tf.sort(m, axis=0), tf.sort(m, axis=-1, direction="DESCENDING"), tf.argsort(m, axis=0), tf.sort(m)[:, 0], tf.math.top_k(m, 1)[0]


@case("shape_ops", (f32(np.arange(16.0).reshape(1, 4, 4, 1)),), compare="approx:1e-6")
def images(x):
    k = tf.ones([2, 2, 1, 2])
    line = x[:, 0]
    return (tf.nn.conv2d(x, k, 1, "VALID"), tf.nn.conv2d(x, k, 2, "SAME"), tf.nn.max_pool2d(x, 2, 2, "VALID"),
            tf.nn.avg_pool2d(x, 2, 2, "SAME"), tf.nn.conv1d(line, tf.ones([3, 1, 1]), 1, "SAME"),
            tf.nn.depthwise_conv2d(x, k, [1, 1, 1, 1], "VALID"), tf.nn.space_to_depth(x, 2))


# ---------------------------------------------------------------- control flow

@case("if_nest", (i32(5), i32(3)), (i32(-5), i32(3)), (i32(0), i32(-1)), tags=["tf_limitation"])
def if_tuple_swapped(a, b):
    if a > b:
        a, b = b, a
    elif a < 0:
        pair = (a * 2, b)
        b, a = pair
    if a + b > 0:
        if a == b:
            return a, b, "equal"
        else:
            kind = "positive"
    else:
        kind = "other"
    return a, b, kind


@case("ternary", (i32(3), b(True)), (i32(-3), b(True)), (i32(3), b(False)))
def ternary_in_arguments(x, flag):
    return tf.maximum(x if flag else -x, 0) + (1 if x > 0 else 2), [x if x > 0 else 0, -x if flag else x]


@case("logical", (i32(5), b(True)), (i32(15), b(False)), (i32(-1), b(True)))
def logical_mixed(x, flag):
    in_range = 0 <= x and x < 10
    r = tf.math.logical_xor(in_range, flag)
    if not (in_range and flag) or r:
        return r, in_range, 1
    return r, in_range, 0


@case("short_circuit", (i32(0), i32(5)), (i32(2), i32(5)), (i32(2), i32(1)))
def short_circuit_guards_division(d, n):
    if d != 0 and n // d > 1:
        return n // d
    return -1


@case("literal_mixed", (i32(3), 2, "add"), (i32(3), 2, "mul"), (i32(3), 5, "add"), (i32(-3), 2, "neg"))
def python_arguments_choose(x, k, mode):
    if mode == "add":
        x = x + k
    elif mode == "mul":
        for _ in range(k):
            x = x * k
    else:
        x = -x
    return x


@case("switch_case", (i32(0),), (i32(1),), (i32(5),), (i32(-1),))
def switch_with_default(i):
    return tf.switch_case(i, [lambda: tf.constant("zero"), lambda: tf.constant("one")], default=lambda: tf.constant("other"))


@case("while", (i32(27),), (i32(1),))
def while_collatz(n):
    steps = 0
    peak = n
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        peak = tf.maximum(peak, n)
        steps += 1
    return steps, peak


@case("while", (f32([1.0, 2.0]),), compare="approx:1e-6")
def while_over_vector(v):
    k = 0
    while tf.reduce_sum(v) < 100.0 and k < 20:
        v = v * tf.constant([1.5, 2.0])
        k += 1
    return v, k


@case("for_tf_range", (i32(4),), (i32(0),), tags=["tf_limitation"])
def for_enumerated_range(n):
    s = 0
    for k, i in enumerate(tf.range(1, n + 1)):
        s += tf.cast(k, tf.int32) * 10 + i
    return s


@case("for_rows", (i32([[1, 2], [3, 4], [5, 6]]),))
def for_rows_of_matrix(m):
    out = tf.zeros([2], tf.int32)
    for row in m:
        a, c = row[0], row[1]
        if a + c > 4:
            out = out + row
        else:
            out = out - row
    return out


@case("for_rows", (i32([1, 2, 3]), i32([4, 5, 6])))
def for_zipped(a, c):
    s = 0
    for i in tf.range(tf.shape(a)[0]):
        s += a[i] * c[i]
    for x, y in zip(tf.unstack(a), tf.unstack(c)):
        s -= x - y
    return s


@case("nested_loops", (i32([[1, 2, 3], [4, 5, 6]]),))
def nested_sum_of_cells(m):
    rows, columns = tf.shape(m)[0], tf.shape(m)[1]
    total = 0
    best = m[0, 0]
    for i in tf.range(rows):
        for j in tf.range(columns):
            if (i + j) % 2 == 0:
                total += m[i, j]
            if m[i, j] > best:
                best = m[i, j]
    return total, best


@case("nested_break", (i32(30),), (i32(2),))
def primes_below(n):
    count = 0
    last = 0
    for i in tf.range(2, n):
        j = 2
        prime = True
        while j * j <= i:
            if i % j == 0:
                prime = False
                break
            j += 1
        if not prime:
            continue
        count += 1
        last = i
    return count, last


@case("nested_functions", (f32(2.0),), (f32(-2.0),), compare="approx:1e-6")
def functions_as_values(x):
    def twice(f, v):
        return f(f(v))

    def step(v):
        if v > 0.0:
            return v * 0.5
        return v + 3.0
    return twice(step, x), twice(lambda v: v * v, x), twice(tf.sin, x)


@case("loop_state", (i32(5),), (i32(0),))
def loop_tuple_and_list_state(n):
    pair = (tf.constant(0), tf.constant(1))
    items = [tf.constant(1.0), tf.constant(2.0)]
    for _ in tf.range(n):
        pair = (pair[1], pair[0] + pair[1])
        items = [items[1], items[0] + 1.0]
    return pair, items


@case("break", (i32([3, 8, -1, 5]),), (i32([1, 2]),))
def break_with_else(v):
    where = -1
    for k in tf.range(tf.size(v)):
        if v[k] < 0:
            where = k
            break
    if where < 0:
        return "none", where
    return "found", where


@case("continue", (i32([1, -2, 3, 0, 5]),))
def continue_while(v):
    i = -1
    s = 0
    while i < tf.size(v) - 1:
        i += 1
        if v[i] <= 0:
            continue
        if v[i] == 5:
            s += 100
            continue
        s += v[i]
    return s, i


@case("early_return", (f32(-1.0),), (f32(0.5),), (f32(3.0),), (f32(NAN),), compare="approx:1e-6", tags=["tf_limitation"])
def return_from_nested(x):
    if x < 1.0:
        if x < 0.0:
            return tf.constant(-1.0), "negative"
        y = tf.sqrt(x)
    else:
        y = x
        if x > 2.0:
            return y, "large"
    return y * 10.0, "rest"


@case("return_in_loop", (i32([[1, 2], [3, -4]]),), (i32([[1, 2], [3, 4]]),), tags=["tf_limitation"])
def return_from_two_loops(m):
    n = 0
    for row in m:
        for e in row:
            n += 1
            if e < 0:
                return e, n
    return tf.constant(0), n


@case("algorithms", (i32([5, 3, 9, 1]),), (i32([2]),))
def insertion_sort(v):
    n = tf.size(v)
    for i in tf.range(1, n):
        key = v[i]
        j = i - 1
        while j >= 0 and v[j] > key:
            v = tf.tensor_scatter_nd_update(v, [[j + 1]], [v[j]])
            j -= 1
        v = tf.tensor_scatter_nd_update(v, [[j + 1]], [key])
    return v


@case("algorithms", (i32([[0, 4, 99], [99, 0, 1], [2, 99, 0]]),))
def floyd_warshall(d):
    n = tf.shape(d)[0]
    for k in tf.range(n):
        d = tf.minimum(d, d[:, k][:, None] + d[k][None, :])
    return d


@case("algorithms", (i32(10), i32(2)), (i32(255), i32(16)), (i32(0), i32(2)))
def digits_of(n, base):
    digits = tf.TensorArray(tf.int32, size=0, dynamic_size=True, element_shape=[])
    k = 0
    while n > 0:
        digits = digits.write(k, n % base)
        n //= base
        k += 1
    return tf.reverse(digits.stack(), [0]), k


@case("tensorarray", (i32([1, 2, 3]),))
def ta_unstack_gather(v):
    ta = tf.TensorArray(tf.int32, size=3, clear_after_read=False).unstack(v * 10)
    return ta.read(1), ta.gather([2, 0]), ta.size(), ta.stack()


@case("tensorarray", (i32(3),))
def ta_of_rows_in_branches(n):
    ta = tf.TensorArray(tf.float32, size=n)
    for i in tf.range(n):
        if i % 2 == 0:
            ta = ta.write(i, [1.0, 0.0])
        else:
            ta = ta.write(i, [0.0, tf.cast(i, tf.float32)])
    return ta.stack()


@case("higher_order", (i32([1, 2, 3, 4]),))
def folds_and_scans(v):
    return (tf.foldl(lambda a, x: a * 10 + x, v), tf.foldr(lambda a, x: a * 10 + x, v), tf.scan(lambda a, x: a + x, v),
            tf.scan(lambda a, x: a * x, v, initializer=2), tf.foldl(lambda a, x: a - x, v, initializer=100),
            tf.scan(lambda a, x: a + x, v, reverse=True))


@case("higher_order", (f32([[1.0, 2.0], [3.0, 4.0]]), i32([2, 3])))
def map_over_two(m, k):
    return (tf.map_fn(lambda e: e[0] * tf.cast(e[1], tf.float32), (m, k), fn_output_signature=tf.float32),
            tf.map_fn(tf.reduce_sum, m), tf.vectorized_map(lambda r: r * 2.0, m),
            tf.map_fn(lambda r: (tf.reduce_max(r), tf.reduce_min(r)), m, fn_output_signature=(tf.float32, tf.float32)))


@case("python_lists", (i32([1, 2, 3]),))
def lists_of_tensors(v):
    items = []
    for k in range(3):
        items.append(v[k] * k)
    items.insert(0, v[0])
    last = items.pop()
    return tf.stack(items), last, sum(items), len(items), items[-1]


@case("containers", (f32(1.0), f32([2.0, 3.0])))
def nested_results(a, v):
    return {"scalar": a, "pair": v}, a


@case("effect_order", (i32(3),), (i32(0),))
def prints_in_order(n):
    tf.print("start", n)
    for i in tf.range(n):
        if i == 1:
            tf.print("one")
            continue
        tf.print("i", i, i + 1)
    tf.print("end")
    return n


@case("effect_order", (f32([1.0, 2.5]), b(True), s("text")))
def prints_of_values(v, t, text):
    tf.print(v)
    tf.print("v:", v, "t:", t)
    tf.print(text)
    tf.print(tf.reduce_sum(v), tf.shape(v), v > 1.0, [v, t])
    return v


@case("ml_programs", (f32([[1.0, 2.0], [3.0, 4.0]]), f32([0.5, -0.5])), compare="approx:1e-5")
def rnn_cell_unrolled(x, h):
    w = tf.constant([[0.1, 0.2], [0.3, 0.4]])
    for t in tf.range(tf.shape(x)[0]):
        h = tf.tanh(tf.linalg.matvec(w, h) + x[t])
    return h, tf.nn.softmax(h)


@case("ml_programs", (f32([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]),), compare="approx:1e-5")
def attention(x):
    scores = tf.matmul(x, x, transpose_b=True) / tf.sqrt(tf.cast(tf.shape(x)[-1], tf.float32))
    mask = tf.linalg.band_part(tf.ones_like(scores), -1, 0)
    scores = scores * mask - 1e9 * (1.0 - mask)
    return tf.matmul(tf.nn.softmax(scores), x)


@case("ml_programs", (f32([[1.0, 2.0], [3.0, 5.0], [-1.0, 0.5]]),), compare="approx:1e-5")
def layer_and_batch_norm(x):
    mean, variance = tf.nn.moments(x, axes=[0])
    return ((x - mean) * tf.math.rsqrt(variance + 1e-3), tf.math.l2_normalize(x, axis=1), tf.clip_by_norm(x, 1.0),
            tf.math.reduce_std(x, axis=1), tf.reduce_mean(tf.square(x - mean)))


# ---------------------------------------------------------------- gradients

def grad(fn, *xs):
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = fn(*xs)
    return tape.gradient(y, xs)


@case("grad_edges", (f32([0.0, -0.0, 6.0, 1.0, -1.0, 7.0, -1000.0, 1000.0]),), (f32([INF, -INF, NAN]),), compare="approx:1e-4")
def grad_activations(x):
    return (grad(tf.nn.relu, x), grad(tf.nn.relu6, x), grad(tf.nn.elu, x), grad(tf.nn.selu, x),
            grad(lambda v: tf.nn.leaky_relu(v, 0.25), x), grad(tf.nn.softplus, x), grad(tf.nn.softsign, x), grad(tf.sigmoid, x),
            grad(tf.tanh, x))


@case("grad_edges", (f32([0.0, -0.0, 2.0, -3.0, INF, -INF, NAN]),), tags=["signed_zero_platform_dependent"])
def grad_abs_sign_square(x):
    return grad(tf.abs, x), grad(tf.sign, x), grad(tf.square, x), grad(lambda v: -v, x)


@case("grad_edges", (f32([0.0, -0.0, -1.0, 4.0, INF, NAN]),), compare="approx:1e-6")
def grad_roots_and_logarithms(x):
    return (grad(tf.sqrt, x), grad(tf.math.rsqrt, x), grad(tf.math.log, x), grad(tf.math.log1p, x), grad(tf.math.reciprocal, x),
            grad(tf.exp, x), grad(tf.math.expm1, x), grad(tf.sin, x))


@case("grad_edges", (f32([0.0, 0.0, 0.0, 0.0, 0.0, -2.0, -2.0, 2.0, -2.0]), f32([0.0, 1.0, 2.0, 0.5, -1.0, 2.0, 3.0, -1.0, 0.5])),
      compare="approx:1e-6")
def grad_powers(x, y):
    return grad(tf.pow, x, y), grad(lambda v: v ** 2.0, x), grad(lambda v: 2.0 ** v, y)


@case("grad_edges", (f32([0.0, -1.0, 4.0, 0.25]),), compare="approx:1e-6")
def grad_dead_branches(x):
    return (grad(lambda v: tf.where(v > 0.0, tf.sqrt(v), 0.0), x), grad(lambda v: tf.where(v > 0.0, tf.math.rsqrt(v), 0.0), x),
            grad(lambda v: tf.where(v > 0.0, tf.math.log(v), 0.0), x), grad(lambda v: tf.where(v > 0.0, 1.0 / v, 0.0), x),
            grad(lambda v: tf.where(v > 0.0, tf.pow(v, 0.5), 0.0), x), grad(lambda v: tf.where(v < 1.0, tf.acos(v), 0.0), x),
            grad(lambda v: tf.where(v > 0.0, tf.math.reciprocal(v), 0.0), x))


@case("grad_edges", (f32([0.0, 0.0, 2.0, 2.0, -1.0]), f32([0.0, 3.0, 0.0, 4.0, 0.5])), compare="approx:1e-6")
def grad_without_nan(x, y):
    return (grad(tf.math.divide_no_nan, x, y), grad(tf.math.xlogy, x, y), grad(tf.math.xlog1py, x, y), grad(tf.math.xdivy, x, y))


@case("grad_edges", (f32([[0.0, 2.0, 3.0], [0.0, 0.0, 3.0], [4.0, 2.0, 3.0]]),), (f32([[1.0, 1.0, 0.0], [-1.0, 2.0, 2.0], [0.0, 0.0, 0.0]]),),
      compare="approx:1e-6")
def grad_reductions(x):
    return (grad(tf.reduce_prod, x), grad(lambda v: tf.reduce_prod(v, 1), x),
            grad(lambda v: tf.reduce_max(v, 1), x), grad(lambda v: tf.reduce_min(v, [0, 1]), x), grad(lambda v: tf.reduce_mean(v, 0), x),
            grad(lambda v: tf.math.cumsum(v, 1, exclusive=True), x), grad(lambda v: tf.reduce_logsumexp(v, 1), x))


@case("grad_edges", (f32([[3.0, 4.0], [0.0, 0.0]]),), compare="approx:1e-6")
def grad_norms(x):
    return (grad(lambda v: tf.norm(v, axis=1), x), grad(lambda v: tf.math.l2_normalize(v, 1), x), grad(lambda v: tf.norm(v, 1), x),
            grad(lambda v: tf.math.reduce_variance(v, 1), x))


@case("grad_edges", (f32([-1.0, 0.0, 0.5, 1.0, 2.0, NAN]),))
def grad_clip_at_bounds(x):
    return (grad(lambda v: tf.clip_by_value(v, 0.0, 1.0), x), grad(lambda v: tf.minimum(tf.maximum(v, 0.0), 1.0), x))


@case("grad_edges", (f32([7.5, -7.5, 4.0, 0.0]), f32([2.0, 2.0, -2.0, 3.0])))
def grad_remainders(a, b):
    return grad(tf.math.floormod, a, b), grad(tf.divide, a, b)


@case("grad_none", (f32([1.5, -2.5, 0.0]),))
def grad_steps(x):
    return (grad(tf.round, x), grad(tf.floor, x), grad(tf.math.ceil, x), grad(lambda v: v // 2.0, x),
            grad(lambda v: tf.cast(tf.cast(v, tf.int32), tf.float32), x), grad(lambda v: tf.cast(v > 0.0, tf.float32), x),
            grad(lambda v: tf.cast(tf.argmax(v), tf.float32), x), grad(lambda v: tf.cast(tf.argsort(v), tf.float32), x),
            grad(lambda v: tf.one_hot(tf.cast(v, tf.int32), 3), x), grad(lambda v: tf.cast(tf.shape(v), tf.float32), x))


@case("grad_edges", (f32([2.0, 5.0, 5.0, 1.0]),), (f32([1.0, 1.0, 1.0, 1.0]),))
def grad_order_with_ties(x):
    w = tf.constant([1.0, 2.0, 3.0, 4.0])
    return (grad(lambda v: tf.math.top_k(v, 2).values * w[:2], x), grad(lambda v: tf.sort(v) * w, x),
            grad(lambda v: tf.sort(v, direction="DESCENDING") * w, x), grad(lambda v: tf.gather(v, [1, 1, 3, 1]) * w, x),
            grad(lambda v: tf.reduce_max(v) * 2.0, x))


@case("grad_edges", (f32([3.0, 3.0, 1.0, 0.0, 2.0, 0.0]),), (f32([0.0, 0.0, 0.0, 4.0, 4.0, -4.0]),),
      tags=["signed_zero_platform_dependent"])
def grad_segments(x):
    ids = tf.constant([0, 0, 0, 2, 2, 2])
    mixed = tf.constant([1, 0, 1, -1, 0, 1])
    w = tf.constant([1.0, 2.0, 3.0])
    return (grad(lambda v: tf.math.segment_max(v, ids) * w, x), grad(lambda v: tf.math.segment_min(v, ids) * w, x),
            grad(lambda v: tf.math.segment_sum(v, ids) * w, x), grad(lambda v: tf.math.segment_mean(v, ids) * w, x),
            grad(lambda v: tf.math.segment_prod(v, ids) * w, x), grad(lambda v: tf.math.unsorted_segment_max(v, mixed, 2) * w[:2], x),
            grad(lambda v: tf.math.unsorted_segment_sum(v, mixed, 2) * w[:2], x),
            grad(lambda v: tf.math.unsorted_segment_prod(v, mixed, 2) * w[:2], x))


@case("grad_edges", (f32([[1.0, 3.0, 3.0, 0.0], [3.0, 2.0, 5.0, 5.0], [0.0, 0.0, -1.0, -1.0]]),), compare="approx:1e-6")
def grad_poolings(m):
    x = m[tf.newaxis, :, :, tf.newaxis]
    pool = lambda op, padding: lambda v: op(v, 2, [1, 2], padding) ** 2.0
    return (grad(pool(tf.nn.max_pool2d, "VALID"), x), grad(pool(tf.nn.max_pool2d, "SAME"), x), grad(pool(tf.nn.avg_pool2d, "VALID"), x),
            grad(pool(tf.nn.avg_pool2d, "SAME"), x))


@case("grad_shapes", (f32([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]), f32([[1.0, -1.0], [2.0, 0.5]])), compare="approx:1e-6")
def grad_convolutions(m, k):
    x, f = m[tf.newaxis, :, :, tf.newaxis], k[:, :, tf.newaxis, tf.newaxis]
    two = tf.concat([x, x * x], 3)
    depthwise = tf.concat([f, f * 2.0], 2)
    return (grad(lambda a, b: tf.nn.conv2d(a, b, 1, "SAME"), x, f), grad(lambda a, b: tf.nn.conv2d(a, b, 2, "VALID") ** 2.0, x, f),
            grad(lambda a, b: tf.nn.depthwise_conv2d(a, b, [1, 1, 1, 1], "VALID") ** 2.0, two, depthwise),
            grad(lambda a, b: tf.nn.conv2d_transpose(a, b, [1, 4, 4, 1], 1, "VALID") ** 2.0, x, f))


@case("grad_edges", (f32([[1e4, 0.0, -1e4], [0.0, 0.0, 0.0], [1.0, 2.0, 3.0]]), f32([[0.0, 0.0, 1.0], [0.2, 0.3, 0.5], [1.0, 0.0, 0.0]])),
      compare="approx:1e-6")
def grad_cross_entropies(z, y):
    return (grad(lambda v: tf.nn.softmax_cross_entropy_with_logits(y, v), z), grad(lambda v: tf.nn.sigmoid_cross_entropy_with_logits(y, v), z),
            grad(lambda v: tf.nn.softmax(v)[:, 0], z), grad(lambda v: tf.nn.log_softmax(v)[:, 0], z))


@case("grad_edges", (f32([0.0, 1.0, -1.0, 1000.0, -1000.0, INF, -INF]),), compare="approx:1e-6")
def grad_functions_at_extremes(x):
    return (grad(tf.math.expm1, x), grad(tf.math.log1p, x), grad(tf.math.softplus, x), grad(tf.math.erf, x), grad(tf.math.erfc, x),
            grad(tf.asin, x), grad(tf.acos, x), grad(tf.atan, x), grad(tf.asinh, x), grad(tf.acosh, x), grad(tf.atanh, x))


@case("grad_edges", (f32([0.0, 0.0, 1.0, -0.0]), f32([0.0, 1.0, 0.0, -1.0])), compare="approx:1e-6")
def grad_angles(y, x):
    return grad(tf.atan2, y, x), grad(lambda a, b: tf.sqrt(a * a + b * b), y, x)


@case("grad_edges", (f32([[1.0, 2.0], [2.0, 0.0]]), f32([2.0, 0.0])))
def grad_ties_broadcast(a, b):
    return (grad(tf.maximum, a, b), grad(tf.minimum, a, b), grad(lambda p, q: tf.maximum(q, p), a, b),
            grad(lambda p, q: tf.math.squared_difference(p, q), a, b))


@case("grad_second_order", (f32([0.0, 1.0, -1.0, 4.0]),), compare="approx:1e-4")
def grad_second_order_edges(x):
    def second(fn):
        return grad(lambda v: grad(fn, v)[0], x)
    return (second(tf.abs), second(tf.square), second(lambda v: v ** 3.0), second(tf.nn.softplus), second(tf.tanh),
            second(lambda v: tf.reduce_prod(v + 2.0)), second(tf.exp), second(lambda v: tf.reduce_max(v * v)))


@case("grad_second_order", (f32([0.0, 1.0, -1.0]),))
def grad_second_order_of_steps(x):
    return grad(lambda v: grad(tf.nn.relu, v)[0], x)


@case("grad_second_order", (f32([0.0, 2.0, 3.0]),))
def grad_second_order_of_product(x):
    return grad(lambda v: grad(tf.reduce_prod, v)[0], x)


@case("grad_shapes", (f32([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]),))
def grad_arrangements(x):
    w = tf.constant([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    flat = lambda v: tf.reshape(v, [-1])
    return (grad(lambda v: flat(tf.tile(v, [1, 2])) * tf.concat([w, w], 0), x), grad(lambda v: flat(tf.roll(v, 1, 1)) * w, x),
            grad(lambda v: flat(tf.repeat(v, 2, 0)) * tf.concat([w, w], 0), x), grad(lambda v: flat(tf.reverse(v, [1])) * w, x),
            grad(lambda v: flat(tf.pad(v, [[1, 0], [0, 1]]))[:6] * w, x), grad(lambda v: v[:, ::-2] * 3.0, x),
            grad(lambda v: tf.gather(v, [2, 0, 2], axis=1) * 2.0, x), grad(lambda v: tf.linalg.band_part(v, 0, 1), x),
            grad(lambda v: tf.linalg.diag_part(v) * [1.0, 10.0], x), grad(lambda v: tf.linalg.diag(v) * 2.0, x))


@case("grad_shapes", (f32([[1.0, 2.0], [3.0, 4.0]]), f32([[0.5, -1.0], [2.0, 1.0]])), compare="approx:1e-6")
def grad_sums_of_products(a, b):
    return (grad(lambda p, q: tf.einsum("ij,jk->ik", p, q), a, b), grad(lambda p, q: tf.einsum("ij,kj->", p, q), a, b),
            grad(lambda p: tf.einsum("ii->i", p) * [1.0, 2.0], a), grad(lambda p: tf.einsum("ij->j", p) ** 2.0, a),
            grad(lambda p, q: tf.einsum("...j,...j->...", p, q) ** 2.0, a, b), grad(lambda p, q: tf.tensordot(p, q, [[0], [1]]) ** 2.0, a, b),
            grad(lambda p, q: tf.tensordot(p, q, 0), a, b))


@case("grad_while", (f32(2.0), f32(1e-3)), (f32(10.0), f32(0.5)), (f32(0.0), f32(0.5)), compare="approx:1e-4")
def grad_newton_root(x, tolerance):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x + 1.0
        while tf.abs(y * y - x) > tolerance:
            y = 0.5 * (y + x / y)
    return y, tape.gradient(y, x)


@case("grad_for", (f32([1.0, 2.0, 3.0]), f32(0.5)), (f32([-1.0, 5.0, 2.0]), f32(2.0)), compare="approx:1e-5", tags=["tf_limitation"])
def grad_early_return_in_loop(v, a):
    def until(v, a):
        s = a
        for e in v:
            s = s * e + a
            if s > 4.0:
                return s * s
        return s
    return grad(until, v, a)


@case("grad_for", (f32([[1.0, 2.0], [3.0, 4.0]]), i32(3)), (f32([[0.0, 1.0], [1.0, 0.0]]), i32(1)), compare="approx:1e-5")
def grad_matrix_powers_in_loop(m, n):
    with tf.GradientTape() as tape:
        tape.watch(m)
        p = tf.eye(2)
        rows = tf.TensorArray(tf.float32, size=n)
        for i in tf.range(n):
            p = tf.matmul(p, m)
            rows = rows.write(i, tf.reduce_sum(p[:, 0]))
        y = tf.reduce_sum(rows.stack() * tf.cast(tf.range(n) + 1, tf.float32))
    return y, tape.gradient(y, m)


@case("grad_cond", (f32(0.5), i32(0)), (f32(0.5), i32(1)), (f32(0.5), i32(2)), (f32(-0.5), i32(7)), compare="approx:1e-6")
def grad_nested_choices(x, k):
    def choose(v):
        if k == 0:
            y = tf.exp(v)
        elif k == 1:
            if v > 0.0:
                y = v * v
            else:
                y = -v
        else:
            y = tf.constant(3.0)
        return y * v
    return grad(choose, x)


@case("grad_while", (f32(3.0), i32(4)), (f32(0.5), i32(0)), compare="approx:1e-5")
def grad_tape_inside_loop(x, n):
    y = x
    for _ in tf.range(n):
        with tf.GradientTape() as tape:
            tape.watch(y)
            loss = (y * y - 2.0) ** 2.0
        y = y - 0.01 * tape.gradient(loss, y)
    return y


# ---------------------------------------------------------------- whole programs

@case("algorithms", (i32(2),), (i32(30),), (i32(31),))
def sieve(n):
    prime = tf.concat([[False, False], tf.ones([n - 1], tf.bool)], 0)
    i = 2
    while i * i <= n:
        if prime[i]:
            j = i * i
            while j <= n:
                prime = tf.tensor_scatter_nd_update(prime, [[j]], [False])
                j += i
        i += 1
    return tf.reshape(tf.where(prime), [-1])


@case("algorithms", (i32([1, 2, 3, 4]), i32([2, 4, 4])), (i32([5]), i32([5])), (empty(tf.int32, 0), i32([7, 8])))
def edit_distance(a, b):
    row = tf.range(tf.size(b) + 1)
    for i in tf.range(tf.size(a)):
        last = row[0]
        row = tf.tensor_scatter_nd_update(row, [[0]], [last + 1])
        for j in tf.range(tf.size(b)):
            if a[i] == b[j]:
                best = last
            else:
                best = 1 + tf.minimum(last, tf.minimum(row[j], row[j + 1]))
            last = row[j + 1]
            row = tf.tensor_scatter_nd_update(row, [[j + 1]], [best])
    return row[-1]


@case("algorithms", (f64([1.0, 0.0]), f64(0.1), i32(20)), (f64([0.0, 2.0]), f64(0.5), i32(3)), compare="approx:1e-12")
def runge_kutta(y, h, n):
    def slope(y):
        return tf.stack([y[1], -y[0]])
    energy = 0.5 * tf.reduce_sum(y * y)
    for _ in tf.range(n):
        k1 = slope(y)
        k2 = slope(y + h / 2.0 * k1)
        k3 = slope(y + h / 2.0 * k2)
        k4 = slope(y + h * k3)
        y = y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return y, 0.5 * tf.reduce_sum(y * y) / energy


@case("algorithms", (b([[False, True, False, False], [True, False, True, False], [False, True, False, False], [False, False, False, False]]), i32(0)),
      (b([[False, True, False, False], [True, False, True, False], [False, True, False, False], [False, False, False, False]]), i32(3)))
def breadth_first(adjacent, start):
    n = tf.shape(adjacent)[0]
    distance = tf.where(tf.range(n) == start, 0, -1)
    frontier = tf.range(n) == start
    d = 0
    while tf.reduce_any(frontier):
        reached = tf.reduce_any(adjacent & frontier[:, None], axis=0)
        frontier = reached & (distance < 0)
        d += 1
        distance = tf.where(frontier, d, distance)
    return distance, d


@case("algorithms", (i64(0),), (i64(10),), (i64(90),))
def fibonacci_by_squaring(n):
    result = tf.eye(2, dtype=tf.int64)
    base = tf.constant([[1, 1], [1, 0]], tf.int64)
    while n > 0:
        if n % 2 == 1:
            result = tf.matmul(result, base)
        base = tf.matmul(base, base)
        n //= 2
    return result[0, 1]


@case("algorithms", (i32([1, 1, 2, 2, 2, 3]),), (i32([9]),), (i32([4, 5, 4]),))
def run_lengths(v):
    values = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
    counts = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
    k = 0
    current, count = v[0], 1
    for x in v[1:]:
        if x == current:
            count += 1
        else:
            values, counts = values.write(k, current), counts.write(k, count)
            k += 1
            current, count = x, 1
    values, counts = values.write(k, current), counts.write(k, count)
    return values.stack(), counts.stack()


@case("algorithms", (f32([-2.0, -0.5, 0.0, 0.3]), f32([0.0, 0.5, 0.0, 0.6]), i32(20)), compare="approx:1e-5")
def mandelbrot(re, im, limit):
    x, y = tf.zeros_like(re), tf.zeros_like(im)
    steps = tf.zeros_like(re, tf.int32)
    for i in tf.range(limit):
        inside = x * x + y * y <= 4.0
        if not tf.reduce_any(inside):
            break
        x, y = tf.where(inside, x * x - y * y + re, x), tf.where(inside, 2.0 * x * y + im, y)
        steps += tf.cast(inside, tf.int32)
    return steps


@case("algorithms", (i32([2, 7, 11, 15]), i32(18)), (i32([1, 2]), i32(5)), (i32([3, 3]), i32(6)), tags=["tf_limitation"])
def two_sum(v, target):
    for i in tf.range(tf.size(v)):
        for j in tf.range(i + 1, tf.size(v)):
            if v[i] + v[j] == target:
                return i, j
    return -1, -1


@case("algorithms", (i32([1, 4, 9]), i32([2, 3, 10, 11])), (i32([5]), empty(tf.int32, 0)))
def merge_sorted(a, b):
    out = tf.TensorArray(tf.int32, size=tf.size(a) + tf.size(b))
    i, j = 0, 0
    while i + j < tf.size(a) + tf.size(b):
        if j == tf.size(b):
            take_a = True
        elif i == tf.size(a):
            take_a = False
        else:
            take_a = a[i] <= b[j]
        if take_a:
            out = out.write(i + j, a[i])
            i += 1
        else:
            out = out.write(i + j, b[j])
            j += 1
    return out.stack()


@case("algorithms", (f32([[0.0, 1.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),), compare="approx:1e-5")
def page_rank(links):
    n = tf.shape(links)[0]
    rank = tf.fill([n], 1.0 / tf.cast(n, tf.float32))
    out = links / tf.reduce_sum(links, axis=1, keepdims=True)
    delta = tf.constant(1.0)
    steps = 0
    while delta > 1e-4 and steps < 50:
        new = 0.15 / tf.cast(n, tf.float32) + 0.85 * tf.linalg.matvec(out, rank, transpose_a=True)
        delta = tf.reduce_max(tf.abs(new - rank))
        rank = new
        steps += 1
    return rank


@case("ml_programs", (f32([[0.0, 0.0], [0.2, 0.1], [5.0, 5.0], [5.2, 4.9], [0.1, 0.3]]), i32(10)), compare="approx:1e-5")
def k_means(points, limit):
    centers = points[:2]
    labels = tf.zeros([tf.shape(points)[0]], tf.int32)
    for step in tf.range(limit):
        distance = tf.reduce_sum((points[:, None, :] - centers[None, :, :]) ** 2, axis=-1)
        new = tf.argmin(distance, axis=1, output_type=tf.int32)
        if step > 0 and tf.reduce_all(new == labels):
            break
        labels = new
        centers = tf.math.unsorted_segment_mean(points, labels, 2)
    return centers, labels


@case("ml_programs", (i32([0, 1, 2, 1]),), (i32([2]),), compare="approx:1e-5")
def viterbi(seen):
    start = tf.math.log([0.6, 0.4])
    move = tf.math.log([[0.7, 0.3], [0.4, 0.6]])
    emit = tf.math.log([[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]])
    n = tf.size(seen)
    back = tf.TensorArray(tf.int32, size=n)
    back = back.write(0, [0, 0])
    score = start + emit[:, seen[0]]
    for t in tf.range(1, n):
        all_scores = score[:, None] + move
        back = back.write(t, tf.argmax(all_scores, axis=0, output_type=tf.int32))
        score = tf.reduce_max(all_scores, axis=0) + emit[:, seen[t]]
    pointers = back.stack()
    state = tf.argmax(score, output_type=tf.int32)
    path = tf.TensorArray(tf.int32, size=n)
    for t in tf.range(n - 1, -1, -1):
        path = path.write(t, state)
        state = pointers[t, state]
    return path.stack(), tf.reduce_max(score)


@case("ml_programs", (f32([[0.1, 0.6, 0.3], [0.5, 0.2, 0.3], [0.2, 0.2, 0.6]]), i32(3)), compare="approx:1e-5")
def beam_search(table, steps):
    width = 2
    logs = tf.math.log(table)
    scores = tf.constant([0.0, float("-inf")])
    beams = tf.zeros([width, 1], tf.int32)
    for _ in tf.range(steps):
        tf.autograph.experimental.set_loop_options(shape_invariants=[(beams, tf.TensorShape([2, None]))])
        candidates = scores[:, None] + tf.gather(logs, beams[:, -1])
        best, index = tf.math.top_k(tf.reshape(candidates, [-1]), k=width)
        rows, tokens = index // 3, index % 3
        beams = tf.concat([tf.gather(beams, rows), tokens[:, None]], axis=1)
        scores = best
    return beams, scores


@case("ml_programs", (f32([[[1.0, 0.0], [0.5, -0.5], [0.0, 1.0]], [[0.2, 0.2], [9.0, 9.0], [9.0, 9.0]]]), i32([3, 1])), compare="approx:1e-5")
def masked_recurrence(x, lengths):
    w = tf.constant([[0.5, -0.3], [0.1, 0.8]])
    h = tf.zeros([tf.shape(x)[0], 2])
    for t in tf.range(tf.shape(x)[1]):
        z = tf.sigmoid(tf.matmul(x[:, t], w))
        new = (1.0 - z) * h + z * tf.tanh(tf.matmul(h, w) + x[:, t])
        h = tf.where((t < lengths)[:, None], new, h)
    return h


@case("ml_programs", (f32([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]]), f32([1.0, 0.0, 1.0, 0.0])), compare="approx:1e-4", tags=["tf_limitation"])
def logistic_regression(x, y):
    w, b = tf.zeros([2]), tf.constant(0.0)
    step = 0
    loss = tf.constant(float("inf"))
    while step < 100:
        with tf.GradientTape() as tape:
            tape.watch([w, b])
            logits = tf.linalg.matvec(x, w) + b
            new = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
        gw, gb = tape.gradient(new, [w, b])
        w, b = w - gw, b - gb
        step += 1
        if loss - new < 1e-3:
            break
        loss = new
    return w, b, step


@case("ml_programs", (f32([[1.0, 2.0, 0.5], [0.1, 0.2, 3.0]]), i32([1, 2])), compare="approx:1e-5")
def softmax_regression_gradient(logits, labels):
    target = tf.one_hot(labels, 3)
    smooth = 0.9 * target + 0.1 / 3.0
    p = tf.nn.softmax(logits)
    loss = tf.reduce_mean(-tf.reduce_sum(smooth * tf.nn.log_softmax(logits), axis=1))
    accuracy = tf.reduce_mean(tf.cast(tf.argmax(logits, 1, output_type=tf.int32) == labels, tf.float32))
    return loss, (p - smooth) / 2.0, accuracy


@case("grad_while", (f64([-1.2, 1.0]), f64(1e-3)), (f64([0.9, 0.9]), f64(1e-2)), compare="approx:1e-9")
def rosenbrock_descent(p, rate):
    m = tf.zeros_like(p)
    step = 0
    value = tf.constant(float("inf"), tf.float64)
    while value > 0.1 and step < 300:
        with tf.GradientTape() as tape:
            tape.watch(p)
            value = (1.0 - p[0]) ** 2 + 100.0 * (p[1] - p[0] ** 2) ** 2
        g = tape.gradient(value, p)
        norm = tf.norm(g)
        if norm > 1.0:
            g = g / norm
        m = 0.9 * m + g
        p = p - rate * m
        step += 1
    return p, value, step


@case("grad_for", (f32(0.5), i32(3)), (f32(2.0), i32(0)), (f32(-1.5), i32(5)), compare="approx:1e-5")
def gradient_of_branches_in_a_loop(x, n):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for i in tf.range(n):
            if y > 1.0:
                y = tf.sqrt(y) * x
            elif y < -1.0:
                break
            else:
                y = y * y + x
    return y, tape.gradient(y, x)


@case("for_dataset", (f32([1.0, 2.0, 3.0, 4.0, 5.0]), i32([1, 0, 1, 1, 0])))
def dataset_batches(xs, ys):
    count, total, sizes = 0, 0.0, ""
    for x, y in tf.data.Dataset.from_tensor_slices((xs, ys)).batch(2):
        count += 1
        total += tf.reduce_sum(x * tf.cast(y, tf.float32))
        sizes = sizes + tf.strings.as_string(tf.size(x))
    return count, total, sizes


@case("for_dataset", (i64(4),), (i64(100),), (i64(-1),))
def dataset_range_break(limit):
    s = tf.constant(0, tf.int64)
    last = tf.constant(-1, tf.int64)
    for i in tf.data.Dataset.range(10):
        if i % 3 == 1:
            continue
        if i > limit:
            break
        s += i
        last = i
    return s, last


@case("for_dataset", (i32([5, 3, 8, 1, 9, 2]), i32(4)))
def dataset_map_filter(v, low):
    total = 0
    positions = tf.constant(0, tf.int64)
    d = tf.data.Dataset.from_tensor_slices(v).map(lambda x: x * 2).filter(lambda x: x > 2 * low)
    for i, x in d.enumerate():
        total += x
        positions = positions * 10 + i
    return total, positions


@case("for_dataset", (i32([1, 2, 3]),), tags=["tf_limitation"])
def dataset_return_inside(v):
    for x in tf.data.Dataset.from_tensor_slices(v).repeat(2).skip(1).take(4):
        if x == 3:
            return x * 10
    return 0


@case("for_dataset", (i32([0, 1, 2, 3, 4, 5, 6]),), (i32([7, 8]),), (empty(tf.int32, 0),))
def dataset_windows(v):
    rows = tf.data.Dataset.from_tensor_slices(v)
    text = ""
    for size, shift, stride in [(3, 3, 1), (3, 1, 1), (3, 1, 2), (2, 4, 3), (3, 3, 2), (1, 3, 5), (2, 3, 3), (4, 9, 1), (2, 20, 1)]:
        for drop in [False, True]:
            for w in rows.window(size, shift, stride, drop).flat_map(lambda w: w.batch(10)):
                text = text + tf.strings.reduce_join(tf.strings.as_string(w)) + " "
            text = text + "/"
    return text


if __name__ == "__main__":
    main()
