//! Files that earlier versions wrote keep loading. They are in `graph-formats/tests/files`, one folder for each version of the format; the expected
//! values are computed by hand or in plain Rust here.

use graph_runtime::graph::{Shape, TensorType};
use graph_runtime::prelude::*;
use graph_runtime::saved::{Functions, load_from_bytes};
use graph_runtime::{DType, TraceType, random};

const LINE: &[u8] = include_bytes!("../../../graph-formats/tests/files/v1/line.graph");
const STEPS: &[u8] = include_bytes!("../../../graph-formats/tests/files/v1/steps.graph");

#[derive(TraceType)]
struct Line {
    slope: Variable<f32>,
    offset: Variable<f32>,
}

#[graph_fn]
impl Line {
    fn at(&self, x: Tensor<f32>) -> Tensor<f32> {
        x * &self.slope + &self.offset
    }

    /// A step of gradient descent on the mean square.
    fn step(&self, x: Tensor<f32>, y: Tensor<f32>) -> Tensor<f32> {
        let tape = GradientTape::new();
        let loss = (self.at(x) - y).square().mean();
        let (slope, offset) = tape.gradient(&loss, (&self.slope, &self.offset));
        self.slope.assign_sub(slope.unwrap() * 0.1);
        self.offset.assign_sub(offset.unwrap() * 0.1);
        loss
    }
}

#[graph_fn]
fn collatz(n: Tensor<i64>) -> Tensor<i32> {
    let mut n = n;
    let mut steps = tensor(0);
    while n != 1 {
        assert!(n > 0, "{n} isn't positive");
        if n % 2 == 0 {
            n = n / 2;
        } else {
            n = n * 3 + 1;
        }
        steps += 1;
    }
    steps
}

#[graph_fn]
fn squares() -> Tensor<i32> {
    let table: Vec<i32> = (0..100).map(|i| i * i).collect();
    let noise = random::integers::<i32>(0, 1, &[100]);
    tensor(table) + noise
}

/// Writes the files anew: only for a new version of the format, into a new folder.
#[test]
#[ignore = "writes files"]
fn write() {
    let line = Line {
        slope: Variable::named("slope", tensor(2.0)),
        offset: Variable::named("offset", tensor(1.0)),
    };
    let vector = || TensorSpec::new(&[None]);
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../graph-formats/tests/files/v1"
    );
    Functions::new()
        .with(
            "at",
            line.at_concrete(vector()).unwrap().bind(&line).unwrap(),
        )
        .unwrap()
        .with(
            "step",
            line.step_concrete(vector(), vector())
                .unwrap()
                .bind(&line)
                .unwrap(),
        )
        .unwrap()
        .save(format!("{folder}/line.graph"))
        .unwrap();
    Functions::new()
        .with("collatz", collatz::concrete(TensorSpec::new(&[])).unwrap())
        .unwrap()
        .with("squares", squares::concrete().unwrap())
        .unwrap()
        .save(format!("{folder}/steps.graph"))
        .unwrap();
}

#[test]
fn a_line_of_version_1() {
    let functions = load_from_bytes(LINE).unwrap();
    assert_eq!(functions.names().collect::<Vec<_>>(), ["at", "step"]);
    let at = functions.get("at").unwrap();
    let step = functions.get("step").unwrap();
    let y: Tensor<f32> = at.call(tensor([1.0f32, 3.0])).unwrap();
    assert_eq!(y.to_vec(), [3.0, 7.0]);
    let (mut slope, mut offset) = (2.0f64, 1.0f64);
    let (x, y) = ([1.0f64, 3.0], [2.0f64, 2.0]);
    for _ in 0..3 {
        let error = [0, 1].map(|i| slope * x[i] + offset - y[i]);
        let loss = (error[0] * error[0] + error[1] * error[1]) / 2.0;
        slope -= 0.1 * (error[0] * x[0] + error[1] * x[1]);
        offset -= 0.1 * (error[0] + error[1]);
        let given = (tensor([1.0f32, 3.0]), tensor([2.0f32, 2.0]));
        let found: Tensor<f32> = step.call(given).unwrap();
        assert!(
            (f64::from(found.item()) - loss).abs() < 1e-4 * loss,
            "{found} {loss}"
        );
    }
    let now: Tensor<f32> = at.call(tensor([0.0f32, 1.0])).unwrap();
    let expected = [offset, slope + offset];
    for (now, expected) in now.to_vec().into_iter().zip(expected) {
        assert!((f64::from(now) - expected).abs() < 1e-4, "{now} {expected}");
    }
    let names: Vec<String> = functions
        .variables()
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(names, ["self.slope", "self.offset"]);
}

#[test]
fn loops_and_constants_of_version_1() {
    let functions = load_from_bytes(STEPS).unwrap();
    let collatz = functions.get("collatz").unwrap();
    for (n, steps) in [(1i64, 0), (6, 8), (27, 111)] {
        let found: Tensor<i32> = collatz.call(tensor(n)).unwrap();
        assert_eq!(found.item(), steps);
    }
    let error = collatz.call::<Tensor<i32>>(tensor(-5i64)).unwrap_err();
    assert!(error.message().contains("-5 isn't positive"), "{error}");
    assert!(
        error.location().file.ends_with("tests/saved/kept.rs"),
        "{error}"
    );
    let squares = functions.get("squares").unwrap();
    let found: Tensor<i32> = squares.call(()).unwrap();
    assert_eq!(
        found.to_vec(),
        (0..100).map(|i| i * i).collect::<Vec<i32>>()
    );
    let ty = TensorType::new(DType::I32, Shape::known(&[100]));
    assert_eq!(squares.results().only_tensor(), Some(&ty));
}
