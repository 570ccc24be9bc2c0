//! Round trips, errors with their positions, and malicious input.

use std::sync::Arc;

use crate::error::Location;
use crate::graph::{Graph, Op, TensorType, library};
use graph_kernels::{Array, DType};

/// A text with every feature of the text form.
const ALL: &str = r#"fn twice(x: int32[]) -> int32[] {
  %1 = add(x, x) : int32[]
  return %1
}
fn twice#2(x: int32[]) -> int32[] {
  y = call twice(x) : int32[]
  return y
}
fn counts(x: int32[]) with (%0: int32[], x: float32[?]) -> int32[] {
  %1 = read_variable %0 : int32[]
  return %1
}
fn "two<i32>"(x: int32[]) -> (int32[], int32[]) {
  return x, x
}
graph (x: int32[], %1: float32[?,3], %"odd \"name\"\n": string[*]) with (v: int32[], x: int32[], %"dense/kernel": float32[?]) -> (int32[], float32[*]) {
  %3 = constant 0 : int32[]
  %4 = less(x, %3) : bool[]
  %5 = reduce_sum(%1) {axes = [0, -1], keep_dims = false} : float32[*]
  a, b = cond %4 (x) : int32[], int32[] {
    then (x: int32[]) {
      %1 = mul(x, x) : int32[]
      return %1, x
    }
    else (x: int32[]) {
      return x, x
    }
  }
  c = switch_case x (a, b) : int32[] {
    branch (%0: int32[], y: int32[]) {
      return y
    }
    branch (x: int32[], y: int32[]) {
      z = call twice#2(y) : int32[]
      return z
    }
  }
  print("step ", x, " then ", a, b)
  print()
  print("x", x) {summarize = -1, end = "", to = "stderr"}
  print("x", x) {summarize = 0, to = "file:///a b"}
  step = constant 7 : int64[]
  summary_scalar("train/loss", x, step)
  summary_histogram("a \"tag\"", %1, step)
  summary_text("", %"odd \"name\"\n", step)
  cond %4 () {
    then () {
      print("then")
      %0 = read_variable v : int32[]
      assign_variable x (%0)
      return
    }
    else () {
      return
    }
  }
  assert(%4, "a \"message\"\\")
  assert(%4, "x is ", x, " and ", %1) {summarize = 1}
  assert(%4)
  seed = next_seed() : int64[2]
  seeded = next_seed(-7) : int64[2]
  i, return = while_loop (x, c; %5) : int32[], int32[] {
    cond (i: int32[], s: int32[], n: float32[*]) {
      %3 = less(i, s) : bool[]
      return %3
    }
    body (i: int32[], s: int32[], n: float32[*]) {
      return s, i
    }
  }
  y = fusion (%1, %5) : float32[*] {
    body (x: float32[?,3], %1: float32[*]) {
      two = constant 2.0 : float32[]
      %3 = mul(x, two) : float32[?,3]
      %4 = add(%3, %1) : float32[*]
      return %4
    }
  }
  update_variable v (x) {
    body (v: int32[], %1: int32[]) {
      %2 = add(v, %1) : int32[]
      return %2
    }
  }
  %15 = read_variable %"dense/kernel" : float32[?]
  counted = call counts(x) with (x, %"dense/kernel") : int32[]
  m, n = call "two<i32>"(return) : int32[], int32[]
  %19 = constant [1.5, nan, inf, -inf, -0.0, nan(0xffc00001)] : float32[2,3]
  %20 = constant [] : string[0,2]
  %21 = constant ["a, \"b\"", "\u{0}\t"] : string[2]
  %22 = constant [true, false] : bool[2]
  %23 = constant -9223372036854775808 : int64[]
  return i, %5
}
"#;

fn parse(text: &str) -> Graph {
    text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn error(text: &str) -> String {
    text.parse::<Graph>().unwrap_err().to_string()
}

#[test]
fn the_text_of_a_parsed_graph_is_its_text() {
    // `ALL` is formatted as the printer does it.
    let printed = parse(ALL).to_string();
    assert_eq!(printed, ALL);
    assert_eq!(parse(&printed).to_string(), printed);
}

#[test]
fn calls_of_one_graph_share_it() {
    let graph = parse(
        "fn f(x: int32[]) -> int32[] { return x }
         graph (x: int32[]) -> int32[] { y = call f(x) : int32[] z = call f(y) : int32[] return z }",
    );
    let [Op::Call { graph: a, .. }, Op::Call { graph: b, .. }] =
        [&graph.nodes[0].op, &graph.nodes[1].op]
    else {
        panic!("{graph}")
    };
    assert!(a.is_same(b));
}

#[test]
fn clashing_names_are_made_unique_and_stay_so() {
    let mut graph = Graph::default();
    for name in ["x", "x", "x_1", "x"] {
        let input = graph.add_input(TensorType::scalar(DType::I32), Some(name.into()));
        graph.outputs.push(input);
    }
    let text = graph.to_string();
    assert!(text.contains("return x, x_1, x_1_1, x_2"), "{text}");
    assert_eq!(parse(&text).to_string(), text);
}

#[test]
fn nodes_know_their_line_of_the_text() {
    let graph = parse(
        "graph (x: int32[]) -> int32[] {\n  // comment\n  y = add(x, x) : int32[]\n  return y\n}",
    );
    let location = &graph.nodes[0].location;
    assert_eq!((location.line, location.column), (3, 3));
}

#[test]
fn mistakes_are_errors_with_their_place() {
    let body = |statements: &str| {
        error(&format!(
            "graph (x: int32[]) -> () {{\n{statements}\nreturn }}"
        ))
    };
    assert_eq!(error(""), "1:1: expected `graph`, found the end");
    assert_eq!(
        error("graph (x: int33[]) -> () { return }"),
        "1:11: expected a dtype"
    );
    assert_eq!(body("y = ad(x, x) : int32[]"), "2:5: no op is called `ad`");
    assert_eq!(
        body("  y = add(x, z) : int32[]"),
        "2:14: no value `z` is defined here"
    );
    assert_eq!(
        body("x = add(x, x) : int32[]"),
        "2:1: the value is defined twice"
    );
    assert_eq!(
        body("y = constant 300 : uint8[]"),
        "2:14: `300` is no uint8"
    );
    assert_eq!(
        body("y = constant [1, 2] : int32[3]"),
        "2:14: a constant of shape [3] can't have 2 values"
    );
    assert_eq!(
        body("y = constant [] : int32[0,9999999999,9999999999]"),
        "2:24: the shape is too large"
    );
    assert_eq!(
        body("y = call f(x) : int32[]"),
        "2:10: no function of this name stands above"
    );
    assert_eq!(body("print(\"a\nb"), "4:9: the text doesn't end");
    assert_eq!(
        body("y = reduce_sum(x) {axes = [0]} : int32[]"),
        "2:19: `reduce_sum` takes one attribute `keep_dims`"
    );
    assert!(body("assert(x, \"m\")").starts_with("2:1: node 0 (assert): condition: "));
    assert_eq!(
        body("print(x) {sumarize = 1}"),
        "2:11: there is no option `sumarize`"
    );
    assert_eq!(
        body("summary_scalar(x, x)"),
        "2:16: expected a text in quotes"
    );
    assert!(
        body("summary_scalar(\"x\", x)")
            .starts_with("2:1: node 0 (summary_scalar): 1 operands where 2 belong")
    );
    assert!(body("print(x) {to = \"tape\"}").starts_with("2:16: nothing prints to \"tape\""));
    assert_eq!(
        body("y, z = while_loop (x) : int32[] {"),
        "2:19: a state of 1 values for 2 outputs"
    );
}

#[test]
fn depth_and_size_are_bounded() {
    let depth = 100_000;
    let deep = "p = constant true : bool[] cond p () { then () {".repeat(depth);
    assert!(error(&format!("graph () -> () {{ {deep}")).contains("nest deeper"));

    let mut calls = String::from("fn f0() -> () { return }\n");
    for i in 1..depth {
        calls += &format!("fn f{i}() -> () {{ call f{}() return }}\n", i - 1);
    }
    assert!(error(&calls).contains("nest deeper"));

    let mut doubling = String::from("fn f0() -> () { print() return }\n");
    for i in 1..40 {
        doubling += &format!(
            "fn f{i}() -> () {{ call f{0}() call f{0}() return }}\n",
            i - 1
        );
    }
    assert!(error(&doubling).contains("more than"));
}

/// A pseudo-random number generator, which makes the tests deterministic.
struct Lcg(u64);

impl Lcg {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

#[test]
fn damaged_text_never_panics() {
    let mut random = Lcg(1);
    let pieces = [
        "(", ")", "{", "}", "[", "]", ",", "=", "%", "\"", "\\", "-", "0x", "9e999", "?", "*", "#",
        "é", "\0",
    ];
    for _ in 0..3000 {
        let mut bytes = ALL.as_bytes().to_vec();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            let to = (at + random.below(20)).min(bytes.len());
            let piece = match random.below(3) {
                0 => pieces[random.below(pieces.len())].as_bytes().to_vec(),
                1 => Vec::new(),
                _ => {
                    let from = random.below(bytes.len());
                    bytes[from..(from + random.below(40)).min(bytes.len())].to_vec()
                }
            };
            bytes.splice(at..to, piece);
        }
        if let Ok(graph) = String::from_utf8_lossy(&bytes).parse::<Graph>() {
            let text = graph.to_text();
            assert_eq!(parse(&text).to_text(), text);
        }
    }
}

#[test]
fn large_constants_are_shown_in_part_and_written_in_full() {
    let graph = |n: i32| {
        let values: Vec<String> = (0..n).map(|n| n.to_string()).collect();
        let values = values.join(", ");
        parse(&format!(
            "graph () -> int32[{n}] {{ x = constant [{values}] : int32[{n}] return x }}"
        ))
    };
    let small = graph(64);
    assert_eq!(small.to_string(), small.to_text());
    let large = graph(65);
    let shown = large.to_string();
    assert!(
        shown.contains("x = constant [0, 1, 2, 3, 4, 5, 6, 7, … 65 values] : int32[65]\n"),
        "{shown}"
    );
    assert_eq!(
        error(&shown),
        "2:41: values are left out here; `Graph::to_text` writes all of them"
    );
    assert_eq!(parse(&large.to_text()).to_text(), large.to_text());
    let zeros = parse("graph () -> int32[65] { x = constant [0; 65] : int32[65] return x }");
    assert_eq!(parse(&zeros.to_string()).to_text(), zeros.to_text());
}

#[test]
fn dot_escapes_labels_and_nests_clusters() {
    let mut graph = parse(ALL);
    let text = graph.to_dot();
    assert!(text.contains(r#"assert\na \"message\"\\"#), "{text}");
    assert!(text.contains("label=\"while_loop\""), "{text}");
    assert_eq!(text.matches('{').count(), text.matches('}').count());
    let array = Arc::new(Array::scalar(String::from("\"\n")));
    let ty = TensorType::of_array(&array);
    graph.add_node(Op::Constant(array), vec![], vec![ty], Location::unknown());
    assert!(graph.to_dot().contains(r#"constant \"\\\"\\n\""#));
}

#[test]
fn values_that_repeat_are_written_once() {
    for (text, again) in [
        ("[0.5; 12] : float32[3,4]", "[0.5; 12] : float32[3,4]"),
        (
            "[nan(0x7fc00001); 9] : float32[9]",
            "[nan(0x7fc00001); 9] : float32[9]",
        ),
        (
            "[1, 1, 1, 1, 1, 1, 1, 1, 1] : int32[9]",
            "[1; 9] : int32[9]",
        ),
    ] {
        let program = |values: &str| {
            let ty = values.split(" : ").nth(1).unwrap_or_default();
            format!("graph () -> {ty} {{\n  x = constant {values}\n  return x\n}}\n")
        };
        let graph: Graph = program(text).parse().unwrap();
        assert_eq!(graph.to_string(), program(again));
    }
    for wrong in [
        "[0; 3] : int32[3]",
        "[0; 10] : int32[9]",
        "[0; ] : int32[9]",
        "[0; 9 : int32[9]",
    ] {
        let text = format!("graph () -> int32[9] {{ x = constant {wrong} return x }}");
        assert!(text.parse::<Graph>().is_err(), "{wrong}");
    }
}

#[test]
fn a_library_has_lines_and_constants_from_elsewhere() {
    let constants = [Arc::new(Array::zeros(DType::F32, &[65]))];
    let text = r#"fn "a b"() -> float32[65] {
  @"x.rs":3:5 %0 = constant #0 : float32[65]
  @"y.rs":4:1 %1 = neg(%0) : float32[65]
  return %1
}
fn f() -> float32[65] {
  @5:1 y = call "a b"() : float32[65]
  return y
}
"#;
    let graphs = library::read(text, &constants).unwrap();
    let f = graphs["f"].clone();
    assert_eq!(f.nodes[0].location.to_string(), "y.rs:5:1");
    let mut asked = 0;
    let number = &mut |array: &Arc<Array>| {
        assert!(Arc::ptr_eq(array, &constants[0]));
        asked += 1;
        0
    };
    let (written, labels) = library::write(&[("f".into(), f)], number).unwrap();
    assert_eq!(
        (written.as_str(), &labels[..]),
        (text, &["f".to_owned()][..])
    );
    assert_eq!(asked, 1);
    let error = library::read(&text.replace("#0", "#1"), &constants).unwrap_err();
    assert_eq!(
        error.to_string(),
        "2:29: there is no constant 1, only 1 come with the text"
    );
    let error = library::read(&text.replace("[65]", "[66]"), &constants).unwrap_err();
    assert_eq!(error.to_string(), "2:29: constant 0 is float32[65]");
    let error = library::read("fn f() -> () { @3:5 print(\"\") return }", &[]).unwrap_err();
    assert!(error.message.contains("without its file"), "{error}");
}
