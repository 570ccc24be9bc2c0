//! What a program knows of a tensor array besides its rows. All arrays that were made of one array share it, and branches and loops carry
//! it as Rust data.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::graph::{Dim, Shape};

/// Whether an array grows, how many rows it has, and the shape of a row.
#[derive(Clone)]
pub struct Form {
    /// Whether a write after the last row makes the array longer.
    pub grows: bool,
    /// The number of rows, if it is fixed and known while tracing.
    pub size: Option<usize>,
    /// The shape of a row as far as the writes so far tell it. It is shared, so that a write in a loop tells the shape of what is stacked
    /// after the loop, as in TensorFlow, whose arrays share their element shape.
    row: Arc<Mutex<Shape>>,
}

impl Form {
    /// The form of an array before any row was written.
    pub fn new(grows: bool, size: Option<usize>) -> Form {
        Form {
            grows,
            size,
            row: Arc::new(Mutex::new(Shape::unknown())),
        }
    }

    /// The shape of a row, as far as it is known.
    pub fn row(&self) -> Shape {
        self.row
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// The shape of all rows as one tensor, as far as it is known.
    pub fn whole(&self) -> Shape {
        match self.row().dims() {
            None => Shape::unknown(),
            Some(row) => Shape::of([self.size].into_iter().chain(row.iter().copied())),
        }
    }

    /// Notes the shape of a row. Fails with TensorFlow's message if it doesn't match the shape of an earlier row.
    pub fn see(&self, seen: &Shape) -> Result<(), String> {
        let mut row = self.row.lock().unwrap_or_else(PoisonError::into_inner);
        let (Some(known), Some(dims)) = (row.dims(), seen.dims()) else {
            if row.rank().is_none() {
                *row = seen.clone();
            }
            return Ok(());
        };
        let agree = |(a, b): (&Dim, &Dim)| a.is_none() || b.is_none() || a == b;
        if known.len() != dims.len() || !known.iter().zip(dims).all(agree) {
            return Err(format!(
                "Inconsistent shapes: saw {seen} but expected {row}"
            ));
        }
        let merged = Shape::of(known.iter().zip(dims).map(|(a, b)| a.or(*b)));
        *row = merged;
        Ok(())
    }
}

impl PartialEq for Form {
    /// Forms are equal even if two branches know different row shapes: the shapes are checked when run.
    fn eq(&self, other: &Form) -> bool {
        (self.grows, self.size) == (other.grows, other.size)
    }
}

impl fmt::Debug for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.grows, self.size) {
            (true, _) => f.write_str("TensorArray that grows"),
            (false, Some(size)) => write!(f, "TensorArray of {size}"),
            (false, None) => f.write_str("TensorArray"),
        }
    }
}
