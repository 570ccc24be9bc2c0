//! The integers of 8 to 64 bits, with a sign and without: what is calculated eagerly, in graphs and as plain Rust is the same for any values,
//! for single ones, short and long arrays. And every op that moves values moves these.

use graph_runtime::error::Error;
use graph_runtime::prelude::*;
use graph_runtime::tensor::Signed;

/// An integer type as Rust has it.
trait Plain: Integer + Copy + Ord + std::fmt::Display + std::fmt::Debug {
    const MIN: Self;
    const MAX: Self;
    /// The low bits.
    fn cut(word: u64) -> Self;
    fn wide(self) -> i128;
    /// What is left of a number that is too large.
    fn wrapped(value: i128) -> Self;
}

macro_rules! plain {
    ($($type:ident)*) => { $(
        impl Plain for $type {
            const MIN: $type = $type::MIN;
            const MAX: $type = $type::MAX;
            fn cut(word: u64) -> $type { word as $type }
            fn wide(self) -> i128 { self.into() }
            fn wrapped(value: i128) -> $type { value as $type }
        }
    )* };
}
plain! { i8 i16 i32 i64 u8 u16 u32 u64 }

/// Calls a generic function for every integer type.
macro_rules! each_integer {
    ($function:ident) => {
        $function::<i8>();
        $function::<i16>();
        $function::<i32>();
        $function::<i64>();
        $function::<u8>();
        $function::<u16>();
        $function::<u32>();
        $function::<u64>();
    };
}

/// Values of a type, with both ends of it and what lies around the ends of narrower ones among them.
fn values<T: Plain>(len: usize, seed: u64) -> Vec<T> {
    let (mut state, mut all) = (seed, Vec::new());
    for n in 0..len {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let word = state >> 20 ^ state << 31;
        all.push(match n % 5 {
            0 => T::cut(word),
            1 => T::cut(word % 7),
            2 => T::cut((word % 7).wrapping_sub(3)),
            3 => [
                T::MIN,
                T::MAX,
                T::cut(1 << 63),
                T::cut((1 << 63) - 1),
                T::cut(1 << 31),
            ][word as usize % 5],
            _ => T::cut(word % 300),
        });
    }
    all
}

/// The functions of two tensors, and what they are of two numbers, before it wraps.
type Binary<T> = (
    &'static str,
    fn(&Tensor<T>, &Tensor<T>) -> Tensor<T>,
    fn(i128, i128, u32) -> i128,
);

fn arithmetic<T: Plain>() -> Vec<Binary<T>> {
    vec![
        ("add", |x, y| x + y, |x, y, _| x + y),
        ("sub", |x, y| x - y, |x, y, _| x - y),
        ("mul", |x, y| x * y, |x, y, _| x.wrapping_mul(y)),
        (
            "div",
            |x, y| x / one_for_zero(y),
            |x, y, _| x / if y == 0 { 1 } else { y },
        ),
        (
            "rem",
            |x, y| x % one_for_zero(y),
            |x, y, _| x % if y == 0 { 1 } else { y },
        ),
        (
            "floor_div",
            |x, y| x.floor_div(one_for_zero(y)),
            |x, y, _| {
                let y = if y == 0 { 1 } else { y };
                x.div_euclid(y) - i128::from(y < 0 && x.rem_euclid(y) != 0)
            },
        ),
        (
            "floor_mod",
            |x, y| x.floor_mod(one_for_zero(y)),
            |x, y, _| {
                let y = if y == 0 { 1 } else { y };
                let rem = x.rem_euclid(y);
                if y < 0 && rem != 0 { rem + y } else { rem }
            },
        ),
        ("maximum", |x, y| x.maximum(y), |x, y, _| x.max(y)),
        ("minimum", |x, y| x.minimum(y), |x, y, _| x.min(y)),
        (
            "squared",
            |x, y| x.squared_difference(y),
            |x, y, _| (x - y).wrapping_mul(x - y),
        ),
        ("and", |x, y| x & y, |x, y, _| x & y),
        ("or", |x, y| x | y, |x, y, _| x | y),
        ("xor", |x, y| x ^ y, |x, y, _| x ^ y),
        ("not", |x, _| !x, |x, _, _| !x),
        (
            "shl",
            |x, y| x << y,
            |x, y, bits| x << y.clamp(0, i128::from(bits) - 1),
        ),
        (
            "shr",
            |x, y| x >> y,
            |x, y, bits| x >> y.clamp(0, i128::from(bits) - 1),
        ),
        ("abs", |x, _| x.abs(), |x, _, _| x.abs()),
        ("sign", |x, _| x.sign(), |x, _, _| x.signum()),
        ("square", |x, _| x.square(), |x, _, _| x.wrapping_mul(x)),
        ("relu", |x, _| x.relu(), |x, _, _| x.max(0)),
        (
            "clip",
            |x, y| x.clip(T::ONE, y.maximum(T::ONE)),
            |x, y, _| x.clamp(1, y.max(1)),
        ),
        (
            "cube",
            |x, _| x.pow(T::cut(3)),
            |x, _, _| x.wrapping_mul(x).wrapping_mul(x),
        ),
        (
            "chain",
            |x, y| (x + y) * x - y / T::cut(3),
            |x, y, _| (x + y).wrapping_mul(x).wrapping_sub(y / 3),
        ),
        ("select", |x, y| x.lt(y).select(x, y), |x, y, _| x.min(y)),
        (
            "less",
            |x, y| {
                truths(&[
                    x.lt(y),
                    x.le(y),
                    x.gt(y),
                    x.ge(y),
                    x.equal(y),
                    x.not_equal(y),
                ])
            },
            |x, y, _| {
                let truths = [x < y, x <= y, x > y, x >= y, x == y, x != y];
                truths
                    .iter()
                    .fold(0, |sum, truth| sum * 2 + i128::from(*truth))
            },
        ),
    ]
}

fn one_for_zero<T: Plain>(y: &Tensor<T>) -> Tensor<T> {
    y.equal(T::default()).select(T::ONE, y)
}

/// Truth values as the bits of a number.
fn truths<T: Plain>(truths: &[Tensor<bool>]) -> Tensor<T> {
    let bits = truths.iter().map(|truth| truth.cast::<T>());
    let two = T::cut(2);
    bits.reduce(|sum, bit| sum * two + bit)
        .expect("there are truths")
}

#[graph_fn]
fn traced<T: Plain>(x: Tensor<T>, y: Tensor<T>) -> Vec<Tensor<T>> {
    let functions = arithmetic::<T>();
    functions
        .iter()
        .map(|(_, function, _)| function(&x, &y))
        .collect()
}

fn check_arithmetic<T: Plain>() {
    let bits = T::MAX.wide().count_ones() + u32::from(T::MIN.wide() < 0);
    for (len, seed) in [(1, 1), (1, 2), (7, 3), (300, 4), (5000, 5)] {
        let (a, b) = (values::<T>(len, seed), values::<T>(len, seed + 100));
        let of = |values: &[T]| match values {
            [value] => tensor(*value),
            values => tensor(values),
        };
        let (x, y) = (of(&a), of(&b));
        let graph = traced(x.clone(), y.clone());
        for ((name, function, plain), graph) in arithmetic::<T>().into_iter().zip(graph) {
            let places = a.iter().zip(&b);
            let expected: Vec<T> = places
                .map(|(a, b)| T::wrapped(plain(a.wide(), b.wide(), bits)))
                .collect();
            assert_eq!(
                function(&x, &y).to_vec(),
                expected,
                "{name} of {}",
                T::DTYPE
            );
            assert_eq!(
                graph.to_vec(),
                expected,
                "{name} of {} in a graph",
                T::DTYPE
            );
        }
    }
}

#[test]
fn arithmetic_is_plain_rusts_and_wraps() {
    each_integer!(check_arithmetic);
}

#[graph_fn]
fn negated<T: Plain + Signed>(x: Tensor<T>) -> Tensor<T> {
    -x
}

fn check_negation<T: Plain + Signed>() {
    let values = values::<T>(50, 9);
    let expected: Vec<T> = values.iter().map(|v| T::wrapped(-v.wide())).collect();
    assert_eq!(negated(tensor(&values)).to_vec(), expected);
    assert_eq!((-tensor(&values)).to_vec(), expected);
}

#[test]
fn signed_integers_are_negated() {
    check_negation::<i8>();
    check_negation::<i16>();
    check_negation::<i32>();
    check_negation::<i64>();
}

#[graph_fn]
fn quotient<T: Plain>(x: Tensor<T>, y: Tensor<T>) -> Result<Tensor<T>, Error> {
    Ok(x / y)
}

fn check_division_by_zero<T: Plain>() {
    let error = quotient(tensor([T::ONE]), tensor([T::default()])).unwrap_err();
    assert!(
        error.to_string().contains("Integer division by zero"),
        "{error}"
    );
}

#[test]
fn division_by_zero_is_an_error() {
    each_integer!(check_division_by_zero);
}

/// Casts of every type to every other, as `as` does it.
macro_rules! casts {
    ($from:ident $values:expr; $($to:ident)*) => { $( {
        #[graph_fn]
        fn cast(x: Tensor<$from>) -> Tensor<$to> {
            x.cast()
        }
        for values in [&$values[..], &$values[..1]] {
            let expected: Vec<$to> = values.iter().map(|v| *v as $to).collect();
            assert_eq!(tensor(values).cast::<$to>().to_vec(), expected, "{} to {}", stringify!($from), stringify!($to));
            assert_eq!(cast(tensor(values)).to_vec(), expected, "{} to {}", stringify!($from), stringify!($to));
        }
    } )* };
}

#[test]
fn casts_are_those_of_as() {
    macro_rules! of_integers {
        ($($from:ident)*) => { $(
            casts! { $from values::<$from>(60, 11); i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 }
            let all = values::<$from>(60, 12);
            let truth: Vec<bool> = all.iter().map(|v| *v != 0).collect();
            assert_eq!(tensor(&all).cast::<bool>().to_vec(), truth);
            let texts: Vec<String> = all.iter().map(|v| v.to_string()).collect();
            assert_eq!(tensor(&all).cast::<String>().to_vec(), texts);
            assert_eq!(tensor(texts).cast::<$from>().to_vec(), all);
            assert_eq!(tensor([true, false]).cast::<$from>().to_vec(), [1, 0]);
            let half = tensor(&all).cast::<f16>().cast::<f32>().to_vec();
            let rounded: Vec<f32> = all.iter().map(|v| f16::from_f64(*v as f64).to_f32()).collect();
            assert_eq!(half, rounded);
        )* };
    }
    of_integers! { i8 i16 i32 i64 u8 u16 u32 u64 }
    let floats = [
        0.0f32,
        -0.0,
        1.5,
        -1.5,
        127.0,
        128.0,
        -129.0,
        3e4,
        6e4,
        7e4,
        -4e4,
        3e9,
        5e9,
        1e19,
        2e19,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
    ];
    casts! { f32 floats; i8 i16 i32 i64 u8 u16 u32 u64 }
    let floats = floats.map(f64::from);
    casts! { f64 floats; i8 i16 i32 i64 u8 u16 u32 u64 }
    let halves = tensor([1.9f32, -3.2, 300.0, f32::NAN, f32::INFINITY]).cast::<f16>();
    assert_eq!(halves.cast::<i8>().to_vec(), [1, -3, 127, 0, 127]);
    assert_eq!(halves.cast::<u64>().to_vec(), [1, 0, 300, 0, u64::MAX]);
    assert_eq!(halves.cast::<i32>().to_vec(), [1, -3, 300, 0, i32::MAX]);
    assert_eq!(
        halves.cast::<bf16>().cast::<i64>().to_vec(),
        [1, -3, 300, 0, i64::MAX]
    );
}

/// What is fused with a cast, what is folded and arrays of any length: none has a rule of its own for floats that no integer is.
#[test]
fn casts_are_those_of_as_wherever_they_are_computed() {
    macro_rules! to {
        ($from:ident: $($to:ident)*) => { $( {
            #[graph_fn]
            fn fused(x: Tensor<$from>, one: Tensor<$to>) -> Tensor<$to> {
                (x * 1.5).cast::<$to>() + one
            }
            #[graph_fn]
            fn folded(values: &[$from]) -> Tensor<$to> {
                tensor(values).cast()
            }
            let edges = [
                $to::MIN as $from, $to::MAX as $from, $to::MAX as $from * 2.0, $from::MAX, $from::MIN, $from::INFINITY,
                $from::NEG_INFINITY, $from::NAN, -$from::NAN, -0.0, 0.9, -0.9, 1e9, -3e9, 2147483647.5, -2147483648.5,
            ];
            for len in [1, 2, 7, 33, 1000, 70_000] {
                let values: Vec<$from> = edges.into_iter().cycle().skip(len % 7).take(len).collect();
                let expected: Vec<$to> = values.iter().map(|v| *v as $to).collect();
                assert_eq!(tensor(&values).cast::<$to>().to_vec(), expected);
                assert_eq!(folded(&values).to_vec(), expected);
                let expected: Vec<$to> = values.iter().map(|v| ((*v * 1.5) as $to).wrapping_add(1)).collect();
                assert_eq!(fused(tensor(&values), tensor(1 as $to)).to_vec(), expected);
            }
        } )* };
    }
    to! { f32: i8 i16 i32 i64 u8 u16 u32 u64 }
    to! { f64: i8 i16 i32 i64 u8 u16 u32 u64 }
}

#[graph_fn]
fn by_way_of_floats(x: Tensor<i32>, y: Tensor<u8>) -> (Tensor<u8>, Tensor<i8>, Tensor<i8>) {
    (
        x.cast::<f64>().cast(),
        y.cast::<f32>().cast(),
        y.cast::<i32>().cast(),
    )
}

/// 300.0 is 255 as `u8`, and 300 is 44.
#[test]
fn a_cast_by_way_of_a_float_saturates_in_graphs_as_eagerly() {
    let (x, y) = (tensor([300, -1, 7]), tensor([200u8, 0, 7]));
    let (a, b, c) = by_way_of_floats(x.clone(), y);
    assert_eq!(a.to_vec(), [255, 0, 7]);
    assert_eq!((b.to_vec(), c.to_vec()), (vec![127, 0, 7], vec![-56, 0, 7]));
    assert_eq!(x.cast::<f64>().cast::<u8>().to_vec(), [255, 0, 7]);
}

/// TensorFlow: `float32` of 8 and 16 bits, `float64` of 32 and 64.
#[test]
fn true_division_gives_floats() {
    fn quotients<T: Plain>(x: [u64; 3], y: [u64; 3]) -> Tensor<T::Quotient> {
        tensor(x.map(T::cut)).true_div(tensor(y.map(T::cut)))
    }
    assert_eq!(
        quotients::<i8>([7, 200, 0], [2, 3, 1]).to_vec(),
        [3.5f32, -56.0 / 3.0, 0.0]
    );
    assert_eq!(
        quotients::<i16>([7, 40000, 1], [2, 1, 0]).to_vec(),
        [3.5f32, -25536.0, f32::INFINITY]
    );
    assert_eq!(
        quotients::<u16>([7, 40000, 1], [2, 3, 3]).to_vec(),
        [3.5f32, 40000.0 / 3.0, 1.0 / 3.0]
    );
    assert_eq!(
        quotients::<u32>([7, 4_000_000_000, 1], [2, 3, 3]).to_vec(),
        [3.5f64, 4e9 / 3.0, 1.0 / 3.0]
    );
    assert_eq!(
        quotients::<u64>([7, 1 << 63, u64::MAX], [2, 1, 1]).to_vec(),
        [3.5f64, 9223372036854775808.0, 18446744073709551615.0]
    );
}

#[graph_fn]
fn reduced<T: Plain>(x: Tensor<T>) -> Vec<Tensor<T>> {
    reductions(&x)
}

fn reductions<T: Plain>(x: &Tensor<T>) -> Vec<Tensor<T>> {
    let mut all = vec![x.sum(), x.prod(), x.max(), x.min(), x.mean()];
    for axis in [0, 1] {
        all.extend([
            x.sum_axis(axis),
            x.prod_axis(axis),
            x.max_axis(axis),
            x.min_axis(axis),
            x.mean_axis(axis),
        ]);
    }
    // Behind a chain.
    all.push((x + T::ONE).max_axis(1));
    all.push((x * x).sum());
    all
}

fn check_reductions<T: Plain>() {
    fn plain<T: Plain>(values: &[T]) -> [T; 5] {
        let sum: i128 = values.iter().map(|v| v.wide()).sum();
        let product = values
            .iter()
            .fold(1i128, |product, v| product.wrapping_mul(v.wide()));
        // What 64 bits of a sum hold, with or without a sign.
        let sum64: i128 = if T::MAX.wide() > i64::MAX.into() {
            (sum as u64).into()
        } else {
            (sum as i64).into()
        };
        let mean = sum64 / values.len() as i128;
        [
            T::wrapped(sum),
            T::wrapped(product),
            *values.iter().max().unwrap(),
            *values.iter().min().unwrap(),
            T::wrapped(mean),
        ]
    }
    for (rows, columns) in [(1, 1), (3, 5), (40, 300)] {
        let values = values::<T>(rows * columns, 21);
        let x = Tensor::from_vec(&[rows, columns], values.clone()).unwrap();
        let row = |n: usize| values[n * columns..(n + 1) * columns].to_vec();
        let column = |n: usize| {
            (0..rows)
                .map(|row| values[row * columns + n])
                .collect::<Vec<T>>()
        };
        let groups = [
            vec![values.clone()],
            (0..columns).map(column).collect(),
            (0..rows).map(row).collect(),
        ];
        let mut expected: Vec<Vec<T>> = Vec::new();
        for groups in &groups {
            let all: Vec<[T; 5]> = groups.iter().map(|group| plain(group)).collect();
            expected.extend((0..5).map(|n| all.iter().map(|of| of[n]).collect()));
        }
        let more = |v: &T| T::wrapped(v.wide() + 1);
        expected.push(
            groups[2]
                .iter()
                .map(|row| row.iter().map(more).max().unwrap())
                .collect(),
        );
        expected.push(vec![values.iter().fold(T::default(), |sum, v| {
            T::wrapped(sum.wide() + T::wrapped(v.wide().wrapping_mul(v.wide())).wide())
        })]);
        let eager = reductions(&x);
        for (n, ((eager, graph), expected)) in eager
            .iter()
            .zip(reduced(x.clone()))
            .zip(&expected)
            .enumerate()
        {
            assert_eq!(
                &eager.to_vec(),
                expected,
                "{n} of {} {rows} {columns}",
                T::DTYPE
            );
            assert_eq!(
                &graph.to_vec(),
                expected,
                "{n} of {} {rows} {columns} in a graph",
                T::DTYPE
            );
        }
    }
    let nothing = Tensor::<T>::from_vec(&[0], vec![]).unwrap();
    let of_nothing = [
        nothing.sum(),
        nothing.prod(),
        nothing.max(),
        nothing.min(),
        nothing.mean(),
    ];
    assert_eq!(
        of_nothing.map(|x| x.item()),
        [T::default(), T::ONE, T::MIN, T::MAX, T::default()],
        "{}",
        T::DTYPE
    );
}

#[test]
fn reductions_wrap_and_keep_the_order() {
    each_integer!(check_reductions);
}

#[graph_fn]
fn in_order<T: Plain>(
    x: Tensor<T>,
) -> (
    Tensor<T>,
    Tensor<T>,
    Tensor<i32>,
    Tensor<i32>,
    Tensor<i64>,
    Tensor<i64>,
    Tensor<i32>,
) {
    (
        x.sort(),
        x.sort_descending(),
        x.argsort(),
        x.top_k(3).1,
        x.argmax(0),
        x.argmin(0),
        x.sort().searchsorted(&x, false),
    )
}

fn check_order<T: Plain>() {
    let values = values::<T>(40, 31);
    let mut sorted = values.clone();
    sorted.sort();
    let mut order: Vec<i32> = (0..40).collect();
    order.sort_by_key(|n| values[*n as usize]);
    let mut best: Vec<i32> = (0..40).collect();
    best.sort_by_key(|n| std::cmp::Reverse(values[*n as usize]));
    let first = |value: &T| values.iter().position(|v| v == value).unwrap() as i64;
    let (up, down, places, top, largest, smallest, found) = in_order(tensor(&values));
    assert_eq!(up.to_vec(), sorted);
    assert_eq!(
        down.to_vec(),
        sorted.iter().rev().copied().collect::<Vec<T>>()
    );
    assert_eq!((places.to_vec(), top.to_vec()), (order, best[..3].to_vec()));
    assert_eq!(
        (largest.item(), smallest.item()),
        (first(&sorted[39]), first(&sorted[0]))
    );
    let place = |v: &T| sorted.partition_point(|other| other < v) as i32;
    assert_eq!(
        found.to_vec(),
        values.iter().map(place).collect::<Vec<i32>>()
    );
}

#[test]
fn order_is_that_of_the_numbers() {
    each_integer!(check_order);
}

#[graph_fn]
fn moved<T: Plain>(x: Tensor<T>) -> Vec<Tensor<T>> {
    moves(&x)
}

/// What moves the values of a matrix `[4, 6]`, or adds them up.
fn moves<T: Plain>(x: &Tensor<T>) -> Vec<Tensor<T>> {
    let rows = tensor([2, 0]);
    let list = TensorArray::<T>::new(4)
        .write(1, x.row(1))
        .write(3, x.row(0));
    let pairs = tensor([[1, 2], [3, 0]]);
    let (large, small) = (T::cut(100), T::cut(3));
    vec![
        x.reshape(&[6, 4]),
        x.t(),
        x.row(1),
        x.slice([1, 2], [2, 3]),
        x.gather(&rows),
        x.gather_nd(&pairs),
        x.take_along_axis(tensor([[0], [1], [2], [5]]), 1),
        concat(&[x, x], 1),
        stack(&[x, x], 0),
        x.pad([(1, 0), (0, 2)]),
        x.pad_with([(1, 0), (0, 2)], large),
        x.pad_reflect(&[(1, 1), (2, 0)]),
        (x & T::ONE).equal(T::default()).select(x, large),
        x.tile(&[2, 1]),
        x.repeat(2, 0),
        x.repeat_each(tensor([1, 0, 2, 1]), 0),
        x.roll(1, 1),
        x.reverse(&[0]),
        x.boolean_mask(tensor([true, false, true, true])),
        x.broadcast_to(&[2, 4, 6]),
        x.expand_dims(0).squeeze(&[0]),
        x.triu(1),
        x.row(0).diag(),
        x.reshape(&[24]).unique().0,
        list.stack(),
        x.with_row(2, x.row(0)),
        x.scatter_update(&pairs, tensor([large, small])),
        x.scatter_add(&pairs, tensor([large, small])),
        x.scatter_sub(&pairs, tensor([large, small])),
        x.segment_sum(tensor([0, 0, 1, 3])),
        x.segment_prod(tensor([0, 0, 1, 3])),
        x.cumsum(1),
        x.cumprod(0),
        x.matmul(x.t()),
        x.matmul(x.t()) + T::ONE,
        x.matmul(x.t()) + x.t().row(0),
        tensor([0, 2, 2]).weighted_bincount(tensor([large, small, small]), 0, None),
        range(T::cut(2), T::cut(11), small),
        tensor([2, 0]).one_hot::<T>(3),
        eye(3),
        fill([2, 2], large),
        x.nonzero().cast(),
    ]
}

fn check_moves<T: Plain>() {
    let values = values::<T>(24, 41);
    let x = Tensor::from_vec(&[4, 6], values).unwrap();
    // The same of `int64`, of which each type here has the low bits.
    let expected = moves(&x.cast::<i64>());
    let graph = moved(x.clone());
    for (n, ((eager, graph), expected)) in moves(&x).iter().zip(graph).zip(expected).enumerate() {
        let expected = expected.cast::<T>();
        assert_eq!(
            (eager.shape(), eager.to_vec()),
            (expected.shape(), expected.to_vec()),
            "{n} of {}",
            T::DTYPE
        );
        assert_eq!(
            (graph.shape(), graph.to_vec()),
            (expected.shape(), expected.to_vec()),
            "{n} of {} in a graph",
            T::DTYPE
        );
    }
}

#[test]
fn what_moves_values_moves_all_integers() {
    each_integer!(check_moves);
}

fn check_extremes<T: Plain>() {
    let x = Tensor::from_vec(
        &[3, 2],
        vec![T::MAX, T::MIN, T::ONE, T::MAX, T::MIN, T::default()],
    )
    .unwrap();
    let ids = tensor([0, 0, 2]);
    assert_eq!(
        x.segment_max(&ids).to_vec(),
        [
            T::MAX,
            T::MAX,
            T::default(),
            T::default(),
            T::MIN,
            T::default()
        ]
    );
    assert_eq!(
        x.segment_min(&ids).to_vec(),
        [
            T::ONE,
            T::MIN,
            T::default(),
            T::default(),
            T::MIN,
            T::default()
        ]
    );
    assert_eq!(x.unsorted_segment_max(&ids, 3).to_vec()[2..4], [T::MIN; 2]);
    assert_eq!(x.unsorted_segment_min(&ids, 3).to_vec()[2..4], [T::MAX; 2]);
    let places = tensor([[0, 0], [0, 1]]);
    let updates = tensor([T::ONE, T::ONE]);
    assert_eq!(
        x.scatter_max(&places, &updates).to_vec()[..2],
        [T::MAX, T::MIN.max(T::ONE)]
    );
    assert_eq!(
        x.scatter_min(&places, &updates).to_vec()[..2],
        [T::ONE, T::MIN]
    );
}

#[test]
fn extremes_of_parts_are_those_of_the_numbers() {
    each_integer!(check_extremes);
}

#[test]
fn ranges_reach_the_ends_of_their_type() {
    let top = u64::MAX - 3;
    assert_eq!(range(top, u64::MAX, 2).to_vec(), [top, top + 2]);
    assert_eq!(range(250u8, 255, 2).to_vec(), [250, 252, 254]);
    assert_eq!(range(-128i8, 127, 100).to_vec(), [-128, -28, 72]);
    assert_eq!(range(3i16, -3, -2).to_vec(), [3, 1, -1]);
    assert_eq!(range(u32::MAX - 1, u32::MAX, 1).to_vec(), [u32::MAX - 1]);
    assert_eq!(range(5u64, 2, 1).to_vec(), [0u64; 0]);
}

/// Numbers that only 64 bits without a sign hold.
#[test]
fn what_is_above_the_largest_i64_is_exact() {
    let top = 1u64 << 63;
    let x = tensor([top, top + 1, u64::MAX, 3]);
    assert_eq!((&x / 3).to_vec(), [top / 3, (top + 1) / 3, u64::MAX / 3, 1]);
    assert_eq!((&x % 10).to_vec(), [8, 9, 5, 3]);
    assert_eq!(x.floor_div(tensor(top)).to_vec(), [1, 1, 1, 0]);
    assert_eq!(x.gt(top).to_vec(), [false, true, true, false]);
    assert_eq!(
        (x.max().item(), x.min().item(), x.argmax(0).item()),
        (u64::MAX, 3, 2)
    );
    assert_eq!(
        x.sum().item(),
        top.wrapping_add(top + 1)
            .wrapping_add(u64::MAX)
            .wrapping_add(3)
    );
    assert_eq!(
        tensor([top, top + 2]).cast::<f64>().to_vec(),
        [9223372036854775808.0; 2]
    );
    assert_eq!(tensor([u64::MAX, 3]).mean().item(), 1);
    assert_eq!(
        x.to_string(),
        "[ 9223372036854775808  9223372036854775809 18446744073709551615\n                    3]"
    );
}

#[graph_fn]
fn decided(
    x: Tensor<u32>,
    y: Tensor<i8>,
    z: Tensor<u64>,
) -> (Tensor<u32>, Tensor<i8>, Tensor<u64>) {
    let mut n = x;
    let mut steps = tensor(0);
    if n > 0x8000_0000 {
        n = n / 2;
    } else if n == 7 {
        n = 1;
    }
    while n % 2 == 0 {
        n >>= 1;
        steps += 1;
    }
    let mut y = match y {
        -128 => 1,
        -127..=-1 => -y,
        0 => 0,
        _ => y,
    };
    y += steps;
    let z = if z >= 1 << 63 { z - (1 << 63) } else { 2 * z };
    (n, y, z)
}

fn plainly(x: u32, y: i8, z: u64) -> (u32, i8, u64) {
    let mut n = x;
    let mut steps = 0i8;
    if n > 0x8000_0000 {
        n /= 2;
    } else if n == 7 {
        n = 1;
    }
    while n & 1 == 0 {
        n >>= 1;
        steps += 1;
    }
    let y = if y == -128 { 1 } else { y.wrapping_abs() };
    (
        n,
        y.wrapping_add(steps),
        if z >= 1 << 63 { z - (1 << 63) } else { 2 * z },
    )
}

#[test]
fn literals_stand_beside_tensors_under_the_attribute() {
    for (x, y, z) in [
        (0xffff_fff0u32, -128i8, 1u64 << 63),
        (7, -3, u64::MAX),
        (96, 0, 5),
        (0x8000_0001, 127, 0),
    ] {
        let (a, b, c) = decided(tensor(x), tensor(y), tensor(z));
        assert_eq!(
            (a.item(), b.item(), c.item()),
            plainly(x, y, z),
            "{x} {y} {z}"
        );
    }
}

#[graph_fn]
fn counted(
    n: Tensor<u8>,
    low: Tensor<i8>,
    high: Tensor<u64>,
) -> (Tensor<u8>, Tensor<i32>, Tensor<u64>) {
    let mut sum = tensor(0u8);
    for i in 0..n {
        sum += i;
    }
    let mut count = tensor(0);
    for i in low..=127 {
        if i > -100 {
            count += 1;
        }
    }
    let mut last = tensor(0u64);
    for i in (high - 3..high).rev() {
        last = i;
    }
    (sum, count, last)
}

#[test]
fn ranges_of_a_loop_count_in_any_integers() {
    let (sum, count, last) = counted(tensor(200), tensor(-128), tensor(u64::MAX));
    assert_eq!(sum.item(), (0..200u32).sum::<u32>() as u8);
    assert_eq!((count.item(), last.item()), (227, u64::MAX - 3));
}

/// A graph's text holds the values of constants, and is read back.
#[test]
fn constants_are_in_the_text_of_graphs() {
    #[graph_fn]
    fn constants() -> (Tensor<i8>, Tensor<u64>, Tensor<u16>) {
        (
            tensor([-128i8, 127]),
            tensor(u64::MAX),
            tensor([u16::MAX; 20]),
        )
    }
    let concrete = constants::concrete().unwrap();
    let text = concrete.graph().to_string();
    for words in [
        "int8[2]",
        "[-128, 127]",
        "uint64[]",
        "18446744073709551615",
        "[65535; 20]",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
    let read: graph_runtime::graph::Graph = text.parse().unwrap();
    assert_eq!(read.to_string(), text);
}

#[test]
fn variables_arrays_and_datasets_hold_them() {
    let v = Variable::new(tensor([250u8, 1]));
    v.assign_add(tensor([10u8, 1]));
    assert_eq!(v.read().to_vec(), [4, 2]);
    let counter = Variable::new(tensor(i16::MAX));
    #[graph_fn]
    fn count(counter: &Variable<i16>) -> Tensor<i16> {
        counter.assign_add(1);
        counter.read() / 2 * 3
    }
    assert_eq!(count(&counter).item(), (i16::MIN / 2).wrapping_mul(3));
    assert_eq!(counter.read().item(), i16::MIN);
    let data = Dataset::from_slices(tensor([1u32, 2, u32::MAX]))
        .map(|x: Tensor<u32>| x + 1)
        .batch(2);
    let batches: Vec<Vec<u32>> = data
        .iter()
        .map(|batch: Tensor<u32>| batch.to_vec())
        .collect();
    assert_eq!(batches, [vec![2, 3], vec![0]]);
    let mut rows = TensorArray::<i8>::dynamic();
    rows.push(tensor([-1i8, 2]));
    rows.push(tensor([3i8, -128]));
    assert_eq!(rows.stack().to_vec(), [-1, 2, 3, -128]);
}

#[test]
fn they_print_as_numpy_prints_them() {
    assert_eq!(tensor([-128i8, 5]).to_string(), "[-128    5]");
    assert_eq!(tensor(u16::MAX).to_string(), "65535");
    assert_eq!(
        tensor([[u32::MAX], [0]]).to_string(),
        "[[4294967295]\n [         0]]"
    );
    assert!(format!("{:?}", tensor([1i16])).contains("int16"));
}
