//! The text of graphs, as TensorFlow's documentation prints it.

use graph_formats::tensorflow::graph_def;
use graph_ir::graph::Graph;

/// The first nodes of `tf_simple_relu`, as the documentation of `tf.function` prints them.
const DOCUMENTED: &str = r#"node {
  name: "x"
  op: "Placeholder"
  attr {
    key: "_user_specified_name"
    value {
      s: "x"
    }
  }
  attr {
    key: "dtype"
    value {
      type: DT_INT32
    }
  }
  attr {
    key: "shape"
    value {
      shape {
      }
    }
  }
}
node {
  name: "Greater/y"
  op: "Const"
  attr {
    key: "dtype"
    value {
      type: DT_INT32
    }
  }
  attr {
    key: "value"
    value {
      tensor {
        dtype: DT_INT32
        tensor_shape {
        }
        int_val: 0
      }
    }
  }
}
node {
  name: "Greater"
  op: "Greater"
  input: "x"
  input: "Greater/y"
  attr {
    key: "T"
    value {
      type: DT_INT32
    }
  }
}
node {
  name: "cond"
  op: "StatelessIf"
  input: "Greater"
  input: "x"
  attr {
    key: "Tcond"
    value {
      type: DT_BOOL
    }
  }
  attr {
    key: "Tin"
    value {
      list {
        type: DT_INT32
      }
    }
  }
"#;

const RELU: &str = "graph (x: int32[]) -> (int32[]) {
  %1 = constant 0 : int32[]
  %2 = greater(x, %1) : bool[]
  %3 = cond %2 (x) : int32[] {
    then (x: int32[]) {
      return x
    }
    else (x: int32[]) {
      %1 = constant 0 : int32[]
      return %1
    }
  }
  return %3
}
";

#[test]
fn a_graph_is_printed_as_the_documentation_prints_it() {
    let graph: Graph = RELU.parse().unwrap();
    let text = graph_def(&graph).unwrap().to_string();
    assert!(text.starts_with(DOCUMENTED), "{text}");
    let branches = text.matches("  function {").count();
    assert_eq!(branches, 2);
}

/// Two graphs whose branches differ have functions of different names, so that one program can load both.
#[test]
fn functions_are_named_by_their_content() {
    let names = |text: &str| {
        let def = graph_def(&text.parse::<Graph>().unwrap()).unwrap();
        let functions = def.library.unwrap().function;
        functions
            .into_iter()
            .map(|function| function.signature.unwrap().name)
            .collect::<Vec<_>>()
    };
    let (relu, other) = (
        names(RELU),
        names(&RELU.replace("constant 0", "constant 1")),
    );
    assert_eq!(names(RELU), relu);
    // The branch that returns its argument is the same in both.
    let same: Vec<&String> = relu.iter().filter(|name| other.contains(name)).collect();
    assert_eq!((relu.len(), same.len()), (2, 1));
}

#[test]
fn what_tensorflow_cant_say_is_an_error_that_names_the_op() {
    let text = "graph (x: float32[2,3], i: int32[2,1]) -> (float32[2]) {
  %2 = gather_nd(x, i) {batch_dims = 1} : float32[2]
  return %2
}
";
    let error = graph_def(&text.parse().unwrap()).unwrap_err().to_string();
    assert!(
        error.contains("`gather_nd` can't be written for TensorFlow"),
        "{error}"
    );
}
