//! A worker for suites of models: it loads the model of a folder, runs it on the folder's inputs, and writes the results there.
//!
//! It reads one JSON object a line and answers with one: `{"op": "hello"}` with its version, and `{"op": "run", "dir": D, "repeat": n}` with
//! the times of loading and of one call, after writing `D/got0`, … A value is an npy file, or a JSON file for strings, sequences and absent
//! values. `cargo run --release -p graph-formats --features onnx --example onnx-worker`.

use std::error::Error;
use std::fs;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use graph_formats::onnx::{self, Data, ErrorKind, Model, Type};
use graph_ir::device::Host;
use graph_ir::print::PrintTo;
use graph_kernels::{Array, DType, bf16, f16};
use serde_json::{Value, json};

type Failure = Box<dyn Error>;

fn main() -> io::Result<()> {
    let mut answers = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let answer = match serde_json::from_str::<Value>(&line?) {
            Ok(asked) => answer(&asked),
            Err(error) => refusal(&error.into()),
        };
        writeln!(answers, "{answer}")?;
        answers.flush()?;
    }
    Ok(())
}

fn answer(asked: &Value) -> Value {
    if asked["op"] == "hello" {
        return json!({"ok": true, "version": concat!("graph-formats ", env!("CARGO_PKG_VERSION"))});
    }
    let folder = PathBuf::from(asked["dir"].as_str().unwrap_or_default());
    let repeat = asked["repeat"].as_u64().unwrap_or(1).max(1);
    match run(&folder, repeat) {
        Ok(done) => {
            json!({"ok": true, "load_s": done.load, "run_s": done.run, "no_general_graph": done.no_general_graph})
        }
        Err(error) => refusal(&error),
    }
}

fn refusal(error: &Failure) -> Value {
    let kind = error.downcast_ref::<onnx::Error>().map(onnx::Error::kind);
    let text: String = error.to_string().chars().take(2000).collect();
    json!({"ok": false, "error": text, "unsupported": kind == Some(ErrorKind::Unsupported)})
}

/// Seeds that are another in each step of a run, and prints on the standard error.
struct Seeds(i64);

impl Host for Seeds {
    fn print(&mut self, text: &str, _: &PrintTo) -> io::Result<()> {
        io::stderr().write_all(text.as_bytes())
    }

    fn next_seed(&mut self, op_seed: Option<i64>) -> [i64; 2] {
        self.0 += 1;
        [op_seed.unwrap_or(0), self.0]
    }
}

/// A case that ran.
struct Done {
    /// The seconds of loading.
    load: f64,
    /// The median of the seconds of a call.
    run: f64,
    /// Why there isn't one graph for all arguments of the declared types, if there isn't.
    no_general_graph: Option<String>,
}

/// Runs a case.
fn run(folder: &Path, repeat: u64) -> Result<Done, Failure> {
    let meta: Value = serde_json::from_slice(&fs::read(folder.join("meta.json"))?)?;
    let start = Instant::now();
    let model = Model::load(folder.join("model.onnx"))?;
    let mut load = start.elapsed().as_secs_f64();
    let mut host = Seeds(0);
    let arguments = arguments(folder, &meta, &model)?;
    let start = Instant::now();
    let mut results = model.call(&arguments, &mut host)?;
    let mut times = vec![start.elapsed().as_secs_f64()];
    if repeat > 1 {
        // The program is compiled for the first call.
        load += times.remove(0);
    }
    while (times.len() as u64) < repeat {
        let start = Instant::now();
        results = model.call(&arguments, &mut host)?;
        times.push(start.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    for (n, result) in results.iter().enumerate() {
        write(&folder.join(format!("got{n}")), result)?;
    }
    Ok(Done {
        load,
        run: times[times.len() / 2],
        no_general_graph: model.graph().err().map(|error| error.to_string()),
    })
}

fn arguments(folder: &Path, meta: &Value, model: &Model) -> Result<Vec<Data>, Failure> {
    let given = meta["inputs"].as_array().cloned().unwrap_or_default();
    let find = |name: &str| given.iter().position(|input| input["name"] == name);
    let inputs = model.inputs().iter();
    inputs
        .map(|parameter| match find(&parameter.name) {
            Some(n) => {
                let dtype = given[n]["dtype"].as_str().and_then(DType::from_name);
                read(&folder.join(format!("in{n}")), dtype)
            }
            None if matches!(parameter.ty, Type::Optional(_)) => Ok(Data::Absent),
            None => Err(format!("no input `{}` is given", parameter.name).into()),
        })
        .collect()
}

fn with_suffix(stem: &Path, suffix: &str) -> PathBuf {
    let mut path = stem.as_os_str().to_owned();
    path.push(suffix);
    PathBuf::from(path)
}

fn read(stem: &Path, dtype: Option<DType>) -> Result<Data, Failure> {
    let npy = with_suffix(stem, ".npy");
    if npy.exists() {
        return Ok(read_npy(&fs::read(npy)?, dtype)?.into());
    }
    let what: Value = serde_json::from_slice(&fs::read(with_suffix(stem, ".json"))?)?;
    if what.is_null() {
        return Ok(Data::Absent);
    }
    if let Some(strings) = what["strings"].as_array() {
        let texts: Vec<String> = strings
            .iter()
            .map(|s| s.as_str().unwrap_or_default().to_owned())
            .collect();
        let shape = what["shape"].as_array().into_iter().flatten();
        let shape: Vec<usize> = shape
            .filter_map(|n| usize::try_from(n.as_u64()?).ok())
            .collect();
        return Ok(Array::new(&shape, texts).into());
    }
    let count = what["sequence"].as_u64().unwrap_or(0);
    let items = (0..count).map(
        |n| match read(&with_suffix(stem, &format!("_{n}")), None)? {
            Data::Tensor(array) => Ok(array),
            _ => Err("a sequence of something else than tensors".into()),
        },
    );
    Ok(Data::Sequence(items.collect::<Result<_, Failure>>()?))
}

fn write(stem: &Path, data: &Data) -> Result<(), Failure> {
    let put = |value: Value| fs::write(with_suffix(stem, ".json"), value.to_string());
    match data {
        Data::Tensor(array) => match array.values::<String>() {
            Some(texts) => put(json!({"shape": array.shape(), "strings": texts}))?,
            None => fs::write(with_suffix(stem, ".npy"), npy(array)?)?,
        },
        Data::Sequence(items) => {
            put(json!({"sequence": items.len()}))?;
            for (n, item) in items.iter().enumerate() {
                write(
                    &with_suffix(stem, &format!("_{n}")),
                    &Data::Tensor(Arc::clone(item)),
                )?;
            }
        }
        Data::Absent => put(Value::Null)?,
    }
    Ok(())
}

/// Calls a macro for each dtype of numbers with its descriptor in npy files.
macro_rules! number_types {
    ($each:ident) => {
        $each! { f32 "f4", f64 "f8", f16 "f2", i8 "i1", i16 "i2", i32 "i4", i64 "i8", u8 "u1", u16 "u2", u32 "u4", u64 "u8" }
    };
}

fn read_npy(bytes: &[u8], dtype: Option<DType>) -> Result<Array, Failure> {
    let wide = bytes.get(6) != Some(&1);
    let (start, len) = if wide {
        (12, u32::from_le_bytes(bytes[8..12].try_into()?) as usize)
    } else {
        (
            10,
            usize::from(u16::from_le_bytes(bytes[8..10].try_into()?)),
        )
    };
    let header = std::str::from_utf8(&bytes[start..start + len])?;
    let after = |key: &str| {
        header
            .split_once(key)
            .map(|(_, rest)| rest)
            .unwrap_or_default()
    };
    let descriptor = after("'descr':").split('\'').nth(1).unwrap_or_default();
    let sizes = after("'shape':")
        .split(['(', ')'])
        .nth(1)
        .unwrap_or_default();
    let sizes = sizes.split(',').map(str::trim).filter(|n| !n.is_empty());
    let shape: Vec<usize> = sizes.map(str::parse).collect::<Result<_, _>>()?;
    let values = &bytes[start + len..];
    if dtype == Some(DType::BF16) {
        let (chunks, _) = values.as_chunks();
        let values: Vec<bf16> = chunks
            .iter()
            .map(|chunk| bf16::from_le_bytes(*chunk))
            .collect();
        return Ok(Array::new(&shape, values));
    }
    macro_rules! numbers {
        ($($type:ident $code:literal),*) => {
            match &descriptor[1..] {
                $($code => {
                    let (chunks, _) = values.as_chunks();
                    let values: Vec<$type> = chunks.iter().map(|chunk| $type::from_le_bytes(*chunk)).collect();
                    Ok(Array::new(&shape, values))
                })*
                "b1" => Ok(Array::new(&shape, values.iter().map(|byte| *byte != 0).collect::<Vec<bool>>())),
                other => Err(format!("values of type {other}").into()),
            }
        };
    }
    number_types!(numbers)
}

fn npy(array: &Array) -> Result<Vec<u8>, Failure> {
    macro_rules! numbers {
        ($($type:ident $code:literal),*) => {{
            let mut found: Option<(&str, Vec<u8>)> = None;
            $(if let Some(values) = array.values::<$type>() {
                found = Some((concat!("<", $code), values.iter().flat_map(|v| v.to_le_bytes()).collect()));
            })*
            if let Some(values) = array.values::<bf16>() {
                found = Some(("<u2", values.iter().flat_map(|v| v.to_le_bytes()).collect()));
            }
            if let Some(values) = array.values::<bool>() {
                found = Some(("|b1", values.iter().map(|v| u8::from(*v)).collect()));
            }
            found
        }};
    }
    let Some((descriptor, values)) = number_types!(numbers) else {
        return Err(format!("values of type {}", array.dtype()).into());
    };
    let sizes: String = array.shape().iter().map(|n| format!("{n},")).collect();
    let mut header =
        format!("{{'descr': '{descriptor}', 'fortran_order': False, 'shape': ({sizes}), }}");
    while (header.len() + 11) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(header.len())?.to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(values);
    Ok(bytes)
}
