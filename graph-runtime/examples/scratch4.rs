#![allow(unused)]
use graph_runtime::prelude::*;
#[graph_fn] fn f(x: Tensor<i32>) -> Tensor<i32> { match x { n if n > 3 => n * 10, n => n - 1 } }
#[graph_fn] fn g(y: Tensor<f32>) -> Tensor<f32> { macro_rules! doubled { ($e:expr) => { $e * 2.0 }; } if y > 4.0 { doubled!(y) } else { y } }
#[graph_fn] fn h(n: Tensor<i32>, once: bool) -> Tensor<i32> { let mut s = tensor(1); for i in 0..n { s += i + 10; if once { return s; } } -s }
#[graph_fn] fn k(x: Tensor<i32>, n: Tensor<i32>) -> Tensor<i32> { let mut x = x; let r: Tensor<i32> = loop { x *= 2; if x > 8 { break 0; } if x > n { break x; } }; r }
#[graph_fn] fn p2(x: Tensor<i32>, out: &mut Tensor<i32>) { if x > 0 { *out = x; return; } *out += 10; }
#[graph_fn] fn tot(total: &mut Tensor<i32>) { *total = *total * 2; }
#[graph_fn] fn st(n: Tensor<i32>) -> (Tensor<i32>, (Tensor<i32>, Tensor<f32>)) { let mut state = (tensor(0), (tensor(1), tensor(0.5f32))); while state.0 < n { state.1.0 *= 2; if state.0 > 0 { state.1 = (state.1.0, state.1.1 + 1.0); } state.0 += 1; } state }
fn main() { println!("{} {} {} {}", f(tensor(5)), f(tensor(1)), g(tensor(5.0f32)), h(tensor(3), true));
 println!("{} {}", k(tensor(1), tensor(3)), k(tensor(3), tensor(100)));
 let mut o = tensor(1); p2(tensor(5), &mut o); print!("{o} "); p2(tensor(-5), &mut o); println!("{o}"); tot(&mut o); println!("{o} {:?}", st(tensor(3)));
}
