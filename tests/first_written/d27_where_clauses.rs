use graph_runtime::prelude::*;
// Where clauses and associated types.
trait Metric {
    type Label: Element;
    fn score(prediction: &Tensor<f32>, label: &Tensor<Self::Label>) -> Tensor<f32>;
}
struct Accuracy;
impl Metric for Accuracy {
    type Label = i64;
    fn score(prediction: &Tensor<f32>, label: &Tensor<i64>) -> Tensor<f32> {
        prediction.argmax(1).equal(label).cast::<f32>().mean()
    }
}
#[graph_fn]
fn evaluate<M>(prediction: Tensor<f32>, label: Tensor<M::Label>) -> Tensor<f32>
where
    M: Metric,
{
    M::score(&prediction, &label) * 100.0
}
fn main() {
    let p = tensor([[0.1, 0.9], [0.8, 0.2]]);
    assert_eq!(evaluate::<Accuracy>(p, tensor([1i64, 1])).item(), 50.0);
}
