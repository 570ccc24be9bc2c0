//! Gradient descent on a table of which few rows were looked up: a graph changes only these rows, to the same bits as without the pass
//! `row_updates`, and as eager code, which computes the whole table.

use graph_runtime::debug;
use graph_runtime::nn::Sgd;
use graph_runtime::prelude::*;
use std::io;
use std::sync::Arc;

use graph_runtime::device::{Host, Program, Storage};
use graph_runtime::function::{ConcreteFunction, GraphFunction};
use graph_runtime::graph::PrintTo;
use graph_runtime::passes::{Options, optimize_with};
use graph_runtime::plan::Plan;
use graph_runtime::tensor::{Float, bf16, f16};
use graph_runtime::variable::Place;
use graph_runtime::{Array, Error};

const ROWS: usize = 1000;
const WIDTH: usize = 8;

/// The bits of all values; all NaNs count as equal.
fn bits(v: &Variable<f32>) -> Vec<u32> {
    let bits = |x: f32| {
        if x.is_nan() {
            f32::NAN.to_bits()
        } else {
            x.to_bits()
        }
    };
    v.to_vec().into_iter().map(bits).collect()
}

/// Fails at the first difference between two tables.
fn assert_same(left: &[u32], right: &[u32]) {
    let differs = left.iter().zip(right).position(|(a, b)| a != b);
    if let Some(i) = differs {
        let [left, right] = [left, right].map(|bits| f32::from_bits(bits[i]));
        panic!(
            "value {} of row {}: {left:?} and {right:?}",
            i % WIDTH,
            i / WIDTH
        );
    }
}

/// A table with all special values of arithmetic.
fn table() -> Variable<f32> {
    let special = [0.0, -0.0, f32::NAN, f32::INFINITY, 1e-40, 1.5, -2.25];
    let value = |i: usize| match i % 5 {
        0 => special[i / 5 % special.len()],
        _ => (i as f32 * 0.37).sin(),
    };
    let values = (0..ROWS * WIDTH).map(value).collect();
    Variable::new(Tensor::from_vec(&[ROWS, WIDTH], values).unwrap())
}

/// Runs a step as a graph and eagerly, and compares the tables.
fn same(step: impl Fn(&Variable<f32>)) -> Vec<u32> {
    let traced = table();
    step(&traced);
    let eager = table();
    {
        let _scope = debug::EAGER.scope(true);
        step(&eager);
    }
    assert_same(&bits(&traced), &bits(&eager));
    bits(&traced)
}

/// The text of the graph of a function's latest trace, optimized.
fn optimized(function: &GraphFunction) -> String {
    let concrete = function.latest().unwrap();
    concrete.optimized_graph().to_string()
}

/// Whether a function's graph changes single rows, and whether the run decides about it.
fn changes_rows(text: &str) -> (bool, bool) {
    let rows = text.contains("scatter_sub(") || text.contains("scatter_add(");
    (
        rows,
        rows && (text.contains("= cond ") || text.contains("\n  cond ")),
    )
}

#[graph_fn]
fn by_rate(table: &Variable<f32>, rows: Tensor<i32>, rate: Tensor<f32>) {
    let tape = GradientTape::new();
    let loss = table.gather(&rows).sin().sum();
    let gradient = tape.gradient(&loss, table).unwrap();
    table.assign_sub(gradient * rate);
}

#[test]
fn the_run_decides_by_the_rate() {
    for rate in [0.1, 0.0, -0.1, -0.0, f32::INFINITY, f32::NAN] {
        same(|table| by_rate(table, tensor([3, 999, 3, 0, 3]), tensor(rate)));
    }
    let text = optimized(by_rate::function());
    assert_eq!(changes_rows(&text), (true, true), "{text}");
}

#[graph_fn]
fn by_adding(table: &Variable<f32>, rows: Tensor<i32>, rate: Tensor<f32>) {
    let tape = GradientTape::new();
    let loss = table.gather(&rows).sin().sum();
    let gradient = tape.gradient(&loss, table).unwrap();
    table.assign_add(&rate * -gradient);
}

#[test]
fn what_is_added_decides_as_well() {
    for rate in [0.1, -0.1, f32::NAN] {
        same(|table| by_adding(table, tensor([3, 999, 3, 0, 3]), tensor(rate)));
    }
    let text = optimized(by_adding::function());
    assert_eq!(changes_rows(&text), (true, true), "{text}");
}

#[test]
fn only_rows_that_were_looked_up_change() {
    let before = bits(&table());
    let after = same(|table| by_rate(table, tensor([3, 999, 3]), tensor(0.5)));
    for row in 0..ROWS {
        let row_of = |all: &[u32]| all[row * WIDTH..][..WIDTH].to_vec();
        let changed = row_of(&before) != row_of(&after);
        assert_eq!(changed, [3, 999].contains(&row), "row {row}");
    }
}

#[graph_fn]
fn by_optimizer(table: &Variable<f32>, sgd: &Sgd, rows: Tensor<i64>, wanted: Tensor<f32>) {
    let tape = GradientTape::new();
    let found = table.gather(&rows);
    let loss = (found.sum_axes(&[-1], false) - wanted).square().mean();
    sgd.apply(&tape.gradient(&loss, table), table);
}

#[test]
fn a_constant_rate_needs_no_decision() {
    let rows = tensor([[7i64, 7], [12, 7]]);
    same(|table| {
        let sgd = Sgd::new(table).learning_rate(0.01);
        for _ in 0..3 {
            by_optimizer(table, &sgd, rows.clone(), tensor([[1.0, 2.0], [3.0, 4.0]]));
        }
    });
    let text = optimized(by_optimizer::function());
    assert_eq!(changes_rows(&text), (true, false), "{text}");
    assert!(!text.contains("shape = [1000, 8]"), "{text}");
}

/// The variables of a graph: the table, and zeros.
struct Variables(Vec<Place>);

impl Host for Variables {
    fn print(&mut self, _: &str, _: &PrintTo) -> io::Result<()> {
        Ok(())
    }
    fn next_seed(&mut self, _: Option<i64>) -> [i64; 2] {
        [0, 0]
    }
    fn variable(&self, position: u32) -> Option<&Place> {
        self.0.get(position as usize)
    }
}

/// The table after a function has run without some of the passes.
fn left_without(function: &ConcreteFunction, passes: &[&str], inputs: &[Storage]) -> Vec<u32> {
    let mut graph = function.graph().clone();
    optimize_with(&mut graph, &Options::without(passes));
    let places = graph.variables.iter().map(|variable| {
        let array = match variable.ty.shape.rank() {
            Some(2) => table().array(),
            _ => Arc::new(Array::zeros(variable.ty.dtype, &[])),
        };
        Place::new("v", variable.ty.clone(), array).unwrap()
    });
    let mut variables = Variables(places.collect());
    let inputs: Vec<&Storage> = inputs.iter().collect();
    Plan::new(&graph).run(&inputs, &mut variables).unwrap();
    let after: Tensor<f32> = Tensor::from_vec(
        &[ROWS, WIDTH],
        variables.0[0]
            .read()
            .to_host()
            .unwrap()
            .values()
            .unwrap()
            .to_vec(),
    )
    .unwrap();
    bits(&Variable::new(after))
}

#[graph_fn]
fn twice(table: &Variable<f32>, rows: &Tensor<i32>, more: &Tensor<i64>) {
    let tape = GradientTape::new();
    let value = table.read();
    let loss = value.gather(rows).square().sum()
        + value.gather(more).exp().sum()
        + table.gather(more).sin().sum();
    let gradient = tape.gradient(&loss, table).unwrap();
    table.assign(table - 0.1 * gradient);
}

#[test]
fn several_lookups_of_one_table() {
    let (rows, more) = (tensor([1, 2, 1]), tensor([[2i64, 5], [1, 998]]));
    let table = table();
    twice(&table, &rows, &more);
    let function = twice::function().latest().unwrap();
    let inputs = [rows.array(), more.array()].map(Storage::from);
    let without = left_without(&function, &["row_updates"], &inputs);
    assert_same(&left_without(&function, &[], &inputs), &without);
    assert_same(&bits(&table), &without);
    let text = optimized(twice::function());
    assert!(changes_rows(&text).0, "{text}");
}

#[graph_fn]
fn in_a_loop(table: &Variable<f32>, sgd: &Sgd, rows: Tensor<i32>) -> Tensor<f32> {
    let mut last = tensor(0.0);
    for row in rows {
        let tape = GradientTape::new();
        let loss = table.gather(row.expand_dims(0)).square().sum();
        sgd.apply(&tape.gradient(&loss, table), table);
        last = loss;
    }
    last
}

#[test]
fn a_loop_over_steps() {
    same(|table| {
        let sgd = Sgd::new(table).learning_rate(0.25);
        in_a_loop(table, &sgd, tensor([4, 5, 4, 4]));
    });
    let text = optimized(in_a_loop::function());
    assert!(changes_rows(&text).0, "{text}");
}

#[test]
fn no_indices_change_nothing() {
    let none = || Tensor::<i32>::from_vec(&[0], vec![]).unwrap();
    let after = same(|table| by_rate(table, none(), tensor(0.1)));
    assert_same(&after, &bits(&table()));
}

#[graph_fn]
fn by_columns(table: &Variable<f32>, columns: Tensor<i32>) {
    let tape = GradientTape::new();
    let loss = table.gather_axis(&columns, 1).sin().sum();
    let gradient = tape.gradient(&loss, table).unwrap();
    table.assign_sub(gradient * 0.5);
}

/// The indices are those of columns, not of rows.
#[test]
fn a_lookup_of_columns_changes_the_whole_table() {
    same(|table| by_columns(table, tensor([3, 7, 3])));
    let text = optimized(by_columns::function());
    assert!(!changes_rows(&text).0, "{text}");
}

#[graph_fn]
fn by_rows_and_columns(table: &Variable<f32>, both: Tensor<i32>) {
    let tape = GradientTape::new();
    let rows = table.gather(&both).square().sum();
    let columns = table.gather_axis(&both, 1).sin().sum();
    let gradient = tape.gradient(&(rows + columns), table).unwrap();
    table.assign_sub(gradient * 0.5);
}

#[test]
fn numbers_of_rows_may_be_those_of_columns_too() {
    same(|table| by_rows_and_columns(table, tensor([3, 7, 3])));
    let text = optimized(by_rows_and_columns::function());
    assert!(!changes_rows(&text).0, "{text}");
}

#[graph_fn]
fn fails(table: &Variable<f32>, other: &Variable<f32>, rows: Tensor<i32>) -> Result<(), Error> {
    let tape = GradientTape::new();
    let loss = table.gather(&rows).sin().sum();
    let gradient = tape.gradient(&loss, table).unwrap();
    other.assign_add(1.0);
    table.assign_sub(gradient * 0.5);
    Ok(())
}

#[test]
fn an_index_out_of_range_is_found_where_it_is_looked_up() {
    let (table, other) = (table(), Variable::new(tensor(0.0)));
    let before = bits(&table);
    let error = fails(&table, &other, tensor([1, 1000])).unwrap_err();
    assert!(
        error
            .message()
            .starts_with("indices[1] = 1000 is not in [0, 1000)"),
        "{error}"
    );
    assert!(
        error.to_string().contains(&format!("{}:", file!())),
        "{error}"
    );
    assert_same(&bits(&table), &before);
    assert_eq!(other.item(), 0.0);
    fails(&table, &other, tensor([1, 2])).unwrap();
    let text = optimized(fails::function());
    assert!(changes_rows(&text).0, "{text}");
}

#[graph_fn]
fn accumulates(table: &Variable<f32>, sums: &Variable<f32>, rows: Tensor<i32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    let loss = table.gather(&rows).square().sum();
    let gradient = tape.gradient(&loss, table).unwrap();
    sums.assign_add(-&gradient);
    sums.assign_add(&gradient);
    gradient.max()
}

/// A gradient that is needed whole stays unchanged. So does an update that adds zeros: it turns -0 into 0.
#[test]
fn what_needs_the_whole_gradient_gets_it() {
    let run = || {
        let sums = Variable::new(full(&[ROWS, WIDTH], -0.0));
        accumulates(&table(), &sums, tensor([1, 1]));
        bits(&sums)
    };
    let traced = run();
    let _scope = debug::EAGER.scope(true);
    assert_same(&run(), &traced);
}

/// Each float type has its own graph function.
fn descends<T: Float>() {
    #[graph_fn]
    fn step<T: Float>(table: &Variable<T>, rows: Tensor<i32>) {
        let tape = GradientTape::new();
        let loss = table.gather(&rows).square().sum();
        let gradient = tape.gradient(&loss, table).unwrap();
        table.assign_sub(gradient * T::from_f64(0.5));
    }
    let run = || {
        let values = range(0.0f32, 8000.0, 1.0)
            .sin()
            .reshape(&[1000, 8])
            .cast::<T>();
        let table = Variable::new(values);
        step(&table, tensor([1, 2, 1]));
        table.cast::<f64>().to_vec()
    };
    let traced = run();
    let _scope = debug::EAGER.scope(true);
    assert_eq!(run(), traced);
}

#[test]
fn all_floats() {
    descends::<f64>();
    descends::<f16>();
    descends::<bf16>();
}
