//! A graph that updates a variable and fails again and again uses no more memory. The test measures its process, so it is alone in it.

use graph_runtime::Error;
use graph_runtime::prelude::*;

/// The memory that this process uses, in KiB.
fn memory() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[graph_fn]
fn fails_often(v: &Variable<f32>, x: Tensor<f32>) -> Result<Tensor<f32>, Error> {
    let mut i = tensor(0);
    while i < 3 {
        v.assign_add(&x);
        i += 1;
        assert!(v.read().max() < 3.0, "too large");
    }
    Ok(v * 2.0)
}

#[test]
fn failing_again_and_again_takes_no_memory() {
    let v = Variable::new(zeros::<f32>(&[200]));
    let x = ones::<f32>(&[200]);
    let fail = |times: usize| {
        for _ in 0..times {
            v.assign(zeros::<f32>(&[200]));
            assert!(fails_often(&v, x.clone()).is_err());
        }
    };
    fail(1_000);
    let before = memory();
    fail(99_000);
    // If each call kept one array, that would be 80 MB.
    if let (Some(before), Some(after)) = (before, memory()) {
        assert!(after < before + 8 * 1024, "{before} KiB, then {after} KiB");
    }
    assert_eq!(v.read().max().item(), 3.0);
    v.assign(zeros::<f32>(&[200]) - 3.0);
    assert_eq!(fails_often(&v, x).unwrap().max().item(), 0.0);
}
