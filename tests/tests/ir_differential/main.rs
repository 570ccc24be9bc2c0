//! Random programs in the graph's own terms. As text over all dtypes, empty arrays and loops that never run: walking
//! the graph, its plan, the plan of the optimized graph and of the graph after each pass alone must agree bit for bit
//! and line by line. By hand with `cond`, `while_loop` and `switch_case`: traced, eager and plain Rust must agree.

mod builders;
mod choices;
mod walk;
mod writer;

use std::sync::Arc;

use graph_runtime::Array;
use graph_runtime::device::{Backend, Cpu, Host};
use graph_runtime::graph::{Graph, verify};
use graph_runtime::passes::{Options, PASSES, optimize_with};
use graph_runtime::plan::Plan;
use proptest::prelude::*;

use choices::Choices;
use walk::exact;

/// What a run gives, exactly, and prints.
type Outcome = (Vec<String>, Vec<String>);

/// Keeps the lines, and which seeds were taken between them.
struct Lines(Vec<String>);

impl Host for Lines {
    fn print(&mut self, line: &str) {
        self.0.push(line.to_owned());
    }

    fn next_seed(&mut self, stream: Option<i64>) -> [i64; 2] {
        walk::drawn(stream, &mut self.0)
    }
}

fn run(graph: &Graph, inputs: &[Array]) -> Outcome {
    let inputs: Vec<Arc<Array>> = inputs.iter().cloned().map(Arc::new).collect();
    let mut host = Lines(Vec::new());
    let outputs = Cpu
        .run(&Plan::new(graph), &inputs, &mut host)
        .unwrap_or_else(|e| panic!("{e}\n{graph}"));
    (outputs.iter().map(|a| exact(a)).collect(), host.0)
}

/// The graph with its text parsed again, optimized, and after each pass alone.
fn variants(graph: &Graph) -> Vec<(String, Graph)> {
    let names: Vec<&str> = PASSES.iter().map(|p| p.name).collect();
    let optimized = |disabled: &[&str]| {
        let mut graph = graph.clone();
        optimize_with(&mut graph, &Options::without(disabled));
        verify(&graph).unwrap_or_else(|e| panic!("{e}\n{graph}"));
        graph
    };
    let parsed = graph
        .to_string()
        .parse()
        .unwrap_or_else(|e| panic!("{e}\n{graph}"));
    let mut variants = vec![
        ("as it is".to_owned(), graph.clone()),
        ("parsed again".to_owned(), parsed),
    ];
    variants.push(("optimized".to_owned(), optimized(&[])));
    for name in &names {
        let others: Vec<&str> = names.iter().copied().filter(|n| n != name).collect();
        variants.push((format!("{name} alone"), optimized(&others)));
    }
    variants
}

fn choices() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(any::<u8>(), 0..1500)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn plans_and_passes_keep_what_a_graph_means(bytes in choices(), x in -3..9i32, y in any::<f32>()) {
        let text = writer::program(Choices::new(&bytes));
        let graph: Graph = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
        let inputs = [Array::scalar(x), Array::scalar(y), Array::new(&[3], vec![y, 0.5, -1.0])];
        let mut lines = Vec::new();
        let outputs = walk::walk(&graph, &inputs, &mut lines);
        let expected = (outputs.iter().map(exact).collect::<Vec<_>>(), lines);
        for (way, variant) in variants(&graph) {
            prop_assert_eq!(&run(&variant, &inputs), &expected, "{}:\n{}\n{}", way, graph, variant);
        }
    }

    #[test]
    fn control_flow_by_hand_means_what_it_means_in_rust(bytes in choices(), x in -9..99i32, y in any::<i32>()) {
        builders::check(&bytes, x, y)?;
    }
}
