//! `while`, `loop` and `for`, over tensors and over Rust values.

super::forms! {
    while_: "fn f(n: Tensor<i32>) -> Tensor<i32> {
        let mut i = tensor(0);
        let mut sum = tensor(0);
        while i < n { i += 1; sum += i; }
        sum
    }"
    while_true: "fn f(n: Tensor<i32>) -> Tensor<i32> {
        let mut i = n;
        while true { i += 1; if i % 7 == 0 { break; } }
        i
    }"
    while_let: "fn f(x: Tensor<i32>, stack: Vec<i32>) -> Tensor<i32> {
        let mut stack = stack;
        let mut sum = x;
        while let Some(top) = stack.pop() { if sum > top { sum -= top; } else { sum += 1; } }
        sum
    }"
    while_let_break: "fn f(x: Tensor<i32>, stack: Vec<i32>) -> Tensor<i32> {
        let mut stack = stack;
        let mut sum = x;
        while let Some(top) = stack.pop() { if sum > 10 { break; } sum += top; }
        sum
    }"
    loop_break: "fn f(n: Tensor<i32>) -> Tensor<i32> {
        let mut i = n;
        loop { if i > 100 { break; } i = i * 3; }
        i
    }"
    loop_break_value: "fn f(n: Tensor<i32>) -> Tensor<i32> {
        let mut i = n;
        let found = loop { i += 1; if i % 7 == 0 { break i * 2; } };
        found + 1
    }"
    loop_of_rust: "fn f(x: Tensor<i32>, n: usize) -> Tensor<i32> {
        let mut y = x;
        for _ in 0..n { y = y * 2; }
        y
    }"
    for_rows: "fn f(items: Tensor<i32>) -> Tensor<i32> {
        let mut sum = tensor(0);
        for c in items { sum += c; }
        sum
    }"
    for_range: "fn f(n: Tensor<i32>) -> Tensor<i32> {
        let mut sum = tensor(0);
        for i in 0..n { sum += i; }
        for i in 1..=n { sum -= i; }
        sum
    }"
    for_range_rev_step: "fn f(n: Tensor<i32>) -> Tensor<i32> {
        let mut sum = tensor(0);
        for i in (0..n).rev() { sum = sum * 2 + i; }
        for i in (0..n).step_by(3) { sum += i; }
        sum
    }"
    for_iterator: "fn f(layers: &[Tensor<f32>], x: Tensor<f32>) -> Tensor<f32> {
        let mut y = x;
        for (i, layer) in layers.iter().enumerate() { if i > 0 { y = y.relu(); } y = y * layer; }
        y
    }"
    for_literal_range_tensor_break: "fn f(x: Tensor<i32>) -> Tensor<i32> {
        let mut y = x;
        for i in 0..3 { if y > 10 { break; } y += i; }
        y
    }"
    nested_loops: "fn f(n: Tensor<i32>) -> Tensor<i32> {
        let mut sum = tensor(0);
        for i in 0..n { let mut j = i; while j > 0 { j -= 1; sum += i * j; } }
        sum
    }"
}
