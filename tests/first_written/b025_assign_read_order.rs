//! Reads and assignments of a variable happen in the order written. From: conformance assign_read_order.
use graph_runtime::prelude::*;

#[graph_fn]
fn read_and_assign(
    v: &Variable<i32>,
    x: Tensor<i32>,
) -> (Tensor<i32>, Tensor<i32>, Tensor<i32>, Tensor<i32>, Tensor<i32>) {
    let a = v.read();
    v.assign(x);
    let b = v.read();
    v.assign_add(10);
    let c = v.read();
    v.assign_sub(3);
    let d = v.read();
    v.assign_add(100);
    (a, b, c, d, v.read() * 2)
}

fn main() {
    let v = Variable::new(tensor(1));
    let (a, b, c, d, e) = read_and_assign(&v, tensor(5));
    assert_eq!([a.item(), b.item(), c.item(), d.item(), e.item()], [1, 5, 15, 12, 224]);
    assert_eq!(v.read().item(), 112);

    let (a, b, c, d, e) = read_and_assign(&v, tensor(-1));
    assert_eq!([a.item(), b.item(), c.item(), d.item(), e.item()], [112, -1, 9, 6, 212]);
    assert_eq!(v.read().item(), 106);
}
