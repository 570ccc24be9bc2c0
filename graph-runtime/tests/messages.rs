//! The messages of `graph_print!` and of assertions, in graphs, eagerly and outside of graph functions.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use graph_runtime::debug::EAGER;
use graph_runtime::prelude::*;
use graph_runtime::{Error, collect_prints};

/// What a graph prints; an eager run must print the same.
fn printed<R>(f: impl Fn() -> R) -> Vec<String> {
    let traced = collect_prints(&f).1;
    let _eagerly = EAGER.scope(true);
    assert_eq!(collect_prints(&f).1, traced);
    traced
}

/// Only `Debug` reads its fields.
#[derive(Debug)]
#[allow(dead_code)]
struct Point {
    x: Tensor<f32>,
    label: Option<Tensor<String>>,
}

/// The expected lines were printed by TensorFlow: by `tf.print` of the same values with the same options.
#[test]
fn values_follow_with_a_separator_and_an_end() {
    #[graph_fn]
    fn f(x: Tensor<i32>, y: Tensor<f32>, v: &Variable<i32>) {
        graph_print!("a", x, y; sep = ", ");
        graph_print!(1, 2; sep = "|", end = "!");
        graph_print!(x);
        graph_print!("x", x; summarize = 1);
        graph_print!("x", x; summarize = -1);
        graph_print!("x", x; summarize = 2, sep = "");
        graph_print!("step {}:", 7, y, v);
        graph_print!(v; end = "\n\n");
        graph_print!();
    }
    let v = Variable::new(tensor([1, 2]));
    let lines = printed(|| f(range(0, 10, 1), tensor(1.5), &v));
    assert_eq!(
        lines,
        [
            "a, [0 1 2 ... 7 8 9], 1.5",
            "1|2!",
            "[0 1 2 ... 7 8 9]",
            "x [0 ... 9]",
            "x [0 1 2 3 4 5 6 7 8 9]",
            "x[0 1 ... 8 9]",
            "step 7: 1.5 [1 2]",
            "[1 2]\n",
            "",
        ]
    );
}

/// As in `tf.print`, a string is quoted beside other values and in lists, but not alone. In Rust's format strings, `{}` doesn't quote
/// and `{:?}` does.
#[test]
fn strings_are_quoted_as_tensorflow_does() {
    #[graph_fn]
    fn f(s: Tensor<String>, list: Tensor<String>, v: &Variable<String>) {
        graph_print!("a", s);
        graph_print!(s, s);
        graph_print!(s);
        graph_print!(list);
        graph_print!("a", v);
        graph_print!(vec![&s, &list]);
        graph_print!(Some((1, &s)));
        graph_print!("{s} and {s:?}, {list}");
    }
    let v = Variable::new(tensor("v"));
    let lines = printed(|| f(tensor("it's"), tensor(["b", "c"]), &v));
    assert_eq!(
        lines,
        [
            r#"a "it\'s""#,
            r#""it\'s" "it\'s""#,
            "it's",
            r#"["b" "c"]"#,
            r#"a "v""#,
            r#"["it\'s", ["b" "c"]]"#,
            r#"Some((1, "it\'s"))"#,
            r#"it's and "it\'s", ["b" "c"]"#,
        ]
    );
    let graph = f::function().latest().unwrap().graph().to_string();
    let reread: graph_runtime::graph::Graph = graph.parse().unwrap();
    assert_eq!(reread.to_string(), graph);
    assert!(graph.contains("{bare = [0, 2]}"), "{graph}");
}

#[test]
fn empty_arrays_print_as_tensorflows() {
    #[graph_fn]
    fn f(rows: Tensor<f32>, none: Tensor<f32>) {
        graph_print!(rows, none);
    }
    let lines = printed(|| f(zeros(&[2, 0]), zeros(&[0, 2])));
    assert_eq!(lines, ["[\n ...] []"]);
}

/// `tf.print` writes lists, dictionaries and tuples in Python's form, with the values of their tensors. Here they have Rust's form.
#[test]
fn tensors_print_their_values_wherever_rust_formats_them() {
    #[graph_fn]
    fn f(x: Tensor<f32>, label: Tensor<String>) {
        let point = Point {
            x: &x * 2.0,
            label: Some(label),
        };
        let map = BTreeMap::from([("a", (x.sum(), true)), ("b", (x.max(), false))]);
        graph_print!("{point:?} and", [&x, &x], map);
        graph_print!("{:?}", (x.argmax(0), None::<Tensor<i32>>); summarize = 1);
        graph_print!("{0}{0} {x:>5}", x.sum());
    }
    let lines = printed(|| f(tensor([1.0, 2.5]), tensor(["left"])));
    assert_eq!(
        lines,
        [
            "Point { x: [2 5], label: Some([\"left\"]) } and [[1 2.5], [1 2.5]] {\"a\": (3.5, true), \"b\": (2.5, false)}",
            "(1, None)",
            "3.53.5 [    1   2.5]",
        ]
    );
}

/// What Rust writes for the same numbers under the same options.
#[test]
fn format_options_are_those_of_each_value() {
    #[graph_fn]
    fn f(loss: Tensor<f32>, x: Tensor<f64>, label: Tensor<String>, v: &Variable<f32>) {
        graph_print!("{loss:.3} {loss:+8.1} {loss:e} {label:>4} {v:.1}");
        graph_print!("{x:8.2} {:<3}", x.argmax(0));
        graph_print!("{:.2?}", vec![&x]);
    }
    let (loss, x) = (0.123_456_7f32, [1.0, 1000.0 / 3.0]);
    let v = Variable::new(tensor(0.25));
    let lines = printed(|| f(tensor(loss), tensor(x), tensor("a"), &v));
    assert_eq!(
        lines,
        [
            format!("{loss:.3} {loss:+8.1} {loss:e} {:>4} {:.1}", "a", 0.25),
            format!("[{:8.2} {:8.2}] {:<3}", x[0], x[1], 1),
            format!("[[{:.2} {:.2}]]", x[0], x[1]),
        ]
    );
    let graph = f::function().latest().unwrap().graph().to_string();
    let reread: graph_runtime::graph::Graph = graph.parse().unwrap();
    assert_eq!(reread.to_string(), graph);
    assert!(graph.contains(r#"specs = [0, "8.2", 1, "<3"]"#), "{graph}");
}

#[test]
fn prints_of_loops_and_branches_stay_in_order() {
    #[graph_fn]
    fn f(n: Tensor<i32>) {
        let mut i = tensor(0);
        while i < n {
            if i % 2 == 0 {
                graph_print!("even", i; end = " ");
            } else {
                graph_print!("odd {i}"; to = stderr);
            }
            i += 1;
        }
    }
    let lines = printed(|| f(tensor(3)));
    assert_eq!(lines, ["even 0 ", "odd 1", "even 2 "]);
}

#[test]
fn a_file_gets_what_is_printed_at_its_end() {
    #[graph_fn]
    fn f(path: String, x: Tensor<i32>) -> Result<(), Error> {
        graph_print!("x", x; to = path.as_str());
        graph_print!(x; to = format!("file://{path}"), end = ";");
        Ok(())
    }
    let path = std::env::temp_dir().join(format!("graph_print_{}", std::process::id()));
    let name = path.to_str().unwrap().to_owned();
    f(name.clone(), tensor(1)).unwrap();
    f(name, tensor(2)).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(text, "x 1\n1;x 2\n2;");

    let line = line!() - 12;
    for eagerly in [false, true] {
        let _scope = EAGER.scope(eagerly);
        let error = f("/no/such/folder/x".to_owned(), tensor(1)).unwrap_err();
        let message = "can't print to file:///no/such/folder/x: ";
        assert!(error.message().starts_with(message), "{error}");
        assert_eq!(error.location().line, line);
    }
}

static LOGGED: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Logger;

impl log::Log for Logger {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }
    fn log(&self, record: &log::Record<'_>) {
        let text = format!("{} {}", record.level(), record.args());
        LOGGED.lock().unwrap().push(text);
    }
    fn flush(&self) {}
}

#[test]
fn a_level_of_the_log_is_a_place_to_print_to() {
    #[graph_fn]
    fn f(x: Tensor<i32>) {
        graph_print!("careful:", x; to = log::Level::Warn);
    }
    log::set_logger(&Logger).unwrap();
    log::set_max_level(log::LevelFilter::Info);
    f(tensor([1, 2]));
    f(tensor([3, 4]));
    let logged: Vec<String> = LOGGED.lock().unwrap().clone();
    let logged: Vec<&String> = logged.iter().filter(|l| l.contains("careful")).collect();
    assert_eq!(logged, ["WARN careful: [1 2]", "WARN careful: [3 4]"]);
}

/// The message of an error, which must be the same in a graph and in an eager run.
fn message<R>(f: impl Fn() -> Result<R, Error>) -> String {
    let failed = || f().err().map(|e| e.message().to_owned()).unwrap();
    let traced = failed();
    let _eagerly = EAGER.scope(true);
    assert_eq!(failed(), traced);
    traced
}

#[test]
fn failed_assertions_show_the_tensors_they_are_about() {
    #[graph_fn]
    fn f(x: Tensor<i32>, limit: Tensor<i32>) -> Result<Tensor<i32>, Error> {
        assert!(x < limit);
        assert!(x.sum() > 0, "the sum of {x} is {}", x.sum());
        graph_assert!(x.max() != 3, "a three:", x, limit; summarize = 1, sep = " / ");
        assert!(7 != x.max());
        assert!((x.max() < 8) & (x.min() > -3), "{x:?}");
        Ok(x)
    }
    let fails = |x: &[i32]| message(|| f(tensor(x), tensor(9)));
    assert_eq!(
        fails(&[1, 9]),
        "assertion failed: x < limit\n  x: [1 9]\n  limit: 9"
    );
    assert_eq!(fails(&[1, -1]), "assertion failed: the sum of [1 -1] is 0");
    assert_eq!(
        fails(&[3, 1, 1]),
        "assertion failed: a three: / [3 ... 1] / 9"
    );
    assert_eq!(fails(&[7]), "assertion failed: 7 != x.max()\n  x.max(): 7");
    assert_eq!(fails(&[8]), "assertion failed: [8]");
    assert_eq!(f(tensor([2]), tensor(9)).unwrap().to_string(), "[2]");
}

#[test]
fn assertions_of_equality_show_both_sides_as_rusts_do() {
    #[graph_fn]
    fn f(x: Tensor<f32>, v: &Variable<f32>) -> Result<(), Error> {
        assert_ne!(x.sum(), 0.0);
        assert_eq!(x, tensor([1.0, 2.0]), "the {}", "input");
        assert_eq!(v, 5.0);
        Ok(())
    }
    let v = Variable::new(tensor(4.0));
    let fails = |x: [f32; 2]| message(|| f(tensor(x), &v));
    assert_eq!(
        fails([1.0, -1.0]),
        "assertion `left != right` failed\n  left: 0\n right: 0"
    );
    assert_eq!(
        fails([1.0, 1.5]),
        "assertion `left == right` failed: the input\n  left: [1 1.5]\n right: [1 2]"
    );
    assert_eq!(
        fails([1.0, 2.0]),
        "assertion `left == right` failed\n  left: 4\n right: 5"
    );
}

/// In a loop over scalars, which runs as one word program, and in a loop over arrays.
#[test]
fn values_are_those_of_the_iteration_that_failed() {
    #[graph_fn]
    fn words(n: Tensor<i32>, row: Tensor<i32>) -> Result<Tensor<i32>, Error> {
        let mut i = tensor(0);
        while i < n {
            assert!(row[&i] != 0, "{i} of {n}: {row}");
            i += 1;
        }
        Ok(i)
    }
    #[graph_fn]
    fn arrays(n: Tensor<i32>, row: Tensor<i32>) -> Result<Tensor<i32>, Error> {
        let (mut i, mut row) = (tensor(0), row);
        while i < n {
            if i > 1 {
                assert!(row.sum() < 20);
            }
            row = row * 2;
            i += 1;
        }
        Ok(i)
    }
    let row = || tensor([1, 2, 0, 3]);
    assert_eq!(
        message(|| words(tensor(4), row())),
        "assertion failed: 2 of 4: [1 2 0 3]"
    );
    assert!(
        words::function()
            .latest()
            .unwrap()
            .plan()
            .to_string()
            .contains("words")
    );
    let wanted = "assertion failed: row.sum() < 20\n  row.sum(): 24";
    assert_eq!(message(|| arrays(tensor(4), row())), wanted);
}

#[test]
fn helpers_and_eager_code_panic_with_the_values() {
    fn root(x: &Tensor<f32>) -> Tensor<f32> {
        graph_assert!(x.ge(0.0), "no root of", x);
        x.sqrt()
    }
    #[graph_fn]
    fn f(x: Tensor<f32>) -> Tensor<f32> {
        root(&x)
    }
    let panicked = |f: &dyn Fn() -> Tensor<f32>| {
        let payload = catch_unwind(AssertUnwindSafe(f)).unwrap_err();
        payload.downcast_ref::<String>().unwrap().clone()
    };
    let wanted = "assertion failed: no root of [-1 4]\n  at ";
    for f in [&|| root(&tensor([-1.0, 4.0])), &|| f(tensor([-1.0, 4.0]))] as [&dyn Fn() -> _; 2] {
        let message = panicked(f);
        assert!(message.starts_with(wanted), "{message}");
    }
}
