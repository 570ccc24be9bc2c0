//! Bound loops: random loops over vectors, rows, lists and products give the same bits as op by op, and the same errors as the plan's
//! instructions.

use std::fmt::Write;

use graph_kernels::{Array, DType};

use super::testing::{Lines, Random};
use super::{Options, Plan};
use crate::device::{Storage, Watch};
use crate::error::Error;
use crate::graph::Graph;
use crate::passes;

/// Counts the instructions that are shown to a watcher that needn't see all.
#[derive(Default)]
struct Shown(u64);

impl Watch for Shown {
    const WATCHES: bool = false;

    fn after(&mut self, _: &crate::device::Done<'_>) -> Result<(), Error> {
        self.0 += 1;
        Ok(())
    }
}

/// The results of a run, and the number of instructions that weren't iterations of bound loops.
fn run(plan: &Plan, inputs: &[Array]) -> Result<(Vec<Array>, u64), Error> {
    let inputs: Vec<Storage> = inputs.iter().cloned().map(Storage::from).collect();
    let mut shown = Shown::default();
    let inputs: Vec<&Storage> = inputs.iter().collect();
    let outputs = plan.run_watched(&inputs, &mut Lines::default(), &mut shown)?;
    let outputs = outputs.iter().map(|x| Array::clone(&x.to_host().unwrap()));
    Ok((outputs.collect(), shown.0))
}

fn optimized(text: &str) -> Graph {
    let mut graph: Graph = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    passes::optimize_with(&mut graph, &passes::Options::default());
    graph
}

fn unbound() -> Options {
    Options {
        bound: false,
        ..Options::default()
    }
}

/// How many values a row has: more than those that loops keep in registers.
const ROW: usize = 20;
/// How many rows there are to read, and in the list.
const ROWS: usize = 7;

/// Writes the body of a loop.
struct Writer {
    random: Random,
    text: String,
    names: usize,
    dtype: DType,
}

impl Writer {
    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    fn pick(&mut self, values: &[String]) -> String {
        values[self.below(values.len())].clone()
    }

    fn define(&mut self, value: &str, shape: &str) -> String {
        self.names += 1;
        let name = format!("v{}", self.names);
        let _ = writeln!(self.text, "{name} = {value} : {}[{shape}]", self.dtype);
        name
    }

    /// A statement; its value is one of the rows, the matrix of one row, or the list.
    fn statement(&mut self, rows: &mut Vec<String>, matrix: &mut String, list: &mut String) {
        let (a, b) = (self.pick(rows), self.pick(rows));
        let row = match self.below(9) {
            8 => {
                let op = ["reduce_sum", "reduce_max"][self.below(2)];
                let one = format!("{op}({b}) {{axes = [-1], keep_dims = false}}");
                let one = self.define(&one, "");
                format!("sub({a}, {one})")
            }
            0 | 1 => {
                let op = ["add", "sub", "maximum"][self.below(3)];
                format!("{op}({a}, {b})")
            }
            2 if self.dtype == DType::F32 => format!("tanh({a})"),
            2 => format!("mul({a}, {b})"),
            3 => "index(xs, i)".to_owned(),
            4 => format!("list_read({list}, at) {{shape = dims[{ROWS},{ROW}]}}"),
            5 => {
                let product = self.define(
                    &format!("matmul({matrix}, w) {{transpose_a = false, transpose_b = false}}"),
                    "1,20",
                );
                *matrix = self.define(&format!("add({product}, {a})"), "1,20");
                return;
            }
            6 => {
                let product = self.define(
                    &format!("matmul({matrix}, w) {{transpose_a = false, transpose_b = false}}"),
                    "1,20",
                );
                *matrix = self.define(&format!("sub({matrix}, {product})"), "1,20");
                return;
            }
            _ => {
                let write = format!("list_write({list}, at, {a}) {{grows = false}}");
                *list = self.define(&write, &format!("{ROWS},{ROW}"));
                return;
            }
        };
        rows.push(self.define(&row, "20"));
    }
}

/// The program of a seed: a loop of `n` iterations over two rows, a matrix of one row, and a list.
fn program(seed: u64, dtype: DType) -> String {
    let mut writer = Writer {
        random: Random(seed),
        text: String::new(),
        names: 0,
        dtype,
    };
    let mut rows = vec!["g".to_owned(), "h".to_owned(), "a".to_owned()];
    let (mut matrix, mut list) = ("m".to_owned(), "list".to_owned());
    for _ in 0..2 + writer.below(6) {
        writer.statement(&mut rows, &mut matrix, &mut list);
    }
    // The operand is no new state: it would be shared, not copied, and such loops aren't bound.
    rows.retain(|row| row != "a");
    let (g, h) = (writer.pick(&rows), writer.pick(&rows));
    let body = writer.text;
    let state =
        format!("g: {dtype}[20], h: {dtype}[20], m: {dtype}[1,20], list: {dtype}[{ROWS},20]");
    let fixed = format!("n: int32[], a: {dtype}[20], xs: {dtype}[{ROWS},20], w: {dtype}[20,20]");
    let types = format!("{dtype}[20], {dtype}[20], {dtype}[1,20], {dtype}[{ROWS},20]");
    format!(
        "graph ({state}, {fixed}) -> ({types}) {{
          zero = constant 0 : int32[]
          k, x, y, z, l = while_loop (zero, g, h, m, list; n, a, xs, w) : int32[], {types} {{
            cond (i: int32[], {state}, {fixed}) {{ p = less(i, n) : bool[] return p }}
            body (i: int32[], {state}, {fixed}) {{
              size = constant {ROWS} : int32[]
              two = constant 2 : int32[]
              twice = mul(i, two) : int32[]
              at = floor_mod(twice, size) : int32[]
              {body}
              one = constant 1 : int32[]
              next = add(i, one) : int32[]
              return next, {g}, {h}, {matrix}, {list} }} }}
          return x, y, z, l }}"
    )
}

/// Small numbers, some of them negative.
fn numbers(dtype: DType, shape: &[usize]) -> Array {
    let len: usize = shape.iter().product();
    let value = |n: usize| (n * 7 % 5) as i32 - 2;
    match dtype {
        DType::F32 => Array::new(shape, (0..len).map(|n| value(n) as f32 / 8.0).collect()),
        _ => Array::new(shape, (0..len).map(value).collect()),
    }
}

fn inputs(dtype: DType, n: i32) -> Vec<Array> {
    let shapes: [&[usize]; 7] = [
        &[ROW],
        &[ROW],
        &[1, ROW],
        &[ROWS, ROW],
        &[ROW],
        &[ROWS, ROW],
        &[ROW, ROW],
    ];
    let mut inputs = shapes.map(|shape| numbers(dtype, shape)).to_vec();
    inputs.insert(4, Array::scalar(n));
    inputs
}

#[test]
fn random_loops_have_the_same_bits() {
    let mut bound = 0;
    for seed in 0..60 {
        let dtype = [DType::F32, DType::I32][seed as usize % 2];
        let text = program(seed, dtype);
        let graph: Graph = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
        let optimized = optimized(&text);
        let by_ops = Plan::with(&graph, Options::BY_OPS);
        for graph in [&graph, &optimized] {
            let plans = [unbound(), Options::default()].map(|o| Plan::with(graph, o));
            for n in [0, 1, 2, 3, ROWS as i32] {
                let inputs = inputs(dtype, n);
                let (expected, _) = run(&by_ops, &inputs).unwrap();
                // The second run uses the frame of the first one.
                for _ in 0..2 {
                    let [(usual, all), (values, some)] =
                        [0, 1].map(|plan| run(&plans[plan], &inputs).unwrap());
                    assert_eq!(usual, expected, "{seed}: {}", plans[0]);
                    assert_eq!(values, expected, "{seed}: {}", plans[1]);
                    bound += usize::from(some < all);
                }
            }
        }
    }
    // Loops with an op that is in no chain aren't bound, nor are those that share the operand.
    assert!(bound > 60, "{bound}");
}

/// The errors of a plan with and without bound loops.
fn errors(text: &str, inputs: &[Array]) -> [String; 2] {
    let graph = optimized(text);
    [Options::default(), unbound()].map(|options| {
        let plan = Plan::with(&graph, options);
        assert_eq!(plan.bound.iter().any(Option::is_some), options.bound);
        run(&plan, inputs).unwrap_err().to_string()
    })
}

#[test]
fn errors_in_later_iterations_are_the_same() {
    let text = |dtype: &str, statement: &str| {
        format!(
            "graph (h: {dtype}[20], xs: {dtype}[4,20]) -> ({dtype}[20], {dtype}[4,20]) {{
              zero = constant 0 : int32[]
              k, x, l = while_loop (zero, h, xs; xs) : int32[], {dtype}[20], {dtype}[4,20] {{
                cond (i: int32[], h: {dtype}[20], l: {dtype}[4,20], xs: {dtype}[4,20]) {{
                  n = constant 9 : int32[]
                  p = less(i, n) : bool[] return p }}
                body (i: int32[], h: {dtype}[20], l: {dtype}[4,20], xs: {dtype}[4,20]) {{
                  {statement}
                  one = constant 1 : int32[]
                  next = add(i, one) : int32[]
                  return next, y, m }} }}
              return x, l }}"
        )
    };
    let read = "row = index(xs, i) : float32[20] y = add(h, row) : float32[20]
        zero = constant 0 : int32[] m = list_write(l, zero, y) {grows = false} : float32[4,20]";
    let write = "y = add(h, h) : float32[20]
        m = list_write(l, i, y) {grows = false} : float32[4,20]";
    let divide = "four = constant 4 : int32[] left = sub(four, i) : int32[]
        q = floor_div(h, left) : int32[20] y = add(h, q) : int32[20]
        zero = constant 0 : int32[] m = list_write(l, zero, y) {grows = false} : int32[4,20]";
    for (dtype, statement) in [
        (DType::F32, read),
        (DType::F32, write),
        (DType::I32, divide),
    ] {
        let inputs = [numbers(dtype, &[ROW]), numbers(dtype, &[4, ROW])];
        let [bound, usual] = errors(&text(&dtype.to_string(), statement), &inputs);
        assert_eq!(bound, usual);
        assert!(bound.contains("iteration 5"), "{bound}");
    }
}
