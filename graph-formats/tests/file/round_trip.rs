//! What is written is read, and the bytes are always the same.

use std::sync::Arc;

use graph_formats::file::{Contents, read, write};
use graph_ir::graph::{Graph, Op};
use graph_kernels::{Array, Buffer};

use crate::contents::{counters, dtypes, functions, structures};

/// Reads what is written of contents; writing that again gives the same bytes.
fn again(contents: &Contents) -> Contents {
    let bytes = write(contents).unwrap();
    let read = read(&bytes).unwrap();
    assert!(write(&read).unwrap() == bytes, "the bytes change");
    read
}

#[test]
fn functions_share_variables_called_graphs_and_equal_constants() {
    let contents = counters();
    let read = again(&contents);
    assert_eq!(read.functions[0].variables, [1, 0]);
    assert_eq!(read.functions[1].variables, [1]);
    assert_eq!(
        read.functions[0].function.parameters,
        contents.functions[0].function.parameters
    );
    let constants: Vec<Arc<Array>> = read
        .functions
        .iter()
        .flat_map(|held| constants(&held.function.graph))
        .collect();
    let large: Vec<&Arc<Array>> = constants.iter().filter(|array| array.len() > 1).collect();
    assert!(large.len() == 2 && Arc::ptr_eq(large[0], large[1]));
    assert_eq!(**large[0], Array::new(&[70], (0..70).collect::<Vec<i32>>()));
    let Buffer::F32(w) = read.variables[0].value.buffer() else {
        panic!("{:?}", read.variables[0])
    };
    let bits: Vec<u32> = w.iter().map(|v| v.to_bits()).collect();
    assert_eq!(bits, [1.5f32, f32::NAN, -0.0].map(f32::to_bits));
}

fn constants(graph: &Graph) -> Vec<Arc<Array>> {
    let constants = graph.nodes.iter().filter_map(|node| match &node.op {
        Op::Constant(array) => Some(array.clone()),
        _ => None,
    });
    constants.collect()
}

#[test]
fn every_structure_and_dtype_is_kept() {
    let contents = structures();
    let read = again(&contents);
    assert_eq!(read.functions[0].name, "other name");
    assert_eq!(
        read.functions[0].function.parameters,
        contents.functions[0].function.parameters
    );
    assert_eq!(
        read.functions[0].function.results,
        contents.functions[0].function.results
    );
    let contents = dtypes();
    let read = again(&contents);
    assert_eq!(read.variables, contents.variables);
}

#[test]
fn the_lines_of_the_program_are_kept() {
    let read = again(&counters());
    let call = read.functions[0]
        .function
        .graph
        .nodes
        .iter()
        .find_map(|node| match &node.op {
            Op::Call { graph, .. } => Some(graph.clone()),
            _ => None,
        });
    assert_eq!(
        call.unwrap().nodes[0].location.to_string(),
        "src/main.rs:3:5"
    );
}

#[test]
fn the_bytes_are_those_of_the_format() {
    let contents = counters();
    let bytes = write(&contents).unwrap();
    let length = u64::from_le_bytes(*bytes.first_chunk().unwrap()) as usize;
    let header: serde_json::Value = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
    assert_eq!(length % 8, 0);
    assert_eq!(header["__metadata__"]["graph.version"], "1");
    assert_eq!(header["constant.0"]["shape"], serde_json::json!([70]));
    assert!(header.get("constant.1").is_none());
    let text = header["__metadata__"]["graph.text"].as_str().unwrap();
    assert_eq!(text.matches("fn twice(").count(), 1, "{text}");
    // The reference reader takes the file, and finds the values.
    let file = safetensors::SafeTensors::deserialize(&bytes).unwrap();
    let n = file.tensor("n").unwrap();
    assert_eq!(
        (n.data(), n.shape(), n.dtype()),
        (&7i32.to_le_bytes()[..], &[][..], safetensors::Dtype::I32)
    );
    let w = file.tensor("layers.0.w").unwrap();
    assert_eq!(w.data()[..4], 1.5f32.to_le_bytes());
}

#[test]
fn what_the_types_allow_but_not_the_format_is_refused() {
    let refused = |change: &dyn Fn(&mut Contents)| {
        let mut contents = counters();
        change(&mut contents);
        write(&contents).unwrap_err().message().to_owned()
    };
    assert_eq!(
        refused(&|c| c.functions[1].name = "first".to_owned()),
        "two functions of the name `first`"
    );
    assert_eq!(
        refused(&|c| c.variables[0].name = "constant.7".to_owned()),
        "a variable can't have the name `constant.7` there"
    );
    assert_eq!(
        refused(&|c| c.functions[1].variables = vec![0]),
        "graph.functions: the variable \"layers.0.w\" is float32[?] and, in \"second\", int32[]"
    );
    assert_eq!(
        refused(&|c| c.variables[1].value = Arc::new(Array::scalar(1i64))),
        "graph.functions: the variable \"n\" is int32[], but its value int64[]"
    );
}

#[test]
fn graphs_that_nest_too_deeply_are_refused_with_their_line() {
    let mut text = "fn f0(x: int32[]) -> int32[] { return x }\n".to_owned();
    for i in 1..66 {
        text += &format!(
            "fn f{i}(x: int32[]) -> int32[] {{ @\"deep.rs\":{i}:1 y = call f{}(x) : int32[] return y }}\n",
            i - 1
        );
    }
    // The text itself is refused; so the graph is built by hand around the deepest that isn't.
    let (deep, _) = text.rsplit_once("fn f65").unwrap();
    let mut all = functions(deep, &[]);
    let deepest = all.iter().position(|f| &*f.name == "f64").unwrap();
    let function = all.remove(deepest);
    let mut graph = Graph::clone(&function.graph);
    let Op::Call { graph: inner, .. } = &mut graph.nodes[0].op else {
        panic!("{graph}")
    };
    *inner = function.graph.clone();
    let mut contents = counters();
    contents.functions[1].function = graph_ir::function::Function::of_graph("second", graph);
    contents.functions[1].variables = vec![];
    let error = write(&contents).unwrap_err();
    assert_eq!(
        error.message(),
        "`call` can't be saved: graphs nest deeper than 64 in it"
    );
    assert_eq!(error.location().to_string(), "deep.rs:64:1");
}
