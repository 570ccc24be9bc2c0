//! Recursion: over Rust numbers it unrolls, over a tree of Rust values too; by a stack in a TensorArray it is a loop.

use graph_runtime::prelude::*;

#[graph_fn]
fn power(x: Tensor<i64>, n: u32) -> Tensor<i64> {
    if n == 0 {
        ones_like(&x)
    } else if n % 2 == 0 {
        let half = power(x, n / 2);
        &half * &half
    } else {
        &x * power(x, n - 1)
    }
}

enum Expr {
    Input,
    Number(f32),
    Add(Box<Expr>, Box<Expr>),
    Mul(Box<Expr>, Box<Expr>),
}

fn eval(e: &Expr, x: &Tensor<f32>) -> Tensor<f32> {
    match e {
        Expr::Input => x.clone(),
        Expr::Number(n) => tensor(*n),
        Expr::Add(a, b) => eval(a, x) + eval(b, x),
        Expr::Mul(a, b) => eval(a, x) * eval(b, x),
    }
}

/// The number of moves in the towers of Hanoi, by a stack of what is left to do.
#[graph_fn]
fn hanoi(disks: Tensor<i32>) -> Tensor<i32> {
    let mut stack = TensorArray::dynamic();
    stack.push(disks);
    let mut moves = tensor(0);
    while stack.len() > 0 {
        let n = stack.pop();
        if n > 0 {
            moves += 1;
            stack.push(n - 1);
            stack.push(n - 1);
        }
    }
    moves
}

fn main() {
    assert_eq!(power(tensor([2, 3]), 10).to_vec(), [1024, 59049]);
    use Expr::*;
    let e = Add(
        Box::new(Mul(Box::new(Input), Box::new(Input))),
        Box::new(Number(1.0)),
    );
    let y = eval(&e, &tensor([1.0, 2.0, 3.0]));
    assert_eq!(y.to_vec(), [2.0, 5.0, 10.0]);
    let slope = grad(|x: &Tensor<f32>| eval(&e, x))(&tensor(3.0));
    assert_eq!(slope.item(), 6.0);
    assert_eq!(hanoi(tensor(6)).item(), 63);
}
