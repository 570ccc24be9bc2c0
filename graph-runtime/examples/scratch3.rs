#![allow(unused)]
use graph_runtime::prelude::*;
#[graph_fn]
fn f(n: i32) -> Vec<i32> {
    let mut out = vec![];
    for i in 0.. {
        if i > n { break } else if i == 3 { continue }
        let y = match i {
            1 => 100,
            8 => return vec![-8],
            x if x % 2 == 0 => continue,
            x => x * 2,
        };
        out.push(y);
    }
    out
}
#[graph_fn] fn naive(x: Tensor<i32>) -> Tensor<i32> { let mut result = zeros::<i32>(&[x.dim(0)]); for i in 0..x.dim(0) as i32 { if x[i] > 0 { result = result.with_row(i, x[i].pow(2)); } else { result = result.with_row(i, x[i]); } } result }
fn main() { println!("{:?} {:?}", f(7), f(20)); println!("{}", naive(tensor([-5, 2, 3])));
 println!("{}", naive::to_code()); bench();
 }

#[graph_fn] fn add(x: Tensor<f32>, y: Tensor<f32>) -> Tensor<f32> { x + y }
#[graph_fn] fn count(n: Tensor<i32>) -> Tensor<i32> { let mut i = tensor(0); while i < n { i += 1; } i }
#[graph_fn] fn collatz(n: Tensor<i64>) -> Tensor<i64> { let mut n = n; let mut steps = tensor(0i64); while n != 1 { if n % 2 == 0 { n = n / 2; } else { n = n * 3 + 1; } steps += 1; } steps }
#[allow(dead_code)]
pub fn bench() {
    let (x, y) = (tensor(1f32), tensor(2f32));
    add(x.clone(), y.clone());
    let t = std::time::Instant::now();
    for _ in 0..100000 { std::hint::black_box(add(x.clone(), y.clone())); }
    println!("call {:?}", t.elapsed() / 100000);
    count(tensor(3));
    let t = std::time::Instant::now(); count(tensor(1000000)); println!("iter {:?}", t.elapsed() / 1000000);
    collatz(tensor(27));
    let t = std::time::Instant::now(); let s = collatz(tensor(837799)); println!("collatz {:?} per step", t.elapsed() / s.item() as u32);
    println!("{}", collatz::function().latest().unwrap().plan());
}
