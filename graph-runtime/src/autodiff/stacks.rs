//! Stacks: what the iterations of a loop save for its gradient. Rows of one known shape are a list that grows. Where a shape isn't known
//! it may change from iteration to iteration, as that of an inner loop's stack does: then all values are one list, and the
//! shapes another. Where not even the number of dimensions is known the shapes are of several shapes in turn: a `TensorArray` has
//! others before its first row is written.
//!
//! A loop in the body of another one adds to its stacks at their end, wherever that is, and goes back from there. So the loop around it doesn't
//! put the stack of each iteration on one of its own, as it would with any array: it hands its inner loop the stack of the iteration before, and
//! each value that is saved is on one stack, however deep loops nest (`through`).

use graph_kernels::{Array, DType};

use super::build::{constant, of_type, primitive};
use crate::graph::{Graph, Node, Shape, TensorType, ValueId};
use crate::ops::{self, Attr, Attrs, OpDef};

/// A stack of what a value is in each iteration.
pub(super) struct Stack {
    pub kind: Kind,
    /// The value's type.
    row: TensorType,
    /// The types of the lists: of the values of several shapes, then of what those shapes are; the last one is of rows.
    pub lists: Vec<TensorType>,
}

/// Where a stack's values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Those of iteration `i` are in row `i`.
    Counted,
    /// They are at the end: others may be before those of the first iteration.
    AtEnd,
    /// They are a stack of a loop in the body, which goes on with it.
    Through,
}

impl Stack {
    /// A stack that a loop in the body goes on with.
    pub fn through(list: TensorType) -> Stack {
        Stack {
            kind: Kind::Through,
            lists: vec![list.clone()],
            row: list,
        }
    }

    /// A stack for values of a type, in the body of another loop or not.
    pub fn of(row: TensorType, in_loop: bool) -> Stack {
        let kind = match in_loop {
            true => Kind::AtEnd,
            false => Kind::Counted,
        };
        let (mut lists, mut rows) = (Vec::new(), row.clone());
        loop {
            let sizes = rows.shape.to_known();
            let dims = [None]
                .into_iter()
                .chain(sizes.iter().flatten().copied().map(Some));
            lists.push(TensorType::new(rows.dtype, Shape::of(dims)));
            if sizes.is_some() {
                return Stack { kind, row, lists };
            }
            rows = TensorType::new(DType::I32, Shape::of([rows.shape.rank()]));
        }
    }

    /// How many lists have values of several shapes.
    fn ragged(&self) -> usize {
        self.lists.len() - 1
    }

    /// How many lists, from the first, end somewhere that isn't known by the number of iterations.
    pub fn ends(&self) -> usize {
        match self.kind {
            Kind::Counted => self.ragged(),
            Kind::AtEnd | Kind::Through => self.lists.len(),
        }
    }

    /// What gives the end of such a list.
    pub fn end(&self) -> &'static OpDef {
        match self.kind {
            Kind::Counted => &ops::SIZE_OF,
            Kind::AtEnd | Kind::Through => &ops::LIST_SIZE,
        }
    }

    /// The lists of each stack, of those of all.
    pub fn own_lists<'a, T>(stacks: &'a [Stack], lists: &'a [T]) -> impl Iterator<Item = &'a [T]> {
        let mut lists = lists;
        stacks.iter().map(move |stack| {
            let (own, rest) = lists.split_at(stack.lists.len());
            lists = rest;
            own
        })
    }

    /// The lists before the first iteration; `none` is the number 0.
    pub fn begin(&self, graph: &mut Graph, none: ValueId, node: &Node) -> Vec<ValueId> {
        let new = |ty: &TensorType| {
            let attrs = Attrs::new()
                .with("dtype", Attr::DType(ty.dtype))
                .with("shape", Attr::Shape(ty.shape.clone()));
            primitive(graph, &ops::LIST_NEW, attrs, vec![none], node)
        };
        self.lists.iter().map(new).collect()
    }

    /// The lists behind iteration `i`, in which the value was this one.
    pub fn push(
        &self,
        graph: &mut Graph,
        lists: &[ValueId],
        i: ValueId,
        mut value: ValueId,
        node: &Node,
    ) -> Vec<ValueId> {
        if self.kind == Kind::Through {
            return vec![value];
        }
        let (ragged, rows) = lists.split_at(self.ragged());
        let mut pushed = Vec::new();
        for list in ragged {
            let operands = vec![*list, value];
            let none = Attrs::new();
            pushed.push(primitive(graph, &ops::LIST_EXTEND, none, operands, node));
            value = primitive(graph, &ops::SHAPE_OF, Attrs::new(), vec![value], node);
        }
        for list in rows {
            let attrs = Attrs::new().with("grows", Attr::Bool(true));
            let end = match self.kind {
                Kind::Counted => i,
                _ => primitive(graph, &ops::LIST_SIZE, Attrs::new(), vec![*list], node),
            };
            let operands = vec![*list, end, value];
            pushed.push(primitive(graph, &ops::LIST_WRITE, attrs, operands, node));
        }
        pushed
    }

    /// The value of iteration `i`, and where those of the iterations before end in the lists that end somewhere; its own do at `ends`.
    pub fn pop(
        &self,
        graph: &mut Graph,
        lists: &[ValueId],
        i: ValueId,
        ends: &[ValueId],
        node: &Node,
    ) -> (ValueId, Vec<ValueId>) {
        if self.kind == Kind::Through {
            return (lists[0], ends.to_vec());
        }
        let (ragged, rows) = lists.split_at(self.ragged());
        let mut begins = Vec::new();
        let i = match (self.kind, ends.get(self.ragged())) {
            (Kind::AtEnd, Some(end)) => {
                let one = constant(graph, Array::scalar(1i32), node);
                let i = primitive(graph, &ops::SUB, Attrs::new(), vec![*end, one], node);
                begins.push(i);
                i
            }
            _ => i,
        };
        let whole = graph.ty(rows[0]).shape.clone();
        let attrs = Attrs::new().with("shape", Attr::Shape(whole));
        let mut value = primitive(graph, &ops::LIST_READ, attrs, vec![rows[0], i], node);
        for (list, end) in ragged.iter().zip(ends).rev() {
            let shape = value;
            let all = Attrs::new()
                .with("axes", Attr::Ints(vec![]))
                .with("keep_dims", Attr::Bool(false));
            let size = primitive(graph, &ops::REDUCE_PROD, all, vec![shape], node);
            let begin = primitive(graph, &ops::SUB, Attrs::new(), vec![*end, size], node);
            let operands = vec![*list, begin, *end];
            let part = primitive(graph, &ops::SLICE_ROWS, Attrs::new(), operands, node);
            let operands = vec![part, shape];
            value = primitive(graph, &ops::RESHAPE_TO, Attrs::new(), operands, node);
            begins.insert(0, begin);
        }
        (of_type(graph, value, &self.row, node), begins)
    }
}

/// The number 0.
pub(super) fn zero(graph: &mut Graph, node: &Node) -> ValueId {
    constant(graph, Array::scalar(0i32), node)
}
