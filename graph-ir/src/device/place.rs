//! The place behind a variable: what it holds now, shared by all its handles. Reading shares the array, so it costs no copy;
//! an update changes the array where it stands unless somebody else still holds it.

use std::fmt;
use std::sync::{Arc, PoisonError};

use graph_kernels::DType;

use super::Storage;
use crate::sync::RwLock;
use crate::types::{Shape, TensorType};

/// A named place for an array of one dtype and a declared shape.
///
/// ```
/// use graph_runtime::graph::{Shape, TensorType};
/// use graph_runtime::variable::Place;
/// use graph_runtime::{Array, DType};
///
/// let ty = TensorType::new(DType::I32, Shape::of([None]));
/// let place = Place::new("v", ty, Array::new(&[2], vec![1, 2])).unwrap();
/// place.write(|held| *held = Array::new(&[1], vec![7]).into());
/// assert_eq!(place.read().shape(), [1]);
/// ```
pub struct Place {
    name: Arc<str>,
    ty: TensorType,
    value: RwLock<Storage>,
}

impl Place {
    /// A place that holds a first value.
    ///
    /// # Errors
    /// If the value isn't of the declared type.
    pub fn new(
        name: impl Into<Arc<str>>,
        ty: TensorType,
        value: impl Into<Storage>,
    ) -> Result<Place, String> {
        let place = Place {
            name: name.into(),
            ty,
            value: RwLock::new(value.into()),
        };
        let value = place.read();
        place.check(value.dtype(), value.shape())?;
        Ok(place)
    }

    /// What people call it.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The type of everything it ever holds.
    pub fn ty(&self) -> &TensorType {
        &self.ty
    }

    /// What it holds now.
    pub fn read(&self) -> Storage {
        self.value
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Lets `f` change what it holds, while nobody reads it. What `f` leaves must pass [`check`](Self::check).
    pub fn write<R>(&self, f: impl FnOnce(&mut Storage) -> R) -> R {
        // Kernels that `f` runs on several threads wait in a pool of their own, which never takes up other work meanwhile: so
        // nobody who waits for this lock keeps them from ending.
        let mut value = self.value.write().unwrap_or_else(PoisonError::into_inner);
        f(&mut value)
    }

    /// Fails unless it may hold values of a dtype and of these sizes.
    ///
    /// # Errors
    /// TensorFlow's sentence on shapes that don't fit.
    pub fn check(&self, dtype: DType, shape: &[usize]) -> Result<(), String> {
        if self.ty.accepts_sizes(dtype, shape) {
            return Ok(());
        }
        Err(self.refusal(&TensorType::new(dtype, Shape::known(shape))))
    }

    /// Why it can't hold a value of this type.
    pub fn refusal(&self, value: &TensorType) -> String {
        if value.dtype != self.ty.dtype {
            let (name, own) = (&self.name, self.ty.dtype);
            return format!(
                "Cannot assign a {} to variable '{name}' of {own}",
                value.dtype
            );
        }
        format!(
            "Cannot assign value to variable '{}': Shape mismatch. The variable shape {}, and the assigned value shape {} are incompatible.",
            self.name, self.ty.shape, value.shape
        )
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Place('{}', {})", self.name, self.ty)
    }
}
