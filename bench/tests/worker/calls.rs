//! Small calls, elementwise chains, and the function that is traced again in each call.

use graph_bench::workloads::call_costs::CALL_COSTS;
use ndarray::{ArrayD, arr0, arr1};

use crate::case::Case;

#[test]
fn one_is_added_to_a_scalar() {
    let mut case = Case::new("call_overhead_add_scalar");
    let x = case.random(&[]);
    case.gives([x + 1.0], 1e-6);
}

#[test]
fn a_positive_number_is_squared() {
    for (x, expected) in [(3, 9), (-3, 0), (0, 0)] {
        let mut case = Case::new("seed_square_if_positive_scalar");
        case.input(&arr0(x).into_dyn());
        case.run();
        assert_eq!(case.output::<i32>(0), arr0(expected).into_dyn());
    }
}

#[test]
fn a_hundred_operations() {
    let mut case = Case::new("trace_time_100_ops");
    let mut x = case.random(&[5]);
    for k in 0..25 {
        x.mapv_inplace(|x| (x * (1.0 + 0.01 * f64::from(k)) + 0.1).tanh().max(-0.5));
    }
    case.gives([x], 1e-5);
}

#[test]
fn the_elementwise_chain() {
    for name in ["elementwise_chain_1e3", "elementwise_chain_1e6"] {
        let mut case = Case::new(name);
        let x = case.random(&[37]);
        let expected = x.mapv(|x| {
            let leaky = if x > 0.0 { x } else { 0.1 * x };
            (x * 2.0 + 1.0).tanh() / (1.0 + (-x).exp()) - (-x * x).exp() + leaky
        });
        case.gives([expected], 1e-6);
    }
}

#[test]
fn one_step_of_collatz_for_each_number() {
    let mut case = Case::new("seed_collatz_vec");
    case.input(&arr1(&[1, 2, 7, 10, 999_999]).into_dyn());
    case.run();
    let expected: ArrayD<i32> = arr1(&[4, 1, 22, 5, 2_999_998]).into_dyn();
    assert_eq!(case.output::<i32>(0), expected);
}

#[test]
fn one_is_added_by_every_way_in() {
    for cost in &CALL_COSTS {
        let case = Case::new(cost.name);
        case.run();
        assert_eq!(case.output::<f32>(0), arr0(2.5).into_dyn(), "{}", cost.name);
    }
}
