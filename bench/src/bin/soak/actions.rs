//! The actions of a thread. Each is drawn at random, in proportion to how often it must be done in all.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use graph_runtime::Error;
use graph_runtime::prelude::*;

use crate::shared;
use crate::watch::Watch;

/// A kind of action.
pub struct Kind {
    pub name: &'static str,
    /// How often it must be done in all.
    pub count: u64,
    act: fn(&mut Worker<'_>),
}

/// All kinds.
pub const KINDS: [Kind; 5] = [
    Kind {
        name: "calls",
        count: 10_000_000,
        act: |worker| worker.call(),
    },
    Kind {
        name: "calls that fail",
        count: 1_000_000,
        act: |worker| worker.fail(),
    },
    Kind {
        name: "signatures",
        count: 100_000,
        act: |worker| worker.trace(),
    },
    Kind {
        name: "variables",
        count: 100_000,
        act: |worker| worker.make_variable(),
    },
    Kind {
        name: "datasets left in the middle",
        count: 10_000,
        act: |worker| worker.leave_dataset(),
    },
];

/// A thread: its random numbers and its own variable.
pub struct Worker<'a> {
    number: usize,
    watch: &'a Watch,
    random: u64,
    traced: usize,
    own: Variable<i64>,
    sum: i64,
}

impl<'a> Worker<'a> {
    pub fn new(number: usize, watch: &'a Watch) -> Worker<'a> {
        Worker {
            number,
            watch,
            random: 0x9e37_79b9_7f4a_7c15 ^ (number as u64) << 32,
            traced: 0,
            own: Variable::new(tensor(0i64)),
            sum: 0,
        }
    }

    pub fn run(mut self) {
        let all: u64 = KINDS.iter().map(|kind| kind.count).sum();
        while self.watch.goes_on() {
            let mut drawn = (self.draw() as u64 * all) >> 32;
            let kind = KINDS.iter().position(|kind| {
                let found = drawn < kind.count;
                drawn = drawn.saturating_sub(kind.count);
                found
            });
            let kind = kind.unwrap_or(0);
            self.watch.begins(self.number, kind);
            (KINDS[kind].act)(&mut self);
            self.watch.ends(self.number, kind);
        }
    }

    /// Draws a number of 32 bits (xorshift64).
    fn draw(&mut self) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 32) as usize
    }

    fn call(&mut self) {
        let random = self.draw();
        match random % 8 {
            0..=3 => {
                let n = (random >> 8) as i64 & 0xff;
                self.sum += n;
                assert_eq!(add(&self.own, tensor(n)).item(), self.sum);
            }
            4..=5 => {
                let x = (random >> 8) as i32 % 30;
                assert_eq!(doubled(tensor(x)).item(), plain_doubled(x));
            }
            6 => {
                let values: Vec<i32> = (0..(random >> 8) as i32 % 50).collect();
                let expected: i32 = values.iter().filter(|v| *v % 3 != 0).sum();
                assert_eq!(of_any_length(tensor(values)).item(), expected);
            }
            _ => shared::use_pattern(random >> 8),
        }
    }

    fn fail(&mut self) {
        let random = self.draw();
        let x = tensor([1, 2, 3]);
        match random % 16 {
            // The call fails while it is traced, so it is traced each time.
            0 => assert!(fits(ones(&[2, 3]), ones(&[2, 3])).is_err()),
            1 => assert!(panics(|| body_panics(tensor(1)))),
            2 => assert!(panics(|| row_panics(tensor([1, 2])))),
            3..=9 => assert!(item(x, tensor(3 + (random >> 8) as i32 % 9)).is_err()),
            _ => {
                let before = self.own.item();
                assert!(add_then_fail(&self.own, tensor(1)).is_err());
                self.sum = before + 1;
            }
        }
        assert_eq!(
            item(tensor([1, 2, 3]), tensor(2)).map(|v| v.item()).ok(),
            Some(3)
        );
    }

    /// Calls a function with a signature that no thread has used yet.
    fn trace(&mut self) {
        let number = self.traced * 1000 + self.number;
        self.traced += 1;
        let x = tensor(vec![1i64; number % 7 + 1]);
        let expected = (number % 7 + 1) as i64 * (number as i64 + 1).min(1000);
        assert_eq!(specialized(x, number).item(), expected);
    }

    fn make_variable(&mut self) {
        let len = self.draw() % 2000 + 1;
        let variable = Variable::new(zeros::<f32>(&[len]));
        fill_with_one(&variable);
        let handle = variable.clone();
        drop(variable);
        assert_eq!(handle.read().sum().item(), len as f32);
    }

    fn leave_dataset(&mut self) {
        let random = self.draw();
        let taken = (random >> 8) % 5;
        let rows = Dataset::from_slices(range(0, 200i64, 1)).map(|row| row * 2);
        let batches = rows.shuffle(50).repeat(3).batch(4).prefetch(2);
        let elements = || batches.iter().take(taken).map(|batch| batch.dim(0));
        match random % 4 {
            0 => assert_eq!(elements().sum::<usize>(), 4 * taken),
            1 => assert!(first_above(&batches, tensor(random as i64 % 300)).item() >= 0),
            2 => {
                let endless = Dataset::from_generator(|| (0i64..).map(tensor)).prefetch(3);
                let seen: i64 = endless.iter().take(taken).map(|n| n.item()).sum();
                assert_eq!(seen, (0..taken as i64).sum::<i64>());
            }
            _ => {
                let kept = batches.cache();
                assert!(kept.iter().nth(taken).is_some());
            }
        }
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        self.watch.is_done();
    }
}

#[graph_fn]
fn add(own: &Variable<i64>, n: Tensor<i64>) -> Tensor<i64> {
    own.assign_add(n);
    own.read()
}

#[graph_fn]
fn doubled(x: Tensor<i32>) -> Tensor<i32> {
    let mut y = x;
    while y < 100 {
        y = y * 2 + 1;
    }
    y
}

fn plain_doubled(x: i32) -> i32 {
    let mut y = x;
    while y < 100 {
        y = y * 2 + 1;
    }
    y
}

#[graph_fn(reduce_retracing)]
fn of_any_length(x: Tensor<i32>) -> Tensor<i32> {
    let mut sum = tensor(0);
    for v in x {
        if v % 3 == 0 {
            continue;
        }
        sum += v;
    }
    sum
}

#[graph_fn]
fn fits(a: Tensor<f32>, b: Tensor<f32>) -> Result<Tensor<f32>, Error> {
    Ok(a.matmul(b))
}

#[graph_fn]
fn body_panics(_x: Tensor<i32>) -> Tensor<i32> {
    quiet_panic()
}

#[graph_fn]
fn row_panics(x: Tensor<i32>) -> Tensor<i32> {
    map_fn(|_row: Tensor<i32>| -> Tensor<i32> { quiet_panic() }, x)
}

/// Panics without printing a message.
fn quiet_panic() -> Tensor<i32> {
    resume_unwind(Box::new("the body's own"))
}

fn panics<R>(f: impl FnOnce() -> R) -> bool {
    catch_unwind(AssertUnwindSafe(f)).is_err()
}

#[graph_fn]
fn item(x: Tensor<i32>, at: Tensor<i32>) -> Result<Tensor<i32>, Error> {
    Ok(x[at])
}

#[graph_fn]
fn add_then_fail(own: &Variable<i64>, n: Tensor<i64>) -> Result<Tensor<i64>, Error> {
    own.assign_add(n);
    assert!(own.read() < 0, "never");
    Ok(own.read())
}

#[graph_fn]
fn specialized(x: Tensor<i64>, number: usize) -> Tensor<i64> {
    let mut sum = tensor(0i64);
    for v in x {
        if sum >= 0 {
            sum += v * (number + 1).min(1000) as i64;
        }
    }
    sum
}

#[graph_fn]
fn fill_with_one(variable: &Variable<f32>) {
    variable.assign(variable * 0.0 + 1.0);
}

/// The number of batches up to the first one that has an element above the bound.
#[graph_fn]
fn first_above(batches: &Dataset<Tensor<i64>>, bound: Tensor<i64>) -> Tensor<i64> {
    let mut seen = tensor(0i64);
    for batch in batches {
        if batch.max() > &bound {
            break;
        }
        seen += 1;
    }
    seen
}
