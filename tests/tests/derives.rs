//! The derives: structs and enums as arguments, structs of tensors as state and results.

use graph_runtime::prelude::*;
use graph_runtime::{GraphState, TraceType};

#[derive(Clone, TraceType, GraphState)]
struct Point {
    x: Tensor<f32>,
    y: Tensor<f32>,
}

#[derive(TraceType)]
struct Settings {
    steps: usize,
    rate: f32,
    scale: Tensor<f32>,
}

#[derive(Clone, Copy, TraceType)]
enum Activation {
    Relu,
    Leaky { slope: f32 },
    Identity,
}

impl Activation {
    #[graph_fn]
    pub fn apply(self, x: Tensor<f32>) -> Tensor<f32> {
        match self {
            Activation::Relu => maximum(x, 0.0),
            Activation::Leaky { slope } => {
                if x > 0.0 {
                    x
                } else {
                    x * slope
                }
            }
            Activation::Identity => x,
        }
    }
}

#[graph_fn]
fn walk(start: Point, settings: &Settings) -> Point {
    let mut at = start;
    for _ in 0..settings.steps {
        if at.x < at.y {
            at.x = at.x + settings.rate * settings.scale;
        } else {
            at.y = at.y + 1.0;
        }
    }
    at
}

#[graph_fn]
fn approach(start: Point, limit: Tensor<f32>) -> Point {
    let mut at = start;
    while at.x < limit {
        at = Point {
            x: at.x * 2.0,
            y: at.y + 1.0,
        };
    }
    at
}

fn point(x: f32, y: f32) -> Point {
    Point {
        x: tensor(x),
        y: tensor(y),
    }
}

fn settings(steps: usize, scale: f32) -> Settings {
    Settings {
        steps,
        rate: 0.5,
        scale: tensor(scale),
    }
}

#[test]
fn a_struct_mixes_tensors_and_plain_values() {
    let end = walk(point(0.0, 1.0), &settings(4, 4.0));
    // (0,1) -> (2,1) -> (2,2) -> (2,3) -> (4,3)
    assert_eq!((end.x.item(), end.y.item()), (4.0, 3.0));
    walk(point(5.0, 1.0), &settings(4, 2.0));
    assert_eq!(
        walk::function().trace_count(),
        1,
        "tensors of the same shape share a trace"
    );
    walk(point(0.0, 1.0), &settings(3, 4.0));
    assert_eq!(
        walk::function().trace_count(),
        2,
        "another plain value is another trace"
    );
}

#[test]
fn a_struct_of_tensors_is_loop_state() {
    let end = approach(point(3.0, 0.0), tensor(20.0));
    // 3, 6, 12, 24: three steps
    assert_eq!((end.x.item(), end.y.item()), (24.0, 3.0));
}

#[test]
fn an_enum_specializes_the_graph() {
    let x = tensor(-4.0f32);
    assert_eq!(Activation::Relu.apply(x.clone()).item(), 0.0);
    assert_eq!(
        Activation::Leaky { slope: 0.25 }.apply(x.clone()).item(),
        -1.0
    );
    assert_eq!(Activation::Identity.apply(x.clone()).item(), -4.0);
    let before = Activation::apply_function().trace_count();
    assert_eq!(before, 3);
    Activation::Leaky { slope: 0.25 }.apply(x.clone());
    assert_eq!(Activation::apply_function().trace_count(), before);
    Activation::Leaky { slope: 0.5 }.apply(x);
    assert_eq!(Activation::apply_function().trace_count(), before + 1);
}
