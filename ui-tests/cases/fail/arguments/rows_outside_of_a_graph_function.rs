// Wanted: the rows of a tensor, one by one, outside of a graph function.
use graph_runtime::prelude::*;

fn main() {
    let x = tensor([[1.0, 2.0], [3.0, 4.0]]);
    for row in &x {
        println!("{row}");
    }
}
