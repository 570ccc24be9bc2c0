//! Vectors of sizes that are known in part, such as those of a batch of any size: what the graph says about each element.

use graph_ir::graph::Op;
use graph_ir::ops;

use super::build::{Build, Val};

/// The longest chain of nodes that is followed.
const MAX_STEPS: usize = 16;

impl Build<'_> {
    /// The elements of a vector or scalar of integers, as far as they are known; `None` if not even their number is.
    pub fn partly_known(&self, val: Val) -> Option<Vec<Option<i64>>> {
        self.elements(val, MAX_STEPS)
    }

    fn elements(&self, val: Val, steps: usize) -> Option<Vec<Option<i64>>> {
        // Of other dtypes and ranks the elements aren't those of the operands, or in another order.
        let is_vector = self.shape(val).rank().is_some_and(|rank| rank <= 1);
        if !is_vector || !self.dtype(val).is_index() {
            return None;
        }
        if let Ok(known) = self.known_ints(val, "") {
            return Some(known.into_iter().map(Some).collect());
        }
        let len = self.shape(val).size()?;
        let found = self.defined(val, steps.checked_sub(1));
        let fits = |elements: &Vec<Option<i64>>| elements.len() == len;
        // A rank that isn't the shape's would be longer than any shape.
        (len <= super::types::MAX_RANK)
            .then(|| found.filter(fits).unwrap_or_else(|| vec![None; len]))
    }

    /// What the node that defines a value says about its elements.
    fn defined(&self, val: Val, steps: Option<usize>) -> Option<Vec<Option<i64>>> {
        let steps = steps?;
        let (op, operands) = self.definition(val)?;
        let Op::Primitive(op, _) = op else {
            return None;
        };
        if *op == &ops::SHAPE_OF {
            let dims = self.shape(operands[0]).dims()?;
            return Some(
                dims.iter()
                    .map(|size| size.and_then(|n| i64::try_from(n).ok()))
                    .collect(),
            );
        }
        if [&ops::CONCAT, &ops::STACK].contains(op) {
            let parts: Option<Vec<Vec<Option<i64>>>> =
                operands.iter().map(|v| self.elements(*v, steps)).collect();
            return Some(parts?.concat());
        }
        if [
            &ops::CAST,
            &ops::RESHAPE,
            &ops::EXPAND_DIMS,
            &ops::SQUEEZE,
            &ops::RELAX_SHAPE,
        ]
        .contains(op)
        {
            return self.elements(operands[0], steps);
        }
        if [&ops::INDEX, &ops::GATHER].contains(op) {
            let of = self.elements(operands[0], steps)?;
            let at = self.known_ints(operands[1], "").ok()?;
            let element = |at: i64| of.get(usize::try_from(at).ok()?).copied();
            return at.into_iter().map(element).collect();
        }
        None
    }
}
