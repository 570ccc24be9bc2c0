use graph_runtime::prelude::*;
// Errors of one's own, with `?`, and the library's in the same function.
#[derive(Debug)]
enum ModelError {
    Empty,
    Graph(graph_runtime::Error),
}
impl From<graph_runtime::Error> for ModelError {
    fn from(e: graph_runtime::Error) -> Self {
        ModelError::Graph(e)
    }
}
fn width(sizes: &[usize]) -> Result<usize, ModelError> {
    sizes.last().copied().ok_or(ModelError::Empty)
}
#[graph_fn]
fn mean(x: Tensor<f32>, sizes: Vec<usize>) -> Result<Tensor<f32>, ModelError> {
    let n = width(&sizes)?;
    Ok(x.reshape([n]).sum() / n as f32)
}
fn main() -> Result<(), ModelError> {
    assert_eq!(mean(tensor([1.0, 3.0]), vec![2])?.item(), 2.0);
    assert!(matches!(mean(tensor([1.0, 3.0]), vec![]), Err(ModelError::Empty)));
    assert!(matches!(mean(tensor([1.0, 3.0]), vec![3]), Err(ModelError::Graph(_))));
    Ok(())
}
