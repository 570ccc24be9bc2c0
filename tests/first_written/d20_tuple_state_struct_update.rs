use graph_runtime::prelude::*;
// A state machine as an enum of Rust with tensors beside it.
#[derive(Clone, Copy, PartialEq, Debug, TraceType)]
enum Mode {
    Train,
    Eval,
}
#[graph_fn]
fn dropout_scale(x: Tensor<f32>, mode: Mode, keep: f32) -> Tensor<f32> {
    match mode {
        Mode::Train if keep < 1.0 => x / keep,
        Mode::Train | Mode::Eval => x,
    }
}
fn main() {
    assert_eq!(dropout_scale(tensor(1.0), Mode::Train, 0.5).item(), 2.0);
    assert_eq!(dropout_scale(tensor(1.0), Mode::Eval, 0.5).item(), 1.0);
    assert_eq!(dropout_scale::function().trace_count(), 2);
}
