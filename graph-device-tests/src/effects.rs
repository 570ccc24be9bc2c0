//! What a run does besides computing: it prints, draws seeds, writes variables and fails. The expected outcomes are worked out by hand.

use graph_ir::device::Program;
use graph_ir::graph::Graph;
use graph_kernels::Array;

use crate::compare::same;
use crate::lines::Lines;
use crate::programs::{RUNS, brought, run};
use crate::{Report, Suite};

/// A graph with effects, and the outcome of a run.
struct Case {
    what: &'static str,
    graph: &'static str,
    inputs: Vec<Array>,
    /// The values of the variables before the run.
    before: Vec<Array>,
    /// The results, or a part of the error's message.
    results: Result<Vec<Array>, &'static str>,
    printed: &'static [&'static str],
    /// The values of the variables after the run. Where a run fails, a variable may also be as before.
    after: Vec<Array>,
}

pub(crate) fn check(suite: &Suite, report: &mut Report) {
    for case in cases() {
        let found = compare(suite, &case, report);
        report.add(&case.what, found);
    }
    let found = on_several_threads(suite, report);
    report.add(&"runs of one program on several threads", found);
}

fn scalar(number: i32) -> Array {
    Array::scalar(number)
}

fn vector(numbers: [f32; 2]) -> Array {
    Array::new(&[2], numbers.to_vec())
}

/// Adds up the numbers below `n`, and prints the sums.
const SUMS: &str = "graph (n: int32[]) -> int32[] {
  zero = constant 0 : int32[]
  i, sum = while_loop (zero, zero; n) : int32[], int32[] {
    cond (i: int32[], s: int32[], n: int32[]) {
      goes_on = less(i, n) : bool[]
      return goes_on
    }
    body (i: int32[], s: int32[], n: int32[]) {
      print(\"before \", i, \": \", s)
      one = constant 1 : int32[]
      next = add(i, one) : int32[]
      t = add(s, i) : int32[]
      return next, t
    }
  }
  print(\"all: \", sum)
  return sum
}";

fn cases() -> Vec<Case> {
    vec![
        Case {
            what: "prints in a loop, in their order",
            graph: SUMS,
            inputs: vec![scalar(4)],
            before: vec![],
            results: Ok(vec![scalar(6)]),
            printed: &[
                "before 0: 0",
                "before 1: 0",
                "before 2: 1",
                "before 3: 3",
                "all: 6",
            ],
            after: vec![],
        },
        Case {
            what: "the seeds of two streams",
            graph: "graph () -> (int64[2], int64[2]) {
              a = next_seed(7) : int64[2]
              b = next_seed() : int64[2]
              return a, b
            }",
            inputs: vec![],
            before: vec![],
            results: Ok(vec![
                Array::new(&[2], vec![7i64, 1]),
                Array::new(&[2], vec![0i64, 2]),
            ]),
            printed: &[],
            after: vec![],
        },
        Case {
            what: "variables that are read, updated in a branch, and assigned",
            graph:
                "graph (x: float32[2], p: bool[]) with (v: float32[2], n: int32[]) -> float32[2] {
              before = read_variable v : float32[2]
              cond p (x) {
                then (x: float32[2]) {
                  update_variable v (x) {
                    body (v: float32[2], x: float32[2]) {
                      sum = add(v, x) : float32[2]
                      return sum
                    }
                  }
                  return
                }
                else (x: float32[2]) {
                  return
                }
              }
              seven = constant 7 : int32[]
              assign_variable n (seven)
              return before
            }",
            inputs: vec![vector([10.0, 20.0]), Array::scalar(true)],
            before: vec![vector([1.0, 2.0]), scalar(5)],
            results: Ok(vec![vector([1.0, 2.0])]),
            printed: &[],
            after: vec![vector([11.0, 22.0]), scalar(7)],
        },
        Case {
            what: "an assertion that fails, behind a print and a write",
            graph: "graph (x: int32[]) with (n: int32[]) -> int32[] {
              print(\"begins\")
              assign_variable n (x)
              zero = constant 0 : int32[]
              holds = less(x, zero) : bool[]
              assert(holds, \"x is \", x)
              print(\"goes on\")
              return x
            }",
            inputs: vec![scalar(3)],
            before: vec![scalar(5)],
            results: Err("x is 3"),
            printed: &["begins"],
            after: vec![scalar(3)],
        },
        Case {
            what: "a position outside of a tensor",
            graph: "graph (x: float32[2], i: int32[]) -> float32[] {
              y = index(x, i) : float32[]
              return y
            }",
            inputs: vec![vector([1.0, 2.0]), scalar(2)],
            before: vec![],
            results: Err("index"),
            printed: &[],
            after: vec![],
        },
    ]
}

fn graph(text: &str) -> Result<Graph, String> {
    text.parse()
        .map_err(|error| format!("the case has a fault: {error}"))
}

fn compare(suite: &Suite, case: &Case, report: &mut Report) -> Result<(), String> {
    let graph = graph(case.graph)?;
    let program = suite.compiled(&graph, report);
    let mut runs = 1..=RUNS;
    runs.try_for_each(|number| {
        let found = compare_run(suite, case, &graph, &*program);
        found.map_err(|error| format!("{error} (run {number})"))
    })
}

fn compare_run(
    suite: &Suite,
    case: &Case,
    graph: &Graph,
    program: &dyn Program,
) -> Result<(), String> {
    let mut host = Lines::new(suite.device, graph, &case.before)?;
    let inputs = brought(suite.device, &case.inputs)?;
    let found = run(program, &inputs, &mut host);
    match (&case.results, &found) {
        (Ok(expected), Ok(found)) => {
            let mut pairs = expected.iter().zip(found);
            pairs.try_for_each(|(expected, found)| same(expected, found))?;
        }
        (Err(part), Err(error)) if error.contains(part) => {}
        (expected, _) => return Err(format!("{found:?} instead of {expected:?}")),
    }
    if host.printed != case.printed {
        return Err(format!(
            "it prints {:?} instead of {:?}",
            host.printed, case.printed
        ));
    }
    for ((place, before), after) in host.variables.iter().zip(&case.before).zip(&case.after) {
        let now = place.read();
        if now.device() != suite.device && suite.holds(now.dtype()) {
            return Err(format!("the variable is on {} now", now.device()));
        }
        let now = now.to_host().map_err(|error| error.to_string())?;
        let is_as_before = case.results.is_err() && same(before, &now).is_ok();
        if !is_as_before {
            same(after, &now).map_err(|error| format!("a variable has {error}"))?;
        }
    }
    Ok(())
}

/// A program may run on any number of threads at once.
fn on_several_threads(suite: &Suite, report: &mut Report) -> Result<(), String> {
    let graph = graph(SUMS)?;
    let program = suite.compiled(&graph, report);
    let sum = |n: i32| {
        let mut host = Lines::none();
        let inputs = brought(suite.device, &[scalar(n)])?;
        let found = run(&*program, &inputs, &mut host)?;
        same(&scalar((0..n).sum()), &found[0])?;
        match host.printed.len() {
            lines if lines == n as usize + 1 => Ok(()),
            lines => Err(format!("{lines} lines are printed instead of {}", n + 1)),
        }
    };
    std::thread::scope(|scope| {
        let runs = [2, 3, 4, 5].map(|n| scope.spawn(move || sum(n)));
        let mut runs = runs.into_iter().map(|run| run.join());
        runs.try_for_each(|run| run.unwrap_or_else(|_| Err("a panic".to_owned())))
    })
}
