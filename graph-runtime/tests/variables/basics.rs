//! Reads and writes, in eager code and in graphs: program order, branches, loops, calls, captures, aliases.

use std::sync::LazyLock;

use graph_runtime::prelude::*;
use graph_runtime::{Error, collect_prints};

#[graph_fn]
fn reads_and_writes(
    v: &Variable<i32>,
    x: Tensor<i32>,
) -> (Tensor<i32>, Tensor<i32>, Tensor<i32>, Tensor<i32>) {
    let a = v + 0;
    v.assign(x);
    let b = v.read();
    v.assign_add(10);
    let c = v + 0;
    v.assign_sub(3);
    (a, b, c, v.assign_add(100) * 2)
}

/// The recorded case `assign_read_order`.
#[test]
fn reads_and_writes_keep_the_order_written() {
    let v = Variable::new(tensor(1));
    let items = |(a, b, c, d): (Tensor<i32>, Tensor<i32>, Tensor<i32>, Tensor<i32>)| {
        (a.item(), b.item(), c.item(), d.item())
    };
    assert_eq!(items(reads_and_writes(&v, tensor(5))), (1, 5, 15, 224));
    assert_eq!(v.item(), 112);
    assert_eq!(items(reads_and_writes(&v, tensor(-1))), (112, -1, 9, 212));
    assert_eq!(v.item(), 106);
}

static TOTAL: LazyLock<Variable<i32>> = LazyLock::new(|| Variable::named("total", tensor(5)));

#[graph_fn]
fn find_next_odd() {
    TOTAL.assign(&*TOTAL + 1);
    if &*TOTAL % 2 == 0 {
        TOTAL.assign_add(1);
    }
}

/// The tutorial's example, with a captured variable.
#[test]
fn the_next_odd_number() {
    for (start, odd) in [(5, 7), (6, 7), (-3, -1), (0, 1)] {
        TOTAL.assign(tensor(start));
        find_next_odd();
        assert_eq!(TOTAL.item(), odd, "from {start}");
    }
    assert_eq!(find_next_odd::function().trace_count(), 1);
    let text = find_next_odd::function().pretty_signatures();
    assert!(
        text.contains("total: VariableSpec(shape=(), dtype=tf.int32, trainable=True)"),
        "{text}"
    );
}

#[graph_fn]
fn collatz(n: &Variable<i32>, steps: &Variable<i32>) {
    while n != 1 {
        if n % 2 == 0 {
            n.assign(n / 2);
        } else {
            n.assign(n * 3 + 1);
        }
        steps.assign_add(1);
    }
}

#[test]
fn loops_and_branches_over_variables() {
    let (n, steps) = (Variable::new(tensor(27)), Variable::new(tensor(0)));
    collatz(&n, &steps);
    assert_eq!((n.item(), steps.item()), (1, 111));
    n.assign(tensor(6));
    collatz(&n, &steps);
    assert_eq!((n.item(), steps.item()), (1, 119));
    assert_eq!(collatz::function().trace_count(), 1);
}

#[graph_fn]
fn bump(x: &Variable<f32>, y: &Variable<f32>) -> Tensor<f32> {
    x.assign_add(1.0);
    x + y
}

/// The recorded case `variable_arguments_trace_once`.
#[test]
fn one_trace_serves_variables_of_one_type_and_another_one_aliases() {
    let (v1, v2) = (Variable::new(tensor(2.0)), Variable::new(tensor(5.0)));
    assert_eq!(bump(&v1, &v2).item(), 8.0);
    assert_eq!(bump(&v2, &v1).item(), 9.0);
    assert_eq!(bump::function().trace_count(), 1);
    assert_eq!(bump(&v1, &v1).item(), 8.0);
    assert_eq!(bump::function().trace_count(), 2);
    assert_eq!((v1.item(), v2.item()), (4.0, 6.0));
    assert_eq!(bump(&v1, &Variable::new(tensor(0.5))).item(), 5.5);
    assert_eq!(bump::function().trace_count(), 2);
}

#[graph_fn]
fn inner(x: &Variable<f32>, y: &Variable<f32>) -> Tensor<f32> {
    x.assign_add(1.0);
    x + y
}

#[graph_fn]
fn twice(v: &Variable<f32>, w: &Variable<f32>) -> Tensor<f32> {
    let first = inner(v, w);
    first + inner(w, v)
}

#[test]
fn calls_see_what_was_written_before_and_write_for_what_follows() {
    let (v, w) = (Variable::new(tensor(1.0)), Variable::new(tensor(10.0)));
    assert_eq!(twice(&v, &w).item(), 12.0 + 13.0);
    assert_eq!((v.item(), w.item()), (2.0, 11.0));
    let text = twice::function().latest().unwrap().graph().to_string();
    assert!(
        text.contains("with (v, w)") && text.contains("with (w, v)"),
        "{text}"
    );
    assert_eq!(twice(&v, &v).item(), 6.0 + 8.0);
    assert_eq!(v.item(), 4.0);
}

static SHARED: LazyLock<Variable<i32>> = LazyLock::new(|| Variable::new(tensor(0)));

#[graph_fn]
fn captures_and_takes(v: &Variable<i32>) -> Tensor<i32> {
    let before = v.read();
    SHARED.assign_add(1);
    v - before
}

#[test]
fn an_argument_that_is_also_captured_is_one_variable() {
    let other = Variable::new(tensor(7));
    assert_eq!(captures_and_takes(&other).item(), 0);
    assert_eq!(captures_and_takes(&SHARED).item(), 1);
    assert_eq!(captures_and_takes(&other).item(), 0);
    assert_eq!(captures_and_takes(&SHARED).item(), 1);
    assert_eq!(captures_and_takes::function().trace_count(), 2);
}

#[graph_fn]
fn fails_behind(v: &Variable<i32>, x: Tensor<i32>) -> Result<Tensor<i32>, Error> {
    v.assign_add(1);
    graph_print!("v is {v}");
    let q = 10 / x;
    v.assign(q);
    v.assign_add(1000);
    Ok(v.read())
}

#[test]
fn what_came_before_an_error_stays_and_nothing_behind_it_happens() {
    let v = Variable::new(tensor(0));
    let (error, printed) = collect_prints(|| fails_behind(&v, tensor(0)).unwrap_err());
    assert!(error.message().contains("division by zero"), "{error}");
    assert_eq!((v.item(), printed), (1, vec!["v is 1".to_owned()]));
    assert_eq!(fails_behind(&v, tensor(5)).unwrap().item(), 1002);
}

#[graph_fn]
fn prints_and_counts(v: &Variable<i32>, n: Tensor<i32>) {
    graph_print!("start {v}");
    for i in 0..n {
        v.assign_add(&i);
        graph_print!("i {i} v {v}");
    }
    graph_print!("end {v}");
}

#[test]
fn prints_show_what_variables_hold_at_their_place() {
    let v = Variable::new(tensor(6));
    let ((), lines) = collect_prints(|| prints_and_counts(&v, tensor(2)));
    assert_eq!(lines, ["start 6", "i 0 v 6", "i 1 v 7", "end 7"]);
}

#[graph_fn]
fn reads_in_a_condition(v: &Variable<i32>) -> Result<Tensor<i32>, Error> {
    let mut sum = tensor(0);
    let mut x = tensor(0);
    while {
        x = v.read();
        v.assign_add(1);
        x < 3
    } {
        sum += x;
    }
    Ok(sum)
}

/// The condition reads the variable and then writes it, so the value that it read is outdated afterwards.
#[test]
fn what_a_condition_reads_before_it_writes_is_not_read_again() {
    let v = Variable::new(tensor(0));
    match reads_in_a_condition(&v) {
        Ok(sum) => assert_eq!((sum.item(), v.item()), (3, 4)),
        Err(error) => assert!(error.message().contains("loop condition"), "{error}"),
    }
}

fn checked(x: &Tensor<i32>) {
    graph_assert!(x.gt(0), "x is not positive");
}

#[graph_fn]
fn asserts(v: &Variable<i32>, x: Tensor<i32>) -> Result<(), Error> {
    checked(&x);
    v.assign(1);
    graph_assert!(x < 10, "x is not below {}", 10);
    v.assign(x);
    graph_assert!(v != 5);
    Ok(())
}

#[test]
fn assertions_stand_between_writes() {
    let v = Variable::new(tensor(0));
    let message = |x: i32| {
        v.assign(0);
        let message = asserts(&v, tensor(x)).err().map(|e| e.message().to_owned());
        (message.unwrap_or_default(), v.item())
    };
    assert_eq!(
        message(0),
        ("assertion failed: x is not positive".to_owned(), 0)
    );
    assert_eq!(
        message(10),
        ("assertion failed: x is not below 10".to_owned(), 1)
    );
    assert_eq!(
        message(5),
        ("assertion failed: v != 5\n  v: 5".to_owned(), 5)
    );
    assert_eq!(message(7), (String::new(), 7));
}

#[graph_fn]
fn average(rows: &Variable<f32, shape![_, 2]>, mean: &Variable<f32, S1<2>>) -> Tensor<f32> {
    mean.assign(rows.read().mean_axis(0));
    mean.assign_add(1.0);
    mean + rows.read().max_axis(0)
}

#[test]
fn shapes_in_types_are_signatures_of_variables_too() {
    let rows = Variable::new(tensor([[1.0, 2.0]]).with_shape());
    let mean = Variable::new(Tensor::of_zeros());
    assert_eq!(average(&rows, &mean).to_vec(), [3.0, 5.0]);
    rows.assign(tensor([[1.0, 2.0], [3.0, 6.0]]));
    assert_eq!(average(&rows, &mean).to_vec(), [6.0, 11.0]);
    assert_eq!(mean.read().to_vec(), [3.0, 5.0]);
    assert_eq!(average::function().trace_count(), 1);
}

/// A variable as the bound of a loop: the value at the start of the loop counts.
#[graph_fn]
fn from_one_to_the_other(from: &Variable<i32>, to: Variable<i32>, n: Tensor<i32>) -> Tensor<i32> {
    let mut sum = tensor(0);
    for i in 0..from {
        sum += i;
        from.assign_add(1);
    }
    for i in from..=9 {
        sum += 10 * i;
    }
    for i in from..&to {
        sum += 100 * i;
    }
    for i in (n..to).rev() {
        sum += 1000 * i;
    }
    for i in from..n {
        sum += 10000 * i;
    }
    sum
}

#[test]
fn variables_bound_ranges() {
    for eager in [false, true] {
        let _eagerly = graph_runtime::debug::EAGER.scope(eager);
        let (from, to) = (Variable::new(tensor(4)), Variable::new(tensor(10)));
        // First 0 to 3, then `from` is 8. The other loops see 8 and 9; 8 and 9; 9; nothing.
        let sum = from_one_to_the_other(&from, to, tensor(9));
        assert_eq!(sum.item(), 6 + 170 + 1700 + 9000 + 80000);
    }
}
