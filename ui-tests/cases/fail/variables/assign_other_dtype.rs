// Wanted: to assign floats to a variable of integers.
use graph_runtime::prelude::*;
fn main() {
    let count = Variable::new(tensor(0));
    count.assign_add(tensor(0.5));
}
