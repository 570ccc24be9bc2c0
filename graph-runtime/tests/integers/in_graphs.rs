//! Integers in graph functions: literals, loops, constants, variables and printing.

use graph_runtime::prelude::*;

#[graph_fn]
fn decided(
    x: Tensor<u32>,
    y: Tensor<i8>,
    z: Tensor<u64>,
) -> (Tensor<u32>, Tensor<i8>, Tensor<u64>) {
    let mut n = x;
    let mut steps = tensor(0);
    if n > 0x8000_0000 {
        n = n / 2;
    } else if n == 7 {
        n = 1;
    }
    while n % 2 == 0 {
        n >>= 1;
        steps += 1;
    }
    let mut y = match y {
        -128 => 1,
        -127..=-1 => -y,
        0 => 0,
        _ => y,
    };
    y += steps;
    let z = if z >= 1 << 63 { z - (1 << 63) } else { 2 * z };
    (n, y, z)
}

fn plainly(x: u32, y: i8, z: u64) -> (u32, i8, u64) {
    let mut n = x;
    let mut steps = 0i8;
    if n > 0x8000_0000 {
        n /= 2;
    } else if n == 7 {
        n = 1;
    }
    while n & 1 == 0 {
        n >>= 1;
        steps += 1;
    }
    let y = if y == -128 { 1 } else { y.wrapping_abs() };
    (
        n,
        y.wrapping_add(steps),
        if z >= 1 << 63 { z - (1 << 63) } else { 2 * z },
    )
}

#[test]
fn literals_stand_beside_tensors_under_the_attribute() {
    for (x, y, z) in [
        (0xffff_fff0u32, -128i8, 1u64 << 63),
        (7, -3, u64::MAX),
        (96, 0, 5),
        (0x8000_0001, 127, 0),
    ] {
        let (a, b, c) = decided(tensor(x), tensor(y), tensor(z));
        assert_eq!(
            (a.item(), b.item(), c.item()),
            plainly(x, y, z),
            "{x} {y} {z}"
        );
    }
}

#[graph_fn]
fn counted(
    n: Tensor<u8>,
    low: Tensor<i8>,
    high: Tensor<u64>,
) -> (Tensor<u8>, Tensor<i32>, Tensor<u64>) {
    let mut sum = tensor(0u8);
    for i in 0..n {
        sum += i;
    }
    let mut count = tensor(0);
    for i in low..=127 {
        if i > -100 {
            count += 1;
        }
    }
    let mut last = tensor(0u64);
    for i in (high - 3..high).rev() {
        last = i;
    }
    (sum, count, last)
}

#[test]
fn ranges_of_a_loop_count_in_any_integers() {
    let (sum, count, last) = counted(tensor(200), tensor(-128), tensor(u64::MAX));
    assert_eq!(sum.item(), (0..200u32).sum::<u32>() as u8);
    assert_eq!((count.item(), last.item()), (227, u64::MAX - 3));
}

/// The text of a graph contains the values of constants, and can be parsed.
#[test]
fn constants_are_in_the_text_of_graphs() {
    #[graph_fn]
    fn constants() -> (Tensor<i8>, Tensor<u64>, Tensor<u16>) {
        (
            tensor([-128i8, 127]),
            tensor(u64::MAX),
            tensor([u16::MAX; 20]),
        )
    }
    let concrete = constants::concrete().unwrap();
    let text = concrete.graph().to_string();
    for words in [
        "int8[2]",
        "[-128, 127]",
        "uint64[]",
        "18446744073709551615",
        "[65535; 20]",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
    let read: graph_runtime::graph::Graph = text.parse().unwrap();
    assert_eq!(read.to_string(), text);
}

#[test]
fn variables_arrays_and_datasets_hold_them() {
    let v = Variable::new(tensor([250u8, 1]));
    v.assign_add(tensor([10u8, 1]));
    assert_eq!(v.read().to_vec(), [4, 2]);
    let counter = Variable::new(tensor(i16::MAX));
    #[graph_fn]
    fn count(counter: &Variable<i16>) -> Tensor<i16> {
        counter.assign_add(1);
        counter.read() / 2 * 3
    }
    assert_eq!(count(&counter).item(), (i16::MIN / 2).wrapping_mul(3));
    assert_eq!(counter.read().item(), i16::MIN);
    let data = Dataset::from_slices(tensor([1u32, 2, u32::MAX]))
        .map(|x: Tensor<u32>| x + 1)
        .batch(2);
    let batches: Vec<Vec<u32>> = data
        .iter()
        .map(|batch: Tensor<u32>| batch.to_vec())
        .collect();
    assert_eq!(batches, [vec![2, 3], vec![0]]);
    let mut rows = TensorArray::<i8>::dynamic();
    rows.push(tensor([-1i8, 2]));
    rows.push(tensor([3i8, -128]));
    assert_eq!(rows.stack().to_vec(), [-1, 2, 3, -128]);
}

#[test]
fn they_print_as_numpy_prints_them() {
    assert_eq!(tensor([-128i8, 5]).to_string(), "[-128    5]");
    assert_eq!(tensor(u16::MAX).to_string(), "65535");
    assert_eq!(
        tensor([[u32::MAX], [0]]).to_string(),
        "[[4294967295]\n [         0]]"
    );
    assert!(format!("{:?}", tensor([1i16])).contains("int16"));
}
