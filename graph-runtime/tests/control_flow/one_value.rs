//! Conditions, the scrutinee of a `match` and bounds of ranges must have exactly one value. The error names the user's line, whether or
//! not tracing knows the shape. One value of a higher rank is allowed, as in TensorFlow.

use graph_runtime::prelude::*;
use graph_runtime::{cond, switch_case, while_loop};

use crate::{both, fails, known};

/// All forms in which a tensor must have one value, each under its name.
#[graph_fn]
fn form(x: Tensor<i32>, name: &str, knows: bool) -> Tensor<i32> {
    let x = known(&x, knows);
    let (one, yes) = (tensor(1), tensor(true));
    let mut n = tensor(0);
    match name {
        "if" => {
            // here: if
            if x > 0 {
                n += 1;
            }
        }
        "while" => {
            // here: while
            while n < x {
                n += 1;
            }
        }
        "left" => {
            // here: left
            if x > 0 && yes {
                n += 1;
            }
        }
        "right" => {
            // here: right
            let and = yes && x > 0;
            if and {
                n += 1;
            }
        }
        "or" => {
            // here: or
            if !yes || x > 0 {
                n += 1;
            }
        }
        // here: match
        "match" => match x {
            1 => n += 1,
            2..=5 => n += 2,
            _ => {}
        },
        // here: pair
        "pair" => match (one, x) {
            (1, 1) => n += 1,
            _ => {}
        },
        "to" => {
            // here: to
            for i in 0..x {
                n += i + 1;
            }
        }
        "from" => {
            // here: from
            for i in x..=1 {
                n += i;
            }
        }
        "cond" => {
            // here: cond
            n = cond(x.gt(0), || tensor(1), || tensor(0));
        }
        "while_loop" => {
            // here: while_loop
            n = while_loop(|n| n.lt(&x), |n| n + 1, n);
        }
        "switch" => {
            // here: switch
            n = switch_case(x, vec![Box::new(|| tensor(0)), Box::new(|| tensor(1))]);
        }
        _ => unreachable!("the names are above"),
    }
    n
}

const CONDITIONS: &[&str] = &["if", "while", "left", "right", "or", "cond", "while_loop"];
const SOURCE: &str = include_str!("one_value.rs");

/// Each form, with its error for a tensor that doesn't have exactly one value.
fn forms() -> impl Iterator<Item = (&'static str, &'static str)> {
    let matches = ["match", "pair"].map(|name| (name, "what a `match` looks at must be a scalar"));
    let ranges = ["to", "from"].map(|name| (name, "a bound of a range must be a scalar"));
    let conditions = CONDITIONS
        .iter()
        .map(|name| (*name, "a condition must be a scalar"));
    conditions
        .chain(matches)
        .chain(ranges)
        .chain([("switch", "the index of a switch must be a scalar")])
}

#[test]
fn more_values_than_one_are_refused_with_the_users_line() {
    for (name, says) in forms() {
        let (dtype, hint) = match CONDITIONS.contains(&name) {
            true => (
                "bool",
                "say which of its values count: `.any()` or `.all()`. Value by value, `&&` and `||` are \
                 `&` and `|`, and `select(condition, a, b)` is the `if`",
            ),
            false => ("int32", "take one of its values: `x.get(0)`"),
        };
        for knows in [true, false] {
            let starts = format!("{says}, not {dtype}[2]; {hint}\n");
            fails(
                || form(tensor([1, 2]), name, knows),
                &starts,
                (SOURCE, name),
            );
            let starts = format!("{says}, not {dtype}[0]; {hint}\n");
            fails(|| form(zeros(&[0]), name, knows), &starts, (SOURCE, name));
        }
    }
}

#[test]
fn one_value_of_any_rank_will_do() {
    for (name, _) in forms() {
        for knows in [true, false] {
            for x in [tensor(1), tensor([1]).dynamic(), tensor([[1]]).dynamic()] {
                assert_eq!(
                    both(|| form(x.clone(), name, knows).item()),
                    1,
                    "{name} {knows} {x}"
                );
            }
        }
    }
}
