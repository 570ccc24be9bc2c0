//! Random programs as graphs. First as graph text over all dtypes, empty arrays and loops without iterations: walking the graph, its plan,
//! the plans of the optimized graph and of the graph after each pass alone and after all passes but one must agree bit for bit and line by
//! line, even if the graph knows no shapes at first or at all. The same for random graphs with every op of the table. Then programs that
//! call `cond`, `while_loop` and `switch_case`: traced runs, eager runs and plain Rust must agree.

mod builders;
mod choices;
mod walk;
mod writer;

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

use graph_runtime::Array;
use graph_runtime::device::{Host, Program, Storage};
use graph_runtime::graph::{
    Graph, Op, PrintTo, Shape, Summary, TensorType, Value, ValueId, verify,
};
use graph_runtime::passes::{Options, PASSES, optimize_with, optimized_for};
use graph_runtime::plan::Plan;
use graph_runtime::variable::Place;
use proptest::prelude::*;

use choices::Choices;
use graph_device_tests::compare::exact;
use graph_device_tests::graphs::{self, Random};
use walk::World;

/// The exact results of a run, the lines that it prints, and the values of its variables at its end.
type Outcome = (Vec<String>, Vec<String>, Vec<String>);

/// The host of a run: it has the variables and records the lines and, between them, the seeds that were drawn.
struct Around {
    lines: Vec<String>,
    variables: Vec<Place>,
}

impl Around {
    /// A graph's variables, with their initial values.
    fn of(graph: &Graph) -> Around {
        let table = graph.variables.iter().zip(writer::starts());
        let place = |(variable, start): (&Value, Array)| {
            Place::new("v", variable.ty.clone(), Arc::new(start)).expect("a value of its type")
        };
        Around {
            lines: Vec::new(),
            variables: table.map(place).collect(),
        }
    }
}

impl Host for Around {
    fn print(&mut self, text: &str, _: &PrintTo) -> io::Result<()> {
        self.lines
            .push(text.strip_suffix('\n').unwrap_or(text).to_owned());
        Ok(())
    }

    fn writes_summaries(&self) -> bool {
        true
    }

    fn write_summary(&mut self, summary: &Summary, value: &Array, step: i64) -> io::Result<()> {
        self.lines.push(walk::written(summary, value, step));
        Ok(())
    }

    fn next_seed(&mut self, stream: Option<i64>) -> [i64; 2] {
        walk::drawn(stream, &mut self.lines)
    }

    fn variable(&self, position: u32) -> Option<&Place> {
        self.variables.get(position as usize)
    }
}

fn run(graph: &Graph, inputs: &[Array]) -> Result<Outcome, String> {
    let inputs: Vec<Storage> = inputs.iter().cloned().map(Storage::from).collect();
    let mut host = Around::of(graph);
    let outputs = Plan::new(graph)
        .run(&inputs.iter().collect::<Vec<_>>(), &mut host)
        .map_err(|e| e.to_string())?;
    let exact = |x: &Storage| exact(&x.to_host().unwrap());
    let held = host.variables.iter().map(|place| exact(&place.read()));
    let outputs = outputs.iter().map(exact).collect();
    Ok((outputs, host.lines, held.collect()))
}

/// The graph without the shapes of its values, except those of constants.
fn forgotten(graph: &Graph) -> Graph {
    let mut graph = graph.clone();
    let constants = graph
        .nodes
        .iter()
        .filter(|n| matches!(n.op, Op::Constant(_)));
    let constants: BTreeSet<ValueId> = constants.flat_map(|n| n.outputs.clone()).collect();
    for id in (0..graph.values.len() as u32).map(ValueId) {
        if !constants.contains(&id) {
            graph.values[id.index()].ty.shape = Shape::unknown();
        }
    }
    for node in &mut graph.nodes {
        if !matches!(node.op, Op::Fusion { .. } | Op::UpdateVariable { .. }) {
            for subgraph in node.op.subgraphs_mut() {
                *subgraph = forgotten(subgraph);
            }
        }
    }
    graph
}

/// The graph without shapes, and the graphs made of it for the types of these inputs.
fn sized(graph: &Graph, inputs: &[Array]) -> Vec<(String, Graph)> {
    let general = forgotten(graph);
    if verify(&general).is_err() {
        return Vec::new();
    }
    let types: Vec<TensorType> = inputs.iter().map(TensorType::of_array).collect();
    let sized = optimized_for(&general, &types);
    let mut optimized = general.clone();
    optimize_with(&mut optimized, &Options::default());
    let mut variants = vec![
        ("of unknown sizes".to_owned(), general),
        ("of unknown sizes, optimized".to_owned(), optimized),
    ];
    variants.extend(sized.map(|graph| ("of unknown sizes, told them".to_owned(), graph)));
    variants
}

/// The graph after its text was parsed, optimized, after each pass alone, after all but one, and made of one without shapes.
fn variants(graph: &Graph, inputs: &[Array]) -> Vec<(String, Graph)> {
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
        variants.push((format!("all but {name}"), optimized(&[name])));
    }
    variants.extend(sized(graph, inputs));
    // Equal graphs are run only once.
    let mut seen = BTreeSet::new();
    variants.retain(|(_, variant)| seen.insert(variant.to_string()));
    variants
}

/// Checks that every variant of the graph has the expected outcome.
fn check(graph: &Graph, inputs: &[Array], expected: &Outcome) -> Result<(), TestCaseError> {
    for (way, variant) in variants(graph, inputs) {
        let actual = run(&variant, inputs);
        prop_assert_eq!(
            actual.as_ref(),
            Ok(expected),
            "{}:\n{}\n{}",
            way,
            graph,
            variant
        );
    }
    Ok(())
}

/// The outcome of walking the graph.
fn walked(graph: &Graph, inputs: &[Array]) -> Result<Outcome, String> {
    let mut world = World {
        variables: writer::starts()[..graph.variables.len()].to_vec(),
        ..World::default()
    };
    let outputs = walk::walk(graph, inputs, &mut world)?;
    let held = world.variables.iter().map(exact).collect();
    Ok((outputs.iter().map(exact).collect(), world.lines, held))
}

fn choices() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(any::<u8>(), 0..1500)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn plans_and_passes_keep_what_a_graph_means(bytes in choices(), x in -3..9i32, y in any::<f32>()) {
        let text = writer::program(Choices::new(&bytes));
        let graph: Graph = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
        let inputs = [Array::scalar(x), Array::scalar(y), Array::new(&[3], vec![y, 0.5, -1.0])];
        let expected = walked(&graph, &inputs).unwrap_or_else(|e| panic!("{e}\n{text}"));
        check(&graph, &inputs, &expected)?;
    }

    #[test]
    fn all_ops_mean_the_same_however_they_run(seed in any::<u64>(), nodes in 1..14usize) {
        let program = graphs::program(&mut Random::new(seed), nodes);
        // Later iterations of a loop may fail; then there is nothing to compare.
        if let Ok(expected) = walked(&program.graph, &program.inputs) {
            check(&program.graph, &program.inputs, &expected)?;
        }
    }

    #[test]
    fn what_a_result_needs_and_fails_still_fails(seed in any::<u64>(), nodes in 0..6usize) {
        if let Some(program) = graphs::failing_program(&mut Random::new(seed), nodes) {
            for (way, variant) in variants(&program.graph, &program.inputs) {
                let outcome = run(&variant, &program.inputs);
                prop_assert!(outcome.is_err(), "{}:\n{}\n{}", way, program.graph, variant);
            }
        }
    }

    #[test]
    fn control_flow_by_hand_means_what_it_means_in_rust(bytes in choices(), x in -9..99i32, y in any::<i32>()) {
        builders::check(&bytes, x, y)?;
    }
}

/// Ops that need operands too special to be found by random tries.
#[test]
fn operands_are_found_for_nearly_every_op() {
    let mut random = Random::new(1);
    let (mut found, mut not_found) = (0, Vec::new());
    for op in graph_runtime::ops::all() {
        match graphs::program_with(&mut random, op, 10_000) {
            Some(program) => {
                found += 1;
                let expected = walked(&program.graph, &program.inputs).expect("the kernel took it");
                check(&program.graph, &program.inputs, &expected).expect(op.name);
            }
            None => not_found.push(op.name),
        }
    }
    assert!(found > 9 * not_found.len(), "not found: {not_found:?}");
}
