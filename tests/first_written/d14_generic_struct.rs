use graph_runtime::prelude::*;
// A generic struct with a method.
#[derive(Clone, GraphState, TraceType)]
struct Stack<T: Element> {
    items: Tensor<T>,
    len: Tensor<i32>,
}
#[graph_fn]
impl<T: Number> Stack<T> {
    fn push(&mut self, item: Tensor<T>) {
        self.items[self.len] = item;
        self.len += 1;
    }
    fn top(&self) -> Tensor<T> {
        self.items[self.len - 1]
    }
}
fn main() {
    let mut stack = Stack { items: Tensor::<i32>::zeros([4]), len: tensor(0) };
    stack.push(tensor(5));
    stack.push(tensor(7));
    assert_eq!(stack.top().item(), 7);
}
