//! How a traced stretch of code ends: an [`Outcome`] says which exits are possible and which values each of them takes along. An
//! `if` with one branch that leaves early stays open as a [`Split`]: the code after the `if` is traced inside the branch that falls
//! through, so `if c { return a } rest` becomes `cond(c, a, rest)`.

use std::rc::Rc;

use graph_kernels::{Array, DType};

use super::builder::{Builder, unify_captures};
use super::context::Trace;
use super::nest::Structure;
use crate::error::Location;
use crate::graph::{Op, TensorType, ValueId};
use crate::ops::{self, Attr, Attrs};

/// The number of a construct that a tensor may decide: an `if`, a `match`, a loop, or a labelled block.
pub(crate) type ConstructId = u32;

/// A way in which a stretch of code can end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Code {
    /// Control reaches the end.
    Next,
    /// `return`.
    Return,
    /// `break` out of a construct.
    Break(ConstructId),
    /// `continue` of a construct.
    Continue(ConstructId),
    /// The run fails, so nothing after it happens. Never one of several codes.
    Fail,
}

impl Code {
    /// The number of the code inside a graph.
    pub fn number(self) -> i32 {
        match self {
            Code::Next => 0,
            Code::Return => 1,
            Code::Break(construct) => 2 + 2 * construct as i32,
            Code::Continue(construct) => 3 + 2 * construct as i32,
            Code::Fail => -1,
        }
    }
}

/// The meaning of a group of values: the state of a construct's variables, the value of an expression, or the returned value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    State(ConstructId),
    Value(ConstructId),
    Returned,
}

/// The end of a stretch of code; its values belong to the builder the stretch was traced in.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    /// The possible codes, sorted, at least one.
    pub codes: Vec<Code>,
    /// The code as an `int32` scalar, if several are possible.
    pub code: Option<ValueId>,
    /// The values that the codes take along.
    pub groups: Vec<(Group, Vec<ValueId>)>,
    /// The variables whose states are among the groups, with their structures.
    pub states: States,
}

/// The constructs whose variables have a state, with what is known of these variables.
type States = Vec<(ConstructId, Rc<NamedStructures>)>;

/// The names and structures of a construct's variables.
pub(crate) type NamedStructures = Vec<(&'static str, Option<Box<dyn Structure>>)>;

impl Outcome {
    pub fn always(code: Code, group: Group, values: Vec<ValueId>) -> Outcome {
        Outcome {
            codes: vec![code],
            code: None,
            groups: vec![(group, values)],
            states: Vec::new(),
        }
    }

    /// The outcome of code that always fails.
    pub fn failed() -> Outcome {
        Outcome {
            codes: vec![Code::Fail],
            code: None,
            groups: Vec::new(),
            states: Vec::new(),
        }
    }

    /// Whether the code always fails.
    pub fn fails(&self) -> bool {
        self.codes == [Code::Fail]
    }

    /// Adds the state of a construct to the outcome.
    pub fn with_state(
        code: Code,
        construct: ConstructId,
        values: Vec<ValueId>,
        structures: NamedStructures,
    ) -> Outcome {
        Outcome {
            states: vec![(construct, Rc::new(structures))],
            ..Outcome::always(code, Group::State(construct), values)
        }
    }

    pub fn has(&self, code: Code) -> bool {
        self.codes.contains(&code)
    }

    pub fn group(&self, group: Group) -> Option<&Vec<ValueId>> {
        self.groups
            .iter()
            .find(|(g, _)| *g == group)
            .map(|(_, v)| v)
    }

    /// The code as a value of the builder.
    pub fn code_value(&self, builder: &mut Builder, location: &Location) -> ValueId {
        match self.code {
            Some(code) => code,
            None => builder.constant(Array::scalar(self.codes[0].number()), location.clone()),
        }
    }
}

/// A branch under a tensor condition with one side that has left early; the other side is still being traced.
pub(crate) struct Split {
    /// The predicate, a value of the graph around the branch.
    pub predicate: ValueId,
    /// True if the side that left is the one for a true predicate.
    pub left_is_then: bool,
    /// The side that left, closed.
    pub left: (Builder, Outcome),
    /// The position of the open side in the stack of builders.
    pub depth: usize,
    pub location: Location,
}

/// A value that is never used, of the type that the other branch gives.
pub(crate) fn undefined(builder: &mut Builder, ty: &TensorType, location: &Location) -> ValueId {
    // A constant costs nothing at run time.
    if ty.shape.rank() == Some(0) {
        return builder.constant(Array::zeros(ty.dtype, &[]), location.clone());
    }
    let attrs = Attrs::new()
        .with("dtype", Attr::DType(ty.dtype))
        .with("shape", Attr::Shape(ty.shape.clone()));
    let op = Op::Primitive(&ops::UNDEFINED, attrs);
    builder
        .graph
        .add_node(op, vec![], vec![ty.clone()], location.clone())[0]
}

/// Where a merged value comes from: from outside, if no branch changed it, or from an output of the `cond`.
#[derive(Clone, Copy)]
enum Origin {
    Outer(ValueId),
    Output(usize),
}

/// The outputs of two branches, side by side.
#[derive(Default)]
struct BranchOutputs {
    then_outputs: Vec<ValueId>,
    else_outputs: Vec<ValueId>,
    types: Vec<TensorType>,
}

impl BranchOutputs {
    fn output(&mut self, then_value: ValueId, else_value: ValueId, ty: TensorType) -> Origin {
        self.then_outputs.push(then_value);
        self.else_outputs.push(else_value);
        self.types.push(ty);
        Origin::Output(self.types.len() - 1)
    }
}

impl Trace {
    /// Merges two closed branches into a `cond` of the current builder.
    pub fn merge(
        &mut self,
        predicate: ValueId,
        mut then_side: (Builder, Outcome),
        mut else_side: (Builder, Outcome),
        location: &Location,
    ) -> Outcome {
        let mut codes: Vec<Code> = then_side
            .1
            .codes
            .iter()
            .chain(&else_side.1.codes)
            .copied()
            .collect();
        codes.sort();
        codes.dedup();
        // Nothing happens after a side that fails, so the merge may treat it as if it ended like the other side.
        if codes.len() > 1 {
            codes.retain(|code| *code != Code::Fail);
        }
        let mut groups: Vec<(Group, usize)> = Vec::new();
        for (group, values) in then_side.1.groups.iter().chain(&else_side.1.groups) {
            if !groups.iter().any(|(g, _)| g == group) {
                groups.push((*group, values.len()));
            }
        }
        let states = self.join_states(&then_side.1.states, &else_side.1.states, location);
        let mut joint = BranchOutputs::default();
        let code = (codes.len() > 1).then(|| {
            let [then_code, else_code] = [&mut then_side, &mut else_side]
                .map(|(builder, outcome)| outcome.code_value(builder, location));
            joint.output(then_code, else_code, TensorType::scalar(DType::I32))
        });
        let mut merged: Vec<(Group, Vec<Origin>)> = Vec::new();
        for (group, count) in groups {
            let places = (0..count).map(|i| {
                self.join(
                    &mut joint,
                    group,
                    i,
                    &mut then_side,
                    &mut else_side,
                    location,
                )
            });
            merged.push((group, places.collect()));
        }
        then_side.0.graph.outputs = joint.then_outputs;
        else_side.0.graph.outputs = joint.else_outputs;
        let parent = &mut self
            .builders
            .last_mut()
            .expect("a trace has a builder")
            .graph;
        let mut inputs = vec![predicate];
        inputs.extend(unify_captures(
            &mut [&mut then_side.0, &mut else_side.0],
            parent,
        ));
        let op = Op::Cond {
            then_branch: then_side.0.graph.into(),
            else_branch: else_side.0.graph.into(),
        };
        let outputs = parent.add_node(op, inputs, joint.types, location.clone());
        let value = |place: Origin| match place {
            Origin::Outer(value) => value,
            Origin::Output(index) => outputs[index],
        };
        let groups = merged
            .into_iter()
            .map(|(g, places)| (g, places.into_iter().map(value).collect()))
            .collect();
        Outcome {
            codes,
            code: code.map(value),
            groups,
            states,
        }
    }

    /// The states of two branches; where both have a construct's variables, these must have the same structures.
    fn join_states(&mut self, a: &States, b: &States, location: &Location) -> States {
        let mut joined = a.clone();
        for (construct, theirs) in b {
            let Some((_, ours)) = a.iter().find(|(f, _)| f == construct) else {
                joined.push((*construct, theirs.clone()));
                continue;
            };
            for ((name, x), (_, y)) in ours.iter().zip(theirs.iter()) {
                if let (Some(x), Some(y)) = (x, y)
                    && !x.same(&**y)
                {
                    let message = format!(
                        "'{name}' has a different structure depending on a tensor: it may be {x:?} or {y:?} where the loop or \
                         block goes on. Keep its structure, or leave by a Rust condition"
                    );
                    self.record(message, location);
                }
            }
        }
        joined
    }

    /// How value `i` of a group leaves two branches: unchanged from outside, or as an output of both.
    fn join(
        &mut self,
        joint: &mut BranchOutputs,
        group: Group,
        i: usize,
        then_side: &mut (Builder, Outcome),
        else_side: &mut (Builder, Outcome),
        location: &Location,
    ) -> Origin {
        let of = |side: &(Builder, Outcome)| {
            side.1
                .group(group)
                .and_then(|values| values.get(i).copied())
        };
        let (a, b) = match (of(then_side), of(else_side)) {
            (Some(a), Some(b)) => (a, b),
            (Some(a), None) => (
                a,
                undefined(&mut else_side.0, &then_side.0.graph.ty(a).clone(), location),
            ),
            (None, Some(b)) => (
                undefined(&mut then_side.0, &else_side.0.graph.ty(b).clone(), location),
                b,
            ),
            (None, None) => unreachable!("every group comes from a branch"),
        };
        if let (Some(x), Some(y)) = (then_side.0.source_of(a), else_side.0.source_of(b))
            && x == y
        {
            return Origin::Outer(x);
        }
        let (x, y) = (
            then_side.0.graph.ty(a).clone(),
            else_side.0.graph.ty(b).clone(),
        );
        let ty = x.join(&y).unwrap_or_else(|| {
            self.record(
                format!("a value is {x} in one branch but {y} in the other"),
                location,
            );
            x
        });
        joint.output(a, b, ty)
    }

    /// Closes the open splits above position `depth` of the stack of builders; `end` is how the innermost open side
    /// ends. The result belongs to the builder at `depth`.
    pub fn close_to(&mut self, depth: usize, mut end: Outcome) -> Outcome {
        while self.builders.len() > depth + 1 {
            let open = self.builders.pop().expect("checked above");
            let split = self
                .splits
                .pop()
                .expect("a builder above a construct's is the open side of a split");
            debug_assert_eq!(split.depth, self.builders.len());
            let (then_side, else_side) = if split.left_is_then {
                (split.left, (open, end))
            } else {
                ((open, end), split.left)
            };
            end = self.merge(split.predicate, then_side, else_side, &split.location);
        }
        end
    }

    /// True if a side that left since position `depth` of the stack may have left with this code.
    pub fn may_have_left(&self, depth: usize, code: Code) -> bool {
        self.splits
            .iter()
            .any(|s| s.depth >= depth && s.left.1.has(code))
    }

    /// Continues after code whose outcome has several codes, `Next` among them: opens a split whose left side holds all the other
    /// codes. The caller must have read the state of `construct` from the outcome before.
    pub fn continue_behind(
        &mut self,
        outcome: Outcome,
        next: &[Code],
        construct: ConstructId,
        location: &Location,
    ) {
        let others: Vec<Code> = outcome
            .codes
            .iter()
            .copied()
            .filter(|c| !next.contains(c))
            .collect();
        if others.is_empty() {
            return;
        }
        let builder = self.builders.last_mut().expect("a trace has a builder");
        let code = outcome.code_value(builder, location);
        let mut leaves = None;
        for other in &others {
            let number = builder.constant(Array::scalar(other.number()), location.clone());
            let is = builder.expect_primitive(&ops::EQUAL, vec![code, number], location);
            leaves = Some(match leaves {
                None => is,
                Some(sofar) => {
                    builder.expect_primitive(&ops::LOGICAL_OR, vec![sofar, is], location)
                }
            });
        }
        let predicate = leaves.expect("there are others");
        // A `break` that hasn't reached its loop's end yet takes the loop's state along.
        let pending = others
            .iter()
            .any(|c| [Code::Break(construct), Code::Continue(construct)].contains(c));
        let without: &[Group] = if pending {
            &[]
        } else {
            &[Group::State(construct), Group::Value(construct)]
        };
        let left = self.capture_outcome(&outcome, others, without);
        let depth = self.builders.len();
        self.builders.push(Builder::new());
        self.splits.push(Split {
            predicate,
            left_is_then: true,
            left,
            depth,
            location: location.clone(),
        });
    }

    /// A builder inside the current one that passes an outcome on, without some of its groups.
    fn capture_outcome(
        &mut self,
        outcome: &Outcome,
        codes: Vec<Code>,
        without: &[Group],
    ) -> (Builder, Outcome) {
        let parent = &self.builders.last().expect("a trace has a builder").graph;
        let mut builder = Builder::new();
        let mut enter = |v: &ValueId| builder.capture(*v, parent.ty(*v), None);
        let code = if codes.len() > 1 {
            outcome.code.as_ref().map(&mut enter)
        } else {
            None
        };
        let groups = outcome
            .groups
            .iter()
            .filter(|(g, _)| !without.contains(g))
            .map(|(g, values)| (*g, values.iter().map(&mut enter).collect()))
            .collect();
        (
            builder,
            Outcome {
                codes,
                code,
                groups,
                states: outcome.states.clone(),
            },
        )
    }
}
