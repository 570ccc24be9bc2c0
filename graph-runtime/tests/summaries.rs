//! Summaries for TensorBoard. The first test is the program that a newcomer writes; the others hold what summaries promise: order, no trace
//! and no cost without a writer, errors at the user's line. Files are read back as records, without TensorBoard; `scripts/tensorboard_check.py`
//! reads such files with it.

use std::path::PathBuf;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use graph_formats::events::proto::{Event, event, summary::Value};
use graph_formats::events::records;
use graph_runtime::nn::{Dense, Module, Sgd, losses};
use graph_runtime::prelude::*;
use graph_runtime::{Error, summary, summary_histogram, summary_scalar, summary_text};
use prost::Message;
use tempfile::{TempDir, tempdir};

#[derive(Module)]
struct Line {
    layer: Dense,
}

#[graph_fn]
fn train_step(line: &Line, sgd: &Sgd, x: &Tensor<f32>, y: &Tensor<f32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    let loss = losses::mean_squared_error(y, line.layer.call(x)).mean();
    sgd.apply(&tape.gradient(&loss, line), line);
    summary_scalar!("loss", loss, sgd.iterations());
    loss
}

/// The events of a file.
fn events(path: &PathBuf) -> Vec<Event> {
    let file = std::fs::read(path).unwrap();
    let payloads = records(&file).unwrap().into_iter();
    payloads
        .map(|event| Event::decode(event).unwrap())
        .collect()
}

/// The steps and values of a file.
fn values(writer: &summary::Writer) -> Vec<(i64, Value)> {
    writer.flush().unwrap();
    let values = events(&writer.path()).into_iter().filter_map(|event| {
        let Some(event::What::Summary(mut summary)) = event.what else {
            return None;
        };
        Some((event.step, summary.value.remove(0)))
    });
    values.collect()
}

/// The scalars of a file: step, tag, value.
fn scalars(writer: &summary::Writer) -> Vec<(i64, String, f32)> {
    let scalar = |(step, value): (i64, Value)| {
        let numbers = value.tensor.unwrap().float_val;
        (step, value.tag, numbers[0])
    };
    values(writer).into_iter().map(scalar).collect()
}

/// Tests run in threads of one process. While this is held, no test has set a writer for all threads.
fn no_writer_for_all() -> RwLockReadGuard<'static, ()> {
    FOR_ALL.read().unwrap_or_else(PoisonError::into_inner)
}

static FOR_ALL: RwLock<()> = RwLock::new(());

fn writer() -> (TempDir, summary::Writer) {
    let folder = tempdir().unwrap();
    let writer = summary::Writer::new(folder.path().join("run")).unwrap();
    (folder, writer)
}

#[test]
fn a_newcomer_watches_a_training() -> Result<(), Box<dyn std::error::Error>> {
    let _guard = no_writer_for_all();
    let folder = tempdir()?;
    let writer = summary::Writer::new(folder.path().join("first"))?;
    writer.hparams(&[("rate", 0.1.into()), ("rule", "sgd".into())], &["loss"])?;

    let line = Line {
        layer: Dense::new(1, 1),
    };
    let sgd = Sgd::new(&line).learning_rate(0.1);
    let x = tensor([[0.0f32], [1.0], [2.0]]);
    let y = &x * 2.0 + 1.0;
    let mut losses = Vec::new();
    {
        let _scope = writer.as_default();
        for _ in 0..20 {
            losses.push(train_step(&line, &sgd, &x, &y).item());
        }
    }
    train_step(&line, &sgd, &x, &y); // after the scope nothing is written
    writer.histogram("kernel", &line.layer.kernel(), 20)?;
    writer.image(
        "noise",
        random::with_seed(1).uniform::<f32>(&[1, 4, 4, 3]),
        20,
    )?;
    writer.text("notes", "*learns* a line", 20)?;
    writer.graph(&train_step::function().concrete_functions()[0])?;

    let all = values(&writer);
    let tags: Vec<&str> = all.iter().map(|(_, value)| &value.tag[..]).collect();
    assert_eq!(
        tags[..2],
        ["_hparams_/experiment", "_hparams_/session_start_info"]
    );
    assert_eq!(tags[2..22], ["loss"; 20]);
    assert_eq!(tags[22..], ["kernel", "noise", "notes"]);
    let written = all[2..22].iter().map(|(step, value)| {
        let loss = value.tensor.as_ref().unwrap().float_val[0];
        (*step, loss)
    });
    assert_eq!(
        written.collect::<Vec<_>>(),
        (1..).zip(losses).collect::<Vec<_>>()
    );
    let path = writer.path();
    let graph = |event: &Event| matches!(event.what, Some(event::What::GraphDef(_)));
    assert!(events(&path).iter().any(graph));
    drop(writer);
    let last = events(&path).pop().unwrap();
    let Some(event::What::Summary(end)) = last.what else {
        panic!("the file ends with how the run ended")
    };
    assert_eq!(end.value[0].tag, "_hparams_/session_end_info");
    Ok(())
}

#[graph_fn]
fn count_down(mut n: Tensor<i32>) -> Tensor<i32> {
    let mut step = tensor(0i64);
    while n > 0 {
        graph_print!("at {n}");
        if n % 2 == 0 {
            summary_scalar!("even/n", n, step);
        } else {
            summary_scalar!(format!("{}/n", "odd"), n, step);
        }
        n -= 1;
        step += 1;
    }
    summary_text!("end", "done", step);
    n
}

#[test]
fn summaries_in_loops_and_branches_are_written_in_order() {
    let _guard = no_writer_for_all();
    let (_folder, writer) = writer();
    let expected: Vec<(i64, String)> = [(0, "odd/n"), (1, "even/n"), (2, "odd/n"), (3, "end")]
        .map(|(step, tag)| (step, tag.to_owned()))
        .to_vec();
    let tags = |writer: &summary::Writer| -> Vec<(i64, String)> {
        let all = values(writer).into_iter();
        all.map(|(step, value)| (step, value.tag)).collect()
    };
    let scope = writer.as_default();
    let (_, printed) = graph_runtime::collect_prints(|| count_down(tensor(3)));
    assert_eq!(printed, ["at 3", "at 2", "at 1"]);
    assert_eq!(tags(&writer), expected);
    // The eager run writes the same.
    let _eagerly = debug::EAGER.scope(true);
    count_down(tensor(3));
    assert_eq!(tags(&writer), [&expected[..], &expected].concat());
    drop(scope);
}

#[test]
fn a_writer_needs_no_new_trace_and_without_one_the_graph_runs_without_summaries() {
    let _guard = no_writer_for_all();
    #[graph_fn]
    fn square(x: Tensor<f32>) -> Tensor<f32> {
        let y = &x * &x;
        summary_histogram!("y", y.sqrt(), 1);
        y
    }
    let x = || tensor([1.0f32, 2.0]);
    square(x());
    let (_folder, writer) = writer();
    {
        let _scope = writer.as_default();
        square(x());
        let _paused = summary::record_if(false);
        square(x());
    }
    square(x());
    assert_eq!(values(&writer).len(), 1);
    assert_eq!(square::function().trace_count(), 1);
}

#[test]
fn a_writer_for_all_threads_gives_way_to_the_one_of_a_thread() {
    let (_one, everywhere) = writer();
    let (_two, own) = writer();
    let write = |step: i64| summary_scalar!("threads/x", 0.5, step);
    let _alone = FOR_ALL.write().unwrap_or_else(PoisonError::into_inner);
    everywhere.set_default();
    {
        let _scope = own.as_default();
        write(1);
        std::thread::scope(|threads| threads.spawn(|| write(2)).join().unwrap());
    }
    summary::clear_default();
    write(3);
    let of = |writer| -> Vec<i64> {
        let all = scalars(writer).into_iter();
        all.filter(|(_, tag, _)| tag == "threads/x")
            .map(|(step, ..)| step)
            .collect()
    };
    assert_eq!((of(&own), of(&everywhere)), (vec![1], vec![2]));
}

#[test]
fn a_value_of_another_kind_is_an_error_at_the_users_line() {
    let _guard = no_writer_for_all();
    #[graph_fn]
    fn wrong(x: Tensor<f32>) -> Result<Tensor<f32>, Error> {
        summary_scalar!("x", x, 0);
        Ok(x)
    }
    #[graph_fn]
    fn wrong_step(x: Tensor<f32>) -> Result<Tensor<f32>, Error> {
        summary_scalar!("x", 1.0, x);
        Ok(x)
    }
    let error = wrong(tensor([1.0])).unwrap_err();
    assert_eq!(
        error.message(),
        "summary_scalar takes a number or truth value without axes, not float32[1]"
    );
    assert!(error.location().to_string().contains("tests/summaries.rs"));
    let error = wrong_step(tensor(1.0)).unwrap_err();
    assert_eq!(
        error.message(),
        "the step of a summary is an integer without axes, not float32[]"
    );
    let (_folder, writer) = writer();
    let message = writer.text("x", 1.0, 0).unwrap_err().to_string();
    assert_eq!(message, "summary_text takes strings, not float64[]");
}

#[test]
fn functions_of_elements_write_none() {
    let _guard = no_writer_for_all();
    #[graph_fn]
    fn sum(x: Tensor<f32>) -> Result<Tensor<f32>, Error> {
        let mut sum = tensor(0.0);
        for y in Dataset::from_slices(x).map(|y: Tensor<f32>| {
            summary_scalar!("y", y, 0);
            y
        }) {
            sum += y;
        }
        Ok(sum)
    }
    let error = sum(tensor([1.0])).unwrap_err();
    assert!(
        error
            .message()
            .starts_with("a function over the elements of a dataset can't write summaries")
    );
}

#[graph_fn]
fn cube(x: &Tensor<f32>) -> Tensor<f32> {
    let y = x * x * x;
    summary_scalar!("cube", y, 7);
    y
}

#[graph_fn]
fn slope(x: Tensor<f32>) -> Tensor<f32> {
    grad(|x: &Tensor<f32>| cube(x))(&x)
}

#[test]
fn a_gradient_writes_once() {
    let _guard = no_writer_for_all();
    let (_folder, writer) = writer();
    let _scope = writer.as_default();
    assert_eq!(slope(tensor(2.0)).item(), 12.0);
    assert_eq!(scalars(&writer), [(7, "cube".to_owned(), 8.0)]);
    // Eagerly, the function is split into a forward and a backward graph.
    let tape = GradientTape::new();
    let x = Variable::new(tensor(2.0f32));
    let y = cube(&x.read());
    assert_eq!(tape.gradient(&y, &x).unwrap().item(), 12.0);
    assert_eq!(scalars(&writer).len(), 2);
}
