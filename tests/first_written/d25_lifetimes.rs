use graph_runtime::prelude::*;
// References in, a reference out.
#[graph_fn]
fn longer<'a>(a: &'a [Tensor<f32>], b: &'a [Tensor<f32>]) -> &'a [Tensor<f32>] {
    if a.len() >= b.len() { a } else { b }
}
struct View<'a> {
    rows: &'a [Tensor<f32>],
}
impl<'a> View<'a> {
    #[graph_fn]
    pub fn first(&self) -> Option<&'a Tensor<f32>> {
        self.rows.first()
    }
}
fn main() {
    let (a, b) = ([tensor(1.0)], [tensor(2.0), tensor(3.0)]);
    let rows = longer(&a, &b);
    assert_eq!(View { rows }.first().unwrap().item(), 2.0);
}
