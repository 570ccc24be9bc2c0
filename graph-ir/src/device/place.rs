//! The memory of a variable: its current value, shared by all handles of the variable. A read shares the array, so it copies nothing;
//! an update changes the array in place unless somebody else still holds it.

use std::fmt;
use std::sync::{Arc, PoisonError};

use graph_kernels::DType;
use smallvec::SmallVec;

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
    /// A place with an initial value.
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

    /// The name for users.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The declared type, which every value has.
    pub fn ty(&self) -> &TensorType {
        &self.ty
    }

    /// The current value.
    pub fn read(&self) -> Storage {
        self.value
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Lets `f` change the value, while nobody can read it. The value that `f` leaves must pass [`check`](Self::check).
    pub fn write<R>(&self, f: impl FnOnce(&mut Storage) -> R) -> R {
        // `f` may run kernels on several threads. They wait in a thread pool of their own, whose threads don't take up other tasks, so a thread
        // that waits for this lock can't keep the kernels from finishing.
        let mut value = self.value.write().unwrap_or_else(PoisonError::into_inner);
        f(&mut value)
    }

    /// Lets `f` change the values of several places at once, as [`write`](Self::write) does. `None`, without a call, if a place occurs twice.
    pub fn write_all<R>(places: &[&Place], f: impl FnOnce(&mut [&mut Storage]) -> R) -> Option<R> {
        // In one order for all threads, so that no two of them wait for each other.
        let mut order: SmallVec<[usize; 4]> = (0..places.len()).collect();
        order.sort_unstable_by_key(|n| std::ptr::from_ref(places[*n]));
        if order
            .windows(2)
            .any(|pair| std::ptr::eq(places[pair[0]], places[pair[1]]))
        {
            return None;
        }
        let locked = order.iter().map(|n| {
            let value = places[*n].value.write();
            (*n, value.unwrap_or_else(PoisonError::into_inner))
        });
        let mut locked: SmallVec<[_; 4]> = locked.collect();
        locked.sort_unstable_by_key(|(n, _)| *n);
        let held = locked.iter_mut().map(|(_, value)| &mut **value);
        Some(f(&mut held.collect::<SmallVec<[&mut Storage; 4]>>()))
    }

    /// Fails if the variable can't hold values of this dtype and shape.
    ///
    /// # Errors
    /// TensorFlow's message for incompatible shapes.
    pub fn check(&self, dtype: DType, shape: &[usize]) -> Result<(), String> {
        if self.ty.accepts_sizes(dtype, shape) {
            return Ok(());
        }
        Err(self.refusal(&TensorType::new(dtype, Shape::known(shape))))
    }

    /// The reason why the variable can't hold a value of this type.
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
