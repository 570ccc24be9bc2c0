// Wanted: an enum as the state of a loop.
use graph_runtime::GraphState;

#[derive(GraphState)]
enum Mode {
    Slow,
    Fast,
}

fn main() {}
