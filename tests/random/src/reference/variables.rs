//! The variables of a program in plain Rust.

use std::collections::BTreeMap;

use super::{Noise, Plain, elementwise};
use crate::program::{Name, Program, Write};

/// The variables.
pub struct Variables {
    /// Their values, in the order of the program.
    pub values: Vec<Plain>,
    /// The position of the variable that a name stands for.
    names: BTreeMap<Name, usize>,
}

impl Variables {
    /// The variables at the beginning of a run.
    pub fn new(program: &Program) -> Variables {
        let variables = program.variables.iter();
        let names = variables.clone().enumerate().map(|(at, v)| (v.name, at));
        Variables {
            names: names.collect(),
            values: variables.map(|v| Plain::of_array(&v.start)).collect(),
        }
    }

    /// Lets names inside of a function stand for variables outside.
    pub fn pass(&mut self, passed: &[(Name, Name)]) {
        for (inside, outside) in passed {
            self.names.insert(*inside, self.names[outside]);
        }
    }

    /// The value of a variable.
    pub fn read(&self, name: Name) -> &Plain {
        &self.values[self.names[&name]]
    }

    /// Changes a variable; `None` if that isn't implemented here.
    pub fn write(
        &mut self,
        write: Write,
        name: Name,
        operands: &[Plain],
        noise: &mut Noise,
    ) -> Option<()> {
        let value = &mut self.values[self.names[&name]];
        let combined = |op, value: &Plain, by: &Plain, noise: &mut Noise| {
            elementwise::apply(op, &[value.clone(), by.clone()], noise)
        };
        *value = match write {
            Write::Assign => operands[0].clone(),
            Write::Add => combined("add", value, &operands[0], noise)?,
            Write::Sub => combined("sub", value, &operands[0], noise)?,
            Write::Row => with_row(value, operands[0].int()?, &operands[1])?,
            // A row may occur twice: the last one stays.
            Write::Rows => {
                let (positions, rows) = (&operands[0], &operands[1]);
                let places = (0..positions.len()).map(|i| positions.row(i).int());
                let places = places.collect::<Option<Vec<i64>>>()?;
                let mut rows = places.into_iter().zip((0..).map(|i| rows.row(i)));
                rows.try_fold(value.clone(), |value, (at, row)| with_row(&value, at, &row))?
            }
            Write::AddRows => return None,
        };
        Some(())
    }
}

/// A value with another row.
fn with_row(value: &Plain, at: i64, row: &Plain) -> Option<Plain> {
    let at = usize::try_from(at).ok()?;
    let rows = (0..value.shape[0]).map(|i| if i == at { row.clone() } else { value.row(i) });
    super::arrays::stacked(&rows.collect::<Vec<_>>(), 0)
}
