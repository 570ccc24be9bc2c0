//! Where variables are created: outside, or by the first trace, and then somebody must keep them. What the documents say of other cases.

use std::sync::{LazyLock, Mutex, OnceLock};

use graph_runtime::prelude::*;
use graph_runtime::random::{self, Rng};
use graph_runtime::{Error, TraceType};

const SINGLETON: &str = "tf.function only supports singleton tf.Variables created on the first call. Make sure the tf.Variable is only created once or \
     created outside tf.function.";

const OURS: &str = "a variable, or what holds some (a layer, an optimizer, a metric), must be made outside the graph function, or be kept by the first call";

static ONCE: OnceLock<Variable<f32>> = OnceLock::new();

#[graph_fn]
fn makes_once(x: Tensor<f32>) -> Tensor<f32> {
    let v = ONCE.get_or_init(|| Variable::new(tensor([1.0, 2.0]) * 10.0));
    v.assign_add(x);
    v.read()
}

#[test]
fn a_variable_is_made_by_the_first_trace() {
    assert_eq!(makes_once(tensor(1.0)).to_vec(), [11.0, 21.0]);
    assert_eq!(makes_once(tensor(1.0)).to_vec(), [12.0, 22.0]);
    assert_eq!(makes_once(tensor([5.0, 6.0])).to_vec(), [17.0, 28.0]);
    assert_eq!(makes_once::function().trace_count(), 2);
    // The nodes that computed its first value aren't part of the graph.
    let text = makes_once::function().concrete_functions()[1]
        .graph()
        .to_string();
    assert!(!text.contains("mul"), "{text}");
}

#[graph_fn]
fn makes_one_each_time(x: Tensor<f32>) -> Result<Tensor<f32>, Error> {
    let v = Variable::new(tensor(1.0)); // it is gone when the graph runs
    v.assign_add(x);
    Ok(v.read())
}

#[test]
fn a_variable_that_nobody_keeps_is_refused() {
    for _ in 0..2 {
        let error = makes_one_each_time(tensor(1.0)).unwrap_err();
        assert!(error.message().contains(SINGLETON), "{error}");
        assert!(error.message().starts_with(OURS), "{error}");
        let before = include_str!("creation.rs").split("// it is gone").next();
        let line = before.map_or(0, |before| before.lines().count());
        let place = format!("creation.rs:{line}:");
        assert!(error.to_string().contains(&place), "{error}");
    }
}

static ALL: Mutex<Vec<Variable<f32>>> = Mutex::new(Vec::new());

#[graph_fn]
fn makes_one_each_trace(x: Tensor<f32>) -> Result<Tensor<f32>, Error> {
    let v = Variable::new(tensor(1.0));
    ALL.lock().unwrap().push(v.clone());
    Ok(v + x)
}

#[test]
fn only_one_trace_may_make_it() {
    assert_eq!(makes_one_each_trace(tensor(1.0)).unwrap().item(), 2.0);
    assert_eq!(makes_one_each_trace(tensor(2.0)).unwrap().item(), 3.0);
    let error = makes_one_each_trace(tensor([1.0])).unwrap_err();
    assert!(error.message().contains(SINGLETON), "{error}");
    assert!(error.message().starts_with(OURS), "{error}");
    assert_eq!(makes_one_each_trace(tensor(3.0)).unwrap().item(), 4.0);
}

/// A layer whose weights are made by its first call, as in TensorFlow's documents.
#[derive(TraceType, Default)]
struct Layer {
    weights: OnceLock<Variable<f32>>,
    calls: OnceLock<Variable<i32>>,
}

impl Layer {
    #[graph_fn]
    pub fn call(&self, x: Tensor<f32>) -> Tensor<f32> {
        let weights = self
            .weights
            .get_or_init(|| Variable::new(tensor([2.0, 3.0])));
        self.calls
            .get_or_init(|| Variable::new(tensor(0)))
            .assign_add(1);
        x * weights
    }
}

#[test]
fn each_object_has_its_own() {
    let (a, b) = (Layer::default(), Layer::default());
    for _ in 0..3 {
        assert_eq!(a.call(tensor(10.0)).to_vec(), [20.0, 30.0]);
    }
    assert_eq!(b.call(tensor(1.0)).to_vec(), [2.0, 3.0]);
    let weights = |layer: &Layer| layer.weights.get().unwrap().clone();
    weights(&b).assign(tensor([0.5, 0.5]));
    assert_eq!(b.call(tensor(1.0)).to_vec(), [0.5, 0.5]);
    assert_eq!(a.call(tensor(1.0)).to_vec(), [2.0, 3.0]);
    let calls = |layer: &Layer| layer.calls.get().unwrap().item();
    assert_eq!((calls(&a), calls(&b)), (4, 2));
    // One trace for each first call, which makes variables, and one for all others.
    assert_eq!(Layer::call_function().trace_count(), 3);
}

static NOISE: LazyLock<Variable<f32>> =
    LazyLock::new(|| Variable::new(random::with_seed(7).uniform(&[4])));

#[graph_fn]
fn adds_noise(x: Tensor<f32>) -> Tensor<f32> {
    x + &*NOISE
}

#[test]
fn a_lazy_static_is_made_when_a_trace_first_meets_it() {
    let first = adds_noise(tensor(0.0)).to_vec();
    assert_eq!(NOISE.read().to_vec(), first);
    assert_eq!(adds_noise(tensor(0.0)).to_vec(), first);
    // The random op isn't part of the graph; otherwise each run would draw again.
    let text = adds_noise::function().latest().unwrap().graph().to_string();
    assert!(!text.contains("next_seed"), "{text}");
}

static FROM_ARGUMENT: OnceLock<Variable<f32>> = OnceLock::new();

#[graph_fn]
fn starts_with_its_argument(x: Tensor<f32>) -> Result<Tensor<f32>, Error> {
    Ok(FROM_ARGUMENT.get_or_init(|| Variable::new(x * 2.0)).read())
}

#[test]
fn the_first_value_is_known_while_tracing() {
    let error = starts_with_its_argument(tensor(1.0)).unwrap_err();
    assert!(
        error
            .message()
            .contains("can't depend on the function's arguments"),
        "{error}"
    );
    assert!(FROM_ARGUMENT.get().is_none());
}

static FROM_LOOP: OnceLock<Variable<i32>> = OnceLock::new();

#[graph_fn]
fn starts_with_what_a_loop_gives(x: Tensor<i32>) -> Tensor<i32> {
    let v = FROM_LOOP.get_or_init(|| {
        let mut power = tensor(1);
        while power < 100 {
            power = power * 2;
        }
        Variable::new(power)
    });
    v + x
}

#[test]
fn a_whole_loop_may_compute_the_first_value() {
    assert_eq!(starts_with_what_a_loop_gives(tensor(1)).item(), 129);
    assert_eq!(FROM_LOOP.get().unwrap().item(), 128);
}

static FROM_VARIABLE: OnceLock<Variable<f32>> = OnceLock::new();

#[graph_fn]
fn starts_with_a_variable(v: &Variable<f32>) -> Result<Tensor<f32>, Error> {
    Ok(FROM_VARIABLE
        .get_or_init(|| Variable::new(v.read() * 2.0))
        .read())
}

#[test]
fn the_first_value_is_not_what_another_variable_holds() {
    let error = starts_with_a_variable(&Variable::new(tensor(1.0))).unwrap_err();
    assert!(
        error.message().contains("what other variables hold"),
        "{error}"
    );
    assert!(FROM_VARIABLE.get().is_none());
}

/// The documents' pattern: the first call fills an empty `Option`.
#[derive(TraceType, Default)]
struct Count {
    count: Option<Variable<i32>>,
    name: &'static str,
    steps: usize,
}

impl Count {
    #[graph_fn]
    pub fn call(&mut self, by: Tensor<i32>) -> Tensor<i32> {
        if self.count.is_none() {
            self.count = Some(Variable::new(tensor(0)));
        }
        let count = self.count.as_ref().unwrap();
        if by > 0 {
            count.assign_add(by);
        }
        count.read()
    }

    /// Rust changes a field in every call, so no trace serves a second call.
    #[graph_fn]
    pub fn step(&mut self) -> Tensor<i32> {
        self.steps += 1;
        self.count.as_ref().unwrap().read() * self.steps as i32
    }

    /// Exchanges the variable for another one of the same type.
    #[graph_fn]
    pub fn exchange(&mut self, other: &Variable<i32>) -> Tensor<i32> {
        let mine = self.count.replace(other.clone()).unwrap();
        mine.read() - other
    }
}

#[test]
fn an_empty_option_is_filled_by_the_first_call() {
    let (mut a, mut b) = (Count::default(), Count::default());
    let calls = |c: &mut Count| [1, 0, 5].map(|by| c.call(tensor(by)).item());
    assert_eq!(calls(&mut a), [1, 1, 6]);
    assert_eq!(calls(&mut b), [1, 1, 6]);
    assert_eq!(a.call(tensor(1)).item(), 7);
    assert_eq!(b.count.as_ref().unwrap().item(), 6);
    // One trace for each first call, which makes a variable, and one for all others.
    assert_eq!(Count::call_function().trace_count(), 3);
    let text = Count::call_function().latest().unwrap().graph().to_string();
    assert!(text.contains("cond"), "{text}");
    let mut other = Count {
        name: "other",
        ..Count::default()
    };
    assert_eq!(other.call(tensor(3)).item(), 3);
    assert_eq!(other.name, "other");
}

#[test]
fn what_rust_changes_is_changed_by_every_call() {
    // The variable isn't made by a call, because another test counts the traces of those.
    let mut a = Count {
        count: Some(Variable::new(tensor(2))),
        ..Count::default()
    };
    assert_eq!([1, 2, 3].map(|_| a.step().item()), [2, 4, 6]);
    assert_eq!(a.steps, 3);
    let other = Variable::new(tensor(10));
    assert_eq!(a.exchange(&other).item(), 2 - 10);
    assert_eq!(a.exchange(&other).item(), 0);
    a.count.as_ref().unwrap().assign(tensor(1));
    assert_eq!(other.item(), 1);
}

/// A struct with a tensor beside its variables runs as plain Rust, because a graph can't write the tensor.
#[derive(TraceType)]
struct Memory {
    weight: Variable<f32>,
    last: Option<Tensor<f32>>,
}

impl Memory {
    #[graph_fn]
    pub fn call(&mut self, x: Tensor<f32>) -> Tensor<f32> {
        let before = self.last.replace(x.clone());
        before.unwrap_or(x) * &self.weight
    }
}

#[test]
fn tensors_beside_variables_are_kept() {
    let mut memory = Memory {
        weight: Variable::new(tensor(2.0)),
        last: None,
    };
    let outputs = [1.0, 3.0, 5.0].map(|x| memory.call(tensor(x)).item());
    assert_eq!(outputs, [2.0, 2.0, 6.0]);
    assert_eq!(memory.last.unwrap().item(), 5.0);
}
