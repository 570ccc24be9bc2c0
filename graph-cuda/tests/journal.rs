//! Loops and branches that only the GPU decides, and that print, check or draw random numbers, on an emulated driver. Each call is one launch, and
//! behind it the host reads what the GPU has written down: the text is the CPU's to the letter.

mod common;

use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use graph_cuda_fake::control::{Counts, counts};
use graph_runtime::device::{self, Host, Outputs, Storage};
use graph_runtime::prelude::*;
use graph_runtime::{Array, PrintTo, Result, random};

use common::{alone, gpu, is_real};

/// A file to which functions print.
struct File(PathBuf);

impl File {
    fn new(name: &str) -> File {
        let name = format!("journal-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = std::fs::remove_file(&path);
        File(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }

    /// What was printed since the last time.
    fn take(&self) -> String {
        let text = std::fs::read_to_string(&self.0).unwrap_or_default();
        let _ = std::fs::remove_file(&self.0);
        text
    }
}

/// What the emulated driver counts while `f` runs: launches of graphs, and how often bodies of conditional nodes ran. A real one counts nothing.
fn counted<T>(f: impl FnOnce() -> T) -> (T, Counts) {
    let before = counts();
    let result = f();
    let after = counts();
    let counted = Counts {
        graph_launches: after.graph_launches - before.graph_launches,
        conditional_rounds: after.conditional_rounds - before.conditional_rounds,
        ..Counts::default()
    };
    (result, counted)
}

/// A number that only the GPU knows: the host keeps small values.
fn hidden(n: i32) -> Tensor<i32> {
    let mut parts = vec![0; 64];
    parts[7] = n;
    tensor(parts)
}

/// Prints before, in, between and behind loops and branches, values of many types.
#[graph_fn]
fn walk(x: Tensor<f32>, steps: Tensor<i32>, to: &str) -> Tensor<f32> {
    let mut left = steps.sum();
    let mut x = x;
    graph_print!("begin", left, x.max(); to = to);
    while left > 0 {
        graph_print!("left", left, "of", tensor([3i64, 4]); to = to);
        if left % 2 == 0 {
            x = &x * 0.5;
            graph_print!("half", x, x.gt(1.0); to = to);
        } else {
            let mut inner = left % 3;
            while inner > 0 {
                graph_print!("inner", inner, inner.cast::<f64>() / 2.0, inner.cast::<u8>(); to = to);
                inner -= 1;
            }
            x = &x + 1.0;
        }
        left -= 1;
    }
    graph_print!("between", x.min(); to = to);
    match left + 2 {
        1 => graph_print!("one"; to = to),
        2 => graph_print!("two", x.sum().cast::<f16>(); to = to),
        _ => graph_print!("many"; to = to),
    }
    graph_print!("end"; to = to);
    x
}

#[test]
fn what_loops_print_that_only_the_gpu_decides_is_what_the_cpu_prints() {
    let _alone = alone();
    let file = File::new("walk");
    let all = [6, 3, 0];
    let x = || tensor((0..40).map(|i| i as f32).collect::<Vec<_>>()).reshape([5, 8]);
    let run = |x: &Tensor<f32>, steps: &Tensor<i32>| {
        let y = walk(x, steps, file.path()).to_vec();
        (y, file.take())
    };
    let expected = all.map(|steps| run(&x(), &hidden(steps)));
    assert_eq!(
        expected[0]
            .1
            .lines()
            .filter(|l| l.starts_with("inner"))
            .count(),
        3
    );
    assert!(expected[2].1.starts_with("begin 0 39\nbetween 0\ntwo "));
    let _scope = device::scope(gpu());
    let (x, steps) = (x().to(gpu()), all.map(|steps| hidden(steps).to(gpu())));
    for call in 0..6 {
        for (steps, expected) in steps.iter().zip(&expected) {
            let (found, counts) = counted(|| run(&x, steps));
            assert_eq!(found, *expected, "call {call}");
            // The three are one program, of which two runs come before it is recorded.
            if call > 0 && !is_real() {
                assert_eq!(counts.graph_launches, 1, "call {call}");
            }
        }
    }
}

/// Doubles a number until it is too large; the condition never ends the loop.
#[graph_fn]
fn doubled(x: Tensor<f32>, most: Tensor<f32>, to: &str) -> Result<Tensor<f32>> {
    let most = most.sum();
    let mut sum = x.sum();
    graph_print!("from", sum; to = to);
    while sum > 0.0 {
        graph_print!("sum", sum; to = to);
        assert!(sum < most, "{sum} isn't below {most}");
        sum = sum * 2.0;
        if sum > 1000.0 {
            sum = sum * 0.0;
        }
    }
    graph_print!("done"; to = to);
    Ok(sum)
}

#[test]
fn an_assertion_that_fails_in_a_loop_ends_it_and_gives_the_error_of_the_cpu() {
    let _alone = alone();
    let file = File::new("doubled");
    let inputs = || [0.5, 2000.0, 100.0].map(|each: f32| tensor(vec![each / 32.0; 32]));
    let run = |x: &Tensor<f32>, most: &Tensor<f32>| {
        let result = doubled(x, most, file.path());
        let result = result.map(|x| x.item()).map_err(|error| error.to_string());
        (result, file.take())
    };
    let [x, much, little] = inputs();
    let expected = [run(&x, &much), run(&x, &little)];
    let error = expected[1].0.as_ref().unwrap_err();
    assert!(error.contains("128 isn't below 100"), "{error}");
    assert!(error.contains("journal.rs"), "{error}");
    assert!(
        expected[1].1.ends_with("sum 64\nsum 128\n"),
        "{}",
        expected[1].1
    );
    let _scope = device::scope(gpu());
    let [x, much, little] = inputs().map(|x| x.to(gpu()));
    for call in 0..6 {
        for (most, expected) in [&much, &little].into_iter().zip(&expected) {
            let (found, counts) = counted(|| run(&x, most));
            assert_eq!(found, *expected, "call {call}");
            assert!(
                is_real() || call < 2 || counts.graph_launches == 1,
                "call {call}"
            );
        }
    }
}

/// Counts up for long, except for its assertion.
#[graph_fn]
fn long_way(n: Tensor<i32>, most: Tensor<i32>) -> Result<Tensor<i32>> {
    let (mut n, most) = (n, most.sum());
    while n.sum() > 0 && n.max() < 2000 {
        assert!(n.max() < most, "{} is too much", n.max());
        n = n + 1;
    }
    Ok(n.max())
}

/// A loop that goes on behind a false assertion might never end.
#[test]
fn a_loop_ends_with_its_assertion() {
    let _alone = alone();
    let _scope = device::scope(gpu());
    // The condition fails at the beginning of the calls that are rehearsed and recorded.
    let none = || tensor(vec![0; 64]);
    for _ in 0..3 {
        assert_eq!(long_way(none(), hidden(9)).unwrap().item(), 0);
    }
    let run = || long_way(tensor(vec![1; 64]), hidden(9));
    let (error, counts) = counted(|| run().expect_err("9 isn't below 9"));
    assert!(error.to_string().contains("9 is too much"), "{error}");
    assert!(is_real() || counts.graph_launches == 1, "{counts:?}");
    assert!(is_real() || counts.conditional_rounds < 100, "{counts:?}");
}

/// A rehearsal is run by the host, loop by loop.
#[test]
fn a_rehearsal_of_a_loop_ends_with_its_assertion() {
    let _alone = alone();
    let _scope = device::scope(gpu());
    for call in 0..5 {
        // In another shape, so that it is another program.
        let error = long_way(tensor(vec![1; 80]), hidden(9)).expect_err("9 isn't below 9");
        assert!(
            error.to_string().contains("9 is too much"),
            "call {call}: {error}"
        );
    }
}

/// Fails in a branch.
#[graph_fn]
fn careful(x: Tensor<f32>, to: &str) -> Result<Tensor<f32>> {
    let sum = x.sum();
    if sum > 100.0 {
        graph_print!("too much", sum; to = to);
        panic!("the sum is {sum}");
    }
    Ok(x.sqrt())
}

#[test]
fn a_panic_in_a_branch_that_only_the_gpu_chooses_is_recorded() {
    let _alone = alone();
    let file = File::new("careful");
    let run = |each: f32| {
        let result = catch_unwind(AssertUnwindSafe(|| {
            careful(tensor(vec![each; 64]), file.path())
        }));
        let result = result.map_err(|_| "it panics".to_owned());
        let result = result.and_then(|result| match result {
            Ok(y) => Ok(y.to_vec()),
            Err(error) => Err(error.to_string()),
        });
        (result, file.take())
    };
    let expected = [run(1.0), run(4.0)];
    assert!(
        expected[1]
            .0
            .as_ref()
            .is_err_and(|e| e.contains("the sum is 256"))
    );
    assert_eq!(expected[1].1, "too much 256\n");
    let _scope = device::scope(gpu());
    let mut launches = 0;
    for call in 0..5 {
        for (each, expected) in [1.0, 4.0].into_iter().zip(&expected) {
            let (found, counts) = counted(|| run(each));
            assert_eq!(found, *expected, "call {call}");
            launches += counts.graph_launches;
        }
    }
    assert!(
        is_real() || launches >= 6,
        "{launches} of 10 calls were launches"
    );
}

/// Prints as many rows as it is told.
#[graph_fn]
fn long(rows: Tensor<i32>, total: &Variable<i32>, to: &str) -> Tensor<i32> {
    let n = rows.sum();
    let mut i = tensor(0);
    while i < n {
        let row = hidden(1) * i;
        graph_print!("row", i, row; to = to);
        total.assign_add(1);
        i += 1;
    }
    i
}

#[test]
fn a_journal_that_is_full_becomes_larger() {
    let _alone = alone();
    let file = File::new("long");
    let total = Variable::new(tensor(0));
    let run = |rows: i32| {
        let before = total.item();
        let i = long(hidden(rows), &total, file.path()).item();
        (i, total.item() - before, file.take())
    };
    // An entry has 256 bytes and a few: so many don't fit in the first journal, and not even in the second.
    let expected = [run(3), run(900)];
    assert_eq!(expected[1].2.lines().count(), 900);
    let _scope = device::scope(gpu());
    let total = Variable::new(tensor(0));
    let (few, many) = (hidden(3).to(gpu()), hidden(900).to(gpu()));
    let run = |rows: &Tensor<i32>| {
        let before = total.item();
        let i = long(rows, &total, file.path()).item();
        (i, total.item() - before, file.take())
    };
    for call in 0..4 {
        assert_eq!(run(&few), expected[0], "call {call}");
    }
    for call in 0..10 {
        let (found, counts) = counted(|| run(&many));
        assert_eq!(found, expected[1], "call {call} of many rows");
        if call == 0 {
            // The loop has ended with the entry for which there was no room.
            assert!(is_real() || counts.conditional_rounds < 100, "{counts:?}");
        }
        if call > 2 && !is_real() {
            assert_eq!(counts.graph_launches, 1, "call {call} of many rows");
        }
    }
}

/// Draws until the sum is large: in loops, in branches, before and behind them, from several streams.
#[graph_fn]
fn drawn(most: Tensor<f32>) -> (Tensor<f32>, Tensor<i32>, Tensor<f32>) {
    let most = most.sum();
    let before = random::uniform::<f32>(&[20]);
    let mut sum = before.sum() * 0.0;
    let mut draws = tensor(0);
    while sum < most {
        let own = random::with_seed(5).uniform::<f32>(&[3]);
        sum = sum + own.sum();
        if sum < &most * 0.5 {
            sum = sum + random::uniform::<f32>(&[]);
        }
        draws += 1;
    }
    let behind = random::uniform::<f32>(&[4]) + random::with_seed(5).uniform::<f32>(&[4]);
    let other = random::with_seed(6).uniform::<f32>(&[4]);
    (sum, draws, concat([&before, &behind, &other], 0))
}

#[test]
fn the_gpu_draws_from_the_streams_of_the_cpu() {
    let _alone = alone();
    let all = || {
        random::set_seed(11);
        let most = [9.0, 2.0, 30.0, 9.0, 0.0, 17.0].map(|most: f32| tensor(vec![most / 64.0; 64]));
        let runs: Vec<(f32, i32, Vec<f32>)> = most
            .iter()
            .map(|most| {
                let (sum, draws, others) = drawn(most);
                (sum.item(), draws.item(), others.to_vec())
            })
            .collect();
        // Eager draws go on where the function has ended.
        (runs, random::uniform::<f32>(&[2]).to_vec())
    };
    let expected = all();
    let _scope = device::scope(gpu());
    let (found, counts) = counted(all);
    assert_eq!(found.1, expected.1);
    for (call, (found, expected)) in found.0.iter().zip(&expected.0).enumerate() {
        assert!((found.0 - expected.0).abs() < 1e-4, "call {call}");
        assert_eq!(
            (found.1, &found.2),
            (expected.1, &expected.2),
            "call {call}"
        );
    }
    assert!(is_real() || counts.graph_launches == 4, "{counts:?}");
}

/// A host whose streams count, and that doesn't let a device draw from one of them.
struct Refusing {
    given: RefCell<HashMap<Option<i64>, i64>>,
    refuses: Option<i64>,
    /// What was drawn at once.
    taken: RefCell<Vec<(Option<i64>, u64)>>,
}

impl Host for Refusing {
    fn print(&mut self, _: &str, _: &PrintTo) -> io::Result<()> {
        Ok(())
    }

    fn next_seed(&mut self, stream: Option<i64>) -> [i64; 2] {
        let given = self.given.get_mut().entry(stream).or_default();
        *given += 1;
        [stream.unwrap_or(0), *given - 1]
    }

    fn coming_seed(&self, stream: Option<i64>) -> Option<[i64; 2]> {
        let given = self.given.borrow().get(&stream).copied();
        Some([stream.unwrap_or(0), given.unwrap_or_default()])
    }

    fn take_seeds(&self, stream: Option<i64>, _: [i64; 2], count: u64) -> bool {
        self.taken.borrow_mut().push((stream, count));
        if stream == self.refuses {
            return false;
        }
        let mut given = self.given.borrow_mut();
        *given.entry(stream).or_default() += count.cast_signed();
        true
    }
}

/// Another thread may draw from a stream while the GPU does. Then the launch is void, and the call runs again.
#[test]
fn a_launch_whose_seeds_somebody_else_has_drawn_is_void() {
    let _alone = alone();
    let _scope = device::scope(gpu());
    let most = || tensor(vec![9.0f32 / 64.0; 64]).to(gpu());
    let trace = drawn::concrete(most()).unwrap();
    let program = gpu().backend().compile(trace.graph(), &[]).unwrap();
    let given = Array::new(&[64], most().to_vec());
    let input = gpu().bring(&Storage::Host(given.into())).unwrap();
    let run = |refuses: Option<i64>| {
        let mut host = Refusing {
            given: RefCell::default(),
            refuses,
            taken: RefCell::default(),
        };
        let mut outputs = Outputs::default();
        program
            .run_into(&[&input], &mut host, &mut outputs)
            .unwrap();
        let outputs: Vec<Vec<u8>> = outputs
            .iter()
            .map(|value| value.to_host().unwrap().bytes().unwrap().to_vec())
            .collect();
        (outputs, host.taken.into_inner())
    };
    let runs: Vec<_> = (0..5).map(|_| run(Some(99))).collect();
    let (expected, taken) = &runs[4];
    assert!(runs.iter().all(|(outputs, _)| outputs == expected));
    let streams = [Some(5), None];
    assert_eq!(
        taken.iter().map(|(stream, _)| *stream).collect::<Vec<_>>(),
        streams
    );
    // The second stream is refused when the seeds of the first one are drawn.
    let ((found, asked), counts) = counted(|| run(None));
    assert_eq!((&found, &asked), (expected, taken));
    assert!(is_real() || counts.graph_launches == 1, "{counts:?}");
}
