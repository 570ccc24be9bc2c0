//! The values of an array as bytes, in the order of the machine: what a GPU copies, and what files contain.

use bytemuck::{NoUninit, Pod};

use crate::{Array, Buffer, DType, KernelError};

impl Array {
    /// The values as bytes; `None` for strings.
    ///
    /// ```
    /// use graph_kernels::Array;
    ///
    /// assert_eq!(Array::new(&[2], vec![1u8, 2]).bytes(), Some(&[1, 2][..]));
    /// assert_eq!(Array::scalar(String::new()).bytes(), None);
    /// ```
    pub fn bytes(&self) -> Option<&[u8]> {
        fn of<T: NoUninit>(values: &[T]) -> Option<&[u8]> {
            Some(bytemuck::cast_slice(values))
        }
        match self.buffer() {
            Buffer::F32(v) => of(v),
            Buffer::F64(v) => of(v),
            Buffer::F16(v) => of(v),
            Buffer::BF16(v) => of(v),
            Buffer::I32(v) | Buffer::U32(v) => of(v),
            Buffer::I64(v) | Buffer::U64(v) => of(v),
            Buffer::U8(v) | Buffer::I8(v) => of(v),
            Buffer::I16(v) | Buffer::U16(v) => of(v),
            Buffer::Bool(v) => of(v),
            Buffer::Str(_) => None,
        }
    }

    /// An array of zeros whose bytes `fill` writes. A byte that isn't 0 is true.
    ///
    /// # Errors
    /// For strings, for a shape that is too large, and the error of `fill`.
    pub fn of_bytes<E: From<KernelError>>(
        dtype: DType,
        shape: &[usize],
        fill: impl FnOnce(&mut [u8]) -> Result<(), E>,
    ) -> Result<Array, E> {
        let mut array = Array::default();
        array.reset(dtype, shape)?;
        fn of<T: Pod>(values: &mut [T]) -> &mut [u8] {
            bytemuck::cast_slice_mut(values)
        }
        match array.buffer_mut() {
            Buffer::F32(v) => fill(of(v))?,
            Buffer::F64(v) => fill(of(v))?,
            Buffer::F16(v) => fill(of(v))?,
            Buffer::BF16(v) => fill(of(v))?,
            Buffer::I32(v) | Buffer::U32(v) => fill(of(v))?,
            Buffer::I64(v) | Buffer::U64(v) => fill(of(v))?,
            Buffer::U8(v) | Buffer::I8(v) => fill(of(v))?,
            Buffer::I16(v) | Buffer::U16(v) => fill(of(v))?,
            Buffer::Bool(values) => {
                let mut bytes = vec![0; values.len()];
                fill(&mut bytes)?;
                for (value, byte) in values.iter_mut().zip(bytes) {
                    *value = byte != 0;
                }
            }
            Buffer::Str(_) => {
                let message = "strings have no bytes of a fixed size".to_owned();
                return Err(KernelError::Value(message).into());
            }
        }
        Ok(array)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Array, DType, KernelError};

    #[test]
    fn an_array_of_an_arrays_bytes_is_that_array() {
        let arrays = [
            Array::new(&[2, 2], vec![1.5f32, -2.0, f32::INFINITY, 0.0]),
            Array::new(&[3], vec![true, false, true]),
            Array::scalar(-7i64),
            Array::zeros(DType::I8, &[0, 3]),
        ];
        for array in arrays {
            let bytes = array.bytes().unwrap();
            assert_eq!(bytes.len(), array.len() * array.dtype().bytes());
            let copy = Array::of_bytes(array.dtype(), array.shape(), |target| {
                target.copy_from_slice(bytes);
                Ok::<(), KernelError>(())
            });
            assert_eq!(copy.unwrap(), array);
        }
    }

    #[test]
    fn the_order_of_bytes_is_the_machines() {
        let array = Array::scalar(0x0102_0304i32);
        assert_eq!(array.bytes(), Some(&0x0102_0304i32.to_ne_bytes()[..]));
    }

    #[test]
    fn strings_have_no_bytes() {
        let made = Array::of_bytes(DType::Str, &[1], |_| Ok::<(), KernelError>(()));
        assert!(made.is_err());
    }
}
