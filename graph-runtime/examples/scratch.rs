use graph_runtime::prelude::*;
#[graph_fn]
fn square_if_positive(mut x: Tensor<i32>) -> Tensor<i32> { if x > 0 { x = x * x; } else { x = x * 0; } x }
#[graph_fn]
fn early(x: Tensor<i32>) -> Tensor<i32> { if x < 0 { return -1; } if x == 0 { return 0; } let y = x * 3; y + 1 }
#[graph_fn]
fn sum_even(items: Tensor<i32>) -> Tensor<i32> {
    let mut sum = tensor(0);
    for c in items { if c % 2 > 0 { continue; } sum += c; }
    sum
}
#[graph_fn]
fn collatz(n: Tensor<i32>) -> Tensor<i32> {
    let mut n = n; let mut steps = tensor(0);
    while n != 1 { if n % 2 == 0 { n = n / 2; } else { n = n * 3 + 1; } steps += 1; }
    steps
}
#[graph_fn]
fn fizz(n: Tensor<i32>) { for i in 0..n { if i % 3 == 0 { graph_print!("Fizz"); } else if i % 5 == 0 { graph_print!("Buzz") } else { graph_print!("{i}"); } } }
#[graph_fn]
fn find(v: Tensor<i32>, lim: Tensor<i32>) -> Tensor<i32> { for e in v { if e > lim { return e; } } -1 }
#[graph_fn]
fn m(x: Tensor<i32>) -> Tensor<i32> { match x { 0 => x + 100, 1 | 2 => x * 10, 3..=5 => 7, n if n > 100 => n, _ => -1 } }
#[graph_fn]
fn lp(x: Tensor<i32>) -> Tensor<i32> { let mut i = tensor(0); let r = loop { i += 1; if i > x { break i * 2; } }; r }
fn main() {
    println!("{}", square_if_positive::to_code());
    println!("{}", early::to_code());
    println!("{}", sum_even::to_code());
    println!("{} {}", square_if_positive(tensor(3)), square_if_positive(tensor(-3)));
    println!("{} {} {}", early(tensor(3)), early(tensor(-3)), early(tensor(0)));
    println!("{}", early::function().latest().unwrap().graph());
    println!("{}", sum_even(tensor([10, 12, 15, 20])));
    println!("{}", sum_even::function().latest().unwrap().graph());
    println!("{}", collatz(tensor(27)));
    fizz(tensor(15));
    println!("{} {}", find(tensor([1, 5, 3]), tensor(2)), find(tensor([1, 5, 3]), tensor(20)));
    println!("{}", find::function().latest().unwrap().optimized_graph());
    for i in [0, 1, 2, 3, 5, 6, 101] { print!("{} ", m(tensor(i))); }
    println!("{}", lp(tensor(4)));
}
