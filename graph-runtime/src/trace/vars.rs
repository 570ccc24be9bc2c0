//! The variables of a replayed construct: they are read, restored and replaced without their types.

use smallvec::SmallVec;

use super::any::AnyTensor;
use super::context::with_trace;
use super::nest::{Parts, Structure, Variable};
use super::outcome::NamedStructures;
use crate::error::Location;
use crate::graph::ValueId;

/// The variables that a construct carries, by name.
pub(crate) struct Vars<'a>(pub SmallVec<[(&'static str, &'a mut dyn Variable); 4]>);

/// The values of the variables at one moment. `None` is an `Err`, which a graph can't hold.
pub(crate) struct Snapshot(pub Vec<Option<Parts>>);

/// The structures of variables, without their leaves.
pub(crate) type Structures = Vec<Option<Box<dyn Structure>>>;

impl Vars<'_> {
    pub fn read(&self) -> Snapshot {
        Snapshot(self.0.iter().map(|(_, v)| v.read()).collect())
    }

    pub fn restore(&mut self, snapshot: &Snapshot) {
        for ((_, variable), parts) in self.0.iter_mut().zip(&snapshot.0) {
            if let Some(parts) = parts {
                variable.write(&*parts.structure, &mut parts.leaves.iter().cloned());
            }
        }
    }
}

impl Snapshot {
    pub fn structure_of(&self) -> Structures {
        self.0
            .iter()
            .map(|parts| parts.as_ref().map(|p| p.structure.copy()))
            .collect()
    }

    /// The structures with the variables' names.
    pub fn named(&self, vars: &Vars<'_>) -> NamedStructures {
        vars.0
            .iter()
            .map(|(name, _)| *name)
            .zip(self.structure_of())
            .collect()
    }

    /// Whether the variables have the same structures in another snapshot.
    pub fn has_structure_of(&self, other: &Snapshot) -> bool {
        let mut pairs = self.0.iter().zip(&other.0);
        pairs.all(|(a, b)| match (a, b) {
            (Some(a), Some(b)) => a.structure.same(&*b.structure),
            _ => false,
        })
    }

    pub fn copy(&self) -> Snapshot {
        let parts = |p: &Parts| Parts {
            structure: p.structure.copy(),
            leaves: p.leaves.clone(),
        };
        Snapshot(self.0.iter().map(|p| p.as_ref().map(parts)).collect())
    }

    pub fn leaves(&self) -> impl Iterator<Item = &AnyTensor> {
        self.0.iter().flatten().flat_map(|parts| &parts.leaves)
    }
}

/// Sets the variables to values of the current builder.
pub(crate) fn write_values(vars: &mut Vars<'_>, structures: &Structures, values: &[ValueId]) {
    let mut values = values.iter();
    for ((name, variable), structure) in vars.0.iter_mut().zip(structures) {
        let Some(structure) = structure else { continue };
        let mut leaves = std::iter::from_fn(|| {
            let value = *values.next()?;
            Some(with_trace(|trace| {
                trace.name(value, name);
                trace.symbol(value)
            }))
        });
        variable.write(&**structure, &mut leaves);
    }
}

/// Records an error for each variable whose structure differs between two moments; returns true if there was none.
pub(crate) fn same_structure(
    vars: &Vars<'_>,
    a: &Snapshot,
    b: &Snapshot,
    when_a: &str,
    when_b: &str,
    location: &Location,
) -> bool {
    let mut same = true;
    for ((name, _), (a, b)) in vars.0.iter().zip(a.0.iter().zip(&b.0)) {
        let message = match (a, b) {
            (Some(a), Some(b)) if a.structure.same(&*b.structure) => continue,
            (Some(a), Some(b)) => {
                let (a, b) = (format!("{:?}", a.structure), format!("{:?}", b.structure));
                let mend = mend(&a, &b);
                format!(
                    "'{name}' must have the same structure: it is {a} {when_a}, but {b} {when_b}{mend}"
                )
            }
            _ => format!(
                "'{name}' is an `Err` {when_a} or {when_b}: an error can't be chosen inside a graph"
            ),
        };
        same = false;
        with_trace(|trace| trace.record(message, location));
    }
    same
}

/// The hint in an error message: what to write instead of a variable whose structure depends on a tensor.
fn mend(before: &str, after: &str) -> &'static str {
    if before.starts_with('[') || after.starts_with('[') {
        ". A list that grows while the graph runs is a `TensorArray`"
    } else if before == "None" || after == "None" {
        ". No tensor can decide whether there is a value: have one from the beginning, and beside it a `Tensor<bool>` that says whether it \
         counts"
    } else {
        ""
    }
}
