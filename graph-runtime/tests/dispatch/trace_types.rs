//! What a signature contains of each type of argument: which values share a trace and which don't.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use graph_runtime::function::{AnyArgument, Signature};
use graph_runtime::prelude::*;
use graph_runtime::{Argument, TraceType};

/// Checks that each value of a list gets its own trace, and that a second call with it makes none.
macro_rules! all_differ {
    ($($value:expr),* $(,)?) => {{
        #[graph_fn]
        fn f<A: Argument>(_value: A) -> Tensor<i32> {
            tensor(0)
        }
        let mut count = 0;
        $(
            f($value);
            count += 1;
            assert_eq!(f::function().trace_count(), count, "{} is new", stringify!($value));
            f($value);
            assert_eq!(f::function().trace_count(), count, "{} was seen", stringify!($value));
        )*
    }};
}

/// Checks that all values of a list share one trace.
macro_rules! all_share {
    ($($value:expr),* $(,)?) => {{
        #[graph_fn]
        fn f<A: Argument>(_value: A) -> Tensor<i32> {
            tensor(0)
        }
        $(f($value);)*
        assert_eq!(f::function().trace_count(), 1, stringify!($($value),*));
    }};
}

#[test]
fn literals_by_type_and_value() {
    all_differ![
        true,
        false,
        'a',
        'b',
        0u8,
        1u8,
        b'c',
        1u16,
        1u32,
        1u64,
        1usize,
        1u128,
        u128::MAX
    ];
    all_differ![-1i8, -1i16, -1i32, -1i64, -1isize, -1i128, i128::MIN, ()];
    all_differ![1.0f32, 1.0f64, -0.0f32, 0.0f32, f64::INFINITY];
    all_share![f32::NAN, f32::NAN];
    all_differ![
        "",
        "a",
        "b",
        "a text longer than eight bytes",
        "a text longer than eight bytez"
    ];
    all_differ![*b"ab", *b"ac", c"ab".to_owned(), c"ac".to_owned()];
    all_differ![
        Duration::from_secs(1),
        Duration::from_secs(2),
        std::cmp::Ordering::Less
    ];
}

#[test]
fn what_points_is_what_it_points_at() {
    #[graph_fn]
    fn length(text: &str) -> Tensor<i32> {
        tensor(text.len() as i32)
    }
    length("ab");
    length(&String::from("ab"));
    length(&Cow::from("ab"));
    assert_eq!(length::function().trace_count(), 1);
    all_share![Arc::new(tensor(1)), Arc::new(tensor(2))];
    all_differ![
        Arc::new(1),
        Arc::new(2),
        Rc::new(1),
        Box::new(1),
        Cow::Borrowed("a")
    ];
}

#[test]
fn collections_by_their_parts() {
    all_share![vec![tensor(1), tensor(2)], vec![tensor(3), tensor(3)]];
    all_differ![
        vec![tensor(1)],
        vec![tensor(1), tensor(2)],
        vec![tensor([1])],
        vec![1],
        vec![2]
    ];
    all_differ![
        Some(1),
        None::<i32>,
        Some(2),
        Some(tensor(1)),
        None::<Tensor<i32>>
    ];
    all_differ![[1, 2], [2, 1], [[1, 2], [2, 1]]];
    all_differ![
        (1, "a"),
        (2, "a"),
        (1, "a", ()),
        (tensor(1), 'x'),
        (tensor([1]), 'x')
    ];
    all_differ![
        (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
        (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13),
    ];
    let map = |pairs: [(&'static str, i32); 2]| HashMap::from(pairs);
    all_share![map([("a", 1), ("b", 2)]), map([("b", 2), ("a", 1)])];
    all_differ![
        map([("a", 1), ("b", 2)]),
        map([("a", 2), ("b", 1)]),
        map([("a", 1), ("c", 2)])
    ];
    let tree = |key: &'static str, value: i32| BTreeMap::from([(key, tensor(value))]);
    all_share![tree("a", 1), tree("a", 2)];
    all_differ![tree("a", 1), tree("b", 1)];
}

#[test]
fn the_rest_of_the_standard_library_by_its_parts() {
    all_differ![0..3, 0..4, 0..=3, 0.., ..3, ..=3, .., 1..3];
    all_differ![
        NonZero::new(1u32).unwrap(),
        NonZero::new(2u32).unwrap(),
        Path::new("a").to_owned(),
        Path::new("b").to_owned()
    ];
    let set = |items: [i32; 3]| HashSet::from(items);
    all_share![set([1, 2, 3]), set([3, 2, 1])];
    all_differ![
        set([1, 2, 3]),
        set([1, 2, 4]),
        BTreeSet::from([1]),
        BTreeSet::from([2])
    ];
    let queue = |value: i32, len: usize| VecDeque::from(vec![tensor(value); len]);
    all_share![queue(1, 2), queue(2, 2)];
    all_differ![queue(1, 1), queue(1, 2)];
    let result = |value: Result<i32, &'static str>| value.map(tensor);
    all_share![result(Ok(1)), result(Ok(2))];
    all_differ![result(Ok(1)), result(Err("a")), result(Err("b"))];
}

#[derive(Clone, TraceType)]
#[allow(dead_code, reason = "only the trace type is looked at")]
struct Layer<T> {
    weight: Tensor<f32>,
    units: usize,
    inner: Option<Box<Layer<T>>>,
    #[trace_type(ignore)]
    calls: T,
    #[trace_type(by_value)]
    source: PathBuf,
}

/// A type without a trace type.
#[derive(Clone)]
struct Counter(#[allow(dead_code, reason = "it only has to be there")] i32);

fn layer(value: f32, units: usize, calls: i32, source: &str) -> Layer<Counter> {
    Layer {
        weight: tensor(vec![value; 2]),
        units,
        inner: None,
        calls: Counter(calls),
        source: PathBuf::from(source),
    }
}

#[test]
fn structs_by_their_fields_as_marked() {
    all_share![layer(1.0, 1, 1, "a"), layer(2.0, 1, 2, "a")];
    let nested = |units| Layer {
        inner: Some(Box::new(layer(0.0, units, 0, "a"))),
        ..layer(1.0, 1, 1, "a")
    };
    all_differ![
        layer(1.0, 1, 1, "a"),
        layer(1.0, 2, 1, "a"),
        layer(1.0, 1, 1, "b"),
        nested(1),
        nested(2),
    ];
}

#[derive(TraceType)]
#[allow(dead_code, reason = "only the trace type is looked at")]
enum Activation {
    Relu,
    Leaky(f32),
    Scaled {
        by: Tensor<f32>,
        #[trace_type(ignore)]
        note: &'static str,
    },
    Named(
        #[trace_type(by_value)] PathBuf,
        #[trace_type(ignore)] fn() -> i32,
    ),
}

#[test]
fn enums_by_variant_and_fields() {
    let scaled = |by, note| Activation::Scaled { by, note };
    let named = |name: &str| Activation::Named(PathBuf::from(name), || 1);
    all_share![scaled(tensor(1.0), "a"), scaled(tensor(2.0), "b")];
    all_differ![
        Activation::Relu,
        Activation::Leaky(0.1),
        Activation::Leaky(0.2),
        scaled(tensor(1.0), ""),
        scaled(tensor([1.0]), ""),
        named("a"),
        named("b"),
    ];
}

#[test]
fn the_text_of_a_value_that_is_compared() {
    #[graph_fn]
    fn take(_layer: Layer<i32>) -> Tensor<i32> {
        tensor(0)
    }
    take(Layer {
        weight: tensor([1.0, 2.0]),
        units: 3,
        inner: None,
        calls: 4,
        source: PathBuf::new(),
    });
    let signature = take::function()
        .latest()
        .expect("it was called")
        .signature();
    let begin = "(_layer: Struct[Literal[\"Layer\"], TensorSpec(shape=(2,), dtype=tf.float32, name=None), Literal[3], Literal[None], Literal[";
    assert!(signature.starts_with(begin), "{signature}");
}

// ---- types of the same name behind one trait ----

trait Block: AnyArgument {
    fn apply(&self, x: Tensor<f32>) -> Tensor<f32>;
}

impl Argument for dyn Block + '_ {
    fn trace_type(&self, signature: &mut Signature) {
        AnyArgument::trace_type(self, signature);
    }
}

mod encoder {
    use super::*;

    #[derive(TraceType)]
    pub struct Layer(pub Tensor<f32>);

    impl Block for Layer {
        fn apply(&self, x: Tensor<f32>) -> Tensor<f32> {
            x + &self.0
        }
    }
}

mod decoder {
    use super::*;

    #[derive(TraceType)]
    pub struct Layer(pub Tensor<f32>);

    impl Block for Layer {
        fn apply(&self, x: Tensor<f32>) -> Tensor<f32> {
            x - &self.0
        }
    }
}

#[graph_fn]
fn applied(block: &dyn Block, x: Tensor<f32>) -> Tensor<f32> {
    block.apply(x)
}

#[test]
fn types_of_equal_name_have_traces_of_their_own() {
    let (encode, decode) = (encoder::Layer(tensor(1.0)), decoder::Layer(tensor(1.0)));
    for _ in 0..2 {
        assert_eq!(applied(&encode, tensor(5.0)).item(), 6.0);
        assert_eq!(applied(&decode, tensor(5.0)).item(), 4.0);
    }
    assert_eq!(applied::function().trace_count(), 2);
}
