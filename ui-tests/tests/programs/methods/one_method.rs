// A single method as a graph function, beside plain ones.
use graph_runtime::prelude::*;

struct Counter {
    step: i32,
}

impl Counter {
    fn new(step: i32) -> Counter {
        Counter { step }
    }

    #[graph_fn]
    pub(crate) fn next(&self, x: Tensor<i32>) -> Tensor<i32> {
        if x > 10 { x } else { x + self.step }
    }
}

#[test]
fn runs() {
    let counter = Counter::new(3);
    assert_eq!(counter.next(tensor(1)).item(), 4);
    assert_eq!(counter.next(tensor(11)).item(), 11);
}
