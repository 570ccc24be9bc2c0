use graph_runtime::prelude::*;
// A trait with a provided method.
trait Shape {
    fn sides(&self) -> (Tensor<f32>, Tensor<f32>);
    #[graph_fn]
    fn area(&self) -> Tensor<f32> {
        let (a, b) = self.sides();
        if a > b { a * b } else { b * a }
    }
}
struct Square(Tensor<f32>);
impl Shape for Square {
    fn sides(&self) -> (Tensor<f32>, Tensor<f32>) {
        (self.0.clone(), self.0.clone())
    }
}
fn main() {
    assert_eq!(Square(tensor(3.0)).area().item(), 9.0);
}
