//! Measures what a graph function costs without tensors: the nanoseconds of a call, compared with the same function without the attribute;
//! both are the minimum of samples taken in turns. The difference must be at most 50, whatever the arguments are and however deep the
//! calls.
//!
//! `cargo run --release -p graph-bench --bin plain-calls`

use std::hint::black_box;

use graph_bench::twice::wanted;
use graph_bench::{cases, twice};

/// The number of samples of each kind, taken in turns.
const ROUNDS: u32 = 200;

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
    pub fn reads(state: &State) -> i32 {
        state.at
    }
    pub fn moves<'a>(state: &'a mut State) -> Option<&'a mut i32> {
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

fn main() {
    let cases = cases! {
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
    println!("{:>8}  {:>8}  {:>8}", "plain", "graph_fn", "between");
    for mut case in wanted(cases) {
        let repeats = (20_000 / case.calls).max(1);
        let [plain, graph] = case.nanoseconds(ROUNDS, repeats);
        println!(
            "{plain:8.1}  {graph:8.1}  {:8.1}  {}",
            graph - plain,
            case.name
        );
    }
}
