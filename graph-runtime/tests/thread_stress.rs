//! For a few seconds, many threads do everything at once: they call functions with many signatures, trace recursive functions and functions
//! that call each other, evict traces, fail, panic, change variables, and run eagerly. Every result is right, every signature is traced once,
//! and no thread waits forever.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Barrier, LazyLock, mpsc};
use std::time::Duration;

use graph_runtime::debug::EAGER;
use graph_runtime::prelude::*;
use graph_runtime::{Error, Result};

const THREADS: usize = 12;

/// The number of actions of each thread.
const ACTIONS: usize = 1000;

/// Much longer than the test takes: a thread that isn't done by then waits forever.
const FOREVER: Duration = Duration::from_secs(120);

/// Counts how often bodies were traced, for each of N cases.
struct Bodies<const N: usize>([AtomicUsize; N]);

impl<const N: usize> Bodies<N> {
    const fn new() -> Self {
        Bodies([const { AtomicUsize::new(0) }; N])
    }

    /// Called by a body: a side effect of tracing. Eager runs aren't counted.
    fn count(&self, signature: usize) {
        if !EAGER.is_on() {
            self.0[signature].fetch_add(1, Ordering::Relaxed);
        }
    }

    fn counts(&self) -> Vec<usize> {
        let counts = self.0.iter().map(|n| n.load(Ordering::Relaxed));
        counts.collect()
    }
}

// ---- many signatures ----

const NUMBERS: usize = 20;
const LENGTHS: usize = 3;
static OFTEN: Bodies<{ NUMBERS * LENGTHS }> = Bodies::new();

#[graph_fn]
fn often(x: Tensor<i32>, n: usize) -> Tensor<i32> {
    OFTEN.count(n * LENGTHS + x.dim(0) - 1);
    let mut y = x;
    while y.max() < 100 {
        y = y * 2 + n as i32;
    }
    y
}

fn call_often(random: usize) {
    let (n, length) = (random % NUMBERS, random / NUMBERS % LENGTHS);
    let x: Vec<i32> = (1..=length as i32 + 1).collect();
    let mut expected = x.clone();
    while expected.iter().max() < Some(&100) {
        expected.iter_mut().for_each(|y| *y = *y * 2 + n as i32);
    }
    assert_eq!(often(tensor(x), n).to_vec(), expected);
}

// ---- recursion, and functions that call each other ----

const DEPTH: usize = 12;
static POWER: Bodies<{ DEPTH + 1 }> = Bodies::new();
static LEFT: Bodies<{ DEPTH + 1 }> = Bodies::new();
static RIGHT: Bodies<{ DEPTH + 1 }> = Bodies::new();

#[graph_fn]
fn power(x: Tensor<i32>, n: usize) -> Tensor<i32> {
    POWER.count(n);
    if n == 0 {
        return tensor(1);
    }
    if n % 2 == 0 {
        let half = power(x, n / 2);
        return half * half;
    }
    x * power(x, n - 1)
}

#[graph_fn]
fn left(x: Tensor<i32>, depth: usize) -> Tensor<i32> {
    LEFT.count(depth);
    if depth == 0 {
        return x;
    }
    // Both functions need the same traces.
    right(x + 1, depth - 1) + left(x, depth / 2)
}

#[graph_fn]
fn right(x: Tensor<i32>, depth: usize) -> Tensor<i32> {
    RIGHT.count(depth);
    if depth == 0 {
        return x;
    }
    left(x * 2, depth - 1) - right(x, depth / 2)
}

fn plain_left(x: i32, depth: usize) -> i32 {
    if depth == 0 {
        return x;
    }
    plain_right(x.wrapping_add(1), depth - 1).wrapping_add(plain_left(x, depth / 2))
}

fn plain_right(x: i32, depth: usize) -> i32 {
    if depth == 0 {
        return x;
    }
    plain_left(x.wrapping_mul(2), depth - 1).wrapping_sub(plain_right(x, depth / 2))
}

fn call_recursive(random: usize) {
    let (x, n) = (random as i32 % 7, random / 7 % (DEPTH + 1));
    match random % 3 {
        0 => assert_eq!(power(tensor(x), n).item(), x.wrapping_pow(n as u32)),
        1 => assert_eq!(left(tensor(x), n).item(), plain_left(x, n)),
        _ => assert_eq!(right(tensor(x), n).item(), plain_right(x, n)),
    }
}

#[graph_fn]
fn endless_ping(x: Tensor<i32>) -> Result<Tensor<i32>> {
    endless_pong(x + 1)
}

#[graph_fn]
fn endless_pong(x: Tensor<i32>) -> Result<Tensor<i32>> {
    endless_ping(x * 2)
}

/// An endless recursion through two functions, which two threads may enter from both sides.
fn call_endless(random: usize) {
    let _graph = EAGER.scope(false);
    let x = tensor(1);
    let result = match random % 2 {
        0 => endless_ping(x),
        _ => endless_pong(x),
    };
    let error = result.expect_err("it has no end");
    let said = error.message().contains("calls itself with the signature");
    assert!(said, "{error}");
}

// ---- traces that are evicted and traces that generalize ----

#[graph_fn]
fn forgotten(x: Tensor<i32>, n: usize) -> Tensor<i32> {
    let n = n as i32;
    if x % 2 == 0 { x / 2 + n } else { x * 3 - n }
}

#[graph_fn(reduce_retracing)]
fn any_length(x: Tensor<i32>) -> Tensor<i32> {
    let mut sum = tensor(0);
    for v in x {
        if v % 3 == 0 {
            continue;
        }
        sum += v;
    }
    sum
}

fn call_forgotten(random: usize) {
    let (x, n) = (random as i32 % 11, random / 11 % 40);
    let expected = if x % 2 == 0 {
        x / 2 + n as i32
    } else {
        x * 3 - n as i32
    };
    assert_eq!(forgotten(tensor(x), n).item(), expected);
}

fn call_any_length(random: usize) {
    let values: Vec<i32> = (0..(random % 30) as i32).collect();
    let expected: i32 = values.iter().filter(|v| *v % 3 != 0).sum();
    assert_eq!(any_length(tensor(values)).item(), expected);
}

// ---- errors ----

#[graph_fn]
fn fits(a: Tensor<f32>, b: Tensor<f32>) -> Result<Tensor<f32>> {
    Ok(a.matmul(b))
}

#[graph_fn]
fn positive(x: Tensor<i32>, panics: bool) -> Result<Tensor<i32>, Error> {
    if panics {
        // This panic doesn't run the hook, so nothing is printed.
        resume_unwind(Box::new("the body's own"));
    }
    assert!(x > 0, "not positive");
    Ok(x)
}

fn call_failing(random: usize) {
    match random % 4 {
        0 => assert!(fits(ones(&[2, 3]), ones(&[2, 3])).is_err()),
        1 => {
            let panicked = catch_unwind(AssertUnwindSafe(|| positive(tensor(1), true)));
            assert!(panicked.is_err());
        }
        2 => assert!(positive(tensor(-1), false).is_err()),
        _ => assert_eq!(positive(tensor(3), false).unwrap().item(), 3),
    }
}

// ---- variables ----

static ADDED: LazyLock<Variable<i64>> = LazyLock::new(|| Variable::new(tensor(0i64)));

#[graph_fn]
fn add(own: &Variable<i64>, n: Tensor<i64>) -> Tensor<i64> {
    ADDED.assign_add(&n);
    own.assign_add(n);
    own.read()
}

/// The state of a thread: its random numbers, and its own variable.
struct Worker {
    random: u64,
    own: Variable<i64>,
    sum: i64,
}

impl Worker {
    fn new(thread: usize) -> Worker {
        Worker {
            random: 0x9e37_79b9_7f4a_7c15 ^ thread as u64,
            own: Variable::new(tensor(0i64)),
            sum: 0,
        }
    }

    /// A random number of 16 bits (xorshift64).
    fn draw(&mut self) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 40) as usize & 0xffff
    }

    fn act(&mut self) {
        let (kind, random) = (self.draw(), self.draw());
        let _scope = (kind % 5 == 0).then(|| EAGER.scope(true));
        match kind % 7 {
            0 => call_often(random),
            1 => call_recursive(random),
            2 => call_endless(random),
            3 => call_forgotten(random),
            4 => call_any_length(random),
            5 => call_failing(random),
            _ => {
                let n = random as i64;
                self.sum += n;
                assert_eq!(add(&self.own, tensor(n)).item(), self.sum);
            }
        }
    }

    /// Returns the sum of all numbers that were added to the variables.
    fn run(mut self) -> i64 {
        (0..ACTIONS).for_each(|_| self.act());
        self.sum
    }
}

/// Runs `f` on a thread of its own.
///
/// # Panics
/// If it isn't done in time, or panics.
fn in_time<R: Send + 'static>(f: impl FnOnce() -> R + Send + 'static) -> R {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || sender.send(f()));
    match receiver.recv_timeout(FOREVER) {
        Ok(result) => result,
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("threads wait for each other"),
        Err(mpsc::RecvTimeoutError::Disconnected) => panic!("a thread panicked"),
    }
}

/// Runs all threads at once. Returns the sum of what they added to the shared variable.
fn run_all() -> i64 {
    let barrier = Barrier::new(THREADS);
    std::thread::scope(|scope| {
        let run = |thread| {
            let barrier = &barrier;
            scope.spawn(move || {
                let worker = Worker::new(thread);
                barrier.wait();
                worker.run()
            })
        };
        let threads: Vec<_> = (0..THREADS).map(run).collect();
        let sums = threads
            .into_iter()
            .map(|thread| thread.join().expect("a thread panicked"));
        sums.sum()
    })
}

#[test]
fn everything_at_once() {
    forgotten::function().limit_traces(4);
    let added = in_time(run_all);
    assert_eq!(ADDED.read().item(), added);
    for (name, counts) in [
        ("often", OFTEN.counts()),
        ("power", POWER.counts()),
        ("left", LEFT.counts()),
        ("right", RIGHT.counts()),
    ] {
        let once = counts.iter().all(|n| *n == 1);
        assert!(once, "`{name}` was traced {counts:?} times by signature");
    }
    assert_eq!(forgotten::function().concrete_functions().len(), 4);
    // Each thread may trace its first shape before there is a trace to generalize.
    let traces = any_length::function().concrete_functions().len();
    assert!(traces <= THREADS + 1, "{traces} traces of `any_length`");
    assert_eq!(endless_ping::function().trace_count(), 0);
    assert_eq!(endless_pong::function().trace_count(), 0);
    assert_eq!(fits::function().trace_count(), 0);
    assert_eq!(positive::function().concrete_functions().len(), 1);
}
