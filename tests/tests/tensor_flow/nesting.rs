//! Functions inside functions: graph functions that call graph functions, closures and nested functions with
//! control flow over tensors, recursion over Rust values, methods, generics, captured tensors.

use std::ops::{AddAssign, Mul};

three_ways! { closures_with_tensor_flow: f(int(3)), f(int(-3));
    fn f(x: Int) -> Int {
        let clamp = |v: Int| if v > 10 { int(10) } else if v < 0 { int(0) } else { v };
        let grow = |v: &Int, by: i32| {
            let mut v = v.clone();
            while v < 20 {
                v = v * 2 + by;
                if v == 13 {
                    return int(-13);
                }
            }
            v
        };
        clamp(x.clone()) * 1000 + clamp(x * 5) + grow(&x, 7)
    }
}

three_ways! { nested_functions_with_tensor_flow: f(int(3)), f(int(-3)), f(int(30));
    fn f(x: Int) -> Int {
        fn sign(x: &Int) -> Int {
            if *x > 0 {
                return int(1);
            }
            if *x == 0 { int(0) } else { int(-1) }
        }
        fn countdown(mut x: Int) -> Int {
            let mut turns = int(0);
            while x > 0 {
                x -= sign(&x) * 4;
                turns += 1;
            }
            turns
        }
        sign(&x) * 100 + countdown(x)
    }
}

three_ways! { recursion_over_rust_values: f(0, int(2)), f(4, int(2)), f(4, int(-2));
    fn f(depth: u32, x: Int) -> Int {
        if depth == 0 {
            return x;
        }
        let y = f(depth - 1, x.clone());
        if x > 0 { y * 2 + 1 } else { y - 1 }
    }
}

three_ways! { plain_helpers_are_traced_through: f(float(3.0)), f(float(-3.0));
    fn f(x: Float) -> Float {
        let mut y = x;
        for _ in 0..3 {
            if y < 5.0 {
                y = affine(&y, 2.0);
            }
        }
        apply_twice(y, |v| v * 0.5)
    }
    fn affine(x: &Float, slope: f32) -> Float {
        x * slope + 1.0
    }
    fn apply_twice(x: Float, g: impl Fn(Float) -> Float) -> Float {
        g(g(x))
    }
}

three_ways! { functions_as_arguments: f(int(3)), f(int(-3));
    fn f(x: Int) -> Int {
        let steps: [fn(Int) -> Int; 2] = [double, negate];
        let mut y = x;
        for step in steps {
            if y < 10 {
                y = step(y);
            }
        }
        let boxed: Box<dyn Fn(Int) -> Int> = if steps.len() > 1 { Box::new(|v| v + 1) } else { Box::new(double) };
        boxed(y)
    }
    fn double(x: Int) -> Int {
        x * 2
    }
    fn negate(x: Int) -> Int {
        -x
    }
}

three_ways! { iterators_of_tensors: f(vec![int(3), int(8), int(5)]), f(vec![]);
    fn f(items: Vec<Int>) -> (Int, Vec<Int>) {
        let capped: Vec<Int> = items.iter().map(|x| if *x > 4 { x * 10 } else { x.clone() }).collect();
        let largest = capped.iter().fold(int(0), |m, x| if *x > m { x.clone() } else { m });
        let sums = capped
            .iter()
            .scan(int(0), |sum, x| {
                *sum += x;
                Some(sum.clone())
            })
            .collect();
        (largest, sums)
    }
}

mod tensors_only {
    use super::*;
    use crate::support::{assert_ways, eagerly, outcome, traced};
    use graph_runtime::prelude::*;
    use graph_runtime::tensor::Number;

    #[graph_fn]
    fn collatz_step(n: Tensor<i32>) -> Tensor<i32> {
        if n % 2 == 0 { n / 2 } else { n * 3 + 1 }
    }

    #[graph_fn]
    fn collatz(n: Tensor<i32>, limit: usize) -> (Tensor<i32>, Tensor<i32>) {
        let mut n = n;
        let mut steps = tensor(0);
        while n != 1 && steps < limit as i32 {
            n = collatz_step(n);
            steps += 1;
        }
        (n, steps)
    }

    #[test]
    fn a_graph_function_in_the_loop_of_another() {
        assert_ways(&["(1, 8)", "(10, 3)"].map(String::from), || {
            vec![
                outcome(|| collatz(tensor(6), 100)),
                outcome(|| collatz(tensor(13), 3)),
            ]
        });
        // One signature is traced once, for calls from inside and from outside.
        traced(|| collatz_step(tensor(5)));
        assert_eq!(collatz_step::function().trace_count(), 1);
        assert_eq!(collatz::function().trace_count(), 2);
    }

    /// Recursion that a Rust value ends: one trace for each depth.
    #[graph_fn]
    fn tower(x: Tensor<i32>, depth: usize) -> Tensor<i32> {
        if depth == 0 {
            return x;
        }
        let below = tower(x.clone(), depth - 1);
        if below > 100 { below } else { below * x }
    }

    #[test]
    fn recursion_of_a_graph_function() {
        assert_ways(&["243".to_string(), "16".to_string()], || {
            vec![
                outcome(|| tower(tensor(3), 9)),
                outcome(|| tower(tensor(2), 3)),
            ]
        });
        assert_eq!(tower::function().trace_count(), 10);
    }

    /// Generic over the element type: one set of traces for each type.
    #[graph_fn]
    fn geometric<T: Number>(ratio: Tensor<T>, n: Tensor<i32>) -> Tensor<T>
    where
        Tensor<T>: Mul<Output = Tensor<T>> + AddAssign<Tensor<T>>,
    {
        let mut term = ratio.ones_like();
        let mut sum = ratio.zeros_like();
        for _ in 0..n {
            sum += term.clone();
            term = term.clone() * ratio.clone();
        }
        sum
    }

    #[test]
    fn a_generic_graph_function() {
        assert_ways(&["40".to_string(), "1.75".to_string()], || {
            vec![
                outcome(|| geometric(tensor(3), tensor(4))),
                outcome(|| geometric(tensor(0.5), tensor(3))),
            ]
        });
    }

    struct Layer {
        weight: Tensor<f32>,
        bias: f32,
        active: bool,
    }

    impl Layer {
        #[graph_fn]
        pub fn forward(&self, x: Tensor<f32>) -> Tensor<f32> {
            let y = x * &self.weight + self.bias;
            if self.active && y < 0.0 { y * 0.5 } else { y }
        }
    }

    #[graph_fn]
    fn network(x: Tensor<f32>, layers: &[Layer]) -> Tensor<f32> {
        let mut x = x;
        for layer in layers {
            x = layer.forward(x);
            if x > 100.0 {
                break;
            }
        }
        x
    }

    #[test]
    fn methods_of_structs_with_tensors() {
        // 2 * 3 + 1 = 7; 7 * -2 + 0 = -14, halved -7. 50 stops at 151.
        assert_ways(&["-7.0".to_string(), "151.0".to_string()], || {
            let layers = [
                Layer {
                    weight: tensor(3.0),
                    bias: 1.0,
                    active: false,
                },
                Layer {
                    weight: tensor(-2.0),
                    bias: 0.0,
                    active: true,
                },
            ];
            vec![
                outcome(|| network(tensor(2.0), &layers)),
                outcome(|| network(tensor(50.0), &layers)),
            ]
        });
    }

    trait Activation {
        fn apply(&self, x: Tensor<f32>) -> Tensor<f32>;
    }
    struct Relu;
    struct Leaky(f32);
    impl Activation for Relu {
        #[graph_fn]
        fn apply(&self, x: Tensor<f32>) -> Tensor<f32> {
            if x > 0.0 { x } else { 0.0 }
        }
    }
    impl Activation for Leaky {
        #[graph_fn]
        fn apply(&self, x: Tensor<f32>) -> Tensor<f32> {
            if x > 0.0 { x } else { x * self.0 }
        }
    }

    #[graph_fn]
    fn activated(x: Tensor<f32>, by: &dyn Activation) -> Tensor<f32> {
        by.apply(x - 1.0)
    }

    #[test]
    fn methods_of_traits() {
        assert_ways(&["2.0", "0.0", "-1.0"].map(String::from), || {
            vec![
                outcome(|| activated(tensor(3.0), &Relu)),
                outcome(|| activated(tensor(-3.0), &Relu)),
                outcome(|| activated(tensor(-3.0), &Leaky(0.25))),
            ]
        });
    }

    /// A tensor from outside is captured with its value at tracing.
    #[test]
    fn captured_tensors() {
        #[graph_fn]
        fn scaled(x: Tensor<f32>, by: impl Fn() -> Tensor<f32>) -> Tensor<f32> {
            if x > 0.0 { x * by() } else { by() }
        }
        let factor = tensor(4.0);
        let run = || {
            vec![
                outcome(|| scaled(tensor(2.0), || factor.clone())),
                outcome(|| scaled(tensor(-2.0), || factor.clone())),
            ]
        };
        assert_ways(&["8.0".to_string(), "4.0".to_string()], run);
    }

    /// A graph function in another one has its own traces; eagerly nothing is traced.
    #[test]
    fn nothing_is_traced_eagerly() {
        #[graph_fn]
        fn inner(x: Tensor<i32>) -> Tensor<i32> {
            if x > 0 { x } else { -x }
        }
        #[graph_fn]
        fn outer(x: Tensor<i32>) -> Tensor<i32> {
            inner(x - 5) + inner(x)
        }
        assert_eq!(eagerly(|| outer(tensor(3)).item()), 5);
        assert_eq!(
            (
                outer::function().trace_count(),
                inner::function().trace_count()
            ),
            (0, 0)
        );
        assert_eq!(traced(|| outer(tensor(3)).item()), 5);
        assert_eq!(
            (
                outer::function().trace_count(),
                inner::function().trace_count()
            ),
            (1, 1)
        );
    }
}
