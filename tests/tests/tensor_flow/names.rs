//! The names of variables, methods and constants decide nothing.
#![allow(non_snake_case, unused_assignments, reason = "that is what is tried")]

use graph_runtime::prelude::*;
use graph_runtime::{GraphState, TraceType};

use crate::support::{each_way, traced};

three_ways! { variables_in_capital_letters: f(int(1)), f(int(-1));
    fn f(X: Int) -> Int {
        let (ONE, TWO) = (int(1), int(2));
        let mut W = int(0);
        if X > 0 {
            W = ONE;
        } else {
            W = TWO;
        }
        W * X + X * X
    }
}

three_ways! { variables_called_like_generated_ones: f(int(1), int(4)), f(int(-1), int(4));
    fn f(value: Int, item: Int) -> (Int, Int, Int) {
        let mut n = int(0);
        let mut result = int(7);
        let call = int(5);
        for (a, b) in [(int(3), int(4)), (int(4), int(4))] {
            if a == item && b == item {
                n += value;
            }
        }
        let kind = if value > 0 {
            result += item;
            value + call
        } else {
            result -= value;
            item
        };
        let if_stmt = loop {
            n += 1;
            if n > item {
                break value * n;
            }
        };
        (kind + if_stmt, result, n)
    }
}

three_ways! { constants_and_variables_among_patterns: f(int(3)), f(int(7)), f(int(100)), f(int(-4));
    fn f(x: Int) -> Int {
        const THREE: i32 = 3;
        const SEVEN: i32 = 7;
        match x {
            0 => int(1),
            THREE | SEVEN => int(2),
            i32::MAX => int(3),
            Y if Y < 0 => Y * 2,
            Z => Z + 1,
        }
    }
}

/// A method that changes its receiver and has the name of a method of Rust that doesn't.
#[test]
fn a_method_called_like_one_that_changes_nothing() {
    #[derive(Clone, GraphState, TraceType)]
    struct Best {
        best: Tensor<i32>,
        next: Tensor<i32>,
    }
    impl Best {
        fn max(&mut self) {
            self.best = self.next.clone();
        }
        fn len(&self) -> usize {
            2
        }
    }
    #[graph_fn]
    fn f(x: Tensor<i32>) -> Tensor<i32> {
        let mut best = Best {
            best: tensor(0),
            next: tensor(5),
        };
        if x > 0 {
            best.max();
        }
        best.best + best.len() as i32
    }
    each_way(|| {
        assert_eq!(f(tensor(1)).item(), 7);
        assert_eq!(f(tensor(-1)).item(), 2);
    });
}

/// `is_positive` returns a tensor here: the types decide, not the name.
#[test]
fn a_question_that_a_tensor_answers() {
    struct Money(Tensor<i32>);
    impl Money {
        fn is_positive(&self) -> Tensor<bool> {
            self.0.gt(0)
        }
    }
    #[graph_fn]
    fn f(x: Tensor<i32>) -> Tensor<i32> {
        let m = Money(x);
        if m.is_positive() {
            tensor(1)
        } else {
            tensor(2)
        }
    }
    each_way(|| {
        assert_eq!(f(tensor(1)).item(), 1);
        assert_eq!(f(tensor(-1)).item(), 2);
    });
}

/// A `Vec` of tensors is a `Vec`, whichever method returns it.
#[test]
fn parts_that_are_no_tensor() {
    #[graph_fn]
    fn f(v: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
        let mut s = tensor(0);
        for (i, e) in v.unstack(0).into_iter().enumerate() {
            s += e * i as i32;
        }
        let mut parts = v.unstack(0);
        parts[0] = tensor(5);
        (s, parts[0] + parts[1] * parts.len() as i32)
    }
    each_way(|| {
        let (s, p) = f(tensor([1, 2, 3]));
        assert_eq!((s.item(), p.item()), (8, 11));
    });
}

/// The contents that a method changes are carried: tensors and plain values. If a plain value differs between the branches, the error names it.
#[test]
fn receivers_that_are_not_made_of_tensors() {
    #[graph_fn]
    fn reads(x: Tensor<i32>) -> graph_runtime::Result<Tensor<i32>> {
        let mut names = vec!["a".to_owned()];
        names.push("b".to_owned());
        Ok(if x > 0 { x + names.len() as i32 } else { x })
    }
    #[graph_fn]
    fn changes_alike(x: Tensor<i32>) -> graph_runtime::Result<Tensor<i32>> {
        let mut names = vec!["a".to_owned()];
        let y = if x > 0 {
            names.push("b".to_owned());
            x
        } else {
            names.push("b".to_owned());
            -x
        };
        Ok(y + names.len() as i32)
    }
    #[graph_fn]
    fn changes(x: Tensor<i32>) -> graph_runtime::Result<Tensor<i32>> {
        let mut names = vec!["a".to_owned()];
        if x > 0 {
            names.push("b".to_owned());
        }
        Ok(x + names.len() as i32)
    }
    #[graph_fn]
    fn changes_in_a_loop(n: Tensor<i32>) -> graph_runtime::Result<Tensor<i32>> {
        let mut names = Vec::<String>::new();
        for _ in 0..n {
            names.push("b".to_owned());
        }
        Ok(n + names.len() as i32)
    }
    traced(|| {
        assert_eq!(reads(tensor(1)).unwrap().item(), 3);
        assert_eq!(changes_alike(tensor(-1)).unwrap().item(), 3);
        for message in [changes(tensor(1)), changes_in_a_loop(tensor(1))] {
            let message = message.unwrap_err().to_string();
            assert!(
                message.contains("'names' must have the same structure"),
                "{message}"
            );
            assert!(message.contains("names.rs"), "{message}");
        }
    });
}

/// The type of `x` decides what `x[i].method()` means, not the name: the method changes an item, or belongs to a tensor, or both exist.
#[test]
fn methods_of_items() {
    struct Agent {
        t: Tensor<f32>,
        calls: i32,
    }
    impl Agent {
        fn trace(&mut self) -> i32 {
            self.calls += 1;
            self.calls
        }
        fn select(&mut self, by: Tensor<f32>) -> &mut Agent {
            self.t = &self.t * by;
            self
        }
        fn norm(&self) -> i32 {
            self.calls * 100
        }
    }
    struct Group {
        agents: Vec<Agent>,
        grid: Vec<Vec<Tensor<f32>>>,
    }
    impl Group {
        fn agents_mut(&mut self) -> &mut Vec<Agent> {
            &mut self.agents
        }
    }
    fn pair(x: &Tensor<f32>) -> (Tensor<f32>, i32) {
        (x.clone(), 1)
    }
    #[graph_fn]
    fn f(x: Tensor<f32>, k: usize) -> (Tensor<f32>, Tensor<f32>, i32) {
        let agent = |calls| Agent {
            t: x.clone(),
            calls,
        };
        let mut group = Group {
            agents: vec![agent(0), agent(10)],
            grid: vec![vec![x.clone(), x * 2.0]],
        };
        group.agents[k].trace();
        group.agents[k - 1].select(tensor(3.0)).trace();
        group.agents_mut()[k].trace();
        let sum = group.grid[k - 1][k].sum() + group.grid[0].last().unwrap()[(0, 1)].square();
        group.grid[0][k][(0, 0)] = 7.0;
        let (a, _) = pair(&x);
        let row = a[0].l2_normalize(0) + a.sort()[1].max() + group.grid[0][k][0].reverse(&[0]);
        let calls = group.agents[0].norm() + group.agents[k].norm();
        (sum + group.agents[0].t[0].sum(), row, calls)
    }
    each_way(|| {
        let (sum, row, calls) = f(tensor([[3.0, 4.0], [0.5, 0.25]]), 1);
        // 15.5 is twice the sum, 64 the square of 8, and 21 three times the first row's sum.
        assert_eq!(sum.item(), 15.5 + 64.0 + 21.0);
        let [a, b] = row.to_vec()[..] else {
            panic!("two values")
        };
        assert!(
            (a - (0.6 + 0.5 + 8.0)).abs() < 1e-5 && (b - (0.8 + 0.5 + 7.0)).abs() < 1e-5,
            "{a} {b}"
        );
        assert_eq!(calls, 1300);
    });
}

/// A method of the user's own on tensors that changes its receiver, and one that doesn't return a tensor.
#[test]
fn methods_of_the_users_on_tensors() {
    trait Own {
        fn bump(&mut self);
        fn handle(&self) -> Handle;
        fn item(self) -> Self;
    }
    impl Own for Tensor<i32> {
        fn bump(&mut self) {
            *self = &*self + 1;
        }
        fn handle(&self) -> Handle {
            Handle(self.rank())
        }
        fn item(self) -> Self {
            self
        }
    }
    struct Handle(usize);
    fn rank(handle: Handle) -> i32 {
        handle.0 as i32
    }
    #[graph_fn]
    fn f(x: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
        let mut y = x * 10;
        let handle = x.handle();
        let n = rank(handle);
        let mut z = Own::item(x);
        if x > 0 {
            y.bump();
        } else {
            y.bump();
            y.bump();
            z -= n + 1;
        }
        (y, z)
    }
    each_way(|| {
        let (y, z) = f(tensor(1));
        assert_eq!((Tensor::item(&y), Tensor::item(&z)), (11, 1));
        let (y, z) = f(tensor(-1));
        assert_eq!((Tensor::item(&y), Tensor::item(&z)), (-8, -2));
    });
}

/// Tensors under other names: by an alias, and by a renamed import.
#[test]
fn tensors_under_other_names() {
    use graph_runtime::Tensor as T;
    type Image = T<f32>;

    #[graph_fn]
    fn f(x: Image, flag: bool) -> Image {
        let half = x / 2.0;
        let scale = ones::<f32>(&[2]);
        let pick = |first: bool| if first { half } else { scale };
        let kept: Image = if flag { pick(true) } else { pick(false) };
        let best = match kept {
            k if k.sum() > half.sum() => k,
            _ => half,
        };
        cond(x.sum() > 0.0, || best, || -best) + f32::from(flag)
    }
    each_way(|| {
        assert_eq!(f(tensor([1.0, 3.0]), true).to_vec(), [1.5, 2.5]);
        assert_eq!(f(tensor([1.0, 0.5]), false).to_vec(), [1.0, 1.0]);
        assert_eq!(f(tensor([-3.0, 1.0]), false).to_vec(), [-1.0, -1.0]);
    });
}
