#![allow(unused)]
use graph_runtime::prelude::*;
use std::collections::HashMap;
struct NoClone(Vec<String>);
#[graph_fn] fn t1(x: f32) -> f32 { if x > 0.0 { return x; } x * 2.0 }
#[graph_fn] fn t3(n: i32) -> i32 { let mut s = 0; for i in 0..n { if i % 2 == 0 { continue; } s += i; } s }
#[graph_fn] fn t4(n: i32) -> i32 { let mut i = 0; let r = loop { i += 1; if i > n { break i * 2; } }; r }
#[graph_fn] fn t5(n: i32) -> i32 { let mut s = 0; for i in 0..n { let y = if i > 10 { break } else { i }; s += y; } s }
#[graph_fn] fn t6(v: Vec<(i32, i32)>) -> i32 { let mut s = 0; for (a, b) in v { s += a * b; } s }
#[graph_fn] fn t7(n: i32) -> i32 { let mut o = Some(n); let mut s = 0; while let Some(x) = o { s += x; o = if x > 0 { Some(x - 1) } else { None }; } s }
#[graph_fn] fn t8(x: i32) -> i32 { match x { 0..=3 => 1, 4 | 5 => 2, _ => 3 } }
#[graph_fn] fn t9(x: i32) -> i32 { match x { n if n > 3 => n * 2, n => n } }
#[graph_fn] fn t11(a: i32, b: i32) -> i32 { match (a > 1, b > 1) { (true, true) => 1, (true, false) => 2, _ => 3 } }
#[graph_fn] fn t12(x: f32) -> f32 { match x > 0.0 { true => x, false => -x } }
#[graph_fn] fn t12t(x: Tensor<f32>) -> Tensor<f32> { match x > 0.0 { true => x, false => -x } }
#[graph_fn] fn t13(o: Option<i32>) -> i32 { let Some(x) = o else { return 0; }; x }
#[graph_fn] fn t14(o: Option<i32>, y: i32) -> i32 { if let Some(x) = o && y > 1 { x } else { 0 } }
#[graph_fn] fn t14t(o: Option<i32>, y: Tensor<i32>) -> Tensor<i32> { if let Some(x) = o && y > 1 { y + x } else { 0 } }
#[graph_fn] fn t15(o: Option<i32>) -> Option<i32> { let x = o?; Some(x + 1) }
#[graph_fn] fn t16(x: i32) -> i32 { let y; if x > 0 { y = x } else { y = -x } y }
#[graph_fn] fn t16t(x: Tensor<i32>) -> Tensor<i32> { let y; if x > 0 { y = x } else { y = -x } y }
fn helper(x: f32) -> f32 { x + 1.0 }
#[graph_fn] fn t17(x: f32) -> f32 { fn sq(y: f32) -> f32 { y * y } let g = |y: f32| y * x; helper(x) + sq(x) + g(2.0) }
#[graph_fn] fn t20(f: impl Fn(f32) -> f32, x: f32) -> f32 { f(x) }
#[graph_fn] fn t22(x: f32, y: f32) -> f32 { let a = [x, y]; let mut v = Vec::new(); v.push(a[0]); v.iter().sum::<f32>() + a[1] }
#[graph_fn] fn t23(n: i32) -> i32 { let mut s = 0; for i in (0..n).rev() { s = s * 2 + i } for i in (0..n).step_by(2) { s += i } s }
#[graph_fn] fn t24(mut x: i32, mut y: i32) -> i32 { core::mem::swap(&mut x, &mut y); x * 10 + y }
#[graph_fn] fn t25(x: i32) -> i32 { let y = if true { x } else { 0 }; y }
#[graph_fn] fn b1(n: i32) -> i32 { let mut s = 0; 'o: for i in 0..n { for j in 0..n { if i * j > 10 { break 'o; } s += 1; } } s }
#[graph_fn] fn b1t(n: Tensor<i32>) -> Tensor<i32> { let mut s = tensor(0); 'o: for i in 0..n { for j in 0..n { if i * j > 10 { break 'o; } s += 1; } } s }
#[graph_fn] fn b2(n: i32) -> i32 { let mut total = 0; for i in 0..n { let r = 'a: { if i > 3 { break 'a 100; } 1 }; total += r; } total }
#[graph_fn] fn b2t(n: Tensor<i32>) -> Tensor<i32> { let mut total = tensor(0); for i in 0..n { let r = 'a: { if i > 3 { break 'a tensor(100); } tensor(1) }; total += r; } total }
#[graph_fn] fn b8(mut x: i32) -> i32 { x + { x += 1; x } }
#[graph_fn] fn b7(mut x: i32, mut y: i32) -> i32 { (x, y) = (y, x); 10 * x + y }
#[graph_fn] fn mv(c: bool, v: NoClone) -> usize { let n; if c { n = v.0.len(); drop(v) } else { let w = v; n = w.0.len() + 1 } n }
#[graph_fn] fn pushes(c: bool) -> Vec<String> { let mut v = Vec::new(); if c { v.push("a".to_string()) } else { v.push("b".to_string()); v.push("c".into()) } v }
#[graph_fn] fn dynbox(c: bool, x: i32) -> i32 { let f: Box<dyn Fn(i32) -> i32> = if c { Box::new(|a| a + 1) } else { Box::new(|a| a * 2) }; f(x) }
#[graph_fn] fn clos(x: Tensor<f32>, scale: Tensor<f32>) -> Tensor<f32> { let act = |v: Tensor<f32>| { if v > 0.0 { return v; } v * 0.5 }; act(x) * scale }
#[graph_fn] fn nestedfn(v: Tensor<i32>) -> Tensor<i32> { fn clip(e: Tensor<i32>) -> Tensor<i32> { if e < 0 { return tensor(0); } if e > 6 { return tensor(6); } e } let mut s = tensor(0); for e in v { s = s * 10 + clip(e); } s }
#[graph_fn] fn pyloop(x: Tensor<i32>) -> Tensor<i32> { let mut x = x; for i in 0..3 { if x > 1 { return x; } x = x + i; } -x }
#[graph_fn] fn state(n: Tensor<i32>) -> HashMap<String, Tensor<i32>> { let mut d = HashMap::from([("s".to_string(), tensor(0)), ("p".to_string(), tensor(1))]); for i in 0..n { let s = d["s"].clone(); d.insert("s".to_string(), s + i); } d }
#[graph_fn] fn outp(x: &mut Tensor<i32>, y: Tensor<i32>) { if y > 0 { *x += y; } }
#[graph_fn] fn shortc(v: Tensor<i32>, i: Tensor<i32>) -> Tensor<i32> { if i < 0 || i >= v.size_tensor() || v[i] == 0 { -1 } else { v[i] * 10 } }
struct Counter { n: i32 }
impl Counter { #[graph_fn] pub fn bump(&mut self, c: bool) -> i32 { if c { self.n += 1; } self.n } }
trait Layer { fn call(&self, x: Tensor<f32>) -> Tensor<f32>; }
struct Relu;
impl Layer for Relu { #[graph_fn] fn call(&self, x: Tensor<f32>) -> Tensor<f32> { if x > 0.0 { x } else { x * 0.0 } } }
fn main() {
  println!("{} {} {} {} {} {} {}", t1(2.0), t3(7), t4(3), t5(20), t6(vec![(1,2),(3,4)]), t7(4), t8(5));
  println!("{} {} {} {} {} {} {} {}", t9(5), t11(2,0), t12(-2.0), t12t(tensor(-2.0f32)), t13(None), t14(Some(3), 2), t14t(Some(3), tensor(5)), t14t(Some(3), tensor(0)));
  println!("{:?} {} {} {} {} {} {}", t15(Some(1)), t16(-4), t16t(tensor(-4)), t17(3.0), t20(|x| x * 2.0, 4.0), t22(1.0, 2.0), t23(5));
  println!("{} {} b1 {} {} b2 {} {} {} {}", t24(1, 2), t25(3), b1(7), b1t(tensor(7)), b2(7), b2t(tensor(7)), b8(5), b7(3, 4));
  println!("{} {:?} {} {} {}", mv(true, NoClone(vec![])), pushes(false), dynbox(false, 4), clos(tensor(-2.0f32), tensor(3.0f32)), nestedfn(tensor([-7, 8, 9])));
  for x in [2, -1, -9] { print!("{} ", pyloop(tensor(x))); }
  println!("{:?}", state(tensor(4)));
  let mut o = tensor(1); outp(&mut o, tensor(5)); outp(&mut o, tensor(-5)); println!("{o} {}", outp::function().trace_count());
  println!("{} {}", shortc(tensor([4, 0, 6]), tensor(0)), shortc(tensor([4, 0, 6]), tensor(7)));
  let mut c = Counter { n: 1 }; println!("{} {}", c.bump(true), c.bump(true));
  println!("{}", Relu.call(tensor(-3.0f32)));
  println!("{}", b1t::function().latest().unwrap().optimized_graph());
}
