//! A transpose, and what a primitive needs in order to compute the source of its result instead.

use graph_kernels::permutation;

use crate::graph::{Graph, Node, Op, Shape};
use crate::ops::{self, Attr, Attrs};

/// A transpose: axis `i` of the result is axis `self.0[i]` of the source.
#[derive(Clone, PartialEq)]
pub(super) struct Turn(Vec<usize>);

impl Turn {
    /// That of a node whose shapes are known.
    pub fn of(graph: &Graph, node: &Node) -> Option<Turn> {
        let Op::Primitive(_, attrs) = &node.op else {
            return None;
        };
        let rank = graph.ty(node.inputs[0]).shape.to_known()?.len();
        let perm = permutation(attrs.ints("perm").ok()?, rank).ok()?;
        Some(Turn(perm.to_vec()))
    }

    pub fn op(&self) -> Op {
        let perm = self.0.iter().map(|axis| *axis as i64).collect();
        Op::Primitive(&ops::TRANSPOSE, Attrs::new().with("perm", Attr::Ints(perm)))
    }

    /// Whether the other one, applied to the result, gives the source.
    pub fn is_undone_by(&self, other: &Turn) -> bool {
        let both = other.0.iter().map(|axis| self.0[*axis]);
        both.eq(0..self.0.len())
    }

    /// What belongs to the axes of the result, in the order of the source's.
    pub fn in_source<T: Clone>(&self, of_result: &[T]) -> Vec<T> {
        let mut of_source = of_result.to_vec();
        for (value, axis) in of_result.iter().zip(&self.0) {
            of_source[*axis] = value.clone();
        }
        of_source
    }

    /// The shape that an operand needs, which broadcasts with the result, to broadcast with the source. `None` if more than a reshape would be needed.
    pub fn reshaped(&self, shape: &Shape) -> Option<Vec<usize>> {
        let own = shape.to_known()?;
        let mut all = vec![1; self.0.len().checked_sub(own.len())?];
        all.extend(own);
        let large = all.iter().zip(&self.0).filter(|(size, _)| **size != 1);
        if !large.map(|(_, axis)| axis).is_sorted() {
            return None;
        }
        let sizes = self.in_source(&all);
        let ones = sizes.iter().take_while(|size| **size == 1).count();
        Some(sizes[ones..].to_vec())
    }

    /// The attributes of a primitive on the source. Those that name or list axes are `axis`, `axes`, `before` and `after`.
    pub fn attrs(&self, attrs: &Attrs) -> Option<Attrs> {
        let axis = |axis: i64| {
            let rank = self.0.len() as i64;
            let axis = usize::try_from(if axis < 0 { axis + rank } else { axis }).ok()?;
            self.0.get(axis).map(|axis| *axis as i64)
        };
        let attr = |(name, attr): &(&'static str, Attr)| {
            let attr = match (*name, attr) {
                ("axis", Attr::Int(n)) => Attr::Int(axis(*n)?),
                ("axes", Attr::Ints(all)) => {
                    Attr::Ints(all.iter().map(|n| axis(*n)).collect::<Option<_>>()?)
                }
                ("before" | "after", Attr::Ints(sizes)) => Attr::Ints(self.in_source(sizes)),
                _ => attr.clone(),
            };
            Some((*name, attr))
        };
        attrs.iter().map(attr).collect()
    }
}
