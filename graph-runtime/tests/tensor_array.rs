//! `TensorArray`s eagerly and traced: in loops and branches, before the first write, growing; and their errors.

use std::sync::{Mutex, MutexGuard, PoisonError};

use graph_runtime::prelude::*;
use graph_runtime::{Error, debug};

/// The switch to eager runs belongs to the process: tests that use it run one after the other.
fn my_turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The result of `f` as a graph and eagerly, which must be equal, or the message of its panic.
fn both<R: PartialEq + std::fmt::Debug>(
    f: impl Fn() -> R + std::panic::RefUnwindSafe,
) -> Result<R, String> {
    let _turn = my_turn();
    let run = |eagerly| {
        run_functions_eagerly(eagerly);
        let result = std::panic::catch_unwind(&f);
        run_functions_eagerly(false);
        result.map_err(|payload| match payload.downcast_ref::<String>() {
            Some(message) => message.lines().next().unwrap_or_default().to_owned(),
            None => "no message".to_owned(),
        })
    };
    let (graph, eager) = (run(false), run(true));
    assert_eq!(
        graph.is_ok(),
        eager.is_ok(),
        "{graph:?} but eagerly {eager:?}"
    );
    if let (Ok(graph), Ok(eager)) = (&graph, &eager) {
        assert_eq!(graph, eager);
    }
    graph
}

fn values(x: Tensor<i32>) -> (Vec<usize>, Vec<i32>) {
    (x.array().shape().to_vec(), x.to_vec())
}

#[test]
fn a_shape_that_the_first_write_in_a_loop_tells_is_known_behind_it() {
    #[graph_fn]
    fn rows(n: Tensor<i32>) -> Tensor<i32> {
        let mut array = TensorArray::new(&n);
        let mut row = tensor([1, 2]);
        for i in 0..n {
            array = array.write(&i, &row);
            row = row * 2;
        }
        array.stack()
    }
    assert_eq!(
        both(|| values(rows(tensor(2)))),
        Ok((vec![2, 2], vec![1, 2, 2, 4]))
    );
    let _turn = my_turn();
    let concrete = rows::function().latest().unwrap();
    let graph = concrete.graph().to_string();
    assert!(graph.contains("-> int32[?,2] {"), "{graph}");
    let plan = concrete.plan().to_string();
    // The rows are small, so the loop is a word program, which writes the list where it is.
    assert!(plan.contains("s0 = words(in0, s0)"), "{plan}");
    assert!(!plan.contains("list_write"), "{plan}");
    // No row was written, but the program has set the shape of a row.
    assert_eq!(values(rows(tensor(0))), (vec![0, 2], vec![]));
}

#[test]
fn an_array_grows_in_a_loop_and_under_a_condition() {
    #[graph_fn]
    fn positive(x: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
        let mut found = TensorArray::dynamic().element_shape(&[]);
        for v in x {
            if v > 0 {
                found = found.clone().write(found.size(), v);
            }
        }
        (found.stack(), found.size())
    }
    let run = |x: [i32; 5]| {
        both(move || {
            let (found, size) = positive(tensor(x));
            (found.to_vec(), size.item())
        })
    };
    assert_eq!(run([3, -1, 4, -1, 5]), Ok((vec![3, 4, 5], 3)));
    assert_eq!(run([-3, -1, -4, -1, -5]), Ok((vec![], 0)));
}

#[test]
fn rows_are_pushed_where_they_are_found() {
    #[graph_fn]
    fn negative(x: Tensor<i32>) -> Tensor<i32> {
        let mut found = TensorArray::dynamic().element_shape(&[]);
        for v in x {
            if v < 0 {
                found.push(v);
            }
        }
        found.stack()
    }
    let run = |x: [i32; 5]| both(move || negative(tensor(x)).to_vec());
    assert_eq!(run([3, -1, 4, -2, 5]), Ok(vec![-1, -2]));
    assert_eq!(run([3, 1, 4, 2, 5]), Ok(vec![]));
}

#[test]
fn arrays_of_branches_meet_whatever_was_written() {
    #[graph_fn]
    fn chosen(first: Tensor<bool>) -> Tensor<i32> {
        let mut array = TensorArray::new(2);
        if first {
            array = array.write(0, tensor([1, 2]));
        } else {
            array = array.write(1, tensor([3, 4]));
        }
        array = array.write(1, tensor([5, 6]));
        array.stack()
    }
    assert_eq!(both(|| chosen(tensor(true)).to_vec()), Ok(vec![1, 2, 5, 6]));
    assert_eq!(
        both(|| chosen(tensor(false)).to_vec()),
        Ok(vec![0, 0, 5, 6])
    );
}

#[test]
fn a_clone_stays_as_it_was() {
    let mut array = TensorArray::new(2).write(0, 1);
    let copy = array.clone();
    array.write(0, 2);
    assert_eq!(
        (array.stack().to_vec(), copy.stack().to_vec()),
        (vec![2, 0], vec![1, 0])
    );
}

#[test]
fn mistakes_are_in_tensorflows_words() {
    #[graph_fn]
    fn write(i: Tensor<i32>) -> Tensor<i32> {
        TensorArray::new(2).write(i, 7).stack()
    }
    #[graph_fn]
    fn read(i: Tensor<i32>) -> Tensor<i32> {
        TensorArray::new(2).write(0, 7).read(i)
    }
    #[graph_fn]
    fn unwritten() -> Tensor<i32> {
        TensorArray::new(2).stack()
    }
    #[graph_fn]
    fn shapes() -> Tensor<i32> {
        TensorArray::new(2)
            .write(0, tensor([1, 2]))
            .write(1, 5)
            .stack()
    }
    #[graph_fn]
    fn sizes() -> Tensor<i32> {
        TensorArray::new(2).unstack(&tensor([1, 2, 3])).stack()
    }
    let says = |result: Result<Vec<i32>, String>, words: &str| {
        let message = result.unwrap_err();
        assert!(message.contains(words), "{message}");
    };
    assert_eq!(both(|| write(tensor(1)).to_vec()), Ok(vec![0, 7]));
    says(
        both(|| write(tensor(2)).to_vec()),
        "Trying to modify element 2 in a list with 2 elements.",
    );
    says(
        both(|| write(tensor(-1)).to_vec()),
        "Trying to modify element -1 in a list with 2 elements.",
    );
    assert_eq!(both(|| read(tensor(1)).to_vec()), Ok(vec![0]));
    says(
        both(|| read(tensor(2)).to_vec()),
        "Trying to access element 2 in a list with 2 elements.",
    );
    says(
        both(|| unwritten().to_vec()),
        "only contains uninitialized tensors",
    );
    says(
        both(|| shapes().to_vec()),
        "Inconsistent shapes: saw [] but expected [2]",
    );
    says(
        both(|| sizes().to_vec()),
        "expected a list with 2 elements but got a list with 3",
    );
}

/// `tf.shape` of this many rows fails in the same way.
#[test]
fn more_rows_than_an_i32_counts_have_no_size() {
    #[graph_fn]
    fn size(_x: Tensor<i32>, rows: usize) -> Tensor<i32> {
        TensorArray::<f32>::new(rows).size()
    }
    for rows in [i32::MAX as usize + 1, usize::MAX] {
        let message = both(|| size(tensor(0), rows).item()).unwrap_err();
        assert!(
            message.starts_with("Shape output type is 32-bit but dim 0 is"),
            "{message}"
        );
    }
    let rows = i32::MAX as usize;
    assert_eq!(both(|| size(tensor(0), rows).item()), Ok(i32::MAX));
}

#[test]
fn arrays_are_returned_and_carried_in_tuples() {
    #[graph_fn]
    fn both_arrays(n: Tensor<i32>) -> (TensorArray<i32>, TensorArray<f32>) {
        let mut arrays = (TensorArray::new(&n), TensorArray::dynamic());
        for i in 0..n {
            arrays.0 = arrays.0.write(&i, &i);
            arrays.1 = arrays.1.write(&i, i.cast::<f32>() * 0.5);
        }
        arrays
    }
    let _turn = my_turn();
    let (ints, mut floats) = both_arrays(tensor(3));
    assert_eq!(ints.stack().to_vec(), [0, 1, 2]);
    assert_eq!(floats.write(3, 9.0).stack().to_vec(), [0.0, 0.5, 1.0, 9.0]);
    assert_eq!(format!("{ints:?}"), "TensorArray of int32");
}

/// Writes a row `writes` times.
#[graph_fn]
fn repeated(
    row: Tensor<f32>,
    rows: Tensor<i32>,
    writes: Tensor<i32>,
) -> Result<Tensor<f32>, Error> {
    let mut array = TensorArray::new(rows);
    for i in 0..writes {
        array.write(i, &row);
    }
    Ok(array.stack())
}

#[graph_fn]
fn sum_of_repeated(row: Tensor<f32>, rows: Tensor<i32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    tape.watch(&row);
    let mut array = TensorArray::new(&rows);
    for i in 0..rows {
        array.write(i, row.sin());
    }
    tape.gradient(&array.stack().sum(), &row)
        .unwrap_or(row.zeros_like())
}

/// An array with empty rows differs from one that was never written, even if the graph doesn't know the size of the rows.
#[test]
fn rows_without_values_are_rows() {
    let open = || TensorSpec::<f32>::new(&[None]);
    repeated::concrete(open(), tensor(1), tensor(1)).unwrap();
    sum_of_repeated::concrete(open(), tensor(1)).unwrap();
    let stacked = |size: usize, rows: i32, writes: i32| {
        let stacked = repeated(zeros(&[size]), tensor(rows), tensor(writes));
        stacked.map(|array| array.shape().to_string())
    };
    let run = || {
        assert_eq!(stacked(0, 2, 2).unwrap(), "[2,0]");
        assert_eq!(stacked(0, 2, 1).unwrap(), "[2,0]");
        assert_eq!(stacked(1, 2, 2).unwrap(), "[2,1]");
        let never = stacked(0, 2, 0).unwrap_err();
        assert!(
            never
                .message()
                .contains("only contains uninitialized tensors"),
            "{never}"
        );
        assert_eq!(
            sum_of_repeated(zeros(&[0]), tensor(2)).shape().to_string(),
            "[0]"
        );
        assert_eq!(sum_of_repeated(zeros(&[2]), tensor(2)).to_vec(), [2.0, 2.0]);
    };
    run();
    // Only a graph knows that the rows would be vectors.
    assert_eq!(stacked(1, 0, 0).unwrap(), "[0,0]");
    let _eagerly = debug::EAGER.scope(true);
    run();
    assert_eq!(stacked(1, 0, 0).unwrap(), "[0]");
}
