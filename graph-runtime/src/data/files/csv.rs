//! Files of comma-separated values with one record a line. They are read during the loop, so that a file of any length takes little memory.

use std::fs::File;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use csv::{Reader, ReaderBuilder, StringRecord};
use graph_kernels::{Array, DType, Element, bf16, f16};

use super::DataError;
use crate::data::generator::{Generator, Items};
use crate::data::record::{record, types_of};
use crate::data::{Dataset, Record};
use crate::error::{Error, Location, Result};
use crate::graph::{Shape, TensorType};
use crate::trace::AnyTensor;
use graph_ir::recipes::Recipe;

/// A file of comma-separated values and how to read it. Needs the feature `csv`.
///
/// ```
/// use graph_runtime::data::Csv;
/// use graph_runtime::prelude::*;
/// # let file = tempfile::NamedTempFile::new().unwrap();
/// # std::fs::write(&file, "sepal,petal,kind\n5.1,1.4,0\n6.3,6.0,2\n").unwrap();
/// # let path = file.path();
/// // Each line has three numbers: two as a vector, and one as a scalar.
/// let iris: Dataset<(Tensor<f32, S1<2>>, Tensor<i64>)> = Csv::new(path).dataset().unwrap();
/// let (sizes, kind) = iris.iter().last().unwrap();
/// assert_eq!((sizes.to_vec(), kind.item()), (vec![6.3, 6.0], 2));
/// ```
#[doc(alias("read_csv", "loadtxt", "CsvDataset"))]
#[derive(Clone, Debug)]
pub struct Csv {
    path: PathBuf,
    header: bool,
    delimiter: u8,
}

impl Csv {
    /// A file whose first line names the columns.
    pub fn new(path: impl AsRef<Path>) -> Csv {
        Csv {
            path: path.as_ref().to_owned(),
            header: true,
            delimiter: b',',
        }
    }

    /// Treats the first line as a record, too.
    pub fn without_header(mut self) -> Csv {
        self.header = false;
        self
    }

    /// The character that separates values, instead of a comma.
    pub fn delimiter(mut self, delimiter: u8) -> Csv {
        self.delimiter = delimiter;
        self
    }

    /// The records as a dataset. `T` says what a line is: a scalar tensor takes one column, and a vector takes as many columns as its type
    /// has values: `Tensor<f32, S1<4>>`. Each iteration reads the file anew.
    ///
    /// # Errors
    /// If the file can't be opened, or a tensor of `T` is neither a scalar nor a vector of a known size. An error in a line ends the
    /// iteration that reads it; it has the line and the byte.
    #[track_caller]
    pub fn dataset<T: Record>(self) -> Result<Dataset<T>, DataError> {
        let mut types = types_of::<T>();
        let columns = types.iter().map(|ty| self.columns(ty));
        let columns: Arc<[usize]> = columns.collect::<Result<_, _>>()?;
        self.open()?;
        for ty in &mut types {
            ty.shape = if ty.shape.rank() == Some(1) {
                ty.shape.clone()
            } else {
                Shape::scalar()
            };
        }
        let (file, location) = (Arc::new(self), Location::caller());
        let begin = {
            let location = location.clone();
            move || {
                let reader = file.open().map_err(|error| run(&error, &location))?;
                Ok(Box::new(Lines {
                    file: file.clone(),
                    reader,
                    columns: columns.clone(),
                    location: location.clone(),
                    element: PhantomData,
                }) as Items<T>)
            }
        };
        let generator = Generator::new("csv", types, begin, location);
        Ok(Dataset::of(Recipe::new(generator), Vec::new()))
    }

    /// The number of columns that a leaf of this type takes.
    fn columns(&self, ty: &TensorType) -> Result<usize, DataError> {
        match ty.shape.dims() {
            None | Some([]) => Ok(1),
            Some([Some(count)]) => Ok(*count),
            Some(_) => {
                let message = format!("columns make scalars and vectors of a known size, not {ty}");
                Err(DataError::new(&self.path, None, message))
            }
        }
    }

    fn open(&self) -> Result<Reader<File>, DataError> {
        let file = File::open(&self.path);
        let file = file.map_err(|error| DataError::new(&self.path, None, error.to_string()))?;
        let mut builder = ReaderBuilder::new();
        builder
            .has_headers(self.header)
            .delimiter(self.delimiter)
            .flexible(true);
        Ok(builder.from_reader(file))
    }
}

/// The error of a run that reads the file: it has no location yet.
fn run(error: &DataError, location: &Location) -> Error {
    Error::run(error.to_string(), location.clone())
}

/// The lines of a file.
struct Lines<T> {
    file: Arc<Csv>,
    reader: Reader<File>,
    /// The number of columns for each leaf.
    columns: Arc<[usize]>,
    location: Location,
    element: PhantomData<fn() -> T>,
}

impl<T: Record> Iterator for Lines<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        let mut line = StringRecord::new();
        let record = match self.reader.read_record(&mut line) {
            Ok(false) => return None,
            Ok(true) => self.record(&line),
            Err(error) => {
                let offset = error.position().map(csv::Position::byte);
                Err(DataError::new(&self.file.path, offset, error.to_string()))
            }
        };
        Some(record.map_err(|error| run(&error, &self.location)))
    }
}

impl<T: Record> Lines<T> {
    fn record(&self, line: &StringRecord) -> Result<T, DataError> {
        let expected: usize = self.columns.iter().sum();
        let error = |message: String| {
            let position = line.position();
            let number = position.map_or(0, csv::Position::line);
            let offset = position.map(csv::Position::byte);
            DataError::new(&self.file.path, offset, format!("line {number}: {message}"))
        };
        if line.len() != expected {
            return Err(error(format!(
                "{} values instead of {expected}",
                line.len()
            )));
        }
        let mut first = 0;
        let mut leaves = Vec::new();
        for (ty, count) in types_of::<T>().iter().zip(&*self.columns) {
            let is_vector = ty.shape.rank() == Some(1);
            let cells = (first..first + count).map(|i| (i, line.get(i).unwrap_or_default()));
            let shape = [*count];
            let shape = if is_vector { &shape[..] } else { &[] };
            leaves.push(AnyTensor::on_current_device(
                array(ty.dtype, shape, cells).map_err(error)?,
            ));
            first += count;
        }
        Ok(record(leaves))
    }
}

/// Parses the cells of a leaf into an array. `Err` names the cell that isn't a value of the dtype.
fn array<'a>(
    dtype: DType,
    shape: &[usize],
    cells: impl Iterator<Item = (usize, &'a str)>,
) -> Result<Array, String> {
    fn read<'a, T: Element>(
        shape: &[usize],
        cells: impl Iterator<Item = (usize, &'a str)>,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Array, String> {
        let value = |(column, cell): (usize, &str)| {
            let wrong = || format!("column {}: {cell:?} is no {}", column + 1, T::DTYPE);
            parse(cell).ok_or_else(wrong)
        };
        Ok(Array::new(
            shape,
            cells.map(value).collect::<Result<Vec<T>, _>>()?,
        ))
    }
    let number = |cell: &str| cell.trim().parse::<f32>().ok();
    match dtype {
        DType::F32 => read(shape, cells, number),
        DType::F64 => read(shape, cells, |cell| cell.trim().parse::<f64>().ok()),
        DType::F16 => read(shape, cells, |cell| number(cell).map(f16::from_f32)),
        DType::BF16 => read(shape, cells, |cell| number(cell).map(bf16::from_f32)),
        DType::I32 => read(shape, cells, |cell| cell.trim().parse::<i32>().ok()),
        DType::I64 => read(shape, cells, |cell| cell.trim().parse::<i64>().ok()),
        DType::U8 => read(shape, cells, |cell| cell.trim().parse::<u8>().ok()),
        DType::I8 => read(shape, cells, |cell| cell.trim().parse::<i8>().ok()),
        DType::I16 => read(shape, cells, |cell| cell.trim().parse::<i16>().ok()),
        DType::U16 => read(shape, cells, |cell| cell.trim().parse::<u16>().ok()),
        DType::U32 => read(shape, cells, |cell| cell.trim().parse::<u32>().ok()),
        DType::U64 => read(shape, cells, |cell| cell.trim().parse::<u64>().ok()),
        DType::Bool => read(shape, cells, |cell| match cell.trim() {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        }),
        DType::Str => read(shape, cells, |cell| Some(cell.to_owned())),
    }
}
