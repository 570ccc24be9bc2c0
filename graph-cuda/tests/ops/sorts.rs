//! Sorting, and sums of products.

use super::*;

#[test]
fn values_are_sorted_as_on_the_cpu() {
    let wide = |i: i64| i.wrapping_mul(0x1357_9BDF_2468_ACE1) >> (i % 3 * 16);
    let integers = Array::new(&[3, 50], (0..150).map(wide).collect::<Vec<i64>>());
    let wide = |i: u64| i.wrapping_mul(0x1357_9BDF_2468_ACE1) >> (i % 3 * 16);
    let unsigned = Array::new(&[3, 50], (0..150).map(wide).collect::<Vec<u64>>());
    let mut all = vec![integers, unsigned, special(&[1, 5000]), numbers(&[300, 1])];
    all.extend(DTYPES.map(|dtype| cast(&special(&[7, 33]), dtype)));
    for x in all {
        for axis in [0, 1] {
            for descending in [false, true] {
                let attrs = [Attr::Int(axis), Attr::Bool(descending)];
                Applied::new(&ops::SORT, &attrs, vec![x.clone()]).gives_the_same();
                Applied::new(&ops::ARGSORT, &attrs, vec![x.clone()]).gives_the_same();
            }
        }
        let k = x.shape()[1].min(5) as i64;
        Applied::new(&ops::TOP_K, &[Attr::Int(k)], vec![x]).gives_the_same();
    }
    let attrs = [Attr::Int(1), Attr::Bool(true)];
    Applied::new(&ops::SORT, &attrs, vec![numbers(&[4, 9, 5])]).gives_the_same();
}

#[test]
fn values_are_found_in_sorted_rows() {
    for dtype in DTYPES {
        let x = cast(&numbers(&[4, 33]), dtype);
        let mut sorted = Array::default();
        graph_kernels::sort(&x, 1, false, &mut sorted).unwrap();
        for right in [false, true] {
            let operands = vec![sorted.clone(), cast(&numbers(&[4, 20]), dtype)];
            let attrs = [Attr::Bool(right)];
            Applied::new(&ops::SEARCHSORTED, &attrs, operands).gives_the_same();
        }
    }
}

#[test]
fn permutations_are_inverted() {
    let of = |times: i64| (0..101).map(|i| i * times % 101).collect::<Vec<i64>>();
    let right = Array::new(&[101], of(17));
    let narrow = cast(&right, DType::I32);
    for x in [right.clone(), narrow] {
        Applied::new(&ops::INVERT_PERMUTATION, &[], vec![x]).gives_the_same();
    }
    for wrong in [0, 101, -1] {
        let mut values = of(17);
        values[50] = wrong;
        let x = Array::new(&[101], values);
        Applied::new(&ops::INVERT_PERMUTATION, &[], vec![x]).fails_the_same();
    }
}

#[test]
fn sums_of_products_over_named_axes_are_the_cpus() {
    for (equation, shapes) in [
        ("ij,jk->ik", vec![vec![9, 7], vec![7, 11]]),
        ("ji,kj->ki", vec![vec![7, 9], vec![11, 7]]),
        ("bij,bjk->bki", vec![vec![3, 9, 7], vec![3, 7, 5]]),
        ("...ij,...jk->...ik", vec![vec![2, 1, 4, 7], vec![3, 7, 5]]),
        ("ii->i", vec![vec![40, 40]]),
        ("ijk->ki", vec![vec![4, 6, 5]]),
        ("i,j->ij", vec![vec![20], vec![30]]),
        ("ij,ij->", vec![vec![20, 5], vec![20, 5]]),
        ("ij,jk,kl->il", vec![vec![6, 7], vec![7, 8], vec![8, 5]]),
    ] {
        for dtype in [DType::F32, DType::F64, DType::I32] {
            let operands = shapes.iter().map(|shape| cast(&numbers(shape), dtype));
            let attrs = [Attr::Text(equation.to_owned())];
            let applied = Applied::new(&ops::EINSUM, &attrs, operands.collect());
            gives_about_the_same(&applied, 100);
        }
    }
    let operands = vec![numbers(&[4, 6, 5]), numbers(&[6, 3, 4])];
    let attrs = [ints(&[0, 1]), ints(&[2, 0])];
    gives_about_the_same(&Applied::new(&ops::TENSORDOT, &attrs, operands), 24);
}
