//! `panic!` and similar macros in branches with a tensor condition: the run fails with their text if it takes the branch.

use graph_runtime::prelude::*;

use crate::support::{each_way, eagerly, outcome, traced};

three_ways! { arms_that_cannot_be_reached: f(int(4)), f(int(5));
    fn f(x: Int) -> Int {
        match x % 2 {
            0 => x,
            1 => -x,
            _ => unreachable!(),
        }
    }
}

three_ways! { branches_behind_which_the_rest_goes_on: f(int(3)), f(int(200));
    fn f(x: Int) -> (Int, Int) {
        let mut y = x;
        let mut count = int(0);
        while y < 1000 {
            let step = if y > 500 {
                if y > 10_000 {
                    panic!("never")
                } else {
                    100
                }
            } else if y < 0 {
                todo!("negative numbers")
            } else {
                y
            };
            y += step;
            count += 1;
        }
        if y > 5000 {
            unimplemented!("large numbers");
        }
        (y, count)
    }
}

three_ways! { variables_that_only_the_other_branch_sets: f(int(1));
    fn f(x: Int) -> Int {
        let r;
        if x > 5 {
            panic!("too large: {x}");
        } else {
            r = x + 1;
        }
        r
    }
}

fn error_of<R: crate::support::Shown>(f: impl Fn() -> R) -> (String, String) {
    (traced(|| outcome(&f)), eagerly(|| outcome(&f)))
}

#[test]
fn texts() {
    #[graph_fn]
    fn f(x: Tensor<i32>, name: &str) -> Tensor<i32> {
        match x {
            0 => panic!("{name} is {x}, {:?}", vec![1, 2]),
            1 => unreachable!(),
            2 => unreachable!("of {name}"),
            3 => todo!(),
            4 => unimplemented!("{}", name),
            5 => panic!(),
            _ => x,
        }
    }
    each_way(|| assert_eq!(f(tensor(7), "seven").item(), 7));
    for (x, text) in [
        (0, "zero is 0, [1, 2]"),
        (1, "internal error: entered unreachable code"),
        (2, "internal error: entered unreachable code: of zero"),
        (3, "not yet implemented"),
        (4, "not implemented: zero"),
        (5, "explicit panic"),
    ] {
        let (graph, eager) = error_of(|| f(tensor(x), "zero"));
        assert!(
            graph.contains(text) && graph.contains("failing.rs"),
            "{graph}"
        );
        assert_eq!(eager, format!("panic: {text}"));
    }
}

/// A branch in which every path fails is an error only of a run that takes it.
#[test]
fn branches_of_which_each_way_fails() {
    #[graph_fn]
    fn f(x: Tensor<i32>, strict: bool) -> Tensor<i32> {
        if x > 0 {
            x
        } else if x == 0 {
            panic!("zero")
        } else if strict {
            panic!("negative")
        } else {
            panic!("negative, leniently")
        }
    }
    #[graph_fn]
    fn always(x: Tensor<i32>) -> graph_runtime::Result<Tensor<i32>> {
        if x > 0 {
            panic!("positive")
        } else {
            panic!("not positive")
        }
    }
    each_way(|| assert_eq!(f(tensor(7), true).item(), 7));
    let (graph, _) = error_of(|| f(tensor(-1), true));
    assert!(graph.contains("negative"), "{graph}");
    let error = traced(|| always(tensor(1)).unwrap_err().to_string());
    assert!(error.contains("fails in every case"), "{error}");
}

/// If a panic is the consequence of an earlier error, the user sees that error.
#[test]
fn the_error_before_a_panic() {
    #[graph_fn]
    fn last(n: Tensor<i32>) -> graph_runtime::Result<Tensor<i32>> {
        let mut last = None;
        for i in 0..n {
            last = Some(i * 2);
        }
        Ok(last.unwrap())
    }
    let error = traced(|| last(tensor(3)).unwrap_err().to_string());
    assert!(
        error.starts_with("'last' must have the same structure") && error.contains("failing.rs"),
        "{error}"
    );
}

/// The gradient is that of the branch that doesn't fail.
#[test]
fn gradients() {
    #[graph_fn]
    fn f(x: Tensor<f32>) -> Tensor<f32> {
        let y = if x < 0.0 { panic!("negative") } else { x * x };
        y * 3.0
    }
    let gradient = traced(|| grad(|x: &Tensor<f32>| f(x.clone()))(&tensor(2.0)).item());
    assert_eq!(gradient, 12.0);
}

agree! { over_rust_values: f(-1), f(0), f(3);
    fn f(x: i32) -> String {
        let name = match x {
            0 => unreachable!("zero {}", x),
            1..=9 => "digit".to_string(),
            _ => panic!("{x} has no name"),
        };
        name + "!"
    }
}

#[test]
fn assertions_about_rust_values() {
    #[graph_fn]
    fn f(x: Tensor<i32>, limits: &[i32], n: usize) -> Tensor<i32> {
        let mut y = x;
        if x > 0 {
            assert!(n < limits.len(), "{n} of {} limits", limits.len());
            y = tensor(limits[n]);
        } else if x < -5 {
            assert!(false, "below {x}");
        } else if x == -1 {
            assert_eq!(n, 0);
        } else if x == -2 {
            assert_ne!(n, 1, "one");
        } else if x == -3 {
            assert!(n > 5);
        }
        y
    }
    let call = |x: i32, n: usize| error_of(|| f(tensor(x), &[10, 20], n));
    each_way(|| {
        assert_eq!(f(tensor(1), &[10, 20], 1).item(), 20);
        assert_eq!(f(tensor(0), &[10, 20], 2).item(), 0);
    });
    for (x, n, text) in [
        (1, 2, "2 of 2 limits"),
        (-6, 0, "below -6"),
        (
            -1,
            1,
            "assertion `left == right` failed\n  left: 1\n right: 0",
        ),
        (
            -2,
            1,
            "assertion `left != right` failed: one\n  left: 1\n right: 1",
        ),
        (-3, 5, "assertion failed: n > 5"),
    ] {
        let (traced, eager) = call(x, n);
        assert!(traced.contains(text), "{traced}");
        assert!(eager.contains(text), "{eager}");
    }
}

/// If no tensor decides, such an assertion panics while tracing, as always; also in a branch that Rust chooses.
#[test]
fn assertions_that_rust_decides_about() {
    #[graph_fn]
    fn f(x: Tensor<i32>, n: usize) -> Tensor<i32> {
        if n > 1 {
            assert!(n < 3, "{n} is too large");
        }
        x
    }
    each_way(|| assert_eq!(f(tensor(1), 2).item(), 1));
    let (traced, eager) = error_of(|| f(tensor(1), 3));
    assert!(traced.contains("3 is too large"), "{traced}");
    assert!(eager.contains("3 is too large"), "{eager}");
}

/// A construct whose branches all fail has no results, but tracing continues after it.
#[test]
fn all_branches_fail() {
    #[graph_fn]
    fn of_if(x: Tensor<i32>, n: usize) -> Tensor<i32> {
        let y = if x > 0 {
            assert!(n > 3, "first");
            (x, x * 2)
        } else {
            assert_eq!(n, 7, "second");
            (x + 1, x)
        };
        y.0 + y.1
    }
    #[graph_fn]
    fn of_match(x: Tensor<i32>, n: usize) -> Tensor<i32> {
        let y = match x {
            0 => {
                assert!(n > 3, "none");
                x + 1
            }
            1 => {
                assert!(n >= 5, "one");
                x + 2
            }
            _ => {
                assert!(n > 5, "many");
                x + 3
            }
        };
        y * 2
    }
    each_way(|| {
        assert_eq!(
            [of_if(tensor(1), 7).item(), of_if(tensor(-1), 7).item()],
            [3, -1]
        );
        assert_eq!([0, 1, 2].map(|x| of_match(tensor(x), 7).item()), [2, 6, 10]);
    });
    for (x, text) in [(1, "first"), (-1, "second")] {
        let (traced, eager) = error_of(|| of_if(tensor(x), 0));
        assert!(
            traced.contains(text) && eager.contains(text),
            "{traced} {eager}"
        );
    }
    for (x, text) in [(0, "none"), (1, "one"), (2, "many")] {
        let (traced, eager) = error_of(|| of_match(tensor(x), 0));
        assert!(
            traced.contains(text) && eager.contains(text),
            "{traced} {eager}"
        );
    }
}
