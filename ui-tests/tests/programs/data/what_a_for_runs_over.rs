// Under the attribute, a `for` iterates over datasets, by value or borrowed, and over everything that it iterates over in plain Rust.
use std::collections::BTreeMap;

use graph_runtime::prelude::*;

#[graph_fn]
fn all(dataset: &Dataset<Tensor<i32>>, mut rows: Tensor<i32>, factors: Vec<i32>) -> Tensor<i32> {
    let mut sum = tensor(0);
    for x in dataset {
        sum += x;
    }
    for x in dataset.clone() {
        sum += x;
    }
    for (i, (x, y)) in dataset.zip(&dataset.skip(1)).enumerate() {
        sum += x * y * i.cast::<i32>();
    }
    for row in &rows {
        sum += row;
    }
    for factor in &factors {
        sum = sum * *factor;
    }
    for row in rows {
        sum += row;
    }
    rows = sum;
    rows
}

fn generic<I: IntoIterator<Item = Tensor<i32>>>(items: I) -> Tensor<i32> {
    #[graph_fn]
    fn nothing() -> Tensor<i32> {
        tensor(0)
    }
    let mut sum = nothing();
    for item in items {
        sum += item;
    }
    sum
}

#[graph_fn]
fn of_a_generic<I: IntoIterator<Item = Tensor<i32>>>(items: I) -> Tensor<i32> {
    let mut sum = tensor(0);
    for item in items {
        sum += item;
    }
    sum
}

#[graph_fn]
fn plain(names: &mut BTreeMap<String, usize>) {
    for (name, length) in names.iter_mut() {
        *length = name.len();
    }
    let mut seen = Vec::new();
    for name in names.keys() {
        seen.push(name.clone());
    }
    for _ in seen.drain(..) {}
    for option in Some(3) {
        seen.push(option.to_string());
    }
}

struct Model {
    train: Dataset<(Tensor<f32>, Tensor<f32>)>,
}

impl Model {
    #[graph_fn]
    fn loss(&self) -> Tensor<f32> {
        let mut loss = tensor(0.0);
        for (x, y) in &self.train {
            loss += (x - y).square().sum();
        }
        loss
    }
}

impl graph_runtime::Argument for Model {
    fn trace_type(&self, signature: &mut graph_runtime::function::Signature) {
        self.train.trace_type(signature);
    }
}

#[test]
fn runs() {
    let dataset = Dataset::from_slices(tensor([1, 2, 3]));
    // (6 + 6 + (0·2 + 1·6) + 9) · 2 + 9.
    assert_eq!(all(&dataset, tensor([4, 5]), vec![2]).item(), 63);
    assert_eq!(generic(&dataset).item(), 6);
    assert_eq!(of_a_generic(vec![tensor(1), tensor(2)]).item(), 3);
    let mut names = BTreeMap::from([("abc".to_owned(), 0)]);
    plain(&mut names);
    assert_eq!(names["abc"], 3);
    let train =
        Dataset::from_slices((tensor([[1.0, 2.0], [3.0, 4.0]]), tensor([1.0, 5.0]))).batch(2);
    let model = Model {
        train: train.map(|(x, y)| (x, y.expand_dims(1))),
    };
    assert_eq!(model.loss().item(), 0.0 + 1.0 + 4.0 + 1.0);
}
