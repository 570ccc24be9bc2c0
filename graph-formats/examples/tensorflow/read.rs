//! Models that TensorFlow wrote, run here. Beside each folder `NAME` is a file `NAME.values` with arrays `CALL/SIGNATURE/in/PARAMETER` and
//! `CALL/SIGNATURE/out/RESULT` for calls that follow each other.

use std::collections::BTreeMap;
use std::path::Path;

use graph_formats::tensorflow::proto::GraphDef;
use graph_formats::tensorflow::saved_model::{self, Model, Trace};
use graph_ir::device::Place;
use graph_ir::types::TensorType;
use graph_kernels::{Array, DType, cast};

use crate::Failure;
use crate::values::{arrays, run};

/// The largest difference of values.
const TOLERANCE: f64 = 1e-5;

/// The operands and expected results of one call.
#[derive(Default)]
struct Call {
    signature: String,
    inputs: BTreeMap<String, Array>,
    outputs: BTreeMap<String, Array>,
}

fn calls(file: &Path) -> Result<Vec<Call>, Failure> {
    let values = GraphDef::from_bytes(&std::fs::read(file)?)?;
    let mut calls: BTreeMap<String, Call> = BTreeMap::new();
    for (name, array) in arrays(&values)? {
        let [number, signature, kind, name] = name.splitn(4, '/').collect::<Vec<_>>()[..] else {
            return Err(format!("{name} isn't a value of a call").into());
        };
        let call = calls.entry(number.to_owned()).or_default();
        call.signature = signature.to_owned();
        let values = if kind == "in" {
            &mut call.inputs
        } else {
            &mut call.outputs
        };
        values.insert(name.to_owned(), array);
    }
    Ok(calls.into_values().collect())
}

/// The largest difference between two arrays, relative where they are large.
fn difference(a: &Array, b: &Array) -> Result<f64, Failure> {
    if a.dtype() != b.dtype() || a.shape() != b.shape() {
        return Err(format!(
            "{} instead of {}",
            TensorType::of_array(a),
            TensorType::of_array(b)
        )
        .into());
    }
    let floats = |x: &Array| {
        let mut out = Array::default();
        cast(x, DType::F64, &mut out)?;
        Ok::<_, Failure>(out.values::<f64>().unwrap_or_default().to_vec())
    };
    let (a, b) = (floats(a)?, floats(b)?);
    let one = |(a, b): (&f64, &f64)| {
        if a == b || (a.is_nan() && b.is_nan()) {
            0.0
        } else {
            (a - b).abs() / b.abs().max(1.0)
        }
    };
    Ok(a.iter().zip(&b).map(one).fold(0.0, f64::max))
}

fn check(model: &Model, places: &[Place], call: &Call) -> Result<f64, Failure> {
    let found = model
        .signatures
        .iter()
        .find(|signature| signature.name == call.signature);
    let trace: &Trace = match found {
        Some(signature) => &signature.trace,
        None => {
            let refused = model
                .refused
                .iter()
                .find(|(name, _)| *name == call.signature);
            return Err(refused
                .map_or("no such signature".to_owned(), |(_, error)| {
                    error.to_string()
                })
                .into());
        }
    };
    let name = |id: &graph_ir::graph::ValueId| {
        trace.graph.values[id.index()]
            .name
            .as_deref()
            .unwrap_or_default()
    };
    let operands = trace.graph.inputs.iter().map(|id| {
        call.inputs
            .get(name(id))
            .cloned()
            .ok_or_else(|| format!("no operand {}", name(id)))
    });
    let operands: Result<Vec<Array>, String> = operands.collect();
    let variables = trace.variables.iter().map(|at| &places[*at]).collect();
    let results = run(&trace.graph, &operands?, variables)?;
    let mut largest = 0f64;
    for (at, result) in results.iter().enumerate() {
        let name = trace
            .results
            .get(at)
            .cloned()
            .unwrap_or_else(|| format!("output_{at}"));
        let expected = call
            .outputs
            .get(&name)
            .ok_or_else(|| format!("no result {name}"))?;
        let difference =
            difference(result, expected).map_err(|error| format!("{name}: {error}"))?;
        largest = largest.max(difference);
    }
    Ok(largest)
}

/// Checks all calls of a model, and returns their number and the largest difference.
fn check_model(folder: &Path, values: &Path) -> Result<(usize, f64), Failure> {
    let model = saved_model::load(folder)?;
    let places = model.variables.iter().map(|variable| {
        let ty = TensorType::new(variable.value.dtype(), variable.shape.clone());
        Place::new(variable.name.as_str(), ty, variable.value.clone())
    });
    let places: Vec<Place> = places.collect::<Result<_, _>>()?;
    let (mut largest, calls) = (0f64, calls(values)?);
    for (at, call) in calls.iter().enumerate() {
        let difference = check(&model, &places, call)
            .map_err(|error| format!("call {at} of {}: {error}", call.signature))?;
        largest = largest.max(difference);
    }
    Ok((calls.len(), largest))
}

/// Checks all models of a folder.
pub fn all(folder: &Path) -> Result<(), Failure> {
    let mut files: Vec<_> = std::fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<_>>()?;
    files.sort();
    let mut wrong = 0;
    for values in files
        .iter()
        .filter(|file| file.extension().is_some_and(|kind| kind == "values"))
    {
        let model = values.with_extension("");
        let name = model
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        match check_model(&model, values) {
            Ok((calls, difference)) if difference <= TOLERANCE => {
                println!("{name}: {calls} calls agree, to {difference:.1e}")
            }
            Ok((_, difference)) => {
                wrong += 1;
                println!("{name}: WRONG by {difference:.1e}");
            }
            Err(error) => {
                wrong += 1;
                println!("{name}: FAILED: {error}");
            }
        }
    }
    if wrong > 0 {
        return Err(format!("{wrong} models differ").into());
    }
    Ok(())
}
