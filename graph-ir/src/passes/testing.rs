//! Tests of passes that compare graphs as text.

use graph_kernels::{Array, DType, cast};

use super::patch::Patch;
use crate::device::testing::NoHost;
use crate::device::{Program, Storage};
use crate::graph::{Graph, TensorType, verify};
use crate::plan::Plan;

pub(super) fn parse(text: &str) -> Graph {
    text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Checks that a pass, applied once to the graph and its subgraphs, turns `before` into `after`.
pub(super) fn check(run: fn(&Graph) -> Option<Patch>, before: &str, after: &str) {
    let graph = super::driver::everywhere(run, &parse(before)).expect("the pass changes something");
    verify(&graph).unwrap_or_else(|e| panic!("{e}\n{graph}"));
    assert_eq!(graph.to_string(), parse(after).to_string());
}

/// Checks that a pass doesn't change the graph.
pub(super) fn check_unchanged(run: fn(&Graph) -> Option<Patch>, text: &str) {
    if let Some(graph) = super::driver::everywhere(run, &parse(text)) {
        panic!("the pass gives\n{graph}");
    }
}

/// Checks that a pass keeps results bitwise the same, on inputs with special values such as NaN, infinities and zeros.
pub(super) fn same_results(run: fn(&Graph) -> Option<Patch>, text: &str) {
    let special = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        0.0,
        -0.0,
        1.5,
        -2.5,
        1e-40,
        7.0,
    ];
    for numbers in special.windows(3) {
        let numbers = Array::new(&[3], numbers.to_vec());
        let graph = parse(text);
        let inputs = graph.inputs.iter().map(|v| {
            let mut input = Array::default();
            cast(&numbers, graph.ty(*v).dtype, &mut input).expect("a number dtype");
            input
        });
        same_results_on(run, text, &inputs.collect::<Vec<_>>());
    }
}

/// Checks that a pass keeps results bitwise the same on these inputs.
pub(super) fn same_results_on(run: fn(&Graph) -> Option<Patch>, text: &str, inputs: &[Array]) {
    let graph = parse(text);
    let changed = super::driver::everywhere(run, &graph).expect("the pass changes something");
    let inputs: Vec<Storage> = inputs.iter().cloned().map(Storage::from).collect();
    let [before, after] = [&graph, &changed].map(|g| results(g, &inputs));
    assert_eq!(before, after, "{graph}{changed}");
}

/// The results of a run, as text with their bits.
fn results(graph: &Graph, inputs: &[Storage]) -> Vec<String> {
    let inputs: Vec<_> = inputs.iter().collect();
    let outputs = Plan::new(graph).run(&inputs, &mut NoHost);
    let outputs = outputs.unwrap_or_else(|e| panic!("{e}\n{graph}"));
    outputs
        .iter()
        .map(|x| bits(&x.to_host().unwrap()))
        .collect()
}

fn bits(array: &Array) -> String {
    let mut wide = Array::default();
    cast(array, DType::F64, &mut wide).expect("a number dtype");
    let values = wide.values::<f64>().expect("the dtype says so");
    let bits: Vec<u64> = values.iter().map(|v| v.to_bits()).collect();
    format!("{} {bits:x?}", TensorType::of_array(array))
}

#[test]
fn passes_work_together_and_can_be_switched_off() {
    let text = "fn is_small(x: int32[]) -> bool[] { n = constant 10 : int32[] p = less(x, n) : bool[] return p }
    graph (x: int32[]) -> (int32[], int32[]) {
      two = constant 2 : int32[]
      three = constant 3 : int32[]
      p = call is_small(two) : bool[]
      a = cond p (x, three) : int32[] {
        then (x: int32[], k: int32[]) { y = mul(k, k) : int32[] z = add(x, y) : int32[] return z }
        else (x: int32[], k: int32[]) { return k }
      }
      b, same = while_loop (x, a; two) : int32[], int32[] {
        cond (i: int32[], a: int32[], n: int32[]) { p = less(i, n) : bool[] return p }
        body (i: int32[], a: int32[], n: int32[]) { j = add(i, n) : int32[] return j, a }
      }
      return same, b
    }";
    let mut graph = parse(text);
    super::optimize_with(&mut graph, &super::Options::default());
    let expected = "graph (x: int32[]) -> (int32[], int32[]) {
      y = constant 9 : int32[]
      same = add(x, y) : int32[]
      b = while_loop (x) : int32[] {
        cond (i: int32[]) { n = constant 2 : int32[] p = less(i, n) : bool[] return p }
        body (i: int32[]) { n = constant 2 : int32[] j = add(i, n) : int32[] return j }
      }
      return same, b
    }";
    let names_aside = |text: &str| {
        parse(text)
            .to_string()
            .replace("same", "z")
            .replace("n_1", "n")
    };
    assert_eq!(names_aside(&graph.to_string()), names_aside(expected));

    let all: Vec<&str> = super::PASSES.iter().map(|p| p.name).collect();
    let mut untouched = parse(text);
    super::optimize_with(&mut untouched, &super::Options::without(&all));
    assert_eq!(untouched.to_string(), parse(text).to_string());
}

#[test]
fn a_program_that_must_fail_keeps_its_failing_node() {
    // After inlining, the shapes in the call are known not to fit. The run has to report that, not the optimizer.
    let text = "fn f(x: int32[?]) -> int32[?] { c = constant [1, 2, 3] : int32[3] y = add(x, c) : int32[?] return y }
    graph () -> int32[?] {
      a = constant [1, 2] : int32[2]
      b = call f(a) : int32[?]
      return b
    }";
    let mut graph = parse(text);
    super::optimize_with(&mut graph, &super::Options::default());
    assert!(graph.to_string().contains("call f"), "{graph}");
}

#[test]
fn a_limit_stops_after_so_many_patches() {
    let text = "graph () -> int32[] {
      a = constant 2 : int32[]
      b = add(a, a) : int32[]
      return b
    }";
    let limited = |limit| {
        let mut graph = parse(text);
        let options = super::Options {
            limit: Some(limit),
            ..super::Options::default()
        };
        super::optimize_with(&mut graph, &options);
        graph.nodes.len()
    };
    // Folding defines `b` as a constant, which makes `a` dead.
    assert_eq!(
        [limited(0), limited(1), limited(2), limited(9)],
        [2, 2, 1, 1]
    );
    let steps = parse(text).explain().steps;
    let passes: Vec<&str> = steps.iter().map(|(step, _)| step.pass).collect();
    assert_eq!(passes, ["constant_folding", "dead_code"]);
}
