//! The axes of two operands of an einsum as those of a product of matrices.

use super::{Label, Labels};

/// The axes of two operands, by what a product of matrices does with them.
pub struct Division {
    /// Common axes that stay: each position has its own product.
    pub batch: Labels,
    /// The left operand's own axes: the rows.
    pub left: Labels,
    /// Common axes that are summed over.
    pub summed: Labels,
    /// The right operand's own axes: the columns.
    pub right: Labels,
}

impl Division {
    /// The division of these axes. `needed` tells which axes stay.
    pub fn of(left: &[Label], right: &[Label], needed: impl Fn(Label) -> bool) -> Division {
        let mut division = Division {
            batch: Labels::new(),
            left: Labels::new(),
            summed: Labels::new(),
            right: Labels::new(),
        };
        for label in left {
            match (right.contains(label), needed(*label)) {
                (true, true) => division.batch.push(*label),
                (true, false) => division.summed.push(*label),
                (false, _) => division.left.push(*label),
            }
        }
        let own = right.iter().copied().filter(|label| !left.contains(label));
        division.right.extend(own);
        division
    }
}
