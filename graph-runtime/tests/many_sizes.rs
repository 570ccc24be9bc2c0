//! A trace that is called with ever new sizes keeps no memory for them. The test measures its process, so it is alone in it.

use graph_runtime::prelude::*;

/// The memory that this process uses, in KiB.
fn memory() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[graph_fn(input_signature = [f32[_], f32[_]])]
fn spread(x: Tensor<f32>, y: Tensor<f32>) -> Tensor<f32> {
    (&x - x.mean()).square().mean() + (&y - y.mean()).square().mean()
}

#[test]
fn a_hundred_thousand_sizes_take_no_memory() {
    let call = |n: usize| {
        let (x, y) = (ones::<f32>(&[1 + n % 400]), ones::<f32>(&[1 + n / 400]));
        assert_eq!(spread(x, y).item(), 0.0);
    };
    let plans = || {
        spread::function().concrete_functions()[0]
            .sized_plans()
            .len()
    };
    // The largest sizes come first, so that later calls need no larger buffers.
    (99_000..100_000).for_each(call);
    assert_eq!(plans(), 0);
    let before = memory();
    (0..99_000).for_each(call);
    let between = memory();
    assert_eq!(plans(), 0, "sizes that come once get no plan");
    // Each size comes twice in a row.
    (180_000..200_000).for_each(|n| call(n / 2));
    assert_eq!(plans(), 16);
    if let (Some(before), Some(between), Some(after)) = (before, between, memory()) {
        assert!(
            between < before + 4 * 1024,
            "{before} KiB, then {between} KiB"
        );
        assert!(
            after < between + 8 * 1024,
            "{between} KiB, then {after} KiB"
        );
    }
    assert_eq!(spread::function().trace_count(), 1);
}
