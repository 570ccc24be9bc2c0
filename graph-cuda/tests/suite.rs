//! The suite that each device must pass, on an emulated driver.

mod common;

use common::{alone, gpu, is_real};
use graph_cuda_fake::control::counts;

#[test]
fn a_gpu_does_what_the_cpu_does() {
    let _alone = alone();
    let gpu = gpu();
    let before = counts().graph_launches;
    let report = graph_device_tests::check(gpu);
    assert!(report.differences.is_empty(), "{report}");
    let left = report.left_to_cpu.keys();
    let left: Vec<&str> = left.map(String::as_str).collect();
    assert!(left.contains(&"unique"), "{left:?}");
    let recorded = counts().graph_launches - before;
    assert!(
        is_real() || recorded > 100,
        "{recorded} launches of recorded programs"
    );
}
