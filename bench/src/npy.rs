//! Reading and writing arrays: the inputs `in0.npy`, `in1.npy`, … of a workload and its outputs `got0.npy`, ….

use std::path::{Path, PathBuf};
use std::{fs, io};

use graph_runtime::Tensor;
use graph_runtime::data::{DataError, NpyElement, read_npy};

/// An error of reading or writing an array.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// An input can't be read.
    #[error(transparent)]
    Input(#[from] DataError),
    /// An output can't be written.
    #[error("{}: {error}", path.display())]
    Output {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
}

/// Element types of workloads that npy files can hold.
pub trait Value: NpyElement {
    /// The type's descriptor in NumPy's notation.
    const DESCRIPTOR: &'static str;
    /// Encodes the values of a tensor, little-endian.
    fn bytes(values: &[Self]) -> Vec<u8>;
}

macro_rules! values {
    ($($type:ident $descriptor:literal;)*) => { $(
        impl Value for $type {
            const DESCRIPTOR: &'static str = $descriptor;
            fn bytes(values: &[$type]) -> Vec<u8> {
                values.iter().flat_map(|value| value.to_le_bytes()).collect()
            }
        }
    )* };
}
values! { f32 "<f4"; f64 "<f8"; i32 "<i4"; i64 "<i8"; u8 "|u1"; }

/// Reads the inputs of a workload from a folder that holds `in0.npy`, `in1.npy`, ….
pub struct Inputs<'a> {
    folder: &'a Path,
    next: usize,
}

impl<'a> Inputs<'a> {
    /// The inputs in a folder.
    pub fn new(folder: &'a Path) -> Inputs<'a> {
        Inputs { folder, next: 0 }
    }

    /// Reads the next input.
    ///
    /// # Errors
    /// If there is no such file, or it has another dtype.
    pub fn take<T: Value>(&mut self) -> Result<Tensor<T>, FileError> {
        let path = self.folder.join(format!("in{}.npy", self.next));
        self.next += 1;
        Ok(read_npy(path)?)
    }
}

/// The results of a workload: a tensor or a tuple of tensors.
pub trait Outputs {
    /// Writes them to `got0.npy`, `got1.npy`, … in a folder.
    ///
    /// # Errors
    /// If a file can't be written.
    fn write(&self, folder: &Path) -> Result<(), FileError>;
}

impl<T: Value> Outputs for Tensor<T> {
    fn write(&self, folder: &Path) -> Result<(), FileError> {
        write(self, folder, 0)
    }
}

impl<T: Value> Outputs for Vec<Tensor<T>> {
    fn write(&self, folder: &Path) -> Result<(), FileError> {
        let mut tensors = self.iter().enumerate();
        tensors.try_for_each(|(index, tensor)| write(tensor, folder, index))
    }
}

macro_rules! tuples {
    ($(($($type:ident $index:tt),*))*) => { $(
        impl<$($type: Value),*> Outputs for ($(Tensor<$type>,)*) {
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

fn write<T: Value>(tensor: &Tensor<T>, folder: &Path, index: usize) -> Result<(), FileError> {
    let path = folder.join(format!("got{index}.npy"));
    let array = tensor.array();
    let mut bytes = header::<T>(array.shape());
    bytes.extend(T::bytes(array.values().unwrap_or_default()));
    fs::write(&path, bytes).map_err(|error| FileError::Output { path, error })
}

/// The header of a file of version 2: a Python dictionary, padded so that the values begin at a multiple of 64.
fn header<T: Value>(shape: &[usize]) -> Vec<u8> {
    let sizes: String = shape.iter().map(|size| format!("{size}, ")).collect();
    let descriptor = T::DESCRIPTOR;
    let text = format!("{{'descr': '{descriptor}', 'fortran_order': False, 'shape': ({sizes}), }}");
    let begin = b"\x93NUMPY\x02\x00";
    // The length takes four bytes and the line break one.
    let end = (begin.len() + 4 + text.len() + 1).next_multiple_of(64);
    let length = end - begin.len() - 4;
    let mut bytes = begin.to_vec();
    bytes.extend((length as u32).to_le_bytes());
    bytes.extend(text.bytes());
    bytes.resize(end - 1, b' ');
    bytes.push(b'\n');
    bytes
}
