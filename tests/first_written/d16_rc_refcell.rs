use graph_runtime::prelude::*;
// A history in shared state outside, filled while tracing.
use std::cell::RefCell;
use std::rc::Rc;
fn record(history: &Rc<RefCell<Vec<Tensor<f32>>>>, x: &Tensor<f32>) {
    history.borrow_mut().push(x.clone());
}
#[graph_fn]
fn path(x: Tensor<f32>) -> Vec<Tensor<f32>> {
    let history = Rc::new(RefCell::new(Vec::new()));
    let mut x = x;
    for _ in 0..3 {
        x = x / 2.0;
        record(&history, &x);
    }
    Rc::try_unwrap(history).unwrap().into_inner()
}
fn main() {
    let values: Vec<f32> = path(tensor(8.0)).iter().map(Tensor::item).collect();
    assert_eq!(values, [4.0, 2.0, 1.0]);
}
