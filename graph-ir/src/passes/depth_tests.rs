//! The work for deep and for long graphs: twice the depth, or twice the length, takes about twice the steps.

use super::{Options, optimize_with};
use crate::graph::{Graph, steps, verify};
use crate::plan::Plan;

/// The text of nested loops that define `a` and `b`.
fn loops(depth: usize) -> String {
    let inside = match depth {
        0 => "a = add(s, i) : int32[] b = mul(t, a) : int32[]".to_owned(),
        _ => loops(depth - 1),
    };
    format!(
        "zero = constant 0 : int32[]
         k, a, b, unused = while_loop (zero, s, t, t) : int32[], int32[], int32[], int32[] {{
           cond (i: int32[], s: int32[], t: int32[], u: int32[]) {{
             two = constant 2 : int32[]
             goes_on = less(i, two) : bool[]
             return goes_on
           }}
           body (i: int32[], s: int32[], t: int32[], u: int32[]) {{
             {inside}
             one = constant 1 : int32[]
             next = add(i, one) : int32[]
             v = add(u, b) : int32[]
             return next, b, a, v
           }}
         }}"
    )
}

/// The text of nested branches.
fn branches(depth: usize) -> String {
    let inside = match depth {
        0 => "a = add(s, t) : int32[] b = mul(t, t) : int32[]".to_owned(),
        _ => branches(depth - 1),
    };
    format!(
        "p = less(s, t) : bool[]
         a, b, unused = cond p (s, t) : int32[], int32[], int32[] {{
           then (s: int32[], t: int32[]) {{ {inside} c = add(a, b) : int32[] return b, c, s }}
           else (s: int32[], t: int32[]) {{ c = sub(t, s) : int32[] return c, s, c }}
         }}"
    )
}

/// The text of a sequence of branches.
fn row(length: usize) -> String {
    let one = |i: usize| {
        let next = i + 1;
        format!(
            "p{i} = less(s{i}, t{i}) : bool[]
             s{next}, t{next} = cond p{i} (s{i}, t{i}) : int32[], int32[] {{
               then (s: int32[], t: int32[]) {{ c = add(s, t) : int32[] return t, c }}
               else (s: int32[], t: int32[]) {{ c = sub(t, s) : int32[] return c, s }}
             }}\n"
        )
    };
    let all: String = (0..length).map(one).collect();
    format!(
        "s0 = add(s, t) : int32[] t0 = mul(t, t) : int32[] {all}
         a = add(s{length}, s) : int32[] b = sub(t{length}, s) : int32[]"
    )
}

/// The maximum ratio of the steps for twice the size.
const MAX_RATIO: f64 = 2.5;

fn check(program: fn(usize) -> String, size: usize) {
    let of = |size: usize| -> [usize; 3] {
        let text = format!(
            "graph (s: int32[], t: int32[]) -> (int32[], int32[]) {{ {} return a, b }}",
            program(size)
        );
        let mut graph: Graph = text.parse().unwrap_or_else(|e| panic!("{e}"));
        let (verifying, _) = steps::of(|| verify(&graph));
        let (optimizing, ()) = steps::of(|| optimize_with(&mut graph, &Options::default()));
        let (planning, _) = steps::of(|| Plan::new(&graph));
        [verifying, optimizing, planning]
    };
    let (once, twice) = (of(size), of(2 * size));
    for (what, (once, twice)) in ["verify", "optimize", "plan"]
        .into_iter()
        .zip(once.into_iter().zip(twice))
    {
        println!("{what}: {once} {twice}");
        assert!(
            once > 0 && twice as f64 <= MAX_RATIO * once as f64,
            "{what}: {once} steps for size {size}, {twice} for twice the size"
        );
    }
}

#[test]
fn loops_in_loops_take_linear_steps() {
    check(loops, 30);
}

#[test]
fn branches_in_branches_take_linear_steps() {
    check(branches, 30);
}

#[test]
fn many_branches_take_linear_steps() {
    check(row, 100);
}
