//! Shows the functions in a file, and runs one on NumPy's files. The program knows nothing of the source that they were traced from.
//!
//! ```text
//! cargo run --release --example run_saved -- f.graph                                # signatures and graphs
//! cargo run --release --example run_saved -- f.graph --run predict x=x.npy at.y=y.npy   # results
//! ```
//!
//! A parameter's name, or for a part of it the path to it, is as the first form prints it.

use std::error::Error;
use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use graph_runtime::data::{NpyElement, read_npy};
use graph_runtime::function::TypeSpec;
use graph_runtime::graph::TensorType;
use graph_runtime::tensor::AnyTensor;
use graph_runtime::{DType, LoadedFunction, load};
use lexopt::Arg::{Long, Value};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const USAGE: &str = "run_saved FILE [--run FUNCTION NAME=FILE.npy ...]";

/// What the command line asks for.
struct Arguments {
    file: PathBuf,
    /// The function to run.
    run: Option<String>,
    /// The names of tensors, with the files that they are in.
    inputs: Vec<(String, PathBuf)>,
}

fn arguments(all: impl IntoIterator<Item = OsString>) -> Result<Arguments> {
    let mut parser = lexopt::Parser::from_args(all);
    let (mut file, mut run, mut inputs) = (None, None, Vec::new());
    while let Some(argument) = parser.next()? {
        match argument {
            Long("run") => run = Some(parser.value()?.into_string().map_err(|_| USAGE)?),
            Value(path) if file.is_none() => file = Some(path.into()),
            Value(input) => {
                let input = input.into_string().map_err(|_| USAGE)?;
                let (name, path) = input.split_once('=').ok_or(USAGE)?;
                inputs.push((name.to_owned(), path.into()));
            }
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(Arguments {
        file: file.ok_or(USAGE)?,
        run,
        inputs,
    })
}

/// The signature and the graph of a function, and the names by which its tensors are given.
fn description(name: &str, function: &LoadedFunction) -> String {
    let mut text = format!("{name}\n\n{function}\n\nTensors:\n");
    let leaves = function.function().leaves().into_iter();
    let results = function.function().result_names().into_iter();
    let results = results.map(|(path, leaf)| (format!("-> {path}"), leaf));
    for (path, leaf) in leaves.chain(results) {
        if let TypeSpec::OfTensor(ty) = leaf {
            // Writing to a `String` can't fail.
            let _ = writeln!(text, "  {path}: {ty}");
        }
    }
    text + &format!("\n{}", function.graph())
}

/// Reads the array of a file as a tensor of this type.
fn read(path: &Path, ty: &TensorType) -> Result<AnyTensor> {
    fn of<T: NpyElement>(path: &Path) -> Result<AnyTensor> {
        Ok(read_npy::<T>(path)?.into())
    }
    match ty.dtype {
        DType::F32 => of::<f32>(path),
        DType::F64 => of::<f64>(path),
        DType::I8 => of::<i8>(path),
        DType::I16 => of::<i16>(path),
        DType::I32 => of::<i32>(path),
        DType::I64 => of::<i64>(path),
        DType::U8 => of::<u8>(path),
        DType::U16 => of::<u16>(path),
        DType::U32 => of::<u32>(path),
        DType::U64 => of::<u64>(path),
        DType::Bool => of::<bool>(path),
        other => Err(format!("a npy file holds no {other}").into()),
    }
}

/// Runs a function on the arrays of files, and gives its results as text.
fn run(function: &LoadedFunction, inputs: &[(String, PathBuf)]) -> Result<String> {
    let leaves = function.function().leaves();
    let mut tensors = Vec::new();
    for (name, path) in inputs {
        let leaf = leaves.iter().find(|(own, _)| own == name);
        let Some((_, TypeSpec::OfTensor(ty))) = leaf else {
            return Err(format!("`{}` has no tensor `{name}`", function.name()).into());
        };
        tensors.push((name.as_str(), read(path, ty)?));
    }
    let results: Vec<AnyTensor> = function.call_flat_named(tensors)?;
    let mut text = String::new();
    for ((name, _), result) in function.function().result_names().iter().zip(results) {
        let _ = writeln!(text, "{name} =\n{result}");
    }
    Ok(text)
}

fn main() -> Result<()> {
    let arguments = arguments(std::env::args_os().skip(1))?;
    let functions = load(&arguments.file)?;
    match &arguments.run {
        Some(name) => print!("{}", run(functions.get(name)?, &arguments.inputs)?),
        None => {
            for (name, function) in functions.iter() {
                println!("{}", description(name, function));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use graph_runtime::prelude::*;

    #[derive(Clone, GraphState, TraceType)]
    struct Line {
        a: Tensor<f32>,
        b: Tensor<f32>,
    }

    #[graph_fn]
    fn at(line: &Line, x: Tensor<f32>) -> Tensor<f32> {
        &line.a * x + &line.b
    }

    /// A file of NumPy with a vector.
    fn npy(path: &Path, values: &[f32], shape: &str) {
        let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}\n");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.bytes());
        bytes.extend(values.iter().flat_map(|v| v.to_le_bytes()));
        std::fs::write(path, bytes).unwrap();
    }

    #[test]
    fn a_file_is_shown_and_run() {
        let folder = std::env::temp_dir().join(format!("run_saved-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let scalar = || TensorSpec::new(&[]).placeholder();
        let line = Line {
            a: scalar(),
            b: scalar(),
        };
        let file = folder.join("at.graph");
        at::concrete(&line, TensorSpec::new(&[None]))
            .unwrap()
            .save(&file)
            .unwrap();
        let functions = load(&file).unwrap();
        let function = functions.get("at").unwrap();
        let text = description("at", function);
        assert!(text.contains("  line.a: float32[]\n  line.b: float32[]\n  x: float32[?]\n  -> output_0: float32[?]\n"), "{text}");
        let paths = ["a", "b", "x"].map(|name| folder.join(format!("{name}.npy")));
        npy(&paths[0], &[2.0], "()");
        npy(&paths[1], &[1.0], "()");
        npy(&paths[2], &[1.0, 3.0], "(2,)");
        let named = ["line.a", "line.b", "x"].into_iter().zip(&paths);
        let all: Vec<String> = named
            .map(|(name, path)| format!("{name}={}", path.display()))
            .collect();
        let mut line = vec![
            file.display().to_string(),
            "--run".to_owned(),
            "at".to_owned(),
        ];
        line.extend(all);
        let asked = arguments(line.into_iter().map(OsString::from)).unwrap();
        assert_eq!(
            run(function, &asked.inputs).unwrap(),
            "output_0 =\n[3. 7.]\n"
        );
        let missing = run(function, &asked.inputs[..2]).unwrap_err().to_string();
        assert!(
            missing.contains("missing a required argument: 'x'"),
            "{missing}"
        );
        std::fs::remove_dir_all(folder).unwrap();
    }
}
