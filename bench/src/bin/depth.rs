//! Measures what tracing, optimizing, planning and differentiating cost as programs get deep and long: nested loops, nested branches,
//! recursive functions, and flat chains. Each program runs in its own process, and its peak memory is one of the columns. Prints the page
//! `bench/DEPTH.md`; with names of shapes as arguments, only the rows of these shapes.
//!
//! `cargo run --release -p graph-bench --bin depth > bench/DEPTH.md`

use std::error::Error;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use graph_bench::usage;
use graph_runtime::graph::{Graph, Op, verify};
use graph_runtime::passes::{self, Options, PASSES};
use graph_runtime::plan::Plan;
use graph_runtime::{ConcreteFunction, cond, prelude::*, set_recursion_limit, while_loop};

const HEAD: &str = "# The cost of depth and length

This page is written by `cargo run --release -p graph-bench --bin depth > bench/DEPTH.md`, not by hand.

CPU time on one machine, and the peak memory of a process that does all of this once. `optimize` is all passes together. The gradient is that
of the program's sum, and is traced with the program. The values that a gradient saves in an inner branch or loop are passed out through all
constructs around it. So the number of its values, not of its nodes, grows with the number of nodes times the depth.
";

const BY_PASS: &str = "
The times of single passes on the traced graph, for the larger of the two largest programs, and the ratio to the time for the smaller one:
";

/// The shapes of programs: the name, what the size counts, and the sizes.
const SHAPES: [(&str, &str, &[usize]); 6] = [
    ("loops", "nested loops", &[1, 4, 16, 64]),
    ("branches", "nested `if`s", &[1, 25, 100, 400]),
    (
        "returns",
        "early returns, one after the other",
        &[1, 25, 100, 400],
    ),
    ("recursion", "recursive calls", &[1, 10, 100, 1000]),
    ("row", "`if`s, one after the other", &[10, 100, 1000]),
    (
        "chain",
        "elementwise ops, one after the other",
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

/// Computes a program of this shape and size while it is traced.
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

/// Runs a closure and measures its CPU time. Other programs disturb CPU time less than wall time.
fn timed<R>(run: impl FnOnce() -> R) -> (Duration, R) {
    let before = usage::now();
    let result = run();
    let used = usage::now().since(before);
    (Duration::from_nanos(used.cpu_ns), result)
}

/// The number of nodes in a graph, its subgraphs and the graphs that it calls.
fn nodes(graph: &Graph) -> usize {
    let mut count = 0;
    let mut pending = vec![graph];
    while let Some(graph) = pending.pop() {
        count += graph.nodes().len();
        for node in graph.nodes() {
            pending.extend(node.op.subgraphs());
            if let Op::Call { graph, .. } = &node.op {
                pending.push(graph);
            }
        }
    }
    count
}

/// The times of tracing a function, of optimizing its graph, and of planning the optimized graph.
fn phases(
    concrete: impl FnOnce() -> Arc<ConcreteFunction>,
) -> ([Duration; 3], Arc<ConcreteFunction>) {
    let (all, concrete) = timed(concrete);
    let mut graph = concrete.graph().clone();
    let (optimizing, ()) = timed(|| passes::optimize_with(&mut graph, &Options::default()));
    let (planning, _) = timed(|| Plan::new(&graph));
    let tracing = all.saturating_sub(optimizing + planning);
    ([tracing, optimizing, planning], concrete)
}

/// The figures of one program: the number of nodes, then the times of phases and passes in microseconds, then the memory in KB.
fn measure(shape: &str, size: usize) -> Vec<u64> {
    let micros = |time: Duration| time.as_micros() as u64;
    let x = tensor([0.1, 0.2, 0.3, 0.4]);
    let (of_value, concrete) =
        phases(|| value::concrete(x.clone(), shape, size).expect("it traces"));
    let traced = concrete.graph();
    let (verifying, _) = timed(|| verify(traced).expect("traces verify"));
    let (of_gradient, _) = phases(|| gradient::concrete(x, shape, size).expect("it traces"));
    let memory = usage::peak_memory().unwrap_or(0);
    let phases = [of_value, of_gradient].concat();
    let mut figures = vec![nodes(traced) as u64];
    figures.extend(phases.into_iter().map(micros));
    figures.push(micros(verifying));
    for pass in PASSES {
        let others = PASSES.iter().map(|other| other.name);
        let others: Vec<&str> = others.filter(|other| *other != pass.name).collect();
        let mut graph = traced.clone();
        let (alone, ()) = timed(|| passes::optimize_with(&mut graph, &Options::without(&others)));
        figures.push(micros(alone));
    }
    figures.push(memory / 1024);
    figures
}

/// Measures a program in its own process.
fn figures(shape: &str, size: usize) -> Result<Vec<u64>, Box<dyn Error>> {
    let output = Command::new(std::env::current_exe()?)
        .args([shape, &size.to_string()])
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(format!("{shape} of size {size} ended with {}", output.status).into());
    }
    let text = String::from_utf8(output.stdout)?;
    Ok(text
        .split_whitespace()
        .map(str::parse)
        .collect::<Result<_, _>>()?)
}

/// Formats a time given in microseconds.
fn time(micros: u64) -> String {
    match micros {
        0..10_000 => format!("{:.1} ms", micros as f64 / 1e3),
        _ => format!("{} ms", micros / 1000),
    }
}

fn page(wanted: &[String]) -> Result<(), Box<dyn Error>> {
    println!("{HEAD}");
    println!(
        "| program | size | nodes | trace | optimize | plan | gradient: trace | optimize | plan | verify | memory |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    let mut growth = Vec::new();
    for (shape, what, sizes) in SHAPES {
        if !wanted.is_empty() && !wanted.iter().any(|name| name == shape) {
            continue;
        }
        let mut rows = Vec::new();
        for size in sizes {
            let row = figures(shape, *size)?;
            let times: Vec<String> = row[1..8].iter().map(|micros| time(*micros)).collect();
            let (nodes, memory) = (row[0], row[row.len() - 1] / 1024);
            println!(
                "| {what} | {size} | {nodes} | {} | {memory} MB |",
                times.join(" | ")
            );
            rows.push(row);
        }
        let last = [sizes.len() - 2, sizes.len() - 1];
        let sizes = last.map(|i| sizes[i]);
        growth.push((what, sizes, last.map(|i| rows[i][8..].to_vec())));
    }
    println!("{BY_PASS}");
    println!("| program | size | passes that take more than a tenth |");
    println!("|---|---|---|");
    for (what, [from, to], [before, after]) in growth {
        let all: u64 = after.iter().take(PASSES.len()).sum();
        let slow = PASSES.iter().zip(before.into_iter().zip(after));
        let slow = slow.filter(|(_, (_, after))| 10 * after > all);
        let slow: Vec<String> = slow
            .map(|(pass, (before, after))| {
                let factor = after as f64 / before.max(1) as f64;
                format!("`{}` {} ({factor:.1} ×)", pass.name, time(after))
            })
            .collect();
        println!("| {what} | {from} → {to} | {} |", slow.join(", "));
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [shape, size] = &arguments[..] else {
        return page(&arguments);
    };
    let Ok(size) = size.parse() else {
        return page(&arguments);
    };
    set_recursion_limit(usize::MAX);
    let shape = shape.clone();
    let roomy = thread::Builder::new().stack_size(1 << 30);
    let measured = roomy.spawn(move || measure(&shape, size))?.join();
    let figures = measured.map_err(|_| "the measurement panicked")?;
    let figures: Vec<String> = figures.iter().map(u64::to_string).collect();
    println!("{}", figures.join(" "));
    Ok(())
}
