//! `unwrap` and `expect` of Rust values in branches with a tensor condition: if there is no value, the run fails if it takes the branch.

use graph_runtime::prelude::*;

use crate::support::{each_way, eagerly, outcome, traced};

fn errors_of<R: crate::support::Shown>(f: impl Fn() -> R) -> [String; 2] {
    [traced(|| outcome(&f)), eagerly(|| outcome(&f))]
}

#[test]
fn a_variable_or_a_field_of_one() {
    struct Settings {
        rate: Option<f32>,
    }
    #[graph_fn]
    fn f(x: Tensor<f32>, factor: Option<f32>) -> Tensor<f32> {
        let settings = Settings { rate: factor };
        if x > 0.0 {
            x * factor.expect("a factor is needed")
        } else if x < -5.0 {
            x * settings.rate.unwrap()
        } else {
            -x
        }
    }
    each_way(|| {
        assert_eq!(f(tensor(2.0), Some(3.0)).item(), 6.0);
        assert_eq!(f(tensor(-6.0), Some(3.0)).item(), -18.0);
        assert_eq!(f(tensor(-2.0), None).item(), 2.0);
    });
    for error in errors_of(|| f(tensor(2.0), None)) {
        assert!(error.contains("a factor is needed"), "{error}");
    }
    for error in errors_of(|| f(tensor(-6.0), None)) {
        assert!(
            error.contains("called `Option::unwrap()` on a `None` value"),
            "{error}"
        );
    }
}

#[test]
fn what_an_expression_gives() {
    #[graph_fn]
    fn f(x: Tensor<f32>, texts: &[&str]) -> Result<Tensor<f32>, graph_runtime::Error> {
        let mut y = x;
        if x > 0.0 {
            y *= texts.first().unwrap().trim().parse::<f32>().unwrap();
        } else if x < -1.0 {
            y = tensor(texts.iter().map(|text| text.len()).max().expect("a text") as f32);
        } else {
            let n = texts.len();
            y += texts
                .last()
                .unwrap_or(&"0")
                .parse::<f32>()
                .expect(&format!("the last of {n} texts"));
        }
        Ok(y)
    }
    each_way(|| {
        assert_eq!(f(tensor(2.0), &[" 1.5"]).unwrap().item(), 3.0);
        assert_eq!(f(tensor(-2.0), &["a", "abc"]).unwrap().item(), 3.0);
        assert_eq!(f(tensor(-1.0), &["3"]).unwrap().item(), 2.0);
    });
    for (x, texts, text) in [
        (2.0, &[][..], "called `Option::unwrap()` on a `None` value"),
        (
            2.0,
            &["a"],
            "called `Result::unwrap()` on an `Err` value: ParseFloatError { kind: Invalid }",
        ),
        (-2.0, &[], "a text"),
        (
            -1.0,
            &["b", "c"],
            "the last of 2 texts: ParseFloatError { kind: Invalid }",
        ),
    ] {
        for error in errors_of(|| f(tensor(x), texts).unwrap().item()) {
            assert!(error.contains(text), "{error}");
        }
    }
}

#[test]
fn items_of_collections() {
    #[graph_fn]
    fn f(x: Tensor<f32>, rates: &[Option<f32>], sizes: &[Vec<Result<f32, String>>]) -> Tensor<f32> {
        let mut y = x;
        for i in 0..rates.len() {
            if x > 0.0 {
                y *= rates[i].unwrap();
            } else if x < -5.0 {
                y += sizes[0][i + 1].clone().expect("a size");
            } else {
                y -= sizes[i][0].as_ref().unwrap() + rates[0].expect("a rate");
            }
        }
        y
    }
    let sizes = [vec![Ok(1.0), Err("far".to_owned())]];
    each_way(|| {
        assert_eq!(f(tensor(2.0), &[Some(3.0)], &sizes).item(), 6.0);
        assert_eq!(f(tensor(-1.0), &[Some(3.0)], &sizes).item(), -5.0);
    });
    for (x, rate, text) in [
        (2.0, None, "called `Option::unwrap()` on a `None` value"),
        (-6.0, Some(1.0), "a size: \"far\""),
        (-1.0, None, "a rate"),
    ] {
        for error in errors_of(|| f(tensor(x), &[rate], &sizes)) {
            assert!(error.contains(text), "{error}");
        }
    }
}

/// The other branch still works, also in a loop of the graph and with a gradient.
#[test]
fn the_other_branch_goes_on() {
    #[graph_fn]
    fn f(x: Tensor<f64>, n: Tensor<i32>, table: &[f64]) -> Tensor<f64> {
        let mut y = x;
        for i in 0..n {
            if i > 5 {
                y *= table.get(3).unwrap();
            } else {
                y *= *table.last().unwrap();
            }
        }
        y
    }
    each_way(|| assert_eq!(f(tensor(3.0), tensor(4), &[2.0]).item(), 48.0));
    let slope = grad(|x: &Tensor<f64>| f(x.clone(), tensor(4), &[2.0]))(&tensor(3.0));
    assert_eq!(slope.item(), 16.0);
    for error in errors_of(|| f(tensor(3.0), tensor(7), &[2.0])) {
        assert!(error.contains("called `Option::unwrap()`"), "{error}");
    }
}
