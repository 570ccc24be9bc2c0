// `graph_print!` prints tensors when the graph runs, and everything that Rust can format.
use graph_runtime::prelude::*;

#[derive(Debug)]
struct Config {
    name: &'static str,
}

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    let config = Config { name: "tiny" };
    graph_print!(
        "{:?}: {} {x} {:>4}|{twice}",
        config.name,
        1 + 1,
        7,
        twice = x * 2
    );
    graph_print!("{config:?}");
    x
}

#[test]
fn runs() {
    let (_, lines) = graph_runtime::collect_prints(|| f(tensor(21)));
    assert_eq!(
        lines,
        ["\"tiny\": 2 21    7|42", "Config { name: \"tiny\" }"]
    );
}
