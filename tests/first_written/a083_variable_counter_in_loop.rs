//! Counts the even and odd rows in a variable of two counters: textbook: histogram.
use graph_runtime::prelude::*;

struct Counter {
    evens: Variable<i32>,
    odds: Variable<i32>,
}

#[graph_fn]
fn count(counter: &Counter, v: Tensor<i32>) {
    for e in v {
        if e % 2 == 0 {
            counter.evens.assign_add(1);
        } else {
            counter.odds.assign_add(1);
        }
    }
}

fn main() {
    let counter = Counter { evens: Variable::new(tensor(0)), odds: Variable::new(tensor(0)) };
    count(&counter, tensor([1, 2, 3, 4, 6]));
    count(&counter, tensor([8]));
    assert_eq!(counter.evens.read().item(), 4);
    assert_eq!(counter.odds.read().item(), 2);
}
