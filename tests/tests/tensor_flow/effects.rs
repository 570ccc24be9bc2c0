//! Effects and errors: printed lines in program order, from branches and loops; assertions; errors of a run, which come only
//! from code that runs; `Result`s and panics.

use crate::support::{each_way, eagerly, outcome, traced};
use graph_runtime::prelude::*;
use graph_runtime::{Error, collect_prints};

/// Asserts that `run` prints these lines: traced, cached and eagerly.
fn assert_prints<R>(expected: &[&str], run: impl Fn() -> R) {
    assert_eq!(traced(|| collect_prints(&run).1), expected, "traced");
    assert_eq!(
        traced(|| collect_prints(&run).1),
        expected,
        "from the cache"
    );
    assert_eq!(eagerly(|| collect_prints(&run).1), expected, "eagerly");
}

#[graph_fn]
fn classify(x: Tensor<i32>) -> Tensor<i32> {
    graph_print!("start {x}");
    let mut y = x.clone();
    if x > 10 {
        graph_print!("big");
        y -= 10;
        if y > 10 {
            graph_print!("very big: {}", y);
            return y;
        }
        graph_print!("rest {}", y);
    } else if x == 0 {
        graph_print!("zero");
    }
    graph_print!("end {} of {x}", y + 1);
    y
}

#[test]
fn lines_of_the_taken_branches() {
    assert_prints(&["start 3", "end 4 of 3"], || classify(tensor(3)));
    assert_prints(&["start 0", "zero", "end 1 of 0"], || classify(tensor(0)));
    assert_prints(&["start 15", "big", "rest 5", "end 6 of 15"], || {
        classify(tensor(15))
    });
    assert_prints(&["start 25", "big", "very big: 15"], || {
        classify(tensor(25))
    });
}

#[graph_fn]
fn countdown(n: Tensor<i32>, step: i32) {
    let mut n = n;
    while n > 0 {
        graph_print!("{n}");
        n -= step;
        if n == 3 {
            graph_print!("skip");
            continue;
        }
        if n < -1 {
            graph_print!("too far by {}", -n);
            break;
        }
        graph_print!("- {} by {step}", n);
    }
    graph_print!("done");
}

#[test]
fn lines_of_every_turn() {
    assert_prints(
        &["5", "skip", "3", "- 1 by 2", "1", "- -1 by 2", "done"],
        || countdown(tensor(5), 2),
    );
    assert_prints(&["4", "- 0 by 4", "done"], || countdown(tensor(4), 4));
    assert_prints(&["2", "too far by 3", "done"], || countdown(tensor(2), 5));
    assert_prints(&["done"], || countdown(tensor(0), 1));
}

#[graph_fn]
fn multiplication_table(n: Tensor<i32>) {
    for i in 1..=n.clone() {
        for k in [1, 10] {
            if i == 2 && k == 10 {
                graph_print!("-");
                continue;
            }
            graph_print!("{} * {k} = {}", i, &i * k);
        }
        match i {
            1 => graph_print!("first"),
            j if j == n => graph_print!("last"),
            _ => {}
        }
    }
}

#[test]
fn lines_of_nested_loops() {
    assert_prints(
        &[
            "1 * 1 = 1",
            "1 * 10 = 10",
            "first",
            "2 * 1 = 2",
            "-",
            "last",
        ],
        || multiplication_table(tensor(2)),
    );
}

#[graph_fn]
fn inner(x: Tensor<i32>) -> Tensor<i32> {
    graph_print!("inner {x}");
    if x > 1 { x * 2 } else { x }
}

#[graph_fn]
fn outer(x: Tensor<i32>) -> Tensor<i32> {
    graph_print!("before");
    let y = inner(x);
    graph_print!("between");
    let helper = |v: Tensor<i32>| {
        graph_print!("closure {v}");
        inner(v)
    };
    let z = helper(y);
    graph_print!("after {z}");
    z
}

#[test]
fn lines_of_called_functions_stand_where_they_are_called() {
    let lines = [
        "before",
        "inner 3",
        "between",
        "closure 6",
        "inner 6",
        "after 12",
    ];
    assert_prints(&lines, || outer(tensor(3)));
}

#[graph_fn]
fn all_formats(b: Tensor<bool>, v: Tensor<f32>, s: Tensor<String>, m: Tensor<i32>, n: usize) {
    graph_print!("b={b} v={v} s={s}");
    graph_print!("{}", m);
    graph_print!("{{n}} = {n:>4} {:?} {1}", n > 2, v.sum());
    graph_print!();
}

#[test]
fn values_print_as_tensorflow_prints_them() {
    let lines = [
        "b=1 v=[1 2.5 0.333333343] s=text",
        "[[1 2]\n [3 4]]",
        "{n} =    3 true 3.83333325",
        "",
    ];
    assert_prints(&lines[..2], || {
        let run = || {
            all_formats(
                tensor(true),
                tensor([1.0, 2.5, 1.0 / 3.0]),
                tensor("text"),
                tensor([[1, 2], [3, 4]]),
                3,
            )
        };
        let (_, printed) = collect_prints(run);
        // The third line mixes the text of Rust values and tensors; only its parts are checked.
        assert!(printed[2].starts_with("{n} =    3 true"), "{}", printed[2]);
        assert_eq!(printed[3], lines[3]);
        for line in &printed[..2] {
            graph_print!("{line}");
        }
    });
}

#[graph_fn]
fn root(x: Tensor<f32>) -> Result<Tensor<f32>, Error> {
    assert!(x >= 0.0, "a root of a negative number");
    let y = x.sqrt();
    assert_eq!(x, x, "not a number");
    Ok(y)
}

#[test]
fn assertions_are_errors_of_a_result() {
    each_way(|| {
        assert_eq!(root(tensor(4.0)).unwrap().item(), 2.0);
        let error = root(tensor(-1.0)).unwrap_err();
        assert_eq!(
            error.message(),
            "assertion failed: a root of a negative number"
        );
        assert!(error.location().file.ends_with("effects.rs"), "{error}");
        assert_eq!(error.location().line, line_of("assert!(x >= 0.0"));
        let error = root(tensor(f32::NAN)).unwrap_err();
        assert!(error.message().starts_with("assertion failed: "), "{error}");
        // The function still works.
        assert_eq!(root(tensor(9.0)).unwrap().item(), 3.0);
    });
}

/// The first line of this file that contains a text.
fn line_of(text: &str) -> u32 {
    let at = include_str!("effects.rs")
        .lines()
        .position(|line| line.contains(text));
    at.map_or(0, |at| at as u32 + 1)
}

#[graph_fn]
fn checked(x: Tensor<i32>, y: Tensor<i32>) -> Tensor<i32> {
    let mut s = tensor(0);
    for i in 0..x.clone() {
        assert!(i < y, "turn {} is too late", 1 + 1);
        s += 10 / (y - i);
    }
    if x > 100 {
        assert_ne!(x, y);
    }
    s
}

#[test]
fn assertions_panic_where_there_is_no_result() {
    each_way(|| {
        assert_eq!(checked(tensor(2), tensor(2)).item(), 15);
        let panic = outcome(|| checked(tensor(3), tensor(2)));
        assert!(
            panic.starts_with("panic: assertion failed: turn 2 is too late"),
            "{panic}"
        );
        assert!(panic.contains("effects.rs"), "{panic}");
        // The assertion isn't reached if the loop doesn't run and the branch isn't taken.
        assert_eq!(checked(tensor(0), tensor(0)).item(), 0);
    });
}

#[graph_fn]
fn divided(a: Tensor<i32>, b: Tensor<i32>, xs: Tensor<i32>) -> Result<Tensor<i32>, Error> {
    let mut s = tensor(0);
    if a > 0 {
        s = a / b;
    } else if a < -10 {
        s = xs[&b];
    }
    Ok(s)
}

#[test]
fn errors_only_of_what_runs() {
    each_way(|| {
        let xs = || tensor([5, 6]);
        assert_eq!(divided(tensor(7), tensor(2), xs()).unwrap().item(), 3);
        assert_eq!(divided(tensor(-7), tensor(0), xs()).unwrap().item(), 0);
        let error = divided(tensor(7), tensor(0), xs()).unwrap_err();
        assert!(error.message().contains("division by zero"), "{error}");
        assert_eq!(error.location().line, line_of("s = a / b"));
        let error = divided(tensor(-70), tensor(2), xs()).unwrap_err();
        assert!(error.message().contains("out of bounds"), "{error}");
        assert_eq!(error.location().line, line_of("s = xs[&b]"));
        assert_eq!(divided(tensor(-70), tensor(1), xs()).unwrap().item(), 6);
    });
}

#[graph_fn]
fn tried(text: &str, x: Tensor<i32>) -> Result<Tensor<i32>, Box<dyn std::error::Error>> {
    let n: i32 = text.parse()?;
    let y = divided(x, tensor(n), tensor([1, 2]))?;
    if y > 2 {
        return Ok(y * 10);
    }
    Ok(y)
}

#[test]
fn question_marks_pass_errors_on() {
    each_way(|| {
        assert_eq!(tried("2", tensor(8)).unwrap().item(), 40);
        assert_eq!(
            tried("x", tensor(8)).unwrap_err().to_string(),
            "invalid digit found in string"
        );
        let error = tried("0", tensor(8)).unwrap_err();
        assert!(error.to_string().contains("division by zero"), "{error}");
        assert_eq!(tried("8", tensor(8)).unwrap().item(), 1);
    });
}

#[graph_fn]
fn prints_then_fails(x: Tensor<i32>) -> Result<Tensor<i32>, Error> {
    graph_print!("first {x}");
    assert!(x != 0);
    graph_print!("second");
    Ok(10 / x)
}

#[test]
fn lines_before_a_failure_are_printed() {
    each_way(|| {
        let (result, lines) = collect_prints(|| prints_then_fails(tensor(0)));
        assert_eq!(lines, ["first 0"]);
        assert_eq!(
            result.unwrap_err().message(),
            "assertion failed: x != 0\n  x: 0"
        );
        let (result, lines) = collect_prints(|| prints_then_fails(tensor(5)));
        assert_eq!(
            (result.unwrap().item(), lines),
            (2, vec!["first 5".to_string(), "second".to_string()])
        );
    });
}

/// Effects of Rust happen while tracing, once for each signature; eagerly, at each call.
#[test]
fn effects_of_rust_happen_while_tracing() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static TRACED: AtomicUsize = AtomicUsize::new(0);
    #[graph_fn]
    fn noted(x: Tensor<f32>) -> Tensor<f32> {
        TRACED.fetch_add(1, Ordering::Relaxed);
        println!("tracing {x:?}");
        if x > 0.0 { x } else { -x }
    }
    traced(|| {
        noted(tensor(1.0));
        noted(tensor(-2.0));
        noted(tensor([3.0]));
    });
    assert_eq!(
        (
            TRACED.load(Ordering::Relaxed),
            noted::function().trace_count()
        ),
        (2, 2)
    );
    eagerly(|| {
        noted(tensor(1.0));
        noted(tensor(1.0));
    });
    assert_eq!(
        (
            TRACED.load(Ordering::Relaxed),
            noted::function().trace_count()
        ),
        (4, 2)
    );
}
