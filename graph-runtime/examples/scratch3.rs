#![allow(unused, missing_docs)]
use graph_runtime::prelude::*;
#[graph_fn] fn pw(x: Tensor<f32>, b: i32) -> Tensor<f32> { let mut r = x.ones_like(); for _ in 0..b { r = r * x; } r }
#[graph_fn] fn bad(x: Tensor<f32>, y: Tensor<f32>) -> Tensor<f32> { if x.sum() > 0.0 { x.matmul(y) } else { x } }
#[graph_fn] fn badr(x: Tensor<i32>, y: Tensor<i32>) -> Result<Tensor<i32>, graph_runtime::Error> { let z = x / y; Ok(z + 1) }
#[graph_fn] fn add(x: Tensor<f32>, y: Tensor<f32>) -> Tensor<f32> { x + y }
fn main() {
  let c = pw::concrete(tensor([1.0f32, 2.0]), 3).unwrap();
  println!("{c}\n{}\n{}", c.graph(), c.signature());
  pw(tensor(3f32), 2);
  println!("{}", pw::function().pretty_signatures());
  println!("{:?}", badr(tensor(1), tensor(0)).unwrap_err());
  println!("{}", badr(tensor(1), tensor(0)).unwrap_err());
  println!("{}", badr(tensor(6), tensor(3)).unwrap());
  let r = std::panic::catch_unwind(|| bad(tensor([[1f32, 2.0]]), tensor([[1f32, 2.0]])));
    let (x, y) = (tensor(1f32), tensor(2f32));
    add(x.clone(), y.clone());
    let t = std::time::Instant::now();
    for _ in 0..100000 { std::hint::black_box(add(x.clone(), y.clone())); }
    println!("call {:?}", t.elapsed() / 100000);
}
