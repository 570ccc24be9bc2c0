//! An op that fails eagerly has the same error as in a graph: what is wrong, and the op with the dtypes and shapes of its operands.

use graph_runtime::Error;
use graph_runtime::debug::EAGER;
use graph_runtime::prelude::*;

#[graph_fn]
fn failing(
    name: &str,
    x: Tensor<i32>,
    i: Tensor<i32>,
    s: Tensor<String>,
    v: &Variable<i32>,
) -> Result<Tensor<i32>, Error> {
    Ok(match name {
        "div" => &x / 0 * i,
        "gather" => x.gather(i + 7),
        "index" => x.get(i + 7),
        "number" => s.to_number::<i32>(),
        "rows" => x.with_rows((i + 7).reshape(&[1]), tensor([5])),
        "segments" => x.unsorted_segment_sum(tensor([0, 9, 0]), 2),
        "array" => {
            let mut array = TensorArray::<i32>::new(2);
            array.write(i + 7, x).stack()
        }
        "variable" => {
            v.scatter_update(&(i + 7).reshape(&[1, 1]), tensor([5]));
            v.read()
        }
        _ => unreachable!("the names are below"),
    })
}

#[test]
fn the_op_and_its_operands_are_named() {
    for (name, op) in [
        ("div", "(in `div` of int32[3], int32[])"),
        ("gather", "(in `gather` of int32[3], int32[])"),
        ("index", "(in `index` of int32[3], int32[])"),
        ("number", "(in `cast` of string[])"),
        ("rows", "(in `"),
        ("segments", "(in `"),
        ("array", "(in `"),
        ("variable", "(in `"),
    ] {
        let v = Variable::new(tensor([1, 2]));
        let run = || {
            let (x, i, s) = (tensor([1, 2, 3]), tensor(0), tensor("a"));
            failing(name, x, i, s, &v).unwrap_err().message().to_owned()
        };
        let graph = run();
        let _eagerly = EAGER.scope(true);
        assert_eq!(run(), graph, "{name}");
        assert!(graph.contains(op), "{name}: {graph}");
    }
}

/// The location of the panic itself is the user's line, too.
#[test]
fn a_panic_is_located_where_the_op_is_called() {
    panics_are_located();
    let _eagerly = EAGER.scope(true);
    panics_are_located();
}

fn panics_are_located() {
    use std::panic::{catch_unwind, set_hook, take_hook};
    use std::sync::{Arc, Mutex};
    let lines = Arc::new(Mutex::new(Vec::new()));
    let (seen, here) = (lines.clone(), std::thread::current().id());
    let before = take_hook();
    set_hook(Box::new(move |info| {
        // Other tests may panic at the same time, in other threads.
        if std::thread::current().id() != here {
            return;
        }
        let location = info.location().map(|place| place.file().to_owned());
        seen.lock().expect("no panic here").push(location);
    }));
    let failed: Vec<bool> = FAILING
        .iter()
        .map(|(_, f)| catch_unwind(f).is_err())
        .collect();
    set_hook(before);
    assert!(!failed.contains(&false), "{failed:?}");
    let files = lines.lock().expect("no panic here");
    assert_eq!(files.len(), FAILING.len());
    let elsewhere = files
        .iter()
        .zip(FAILING)
        .filter(|(file, _)| file.as_deref() != Some(file!()));
    let elsewhere: Vec<_> = elsewhere.map(|(file, (name, _))| (name, file)).collect();
    assert!(elsewhere.is_empty(), "{elsewhere:#?}");
}

/// Programs that fail, each with a text that its error contains.
const FAILING: &[(&str, fn())] = &[
    ("an operator", || drop(tensor([1, 2]) / 0)),
    ("gather", || drop(tensor([1, 2]).gather(tensor([7])))),
    ("reshape", || drop(tensor([1.0f32, 2.0]).reshape(&[3]))),
    ("an array", || drop(TensorArray::<i32>::new(2).write(7, 1))),
    ("a list that was never written", || {
        drop(TensorArray::<i32>::new(2).stack())
    }),
    ("an update", || {
        drop(
            ones_of(2)
                .scatter_update(&tensor([[9]]), tensor([5.0]))
                .clone(),
        )
    }),
    ("an assignment", || {
        drop(ones_of(2).assign(tensor([5.0])).clone())
    }),
    ("a method of a variable", || drop(ones_of(2).reshape(&[3]))),
    ("a part of a variable", || {
        drop(ones_of(2).assign_at(5, 1.0).clone())
    }),
    ("item", || assert_eq!(tensor([1, 2]).item(), 1)),
    ("a function that a gradient is taken of", || {
        drop(grad(|x: &Tensor<f32>| x.gather(tensor([7])).sum())(
            &tensor([1.0]),
        ))
    }),
    ("vjp", || {
        drop(vjp(|x: &Tensor<f32>| x.reshape(&[7]), &tensor([1.0])).0)
    }),
    ("jvp", || {
        drop(jvp(
            |x: &Tensor<f32>| x.square(),
            &tensor([1.0]),
            &tensor([1.0, 2.0]),
        ))
    }),
    ("hessian", || {
        drop(hessian(|x: &Tensor<f32>| x.reshape(&[7]).sum())(&tensor([
            1.0,
        ])))
    }),
    ("a row function", || {
        drop(map_fn(|x: Tensor<f32>| x.reshape(&[7]), &tensor([1.0])))
    }),
    ("fold", || {
        drop(fold(
            |a: Tensor<f32>, x: Tensor<f32>| a + x.reshape(&[7]).sum(),
            &tensor([1.0]),
            tensor(1.0),
        ))
    }),
    ("a loop by hand", || {
        drop(while_loop(
            |i: &Tensor<i32>| i.lt(tensor([1, 2])),
            |i| i + 1,
            tensor(0),
        ))
    }),
    ("a condition by hand", || {
        drop(cond(tensor([true, false]), || tensor(1), || tensor(2)))
    }),
    ("a case by hand", || {
        drop(switch_case(
            tensor([1, 2]),
            vec![Box::new(|| tensor(1)), Box::new(|| tensor(2))],
        ))
    }),
    ("a dataset's element", || {
        drop(
            Dataset::from_slices(tensor([1]))
                .map(|x| x / 0)
                .iter()
                .next(),
        )
    }),
    ("a loop over a dataset", || {
        for x in &Dataset::from_slices(tensor([1])).map(|x| x / 0) {
            drop(x);
        }
    }),
    ("a dataset of a scalar", || {
        drop(Dataset::from_slices(tensor(1)))
    }),
    ("a dataset that counts", || drop(Dataset::range((0, 1, 0)))),
    ("elements that don't make a batch", || {
        drop(
            Dataset::from_generator(|| [tensor([1]), tensor([1, 2])].into_iter())
                .batch(2)
                .iter()
                .next(),
        )
    }),
    ("a graph function", || drop(rows_of(tensor(1)))),
    ("a loop in a graph function", || drop(loops(tensor([1, 2])))),
    ("a branch in a graph function", || {
        drop(branches(tensor([1, 2])))
    }),
    ("a match in a graph function", || {
        drop(matches(tensor([1, 2])))
    }),
];

fn ones_of(n: usize) -> Variable<f32> {
    Variable::new(ones(&[n]))
}

#[graph_fn]
fn rows_of(x: Tensor<i32>) -> Tensor<i32> {
    let mut sum = tensor(0);
    for row in x {
        sum += row;
    }
    sum
}

#[graph_fn]
fn loops(n: Tensor<i32>) -> Tensor<i32> {
    let mut sum = tensor(0);
    for i in 0..n {
        sum += i;
    }
    sum
}

#[graph_fn]
fn branches(x: Tensor<i32>) -> Tensor<i32> {
    if x > 0 { x } else { -x }
}

#[graph_fn]
fn matches(x: Tensor<i32>) -> Tensor<i32> {
    match x {
        0 => 1,
        _ => 2,
    }
}
