//! Models that come back, bytes that are the same each time, and files that aren't models.

use super::*;

/// `x * w + b`, and `w` set to `w - x`.
fn model() -> Model {
    let graph = |text: &str| SharedGraph::from(text.parse::<graph_ir::graph::Graph>().unwrap());
    let call = graph(
        "graph (x: float32[?,2]) with (w: float32[2], b: float32[2]) -> (float32[?,2]) {
  %1 = read_variable w : float32[2]
  %2 = mul(x, %1) : float32[?,2]
  %3 = read_variable b : float32[2]
  %4 = add(%2, %3) : float32[?,2]
  return %4
}
",
    );
    let step = graph(
        "graph (x: float32[2]) with (w: float32[2]) -> (float32[2]) {
  %1 = read_variable w : float32[2]
  %2 = sub(%1, x) : float32[2]
  assign_variable w (%2)
  %3 = read_variable w : float32[2]
  return %3
}
",
    );
    let trace = |graph: &SharedGraph, variables: &[usize]| Trace {
        graph: graph.clone(),
        variables: variables.to_vec(),
        results: Vec::new(),
    };
    Model {
        variables: vec![
            StoredVariable::new("layers.0.w", Array::new(&[2], vec![2f32, 3.0])),
            StoredVariable::new("b", Array::new(&[2], vec![0.5f32, -0.5])),
        ],
        functions: vec![
            Function {
                name: "call".to_owned(),
                traces: vec![trace(&call, &[0, 1])],
            },
            Function {
                name: "step".to_owned(),
                traces: vec![trace(&step, &[0])],
            },
        ],
        signatures: vec![Signature {
            name: "serving_default".to_owned(),
            trace: trace(&call, &[0, 1]),
        }],
        refused: Vec::new(),
    }
}

#[test]
fn a_saved_model_comes_back() {
    let files = model().to_files().unwrap();
    let read = from_bytes(&files).unwrap();
    assert!(read.refused.is_empty(), "{:?}", read.refused);
    assert_eq!(read.variables, model().variables);
    let names: Vec<&str> = read
        .functions
        .iter()
        .map(|function| function.name.as_str())
        .collect();
    assert_eq!(names, ["call", "step"]);
    for (read, saved) in read.functions.iter().zip(model().functions) {
        let ops = |trace: &Trace| {
            trace
                .graph
                .nodes()
                .iter()
                .map(|node| node.op.name())
                .collect::<Vec<_>>()
        };
        assert_eq!(ops(&read.traces[0]), ops(&saved.traces[0]));
        assert_eq!(read.traces[0].variables, saved.traces[0].variables);
        assert_eq!(read.traces[0].parameters(), ["x"]);
    }
    assert_eq!(read.signatures[0].trace.results(), ["output_0"]);
}

#[test]
fn a_model_is_saved_to_the_same_bytes_each_time() {
    assert_eq!(model().to_files().unwrap(), model().to_files().unwrap());
}

#[test]
fn a_folder_is_replaced_as_a_whole() {
    let folder = std::env::temp_dir().join(format!("graph-formats-saved-{}", std::process::id()));
    let path = folder.join("model");
    std::fs::create_dir_all(&folder).unwrap();
    save(&path, &model()).unwrap();
    save(&path, &Model::default()).unwrap();
    save(&path, &model()).unwrap();
    assert_eq!(load(&path).unwrap().variables, model().variables);
    let left: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left, ["model"]);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn bytes_that_are_no_model_are_errors() {
    let files = model().to_files().unwrap();
    let saved = &files[SAVED_MODEL];
    for at in (0..saved.len()).step_by(97) {
        let mut cut = files.clone();
        cut.insert(SAVED_MODEL.to_owned(), saved[..at].to_vec());
        // A cut may fall between two fields, so that a smaller model is left.
        let _ = from_bytes(&cut);
        let mut changed = files.clone();
        changed.get_mut(SAVED_MODEL).unwrap()[at] ^= 0x10;
        let _ = from_bytes(&changed);
    }
    assert!(
        from_bytes(&Files::new())
            .unwrap_err()
            .to_string()
            .contains("saved_model.pb is missing")
    );
}
