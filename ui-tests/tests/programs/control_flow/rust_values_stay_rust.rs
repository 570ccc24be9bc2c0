// Control flow over Rust values accepts everything that plain Rust accepts.
use graph_runtime::prelude::*;

#[graph_fn]
fn described(x: Tensor<i32>, names: Vec<String>, verbose: bool) -> Tensor<i32> {
    let mut lengths = Vec::new();
    let mut longest: Option<String> = None;
    for name in names {
        lengths.push(name.len());
        if longest.as_ref().is_none_or(|l| l.len() < name.len()) {
            longest = Some(name);
        }
    }
    let mut steps = 0usize;
    while steps < lengths.len() {
        steps += 1;
    }
    let factor = if verbose {
        steps + longest.map_or(0, |l| l.len())
    } else {
        1
    };
    x * factor as i32
}

#[test]
fn runs() {
    let names = vec!["a".to_string(), "abc".to_string()];
    assert_eq!(described(tensor(2), names.clone(), true).item(), 10);
    assert_eq!(described(tensor(2), names, false).item(), 2);
}
