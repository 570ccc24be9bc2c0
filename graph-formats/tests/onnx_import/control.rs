//! Branches, loops and sequences, with captures.

use graph_formats::onnx::proto::{GraphProto, ModelProto};
use graph_kernels::Array;

use crate::models::*;

fn branch(op: &str, out: &str) -> GraphProto {
    graph(
        vec![],
        vec![node(op, &["x", "one"], &[out], vec![])],
        vec![info(out, FLOAT, &[])],
    )
}

/// x + 1 or x - 1: `x` and `one` are names around the branches.
fn chosen() -> ModelProto {
    let attributes = vec![
        subgraph("then_branch", branch("Add", "a")),
        subgraph("else_branch", branch("Sub", "s")),
    ];
    let mut graph = graph(
        vec![info("x", FLOAT, &[]), info("c", BOOL, &[])],
        vec![node("If", &["c"], &["y"], attributes)],
        vec![info("y", FLOAT, &[])],
    );
    graph.initializer = vec![floats("one", &[], &[1.0])];
    model(graph)
}

#[test]
fn a_branch_uses_names_around_it() {
    let of = |c: bool| run(&chosen(), [Array::scalar(5f32), Array::scalar(c)]);
    assert_eq!(of(true), [Array::scalar(6f32)]);
    assert_eq!(of(false), [Array::scalar(4f32)]);
    let names: Vec<&str> = read(&chosen())
        .unwrap()
        .graph()
        .unwrap()
        .nodes
        .iter()
        .map(|n| n.op.name())
        .collect();
    assert!(names.contains(&"cond"), "{names:?}");
}

/// A loop that doubles a number while it is less than a limit, and gives all numbers.
fn doubling() -> ModelProto {
    let body = graph(
        vec![
            info("i", INT64, &[]),
            info("ci", BOOL, &[]),
            info("v", FLOAT, &[]),
        ],
        vec![
            node("Add", &["v", "v"], &["w"], vec![]),
            node("Less", &["w", "limit"], &["co"], vec![]),
            node("Identity", &["w"], &["row"], vec![]),
        ],
        vec![
            info("co", BOOL, &[]),
            info("w", FLOAT, &[]),
            info("row", FLOAT, &[]),
        ],
    );
    model(graph(
        vec![
            info("n", INT64, &[]),
            info("start", FLOAT, &[]),
            info("limit", FLOAT, &[]),
        ],
        vec![node(
            "Loop",
            &["n", "", "start"],
            &["last", "rows"],
            vec![subgraph("body", body)],
        )],
        vec![info("last", FLOAT, &[]), info("rows", FLOAT, &[-1])],
    ))
}

#[test]
fn a_loop_ends_by_its_count_or_its_condition_and_gives_rows() {
    let of = |n: i64| {
        run(
            &doubling(),
            [Array::scalar(n), Array::scalar(1f32), Array::scalar(10f32)],
        )
    };
    assert_eq!(
        of(3),
        [Array::scalar(8f32), Array::new(&[3], vec![2f32, 4.0, 8.0])]
    );
    assert_eq!(
        of(9),
        [
            Array::scalar(16f32),
            Array::new(&[4], vec![2f32, 4.0, 8.0, 16.0])
        ]
    );
    assert_eq!(of(0)[0], Array::scalar(1f32));
    assert_eq!(of(0)[1].shape(), [0]);
}

#[test]
fn a_scan_runs_backwards_over_an_axis() {
    let body = graph(
        vec![info("s", FLOAT, &[]), info("v", FLOAT, &[])],
        vec![
            node("Add", &["s", "v"], &["t"], vec![]),
            node("Identity", &["t"], &["row"], vec![]),
        ],
        vec![info("t", FLOAT, &[]), info("row", FLOAT, &[])],
    );
    let attributes = vec![
        subgraph("body", body),
        int("num_scan_inputs", 1),
        ints("scan_input_directions", &[1]),
    ];
    let model = model(graph(
        vec![info("zero", FLOAT, &[]), info("x", FLOAT, &[3])],
        vec![node("Scan", &["zero", "x"], &["sum", "rows"], attributes)],
        vec![info("sum", FLOAT, &[]), info("rows", FLOAT, &[3])],
    ));
    let results = run(
        &model,
        [Array::scalar(0f32), Array::new(&[3], vec![1f32, 2.0, 4.0])],
    );
    assert_eq!(
        results,
        [Array::scalar(7f32), Array::new(&[3], vec![4f32, 6.0, 7.0])]
    );
}

#[test]
fn a_sequence_is_cut_and_joined() {
    let model = model(graph(
        vec![info("x", FLOAT, &[4])],
        vec![
            node("SplitToSequence", &["x"], &["s"], vec![]),
            node("SequenceInsert", &["s", "x"], &["t"], vec![]),
            node("ConcatFromSequence", &["t"], &["y"], vec![int("axis", 0)]),
        ],
        vec![info("y", FLOAT, &[8])],
    ));
    let x = vec![1f32, 2.0, 3.0, 4.0];
    let twice = [x.clone(), x.clone()].concat();
    assert_eq!(
        run(&model, [Array::new(&[4], x)]),
        [Array::new(&[8], twice)]
    );
}
