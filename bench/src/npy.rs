//! Arrays in and out: the inputs `in0.npy`, `in1.npy`, … of a workload and its outputs `got0.npy`, ….

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};

use graph_runtime::{Element, Tensor, tensor};
use ndarray::ArrayD;
use ndarray_npy::{ReadNpyExt, ReadableElement, WritableElement, WriteNpyExt};

/// Why an array couldn't be read or written: the file, and what was wrong.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct FileError {
    path: PathBuf,
    reason: String,
}

impl FileError {
    fn new(path: &Path, reason: impl ToString) -> FileError {
        FileError {
            path: path.to_owned(),
            reason: reason.to_string(),
        }
    }
}

/// The inputs of a workload: a folder that holds `in0.npy`, `in1.npy`, ….
pub struct Inputs<'a> {
    folder: &'a Path,
    next: usize,
}

impl<'a> Inputs<'a> {
    /// The inputs in a folder.
    pub fn new(folder: &'a Path) -> Inputs<'a> {
        Inputs { folder, next: 0 }
    }

    /// The next input.
    ///
    /// # Errors
    /// If there is none, or one of another dtype.
    pub fn take<T: Element + ReadableElement>(&mut self) -> Result<Tensor<T>, FileError> {
        let path = self.folder.join(format!("in{}.npy", self.next));
        self.next += 1;
        let file = File::open(&path).map_err(|e| FileError::new(&path, e))?;
        let array = ArrayD::<T>::read_npy(BufReader::new(file));
        Ok(tensor(array.map_err(|e| FileError::new(&path, e))?))
    }
}

/// The results of a workload: a tensor or a tuple of them.
pub trait Outputs {
    /// Writes them to `got0.npy`, `got1.npy`, … in a folder.
    ///
    /// # Errors
    /// If a file can't be written.
    fn write(&self, folder: &Path) -> Result<(), FileError>;
}

impl<T: Element + WritableElement> Outputs for Tensor<T> {
    fn write(&self, folder: &Path) -> Result<(), FileError> {
        write(self, folder, 0)
    }
}

impl<T: Element + WritableElement> Outputs for Vec<Tensor<T>> {
    fn write(&self, folder: &Path) -> Result<(), FileError> {
        let mut tensors = self.iter().enumerate();
        tensors.try_for_each(|(index, tensor)| write(tensor, folder, index))
    }
}

macro_rules! tuples {
    ($(($($type:ident $index:tt),*))*) => { $(
        impl<$($type: Element + WritableElement),*> Outputs for ($(Tensor<$type>,)*) {
            fn write(&self, folder: &Path) -> Result<(), FileError> {
                $(write(&self.$index, folder, $index)?;)*
                Ok(())
            }
        }
    )* };
}
tuples! {
    (A 0, B 1)
    (A 0, B 1, C 2)
}

fn write<T: Element + WritableElement>(
    tensor: &Tensor<T>,
    folder: &Path,
    index: usize,
) -> Result<(), FileError> {
    let path = folder.join(format!("got{index}.npy"));
    let file = File::create(&path).map_err(|e| FileError::new(&path, e))?;
    let written = tensor.to_ndarray().write_npy(BufWriter::new(file));
    written.map_err(|e| FileError::new(&path, e))
}
