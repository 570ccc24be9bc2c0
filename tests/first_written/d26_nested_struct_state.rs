use graph_runtime::prelude::*;
// Nested structs carried through a tensor loop.
#[derive(Clone, GraphState, TraceType)]
struct Moments { mean: Tensor<f32>, square: Tensor<f32> }
#[derive(Clone, GraphState, TraceType)]
struct State { count: Tensor<i32>, moments: Moments }
#[graph_fn]
fn observe(xs: Tensor<f32>) -> State {
    let mut s = State { count: tensor(0), moments: Moments { mean: tensor(0.0), square: tensor(0.0) } };
    for x in xs {
        s.count += 1;
        let n = s.count.cast::<f32>();
        let delta = x - s.moments.mean;
        s.moments.mean += delta / n;
        s.moments.square += delta * (x - s.moments.mean);
        if x.is_nan() { break; }
    }
    s
}
fn main() {
    let s = observe(tensor([1.0, 2.0, 3.0, 4.0]));
    assert_eq!(s.count.item(), 4);
    assert_eq!(s.moments.mean.item(), 2.5);
    assert_eq!(s.moments.square.item(), 5.0);
}
