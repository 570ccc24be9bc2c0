//! Text-in, text-out checks of passes.

use crate::graph::{Graph, verify};

fn parse(text: &str) -> Graph {
    text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// One application of a pass everywhere turns `before` into `after`.
pub(super) fn check(run: fn(&mut Graph) -> bool, before: &str, after: &str) {
    let mut graph = parse(before);
    assert!(
        super::everywhere(run, &mut graph),
        "the pass changes nothing"
    );
    verify(&graph).unwrap_or_else(|e| panic!("{e}\n{graph}"));
    assert_eq!(graph.to_string(), parse(after).to_string());
}

/// A pass leaves the graph as it is.
pub(super) fn check_unchanged(run: fn(&mut Graph) -> bool, text: &str) {
    let mut graph = parse(text);
    assert!(
        !super::everywhere(run, &mut graph),
        "the pass changes\n{graph}"
    );
    assert_eq!(graph.to_string(), parse(text).to_string());
}

#[test]
fn passes_work_together_and_can_be_switched_off() {
    let text = "fn is_small(x: int32[]) -> bool[] { n = constant 10 : int32[] p = less(x, n) : bool[] return p }
    graph (x: int32[]) -> (int32[], int32[]) {
      two = constant 2 : int32[]
      three = constant 3 : int32[]
      p = call is_small(two) : bool[]
      a = cond p (x, three) : int32[] {
        then (x: int32[], k: int32[]) { y = mul(k, k) : int32[] z = add(x, y) : int32[] return z }
        else (x: int32[], k: int32[]) { return k }
      }
      b, same = while_loop (x, a; two) : int32[], int32[] {
        cond (i: int32[], a: int32[], n: int32[]) { p = less(i, n) : bool[] return p }
        body (i: int32[], a: int32[], n: int32[]) { j = add(i, n) : int32[] return j, a }
      }
      return same, b
    }";
    let mut graph = parse(text);
    super::optimize_without(&mut graph, "");
    let expected = "graph (x: int32[]) -> (int32[], int32[]) {
      y = constant 9 : int32[]
      same = add(x, y) : int32[]
      b = while_loop (x) : int32[] {
        cond (i: int32[]) { n = constant 2 : int32[] p = less(i, n) : bool[] return p }
        body (i: int32[]) { n = constant 2 : int32[] j = add(i, n) : int32[] return j }
      }
      return same, b
    }";
    let names_aside = |text: &str| {
        parse(text)
            .to_string()
            .replace("same", "z")
            .replace("n_1", "n")
    };
    assert_eq!(names_aside(&graph.to_string()), names_aside(expected));

    let all: Vec<&str> = super::PASSES.iter().map(|p| p.name).collect();
    let mut untouched = parse(text);
    super::optimize_without(&mut untouched, &all.join(", "));
    assert_eq!(untouched.to_string(), parse(text).to_string());
}

#[test]
fn a_program_that_must_fail_keeps_its_failing_node() {
    // Inlined, the call's shapes are known not to fit; the run has to say so, and not the optimizer.
    let text = "fn f(x: int32[?]) -> int32[?] { c = constant [1, 2, 3] : int32[3] y = add(x, c) : int32[?] return y }
    graph () -> int32[?] {
      a = constant [1, 2] : int32[2]
      b = call f(a) : int32[?]
      return b
    }";
    let mut graph = parse(text);
    super::optimize_without(&mut graph, "");
    assert!(graph.to_string().contains("call f"), "{graph}");
}
