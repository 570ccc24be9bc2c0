//! Measures what a graph function costs without tensors: the nanoseconds of a call, compared with the same function without the attribute;
//! both are the minimum of samples taken in turns. The difference must be at most 50, whatever the arguments are and however deep the
//! calls.
//!
//! `cargo run --release -p graph-bench --bin plain-calls`

use std::hint::black_box;
use std::time::Instant;

/// The number of samples of each kind, taken in turns.
const ROUNDS: usize = 200;

/// Compiles the functions twice: with and without the attribute.
macro_rules! twice {
    ($($item:item)*) => {
        mod plain {
            #![allow(clippy::all)]
            $($item)*
        }
        mod graph {
            #![allow(clippy::all)]
            use graph_runtime::prelude::*;
            $(#[graph_fn] $item)*
        }
    };
}

twice! {
    pub fn recursion(n: u64) -> u64 {
        if n < 2 { n } else { recursion(n - 1) + recursion(n - 2) }
    }
    pub fn text(text: &str) -> usize {
        text.len()
    }
    pub fn list(items: &[i32]) -> usize {
        items.len()
    }
    pub fn generic<T: Copy + Into<f64>>(items: &[T]) -> f64 {
        items[0].into()
    }
    pub fn owned(items: Vec<i32>) -> Vec<i32> {
        items
    }
    pub fn changes(items: &mut Vec<i32>) -> usize {
        items.push(1);
        items.pop();
        items.len()
    }
    pub fn reads(state: &super::State) -> i32 {
        state.at
    }
    pub fn moves<'a>(state: &'a mut super::State) -> Option<&'a mut i32> {
        state.at += 1;
        Some(&mut state.at)
    }
    pub fn fails(text: &str) -> Result<i32, String> {
        if text.is_empty() { Err(String::new()) } else { Ok(1) }
    }
}

/// A type that no graph can hold.
pub struct State {
    at: i32,
}

/// A call with and without the attribute, and the number of function calls that it makes.
struct Case {
    name: &'static str,
    calls: u32,
    ways: [Box<dyn FnMut()>; 2],
}

fn case(
    name: &'static str,
    calls: u32,
    plain: impl FnMut() + 'static,
    graph: impl FnMut() + 'static,
) -> Case {
    let ways: [Box<dyn FnMut()>; 2] = [Box::new(plain), Box::new(graph)];
    Case { name, calls, ways }
}

/// Writes each expression twice, with the functions of the two modules.
macro_rules! cases {
    ($($name:literal, $calls:expr, |$module:ident| $prepare:expr => $run:expr;)*) => {
        vec![$(case($name, $calls, cases!(@way plain $module $prepare => $run), cases!(@way graph $module $prepare => $run))),*]
    };
    (@way plain $module:ident $prepare:expr => $run:expr) => {{
        use plain as $module;
        let mut state = $prepare;
        let run = $run;
        move || run(&mut state)
    }};
    (@way graph $module:ident $prepare:expr => $run:expr) => {{
        use graph as $module;
        let mut state = $prepare;
        let run = $run;
        move || run(&mut state)
    }};
}

fn main() {
    let wanted = std::env::args().nth(1);
    let mut cases = cases! {
        "a recursion", 21_891, |m| () => |_: &mut ()| { black_box(m::recursion(black_box(20))); };
        "a short text", 1, |m| String::from("abc") => |t: &mut String| { black_box(m::text(black_box(t))); };
        "a text of 1000 bytes", 1, |m| "a".repeat(1000) => |t: &mut String| { black_box(m::text(black_box(t))); };
        "a list of 1000 numbers", 1, |m| vec![1; 1000] => |v: &mut Vec<i32>| { black_box(m::list(black_box(v))); };
        "the same, generic", 1, |m| vec![1; 1000] => |v: &mut Vec<i32>| { black_box(m::generic(black_box(&v[..]))); };
        "the same, by value", 1, |m| vec![1; 1000] => |v: &mut Vec<i32>| *v = black_box(m::owned(std::mem::take(v)));
        "the same, changed", 1, |m| vec![1; 1000] => |v: &mut Vec<i32>| { black_box(m::changes(black_box(v))); };
        "a struct of the user's", 1, |m| State { at: 1 } => |s: &mut State| { black_box(m::reads(black_box(s))); };
        "the same, changed", 1, |m| State { at: 1 } => |s: &mut State| { black_box(m::moves(black_box(s)).is_some()); };
        "a Result", 1, |m| String::from("abc") => |t: &mut String| { let _ = black_box(m::fails(black_box(t))); };
    };
    cases.retain(|case| wanted.as_deref().is_none_or(|name| name == case.name));
    println!("{:>8}  {:>8}  {:>8}", "plain", "graph_fn", "between");
    for case in &mut cases {
        let repeats = (20_000 / case.calls).max(1);
        let mut least = [f64::INFINITY; 2];
        for _ in 0..ROUNDS {
            for (way, least) in case.ways.iter_mut().zip(&mut least) {
                let start = Instant::now();
                (0..repeats).for_each(|_| way());
                let calls = f64::from(repeats) * f64::from(case.calls);
                *least = least.min(start.elapsed().as_nanos() as f64 / calls);
            }
        }
        let [plain, graph] = least;
        println!(
            "{plain:8.1}  {graph:8.1}  {:8.1}  {}",
            graph - plain,
            case.name
        );
    }
}
