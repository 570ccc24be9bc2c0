//! The error of a run names the loops and branches in which it happened, with the numbers of the iterations.

use graph_runtime::prelude::*;
use graph_runtime::{Error, debug};

/// The scopes of an error, with lines relative to that of a function.
fn scopes(error: &Error, start: u32) -> Vec<String> {
    let relative = |text: &String| {
        let (what, place) = text.rsplit_once(" at ").expect("a scope has a line");
        let line: u32 = place.split(':').nth(1).unwrap().parse().unwrap();
        format!("{what} at +{}", line - start)
    };
    error.around().iter().map(relative).collect()
}

const ARRAYS: u32 = line!() + 2;
#[graph_fn]
fn arrays(x: &Tensor<f32>, grid: &Tensor<f32>) -> Result<Tensor<f32>, Error> {
    let mut sum = grid.clone();
    if x[0] > 0.0 {
        sum += 1.0;
    } else {
        let mut i = tensor(0);
        while i < 10 {
            for j in 0..tensor(3) {
                sum = sum + x[&i + j];
            }
            i += 1;
        }
    }
    Ok(sum.cumsum(0))
}

#[test]
fn loops_over_arrays() {
    let grid = tensor([0.0f32; 4]);
    let x = |len: usize| tensor(vec![0.0f32; len]);
    let error = arrays(&x(8), &grid).unwrap_err();
    // x[8] is first read at i = 6, j = 2.
    assert_eq!(error.location().line, ARRAYS + 8);
    let expected = [
        "in iteration 3 of the loop at +7",
        "in iteration 7 of the loop at +6",
        "in the else branch of the if at +2",
    ];
    assert_eq!(scopes(&error, ARRAYS), expected);
    // The inner loop's count begins again in each iteration of the outer loop, and in each run.
    let error = arrays(&x(8), &grid).unwrap_err();
    assert_eq!(scopes(&error, ARRAYS), expected);
    let error = arrays(&x(2), &grid).unwrap_err();
    assert_eq!(
        scopes(&error, ARRAYS)[..2],
        [
            "in iteration 3 of the loop at +7",
            "in iteration 1 of the loop at +6"
        ]
    );
    assert!(arrays(&x(12), &grid).is_ok());
}

#[test]
fn the_plan_that_is_watched_says_the_same() {
    let (x, grid) = (tensor([0.0f32; 8]), tensor([0.0f32; 4]));
    let error = arrays(&x, &grid).unwrap_err();
    let _scope = debug::CHECK_NUMERICS.scope(true);
    assert_eq!(
        arrays(&x, &grid).unwrap_err().to_string(),
        error.to_string()
    );
}

const SCALARS: u32 = line!() + 2;
#[graph_fn]
fn scalars(n: Tensor<i32>, limit: Tensor<i32>) -> Result<Tensor<i32>, Error> {
    let mut sum = tensor(0);
    for i in 0..n {
        let mut k = i.clone();
        while k > 0 {
            assert!(&sum < &limit, "too much");
            sum += 1;
            k -= 1;
        }
    }
    Ok(sum)
}

#[test]
fn loops_over_scalars() {
    // The inner loops have 0, 1, 2, 3, .. iterations; the eighth of all is the second one at i = 4.
    let error = scalars(tensor(10), tensor(7)).unwrap_err();
    assert_eq!(error.message(), "assertion failed: too much");
    assert_eq!(error.location().line, SCALARS + 5);
    let expected = [
        "in iteration 2 of the loop at +4",
        "in iteration 5 of the loop at +2",
    ];
    assert_eq!(scopes(&error, SCALARS), expected);
    let error = scalars(tensor(10), tensor(0)).unwrap_err();
    assert_eq!(
        scopes(&error, SCALARS),
        [
            "in iteration 1 of the loop at +4",
            "in iteration 2 of the loop at +2"
        ]
    );
}

const FAILING_BRANCH: u32 = line!() + 2;
#[graph_fn]
fn failing_branch(n: Tensor<i32>) -> Result<Tensor<i32>, Error> {
    let mut rounds = tensor(0);
    for i in 0..n {
        let mut k = tensor(0);
        while k < 3 {
            if &i == 4 && &k == 2 {
                panic!("far enough");
            }
            k += 1;
            rounds += 1;
        }
    }
    Ok(rounds)
}

#[test]
fn a_branch_that_always_fails() {
    // The other branch is the rest of the iteration, from which the run jumps back to the loop's head.
    let error = failing_branch(tensor(10)).unwrap_err();
    let expected = [
        "in the then branch of the if at +5",
        "in iteration 3 of the loop at +4",
        "in iteration 5 of the loop at +2",
    ];
    assert_eq!(scopes(&error, FAILING_BRANCH), expected);
    assert_eq!(failing_branch(tensor(4)).unwrap().item(), 12);
}

const CHOICE: u32 = line!() + 2;
#[graph_fn]
fn choice(n: Tensor<i32>, x: &Tensor<f32>) -> Result<Tensor<f32>, Error> {
    Ok(match n {
        0 => x.cumsum(0),
        1 => x[&n] * x,
        _ => x[n] + x,
    })
}

#[test]
fn branches_of_a_match() {
    let x = tensor([1.0f32]);
    let branches = |n: i32| scopes(&choice(tensor(n), &x).unwrap_err(), CHOICE);
    for arm in [1, 5] {
        assert_eq!(branches(arm), ["in the match at +1"]);
    }
}

const LOGIC: u32 = line!() + 2;
#[graph_fn]
fn logic(n: Tensor<i32>, x: &Tensor<i32>) -> Result<Tensor<bool>, Error> {
    Ok(n > 0 && x[&n] > 0 || x[n - 1] > 5)
}

#[test]
fn right_sides_of_logic() {
    let x = tensor([-1, -2]);
    let sides = |n: i32| scopes(&logic(tensor(n), &x).unwrap_err(), LOGIC);
    assert_eq!(sides(7), ["in the right side of the `&&` at +1"]);
    assert_eq!(sides(-7), ["in the right side of the `||` at +1"]);
}

#[test]
fn the_text_is_the_line_and_what_is_around_it() {
    let error = choice(tensor(1), &tensor([1.0f32])).unwrap_err();
    let (file, line) = (file!(), CHOICE);
    let end = format!(
        "\n  at {file}:{}:14, in the match at {file}:{}:8",
        line + 3,
        line + 1
    );
    assert!(error.to_string().ends_with(&end), "{error}\n{end}");
}

const BY_HAND: u32 = line!() + 2;
#[graph_fn]
fn by_hand(n: Tensor<i32>, x: &Tensor<f32>) -> Result<Tensor<f32>, Error> {
    let items: Vec<Box<dyn FnOnce() -> Tensor<f32> + '_>> =
        vec![Box::new(|| x[0] * x), Box::new(|| x[&n] * x)];
    Ok(graph_runtime::switch_case(n.clone(), items))
}

#[test]
fn branches_of_a_switch_case() {
    let x = tensor([1.0f32]);
    assert!(by_hand(tensor(0), &x).is_ok());
    let error = by_hand(tensor(1), &x).unwrap_err();
    assert_eq!(
        scopes(&error, BY_HAND),
        ["in branch 1 of the switch_case at +3"]
    );
}

#[graph_fn]
fn straight(x: &Tensor<f32>, i: Tensor<i32>) -> Result<Tensor<f32>, Error> {
    Ok(x[i] * x)
}

#[test]
fn no_scope_no_word() {
    let error = straight(&tensor([1.0f32]), tensor(3)).unwrap_err();
    assert_eq!(error.around(), [""; 0]);
    let _scope = debug::EAGER.scope(true);
    let error = scalars(tensor(10), tensor(0)).unwrap_err();
    assert_eq!(error.around(), [""; 0], "an eager run knows no loops");
}
