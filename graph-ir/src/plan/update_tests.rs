//! Updates of several variables by one instruction: which ones are joined, and that their values are those of updates one by one.

use graph_kernels::Array;

use super::testing::{Variables, variables};
use super::{Instruction, Options, Plan};
use crate::device::{Place, Program, Storage};
use crate::graph::Graph;

fn parse(text: &str) -> Graph {
    text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// A step of Adam, after the passes; the rate is an input. `after` follows it.
fn adam(after: &str, results: &str) -> Graph {
    parse(&format!(
        "graph (g: float32[4], rate: float32[]) with (p: float32[4], m: float32[4], v: float32[4]) -> ({results}) {{
          update_variable m (g) {{
            body (m: float32[4], g: float32[4]) {{
              c = constant 0.5 : float32[]
              d = sub(g, m) : float32[4]
              e = mul(d, c) : float32[4]
              f = add(m, e) : float32[4]
              return f
            }}
          }}
          update_variable v (g) {{
            body (v: float32[4], g: float32[4]) {{
              c = constant 0.25 : float32[]
              s = square(g) : float32[4]
              d = sub(s, v) : float32[4]
              e = mul(d, c) : float32[4]
              f = add(v, e) : float32[4]
              return f
            }}
          }}
          a = read_variable m : float32[4]
          b = read_variable v : float32[4]
          update_variable p (a, rate, b) {{
            body (p: float32[4], a: float32[4], rate: float32[], b: float32[4]) {{
              c = mul(a, rate) : float32[4]
              d = sqrt(b) : float32[4]
              e = div(c, d) : float32[4]
              f = sub(p, e) : float32[4]
              return f
            }}
          }}
          {after}
        }}"
    ))
}

const START: [&[f32]; 3] = [&[1.0, 2.0, -3.0, 0.0], &[0.5; 4], &[0.25, 1.0, 4.0, 0.0]];

fn operands() -> [Storage; 2] {
    [
        Array::new(&[4], vec![1.0f32, -0.5, 3.0, 0.0]).into(),
        Array::new(&[], vec![0.125f32]).into(),
    ]
}

fn bits(value: &Storage) -> Vec<u32> {
    let values = value.to_host().unwrap();
    let values = values.values::<f32>().unwrap();
    values.iter().map(|v| v.to_bits()).collect()
}

/// The results and the variables after two runs.
fn two_runs(plan: &Plan, host: &mut Variables) -> Vec<Vec<u32>> {
    let operands = operands();
    let mut all = Vec::new();
    for _ in 0..2 {
        let outputs = plan.run(&operands.each_ref(), host).unwrap();
        all.extend(outputs.iter().map(bits));
        all.extend(host.0.iter().map(|place| bits(&place.read())));
    }
    all
}

fn joined(plan: &Plan) -> Vec<usize> {
    let instructions = plan.instructions.iter();
    let sizes = instructions.filter_map(|instruction| match instruction {
        Instruction::Updates(updates) => Some(updates.variables.len()),
        _ => None,
    });
    sizes.collect()
}

/// Checks that a graph has the results and leaves the values that it has op by op, and returns the plan.
fn check(graph: &Graph) -> Plan {
    let one_by_one = Plan::with(graph, Options::BY_OPS);
    assert_eq!(joined(&one_by_one), [0; 0]);
    let expected = two_runs(&one_by_one, &mut variables(graph, &START));
    let plan = Plan::new(graph);
    assert_eq!(
        two_runs(&plan, &mut variables(graph, &START)),
        expected,
        "{plan}"
    );
    plan
}

#[test]
fn the_parameter_and_both_moments_are_one_instruction() {
    let plan = check(&adam("return", ""));
    let text = plan.to_string();
    let instructions: Vec<&str> = text.lines().filter(|line| line.contains(" = ")).collect();
    let [.., update] = instructions[..] else {
        panic!("{text}")
    };
    let update = update.trim();
    let chain = "sub+mul+add+square+sub+mul+add+mul+sqrt+div+sub";
    assert!(
        update.ends_with(&format!(
            "v1, v2, v0 = {chain}(v1, v2, v0, in0, c0, c1, in1)"
        )),
        "{text}"
    );
    assert_eq!(plan.instructions.len(), 1, "{text}");
    assert_eq!(plan.instructions[0].name(), format!("update by {chain}"));
}

#[test]
fn a_new_value_that_is_read_elsewhere_is_read_after_the_updates() {
    let plan = check(&adam(
        "c = add(a, g) : float32[4] return c, b",
        "float32[4], float32[4]",
    ));
    assert_eq!(joined(&plan), [3]);
}

#[test]
fn arrays_are_changed_in_place_unless_somebody_holds_them() {
    let graph = adam("return", "");
    let plan = Plan::new(&graph);
    let mut host = variables(&graph, &START);
    let addresses = |host: &Variables| -> Vec<usize> {
        host.0.iter().map(|place| place.read().address()).collect()
    };
    let before = addresses(&host);
    two_runs(&plan, &mut host);
    assert_eq!(addresses(&host), before);
    // Somebody holds the second variable's value, which must stay as it is.
    let held = host.0[1].read();
    let (value, others) = (bits(&held), addresses(&host));
    let expected = {
        let mut alone = variables(&graph, &START);
        (0..4).for_each(|_| drop(two_runs(&plan, &mut alone)));
        alone
            .0
            .iter()
            .map(|place| bits(&place.read()))
            .collect::<Vec<_>>()
    };
    (0..3).for_each(|_| drop(two_runs(&plan, &mut host)));
    assert_eq!(bits(&held), value);
    let now = addresses(&host);
    assert_eq!((now[0], now[2]), (others[0], others[2]));
    assert_ne!(now[1], others[1]);
    let values = host.0.iter().map(|place| bits(&place.read()));
    assert_eq!(values.collect::<Vec<_>>(), expected);
}

/// The graph of two updates of `float32[4]` variables, the second one as given.
fn two_updates(second: &str) -> Graph {
    parse(&format!(
        "graph (g: float32[4], h: float32[]) with (p: float32[4], m: float32[4], v: float32[4]) -> () {{
          update_variable m (g) {{ body (m: float32[4], g: float32[4]) {{ b = add(m, g) : float32[4] return b }} }}
          {second}
          return
        }}"
    ))
}

#[test]
fn updates_are_joined_if_they_share_an_array_and_nothing_is_in_between() {
    let by = |operand: &str| {
        format!(
            "update_variable v ({operand}) {{ body (v: float32[4], g: float32[4]) {{ b = mul(v, g) : float32[4] return b }} }}"
        )
    };
    assert_eq!(joined(&check(&two_updates(&by("g")))), [2]);
    let of_new = format!("a = read_variable m : float32[4] {}", by("a"));
    assert_eq!(joined(&check(&two_updates(&of_new))), [2]);
    let after_a_print = format!("print(\"x\") {}", by("g"));
    assert_eq!(joined(&check(&two_updates(&after_a_print))), [0; 0]);
    let of_a_scalar = "update_variable v (h) { body (v: float32[4], h: float32[]) { b = mul(v, h) : float32[4] return b } }";
    assert_eq!(joined(&check(&two_updates(of_a_scalar))), [0; 0]);
    let twice = "update_variable m (g) { body (m: float32[4], g: float32[4]) { b = mul(m, g) : float32[4] return b } }";
    assert_eq!(joined(&check(&two_updates(twice))), [0; 0]);
}

/// The second update reads what the first variable held before.
#[test]
fn an_old_value_is_kept_for_whoever_reads_it_later() {
    let graph = parse(
        "graph (g: float32[4], h: float32[]) with (p: float32[4], m: float32[4], v: float32[4]) -> float32[4] {
          a = read_variable m : float32[4]
          update_variable m (g) { body (m: float32[4], g: float32[4]) { b = add(m, g) : float32[4] return b } }
          update_variable v (g, a) {
            body (v: float32[4], g: float32[4], a: float32[4]) { b = mul(v, g) : float32[4] c = add(b, a) : float32[4] return c }
          }
          return a
        }",
    );
    assert_eq!(joined(&check(&graph)), [2]);
}

#[test]
fn one_place_for_two_variables_is_refused() {
    let graph = adam("return", "");
    let host = variables(&graph, &START);
    let place: &Place = &host.0[0];
    assert_eq!(Place::write_all(&[place, &host.0[1], place], |_| ()), None);
    assert_eq!(
        Place::write_all(&[&host.0[1], place], |held| held.len()),
        Some(2)
    );
}

/// A subgraph lists no variables: it uses those of the graph around it.
#[test]
fn updates_in_a_loop_are_one_instruction() {
    let update = |name: &str| {
        format!(
            "update_variable {name} (g) {{
               body ({name}: float32[4], g: float32[4]) {{ s = add({name}, g) : float32[4] return s }}
             }}"
        )
    };
    let (first, second) = (update("m"), update("v"));
    let graph = parse(&format!(
        "graph (g: float32[4], n: int32[]) with (m: float32[4], v: float32[4]) -> (int32[]) {{
          zero = constant 0 : int32[]
          i = while_loop (zero; g, n) : int32[] {{
            cond (i: int32[], g: float32[4], n: int32[]) {{ c = less(i, n) : bool[] return c }}
            body (i: int32[], g: float32[4], n: int32[]) {{
              {first}
              {second}
              one = constant 1 : int32[]
              next = add(i, one) : int32[]
              return next
            }}
          }}
          return i
        }}"
    ));
    let plan = Plan::new(&graph);
    let joined = |instruction: &&Instruction| matches!(instruction, Instruction::Updates(_));
    assert_eq!(plan.instructions.iter().filter(joined).count(), 1, "{plan}");
    let mut host = variables(&graph, &[&[1.0, 2.0, 3.0, 4.0], &[0.0; 4]]);
    let [g, _] = operands();
    let n = Storage::from(Array::scalar(3i32));
    plan.run(&[&g, &n], &mut host).unwrap();
    let held = |position: usize| host.0[position].read().to_host().unwrap();
    assert_eq!(held(0).values::<f32>().unwrap(), [4.0, 0.5, 12.0, 4.0]);
    assert_eq!(held(1).values::<f32>().unwrap(), [3.0, -1.5, 9.0, 0.0]);
}
