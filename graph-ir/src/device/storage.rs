//! `Storage`: the value of a tensor. Code above the kernels passes storage around; only the device that holds a value
//! accesses its elements.

use std::any::Any;
use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::{Arc, Weak};

use graph_kernels::{Array, DType, Dims};

use super::Device;
use crate::error::Error;
use crate::types::{Shape, TensorType};

/// The value of a tensor: a dtype, a shape, and the device that holds it. A clone is another handle of the same value.
///
/// ```
/// use graph_runtime::Array;
/// use graph_runtime::device::{Device, Storage};
///
/// let storage = Storage::from(Array::new(&[2], vec![1, 2]));
/// assert_eq!(storage.shape(), [2]);
/// assert_eq!(storage.device(), Device::cpu());
/// ```
#[derive(Clone, Debug)]
pub enum Storage {
    /// In the memory of the host, where the CPU's kernels read it.
    Host(Arc<Array>),
    /// In the memory of another device.
    Remote(Arc<Remote>),
}

/// A value in the memory of a device that the host can't read. The value is immutable.
#[derive(Debug)]
pub struct Remote {
    dtype: DType,
    shape: Dims,
    device: Device,
    memory: Box<dyn Memory>,
}

/// The memory of a [`Remote`] value, in whatever form its device uses. Dropping it frees the memory.
pub trait Memory: Any + Send + Sync + UnwindSafe + RefUnwindSafe + fmt::Debug {
    /// A copy of the value in the memory of the host.
    ///
    /// # Errors
    /// If the device doesn't answer.
    fn fetch(&self) -> Result<Array, Error>;
}

impl Remote {
    /// A value of a device.
    pub fn new(device: Device, dtype: DType, shape: &[usize], memory: impl Memory) -> Remote {
        Remote {
            dtype,
            shape: shape.into(),
            device,
            memory: Box::new(memory),
        }
    }

    /// The memory, if it is of this Rust type.
    pub fn memory<M: Memory>(&self) -> Option<&M> {
        let memory: &dyn Any = &*self.memory;
        memory.downcast_ref()
    }
}

impl Storage {
    /// The dtype of the elements.
    #[inline]
    pub fn dtype(&self) -> DType {
        match self {
            Storage::Host(array) => array.dtype(),
            Storage::Remote(value) => value.dtype,
        }
    }

    /// The sizes of the axes, outermost first.
    #[inline]
    pub fn shape(&self) -> &[usize] {
        match self {
            Storage::Host(array) => array.shape(),
            Storage::Remote(value) => &value.shape,
        }
    }

    /// The number of elements.
    pub fn count(&self) -> usize {
        self.shape().iter().product()
    }

    /// The exact type.
    pub fn ty(&self) -> TensorType {
        TensorType::new(self.dtype(), Shape::known(self.shape()))
    }

    /// The device that holds the value.
    #[inline]
    pub fn device(&self) -> Device {
        match self {
            Storage::Host(_) => Device::cpu(),
            Storage::Remote(value) => value.device,
        }
    }

    /// The value as an array on the host: the same array if it is on the host already, otherwise a copy.
    ///
    /// # Errors
    /// If the device that holds it doesn't answer.
    pub fn to_host(&self) -> Result<Arc<Array>, Error> {
        match self {
            Storage::Host(array) => Ok(array.clone()),
            Storage::Remote(value) => Ok(Arc::new(value.memory.fetch()?)),
        }
    }

    /// The array, if the host holds it.
    #[inline]
    pub fn as_host(&self) -> Option<&Arc<Array>> {
        match self {
            Storage::Host(array) => Some(array),
            Storage::Remote(_) => None,
        }
    }

    /// The array for changes, if it is on the host and nobody else has a handle of it.
    #[inline]
    pub fn as_host_mut(&mut self) -> Option<&mut Array> {
        match self {
            Storage::Host(array) => Arc::get_mut(array),
            Storage::Remote(_) => None,
        }
    }

    /// Identifies a value while it is alive: all handles of a value have the same address, and no other live value has it.
    #[inline]
    pub fn address(&self) -> usize {
        match self {
            Storage::Host(array) => Arc::as_ptr(array).addr(),
            Storage::Remote(value) => Arc::as_ptr(value).addr(),
        }
    }

    /// A weak handle. It doesn't keep the value alive, but it keeps the [address](Storage::address) from being reused.
    pub fn downgrade(&self) -> WeakStorage {
        match self {
            Storage::Host(array) => WeakStorage::Host(Arc::downgrade(array)),
            Storage::Remote(value) => WeakStorage::Remote(Arc::downgrade(value)),
        }
    }
}

impl From<Array> for Storage {
    fn from(array: Array) -> Storage {
        Storage::Host(Arc::new(array))
    }
}

impl From<Arc<Array>> for Storage {
    fn from(array: Arc<Array>) -> Storage {
        Storage::Host(array)
    }
}

/// See [`Storage::downgrade`].
#[derive(Clone, Debug)]
pub enum WeakStorage {
    /// A value on the host.
    Host(Weak<Array>),
    /// A value on another device.
    Remote(Weak<Remote>),
}

impl WeakStorage {
    /// Whether somebody still holds the value.
    pub fn is_alive(&self) -> bool {
        match self {
            WeakStorage::Host(array) => array.strong_count() > 0,
            WeakStorage::Remote(value) => value.strong_count() > 0,
        }
    }
}
