//! How values of the host reach a GPU, on an emulated driver that does queued work as late as a program allows: batches of a dataset are copied from
//! page-locked memory, in a stream of their own, while the step before is still to be done; an event makes the step wait for its batch. If a step didn't
//! wait, it would find memory that nobody has written.

mod common;

use graph_cuda_fake::control::{self, Counts, counts};
use graph_runtime::data::Dataset;
use graph_runtime::device;
use graph_runtime::prelude::*;

use common::{alone, gpu, is_real};

/// Runs `f` with a driver that does work late.
fn deferred<T>(f: impl FnOnce() -> T) -> T {
    struct Ended;
    impl Drop for Ended {
        fn drop(&mut self) {
            control::defer_work(false);
        }
    }
    let _ended = Ended;
    control::defer_work(true);
    f()
}

/// The uploads while `f` runs.
fn counted<T>(f: impl FnOnce() -> T) -> (T, Counts) {
    let before = counts();
    let result = f();
    let after = counts();
    let counted = Counts {
        uploads: after.uploads - before.uploads,
        pinned_uploads: after.pinned_uploads - before.pinned_uploads,
        separate_uploads: after.separate_uploads - before.separate_uploads,
        early_uploads: after.early_uploads - before.early_uploads,
        overtaking_launches: after.overtaking_launches - before.overtaking_launches,
        synchronizations: after.synchronizations - before.synchronizations,
        ..Counts::default()
    };
    (result, counted)
}

const EXAMPLES: usize = 320;
const BATCH: usize = 32;
const BATCHES: u64 = (EXAMPLES / BATCH) as u64;

fn examples() -> Dataset<(Tensor<f32>, Tensor<f32>)> {
    let x: Vec<f32> = (0..EXAMPLES * 8)
        .map(|i| ((i * 7) % 16) as f32 / 16.0)
        .collect();
    let y: Vec<f32> = (0..EXAMPLES * 4).map(|i| (i % 4) as f32).collect();
    let x = Tensor::from_vec(&[EXAMPLES, 8], x).unwrap();
    let y = Tensor::from_vec(&[EXAMPLES, 4], y).unwrap();
    Dataset::from_slices((x, y)).batch(BATCH)
}

#[graph_fn]
fn step(w: &Variable<f32>, x: Tensor<f32>, y: Tensor<f32>) {
    let tape = GradientTape::new();
    let loss = (x.matmul(w) - &y).square().mean();
    let gradient = tape.gradient(&loss, w).unwrap();
    w.assign_sub(gradient * 0.125);
}

/// An epoch as a loop of Rust.
fn by_steps(w: &Variable<f32>, examples: &Dataset<(Tensor<f32>, Tensor<f32>)>) {
    for (x, y) in examples {
        step(w, x, y);
    }
}

/// An epoch as a graph function.
#[graph_fn]
fn in_a_graph(w: &Variable<f32>, examples: &Dataset<(Tensor<f32>, Tensor<f32>)>) {
    for (x, y) in examples {
        let tape = GradientTape::new();
        let loss = (x.matmul(w) - &y).square().mean();
        let gradient = tape.gradient(&loss, w).unwrap();
        w.assign_sub(gradient * 0.125);
    }
}

/// Another one, whose steps look at their operands: the host waits for the news before it writes the variable.
#[graph_fn]
fn with_labels(w: &Variable<f32>, examples: &Dataset<(Tensor<f32>, Tensor<f32>)>) {
    for (x, y) in examples {
        let tape = GradientTape::new();
        let labels = y.argmax(1);
        let loss = x.matmul(w).sparse_softmax_cross_entropy(labels).mean();
        let gradient = tape.gradient(&loss, w).unwrap();
        w.assign_sub(gradient * 0.125);
    }
}

type Epoch = fn(&Variable<f32>, &Dataset<(Tensor<f32>, Tensor<f32>)>);

#[test]
fn batches_are_uploaded_while_the_step_before_is_still_to_be_done() {
    let _alone = alone();
    let epochs: [(&str, Epoch); 3] = [
        ("steps", |w, examples| by_steps(w, examples)),
        ("graph", |w, examples| in_a_graph(w, examples)),
        ("labels", |w, examples| with_labels(w, examples)),
    ];
    for (name, epoch) in epochs {
        let train = || {
            let w = Variable::new(zeros::<f32>([8, 4]));
            let (examples, mut last) = (examples(), Counts::default());
            for _ in 0..3 {
                last = counted(|| epoch(&w, &examples)).1;
            }
            (w.read().to_vec(), last)
        };
        let (expected, _) = train();
        let _scope = device::scope(gpu());
        let (found, epoch) = deferred(train);
        for (found, expected) in found.iter().zip(&expected) {
            assert!(
                (found - expected).abs() < 1e-4,
                "{name}: {found} {expected}"
            );
        }
        if is_real() {
            continue;
        }
        let batches = 2 * BATCHES;
        assert_eq!(epoch.pinned_uploads, batches, "{name}: {epoch:?}");
        assert_eq!(epoch.separate_uploads, batches, "{name}: {epoch:?}");
        // The first batch of an epoch comes behind the last step of the epoch before, if nobody has waited for that.
        let early = epoch.early_uploads;
        assert!(early >= batches - 4, "{name}: {epoch:?}");
        // A graph function takes the next batch before it runs a step, and the step doesn't wait for it: it has three kernels at least.
        let overtaking = if name == "steps" {
            0
        } else {
            3 * (BATCHES - 1)
        };
        assert!(epoch.overtaking_launches >= overtaking, "{name}: {epoch:?}");
        if name != "labels" {
            assert!(epoch.synchronizations < BATCHES, "{name}: {epoch:?}");
        }
    }
}

/// The sums of many tensors, none of which is waited for before all are made.
#[test]
fn page_locked_memory_is_used_again_only_when_its_copy_is_done() {
    let _alone = alone();
    let _scope = device::scope(gpu());
    let sizes = [64, 40_000, 300, 100_000, 64, 64, 40_000];
    let tensors = || -> Vec<Tensor<f32>> {
        let count = sizes.iter().cycle().take(60).enumerate();
        count
            .map(|(i, size)| tensor(vec![i as f32; *size]).to(gpu()) * 1.0)
            .collect()
    };
    let found = deferred(|| {
        let all = tensors();
        all.iter().map(|x| x.max().item()).collect::<Vec<_>>()
    });
    let expected: Vec<f32> = (0..60).map(|i| i as f32).collect();
    assert_eq!(found, expected);
}

/// There is a limit to page-locked memory: then the oldest copy is waited for. Very large arrays are copied in the other way.
#[test]
fn uploads_of_more_than_the_page_locked_memory_are_right() {
    let _alone = alone();
    let _scope = device::scope(gpu());
    let large = 9 << 20;
    let (found, counts) = counted(|| {
        deferred(|| {
            let all: Vec<Tensor<u8>> = (0..6u8).map(|i| tensor(vec![i; large]).to(gpu())).collect();
            all.iter().map(|x| x.to_vec()).collect::<Vec<_>>()
        })
    });
    for (i, values) in (0..6u8).zip(found) {
        assert!(
            values.len() == large && values.iter().all(|value| *value == i),
            "{i}"
        );
    }
    assert!(is_real() || counts.pinned_uploads == 6, "{counts:?}");
    let huge = vec![3u8; (64 << 20) + 1];
    let (found, counts) = counted(|| tensor(huge.clone()).to(gpu()).to_vec());
    assert!(found == huge);
    let as_others = (counts.uploads, counts.pinned_uploads) == (1, 0);
    assert!(is_real() || as_others, "{counts:?}");
}
