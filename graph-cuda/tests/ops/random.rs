//! Random numbers.

use graph_runtime::device;
use graph_runtime::prelude::*;
use graph_runtime::random;

use super::*;

fn seed() -> Array {
    Array::new(&[2], vec![123i64, -7])
}

#[test]
fn random_integers_and_uniform_floats_are_the_cpus() {
    for count in [33, 1000, 5001] {
        for dtype in [DType::F32, DType::F64, DType::F16, DType::BF16] {
            let attrs = [ints(&[count]), Attr::DType(dtype)];
            Applied::new(&ops::STATELESS_UNIFORM, &attrs, vec![seed()]).gives_the_same();
        }
        for dtype in [DType::I32, DType::I64] {
            let attrs = [ints(&[count]), Attr::DType(dtype)];
            Applied::new(&ops::STATELESS_BITS, &attrs, vec![seed()]).gives_the_same();
        }
        let bounds = [
            [Array::new(&[], vec![-3]), Array::new(&[], vec![i32::MAX])],
            [
                Array::new(&[], vec![i64::MIN]),
                Array::new(&[], vec![i64::MAX]),
            ],
        ];
        for bounds in bounds {
            let operands = [vec![seed()], bounds.to_vec()].concat();
            let attrs = [ints(&[count])];
            Applied::new(&ops::STATELESS_INTEGERS, &attrs, operands).gives_the_same();
        }
    }
}

#[test]
fn bounds_without_a_number_between_them_are_a_fault() {
    let bounds = [5, 5].map(|bound| Array::new(&[], vec![bound]));
    let operands = [vec![seed()], bounds.to_vec()].concat();
    Applied::new(&ops::STATELESS_INTEGERS, &[ints(&[100])], operands).fails_the_same();
}

#[test]
fn normal_numbers_are_the_cpus_up_to_their_last_bits() {
    for (dtype, bound) in [(DType::F32, 2e-5), (DType::F64, 1e-12), (DType::F16, 4e-3)] {
        for op in [&ops::STATELESS_NORMAL, &ops::STATELESS_TRUNCATED_NORMAL] {
            let attrs = [ints(&[5001]), Attr::DType(dtype)];
            let results = Applied::new(op, &attrs, vec![seed()]).on_both();
            let [expected, found] = results.map(|x| cast(&x.unwrap(), DType::F64));
            let pairs = expected.values::<f64>().unwrap().iter();
            for (expected, found) in pairs.zip(found.values::<f64>().unwrap()) {
                assert!((expected - found).abs() <= bound, "{expected} {found}");
            }
        }
    }
}

#[graph_fn]
fn drawn() -> Tensor<f32> {
    random::uniform::<f32>(&[300])
}

/// Later runs of a graph are recorded, and their seeds lie in the GPU's memory.
#[test]
fn a_graph_draws_the_cpus_numbers_in_each_run() {
    let _alone = alone();
    let runs = || -> Vec<Vec<f32>> {
        random::set_seed(5);
        (0..6).map(|_| drawn().to_vec()).collect()
    };
    let expected = runs();
    let _scope = device::scope(gpu());
    assert_eq!(runs(), expected);
    assert_ne!(expected[4], expected[5]);
}
