//! Operands, literals, indexing, assignments, macros and bindings.

super::forms! {
    operands: "fn f(x: Tensor<f32>, w: &Tensor<f32>, b: f32) -> Tensor<f32> { (x * x + w * 2.0 - b) / -x }"
    float_beside_a_parameter: "fn f<T: Float>(x: Tensor<T>, rate: f32) -> Tensor<T> {
        let mut y = 1.0 - x * 0.9;
        y *= 0.5;
        if y.sum() > 0.5 { y } else { x / rate }
    }"
    compound_assign: "fn f(x: Tensor<i32>) -> Tensor<i32> {
        let mut y = x;
        let mut n = 0;
        y += x * 2; y -= 1; y *= y; y /= 3; y %= 5;
        n += 1;
        y + n
    }"
    literal_lifting: "fn f(x: Tensor<i32>) -> (Tensor<i32>, Tensor<f32>) {
        let mut y: Tensor<i32> = 7;
        let mut z = x;
        z = 0;
        if x > 0 { y = -1; z = y; }
        if z > 3 { return (0, 1.5); }
        (z, 2.5)
    }"
    indexing: "fn f(x: Tensor<i32>, i: Tensor<i32>, k: usize) -> Tensor<i32> { x[i] + x[0] * x[k] - x[i + 1] }"
    slices: "fn f(x: Tensor<i32>, n: Tensor<i32>) -> Tensor<i32> { let a = x[1..3]; let b = x[..n]; a.sum(()) + b.sum(()) + x[2..].sum(()) }"
    index_assignment: "fn f(xs: Vec<Tensor<i32>>, x: Tensor<i32>) -> Vec<Tensor<i32>> { let mut xs = xs; if x > 0 { xs[0] = x; xs[1] += 2; } xs }"
    asserts: "fn f(x: Tensor<i32>, n: usize) -> Tensor<i32> {
        assert!(x > 0, \"negative: {}\", x);
        assert_eq!(n, 3);
        assert_eq!(x % 2, 0, \"odd\");
        debug_assert!(n > 0);
        x
    }"
    unwrap_in_a_branch: "fn f(x: Tensor<i32>, text: &str, n: Option<i32>) -> Tensor<i32> {
        if x > 0 {
            text.parse::<i32>().unwrap() + x
        } else {
            x * n.expect(\"n\")
        }
    }"
    asserts_in_a_branch: "fn f(x: Tensor<i32>, n: usize) -> Tensor<i32> {
        if x > 0 {
            assert!(n > 3, \"n is {n}\");
        }
        x
    }"
    macro_arguments: "fn f(x: Tensor<i32>, n: usize) -> Vec<Tensor<bool>> {
        println!(\"traced {} {}\", n > 3, n);
        graph_print!(\"x = {x}, {}\", x + 1);
        vec![x > 0, x < n as i32]
    }"
    tuples_and_arrays: "fn f(x: Tensor<i32>) -> (Tensor<bool>, [Tensor<i32>; 2]) { let pair = (x > 0, [x, x + 1]); pair }"
    shadowing: "fn f(x: Tensor<i32>) -> Tensor<i32> {
        let x = x + 1;
        if x > 3 { let x = x * 2; return x; }
        let x = x - 1;
        x
    }"
    destructuring_assignment: "fn f(n: Tensor<i32>) -> Tensor<i32> {
        let (mut a, mut b) = (tensor(0), tensor(1));
        let mut i = tensor(0);
        while i < n { (a, b) = (b, a + b); i += 1; }
        a
    }"
    block_value: "fn f(x: Tensor<i32>) -> Tensor<i32> { let y = { let z = x * 2; if z > 4 { z } else { x } }; y }"
    casts: "fn f(x: Tensor<i32>, n: usize) -> Tensor<f32> { let k = n as f32; x.cast::<f32>() * k }"
    struct_value: "fn f(x: Tensor<i32>) -> Pair { let left = x + 1; if left > 3 { Pair { left, right: x } } else { Pair { left: x, right: left } } }"
    closures: "fn f(x: Tensor<i32>) -> Tensor<i32> {
        let clip = |v: Tensor<i32>| if v > 10 { tensor(10) } else { v };
        let first = |v: Tensor<i32>| -> Tensor<i32> { if v < 0 { return 0; } v };
        clip(x.clone()) + first(x)
    }"
    nested_fn: "fn f(x: Tensor<i32>) -> Tensor<i32> {
        fn relu(v: Tensor<i32>) -> Tensor<i32> { if v > 0 { v } else { 0 } }
        relu(-x) + relu(x)
    }"
    fields_behind_references: "fn f(model: &Model, x: Tensor<f32>) -> (Tensor<f32>, usize) { (x.matmul(model.weight), model.layers) }"
    literal_beside_a_call: "fn f(text: &str) -> String {
        let rate = if text.is_empty() { 0.5 } else { text.parse().unwrap() };
        format!(\"{rate}\")
    }"
    among_numbers: "fn f(x: Tensor<i32>) -> Tensor<bool> { [1, -2].contains(&x) || (0..10).contains(&x) }"
}
