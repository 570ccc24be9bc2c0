use graph_runtime::prelude::*;
// Options with a default, by value.
#[derive(Clone, Debug, PartialEq, TraceType)]
struct Options {
    rate: f32,
    steps: usize,
    verbose: bool,
}
impl Default for Options {
    fn default() -> Self {
        Options { rate: 0.1, steps: 10, verbose: false }
    }
}
#[graph_fn]
fn descend(x: Tensor<f32>, options: &Options) -> Tensor<f32> {
    let mut x = x;
    for step in 0..options.steps {
        let gradient = 2.0 * (x - 3.0);
        x -= options.rate * gradient;
        if options.verbose {
            graph_print!("{step}: {x}");
        }
    }
    x
}
fn main() {
    let options = Options { steps: 100, ..Options::default() };
    assert!((descend(tensor(0.0), &options).item() - 3.0).abs() < 1e-3);
}
