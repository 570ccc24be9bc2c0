//! An op that fails says the same eagerly as in a graph: what is wrong, and the op with its operands' dtypes and shapes.

use graph_runtime::debug::EAGER;
use graph_runtime::prelude::*;
use graph_runtime::{Error, TensorArray};

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

/// Outside of graph functions the panic's own location is the user's line, too.
#[test]
fn a_panic_is_located_where_the_op_is_called() {
    use std::panic::{catch_unwind, set_hook, take_hook};
    use std::sync::{Arc, Mutex};
    let lines = Arc::new(Mutex::new(Vec::new()));
    let (seen, here) = (lines.clone(), std::thread::current().id());
    let before = take_hook();
    set_hook(Box::new(move |info| {
        // Other tests may panic meanwhile, in threads of their own.
        if std::thread::current().id() != here {
            return;
        }
        let location = info.location().map(|place| place.file().to_owned());
        seen.lock().expect("no panic here").push(location);
    }));
    let failing: [fn(); 5] = [
        || drop(tensor([1, 2]) / 0),
        || drop(tensor([1, 2]).gather(tensor([7]))),
        || drop(tensor([1.0f32, 2.0]).reshape(&[3])),
        || drop(TensorArray::<i32>::new(2).write(7, 1)),
        || {
            Variable::new(tensor([1, 2])).scatter_update(&tensor([[9]]), tensor([5]));
        },
    ];
    let failed = failing.map(|op| catch_unwind(op).is_err());
    set_hook(before);
    assert_eq!(failed, [true; 5]);
    let files = lines.lock().expect("no panic here");
    let here = files.iter().filter(|file| file.as_deref() == Some(file!()));
    assert_eq!(here.count(), failing.len(), "{files:?}");
}
