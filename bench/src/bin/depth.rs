//! What tracing, optimizing, planning and differentiating cost as programs grow deep and long: loops in loops, branches in branches,
//! functions that call themselves, and flat chains. Each program runs in a process of its own, whose most memory is a column. Prints a page, which is
//! `bench/DEPTH.md`; with the names of shapes, those alone.
//!
//! `cargo run --release -p graph-bench --bin depth > bench/DEPTH.md`

use std::process::Command;
use std::time::Duration;

use graph_bench::usage;
use graph_runtime::graph::{Graph, verify};
use graph_runtime::passes::{self, Options};
use graph_runtime::plan::Plan;
use graph_runtime::{cond, prelude::*, while_loop};

/// The programs, each with what its size counts, and its sizes.
const SHAPES: [(&str, &str, &[usize]); 6] = [
    ("loops", "loops in each other", &[1, 4, 16, 64]),
    ("branches", "`if`s in each other", &[1, 25, 100, 400]),
    (
        "returns",
        "early returns, one behind the other",
        &[1, 25, 100, 400],
    ),
    (
        "recursion",
        "calls of the function by itself",
        &[1, 10, 100, 1000],
    ),
    ("row", "`if`s, one behind the other", &[10, 100, 1000]),
    (
        "chain",
        "elementwise ops, one behind the other",
        &[100, 1_000, 10_000, 100_000],
    ),
];

fn loops(x: Tensor<f32>, depth: usize) -> Tensor<f32> {
    let body = |(i, x): (Tensor<i32>, Tensor<f32>)| {
        let inside = match depth {
            1 => (&x * 0.5).sin(),
            _ => loops(&x + 1.0, depth - 1),
        };
        (i + 1, inside * x)
    };
    while_loop(|(i, _)| i.lt(2), body, (tensor(0), x)).1
}

fn branches(x: Tensor<f32>, depth: usize) -> Tensor<f32> {
    if depth == 0 {
        return x.exp();
    }
    cond(
        x.sum().gt(0.5),
        || branches((&x * 0.5).sin(), depth - 1) + &x,
        || x.cos(),
    )
}

#[graph_fn]
fn returns(mut x: Tensor<f32>, count: usize) -> Tensor<f32> {
    for i in 0..count {
        if x.sum() > i as f32 {
            return x * 2.0;
        }
        x = x.sin();
    }
    x
}

#[graph_fn]
fn recursion(x: Tensor<f32>, depth: usize) -> Tensor<f32> {
    if depth == 0 {
        return x.exp();
    }
    recursion(x.sin(), depth - 1) * x
}

fn row(mut x: Tensor<f32>, count: usize) -> Tensor<f32> {
    for i in 0..count {
        x = cond(x.sum().gt(i as f32), || &x * 0.5, || x.sin());
    }
    x
}

fn chain(mut x: Tensor<f32>, length: usize) -> Tensor<f32> {
    for _ in 0..length / 2 {
        x = (x * 0.5).sin();
    }
    x
}

/// A program, of its shape and size.
fn build(x: Tensor<f32>, shape: &str, size: usize) -> Tensor<f32> {
    match shape {
        "loops" => loops(x, size),
        "branches" => branches(x, size),
        "returns" => returns(x, size),
        "recursion" => recursion(x, size),
        "row" => row(x, size),
        _ => chain(x, size),
    }
}

#[graph_fn]
fn value(x: Tensor<f32>, shape: &str, size: usize) -> Tensor<f32> {
    build(x, shape, size)
}

#[graph_fn]
fn gradient(x: Tensor<f32>, shape: &str, size: usize) -> Option<Tensor<f32>> {
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = build(x.clone(), shape, size).sum();
    tape.gradient(&y, &x)
}

fn timed<R>(run: impl FnOnce() -> R) -> (Duration, R) {
    let start = usage::now();
    let result = run();
    let used = usage::now().since(start);
    (Duration::from_nanos(used.cpu_ns), result)
}

/// How many nodes a graph has with its subgraphs.
fn nodes(graph: &Graph) -> usize {
    let inside = |node: &graph_runtime::graph::Node| -> usize {
        1 + node.op.subgraphs().into_iter().map(nodes).sum::<usize>()
    };
    graph.nodes().iter().map(inside).sum()
}

/// The figures of one program.
fn measure(shape: &str, size: usize) {
    let x = tensor([0.1, 0.2, 0.3, 0.4]);
    let (tracing, concrete) = timed(|| value::concrete(x.clone(), shape, size).expect("it traces"));
    let mut graph = concrete.graph().clone();
    let (verifying, _) = timed(|| verify(&graph).expect("it is a graph"));
    let (optimizing, _) = timed(|| passes::optimize_with(&mut graph, &Options::default()));
    let (planning, _) = timed(|| Plan::new(&graph));
    println!(
        "{} trace {tracing:?} verify {verifying:?} opt {optimizing:?} plan {planning:?}",
        nodes(concrete.graph())
    );
    let (differentiating, _) = timed(|| gradient::concrete(x, shape, size).expect("it traces"));
    println!("gradient {differentiating:?}");
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [shape, size] = &arguments[..]
        && let Ok(size) = size.parse()
    {
        let shape = shape.clone();
        let thread = std::thread::Builder::new()
            .stack_size(4 << 30)
            .spawn(move || measure(&shape, size))
            .unwrap();
        thread.join().unwrap();
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        println!(
            "{}",
            status
                .lines()
                .find(|l| l.starts_with("VmHWM"))
                .unwrap_or_default()
        );
        return;
    }
    for (shape, what, sizes) in SHAPES {
        if !arguments.is_empty() && !arguments.iter().any(|a| a == shape) {
            continue;
        }
        for size in sizes {
            let out = Command::new(std::env::current_exe().unwrap())
                .args([shape, &size.to_string()])
                .output()
                .unwrap();
            println!(
                "{shape} {what} {size}: {} {}",
                String::from_utf8_lossy(&out.stdout).replace('\n', " "),
                String::from_utf8_lossy(&out.stderr)
            );
        }
    }
}
