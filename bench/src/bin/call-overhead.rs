//! What a call costs beside the work: one scalar, eight arguments, a struct of twenty tensors, one of a hundred traces, and a
//! concrete function called by values and flat. Prints nanoseconds, and how often the kernel alone, called as plain Rust, fits in.
//!
//! `cargo run --release -p graph-bench --bin call-overhead`

use std::hint::black_box;
use std::time::Instant;

use graph_runtime::TraceType;
use graph_runtime::prelude::*;

/// How many samples of each kind are taken in turns.
const ROUNDS: usize = 40;

/// How many calls a sample has.
const CALLS: u32 = 5_000;

type Scalar = Tensor<f32>;

#[graph_fn]
fn add_scalar(x: Tensor<f32>) -> Tensor<f32> {
    x + 1.0
}

#[graph_fn]
#[allow(clippy::too_many_arguments, reason = "eight is what is timed")]
fn add_first_of_eight(
    a: Scalar,
    _b: Scalar,
    _c: Scalar,
    _d: Scalar,
    _e: Scalar,
    _f: Scalar,
    _g: Scalar,
    _h: Scalar,
) -> Scalar {
    a + 1.0
}

#[derive(TraceType)]
struct Twenty {
    tensors: [Scalar; 20],
}

#[graph_fn]
fn add_first_of_twenty(model: &Twenty) -> Scalar {
    &model.tensors[0] + 1.0
}

#[graph_fn]
fn add_number(x: Scalar, number: i32) -> Scalar {
    x + number as f32
}

/// A name, and what is timed under it.
type Kind = (&'static str, Box<dyn FnMut()>);

/// The least time of a call among the samples of each kind, taken in turns.
fn least(kinds: &mut [Kind]) -> Vec<f64> {
    let mut least = vec![f64::INFINITY; kinds.len()];
    for _ in 0..ROUNDS {
        for ((_, call), least) in kinds.iter_mut().zip(&mut least) {
            let start = Instant::now();
            (0..CALLS).for_each(|_| call());
            *least = least.min(start.elapsed().as_nanos() as f64 / f64::from(CALLS));
        }
    }
    least
}

fn main() -> Result<(), graph_runtime::Error> {
    let scalar = || tensor(1.5f32);
    let (x, eight) = (scalar(), [(); 8].map(|()| scalar()));
    let twenty = Twenty {
        tensors: [(); 20].map(|()| scalar()),
    };
    let concrete = add_scalar::concrete(x.clone())?;
    let by_values = concrete.clone();
    let [a, b, c, d] = [x.clone(), x.clone(), x.clone(), x];
    let mut number = 0;
    let mut kinds: Vec<Kind> = vec![
        (
            "the kernel as plain Rust",
            Box::new(move || drop(black_box(&a + 1.0))),
        ),
        (
            "one scalar",
            Box::new(move || drop(black_box(add_scalar(b.clone())))),
        ),
        (
            "eight arguments",
            Box::new(move || {
                let [a, b, c, d, e, f, g, h] = eight.clone();
                drop(black_box(add_first_of_eight(a, b, c, d, e, f, g, h)));
            }),
        ),
        (
            "a struct of twenty tensors",
            Box::new(move || drop(black_box(add_first_of_twenty(&twenty)))),
        ),
        (
            "one of a hundred traces",
            Box::new(move || {
                number = (number + 1) % 100;
                drop(black_box(add_number(c.clone(), number)));
            }),
        ),
        (
            "concrete, by values",
            Box::new(move || drop(black_box(by_values.call::<Scalar>(d.clone())))),
        ),
        (
            "concrete, flat",
            Box::new({
                let x = scalar();
                move || drop(black_box(concrete.call_flat::<Scalar>(&[x.as_any()])))
            }),
        ),
    ];
    let times = least(&mut kinds);
    println!("{:>8}  {:>8}", "ns", "kernels");
    for ((name, _), time) in kinds.iter().zip(&times) {
        println!("{time:8.1}  {:8.2}  {name}", time / times[0]);
    }
    Ok(())
}
