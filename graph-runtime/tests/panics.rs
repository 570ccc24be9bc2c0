//! User code panics at each of its calls: in closures, iterators, bodies, and impls of `Display`, `GraphState` and `Module`. Each program
//! runs again and again: first the first call of such code panics, then the second, and so on, until none does. After each
//! panic, the same call gives the usual result, other functions work, and no thread waits.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{OnceLock, mpsc};
use std::time::Duration;

use graph_runtime::autodiff::{jvp, vjp};
use graph_runtime::debug::EAGER;
use graph_runtime::nn::{Adam, Module, Visitor};
use graph_runtime::prelude::*;
use graph_runtime::state::Nest;
use graph_runtime::tensor::AnyTensor;
use graph_runtime::{GraphState, collect_prints};

/// How many calls of user code succeed before one panics.
static LEFT: AtomicUsize = AtomicUsize::new(usize::MAX);

/// The payload of such a panic.
struct Planned;

/// Called wherever user code may panic.
fn may_panic() {
    if LEFT.fetch_sub(1, Ordering::SeqCst) == 0 {
        // This doesn't run the panic hook, so nothing is printed.
        resume_unwind(Box::new(Planned));
    }
}

/// Much longer than a program takes.
const FOREVER: Duration = Duration::from_secs(60);

/// Runs `f` on a thread of its own, which must end in time.
fn in_time<R: Send + 'static>(name: &str, f: impl FnOnce() -> R + Send + 'static) -> R {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || sender.send(f()));
    match receiver.recv_timeout(FOREVER) {
        Ok(result) => result,
        Err(error) => panic!("`{name}`: {error}"),
    }
}

/// A function unrelated to the others, eager code, a tape and a dataset: they would notice anything that a panic leaves behind on the thread.
fn probe() {
    #[graph_fn]
    fn doubled(x: Tensor<f32>) -> Tensor<f32> {
        if x.sum() > 0.0 { x * 2.0 } else { x }
    }
    assert_eq!(doubled(tensor([1.0, 2.0])).to_vec(), [2.0, 4.0]);
    let x = tensor(3.0f32);
    assert_eq!((&x + 1.0).item(), 4.0);
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = &x * &x;
    assert_eq!(tape.gradient(&y, &x).unwrap().item(), 6.0);
    assert_eq!(Dataset::range(0..3).batch(2).iter().count(), 2);
    let (_, lines) = collect_prints(|| graph_print!("{x}"));
    assert_eq!(lines, ["3"]);
}

type Program = fn(usize) -> Vec<f32>;

fn panic_at_each_call(name: &'static str, program: Program, eager: bool) {
    let mut panics = 0;
    // Each `trace` is a new signature.
    for trace in 0.. {
        let before = panics;
        in_time(name, move || {
            let _scope = EAGER.scope(eager);
            LEFT.store(trace, Ordering::SeqCst);
            let first = catch_unwind(AssertUnwindSafe(|| program(trace)));
            LEFT.store(usize::MAX, Ordering::SeqCst);
            let panicked = match &first {
                Ok(_) => false,
                Err(payload) => {
                    assert!(payload.is::<Planned>(), "`{name}`, {trace}: another panic");
                    true
                }
            };
            probe();
            let second = program(trace);
            assert_eq!(second, program(trace), "`{name}`, {trace}");
            assert_eq!(second, program(usize::MAX), "`{name}`, {trace}");
            if let Ok(first) = first {
                assert_eq!(first, second, "`{name}`, {trace}");
            }
            panicked
        })
        .then(|| panics += 1);
        if panics == before {
            break;
        }
        assert!(trace < 500, "`{name}` has an end");
    }
    assert!(panics > 0 || eager, "`{name}` calls user code");
}

// ---- closures ----

#[graph_fn]
fn closures_over_rows(x: Tensor<f32>, _trace: usize) -> Tensor<f32> {
    let twice = |row: Tensor<f32>| {
        may_panic();
        row * 2.0
    };
    let add = |sum: Tensor<f32>, row: Tensor<f32>| {
        may_panic();
        sum + row
    };
    let sums = scan(add, x.clone(), tensor(0.0));
    map_fn(twice, &x) + sums + fold(add, x, tensor(0.0))
}

#[graph_fn]
fn closures_of_control_flow(x: Tensor<f32>, _trace: usize) -> Tensor<f32> {
    let halved = while_loop(
        |y: &Tensor<f32>| {
            may_panic();
            y.max().gt(1.0)
        },
        |y| {
            may_panic();
            y / 2.0
        },
        x.clone(),
    );
    let positive = x.sum().gt(0.0);
    let chosen = cond(
        positive.clone(),
        || {
            may_panic();
            &halved + 1.0
        },
        || {
            may_panic();
            &halved - 1.0
        },
    );
    let branch = |add: f32| {
        let chosen = &chosen;
        let branch = move || {
            may_panic();
            chosen + add
        };
        Box::new(branch) as Box<dyn FnOnce() -> Tensor<f32> + '_>
    };
    switch_case(
        positive.cast::<i32>(),
        vec![branch(1.0), branch(2.0), branch(3.0)],
    )
}

#[graph_fn]
fn helper(x: Tensor<f32>, _trace: usize) -> Tensor<f32> {
    may_panic();
    let mut y = x;
    while y.sum() < 100.0 {
        may_panic();
        if y.max() > 4.0 {
            may_panic();
            y = y * 3.0;
            continue;
        }
        y = y * 2.0;
        may_panic();
    }
    y
}

#[graph_fn]
fn bodies(x: Tensor<f32>, trace: usize) -> Tensor<f32> {
    let mut sum = helper(x.clone(), trace);
    may_panic();
    for row in x {
        may_panic();
        sum = match row.cast::<i32>() {
            1 => sum * 0.001 + helper(row, trace),
            _ => row + helper(sum, 0),
        };
    }
    sum
}

// ---- gradients ----

#[graph_fn]
fn gradients(x: Tensor<f32>, _trace: usize) -> Tensor<f32> {
    let tape = GradientTape::new();
    tape.watch(&x);
    let by_hand = custom_gradient(x.clone(), |x| {
        may_panic();
        let of = x.clone();
        (x.sin(), move |g: Tensor<f32>| {
            may_panic();
            g * of.cos()
        })
    });
    let again = recompute(&by_hand, |y| {
        may_panic();
        y * y
    });
    let dx = tape.gradient(&again, &x).unwrap();
    let f = |x: &Tensor<f32>| {
        may_panic();
        x * x
    };
    let (_, back) = vjp(f, &x);
    dx + jvp(f, &x, &x.ones_like()).1 + grad(f)(&x) + back(&x)
}

// ---- datasets ----

fn dataset() -> Dataset<Tensor<f32>> {
    let generated = Dataset::from_generator(|| {
        may_panic();
        (0..4).map(|n| {
            may_panic();
            tensor(n as f32)
        })
    });
    generated
        .map(|n: Tensor<f32>| {
            may_panic();
            n * 2.0
        })
        .filter(|n| {
            may_panic();
            n.lt(5.0)
        })
        .prefetch(2)
        .cache()
}

fn nested_datasets() -> Dataset<Tensor<i64>> {
    let numbers = |n: Tensor<i64>| {
        may_panic();
        Dataset::range((0i64, n, 1i64))
    };
    let flat = Dataset::range(0..4).flat_map(numbers);
    Dataset::range(1..3)
        .interleave(2, 1, numbers)
        .concatenate(&flat)
}

fn iterated(_: usize) -> Vec<f32> {
    let numbers = nested_datasets();
    let numbers = numbers.iter().map(|n| n.item() as f32);
    dataset().iter().map(|n| n.item()).chain(numbers).collect()
}

#[graph_fn]
fn sum_of(elements: &Dataset<Tensor<f32>>, _trace: usize) -> Tensor<f32> {
    let mut sum = tensor(0.0);
    for n in elements {
        may_panic();
        sum = sum * 2.0 + n.sum();
    }
    for n in nested_datasets() {
        sum += n.cast::<f32>().sum();
    }
    sum
}

fn cached_and_begun_again(trace: usize) -> Vec<f32> {
    let kept = dataset().batch(2);
    let sums = || {
        [
            kept.iter().map(|batch| batch.sum().item()).sum(),
            sum_of(&kept, trace).item(),
        ]
    };
    [sums(), sums()].concat()
}

// ---- impls ----

/// State that is split and rebuilt by user code.
#[derive(Clone)]
struct Pair(Tensor<f32>, Tensor<f32>);

impl Nest for Pair {
    type Structure = ();
    fn structure(&self) -> Option<()> {
        may_panic();
        Some(())
    }
    fn leaves(&self, visit: &mut dyn FnMut(&AnyTensor)) {
        may_panic();
        self.0.leaves(visit);
        may_panic();
        self.1.leaves(visit);
    }
    fn rebuild(_: &(), next: &mut dyn FnMut() -> AnyTensor) -> Pair {
        let first = Tensor::rebuild(&(), next);
        may_panic();
        Pair(first, Tensor::rebuild(&(), next))
    }
}

impl GraphState for Pair {}

#[graph_fn]
fn pair_of(x: Tensor<f32>, _trace: usize) -> Pair {
    let mut pair = Pair(x.clone(), x.clone() + 1.0);
    while pair.0.sum() < 20.0 {
        if pair.1.max() > 4.0 {
            pair = Pair(pair.0 * 2.0, pair.1);
        } else {
            pair = Pair(pair.0 + 1.0, pair.1 + 2.0);
        }
    }
    if x.sum() > 100.0 {
        return pair;
    }
    Pair(pair.1, pair.0)
}

/// A value whose text is written by user code.
struct Text(Tensor<f32>);

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        may_panic();
        write!(f, "<{}>", self.0)?;
        may_panic();
        Ok(())
    }
}

#[graph_fn]
fn prints(x: Tensor<f32>, _trace: usize) -> Tensor<f32> {
    graph_print!("{} and {}", Text(x.clone()), Text(x.clone() + 1.0));
    assert!(x.sum() < 1000.0, "too much: {}", Text(x.clone()));
    x * 2.0
}

struct Layer {
    weight: Variable<f32>,
}

impl Module for Layer {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        may_panic();
        visitor.module("Layer", |visitor| {
            may_panic();
            visitor.field("weight", &self.weight);
        });
        may_panic();
    }
}

fn modules(_: usize) -> Vec<f32> {
    let layer = Layer {
        weight: Variable::new(tensor([1.0, 2.0])),
    };
    let adam = Adam::new(&layer);
    let tape = GradientTape::new();
    let loss = layer.weight.read().square().sum();
    let gradient = tape.gradient(&loss, &layer.weight);
    adam.apply(&gradient, &layer.weight);
    let file = tempfile::NamedTempFile::new().unwrap();
    layer.save(file.path()).unwrap();
    layer.load(file.path()).unwrap();
    assert!(layer.summary().to_string().contains("Layer"));
    layer.weight.read().to_vec()
}

#[graph_fn]
fn adds(to: &Variable<f32>, once: &OnceLock<Variable<f32>>, _trace: usize) -> Tensor<f32> {
    let made = once.get_or_init(|| {
        may_panic();
        Variable::new(tensor(1.0))
    });
    to.assign_add(1.0);
    may_panic();
    made.assign_add(&*to);
    may_panic();
    made.read()
}

fn variables(trace: usize) -> Vec<f32> {
    let (to, once) = (Variable::new(tensor(1.0)), OnceLock::new());
    let first = catch_unwind(AssertUnwindSafe(|| adds(&to, &once, trace)));
    let made = first.unwrap_or_else(|panic| {
        // All panics happen while tracing, before anything has run.
        assert!(EAGER.is_on() || to.item() == 1.0);
        resume_unwind(panic)
    });
    vec![made.item(), to.item()]
}

#[test]
fn a_panic_of_user_code_leaves_nothing_behind() {
    let programs: [(&str, Program); 10] = [
        ("closures over rows", |n| {
            closures_over_rows(tensor([1.0, 2.0, 3.0]), n).to_vec()
        }),
        ("closures of control flow", |n| {
            closures_of_control_flow(tensor([1.0, 9.0]), n).to_vec()
        }),
        ("bodies", |n| bodies(tensor([1.0, 2.0]), n).to_vec()),
        ("gradients", |n| gradients(tensor([1.0, 2.0]), n).to_vec()),
        ("iterated datasets", iterated),
        ("cached datasets", cached_and_begun_again),
        ("state", |n| {
            let pair = pair_of(tensor([1.0, 2.0]), n);
            [pair.0.to_vec(), pair.1.to_vec()].concat()
        }),
        ("messages", |n| {
            collect_prints(|| prints(tensor([1.0]), n).to_vec()).0
        }),
        ("modules", modules),
        ("variables", variables),
    ];
    for (name, program) in programs {
        panic_at_each_call(name, program, false);
        panic_at_each_call(name, program, true);
    }
}
