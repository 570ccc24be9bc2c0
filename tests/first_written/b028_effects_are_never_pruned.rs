//! Prints, assignments and checks happen though nobody uses their results. From: conformance effects_are_never_pruned.
use graph_runtime::prelude::*;

#[graph_fn]
fn effects(v: &Variable<i32>, x: Tensor<i32>) -> Result<Tensor<i32>, graph_runtime::Error> {
    graph_print!("printed {x}");
    v.assign_add(&x);
    let _unused = v.read() * 1000;
    assert!(x < 10, "x must be less than 10");
    Ok(tensor(0))
}

fn main() {
    let v = Variable::new(tensor(0));
    assert_eq!(effects(&v, tensor(3)).unwrap().item(), 0);
    assert_eq!(v.read().item(), 3);
    let error = effects(&v, tensor(20)).unwrap_err();
    assert!(error.to_string().contains("x must be less than 10"));
}
