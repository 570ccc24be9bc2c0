//! Variables in structs, in collections and in several threads, and the ways to pass them.

use std::collections::BTreeMap;
use std::thread;

use graph_runtime::TraceType;
use graph_runtime::prelude::*;

#[derive(TraceType)]
struct Layer {
    weights: Variable<f32>,
    bias: Variable<f32>,
    steps: Variable<i32>,
    frozen: bool,
}

#[derive(TraceType)]
struct Model {
    first: Layer,
    second: Layer,
}

impl Layer {
    fn new(weights: Tensor<f32>) -> Layer {
        Layer {
            bias: Variable::new(tensor([0.0, 0.0])),
            steps: Variable::new(tensor(0)),
            weights: Variable::new(weights),
            frozen: false,
        }
    }

    #[graph_fn]
    pub fn forward(&self, x: Tensor<f32>) -> Tensor<f32> {
        matmul(x, &self.weights) + &self.bias
    }

    #[graph_fn]
    pub fn step(&self, rate: f32) {
        if !self.frozen {
            self.weights.assign_sub(&self.weights * rate);
            self.bias.assign_add(rate);
        }
        self.steps.assign_add(1);
    }
}

#[graph_fn]
fn both(model: &Model, x: Tensor<f32>) -> Tensor<f32> {
    let hidden = model.first.forward(x);
    model.second.step(0.5);
    model.second.forward(hidden)
}

#[test]
fn fields_of_structs() {
    let unit = || tensor([[1.0, 0.0], [0.0, 1.0]]);
    let mut model = Model {
        first: Layer::new(unit()),
        second: Layer::new(unit() * 4.0),
    };
    let x = tensor([[1.0, 2.0]]);
    assert_eq!(both(&model, x.clone()).to_vec(), [2.5, 4.5]);
    assert_eq!(both(&model, x.clone()).to_vec(), [2.0, 3.0]);
    assert_eq!(
        (model.first.steps.item(), model.second.steps.item()),
        (0, 2)
    );
    assert_eq!(both::function().trace_count(), 1);
    model.second.frozen = true;
    assert_eq!(both(&model, x).to_vec(), [2.0, 3.0]);
    assert_eq!(
        (model.second.steps.item(), both::function().trace_count()),
        (3, 2)
    );
}

#[graph_fn]
fn moves_on(
    by_value: Variable<i32>,
    list: &[Variable<i32>],
    named: &BTreeMap<String, Variable<i32>>,
) -> Tensor<i32> {
    for v in list {
        by_value.assign_add(v);
        v.assign(0);
    }
    for v in named.values() {
        v.assign(&by_value);
    }
    by_value.read()
}

#[test]
fn by_value_and_in_collections() {
    let sum = Variable::new(tensor(0));
    let list: Vec<Variable<i32>> = (1..4).map(|i| Variable::new(tensor(i))).collect();
    let named = BTreeMap::from([("a".to_owned(), Variable::new(tensor(9)))]);
    assert_eq!(moves_on(sum.clone(), &list, &named).item(), 6);
    assert_eq!((sum.item(), list[2].item(), named["a"].item()), (6, 0, 6));
    // The same variable is in the list twice.
    let twice = [list[0].clone(), list[0].clone(), list[1].clone()];
    list[0].assign(10);
    assert_eq!(moves_on(sum.clone(), &twice, &named).item(), 16);
    assert_eq!(moves_on::function().trace_count(), 2);
}

#[graph_fn]
fn count(total: &Variable<i64>, large: &Variable<f32>) -> Tensor<i64> {
    total.assign_add(1);
    large.assign_add(1.0);
    total.read()
}

/// Updates are atomic: none is lost, and nobody sees half of one.
#[test]
fn threads_share_variables() {
    const THREADS: usize = 4;
    const TIMES: usize = 200;
    let (total, large) = (
        Variable::new(tensor(0i64)),
        Variable::new(zeros::<f32>(&[50_000])),
    );
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                for _ in 0..TIMES {
                    count(&total, &large);
                }
            });
        }
        scope.spawn(|| {
            for _ in 0..TIMES {
                let values = large.read().to_vec();
                assert!(values.iter().all(|v| *v == values[0]));
            }
        });
    });
    assert_eq!(total.item(), (THREADS * TIMES) as i64);
    assert_eq!(large.read().to_vec()[49_999], (THREADS * TIMES) as f32);
    assert_eq!(count::function().trace_count(), 1);
}

#[graph_fn]
fn fresh(v: &Variable<f32>, x: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
    let before = v.read();
    v.assign_add(&x);
    v.scatter_update(&tensor([[0]]), tensor([100.0]));
    (before, v.read())
}

/// A value that was read is independent: updates in place don't change it, in graphs and in eager code.
#[test]
fn values_read_before_stay() {
    let v = Variable::new(tensor([1.0, 2.0]));
    let first = v.read();
    let (before, after) = fresh(&v, tensor([1.0, 1.0]));
    v.assign_add(1.0).scatter_add(tensor([[1]]), tensor([5.0]));
    let (again, last) = fresh(&v, tensor([0.0, 0.0]));
    assert_eq!(first.to_vec(), [1.0, 2.0]);
    assert_eq!(
        (before.to_vec(), after.to_vec()),
        (vec![1.0, 2.0], vec![100.0, 3.0])
    );
    assert_eq!(
        (again.to_vec(), last.to_vec()),
        (vec![101.0, 9.0], vec![100.0, 9.0])
    );
}

#[test]
fn handles_are_of_one_variable_and_show_it() {
    let v = Variable::named("w", tensor([[1.0, 2.0]]));
    let other = v.clone();
    other.assign(tensor([[3.0, 4.5]]));
    assert_eq!(
        v.to_string(),
        "<tf.Variable 'w:0' shape=(1, 2) dtype=float32, numpy=\n[[3.  4.5]]>"
    );
    assert_eq!(format!("{v:?}"), v.to_string());
    assert_eq!((1.0f32 - &v).to_vec(), [-2.0, -3.5]);
    assert_eq!((-&v + v.read() * 2.0).to_vec(), [3.0, 4.5]);
}

#[graph_fn]
fn grows(v: &Variable<f32>, x: Tensor<f32>) {
    v.assign_add(&x * 2.0);
}

/// An update whose result has another shape isn't made in place.
#[test]
fn a_variable_of_open_size_takes_the_size_of_an_update() {
    let v = Variable::with_shape(tensor([1.0f32]), &[None]);
    for held in [[3.0, 5.0, 7.0], [5.0, 9.0, 13.0]] {
        grows(&v, tensor([1.0, 2.0, 3.0]));
        assert_eq!(v.read().to_vec(), held);
    }
    v.assign(tensor([0.5])).assign_add(tensor([1.0, 2.0]));
    assert_eq!(
        (v.read().to_vec(), v.shape().to_string()),
        (vec![1.5, 2.5], "[?]".to_owned())
    );
}
