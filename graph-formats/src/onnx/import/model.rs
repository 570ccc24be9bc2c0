//! A model that was read: its signature, its graph, and calls of it.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use graph_ir::device::{Device, Host, Outputs, Storage};
use graph_ir::executable::Executable;
use graph_ir::graph::Graph;
use graph_ir::types::TensorType;
use graph_kernels::Array;
use prost::Message;

use super::check;
use super::error::{Error, ErrorKind};
use super::read::{self, Form, Imported, Known, Source};
use super::tensor::Folder;
use super::types::{Parameter, Type};
use crate::onnx::proto::ModelProto;

/// A value that a model takes or gives.
#[derive(Clone, Debug)]
pub enum Data {
    /// A tensor.
    Tensor(Arc<Array>),
    /// A sequence of tensors.
    Sequence(Vec<Arc<Array>>),
    /// An optional without a value.
    Absent,
}

impl From<Array> for Data {
    fn from(array: Array) -> Data {
        Data::Tensor(Arc::new(array))
    }
}

/// A model.
///
/// Its [`graph`](Self::graph) is the one for all arguments of the declared types. Some models have none: what they compute depends on the
/// values of arguments (such as the axes of a reduction) in a way that a graph can't. A [`call`](Self::call) then makes the graph for the
/// arguments at hand, and keeps it.
///
/// ```no_run
/// use graph_formats::onnx::{Data, Error, Model};
/// use graph_ir::device::Host;
/// use graph_kernels::Array;
///
/// fn classify(image: Array, host: &mut dyn Host) -> Result<Vec<Data>, Error> {
///     let model = Model::load("model.onnx")?;
///     for input in model.inputs() {
///         println!("{}: {:?}", input.name, input.ty);
///     }
///     model.call(&[image.into()], host)
/// }
/// ```
pub struct Model {
    pub(super) source: Source,
    inputs: Vec<Parameter>,
    outputs: Vec<Parameter>,
    general: Result<Arc<Compiled>, Error>,
    /// The graphs for arguments of which more is known.
    special: Mutex<Vec<(Vec<Known>, Arc<Compiled>)>>,
}

/// The most graphs that are kept for special arguments.
const MAX_SPECIAL: usize = 32;

struct Compiled {
    imported: Imported,
    executable: Executable,
}

impl Compiled {
    fn new(imported: Imported) -> Arc<Compiled> {
        let executable = Executable::new(imported.graph.clone());
        Arc::new(Compiled {
            imported,
            executable,
        })
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |all: &[Parameter]| all.iter().map(|p| p.name.clone()).collect::<Vec<_>>();
        f.debug_struct("Model")
            .field("inputs", &names(&self.inputs))
            .field("outputs", &names(&self.outputs))
            .finish_non_exhaustive()
    }
}

impl Model {
    /// Reads a model from a file. Its external data lies in the same folder.
    ///
    /// # Errors
    /// If the file can't be read, isn't a valid model, or needs what isn't here.
    pub fn load(path: impl AsRef<Path>) -> Result<Model, Error> {
        let path = path.as_ref();
        let bytes = fs::read(path).map_err(|error| {
            Error::new(ErrorKind::Invalid, format!("{}: {error}", path.display()))
        })?;
        let folder = match path.parent() {
            Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
            Some(folder) => folder,
            None => Path::new("."),
        };
        Model::read(&bytes, Folder(Some(folder.to_owned())))
    }

    /// Reads a model from bytes. It can't have external data.
    ///
    /// # Errors
    /// If the bytes aren't a valid model, or need what isn't here.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model, Error> {
        Model::read(bytes, Folder::default())
    }

    fn read(bytes: &[u8], folder: Folder) -> Result<Model, Error> {
        let model = ModelProto::decode(bytes).map_err(|error| {
            Error::new(ErrorKind::Invalid, format!("not an ONNX model: {error}"))
        })?;
        let source = Source { model, folder };
        Model::of_source(source).map_err(|fault| fault.into_error())
    }

    fn of_source(source: Source) -> super::error::Result<Model> {
        check::model(&source.model)?;
        let graph = source.graph()?;
        read::check_signature(graph)?;
        let inputs = source.parameters()?;
        let outputs = graph
            .output
            .iter()
            .map(Parameter::read)
            .collect::<Result<_, _>>()?;
        let declared: Result<Vec<Known>, _> = inputs.iter().map(read::declared).collect();
        let general = match declared {
            Err(fault) => Err(fault),
            Ok(declared) => source.import(&declared).map_err(|failed| failed.fault),
        };
        let general = match general {
            Ok(imported) => Ok(Compiled::new(imported)),
            Err(fault) if fault.is_open() => Err(fault.into_error()),
            Err(fault) => return Err(fault),
        };
        Ok(Model {
            source,
            inputs,
            outputs,
            general,
            special: Mutex::default(),
        })
    }

    /// The inputs, in order.
    pub fn inputs(&self) -> &[Parameter] {
        &self.inputs
    }

    /// The outputs, in order.
    pub fn outputs(&self) -> &[Parameter] {
        &self.outputs
    }

    /// The graph for all arguments of the declared types.
    ///
    /// # Errors
    /// If what the model computes depends on shapes or values of arguments in a way that a graph can't.
    pub fn graph(&self) -> Result<&Graph, Error> {
        match &self.general {
            Ok(compiled) => Ok(&compiled.imported.graph),
            Err(error) => Err(error.clone()),
        }
    }

    /// Runs the model on the CPU. `arguments` are the inputs, in order. Prints and seeds of random ops go through the host.
    ///
    /// # Errors
    /// If the arguments don't fit the inputs, the model needs what isn't here, or the run fails.
    pub fn call(&self, arguments: &[Data], host: &mut dyn Host) -> Result<Vec<Data>, Error> {
        self.check_arguments(arguments)?;
        let compiled = match &self.general {
            Ok(compiled) => compiled.clone(),
            Err(_) => self.special(arguments)?,
        };
        run(&compiled, arguments, host)
    }

    /// The arguments must be of the declared types.
    fn check_arguments(&self, arguments: &[Data]) -> Result<(), Error> {
        let wrong = |text: String| Err(Error::new(ErrorKind::Arguments, text));
        if arguments.len() != self.inputs.len() {
            return wrong(format!(
                "the model takes {} arguments, not {}",
                self.inputs.len(),
                arguments.len()
            ));
        }
        for (parameter, argument) in self.inputs.iter().zip(arguments) {
            if !fits(&parameter.ty, argument) {
                return wrong(format!(
                    "the argument `{}` isn't of the declared type {:?}",
                    parameter.name, parameter.ty
                ));
            }
        }
        Ok(())
    }

    /// The graph for arguments of these shapes, and of those values that it depends on.
    fn special(&self, arguments: &[Data]) -> Result<Arc<Compiled>, Error> {
        let mut special = self.special.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = special
            .iter()
            .find(|(known, _)| self.applies(known, arguments));
        if let Some((_, compiled)) = kept {
            return Ok(compiled.clone());
        }
        let (known, imported) = self.specialize(arguments)?;
        let compiled = Compiled::new(imported);
        if special.len() >= MAX_SPECIAL {
            special.remove(0);
        }
        special.push((known, compiled.clone()));
        Ok(compiled)
    }

    /// Whether what a graph knows of the arguments is so.
    fn applies(&self, known: &[Known], arguments: &[Data]) -> bool {
        let inputs = self.inputs.iter().zip(arguments);
        known.iter().zip(inputs).all(|(known, (input, argument))| {
            let by_value = matches!(known, Known::Value(_));
            *known == known_of(&input.ty, argument, by_value)
        })
    }

    fn specialize(&self, arguments: &[Data]) -> Result<(Vec<Known>, Imported), Error> {
        let mut by_value: BTreeSet<usize> = BTreeSet::new();
        loop {
            let known: Vec<Known> = arguments
                .iter()
                .enumerate()
                .map(|(n, argument)| known_of(&self.inputs[n].ty, argument, by_value.contains(&n)))
                .collect();
            let failed = match self.source.import(&known) {
                Ok(imported) => return Ok((known, imported)),
                Err(failed) => failed,
            };
            let before = by_value.len();
            by_value.extend(failed.needs);
            if by_value.len() == before {
                return Err(failed.fault.into_error());
            }
        }
    }
}

/// Whether an argument is of a declared type.
fn fits(ty: &Type, argument: &Data) -> bool {
    match (ty, argument) {
        (Type::Tensor(ty), Data::Tensor(array)) => ty.accepts(array),
        (Type::Sequence(ty), Data::Sequence(items)) => {
            items.iter().all(|item| item.dtype() == ty.dtype)
        }
        (Type::Optional(ty), argument) => matches!(argument, Data::Absent) || fits(ty, argument),
        _ => false,
    }
}

/// What a graph may know of an argument: its type, or also its value.
fn known_of(ty: &Type, argument: &Data, by_value: bool) -> Known {
    match argument {
        Data::Tensor(array) if by_value => Known::Value(array.clone()),
        Data::Tensor(array) => Known::Type(TensorType::of_array(array)),
        Data::Sequence(items) => {
            let types = items.iter().map(|item| TensorType::of_array(item));
            Known::Sequence(ty.dtype(), types.collect())
        }
        Data::Absent => Known::Absent,
    }
}

fn run(compiled: &Compiled, arguments: &[Data], host: &mut dyn Host) -> Result<Vec<Data>, Error> {
    let mut next = vec![0; arguments.len()];
    let mut storages = Vec::with_capacity(compiled.imported.inputs.len());
    for argument in &compiled.imported.inputs {
        let array = match &arguments[*argument] {
            Data::Tensor(array) => Some(array),
            Data::Sequence(items) => items.get(next[*argument]),
            Data::Absent => None,
        };
        next[*argument] += 1;
        let Some(array) = array else {
            return Err(Error::new(
                ErrorKind::Arguments,
                "an argument has too few tensors",
            ));
        };
        storages.push(Storage::from(array.clone()));
    }
    let inputs: Vec<&Storage> = storages.iter().collect();
    let mut outputs = Outputs::new();
    let failed = |error: graph_ir::error::Error| Error::new(ErrorKind::Run, error.to_string());
    compiled
        .executable
        .run_into(Device::cpu(), &inputs, host, &mut outputs)
        .map_err(failed)?;
    let mut arrays = outputs
        .iter()
        .map(|storage| storage.to_host().map_err(failed));
    let mut take = || {
        arrays
            .next()
            .unwrap_or_else(|| Err(Error::new(ErrorKind::Run, "a result is missing")))
    };
    let forms = compiled.imported.outputs.iter();
    forms
        .map(|form| match form {
            Form::Tensor => take().map(Data::Tensor),
            Form::Sequence(len) => (0..*len)
                .map(|_| take())
                .collect::<Result<_, _>>()
                .map(Data::Sequence),
            Form::Absent => Ok(Data::Absent),
        })
        .collect()
}
