//! The functions that a graph's nodes refer to: branches, loops and called functions. A function's name ends with a hash of its content, so
//! that functions of two graphs that are loaded into one program have the same name only if they are the same.

use std::collections::BTreeMap;

use graph_ir::graph::SharedGraph;
use prost::Message;
use rustc_hash::FxHashMap;

use crate::tensorflow::proto::FunctionDef;

/// The functions, by their names.
#[derive(Default)]
pub(crate) struct Library {
    functions: BTreeMap<String, FunctionDef>,
    /// The names of the functions that were made of a graph, by the hint and the variables that it uses.
    written: FxHashMap<Key, (SharedGraph, String)>,
}

/// What determines a function: the graph, by its address, the hint for its name, and the variables that are its last arguments.
type Key = (usize, String, Vec<usize>);

impl Library {
    /// The name of the function that was made of a graph before.
    pub fn written(&self, graph: &SharedGraph, hint: &str, variables: &[usize]) -> Option<&str> {
        let found = self.written.get(&key(graph, hint, variables))?;
        Some(&found.1)
    }

    /// Adds a function, and records that it was made of a graph.
    pub fn add_for(
        &mut self,
        graph: &SharedGraph,
        hint: &str,
        variables: &[usize],
        function: FunctionDef,
    ) -> String {
        let name = self.add(hint, function);
        // The graph is kept, so that its address stays its own.
        let written = (graph.clone(), name.clone());
        self.written.insert(key(graph, hint, variables), written);
        name
    }

    /// Adds a function under a name that begins with the hint.
    pub fn add(&mut self, hint: &str, mut function: FunctionDef) -> String {
        let name = format!("{hint}_{:016x}", hash(&function.encode_to_vec()));
        if let Some(signature) = &mut function.signature {
            signature.name = name.clone();
        }
        self.functions.insert(name.clone(), function);
        name
    }

    /// All functions.
    pub fn into_functions(self) -> Vec<FunctionDef> {
        self.functions.into_values().collect()
    }
}

fn key(graph: &SharedGraph, hint: &str, variables: &[usize]) -> Key {
    (graph.as_ptr() as usize, hint.to_owned(), variables.to_vec())
}

/// FNV-1a, which is the same on every machine.
fn hash(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}
