//! Local tensors used by value: if the variable is used later, the value is a copy, like that of a number.

use graph_runtime::prelude::*;
use graph_runtime::{GraphState, TraceType};

use crate::support::each_way;

three_ways! { parameters_of_closures_within_branches: f(int(3)), f(int(9)), f(int(-2));
    fn f(x: Int) -> Int {
        let mut y = x;
        if x > 0 {
            let beyond = |v: Int| if v > 6 { v - 6 } else { v };
            let same = |v: Int| if v > 6 { v } else { v + 1 };
            y = beyond(x + 4) * 10 + same(x);
        }
        y
    }
}

three_ways! { by_value_and_used_later: f(int(7), int(3));
    fn f(a: Int, b: Int) -> (Int, Int, Int, [Int; 2]) {
        let mut last = a;
        let mut peak = b;
        let (mut x, mut y) = (a, b);
        for _ in 0..3 {
            (x, y) = (y, x + y);
            last = x;
            if last > peak {
                peak = last;
            }
        }
        (twice(a) + twice(b), add(a, a), peak + last + x, [y, y])
    }
    fn twice(x: Int) -> Int {
        x * 2
    }
    fn add(x: Int, y: Int) -> Int {
        x + y
    }
}

three_ways! { by_value_in_branches_and_loops: f(int(7), int(3)), f(int(-7), int(3));
    fn f(a: Int, n: Int) -> (Int, Int) {
        let mut total = int(0);
        let mut kept = a;
        let mut i = int(0);
        while i < n {
            let step = if a > 0 { a } else { i };
            total += step;
            kept = step;
            i += 1;
            if kept > 100 {
                break;
            }
        }
        let pair = (kept, total);
        if a > 0 { pair } else { (total, kept) }
    }
}

three_ways! { fields_by_value: f(int(7)), f(int(-7));
    fn f(a: Int) -> (Int, Int) {
        let pair = (a, a + 1);
        let x = pair.0;
        let y = add(pair.1, pair.0);
        let whole = pair;
        (x + y, whole.1 + pair.0)
    }
    fn add(x: Int, y: Int) -> Int {
        x - y
    }
}

/// Methods that take operands by value; the operand may be the receiver itself.
#[test]
fn the_receiver_as_an_argument() {
    #[graph_fn]
    fn f(m: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
        (m.matmul(m), m.maximum(m) - m.minimum(m))
    }
    each_way(|| {
        let (square, zero) = f(tensor([[1.0, 1.0], [0.0, 1.0]]));
        assert_eq!(square.to_vec(), [1.0, 2.0, 0.0, 1.0]);
        assert_eq!(zero.to_vec(), [0.0; 4]);
    });
}

/// Structures of tensors are copied as a whole: tuples, arrays, `Option`s, structs.
#[test]
fn what_is_made_of_tensors() {
    #[derive(GraphState, TraceType)]
    struct State {
        a: Tensor<i32>,
        b: (Tensor<i32>, [Tensor<i32>; 2]),
    }
    fn sum(state: State) -> Tensor<i32> {
        &state.a + &state.b.0 + &state.b.1[0] + &state.b.1[1]
    }
    fn or_zero(x: Option<Tensor<i32>>) -> Tensor<i32> {
        x.unwrap_or(tensor(0))
    }
    #[graph_fn]
    fn f(x: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
        let some = Some(x + 1);
        let state = State {
            a: x,
            b: (x * 2, [x, x]),
        };
        let first = sum(state);
        (first + sum(state) + state.a, or_zero(some) - or_zero(some))
    }
    each_way(|| {
        let (a, b) = f(tensor(3));
        assert_eq!((a.item(), b.item()), (33, 0));
    });
}

/// Options and results of tensors are unwrapped like those of numbers, in both branches and again after them.
#[test]
fn what_is_unwrapped_again() {
    #[graph_fn]
    fn f(x: Tensor<i32>, flag: bool) -> (Tensor<i32>, Tensor<i32>) {
        let mut some = None;
        if flag {
            some = Some(x + 1);
        }
        let fine: Result<Tensor<i32>, String> = match flag {
            true => Ok(x * 2),
            false => Err("not so".to_owned()),
        };
        let y = if x > 0 {
            some.unwrap() * 2
        } else {
            some.expect("a value") * 3
        };
        let z = if x > 0 {
            fine.unwrap()
        } else {
            -fine.expect("fine")
        };
        (y + some.unwrap(), z + fine.unwrap())
    }
    each_way(|| {
        let (y, z) = f(tensor(3), true);
        assert_eq!((y.item(), z.item()), (12, 12));
        let (y, z) = f(tensor(-3), true);
        assert_eq!((y.item(), z.item()), (-8, 0));
    });
}

#[graph_fn]
fn used_twice(r: Result<Tensor<f32>, String>) -> Tensor<f32> {
    let first = r;
    let second = r;
    first.unwrap_or(tensor(1.0)) + second.unwrap_or(tensor(2.0))
}

/// A `Result` of a tensor can be used again like the tensor. A `Result` with an `Err` of any type can't, and the message says so.
#[test]
fn an_err_is_not_copied() {
    assert_eq!(used_twice(Ok(tensor(3.0))).item(), 6.0);
    let line = line!() - 9;
    let no = std::panic::catch_unwind(|| used_twice(Err("no".to_owned())));
    let message = *no.unwrap_err().downcast::<String>().unwrap();
    assert!(
        message.starts_with("an `Err` that is used once more can't be copied"),
        "{message}"
    );
    assert!(
        message.contains(&format!("{}:{line}:", file!())),
        "{message}"
    );
}
