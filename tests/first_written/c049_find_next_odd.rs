//! A variable changed twice in a call, the second time in a branch: seed3_find_next_odd.
use graph_runtime::prelude::*;

#[graph_fn]
fn find_next_odd(v: &Variable<i32>) {
    v.assign(v.read() + 1);
    if v.read() % 2 == 0 {
        v.assign_add(1);
    }
}

fn main() {
    let v = Variable::new(tensor(0));
    for (start, expected) in [(5, 7), (6, 7), (-3, -1), (0, 1)] {
        v.assign(tensor(start));
        find_next_odd(&v);
        assert_eq!(v.read().item(), expected);
    }
}
