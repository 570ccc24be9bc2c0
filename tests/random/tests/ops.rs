//! Checks that programs use every op of the table, except for those listed here with the reason.

use std::cell::RefCell;
use std::collections::BTreeSet;

use graph_runtime::graph::Op;
use graph_tests_random::{generate, ways};

/// The number of programs.
const SEEDS: u64 = 2_000;

/// Ops that no program uses.
const MISSING: &[(&str, &str)] = &[(
    "one_value",
    "conditions of programs are scalars, and known to be",
)];

/// The ops in the graph of a seed's program and in all its subgraphs.
fn ops(seed: u64) -> BTreeSet<&'static str> {
    let program = generate::program(seed, seed.is_multiple_of(2));
    let graph = ways::graph(&program).unwrap_or_else(|e| panic!("{}\n{program}", e.details));
    let found = RefCell::new(BTreeSet::new());
    graph.any_op(&|op| {
        if let Op::Primitive(op, _) = op {
            found.borrow_mut().insert(op.name);
        }
        false
    });
    found.into_inner()
}

#[test]
fn programs_have_every_op_of_the_table() {
    graph_runtime::limit_traces(4);
    let found: BTreeSet<&str> = (0..SEEDS).flat_map(ops).collect();
    let table = graph_runtime::ops::all().map(|op| op.name);
    let not_found: BTreeSet<&str> = table.filter(|name| !found.contains(name)).collect();
    let expected: BTreeSet<&str> = MISSING.iter().map(|(name, _)| *name).collect();
    assert_eq!(not_found, expected);
}
