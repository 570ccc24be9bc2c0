"""Programs from the corners of the families of cases.json: nested ways out, arrays that grow, shapes that change in a loop, strings in control flow,
state in branches, effects in order, gradients by hand, integers that wrap. With TensorFlow's answers, as siblings.py records them.

    python corners.py > corners.json
"""

from asking import *


# ---------------------------------------------------------------- ways out of nested loops

@case("nested_break", (i32([[1, 2], [3, -4], [5, 6]]), i32(100)), (i32([[1, 2], [3, 4], [5, 6]]), i32(9)), (i32([[0, 0]]), i32(1)), tags=["tf_limitation"])
def break_continue_return_in_two_loops(m, limit):
    total, seen = 0, 0
    for row in m:
        for x in row:
            seen += 1
            if x == 0:
                continue
            if x < 0:
                break
            total += x
            if total > limit:
                return total, -seen
    return total, seen


@case("nested_break", (i32(30),), (i32(4),), (i32(0),))
def first_pythagorean_triple(n):
    a, b, c = 0, 0, 0
    found = False
    for i in tf.range(1, n):
        for j in tf.range(i, n):
            k = j
            while k * k < i * i + j * j:
                k += 1
            if k * k == i * i + j * j and k < n:
                a, b, c = i, j, k
                found = True
                break
        if found:
            break
    return a, b, c, found


@case("return_in_loop", (i32([3, 1, 4, 1, 5]), i32(1)), (i32([3, 1]), i32(9)), (empty(tf.int32, 0), i32(1)), tags=["tf_limitation"])
def return_from_while_true(v, key):
    i = 0
    while True:
        if i >= tf.size(v):
            return -1, i
        if v[i] == key:
            j = i + 1
            while j < tf.size(v):
                if v[j] == key:
                    return i, j
                j += 1
            return i, i
        i += 1


@case("continue", (i32(20),), (i32(1),))
def continue_in_both_loops(n):
    s = 0
    i = 0
    while i < n:
        i += 1
        if i % 3 == 0:
            continue
        j = 0
        while j < i:
            j += 2
            if (i + j) % 5 == 0:
                continue
            if j > 8:
                break
            s += i * j
    return s, i


@case("early_return", (i32(5), b(True)), (i32(-5), b(True)), (i32(0), b(False)), (i32(7), b(False)), tags=["tf_limitation"])
def returns_under_two_conditions(x, flag):
    if flag:
        if x > 0:
            return x, "positive"
        x = -x
        if x > 3:
            return x * 10, "large"
    elif x == 0:
        return x, "zero"
    for _ in tf.range(3):
        x += 1
        if x % 4 == 0:
            return x, "fours"
    return x, "rest"


# ---------------------------------------------------------------- arrays that grow

@case("tensorarray", (i32(13),), (i32(1),), (i32(0),))
def array_grows_by_its_size(n):
    ta = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
    while n > 0:
        ta = ta.write(ta.size(), n % 2)
        n //= 2
    return ta.stack(), ta.size()


@case("tensorarray", (i32(3),), (i32(0),))
def array_with_gaps(n):
    ta = tf.TensorArray(tf.float32, size=0, dynamic_size=True, element_shape=[2])
    for i in tf.range(n):
        ta = ta.write(i * 2 + 1, tf.stack([1.0, tf.cast(i, tf.float32)]))
    return ta.stack()


@case("tensorarray", (s(["a", "bb", "", "ccc"]),), (s(["", ""]),))
def array_of_strings(words):
    ta = tf.TensorArray(tf.string, size=0, dynamic_size=True)
    k = 0
    for w in words:
        if tf.strings.length(w) > 0:
            ta = ta.write(k, tf.strings.join([w, "!"]))
            k += 1
    return ta.size(), tf.strings.reduce_join(ta.stack(), separator=" ")


@case("algorithms", (s("3 4 + 2 *"),), (s("10 2 8 * - 7 +"),), (s("5"),))
def reverse_polish(text):
    stack = tf.TensorArray(tf.int32, size=16, clear_after_read=False)
    top = 0
    for word in tf.strings.split(text):
        if word == "+" or word == "-" or word == "*":
            b, a = stack.read(top - 1), stack.read(top - 2)
            if word == "+":
                r = a + b
            elif word == "-":
                r = a - b
            else:
                r = a * b
            top -= 1
            stack = stack.write(top - 1, r)
        else:
            stack = stack.write(top, tf.strings.to_number(word, tf.int32))
            top += 1
    return stack.read(0), top


@case("tensorarray", (i32(4),), (i32(0),))
def two_arrays_in_one_loop(n):
    evens = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
    odds = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
    for i in tf.range(2 * n):
        if i % 2 == 0:
            evens = evens.write(evens.size(), i)
        else:
            odds = odds.write(odds.size(), i * i)
    return evens.size(), odds.size(), tf.reduce_sum(evens.stack()), tf.reduce_sum(odds.stack())


# ---------------------------------------------------------------- shapes that change in a loop

@case("while", (i32([1]), i32(6)), (i32([1, 2, 3]), i32(2)))
def vector_grows_in_a_loop(x, n):
    while tf.size(x) < n:
        tf.autograph.experimental.set_loop_options(shape_invariants=[(x, tf.TensorShape([None]))])
        x = tf.concat([x, x[-1:] * 2], 0)
    return x


@case("while", (i32(30),), (i32(3),))
def sieve_by_masks(n):
    left = tf.range(2, n)
    primes = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
    while tf.size(left) > 0:
        tf.autograph.experimental.set_loop_options(shape_invariants=[(left, tf.TensorShape([None]))])
        p = left[0]
        primes = primes.write(primes.size(), p)
        left = tf.boolean_mask(left, left % p != 0)
    return primes.stack()


@case("loop_state", (f32([[1.0, 2.0]]), i32(3)), (f32([[1.0], [2.0]]), i32(0)))
def matrix_doubles_its_rows(m, n):
    for _ in tf.range(n):
        tf.autograph.experimental.set_loop_options(shape_invariants=[(m, tf.TensorShape([None, None]))])
        m = tf.concat([m, m * 0.5], 0)
    return tf.shape(m), tf.reduce_sum(m)


@case("algorithms", (i32([5, 3, 9, 1, 7, 3]),), (i32([2]),), (empty(tf.int32, 0),))
def quick_select_median(v):
    k = tf.size(v) // 2
    answer = -1
    while tf.size(v) > 0:
        tf.autograph.experimental.set_loop_options(shape_invariants=[(v, tf.TensorShape([None]))])
        pivot = v[tf.size(v) // 2]
        below, same = tf.boolean_mask(v, v < pivot), tf.boolean_mask(v, v == pivot)
        if k < tf.size(below):
            v = below
        elif k < tf.size(below) + tf.size(same):
            answer = pivot
            break
        else:
            k -= tf.size(below) + tf.size(same)
            v = tf.boolean_mask(v, v > pivot)
    return answer


@case("shape_ops", (f32([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), i32(2)), (f32([[1.0]]), i32(5)))
def tiles_by_a_size_of_the_run(x, n):
    rows = tf.shape(x)[0]
    y = tf.tile(x, tf.stack([n, 1]))
    z = tf.reshape(y, tf.stack([rows, n, -1]))
    return tf.shape(z), tf.reduce_sum(z, 1), tf.fill(tf.stack([n, rows]), n)


# ---------------------------------------------------------------- strings in control flow

@case("algorithms", (s(["push", "push", "pop", "halt", "push"]),), (s(["pop", "what"]),), (empty(tf.string, 0),))
def machine_over_words(words):
    depth, deepest = 0, 0
    state = "running"
    for w in words:
        if w == "push":
            depth += 1
        elif w == "pop":
            if depth == 0:
                state = "underflow"
                break
            depth -= 1
        elif w == "halt":
            state = "halted"
            break
        else:
            state = tf.strings.join(["bad ", w])
            break
        deepest = tf.maximum(deepest, depth)
    return state, depth, deepest


@case("while", (s("abc"), i32(7)), (s(""), i32(3)))
def text_doubles(text, n):
    steps = 0
    while tf.strings.length(text) < n:
        text = tf.strings.join([text, text, "-"])
        steps += 1
    return text, steps


@case("algorithms", (s("racecar"),), (s("ab"),), (s(""),), tags=["tf_limitation"])
def palindrome_by_characters(word):
    n = tf.strings.length(word)
    for i in tf.range(n // 2):
        if tf.strings.substr(word, i, 1) != tf.strings.substr(word, n - 1 - i, 1):
            return False, i
    return True, n


@case("switch_case", (s("b"), i32(3)), (s("a"), i32(3)), (s("z"), i32(3)))
def branch_by_name(name, x):
    return tf.case([(name == "a", lambda: x + 1), (name == "b", lambda: x * 10)], default=lambda: -x)


# ---------------------------------------------------------------- gradients through control flow

@case("grad_cond", (f32(2.0), f32(3.0)), (f32(-2.0), f32(3.0)), (f32(-2.0), f32(-3.0)))
def grad_of_nested_choices_of_two(x, y):
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        if x > 0.0:
            if y > x:
                z = x * y * y
            else:
                z = x * x
        else:
            if y > 0.0:
                z = y / x
            else:
                z = tf.constant(7.0)
    return tape.gradient(z, [x, y], unconnected_gradients=tf.UnconnectedGradients.ZERO)


@case("grad_while", (f32(1.1), f32(50.0)), (f32(3.0), f32(1.0)))
def grad_of_a_power_tower_with_break(x, limit):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.constant(1.0)
        for i in tf.range(8):
            if i % 2 == 0:
                y = y * x
            else:
                y = y * y + x
            if y > limit:
                break
    return y, tape.gradient(y, x)


@case("grad_while", (f32([1.0, 2.0]), i32(3)), (f32([0.5]), i32(0)))
def grad_of_a_growing_vector(x, n):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in tf.range(n):
            tf.autograph.experimental.set_loop_options(shape_invariants=[(y, tf.TensorShape([None]))])
            y = tf.concat([y, tf.reduce_sum(y * y, keepdims=True) * 0.1], 0)
        z = tf.reduce_sum(y)
    return z, tape.gradient(z, x)


@case("grad_for", (f32([1.0, -2.0, 3.0, 0.5]),), (f32([2.0]),))
def grad_through_an_array_that_grows(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        ta = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        for v in x:
            if v > 0.0:
                ta = ta.write(ta.size(), v * v)
                ta = ta.write(ta.size(), v * 3.0)
        y = tf.reduce_sum(tf.cumsum(ta.stack()))
    return y, tape.gradient(y, x)


@case("grad_second_order", (f32(2.0),), (f32(-2.0),))
def second_gradient_in_a_branch(x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            if x > 0.0:
                y = x ** 4.0
            else:
                y = tf.sin(x) * x
        first = inner.gradient(y, x)
        if first > 10.0:
            first = first * x
    return first, outer.gradient(first, x)


@case("grad_for", (f32([0.2, 0.7, 1.4]),), compare="approx:1e-6")
def straight_through_rounding(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for i in tf.range(3):
            y = y * 1.5
            y = y + tf.stop_gradient(tf.round(y) - y)
        loss = tf.reduce_sum(y * y)
    return y, tape.gradient(loss, x)


@tf.custom_gradient
def clipped(x):
    def grad(upstream):
        return tf.clip_by_value(upstream, -1.0, 1.0)
    return x * x, grad


@case("grad_for", (f32([0.5, 3.0]), i32(3)), (f32([-2.0, 2.0]), i32(1)))
def gradient_by_hand_in_a_loop(x, n):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in tf.range(n):
            y = clipped(y) * 0.5
        z = tf.reduce_sum(y * 10.0)
    return z, tape.gradient(z, x)


@case("grad_cond", (f32(0.5),), (f32(4.0),))
def gradient_by_hand_in_a_branch(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        if x < 1.0:
            y = clipped(x) * 8.0
        else:
            y = clipped(x * 2.0)
    return y, tape.gradient(y, x)


@case("grad_variables", (f32([1.0, 2.0]), i32(4)), (f32([0.0, -1.0]), i32(1)), compare="approx:1e-6")
def momentum_by_hand(start, steps):
    w, velocity = start, tf.zeros_like(start)
    losses = tf.TensorArray(tf.float32, size=steps)
    for i in tf.range(steps):
        with tf.GradientTape() as tape:
            tape.watch(w)
            loss = tf.reduce_sum((w - 3.0) ** 2.0) + w[0] * w[1]
        g = tape.gradient(loss, w)
        velocity = 0.9 * velocity - 0.1 * g
        w = w + velocity
        losses = losses.write(i, loss)
    return w, losses.stack()


# ---------------------------------------------------------------- state in branches

COUNTER = tf.Variable(0)
ROWS = tf.Variable([0.0, 0.0, 0.0])


@case("variables", (i32(5),), (i32(-5),), (i32(0),))
def counter_changes_in_branches(x):
    COUNTER.assign(10)
    if x > 0:
        COUNTER.assign_add(x)
        before = COUNTER.read_value()
        COUNTER.assign(COUNTER * 2)
    else:
        before = COUNTER.read_value()
        if x < 0:
            COUNTER.assign_sub(x)
    return before, COUNTER.read_value()


@case("variables", (i32([0, 2, 2, 1]), f32(3.0)), (empty(tf.int32, 0), f32(1.0)))
def parts_of_a_variable_in_a_loop(places, stop):
    ROWS.assign([1.0, 1.0, 1.0])
    for p in places:
        if ROWS[p] >= stop:
            break
        ROWS[p].assign(ROWS[p] * 2.0 + 1.0)
    return ROWS.read_value(), tf.reduce_sum(ROWS)


@case("variables", (i32(6),), (i32(0),))
def condition_reads_what_the_body_writes(n):
    COUNTER.assign(0)
    steps = 0
    while COUNTER < n:
        COUNTER.assign_add(steps + 1)
        steps += 1
        if COUNTER % 5 == 0:
            COUNTER.assign_add(100)
    return COUNTER.read_value(), steps


# ---------------------------------------------------------------- effects in order

@case("effect_order", (i32(3),), (i32(0),), (i32(-1),))
def prints_of_nested_branches(x):
    tf.print("begin", x)
    for i in tf.range(x):
        if i % 2 == 0:
            tf.print("even", i, [i, x])
        else:
            tf.print("odd", i, sep="=")
    if x < 0:
        tf.print("negative")
    tf.print("end", tf.constant("text"), tf.constant([1.5, 2.0]))
    return x


@case("asserts", (i32([1, 2, 3]),), (i32([1, -2, 3]),))
def prints_before_an_assertion_fails(v):
    s = 0
    for x in v:
        tf.print("at", x)
        tf.debugging.assert_greater(x, 0, message="not positive")
        s += x
    return s


# ---------------------------------------------------------------- datasets in the graph

@case("for_dataset", (i32([5, 6, 7, 8]),), (i32([1]),))
def numbered_pairs_until_a_sum(v):
    total, last = tf.constant(0), tf.constant(0, tf.int64)
    pairs = tf.data.Dataset.from_tensor_slices(v).enumerate()
    for k, x in pairs:
        if total + x > 15:
            break
        total += x
        last = k
    return total, last


@case("for_dataset", (i32(4),), (i32(1),))
def loops_over_two_datasets(n):
    s = tf.constant(0, tf.int64)
    for a in tf.data.Dataset.range(tf.cast(n, tf.int64)):
        for b in tf.data.Dataset.range(10).skip(7):
            if (a + b) % 2 == 0:
                continue
            s += a * b
    return s


@case("for_dataset", (i32([3, 1, 4, 1, 5, 9, 2, 6]),))
def filtered_batches(v):
    ds = tf.data.Dataset.from_tensor_slices(v).filter(lambda x: x % 2 == 1).map(lambda x: x * x).batch(2)
    sums = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
    for batch in ds:
        sums = sums.write(sums.size(), tf.reduce_sum(batch))
    return sums.stack()


@case("for_dataset", (i32([2, 0, 3]),), (i32([0]),))
def dataset_reduced(v):
    return tf.data.Dataset.from_tensor_slices(v).reduce((0, 1), lambda state, x: (state[0] + x, state[1] * (x + 1)))


# ---------------------------------------------------------------- rows

@case("higher_order", (i32([3, -1, 4]),), (i32([0]),))
def map_with_a_loop_inside(v):
    def triangle(n):
        s = 0
        for i in tf.range(n + 1):
            if i == 3:
                continue
            s += i
        return s
    return tf.map_fn(triangle, v)


@case("higher_order", (f32([1.0, 2.0, 3.0]), f32(0.5)), (f32([-1.0]), f32(0.0)))
def scan_of_two_states(x, decay):
    def step(state, v):
        mean, top = state
        return mean * decay + v * (1.0 - decay), tf.maximum(top, v)
    return tf.scan(step, x, initializer=(0.0, -10.0))


@case("higher_order", (i32([[1, 2], [3, 4], [5, 6]]),))
def folds_from_both_ends(m):
    forwards = tf.foldl(lambda a, row: a * 2 + row, m, initializer=tf.zeros([2], tf.int32))
    backwards = tf.foldr(lambda a, row: a * 2 + row, m, initializer=tf.zeros([2], tf.int32))
    return forwards, backwards


@case("higher_order", (i32(0), i32(3)), (i32(5), i32(2)), (i32(5), i32(0)))
def loop_with_a_most(i, most):
    return tf.while_loop(lambda i, s: i < 10, lambda i, s: (i + 2, s + i), (i, 0), maximum_iterations=most)


# ---------------------------------------------------------------- integers that wrap

@case("overflow", (i64(42), i32(5)), (i64(-1), i32(1)))
def congruential_numbers(seed, n):
    ta = tf.TensorArray(tf.int64, size=n)
    for i in tf.range(n):
        seed = seed * 6364136223846793005 + 1442695040888963407
        ta = ta.write(i, tf.bitwise.right_shift(seed, tf.constant(33, tf.int64)))
    return seed, ta.stack()


@case("overflow", (s("graph"),), (s(""),))
def hash_of_a_text(text):
    h = tf.constant(5381)
    for i in tf.range(tf.strings.length(text)):
        code = tf.where(tf.strings.substr(text, i, 1) == "a", 97, i * 31)
        h = h * 33 + code
        h = tf.bitwise.bitwise_xor(h, tf.bitwise.left_shift(h, 7))
    return h


@case("overflow", (i32(2147483647),), (i32(-2147483648),), (i32(0),))
def edges_of_int32(x):
    return x + 1, x - 1, -x, tf.abs(x), x * x, x * 2, tf.sign(x), tf.cast(x, tf.int64) * 2, tf.cast(x, tf.int8), tf.cast(x, tf.uint8)


@case("overflow", (tf.constant([100, -100, 127], tf.int8), tf.constant([100, -100, 2], tf.int8)),)
def small_integers_wrap(a, b):
    s = a
    for i in tf.range(3):
        s = s * b + a
    return a + b, a - b, a * b, s, tf.reduce_sum(a), tf.cast(a, tf.int32) + tf.cast(b, tf.int32)


# ---------------------------------------------------------------- others

@case("containers", (i32(3),), (i32(-3),))
def dictionary_in_branches(x):
    d = {"a": x, "b": x + 1}
    if x > 0:
        d["a"] = d["a"] * 2
    else:
        d = {"a": -x, "b": x}
    for _ in tf.range(2):
        d["a"] += d["b"]
    return d


@case("algorithms", (i32([3, 1, 3, 2, 1, 3]),), (i32([7]),))
def counts_of_distinct_values(v):
    values, places = tf.unique(v)
    counts = tf.math.unsorted_segment_sum(tf.ones_like(v), places, tf.size(values))
    best = tf.argmax(counts)
    return values, counts, values[best]


@case("nested_functions", (i32(10),), (i32(1),))
def helper_with_a_loop_called_twice(n):
    def steps(k):
        count = 0
        while k > 1:
            k = k // 2
            count += 1
        return count
    a = steps(n)
    if a > 2:
        return a + steps(n * n)
    return steps(n + 1) - a


if __name__ == "__main__":
    main()
