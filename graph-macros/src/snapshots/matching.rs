//! `match` on tensors and on Rust values.

super::forms! {
    match_int: "fn f(x: Tensor<i32>) -> Tensor<i32> {
        match x { 0 => tensor(1), 1 | 2 => x * 2, 3..=9 => x + 1, -5..0 => -x, 100.. => tensor(100), _ => x }
    }"
    match_named_bound: "fn f(x: Tensor<i32>) -> Tensor<i32> { match x { i32::MIN..0 => -x, LIMIT => tensor(0), _ => x } }"
    match_bool: "fn f(p: Tensor<bool>, x: Tensor<i32>) -> Tensor<i32> { match p { true => x, false => -x } }"
    match_binding: "fn f(x: Tensor<i32>) -> Tensor<i32> { match x { 0 => 1, n @ 1..=5 => n * 10, n => n - 1 } }"
    match_guard: "fn f(x: Tensor<i32>, y: Tensor<i32>) -> Tensor<i32> {
        match x { 0 if y > 3 => y, n if n > y => n, _ => x + y }
    }"
    match_statement: "fn f(x: Tensor<i32>) -> Tensor<i32> {
        let mut y = tensor(0);
        match x { 1 => { y += 1; } 2 => y = x, _ => {} }
        y
    }"
    match_in_loop: "fn f(n: Tensor<i32>) -> Tensor<i32> {
        let mut i = tensor(0);
        let mut sum = tensor(0);
        while i < n {
            i += 1;
            match i % 3 { 0 => continue, 1 if sum > 50 => break, _ => sum += i }
        }
        sum
    }"
    match_enum: "fn f(x: Tensor<f32>, activation: Activation) -> Tensor<f32> {
        match activation {
            Activation::Relu => if x > 0.0 { x } else { 0.0 },
            Activation::Scale { factor } => x * factor,
            Activation::None => x,
        }
    }"
    match_option_guard: "fn f(x: Tensor<i32>, k: Option<i32>) -> Tensor<i32> {
        match k { Some(k) if x > k => x - k, Some(_) => x, None => tensor(0) }
    }"
    match_tuple: "fn f(x: Tensor<i32>, a: usize, b: usize) -> Tensor<i32> {
        match (a, a < b) { (0, _) => x, (_, true) => x + 1, _ => x + 2 }
    }"
    match_negative_range: "fn f(x: Tensor<i32>, y: Tensor<i32>) -> Tensor<i32> {
        let mut y = y;
        match x {
            -1..0 => { let v = if !(y > 3) && y % 3 == 0 { y = x; 7 } else { x + y }; y += v; }
            _ => y = x,
        }
        y
    }"
    matches_macro: "fn f(x: Tensor<i32>, k: Option<i32>) -> Tensor<i32> { if matches!(k, Some(1..=3)) { x } else { -x } }"
}
