// A function that returns a `Result` returns the errors of the graph.
use graph_runtime::prelude::*;

#[graph_fn]
fn parsed(x: Tensor<i32>, text: &str) -> graph_runtime::Result<Tensor<i32>> {
    let n = text.parse::<i32>().unwrap_or(0);
    assert!(x != n, "x is the number");
    Ok(if x > n { x - n } else { n - x })
}

#[test]
fn runs() {
    assert_eq!(parsed(tensor(3), "10").unwrap().item(), 7);
    assert!(
        parsed(tensor(10), "10")
            .unwrap_err()
            .to_string()
            .contains("x is the number")
    );
    assert_eq!(parsed(tensor(30), "10").unwrap().item(), 20);
}
