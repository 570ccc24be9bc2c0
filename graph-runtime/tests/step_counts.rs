//! The work to trace, optimize, plan and differentiate deep and long programs: with twice the depth, or twice the length, it takes about
//! twice as many steps. Builds with debug assertions count the steps.
#![cfg(debug_assertions)]

use std::sync::Arc;

use graph_runtime::graph::steps;
use graph_runtime::passes::{Options, optimize_with};
use graph_runtime::plan::Plan;
use graph_runtime::{ConcreteFunction, set_recursion_limit, tensor};

/// The maximum factor of the steps if the size is doubled.
const MOST: f64 = 2.5;

/// This many steps are ignored.
const FEW: f64 = 100.0;

/// The same for gradients of nested code: a value that an inner construct saves is passed out through all constructs around it.
const MOST_THROUGH: f64 = 4.2;

/// Programs as users write them, each for any size.
mod programs {
    use graph_runtime::{cond, prelude::*, while_loop};

    pub fn loops(x: Tensor<f32>, depth: usize) -> Tensor<f32> {
        let body = |(i, x): (Tensor<i32>, Tensor<f32>)| {
            let inside = match depth {
                1 => (&x * 0.5).sin(),
                _ => loops(&x + 1.0, depth - 1),
            };
            (i + 1, inside * x)
        };
        while_loop(|(i, _)| i.lt(2), body, (tensor(0), x)).1
    }

    pub fn branches(x: Tensor<f32>, depth: usize) -> Tensor<f32> {
        let deeper = || branches((&x * 0.5).sin(), depth - 1) + &x;
        match depth {
            0 => x.exp(),
            _ => cond(x.sum().gt(0.5), deeper, || x.cos()),
        }
    }

    /// Nested in the else branch.
    pub fn else_branches(x: Tensor<f32>, depth: usize) -> Tensor<f32> {
        let deeper = || else_branches((&x * 0.5).sin(), depth - 1) + &x;
        match depth {
            0 => x.exp(),
            _ => cond(x.sum().gt(0.5), || x.cos(), deeper),
        }
    }

    /// Only scalars, which may become word programs.
    pub fn scalars(x: Tensor<f32>, depth: usize) -> Tensor<f32> {
        fn nest(x: Tensor<f32>, depth: usize) -> Tensor<f32> {
            let deeper = || nest(&x + 1.0, depth - 1) * 0.5;
            match depth {
                0 => x,
                _ => cond(x.gt(depth as f32), || x.clone(), deeper),
            }
        }
        nest(x.sum(), depth)
    }

    #[graph_fn]
    pub fn recursion(x: Tensor<f32>, depth: usize) -> Tensor<f32> {
        if depth == 0 {
            return x.exp();
        }
        recursion(x.sin(), depth - 1) * x
    }

    /// The recursive call is in a branch.
    #[graph_fn]
    pub fn chosen_recursion(x: Tensor<f32>, depth: usize) -> Tensor<f32> {
        if depth == 0 {
            return x.exp();
        }
        let mut y = x.cos();
        if x.sum() > 0.0 {
            y = chosen_recursion(x.sin(), depth - 1) * x;
        }
        y
    }

    #[graph_fn]
    pub fn returns(mut x: Tensor<f32>, count: usize) -> Tensor<f32> {
        for i in 0..count {
            if x.sum() > i as f32 {
                return x * 2.0;
            }
            x = x.sin();
        }
        x
    }

    pub fn row(x: Tensor<f32>, count: usize) -> Tensor<f32> {
        let next = |x: Tensor<f32>, i| cond(x.sum().gt(i as f32), || &x * 0.5, || x.sin());
        (0..count).fold(x, next)
    }

    pub fn chain(x: Tensor<f32>, length: usize) -> Tensor<f32> {
        (0..length).fold(x, |x, _| (x * 0.5).sin())
    }

    pub type Program = fn(Tensor<f32>, usize) -> Tensor<f32>;

    #[graph_fn]
    pub fn value(x: Tensor<f32>, number: usize, size: usize) -> Tensor<f32> {
        ALL[number].1(x, size)
    }

    #[graph_fn]
    pub fn slope(x: Tensor<f32>, number: usize, size: usize) -> Option<Tensor<f32>> {
        let tape = GradientTape::new();
        tape.watch(&x);
        let y = ALL[number].1(x.clone(), size).sum();
        tape.gradient(&y, &x)
    }

    /// Each program with a size, and whether its graph nests as deep as this.
    pub const ALL: [(&str, Program, usize, bool); 9] = [
        ("loops", loops, 12, true),
        ("branches", branches, 25, true),
        ("else_branches", else_branches, 25, true),
        ("scalars", scalars, 250, true),
        ("recursion", |x, n| recursion(x, n), 40, false),
        ("chosen_recursion", |x, n| chosen_recursion(x, n), 25, true),
        ("returns", |x, n| returns(x, n), 100, false),
        ("row", row, 100, false),
        ("chain", chain, 500, false),
    ];
}

const PHASES: [&str; 6] = [
    "trace",
    "optimize",
    "plan",
    "differentiate",
    "optimize it",
    "plan it",
];

/// The steps for tracing a function, optimizing its graph and planning it.
fn phases(concrete: impl Fn() -> Arc<ConcreteFunction>) -> [usize; 3] {
    let (all, concrete) = steps::of(concrete);
    let mut graph = concrete.graph().clone();
    let (optimizing, ()) = steps::of(|| optimize_with(&mut graph, &Options::default()));
    let (planning, _) = steps::of(|| Plan::new(&graph));
    [all - optimizing - planning, optimizing, planning]
}

#[test]
fn tracing_and_gradients_take_linear_steps() {
    // Then there are too many scalars for one word program.
    set_recursion_limit(600);
    // Steps are counted by thread.
    std::thread::scope(|threads| {
        for number in 0..programs::ALL.len() {
            threads.spawn(move || steps_of(number));
        }
    });
}

/// Checks the steps of one of the programs.
fn steps_of(number: usize) {
    let (name, _, size, nests) = programs::ALL[number];
    let of = |size: usize| {
        let x = tensor([0.1f32, 0.2]);
        let value = || programs::value::concrete(x.clone(), number, size).unwrap();
        let slope = || programs::slope::concrete(x.clone(), number, size).unwrap();
        let phases = [phases(value), phases(slope)];
        PHASES.into_iter().zip(phases.concat())
    };
    for ((what, once), (_, twice)) in of(size).zip(of(2 * size)) {
        let most = if nests && PHASES[3..].contains(&what) {
            MOST_THROUGH
        } else {
            MOST
        };
        let (small, large) = (once as f64, twice as f64);
        assert!(
            once > 0 && large <= most * small + FEW,
            "{name}: {what}: {once} steps for size {size}, {twice} for twice the size"
        );
    }
}
