//! A short soak: a five-thousandth of the work of an hour, with all checks but that of the memory.

use std::process::Command;

#[test]
fn some_of_everything_from_many_threads() {
    let output = Command::new(env!("CARGO_BIN_EXE_soak"))
        .args(["--minutes", "0.02", "--part", "0.0002"])
        .output()
        .expect("the program");
    let said = String::from_utf8_lossy(&output.stdout);
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{complained}");
    let count = |name: &str| {
        let line = said.lines().find(|line| line.ends_with(name));
        let number = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        number.unwrap_or_else(|| panic!("no `{name}` in {said}"))
    };
    assert!(count(" calls") >= 2000);
    assert!(count(" calls that fail") >= 200);
    assert!(count(" signatures") >= 20);
    assert!(count(" variables") >= 20);
    assert!(count(" datasets left in the middle") >= 2);
}
