//! Memory runs out during a call, at each large allocation in turn: the call returns an error with the user's line, the next call
//! gives the usual result, and a variable has its old or its new value. The allocator of this process fails, so the test is alone in it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use graph_runtime::debug::EAGER;
use graph_runtime::prelude::*;
use graph_runtime::{Error, Result};

/// An allocator that refuses one large allocation.
struct Failing;

/// The size in bytes from which an allocation is large: below the size of the arrays here, above that of everything else.
const LARGE: usize = 1 << 15;

/// How many large allocations succeed before one fails; none fails while it is above `usize::MAX / 2`.
static LEFT: AtomicUsize = AtomicUsize::new(usize::MAX);

/// Whether small allocations count, too.
static SMALL_TOO: AtomicBool = AtomicBool::new(false);

// SAFETY: all calls are passed on to the system allocator unchanged, or refused; counting doesn't allocate.
unsafe impl GlobalAlloc for Failing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let counts = layout.size() >= LARGE || SMALL_TOO.load(Ordering::Relaxed);
        if counts && LEFT.fetch_sub(1, Ordering::Relaxed) == 0 {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Failing = Failing;

/// Runs `f`; a large allocation fails after `after` others. Returns whether that happened.
fn short_of_memory<R>(after: usize, f: impl FnOnce() -> R) -> (std::thread::Result<R>, bool) {
    LEFT.store(after, Ordering::Relaxed);
    let result = catch_unwind(AssertUnwindSafe(f));
    let left = LEFT.swap(usize::MAX, Ordering::Relaxed);
    (result, left > usize::MAX / 2)
}

/// The number of values of a large array.
const N: usize = 10_000;

fn numbers() -> Tensor<f32> {
    range(0.0, N as f32, 1.0) / N as f32
}

type Program = fn(Tensor<f32>, usize) -> Result<Tensor<f32>>;

/// Each program takes a number: with another number it is traced and planned anew, and gets new memory.
macro_rules! programs {
    ($($(#[$attribute:meta])* fn $name:ident($x:ident: Tensor<f32>) $body:block)*) => {
        $(
            #[graph_fn]
            fn $name($x: Tensor<f32>, _trace: usize) -> Result<Tensor<f32>, Error> $body
        )*
        const PROGRAMS: &[(&str, Program)] = &[$((stringify!($name), |x, trace| $name(x, trace)),)*];
    };
}

programs! {
    fn elementwise(x: Tensor<f32>) {
        let y = x.sin() * 2.0 + 1.0;
        Ok((&y).exp() / (y + x))
    }
    fn products(x: Tensor<f32>) {
        let a = x.reshape(&[100, 100]);
        let b = (&a).matmul((&a).transpose());
        Ok((b + &a).matmul(a).tanh())
    }
    fn repeats(x: Tensor<f32>) {
        let mut y = x.clone();
        let mut i = tensor(0);
        while i < 3 {
            y = y.cumsum(0) * 0.5 + &x;
            i += 1;
        }
        Ok(y)
    }
    fn decides(x: Tensor<f32>) {
        let mut y = x.clone();
        if (&x).sum() > 3.0 {
            y = concat(&[&x, &y], 0);
        } else {
            y = y * 2.0;
        }
        Ok(y.reverse(&[0]))
    }
    fn moves(x: Tensor<f32>) {
        let y = x.reshape(&[100, 100]).transpose();
        let z = y.tile(&[1, 2]).slice(&[10, 0], &[80, 200]);
        Ok(z.pad(&[(1, 1), (0, 0)]).roll(3, 0))
    }
    fn rows(x: Tensor<f32>) {
        let rows = x.reshape(&[2, N / 2]);
        Ok(map_fn(|row: Tensor<f32>| row.sort() * 2.0, rows))
    }
    fn sorts(x: Tensor<f32>) {
        let y = x.reshape(&[10, 1000]);
        let z = y.softmax(1) + y.sort() + y.cumsum(1);
        Ok(z.cast::<f64>().cast::<f32>() - z.argsort().cast::<f32>())
    }
    fn convolves(x: Tensor<f32>) {
        let image = x.reshape(&[1, 100, 100, 1]);
        let filter = ones::<f32>(&[3, 3, 1, 4]);
        Ok(image.conv2d(filter, Window::default()).max_pool2d([2, 2], Window::default()))
    }
    fn gradients(x: Tensor<f32>) {
        let tape = GradientTape::new();
        tape.watch(&x);
        let y = (x.reshape(&[100, 100]).matmul(x.reshape(&[100, 100])).tanh() * 2.0).sum();
        Ok(tape.gradient(&y, &x).unwrap())
    }
    fn batches(x: Tensor<f32>) {
        let mut sum = zeros::<f32>(&[N / 2]);
        for batch in Dataset::from_slices(x.reshape(&[4, N / 4, 1])).batch(2).prefetch(1) {
            sum += batch.reshape(&[N / 2]);
        }
        Ok(sum)
    }
    fn picks(x: Tensor<f32>) {
        let index = (&x * 100.0).cast::<i32>();
        let counts = zeros::<f32>(&[N]).scatter_add(index.expand_dims(-1), &x);
        Ok(x.gather(&index) + counts)
    }
}

/// The error of a failed allocation. A kernel's own working memory isn't an array, so there it is a panic.
fn check(name: &str, result: std::thread::Result<Result<Tensor<f32>>>, expected: &[f32]) {
    match result {
        Ok(Ok(y)) => assert_eq!(y.to_vec(), expected, "`{name}` did without"),
        Ok(Err(error)) => {
            assert!(error.message().contains("too large"), "`{name}`: {error}");
            assert!(
                error.location().file.ends_with("no_memory.rs"),
                "`{name}`: {error}"
            );
        }
        Err(panic) => {
            let text = panic.downcast_ref::<String>();
            let is_scratch = text.is_some_and(|text| text.starts_with("a kernel needs"));
            assert!(is_scratch, "`{name}`: {text:?}");
        }
    }
}

fn at_each_large_allocation(name: &str, program: Program) {
    let x = numbers();
    let expected = program(x.clone(), 0).expect(name).to_vec();
    for after in 0.. {
        let trace = after + 1;
        let (result, failed) = short_of_memory(after, || program(x.clone(), trace));
        check(name, result, &expected);
        assert_eq!(
            program(x.clone(), trace).unwrap().to_vec(),
            expected,
            "`{name}`, {after}"
        );
        if !failed {
            assert!(after > 0, "`{name}` has large arrays");
            return;
        }
    }
}

#[graph_fn]
fn changes(
    v: &Variable<f32>,
    w: &Variable<f32>,
    x: Tensor<f32>,
    _trace: usize,
) -> Result<Tensor<f32>, Error> {
    v.assign_add(&x);
    w.assign(v.read().reverse(&[0]) * 2.0);
    v.assign(w * 3.0);
    Ok(v.read())
}

/// A variable has its old value, or that of one of the assignments; never a part of one.
fn variables_at_each_large_allocation() {
    let x = ones::<f32>(&[N]);
    let one_value = |v: &Variable<f32>| {
        let values = v.read().to_vec();
        assert!(values.len() == N && values.iter().all(|value| *value == values[0]));
        values[0]
    };
    for after in 0.. {
        let (v, w) = (Variable::new(ones(&[N])), Variable::new(ones(&[N])));
        // This handle prevents changes in place.
        let held = v.read();
        let (result, failed) = short_of_memory(after, || changes(&v, &w, x.clone(), after));
        let result = result.expect("no panic");
        let state = (one_value(&v), one_value(&w));
        assert_eq!(result.is_ok(), state == (12.0, 4.0), "{state:?}");
        assert!(
            [(1.0, 1.0), (2.0, 1.0), (2.0, 4.0), (12.0, 4.0)].contains(&state),
            "{state:?}"
        );
        assert_eq!(held.to_vec(), [1.0; N]);
        assert!(changes(&v, &w, x.clone(), after).is_ok());
        if !failed {
            assert!(result.is_ok() && after > 0);
            return;
        }
    }
}

/// There is only one test, because the allocator belongs to the process.
#[test]
fn each_large_allocation_that_fails_is_an_error_of_the_call() {
    for eager in [false, true] {
        let _eager = EAGER.scope(eager);
        PROGRAMS
            .iter()
            .for_each(|(name, program)| at_each_large_allocation(name, *program));
        variables_at_each_large_allocation();
    }
    each_allocation_at_all();
}

// ---- any allocation, in a process of its own ----

/// These variables tell a child process which program it runs and which allocation fails.
const PROGRAM: &str = "NO_MEMORY_PROGRAM";
const AFTER: &str = "NO_MEMORY_AFTER";
/// The distance between the allocations that fail; 211 if it isn't set. `NO_MEMORY_STEP=1` takes a while.
const STEP: &str = "NO_MEMORY_STEP";

fn number(name: &str) -> Option<usize> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
#[ignore = "a process that another test starts"]
fn one_allocation_fails() {
    let (name, program) = PROGRAMS[number(PROGRAM).expect("a program")];
    let x = numbers();
    let expected = numbers().sum();
    SMALL_TOO.store(true, Ordering::Relaxed);
    let (result, failed) =
        short_of_memory(number(AFTER).expect("a number"), || program(x.clone(), 0));
    SMALL_TOO.store(false, Ordering::Relaxed);
    println!("{}", if failed { "failed" } else { "enough" });
    // If the process didn't end, the failure was an error, and after it everything works.
    let first = result.ok().and_then(Result::ok).map(|y| y.to_vec());
    let second = program(x.clone(), 0).unwrap().to_vec();
    assert_eq!(second, program(x, 1).unwrap().to_vec(), "`{name}`");
    assert!(first.is_none_or(|first| first == second), "`{name}`");
    assert_eq!(numbers().sum().item(), expected.item());
}

/// If there is no memory for something else than an array, Rust ends the process. Nothing else may happen: no wrong result, no hang.
fn each_allocation_at_all() {
    let step = number(STEP).unwrap_or(211);
    let (mut aborts, mut errors) = (0, 0);
    for program in 0..PROGRAMS.len() {
        for after in (0..2000).step_by(step) {
            let output = Command::new(std::env::current_exe().unwrap())
                .args([
                    "--ignored",
                    "--exact",
                    "one_allocation_fails",
                    "--nocapture",
                ])
                .env(PROGRAM, program.to_string())
                .env(AFTER, after.to_string())
                .env("RUST_BACKTRACE", "0")
                .output()
                .unwrap();
            let [said, complained] =
                [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
            if said.contains("enough") && output.status.success() {
                break;
            }
            let aborted = !output.status.success() && complained.contains("memory allocation of");
            assert!(
                aborted || output.status.success(),
                "{program}, {after}: {said}{complained}"
            );
            *if aborted { &mut aborts } else { &mut errors } += 1;
        }
    }
    println!("{aborts} processes ended, {errors} calls failed");
    assert!(aborts > 0 && (step > 1 || errors > 0));
}
