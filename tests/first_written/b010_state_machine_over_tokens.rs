//! A state machine that checks parentheses. From: conformance state_machine_over_string_tokens.
use graph_runtime::prelude::*;

#[graph_fn]
fn run(tokens: Tensor<String>) -> (Tensor<String>, Tensor<i32>, Tensor<bool>) {
    let mut state = tensor("idle");
    let mut depth = tensor(0);
    let mut bad = tensor(false);
    for t in tokens {
        if t == "(" {
            depth += 1;
            state = tensor("open");
        } else if t == ")" {
            depth -= 1;
            state = tensor("closed");
            if depth < 0 {
                bad = tensor(true);
                break;
            }
        } else {
            continue;
        }
    }
    (state, depth, bad)
}

fn check(tokens: [&str; 3], state: &str, depth: i32, bad: bool) {
    let (s, d, b) = run(tensor(tokens));
    assert_eq!(s.item(), state);
    assert_eq!(d.item(), depth);
    assert_eq!(b.item(), bad);
}

fn main() {
    check(["(", "a", ")"], "closed", 0, false);
    check(["(", "(", ")"], "closed", 1, false);
    check([")", "(", "("], "closed", -1, true);
    check(["x", "y", "z"], "idle", 0, false);
}
