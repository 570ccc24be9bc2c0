//! Methods that arrange, index, sort and count, eagerly and in graphs that know the rank of their argument but no size. The
//! expected values are TensorFlow's.

use graph_runtime::prelude::*;
use graph_runtime::tensor::meshgrid_ij;
use graph_runtime::{Error, random};

/// The shape and the values of a tensor.
fn parts<T: graph_runtime::Element>(x: &Tensor<T>) -> (Vec<usize>, Vec<T>) {
    (x.array().shape().to_vec(), x.to_vec())
}

/// Calls a function eagerly and in a graph that doesn't know the argument's sizes, and compares both results with a shape and values.
macro_rules! both {
    ($($from:ty => $to:ty: $x:expr, |$v:ident| $body:expr, $shape:expr, $values:expr;)*) => { $({
        fn eager($v: Tensor<$from>) -> Tensor<$to> {
            $body
        }
        #[graph_fn]
        fn traced(x: Tensor<$from>) -> Tensor<$to> {
            let sizes = vec![None; x.rank()];
            eager(x.relax_shape(&sizes))
        }
        let x: Tensor<$from> = $x;
        let expected: (Vec<usize>, Vec<$to>) = ($shape.to_vec(), $values.to_vec());
        assert_eq!(parts(&eager(x.clone())), expected, "eagerly: {}", stringify!($body));
        assert_eq!(parts(&traced(x)), expected, "in a graph: {}", stringify!($body));
    })* };
}

fn rows() -> Tensor<i32> {
    tensor([[1, 2], [3, 4], [5, 6]])
}

fn cube() -> Tensor<i32> {
    range(0, 24, 1).reshape(&[2, 3, 4])
}

#[test]
fn parts_of_a_tensor() {
    both! {
        i32 => i32: tensor([1, 2, 3, 4]), |x| x.split(2, 0)[1].clone(), [2], [3, 4];
        i32 => i32: rows(), |x| x.split(2, -1)[1].clone(), [3, 1], [2, 4, 6];
        i32 => i32: rows(), |x| concat(x.split(3, 0), 1), [1, 6], [1, 2, 3, 4, 5, 6];
        i32 => i32: rows(), |x| x.slice(&[1, 0], &[-1, 1]), [2, 1], [3, 5];
        i32 => i32: rows(), |x| x.slice(x.shape_tensor() - 1, tensor([1, -1])), [1, 1], [6];
    }
    let columns = rows().unstack(-1);
    assert_eq!(
        (columns[0].to_vec(), columns[1].to_vec()),
        (vec![1, 3, 5], vec![2, 4, 6])
    );
    let sizes = rows().split_sizes(&[2, 0, 1], 0);
    assert_eq!(
        (sizes[0].to_vec(), sizes[1].to_vec(), sizes[2].to_vec()),
        (vec![1, 2, 3, 4], vec![], vec![5, 6])
    );
}

#[test]
fn indices_of_every_kind() {
    both! {
        i32 => i32: cube(), |x| x.get((Ellipsis, 1)), [2, 3], [1, 5, 9, 13, 17, 21];
        i32 => i32: cube(), |x| x.get((1, Ellipsis, 0)), [3], [12, 16, 20];
        i32 => i32: cube(), |x| x.get((0, NewAxis, 1, NewAxis)), [1, 1, 4], [4, 5, 6, 7];
        i32 => i32: cube(), |x| x.get((NewAxis, 0, Ellipsis, NewAxis, -1)), [1, 3, 1], [3, 7, 11];
        i32 => i32: cube(), |x| x.get((.., (..).by(-2), 2..)), [2, 2, 2], [10, 11, 2, 3, 22, 23, 14, 15];
        i32 => i32: cube(), |x| x.get((.., tensor(-1), tensor(1)..tensor(3))), [2, 2], [9, 10, 21, 22];
        i32 => i32: cube(), |x| x.get((Ellipsis, (tensor(3)..).by(tensor(-2)))), [2, 3, 2], [3, 1, 7, 5, 11, 9, 15, 13, 19, 17, 23, 21];
        i32 => i32: cube(), |x| x.get((0, Ellipsis, 1..2, 0)), [1], [4];
        i32 => i32: rows(), |x| x.get((.., ..tensor(1i64))), [3, 1], [1, 3, 5];
        i32 => i32: rows(), |x| x.get((tensor(0)..).by(2)), [2, 2], [1, 2, 5, 6];
    }
}

#[test]
fn arrangements() {
    both! {
        i32 => i32: rows(), |x| x.roll(tensor(1), 0), [3, 2], [5, 6, 1, 2, 3, 4];
        i32 => i32: rows(), |x| x.roll([1, -1], [0, 1]), [3, 2], [6, 5, 2, 1, 4, 3];
        i32 => i32: rows(), |x| x.roll(tensor([1, 1, 1]), &[0, -1, 0]), [3, 2], [4, 3, 6, 5, 2, 1];
        i32 => i32: rows(), |x| x.roll((tensor(1), 1), [0, 1]), [3, 2], [6, 5, 2, 1, 4, 3];
        i32 => i32: rows(), |x| x.reverse(&[0, 1]), [3, 2], [6, 5, 4, 3, 2, 1];
        i32 => i32: rows(), |x| x.repeat(2, 1), [3, 4], [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6];
        i32 => i32: rows(), |x| x.repeat_each(tensor([1, 0, 2]), 0), [3, 2], [1, 2, 5, 6, 5, 6];
        i32 => i32: rows(), |x| x.swapaxes(0, -1), [2, 3], [1, 3, 5, 2, 4, 6];
        i32 => i32: cube(), |x| x.moveaxis(0, 2).get((0, ..)), [4, 2], [0, 12, 1, 13, 2, 14, 3, 15];
        i32 => i32: rows(), |x| x.pad_with([(1, 0), (0, 2)], 9), [4, 4], [9, 9, 9, 9, 1, 2, 9, 9, 3, 4, 9, 9, 5, 6, 9, 9];
        i32 => i32: tensor([1, 2, 3]), |x| x.pad_reflect(&[(2, 2)]), [7], [3, 2, 1, 2, 3, 2, 1];
        i32 => i32: tensor([1, 2, 3]), |x| x.pad_symmetric(&[(3, 2)]), [8], [3, 2, 1, 1, 2, 3, 3, 2];
        i32 => i32: tensor([1, 2]), |x| meshgrid([x, tensor([4, 5, 6])])[0].clone(), [3, 2], [1, 2, 1, 2, 1, 2];
        i32 => i32: tensor([1, 2]), |x| meshgrid_ij([x, tensor([4, 5, 6])])[1].clone(), [2, 3], [4, 5, 6, 4, 5, 6];
    }
    let image = range(0, 16, 1).reshape(&[1, 4, 4, 1]);
    let deep = image.space_to_depth(2);
    assert_eq!(
        parts(&deep),
        (
            vec![1, 2, 2, 4],
            vec![0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15]
        )
    );
    assert_eq!(parts(&deep.depth_to_space(2)), parts(&image));
}

#[test]
fn positions() {
    both! {
        i32 => i32: rows(), |x| x.gather_nd(tensor([[0, 1], [2, 0]])), [2], [2, 5];
        i32 => i32: rows(), |x| x.gather_nd_batch(tensor([[1], [0], [1]]), 1), [3], [2, 3, 6];
        i32 => i32: rows(), |x| x.gather_batch(tensor([[0, 1], [1, 1], [0, 0]]), 1, 1), [3, 2], [1, 2, 4, 4, 5, 5];
        i32 => i32: rows(), |x| x.take_along_axis(tensor([[1], [0], [-1]]), 1), [3, 1], [2, 3, 6];
        i32 => i64: rows(), |x| (x % 2).nonzero(), [3, 2], [0, 0, 1, 0, 2, 0];
        i32 => i32: rows(), |x| x.with_rows(tensor([2, 0]), tensor([[7, 7], [8, 8]])), [3, 2], [8, 8, 3, 4, 7, 7];
        i32 => i32: tensor([[1], [3], [1]]), |x| scatter_nd(&x, tensor([9, 10, 11]), &[5]), [5], [0, 20, 0, 10, 0];
        i32 => i32: tensor([1, 2, 3]), |x| x.scatter_add(tensor([[1], [1]]), tensor([7, 8])), [3], [1, 17, 3];
        i32 => i32: rows(), |x| x.add_along_axis(tensor([[1, 1], [0, 0], [-1, 0]]), tensor([[7, 8], [9, 10], [11, 12]]), 1), [3, 2], [1, 17, 22, 4, 17, 17];
        i32 => i32: tensor([2, 0, 1]), |x| x.invert_permutation(), [3], [1, 2, 0];
    }
}

fn zeros_and_ones() -> Tensor<i32> {
    tensor([[0, 1, 0], [1, 1, 0]])
}

/// TensorFlow's `in_topk_op_test.py`.
#[test]
fn targets_among_the_highest_predictions() {
    let nan = f32::NAN;
    both! {
        f32 => bool: tensor([[0.1f32, 0.3, 0.2, 0.4], [0.1, 0.2, 0.3, 0.4]]), |x| x.in_top_k(tensor([3, 2]), 1), [2], [true, false];
        f32 => bool: tensor([[0.1f32, 0.3, 0.2, 0.4], [0.1, 0.2, 0.3, 0.4]]), |x| x.in_top_k(tensor([2i64, 2]), 2), [2], [false, true];
        f32 => bool: tensor([[0.1f32, 0.3, 0.2, 0.2], [0.1, 0.3, 0.2, 0.2]]), |x| x.in_top_k(tensor([2, 3]), 2), [2], [true, true];
        f32 => bool: tensor([[0.1f32, 0.3, 0.2, 0.4], [0.1, 0.2, 0.3, 0.4]]), |x| x.in_top_k(tensor([0, 80000]), 2), [2], [false, false];
        f32 => bool: tensor([[0.1f32, nan, 0.2, 0.4], [0.1, 0.2, 0.3, f32::INFINITY]]), |x| x.in_top_k(tensor([3, 3]), 2), [2], [false, false];
    }
}

#[test]
fn one_hot_with_other_values_and_another_axis() {
    both! {
        i32 => f32: tensor([0, 2, -1, 1]), |x| x.one_hot_with(3, 5.0, 0.0, -1), [4, 3], [5.0, 0.0, 0.0, 0.0, 0.0, 5.0, 0.0, 0.0, 0.0, 0.0, 5.0, 0.0];
        i32 => i32: tensor([0, 2]), |x| x.one_hot_with(3, 1, -1, 0), [3, 2], [1, -1, -1, -1, -1, 1];
        i32 => bool: tensor([[0, 1]]), |x| x.one_hot_with(2, true, false, 1), [1, 2, 2], [true, false, false, true];
        i32 => f32: tensor([1]), |x| x.one_hot_with(2, tensor(9.0), 0.5, -1), [1, 2], [0.5, 9.0];
    }
}

#[test]
fn order_and_counts() {
    both! {
        f32 => f32: tensor([1.0f32, 3.0, 2.0, 3.0]), |x| x.top_k(3).0, [3], [3.0, 3.0, 2.0];
        f32 => i32: tensor([1.0f32, 2.0, 2.0, 3.0]), |x| x.searchsorted(tensor([0.0, 2.0, 2.5, 9.0]), true), [4], [0, 3, 3, 4];
        i32 => i32: tensor([3, 1, 3, 2, 1]), |x| x.unique().0, [3], [3, 1, 2];
        i32 => i32: tensor([3, 1, 3, 2, 1]), |x| x.unique_with_counts().2, [3], [2, 2, 1];
        i32 => i32: tensor([1, 1, 3]), |x| x.bincount(0), [4], [0, 2, 0, 1];
        i32 => i32: tensor([1, 2, 4]), |x| x.confusion_matrix(tensor([2, 2, 4]), 5).get(1), [5], [0, 0, 1, 0, 0];
        i32 => bool: tensor([1, 3]), |x| x.sequence_mask(None), [2, 3], [true, false, false, true, true, true];
        i32 => bool: tensor([1, 3]), |x| x.sequence_mask(Some(2)), [2, 2], [true, false, true, true];
        f32 => i32: tensor([-1.0f32, 0.0, 1.5, 2.0, 5.0, 15.0]), |x| x.histogram_fixed_width(0.0, 5.0, 5), [5], [2, 1, 1, 0, 2];
        i32 => i64: zeros_and_ones(), |x| x.count_nonzero(), [], [3];
        i32 => i64: zeros_and_ones(), |x| x.count_nonzero_axis(0), [3], [1, 2, 0];
        i32 => i64: zeros_and_ones(), |x| x.count_nonzero_axes(&[1], true), [2, 1], [1, 2];
        i32 => i64: zeros_and_ones(), |x| x.gt(0).count_nonzero_axis(-1), [2], [1, 2];
        f32 => i64: tensor([0.0f32, -0.0, f32::NAN, 2.0]), |x| x.count_nonzero(), [], [2];
        String => i64: tensor(["", "a", "  ", "b", ""]), |x| x.count_nonzero(), [], [3];
        f32 => f32: tensor([1.0f32, 2.0, 5.0]), |x| x.segment_mean(tensor([0, 0, 2])), [3], [1.5, 0.0, 5.0];
        i32 => i32: rows(), |x| x.unsorted_segment_max(tensor([1, -1, 1]), 2), [2, 2], [i32::MIN, i32::MIN, 5, 6];
    }
}

#[test]
fn diagonals_and_shapes_that_are_tensors() {
    both! {
        i32 => i32: rows(), |x| x.diag_part_at(-1), [2], [3, 6];
        i32 => i32: rows(), |x| x.trace(), [], [5];
        i32 => i32: rows(), |x| x.tril(-1), [3, 2], [0, 0, 3, 0, 5, 6];
        i32 => i32: rows(), |x| x.triu(0), [3, 2], [1, 2, 0, 4, 0, 0];
        i32 => i32: tensor([1, 2]), |x| x.diag_at(1), [3, 3], [0, 1, 0, 0, 0, 2, 0, 0, 0];
        i32 => i32: rows(), |x| x.reshape(x.shape_tensor().reverse(&[0])), [2, 3], [1, 2, 3, 4, 5, 6];
        i32 => i32: tensor([2, 3]), |x| fill(&x, 7), [2, 3], [7; 6];
        i32 => i32: tensor([2, 2]), |x| tensor([1, 2]).broadcast_to(x), [2, 2], [1, 2, 1, 2];
        i32 => i32: tensor([2]), |x| tensor([1, 2]).tile(&x), [4], [1, 2, 1, 2];
        i32 => i32: rows(), |x| x.full_like(3), [3, 2], [3; 6];
        f32 => f32: tensor(1.5f32), |x| linspace(0.0, x, 4), [4], [0.0, 0.5, 1.0, 1.5];
    }
}

#[test]
fn sizes_that_are_tensors() {
    both! {
        i32 => f32: tensor(4), |n| ones(&[n - 2]), [2], [1.0, 1.0];
        i32 => f32: tensor(2), |n| zeros(&[&n, &n]), [2, 2], [0.0; 4];
        i32 => f32: tensor(2), |n| full((&n, 3), 5.0), [2, 3], [5.0; 6];
        i32 => f32: tensor(2), |n| zeros(n), [2], [0.0; 2];
        i32 => f32: tensor(2), |n| zeros(&std::iter::repeat_n(n, 3).collect::<Vec<_>>()), [2, 2, 2], [0.0; 8];
        i32 => i32: tensor(2), |n| range(0, 6, 1).reshape((n, -1)), [2, 3], [0, 1, 2, 3, 4, 5];
        i32 => i32: tensor(3), |n| range(0, 6, 1).reshape(&[tensor(-1), n]), [2, 3], [0, 1, 2, 3, 4, 5];
        i64 => i32: tensor(2i64), |n| tensor([1, 2]).tile(&[n]), [4], [1, 2, 1, 2];
        i64 => i32: tensor(2i64), |n| tensor([1, 2]).broadcast_to((n, tensor(2))), [2, 2], [1, 2, 1, 2];
        i32 => i32: rows(), |x| x.reshape(&[x.len_tensor() * 2]), [6], [1, 2, 3, 4, 5, 6];
        i32 => i32: rows(), |x| range(0, x.shape_tensor().get(1) + 1, 1), [3], [0, 1, 2];
        i32 => i32: tensor(2), |n| random::integers(0, 1, (n, 2)), [2, 2], [0; 4];
    }
    // A shape may be given in any form of Rust numbers.
    let x = range(0, 6, 1);
    for shape in [x.reshape(&[2, -1]), x.reshape((2, 3))] {
        assert_eq!(shape.shape().to_string(), "[2,3]");
    }
    assert_eq!(zeros::<f32>(&[]).shape().to_string(), "[]");
    assert_eq!(ones::<f32>(3).to_vec(), [1.0; 3]);
}

#[test]
fn wrong_sizes_that_are_tensors() {
    #[graph_fn]
    fn of_size(n: Tensor<i32>) -> Result<Tensor<f32>, Error> {
        Ok(zeros(&[n, tensor(1)]))
    }
    let negative = of_size(tensor(-1)).unwrap_err();
    assert!(
        negative.message().contains("[-1, 1] is not a shape"),
        "{negative}"
    );
    let vector = of_size(tensor([1, 2])).unwrap_err();
    assert!(vector.message().contains("[2]"), "{vector}");
    assert!(vector.location().file.ends_with("array_methods.rs"));
}

#[test]
fn arguments_that_do_not_fit_are_refused_with_words() {
    let text = |f: fn()| {
        *std::panic::catch_unwind(f)
            .unwrap_err()
            .downcast::<String>()
            .unwrap()
    };
    let uneven = text(|| drop(tensor([1, 2, 3]).split(2, 0)));
    assert!(uneven.contains("should evenly divide the split dimension, but got split_dim 0 (size = 3) and num_split 2"), "{uneven}");
    let short = text(|| drop(tensor([1, 2, 3]).split_sizes(&[1, 1], 0)));
    assert!(short.contains("don't add up to 3"), "{short}");
    let twice = text(|| drop(rows().get((Ellipsis, Ellipsis))));
    assert!(twice.contains("one `Ellipsis` at most"), "{twice}");
    let beyond = text(|| drop(rows().get((.., 5))));
    assert!(
        beyond.contains("slice index 5 of dimension 1 out of bounds."),
        "{beyond}"
    );
    let outside = text(|| drop(rows().slice(&[1, 0], &[3, 1])));
    assert!(
        outside.contains("Expected size[0] in [0, 2], but got 3"),
        "{outside}"
    );
}
