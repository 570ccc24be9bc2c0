//! `break`, `continue`, `return` and `?` at any depth.

super::forms! {
    break_: "fn f(n: Tensor<i32>) -> Tensor<i32> {
        let mut i = tensor(0);
        while i < n { if i * i > n { break; } i += 1; }
        i
    }"
    continue_: "fn f(items: Tensor<i32>) -> Tensor<i32> {
        let mut sum = tensor(0);
        for c in items { if c % 2 > 0 { continue; } sum += c; }
        sum
    }"
    labels: "fn f(n: Tensor<i32>) -> Tensor<i32> {
        let mut sum = tensor(0);
        'outer: for i in 0..n {
            for j in 0..n {
                if j > i { continue 'outer; }
                if sum > 100 { break 'outer; }
                sum += j;
            }
        }
        sum
    }"
    labelled_block: "fn f(x: Tensor<i32>) -> Tensor<i32> {
        let y = 'found: {
            if x > 10 { break 'found x; }
            x * 2
        };
        y + 1
    }"
    break_of_rust: "fn f(x: Tensor<i32>, n: usize) -> Tensor<i32> {
        let mut y = x;
        let mut i = 0;
        while i < n { if i == 3 { break; } i += 1; y += 1; }
        y
    }"
    break_of_rust_in_tensor_loop: "fn f(n: Tensor<i32>, once: bool) -> Tensor<i32> {
        let mut i = tensor(0);
        while i < n { i += 1; if once { break; } }
        i
    }"
    return_: "fn f(x: Tensor<i32>) -> Tensor<i32> { return x; }"
    return_in_if: "fn f(x: Tensor<i32>) -> Tensor<i32> {
        if x < 0 { return -x; }
        x * 2
    }"
    return_in_both_branches: "fn f(x: Tensor<i32>) -> Tensor<i32> { if x < 0 { return 0; } else { return x; } }"
    return_in_nested_loops: "fn f(n: Tensor<i32>) -> Tensor<i32> {
        for i in 0..n {
            let mut j = tensor(0);
            while j < n { if i * j == n { return j; } j += 1; }
        }
        return -1;
    }"
    return_of_rust: "fn f(x: Tensor<i32>, n: usize) -> Tensor<i32> { if n == 0 { return x; } x * 2 }"
    return_unit: "fn f(x: Tensor<i32>) { if x < 0 { return; } graph_print!(\"{}\", x); }"
    question_mark: "fn f(x: Tensor<i32>, k: Option<i32>) -> Option<Tensor<i32>> {
        let k = k?;
        if x > k { Some(x) } else { Some(x + k) }
    }"
}
