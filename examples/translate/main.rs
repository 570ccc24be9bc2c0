//! Prints a model of ONNX as a graph function in Rust, which computes the same and can be read, changed and trained.
//!
//! ```text
//! cargo run --release --features onnx --example translate -- model.onnx > src/model.rs
//! ```
//!
//! The weights go into `model.safetensors` beside the model; `Weights::load` of the printed module reads them. Branches and loops of the model are
//! `if` and `while`. An op that has no counterpart here is an error that names it.

mod expressions;
mod literals;
mod methods;
mod names;
mod positions;
mod source;
mod statements;

use std::error::Error;
use std::path::PathBuf;

use graph_runtime::onnx;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(path), None) = (arguments.next().map(PathBuf::from), arguments.next()) else {
        return Err("translate MODEL.onnx".into());
    };
    let model = onnx::load_trainable(&path)?;
    let translated = source::translate(&model)?;
    print!("{}", translated.source);
    if translated.has_weights() {
        let file = path.with_extension("safetensors");
        translated.save_weights(&file)?;
        eprintln!("The weights are in {}.", file.display());
    }
    Ok(())
}
