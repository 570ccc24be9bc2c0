//! Scalars outside of loops, for a device of which the host knows some values: which ones are one word program, and that the values are those of kernels.

use graph_kernels::Array;

use super::{InWords, Instruction, Options, Plan};
use crate::device::{Program, Storage};
use crate::graph::Graph;
use crate::plan::testing::Lines;

const OPTIONS: Options = Options {
    words: InWords::Loops,
    small: true,
    fused: true,
    in_place: false,
    bound: false,
};

/// The values of a graph's outputs for some numbers as inputs; `x` comes last, if there is one.
fn run(graph: &Graph, options: Options, x: Option<Vec<f32>>) -> Vec<Vec<f32>> {
    let numbers = graph.inputs.len() - usize::from(x.is_some());
    let numbers = (0..numbers).map(|i| Array::scalar(0.75 + i as f32));
    let x = x.map(|x| Array::new(&[x.len()], x));
    let inputs: Vec<Storage> = numbers.chain(x).map(Storage::from).collect();
    let inputs: Vec<&Storage> = inputs.iter().collect();
    let outputs = Plan::with(graph, options).run(&inputs, &mut Lines::default());
    let values = |output: &Storage| output.to_host().unwrap().values::<f32>().unwrap().to_vec();
    outputs.unwrap().iter().map(values).collect()
}

/// The numbers of values that the word programs of a graph give, in order, and the number of other instructions.
fn programs(text: &str, x: Option<Vec<f32>>) -> (Vec<usize>, usize) {
    let graph: Graph = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    let expected = run(&graph, Options::BY_OPS, x.clone());
    assert_eq!(run(&graph, OPTIONS, x), expected);
    let plan = Plan::with(&graph, OPTIONS);
    let words = plan.instructions.iter().filter_map(|i| match i {
        Instruction::Words(words) => Some(words.outputs().len()),
        _ => None,
    });
    let words: Vec<usize> = words.collect();
    let others = plan.instructions.len() - words.len();
    (words, others)
}

/// What an optimizer computes of the number of its step.
#[test]
fn what_needs_one_operand_is_one_program() {
    let text = "graph (t: float32[]) -> float32[] {
      b = constant 0.9 : float32[]
      c = constant 0.999 : float32[]
      one = constant 1.0 : float32[]
      bt = pow(b, t) : float32[]
      ct = pow(c, t) : float32[]
      d = sub(one, ct) : float32[]
      e = sqrt(d) : float32[]
      f = sub(one, bt) : float32[]
      g = div(e, f) : float32[]
      return g
    }";
    assert_eq!(programs(text, None), (vec![1], 0));
}

#[test]
fn what_needs_different_operands_stays_apart() {
    // `p` needs `a`, `q` needs `b`, and `r` and what follows it need both.
    let text = "graph (a: float32[], b: float32[]) -> (float32[], float32[], float32[]) {
      p0 = exp(a) : float32[]
      q0 = exp(b) : float32[]
      p = mul(p0, a) : float32[]
      r0 = add(p, q0) : float32[]
      q = mul(q0, b) : float32[]
      r = mul(r0, q) : float32[]
      return p, q, r
    }";
    assert_eq!(programs(text, None), (vec![1, 2, 1], 0));
}

/// Nobody knows the sum without the device, so numbers that the host knows needn't be apart from it.
#[test]
fn what_the_device_computes_anyway_is_one_program() {
    let text = "graph (a: float32[], b: float32[], x: float32[50]) -> float32[] {
      s = reduce_sum(x) {axes = [0], keep_dims = false} : float32[]
      p = mul(s, a) : float32[]
      q = add(p, b) : float32[]
      r = tanh(q) : float32[]
      return r
    }";
    let x = (0..50).map(|i| i as f32 / 100.0).collect();
    assert_eq!(programs(text, Some(x)), (vec![1], 1));
    // The host may know a few numbers, and their sum. Then what needs `b`, too, is apart from what needs only the sum and `a`.
    let text = text.replace("float32[50]", "float32[4]");
    assert_eq!(programs(&text, Some(vec![0.5; 4])), (vec![1], 2));
}

#[test]
fn what_may_fail_stays_in_its_place() {
    let text = "graph (a: float32[], b: float32[]) -> float32[] {
      i = cast(b) {dtype = int32} : int32[]
      p = add(i, i) : int32[]
      q = div(p, i) : int32[]
      r = add(q, i) : int32[]
      s = cast(r) {dtype = float32} : float32[]
      return s
    }";
    // The division is an instruction of its own.
    assert_eq!(programs(text, None), (vec![2, 1], 1));
}
