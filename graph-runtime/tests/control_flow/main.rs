//! Control flow over tensors with extreme values, as graphs and eagerly.

mod from_macros;
mod one_value;
mod ranges;
mod rows;
mod unknown_ranks;

use std::panic::{AssertUnwindSafe, catch_unwind};

use graph_runtime::Element;
use graph_runtime::debug::EAGER;
use graph_runtime::graph::Shape;
use graph_runtime::ops::{Attr, Attrs, RELAX_SHAPE};
use graph_runtime::prelude::*;
use graph_runtime::tensor::AnyTensor;

/// The result of `f` as a graph; an eager run must give the same.
fn both<R: PartialEq + std::fmt::Debug>(f: impl Fn() -> R) -> R {
    let traced = f();
    let _eagerly = EAGER.scope(true);
    assert_eq!(f(), traced);
    traced
}

/// Checks the message of the panic with which `f` ends, as a graph and eagerly: how it begins, and that it names the line after the
/// comment `// here: {mark}` in the source.
fn fails<R>(f: impl Fn() -> R, starts: &str, (source, mark): (&str, &str)) {
    let ends = format!("// here: {mark}");
    let line = source.lines().position(|line| line.ends_with(&ends));
    let place = format!(".rs:{}:", line.expect("the mark") + 2);
    for eager in [false, true] {
        let _eagerly = EAGER.scope(eager);
        let payload = catch_unwind(AssertUnwindSafe(&f)).err();
        let payload = payload.unwrap_or_else(|| panic!("{mark} doesn't fail (eager: {eager})"));
        let message = payload.downcast_ref::<String>().expect("a message");
        assert!(
            message.starts_with(starts) && message.contains(&place),
            "{mark}, eager: {eager}\n{message}\nexpected at {place}\n{starts}"
        );
    }
}

/// The same tensor, but tracing doesn't know its shape, or not even its rank.
fn known<T: Element>(x: &Tensor<T>, known: bool) -> Tensor<T> {
    if known {
        return x.clone();
    }
    let attrs = Attrs::new().with("shape", Attr::Shape(Shape::unknown()));
    Tensor::from_any(AnyTensor::apply(&RELAX_SHAPE, attrs, &[x.as_any()]))
}

#[graph_fn]
fn named(n: Tensor<i32>) -> Tensor<i32> {
    let (mut total, mut left) = (tensor(0), n);
    while left > 0 {
        total += &left;
        left -= 1;
    }
    if total > 10 {
        total = total / 2;
    }
    total
}

#[test]
fn values_are_called_as_the_variables_that_hold_them() {
    assert_eq!(named(tensor(5)).item(), 7);
    let text = named::function().latest().unwrap().graph().to_string();
    for (op, names) in [
        ("= while_loop ", ["total", "left"]),
        ("body (", ["total", "left"]),
        ("= cond ", ["total", "total"]),
    ] {
        let line = text.lines().find(|line| line.contains(op)).unwrap();
        let found = names
            .iter()
            .all(|name| line.split(op).any(|part| part.contains(name)));
        assert!(found, "{op}: {text}");
    }
}
