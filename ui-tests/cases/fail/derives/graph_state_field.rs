// Wanted: a struct with a file in it as a result.
use graph_runtime::GraphState;

#[derive(GraphState)]
struct Log {
    file: std::fs::File,
}

fn main() {}
