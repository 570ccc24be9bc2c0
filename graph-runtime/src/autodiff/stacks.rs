//! Stacks: the values that the iterations of a loop save for its gradient. If the shape of a value is known, its stack is one
//! growing list of rows. An unknown shape may change between iterations (the stack of an inner loop does); then one list holds the
//! values one after the other, and a second list holds their shapes. If even the rank is unknown, the shapes vary in shape
//! themselves, so that a third list holds their ranks. A `TensorArray`, for example, has another shape before its first row is written.
//!
//! A loop nested in another loop appends to its stacks and pops from their ends, wherever these are. So the outer loop doesn't push
//! the inner stack of each iteration onto a stack of its own, as it would push any other array. It passes the inner loop the stack
//! of the previous iteration. Each saved value is thus stored on one stack, however deeply the loops nest (`through`).

use graph_kernels::{Array, DType};

use super::build::{constant, of_type, primitive};
use crate::graph::{Graph, Node, Shape, TensorType, ValueId};
use crate::ops::{self, Attr, Attrs, OpDef};

/// A stack with the value of one forward value in each iteration.
pub(super) struct Stack {
    pub kind: Kind,
    /// The value's type.
    row: TensorType,
    /// The types of the lists: first lists whose items vary in shape (the values, then their shapes), last a list whose rows all have one shape.
    pub lists: Vec<TensorType>,
}

/// Where a stack holds the value of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Row `i` belongs to iteration `i`.
    Counted,
    /// Rows are pushed and popped at the end; other rows may lie below those of the first iteration.
    AtEnd,
    /// The value is itself a stack of an inner loop, which continues it.
    Through,
}

impl Stack {
    /// A stack that an inner loop continues.
    pub fn through(list: TensorType) -> Stack {
        Stack {
            kind: Kind::Through,
            lists: vec![list.clone()],
            row: list,
        }
    }

    /// A stack for values of a type. `in_loop` says whether its loop is in the body of another loop.
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

    /// The number of lists whose items vary in shape.
    fn ragged(&self) -> usize {
        self.lists.len() - 1
    }

    /// The number of lists, counted from the first, whose length doesn't follow from the number of iterations.
    pub fn ends(&self) -> usize {
        match self.kind {
            Kind::Counted => self.ragged(),
            Kind::AtEnd | Kind::Through => self.lists.len(),
        }
    }

    /// The op that gives the length of such a list.
    pub fn end(&self) -> &'static OpDef {
        match self.kind {
            Kind::Counted => &ops::SIZE_OF,
            Kind::AtEnd | Kind::Through => &ops::LIST_SIZE,
        }
    }

    /// Splits the lists of all stacks into those of each stack.
    pub fn own_lists<'a, T>(stacks: &'a [Stack], lists: &'a [T]) -> impl Iterator<Item = &'a [T]> {
        let mut lists = lists;
        stacks.iter().map(move |stack| {
            let (own, rest) = lists.split_at(stack.lists.len());
            lists = rest;
            own
        })
    }

    /// The empty lists before the first iteration; `none` is the number 0.
    pub fn begin(&self, graph: &mut Graph, none: ValueId, node: &Node) -> Vec<ValueId> {
        let new = |ty: &TensorType| {
            let attrs = Attrs::new()
                .with("dtype", Attr::DType(ty.dtype))
                .with("shape", Attr::Shape(ty.shape.clone()));
            primitive(graph, &ops::LIST_NEW, attrs, vec![none], node)
        };
        self.lists.iter().map(new).collect()
    }

    /// The lists after iteration `i`, with its value pushed.
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

    /// The value of iteration `i`, and the list lengths before that iteration, for the lists counted by [`ends`](Self::ends).
    /// `ends` are the lengths after it.
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
