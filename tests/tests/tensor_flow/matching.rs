//! `match` on tensors: literals, ranges, alternatives, guards, bindings; as a statement, as a value, with arms that leave;
//! and `match`, `if let`, `while let`, `let else` on Rust values with tensors inside.

use graph_runtime::prelude::*;

three_ways! { literals: f(int(0)), f(int(1)), f(int(-1)), f(int(2));
    fn f(x: Int) -> Int {
        match x {
            0 => int(10),
            1 => int(20),
            -1 => int(30),
            _ => int(40),
        }
    }
}

three_ways! { literals_as_results: f(int(0)), f(int(1)), f(int(5));
    fn f(x: Int) -> Int {
        match x {
            0 => 10,
            1 => x + 1,
            _ => -5,
        }
    }
}

three_ways! { ranges: f(int(-5)), f(int(0)), f(int(4)), f(int(5)), f(int(9)), f(int(10)), f(int(99)), f(int(100));
    fn f(x: Int) -> Int {
        match x {
            ..=-1 => int(1),
            0..5 => int(2),
            5..=9 => int(3),
            10 => int(4),
            100.. => int(5),
            _ => int(6),
        }
    }
}

three_ways! { alternatives: f(int(1)), f(int(3)), f(int(12)), f(int(7)), f(int(8));
    fn f(x: Int) -> Int {
        match x {
            1 | 3 | 5 => x * 10,
            7 | 10..=20 => x * 100,
            _ => x,
        }
    }
}

three_ways! { bindings: f(int(2)), f(int(7)), f(int(20));
    fn f(x: Int) -> Int {
        match x {
            n @ 0..=5 => n * 10,
            n @ (7 | 9) => n + 1,
            n => -n,
        }
    }
}

three_ways! { guards: f(int(2), int(0)), f(int(2), int(5)), f(int(9), int(0)), f(int(9), int(9));
    fn f(x: Int, y: Int) -> Int {
        match x {
            2 if y > 3 => 1,
            2 => 2,
            9 if y == 9 => 3,
            _ if y == 0 => 4,
            _ => 5,
        }
    }
}

three_ways! { truths: f(int(3)), f(int(-3));
    fn f(x: Int) -> Int {
        match x > 0 {
            true => x * 2,
            false => 0,
        }
    }
}

three_ways! { expressions_as_scrutinees: f(int(7)), f(int(8)), f(int(9));
    fn f(x: Int) -> Int {
        let a = match x % 3 {
            0 => int(100),
            1 => int(200),
            _ => int(300),
        };
        let b: Int = match { let y = x + 1; y / 3 } {
            2 => 1,
            3 => 2,
            _ => 3,
        };
        a + b
    }
}

three_ways! { arms_that_change_state: f(int(0)), f(int(1)), f(int(2)), f(int(3));
    fn f(x: Int) -> (Int, Int) {
        let (mut a, mut b) = (int(1), int(1));
        match x {
            0 => a += 10,
            1 => {
                b += 20;
                a = b.clone();
            }
            2 => {}
            n => {
                (a, b) = (n.clone(), n * 2);
            }
        }
        (a, b)
    }
}

three_ways! { arms_that_leave_the_function: f(int(0)), f(int(1)), f(int(2)), f(int(3));
    fn f(x: Int) -> Int {
        let y = match x {
            0 => return int(-1),
            1 => int(5),
            n if n > 2 => return n * 100,
            n => n,
        };
        y + 1
    }
}

three_ways! { arms_that_leave_a_loop: f(int(3)), f(int(30));
    fn f(n: Int) -> Int {
        let mut s = int(0);
        let mut i = int(0);
        loop {
            i += 1;
            match i % 5 {
                0 => continue,
                1 | 2 => s += i,
                _ if i > n => break,
                _ => s += 1000,
            }
            s += 1;
        }
        s
    }
}

three_ways! { a_small_state_machine: f(ints(&[1, 1, 0, 2, 1, 9, 1])), f(ints(&[]));
    fn f(inputs: Ints) -> (Int, Int) {
        let mut mode = int(0);
        let mut out = int(0);
        for input in inputs {
            match mode {
                0 => match input {
                    1 => mode = int(1),
                    2 => mode = int(2),
                    _ => {}
                },
                1 => {
                    if input == 0 {
                        mode = int(0);
                    } else {
                        out += input;
                    }
                }
                _ => {
                    out *= 2;
                    if out > 3 {
                        break;
                    }
                }
            }
            out += 1;
        }
        (mode, out)
    }
}

three_ways! { a_match_in_a_branch_and_a_branch_in_a_match: f(int(1), int(1)), f(int(1), int(2)), f(int(-1), int(1)), f(int(-1), int(2));
    fn f(a: Int, b: Int) -> Int {
        if a > 0 {
            match b {
                1 => 10,
                _ => a,
            }
        } else {
            match b {
                1 => if a < -5 { 20 } else { 30 },
                n => n - a,
            }
        }
    }
}

three_ways! { enums_with_tensors_inside: f(0, int(3)), f(1, int(3)), f(2, int(3)), f(2, int(-3));
    fn f(which: i32, x: Int) -> Int {
        enum Op {
            Keep,
            Scale(Int),
            Shift { by: Int, twice: bool },
        }
        let op = match which {
            0 => Op::Keep,
            1 => Op::Scale(x.clone()),
            _ => Op::Shift { by: int(10), twice: true },
        };
        match op {
            Op::Keep => x,
            Op::Scale(by) => x * by,
            Op::Shift { by, twice: true } => if x > 0 { x + by * 2 } else { x - by },
            Op::Shift { by, .. } => x + by,
        }
    }
}

three_ways! { options_with_tensors_inside: f(Some(int(3)), 1), f(Some(int(-3)), 1), f(Some(int(3)), 2), f(None, 1);
    fn f(x: Option<Int>, n: i32) -> Int {
        if let Some(x) = &x
            && n == 1
        {
            if *x > 0 { x * 2 } else { x * 3 }
        } else if let Some(x) = x {
            x
        } else {
            0
        }
    }
}

three_ways! { let_else_inside_tensor_loops: f(vec![Some(int(1)), None, Some(int(5))], int(3)), f(vec![], int(3));
    fn f(items: Vec<Option<Int>>, n: Int) -> Int {
        let mut s = int(0);
        for i in 0..n {
            for item in &items {
                let Some(item) = item else { continue };
                if *item > i {
                    s += item;
                }
            }
        }
        s
    }
}

three_ways! { while_let_over_tensors: f(vec![int(4), int(9), int(2)], int(5)), f(vec![], int(5));
    fn f(mut stack: Vec<Int>, limit: Int) -> Int {
        let mut s = int(0);
        while let Some(top) = stack.pop() {
            if top > limit {
                s += top * 10;
                continue;
            }
            s += top;
        }
        s
    }
}

three_ways! { while_let_left_by_a_return: f(vec![int(4), int(9), int(2)], int(5)), f(vec![int(1)], int(5));
    fn f(mut stack: Vec<Int>, limit: Int) -> Int {
        let mut s = int(0);
        while let Some(top) = stack.pop() {
            s += 1;
            if top > limit {
                return s;
            }
            if top == 1 {
                return -1;
            }
            s *= 10;
        }
        -s
    }
}

three_ways! { tuples_and_structs_taken_apart: f((int(1), (int(2), int(3)))), f((int(-1), (int(2), int(3))));
    fn f((a, (b, c)): (Int, (Int, Int))) -> Int {
        struct Pair {
            left: Int,
            right: Int,
        }
        let (left, right) = if a > 0 { (b, c) } else { return int(0) };
        let Pair { left, right: r } = Pair { left, right };
        let [p, q] = [left + 1, r];
        p * 10 + q
    }
}

mod tensors_only {
    use crate::support::{assert_ways, eagerly, outcome, traced};
    use graph_runtime::prelude::*;

    /// A collection whose length behind the loop would depend on a tensor can't be carried; the error names it.
    #[graph_fn]
    fn popped(
        mut stack: Vec<Tensor<i32>>,
        limit: Tensor<i32>,
    ) -> Result<Tensor<i32>, graph_runtime::Error> {
        let mut s = tensor(0);
        while let Some(top) = stack.pop() {
            s += 1;
            if top > limit {
                break;
            }
        }
        Ok(s + stack.len() as i32)
    }

    #[test]
    fn a_structure_that_depends_on_a_tensor() {
        let run = || popped(vec![tensor(4), tensor(9), tensor(2)], tensor(5));
        let error = traced(run).unwrap_err();
        assert!(
            error
                .message()
                .starts_with("'stack' has a different structure"),
            "{error}"
        );
        // Eagerly the value is known, so there is no error.
        assert_eq!(eagerly(run).unwrap().item(), 3);
    }

    /// Matches on 64-bit integers, with strings as values.
    #[graph_fn]
    fn wide(x: Tensor<i64>) -> Tensor<String> {
        match x {
            0 => "none".into(),
            1..=9 => "few".into(),
            5_000_000_000 => "exact".into(),
            _ => "many".into(),
        }
    }

    #[test]
    fn wide_integers() {
        let expected = ["\"none\"", "\"few\"", "\"exact\"", "\"many\""].map(String::from);
        assert_ways(&expected, || {
            [0, 9, 5_000_000_000, 5_000_000_001]
                .iter()
                .map(|x| outcome(|| wide(tensor(*x))))
                .collect()
        });
    }
}

three_ways! { guards_with_bindings: f(int(2)), f(int(50)), f(int(51));
    fn f(x: Int) -> Int {
        match x {
            n if n < 10 => n * 2,
            n if n % 2 == 0 => n * 3,
            n => n * 5,
        }
    }
}

three_ways! { names_in_guards: f(int(3)), f(int(-7)), f(int(0));
    fn f(x: Int) -> Int {
        let first = match x { n if n > 0 => n * 2, n if n < -5 => n, _ => int(0) };
        let second = match (x, first) {
            (x, y) if x < y => 17,
            (x, y) if x + y > 9 => 3,
            _ => 4,
        };
        first + second
    }
}

three_ways! { matches_of_numbers: f(int(2)), f(int(7)), f(int(-3));
    fn f(x: Int) -> Int {
        let mut n = int(0);
        if matches!(x, 1..=3 | 7) {
            n += 1;
        }
        while matches!(n, 0..4) && !matches!(x, -3) {
            n += 2;
        }
        let is = matches!(x, 2);
        if is { n * 10 } else { n }
    }
}

/// String patterns match a tensor like a `&str`.
mod texts {
    use graph_runtime::prelude::*;

    use crate::support::each_way;

    macro_rules! twins {
        ($($(#[$graph:meta])* $name:ident($text:ty, $number:ty, $($lift:tt)*);)*) => { $(
            $(#[$graph])*
            fn $name(s: $text, n: $number) -> $number {
                let r: $number = match s {
                    "add" | "plus" => n + 1,
                    "sub" => n - 1,
                    "" => n,
                    "guarded" if n > 5 => n * 100,
                    other if other == "own" => n * 7,
                    _ => $($lift)*(0),
                };
                if matches!(s, "add" | "sub") { r * 10 } else { r }
            }
        )* };
    }
    twins! {
        plain(&str, i32, std::convert::identity);
        #[graph_fn] rust(&str, i32, std::convert::identity);
        #[graph_fn] graph(Tensor<String>, Tensor<i32>, tensor);
    }

    #[test]
    fn three_ways() {
        for s in [
            "add", "plus", "sub", "", "guarded", "own", "addplus?", "none",
        ] {
            for n in [3, 8] {
                let expected = plain(s, n);
                each_way(|| {
                    assert_eq!(rust(s, n), expected, "{s}");
                    assert_eq!(graph(tensor(s), tensor(n)).item(), expected, "{s}");
                });
            }
        }
    }
}

agree! { numbers_behind_references: f(vec![0, 3, 8]);
    fn f(mut v: Vec<i32>) -> Vec<i32> {
        for x in v.iter_mut() {
            match x {
                0 => *x = 5,
                1..=5 => *x += 10,
                _ => {}
            }
        }
        v.iter().map(|x| if matches!(x, 5 | 13) { 1 } else { *x }).collect()
    }
}

three_ways! { an_arm_names_what_the_loop_around_changes_otherwise: f(int(0)), f(int(3)), f(int(9));
    fn f(x: Int) -> Int {
        let mut n = int(1);
        while n < 40 {
            n = match x + n {
                0 => n + 7,
                n if n > 30 => break,
                n => n + 2,
            };
        }
        n
    }
}
