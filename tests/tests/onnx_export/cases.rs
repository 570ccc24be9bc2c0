//! Models with operands and results, in a file that `scripts/onnx_check.py` gives to ONNX's checker and to onnxruntime.
//!
//! A case is a name, a model, the operands and the expected results: each a length of four bytes and as many bytes; lists begin with their
//! length. Arrays are tensors of ONNX.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

use graph_formats::onnx::export::{Options, Signature, export, tensor, to_bytes};
use graph_formats::onnx::proto::ModelProto;
use graph_runtime::Array;
use graph_runtime::device::{Host, Program, Storage};
use graph_runtime::graph::Graph;
use graph_runtime::plan::Plan;
use prost::Message;

/// The file of cases, if one is asked for: `ONNX_CASES` names a folder, in which each test has a file.
pub struct Cases(Option<Mutex<BufWriter<File>>>);

impl Cases {
    pub fn new(name: &str) -> Cases {
        let folder = std::env::var("ONNX_CASES").ok();
        let file = folder.map(|folder| {
            std::fs::create_dir_all(&folder).unwrap_or_else(|e| panic!("{folder}: {e}"));
            let path = Path::new(&folder).join(format!("{name}.cases"));
            let file = File::create(&path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
            Mutex::new(BufWriter::new(file))
        });
        Cases(file)
    }

    /// Whether a file is written.
    pub fn are_asked_for(&self) -> bool {
        self.0.is_some()
    }

    /// Adds a case.
    pub fn add(&self, name: &str, model: &[u8], operands: &[Arc<Array>], results: &[Arc<Array>]) {
        let Some(file) = &self.0 else { return };
        let mut bytes = Vec::new();
        part(&mut bytes, name.as_bytes());
        part(&mut bytes, model);
        for arrays in [operands, results] {
            bytes.extend_from_slice(&(arrays.len() as u32).to_le_bytes());
            for array in arrays {
                part(&mut bytes, &tensor(array, "").encode_to_vec());
            }
        }
        file.lock()
            .unwrap()
            .write_all(&bytes)
            .expect("the case is written");
    }

    /// Adds a graph as a case: what it gives here for these operands is what is expected.
    pub fn add_graph(
        &self,
        name: &str,
        graph: &Graph,
        operands: &[Arc<Array>],
    ) -> Result<(), String> {
        let model = exported(graph).map_err(|error| error.to_string())?;
        if self.are_asked_for() {
            let results = run(graph, operands)?;
            self.add(name, &to_bytes(&model), operands, &results);
        }
        Ok(())
    }
}

fn part(to: &mut Vec<u8>, bytes: &[u8]) {
    to.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
    to.extend_from_slice(bytes);
}

/// The model of a graph, without what it prints and asserts.
pub fn exported(graph: &Graph) -> graph_runtime::Result<ModelProto> {
    let mut options = Options::default();
    // The version of the operators may be given, too.
    if let Ok(opset) = std::env::var("ONNX_OPSET") {
        options.opset = opset.parse().expect("a number");
    }
    options.drop_prints_and_assertions = true;
    export(graph, &Signature::default(), &options)
}

struct Silent;

impl Host for Silent {
    fn print(&mut self, _: &str, _: &graph_runtime::PrintTo) -> std::io::Result<()> {
        Ok(())
    }
    fn next_seed(&mut self, _: Option<i64>) -> [i64; 2] {
        [0, 0]
    }
}

fn run(graph: &Graph, operands: &[Arc<Array>]) -> Result<Vec<Arc<Array>>, String> {
    let operands: Vec<Storage> = operands.iter().cloned().map(Storage::from).collect();
    let operands: Vec<&Storage> = operands.iter().collect();
    let results = Plan::new(graph).run(&operands, &mut Silent);
    let results = results.map_err(|error| error.to_string())?;
    let arrays = results
        .iter()
        .map(|result| result.to_host().map_err(|error| error.to_string()));
    arrays.collect()
}
