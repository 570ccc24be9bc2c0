//! A sample of programs: what they compute after saving and loading, and the gradients, beside what they computed before.

use std::fmt::Debug;
use std::sync::Arc;

use graph_runtime::autodiff::{custom_gradient, recompute, stop_gradient};
use graph_runtime::prelude::*;
use graph_runtime::saved::{Functions, load_from_bytes};
use graph_runtime::{
    ConcreteFunction, GraphState, LoadedFunction, Nest, ToLoaded, TraceType, collect_prints, random,
};

/// The function, saved and loaded. Saved again, its bytes are the same.
fn reloaded(function: impl ToLoaded) -> LoadedFunction {
    let bytes = Functions::new()
        .with("f", function)
        .unwrap()
        .to_bytes()
        .unwrap();
    let loaded = load_from_bytes(&bytes).unwrap();
    assert!(loaded.to_bytes().unwrap() == bytes, "the bytes change");
    loaded.get("f").unwrap().clone()
}

/// Checks the result of a call, and where `x` is a float its gradient, against the function itself.
fn same(concrete: &Arc<ConcreteFunction>, x: &Tensor<f32>) {
    let loaded = reloaded(concrete);
    let of = |call: &dyn Fn() -> Tensor<f32>| {
        let tape = GradientTape::new();
        tape.watch(x);
        let y = call();
        let gradient = tape.gradient(&y, x).map(|g| g.to_vec());
        (y.to_vec(), gradient)
    };
    let expected = of(&|| concrete.call(x).unwrap());
    assert_eq!(
        of(&|| loaded.call(x).unwrap()),
        expected,
        "{}",
        loaded.graph()
    );
}

#[graph_fn]
fn collatz_like(x: Tensor<f32>) -> Tensor<f32> {
    let mut x = x;
    let mut steps = tensor(0.0f32);
    while x.abs().sum() > 3.0 {
        if x.get(0) > x.get(1) {
            x = x * 0.5;
        } else {
            x = x * 0.9 - 0.1;
        }
        steps += 1.0;
        if steps > 40.0 {
            break;
        }
    }
    x * steps
}

#[graph_fn]
fn chosen(x: Tensor<f32>) -> Tensor<f32> {
    match x.sum().cast::<i32>() {
        0 => x.exp(),
        1..=5 => x.square(),
        _ => x.sin() * 3.0,
    }
}

#[graph_fn]
fn helper(x: Tensor<f32>, power: i32) -> Tensor<f32> {
    if x.sum() > 0.0 {
        x.pow(power as f32)
    } else {
        -x
    }
}

#[graph_fn]
fn calls(x: Tensor<f32>) -> Tensor<f32> {
    let mut sum = helper(&x, 2);
    for i in 0..3 {
        sum += helper(&x * (i as f32), 2) + helper(&x, 3);
    }
    sum
}

#[graph_fn]
fn with_gradients(x: Tensor<f32>) -> Tensor<f32> {
    let clipped = custom_gradient(x.clone(), |x: Tensor<f32>| {
        let y = x.square();
        (y, move |dy: Tensor<f32>| dy.clip(-1.0, 1.0) * x)
    });
    let again = recompute(&x, |x| (x * 2.0).tanh().exp());
    clipped + again * stop_gradient(&x)
}

#[graph_fn]
fn large_constant(x: Tensor<f32>) -> Tensor<f32> {
    let table: Vec<f32> = (0..200).map(|i| (i as f32).sqrt()).collect();
    let table = tensor(table);
    table.get(3..5) * x + table.mean()
}

#[test]
fn control_flow_calls_gradients_and_constants_are_kept() {
    let values = [[0.3f32, -0.4], [5.0, 3.0], [2.0, 9.0], [-3.0, -9.0]];
    let spec = || TensorSpec::new(&[Some(2)]);
    let programs = [
        collatz_like::concrete(spec()),
        chosen::concrete(spec()),
        calls::concrete(spec()),
        with_gradients::concrete(spec()),
        large_constant::concrete(spec()),
        collatz_like::concrete(TensorSpec::of_any_rank()),
    ];
    for program in programs {
        let program = program.unwrap();
        values
            .iter()
            .for_each(|value| same(&program, &tensor(*value)));
    }
}

#[test]
fn a_called_graph_is_written_once() {
    let concrete = calls::concrete(TensorSpec::new(&[Some(2)])).unwrap();
    let bytes = Functions::new()
        .with("f", &concrete)
        .unwrap()
        .to_bytes()
        .unwrap();
    let text = String::from_utf8_lossy(&bytes);
    assert_eq!(text.matches("fn helper(").count(), 1, "{text}");
    assert_eq!(text.matches("fn helper#2(").count(), 1, "{text}");
}

#[derive(Clone, GraphState, TraceType)]
struct Walk {
    at: Tensor<f32>,
    steps: (Tensor<i32>, Option<Tensor<i32>>),
}

#[graph_fn]
fn walk(from: Walk, by: &[Tensor<f32>], back: bool) -> (Walk, Vec<Tensor<f32>>) {
    let mut to = from;
    let mut seen = Vec::new();
    for step in by {
        if back {
            to.at = &to.at - step;
        } else {
            to.at = &to.at + step;
        }
        to.steps.0 += 1;
        seen.push(to.at.clone());
    }
    (to, seen)
}

fn equal<R: Nest + Debug>(a: &R, b: &R) {
    assert_eq!(format!("{a:?}"), format!("{b:?}"));
}

#[test]
fn structures_and_several_traces_are_kept() {
    let from = || Walk {
        at: tensor(1.0f32),
        steps: (tensor(0), None),
    };
    let by = [tensor(2.0f32), tensor(0.5f32)];
    let traces = [true, false].map(|back| walk::concrete(from(), &by, back).unwrap());
    let functions = Functions::new()
        .with("back", &traces[0])
        .unwrap()
        .with("on", &traces[1])
        .unwrap();
    let loaded = load_from_bytes(&functions.to_bytes().unwrap()).unwrap();
    for (name, back) in [("back", true), ("on", false)] {
        let function = loaded.get(name).unwrap();
        let (end, seen): (Walk, Vec<Tensor<f32>>) = function.call((from(), &by, back)).unwrap();
        let (own_end, own_seen) = walk(from(), &by, back);
        assert_eq!(
            (end.at.item(), end.steps.0.item()),
            (own_end.at.item(), own_end.steps.0.item())
        );
        assert!(end.steps.1.is_none());
        equal(&seen, &own_seen);
        let wrong = function.call::<(Walk, Vec<Tensor<f32>>)>((from(), &by, !back));
        assert!(
            wrong
                .err()
                .unwrap()
                .message()
                .contains("for parameter `back`")
        );
    }
}

#[graph_fn]
fn with_effects(x: Tensor<i32>) -> Tensor<i32> {
    graph_print!("x is {x:>3}, twice {}", &x * 2);
    assert!(x < 10, "{x} is too large");
    let noise =
        random::uniform::<f32>(&[2]).sum() + random::with_seed(3).uniform::<f32>(&[2]).sum();
    x + noise.cast::<i32>() * 0
}

#[test]
fn prints_assertions_and_random_streams_are_kept() {
    let loaded = reloaded(with_effects::concrete(TensorSpec::new(&[])).unwrap());
    let (y, printed) = collect_prints(|| loaded.call::<Tensor<i32>>(tensor(4)).unwrap());
    assert_eq!(
        (y.item(), printed.concat()),
        (4, "x is   4, twice 8".to_owned())
    );
    let (failed, _) = collect_prints(|| loaded.call::<Tensor<i32>>(tensor(12)));
    let error = failed.unwrap_err();
    assert!(error.message().contains("12 is too large"), "{error}");
    // The line is that of the program which was traced.
    assert!(
        error.location().file.ends_with("programs.rs") && error.location().line > 0,
        "{error}"
    );
}

#[graph_fn]
fn draws(n: Tensor<f32>) -> Tensor<f32> {
    random::uniform::<f32>(&[3]) + n
}

#[test]
fn a_loaded_function_draws_the_same_numbers() {
    let loaded = reloaded(draws::concrete(TensorSpec::new(&[])).unwrap());
    random::set_seed(7);
    let own = draws(tensor(1.0f32)).to_vec();
    random::set_seed(7);
    let again: Tensor<f32> = loaded.call(tensor(1.0f32)).unwrap();
    assert_eq!(again.to_vec(), own);
}

#[graph_fn]
fn over_elements(data: Tensor<i32>) -> Tensor<i32> {
    let mut sum = tensor(0);
    for batch in &Dataset::from_slices(data).skip(1).batch(2) {
        sum = sum * 10 + batch.sum();
    }
    sum
}

#[test]
fn datasets_without_rust_code_are_kept() {
    let loaded = reloaded(over_elements::concrete(TensorSpec::new(&[None])).unwrap());
    let sum: Tensor<i32> = loaded.call(tensor([9, 1, 2, 3, 4])).unwrap();
    assert_eq!(sum.item(), 37);
}

#[graph_fn]
fn words(x: Tensor<String>) -> Tensor<bool> {
    x.eq(tensor("ja".to_owned()))
}

#[test]
fn strings_and_halfs_are_kept() {
    let loaded = reloaded(words::concrete(TensorSpec::new(&[None])).unwrap());
    let given = tensor(["ja", "nein"].map(str::to_owned));
    let found: Tensor<bool> = loaded.call(given).unwrap();
    assert_eq!(found.to_vec(), [true, false]);
    let texts: Vec<String> = (0..100).map(|i| format!("\"{i}\"\n\u{1f980}")).collect();
    let variable = Variable::named("texts", tensor(texts.clone()));
    let of = ReadTexts(variable);
    let read = of.read_concrete().unwrap().bind(&of).unwrap();
    let again: Tensor<String> = reloaded(read).call(()).unwrap();
    assert_eq!(again.to_vec(), texts);
}

#[derive(TraceType)]
struct ReadTexts(Variable<String>);

#[graph_fn]
impl ReadTexts {
    fn read(&self) -> Tensor<String> {
        self.0.read()
    }
}
