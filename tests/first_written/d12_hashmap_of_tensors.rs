use graph_runtime::prelude::*;
// Parameters by name.
use std::collections::HashMap;
#[graph_fn]
fn update(parameters: HashMap<String, Tensor<f32>>, rate: f32) -> HashMap<String, Tensor<f32>> {
    parameters.into_iter().map(|(name, p)| {
        let step = if name.starts_with("bias") { 0.0 } else { rate };
        (name, p - step)
    }).collect()
}
fn main() {
    let parameters = HashMap::from([("bias".to_string(), tensor(1.0)), ("weight".to_string(), tensor(2.0))]);
    let new = update(parameters, 0.5);
    assert_eq!((new["bias"].item(), new["weight"].item()), (1.0, 1.5));
}
