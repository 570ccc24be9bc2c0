//! Variables in plans: what is updated in place, what is copied because somebody else holds it, and that all options of planning
//! give the same results.

use graph_kernels::Array;

use super::testing::{Variables, variables};
use super::{InWords, Options, Plan};
use crate::device::{Program, Storage};
use crate::graph::Graph;

fn parse(text: &str) -> Graph {
    text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn floats(value: &Storage) -> Vec<f32> {
    value.to_host().unwrap().values::<f32>().unwrap().to_vec()
}

/// The address of the first variable's values.
fn address(host: &Variables) -> *const f32 {
    host.0[0]
        .read()
        .to_host()
        .unwrap()
        .values::<f32>()
        .unwrap()
        .as_ptr()
}

const STEP: &str = "graph (g: float32[2]) with (v: float32[2]) -> float32[2] {
  a = read_variable v : float32[2]
  b = add(a, g) : float32[2]
  update_variable v (g) {
    body (v: float32[2], g: float32[2]) {
      half = constant 0.5 : float32[]
      s = mul(g, half) : float32[2]
      t = sub(v, s) : float32[2]
      return t
    }
  }
  return b
}";

#[test]
fn an_update_works_in_place_once_nobody_reads_the_old_value() {
    let graph = parse(STEP);
    let plan = Plan::new(&graph);
    assert!(plan.to_string().contains("v0 = mul+sub("), "{plan}");
    let mut host = variables(&graph, &[&[1.0, 2.0]]);
    let before = address(&host);
    let input = [Storage::from(Array::new(&[2], vec![2.0f32, 4.0]))];
    for (sum, held) in [([3.0, 6.0], [0.0, 0.0]), ([2.0, 4.0], [-1.0, -2.0])] {
        let outputs = plan.run(&input.each_ref(), &mut host).unwrap();
        assert_eq!(floats(&outputs[0]), sum);
        assert_eq!(floats(&host.0[0].read()), held);
    }
    assert_eq!(address(&host), before);
    // The test holds the value, so the update must not change that array.
    let held = host.0[0].read();
    plan.run(&input.each_ref(), &mut host).unwrap();
    assert_eq!(floats(&held), [-1.0, -2.0]);
    assert_eq!(floats(&host.0[0].read()), [-2.0, -4.0]);
}

#[test]
fn all_ways_of_planning_mean_the_same() {
    let called = "fn f(x: float32[2]) with (b: float32[2], a: float32[?]) -> float32[2] {
          y = read_variable b : float32[2]
          assign_variable a (x)
          update_variable b (x) { body (b: float32[2], x: float32[2]) { z = mul(b, x) : float32[2] w = add(z, x) : float32[2] return w } }
          return y
        }
        graph (x: float32[2]) with (u: float32[2], v: float32[?], w: float32[2]) -> (float32[2], float32[?]) {
          a = call f(x) with (w, v) : float32[2]
          assign_variable u (a)
          b = read_variable v : float32[?]
          update_variable v (x) { body (v: float32[?], x: float32[2]) { s = add(v, x) : float32[2] return s } }
          return a, b
        }";
    let input = [Storage::from(Array::new(&[2], vec![3.0f32, -2.0]))];
    for n in 0..12 {
        let words = InWords::ALL[n / 4];
        let [fused, in_place] = [1, 2].map(|bit| n & bit != 0);
        let options = Options {
            words,
            small: words != InWords::Nothing,
            fused,
            in_place,
            bound: true,
        };
        let graph = parse(called);
        let plan = Plan::with(&graph, options);
        let mut host = variables(&graph, &[&[0.0, 0.0], &[7.0], &[1.0, 2.0]]);
        for (given, held) in [
            (
                [[1.0, 2.0], [3.0, -2.0]],
                [[1.0, 2.0], [6.0, -4.0], [6.0, -6.0]],
            ),
            (
                [[6.0, -6.0], [3.0, -2.0]],
                [[6.0, -6.0], [6.0, -4.0], [21.0, 10.0]],
            ),
        ] {
            let outputs = plan.run(&input.each_ref(), &mut host).unwrap();
            assert_eq!(
                [0, 1].map(|i| floats(&outputs[i])),
                given.map(Vec::from),
                "{options:?}"
            );
            let now = [0, 1, 2].map(|i| floats(&host.0[i].read()));
            assert_eq!(now, held.map(Vec::from), "{options:?}");
        }
    }
}

#[test]
fn variables_of_other_types_or_missing_ones_are_refused() {
    let graph = parse(STEP);
    let plan = Plan::new(&graph);
    let input = [Storage::from(Array::new(&[2], vec![2.0f32, 4.0]))];
    let fails = |host: &mut Variables| plan.run(&input.each_ref(), host).unwrap_err().to_string();
    assert!(fails(&mut Variables(Vec::new())).starts_with("there is no variable 0"));
    let other = parse("graph () with (v: float32[?]) -> () { return }");
    let mut host = variables(&other, &[&[1.0, 2.0]]);
    let error = fails(&mut host);
    assert!(
        error.starts_with("variable 0 is a float32[?] where a float32[2] belongs"),
        "{error}"
    );
}

/// A call of scalars is part of a region, which knows no variables.
#[test]
fn a_call_may_name_variables_that_it_does_not_use() {
    let graph = parse(
        "fn inner(x: float32[]) with (v: float32[1]) -> float32[] {
          y = add(x, x) : float32[]
          return y
        }
        graph (x: float32[]) with (v: float32[1]) -> float32[] {
          y = call inner(x) with (v) : float32[]
          return y
        }",
    );
    let x = Storage::from(Array::new(&[], vec![3f32]));
    let mut host = variables(&graph, &[&[1.0]]);
    let results = Plan::new(&graph).run(&[&x], &mut host).unwrap();
    assert_eq!(floats(&results[0]), [6.0]);
}
