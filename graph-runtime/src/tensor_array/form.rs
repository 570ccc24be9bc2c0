//! What a program knows of a tensor array beside its rows: shared by everything that was made of one array, and carried
//! through branches and loops as Rust data.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::graph::{Dim, Shape};

/// Whether an array grows, how many rows it has, and of which shape they are.
#[derive(Clone)]
pub struct Form {
    /// True if a write behind the end makes the array longer.
    pub grows: bool,
    /// The number of rows, where it is fixed and known while tracing.
    pub size: Option<usize>,
    /// What the writes seen so far say of the shape of a row. A write in a loop tells what is stacked behind it, so this is shared,
    /// as TensorFlow's arrays share their element shape.
    row: Arc<Mutex<Shape>>,
}

impl Form {
    /// The form of an array of which no row has been seen.
    pub fn new(grows: bool, size: Option<usize>) -> Form {
        Form {
            grows,
            size,
            row: Arc::new(Mutex::new(Shape::unknown())),
        }
    }

    /// What is known of a row.
    pub fn row(&self) -> Shape {
        self.row
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// What is known of all rows.
    pub fn whole(&self) -> Shape {
        match self.row().dims() {
            None => Shape::unknown(),
            Some(row) => Shape::of([self.size].into_iter().chain(row.iter().copied())),
        }
    }

    /// Notes the shape of a row; fails, in TensorFlow's words, if another was seen before.
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
    /// Two branches may know different things of the rows; the rows tell them apart when run.
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
