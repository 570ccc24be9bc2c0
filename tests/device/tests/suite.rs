//! The vault does what the CPU does.

use graph_device_tests::Suite;
use graph_tests_device::vault;

#[test]
fn the_suite_for_devices_passes() {
    let report = Suite::new(vault()).exact().run();
    assert!(report.differences.is_empty(), "{report}");
    let left = report.left_to_cpu.keys();
    let left: Vec<&str> = left.map(String::as_str).collect();
    for op in ["sort", "cumsum", "string_length", "a graph"] {
        assert!(left.contains(&op), "{op} of {left:?}");
    }
    assert!(!left.contains(&"relu"), "{left:?}");
}
