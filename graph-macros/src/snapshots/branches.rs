//! `if` in all its positions, short-circuit operators, and variables without a value.

super::forms! {
    if_statement: "fn f(x: Tensor<i32>) -> Tensor<i32> { let mut y = x; if y > 0 { y = y * 2; } y }"
    if_else: "fn f(x: Tensor<i32>) -> Tensor<i32> {
        let mut a = x;
        let mut b = tensor(1);
        if a > b { a -= b; b *= 2; } else { b = a; }
        a + b
    }"
    else_if_chain: "fn f(x: Tensor<i32>) -> Tensor<i32> {
        let mut sign = tensor(0);
        if x > 0 { sign = tensor(1); } else if x < 0 { sign = tensor(-1); } else { sign += 0; }
        sign
    }"
    if_value: "fn f(x: Tensor<i32>) -> Tensor<i32> { let y = if x > 0 { x + 1 } else { x - 1 }; y * 2 }"
    if_tail: "fn f(x: Tensor<f32>) -> Tensor<f32> { if x > 0.0 { x } else { 0.0 } }"
    if_value_and_state: "fn f(x: Tensor<i32>) -> Tensor<i32> {
        let mut count = tensor(0);
        let y = if x > 0 { count += 1; x } else { -x };
        y + count
    }"
    if_of_rust: "fn f(x: Tensor<i32>, training: bool) -> Tensor<i32> { if training { x * 2 } else { x } }"
    if_certainly_rust: "fn f(items: &[Tensor<i32>]) -> Tensor<i32> { if items.is_empty() { tensor(0) } else { items[0].clone() } }"
    if_let: "fn f(x: Tensor<i32>, bias: Option<Tensor<i32>>) -> Tensor<i32> {
        if let Some(bias) = bias { if bias > x { bias } else { x } } else { x }
    }"
    if_let_chain: "fn f(x: Tensor<i32>, limit: Option<Tensor<i32>>) -> Tensor<i32> {
        let mut y = x;
        if let Some(limit) = &limit && y > *limit { y = limit.clone(); } else { y += 1; }
        y
    }"
    let_else: "fn f(x: Tensor<i32>, k: Option<i32>) -> Tensor<i32> {
        let Some(k) = k else { return x; };
        if x > k { x } else { tensor(k) }
    }"
    deferred_init: "fn f(x: Tensor<i32>) -> Tensor<i32> {
        let y;
        if x > 0 { y = x * 2; } else { y = x * 3; }
        y
    }"
    nested_if: "fn f(x: Tensor<i32>, y: Tensor<i32>) -> Tensor<i32> {
        let mut z = x;
        if x > 0 { if y > 0 { z += y; } else { z -= y; } }
        z
    }"
    moves_in_both_branches: "fn f(x: Tensor<i32>, names: Vec<String>) -> Vec<String> {
        let name = String::new();
        let mut all = names;
        if all.len() > 3 { all.push(name); } else { drop(name); }
        all
    }"
    and_or_not: "fn f(x: Tensor<i32>, y: Tensor<i32>) -> Tensor<bool> { x > 0 && y > 0 || !(x < y) }"
    and_of_conditions: "fn f(x: Tensor<i32>, verbose: bool) -> Tensor<i32> {
        let mut y = x;
        if verbose && y > 0 && y < 10 { y += 1; }
        y
    }"
    comparisons: "fn f(x: Tensor<i32>, n: usize) -> Tensor<bool> {
        let small = n < 3;
        let same = x + 1 == x * 2;
        let other = x != 0;
        if small { same } else if n >= 10 { other } else { x <= 7 }
    }"
}
