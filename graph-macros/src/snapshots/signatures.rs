//! Parameters, generics and methods; the items beside the function.

super::forms! {
    method_ref_self: "pub fn scaled(&self, x: Tensor<f32>) -> Tensor<f32> { if x > self.limit { x * self.factor } else { x } }"
    method_gives_a_field: "pub fn weight(&self) -> Tensor<f32> { self.weight }"
    method_mut_self: "pub fn step(&mut self, by: Tensor<f32>) -> Tensor<f32> {
        if by > 0.0 { self.total += by; }
        self.total.clone()
    }"
    method_self: "pub fn end(self) -> Tensor<f32> { if self.total > 0.0 { self.total } else { 0.0 } }"
    associated_function: "pub fn of(x: Tensor<f32>) -> Self { if x > 0.0 { Self { total: x } } else { Self { total: -x } } }"
    trait_impl: "fn area(&self) -> Tensor<f32> { if self.side > 0.0 { self.side * self.side } else { 0.0 } }"
    generics: "fn f<T: Number>(x: Tensor<T>, y: Tensor<T>) -> Tensor<T> where T: PartialOrd { if x > y { x } else { y } }"
    const_generics: "fn f<const N: usize, const FLIP: bool>(x: Tensor<f32>) -> Tensor<f32> {
        let mut y = x;
        for _ in 0..N { y = y * x; }
        if FLIP { -y } else { y }
    }"
    lifetimes: "fn f<'a>(xs: &'a [Tensor<f32>], i: usize) -> &'a Tensor<f32> { if i < xs.len() { &xs[i] } else { &xs[0] } }"
    impl_trait_argument: "fn f(x: Tensor<f32>, g: impl Fn(Tensor<f32>) -> Tensor<f32>) -> Tensor<f32> { if x > 0.0 { g(x) } else { x } }"
    mut_param: "fn f(mut x: Tensor<i32>) -> Tensor<i32> { while x > 10 { x /= 2; } x }"
    mut_ref_param: "fn f(x: &mut Tensor<i32>, by: &Tensor<i32>) { if *x > 3 { *x += by; } }"
    pattern_param: "fn f((x, mut y): (Tensor<i32>, Tensor<i32>), [a, b]: [i32; 2]) -> Tensor<i32> { if x > a { y += b; } y }"
    no_control_flow: "fn f(x: Tensor<f32>, w: Tensor<f32>) -> Tensor<f32> { x.matmul(w).relu() }"
}

#[test]
fn beside_a_function() {
    super::check_item(
        "beside_a_function",
        "/// Doubles.\n#[must_use] pub fn double(x: Tensor<i32>) -> Tensor<i32> { x * 2 }",
    );
}

#[test]
fn beside_a_method() {
    super::check_item(
        "beside_a_method",
        "pub fn double(&self) -> Tensor<i32> { self.x * 2 }",
    );
}

#[test]
fn impl_block() {
    super::check_item(
        "impl_block",
        "impl Model { pub fn a(&self, x: Tensor<i32>) -> Tensor<i32> { x } const K: i32 = 3; }",
    );
}
