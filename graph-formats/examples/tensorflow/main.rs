//! Exchanges files with TensorFlow, for `scripts/tensorflow_check.py`:
//!
//! - `cargo run -p graph-formats --features saved-model --example tensorflow -- write FOLDER` writes graphs with operands and the results that they
//!   have here, and a model;
//! - `… -- read FOLDER` loads the models in a folder that TensorFlow wrote, runs them, and compares with the results that they have there.

mod model;
mod op_cases;
mod programs;
mod read;
mod values;
mod write;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .as_slice()
    {
        ["write", folder] => write::all(folder.as_ref()),
        ["read", folder] => read::all(folder.as_ref()),
        _ => Err("usage: tensorflow write|read FOLDER".into()),
    }
}
