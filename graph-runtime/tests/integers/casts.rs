//! Casts, and true division, which returns floats.

use graph_runtime::prelude::*;

use crate::{Plain, values};

/// Casts from every type to every other, with the results of `as`.
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

/// Fused casts, folded casts, and casts of arrays of any length convert floats outside of the integer's range as `as` does.
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

/// 300.0 as `u8` is 255, but 300 as `u8` is 44.
#[test]
fn a_cast_by_way_of_a_float_saturates_in_graphs_as_eagerly() {
    let (x, y) = (tensor([300, -1, 7]), tensor([200u8, 0, 7]));
    let (a, b, c) = by_way_of_floats(x.clone(), y);
    assert_eq!(a.to_vec(), [255, 0, 7]);
    assert_eq!((b.to_vec(), c.to_vec()), (vec![127, 0, 7], vec![-56, 0, 7]));
    assert_eq!(x.cast::<f64>().cast::<u8>().to_vec(), [255, 0, 7]);
}

/// As in TensorFlow: the quotient is `float32` for 8 and 16 bits, `float64` for 32 and 64.
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
