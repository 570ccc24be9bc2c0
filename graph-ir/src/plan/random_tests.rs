//! Random programs of nested loops, branches, switches, rows and prints: the plan of the graph, and the plan of the optimized
//! graph, give the same values and lines as an interpreter that walks the graph.

use graph_kernels::Array;

use super::random_programs::{LIST_LEN, ROW_LEN, program};
use super::testing::Lines;
use super::{InWords, Instruction, Options, Plan};
use crate::device::{Program, Storage};
use crate::graph::{Graph, Op, ValueId};
use crate::passes;

/// Interprets a graph in the most direct way.
fn walk(graph: &Graph, inputs: &[Array], lines: &mut Vec<String>) -> Vec<Array> {
    let mut values = vec![Array::default(); graph.values.len()];
    for (id, array) in graph.inputs.iter().zip(inputs) {
        values[id.index()] = array.clone();
    }
    for node in &graph.nodes {
        let operands: Vec<Array> = read(&values, &node.inputs);
        let results = match &node.op {
            Op::Constant(array) => vec![Array::clone(array)],
            Op::Primitive(op, attrs) => {
                let mut out = Array::default();
                (op.kernel)(&operands.iter().collect::<Vec<_>>(), attrs, &mut out).unwrap();
                vec![out]
            }
            Op::Print(print) => {
                lines.push(print.message.fill(&operands));
                vec![]
            }
            Op::Cond {
                then_branch,
                else_branch,
            } => {
                let taken = if operands[0].values::<bool>().unwrap()[0] {
                    then_branch
                } else {
                    else_branch
                };
                walk(taken, &operands[1..], lines)
            }
            Op::SwitchCase { branches } => {
                let index = usize::try_from(int(&operands[0])).unwrap_or(usize::MAX);
                walk(
                    branches.get(index).or(branches.last()).unwrap(),
                    &operands[1..],
                    lines,
                )
            }
            Op::WhileLoop { cond, body } => {
                let mut all = operands;
                while walk(cond, &all, lines)[0].values::<bool>().unwrap()[0] {
                    let next = walk(body, &all, lines);
                    all[..next.len()].clone_from_slice(&next);
                }
                all.truncate(node.outputs.len());
                all
            }
            Op::Fusion { body } => walk(body, &operands, lines),
            Op::ReadVariable(_) | Op::AssignVariable(_) | Op::UpdateVariable { .. } => {
                unreachable!("the programs have no variables")
            }
            Op::Assert(_)
            | Op::Summary(_)
            | Op::NextSeed(_)
            | Op::Iteration(_)
            | Op::Call { .. } => {
                unreachable!("the programs have none")
            }
        };
        for (id, array) in node.outputs.iter().zip(results) {
            values[id.index()] = array;
        }
    }
    read(&values, &graph.outputs)
}

fn read(values: &[Array], ids: &[ValueId]) -> Vec<Array> {
    ids.iter().map(|v| values[v.index()].clone()).collect()
}

fn int(array: &Array) -> i32 {
    array.values::<i32>().unwrap()[0]
}

fn run(plan: &Plan, inputs: &[Array]) -> (Vec<Array>, Vec<String>) {
    let inputs: Vec<Storage> = inputs.iter().cloned().map(Storage::from).collect();
    let mut host = Lines::default();
    let outputs = plan
        .run(&inputs.iter().collect::<Vec<_>>(), &mut host)
        .unwrap();
    let outputs = outputs.iter().map(|x| Array::clone(&x.to_host().unwrap()));
    (outputs.collect(), host.0)
}

/// Whether a word program of the plan writes lists.
fn writes_lists(plan: &Plan) -> bool {
    let mut instructions = plan.instructions.iter();
    instructions.any(|instruction| match instruction {
        Instruction::Words(words) => !words.lists().is_empty(),
        _ => false,
    })
}

/// Compares the plans of the program of a seed with its graph. Returns whether one of them writes lists.
fn compare(seed: u64) -> bool {
    let lists = seed >= 100;
    let text = program(seed, lists);
    let graph: Graph = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut optimized = graph.clone();
    passes::optimize_with(&mut optimized, &passes::Options::default());
    let plans: Vec<Plan> = (0..12)
        .flat_map(|n| {
            let words = InWords::ALL[n / 4];
            let [fused, in_place] = [1, 2].map(|bit| n & bit != 0);
            let options = Options {
                words,
                small: words != InWords::Nothing,
                fused,
                in_place,
                bound: !seed.is_multiple_of(4),
            };
            [Plan::with(&graph, options), Plan::with(&optimized, options)]
        })
        .collect();
    for (x, y) in [(0, 1), (3, -2)] {
        let row = Array::new(&[ROW_LEN], vec![x, 5, y]);
        let mut inputs = vec![Array::scalar(x), Array::scalar(y), row];
        if lists {
            let values = (0..(LIST_LEN * ROW_LEN) as i32).collect();
            inputs.push(Array::new(&[LIST_LEN, ROW_LEN], values));
        }
        let mut lines = Vec::new();
        let outputs = walk(&graph, &inputs, &mut lines);
        for plan in &plans {
            // The second run uses the frame of the first one.
            for _ in 0..2 {
                assert_eq!(
                    run(plan, &inputs),
                    (outputs.clone(), lines.clone()),
                    "{seed}:\n{graph}\n{plan}"
                );
            }
        }
    }
    plans.iter().any(writes_lists)
}

#[test]
fn plans_and_passes_keep_the_meaning_of_random_programs() {
    // Two threads, each with every second seed.
    let count = |first: u64| {
        (first..160)
            .step_by(2)
            .filter(|seed| compare(*seed))
            .count()
    };
    let with_lists = std::thread::scope(|threads| {
        let halves = [0, 1].map(|first| threads.spawn(move || count(first)));
        halves.map(|half| half.join().expect("no seed fails"))
    });
    assert!(with_lists.iter().sum::<usize>() > 5, "{with_lists:?}");
}
