//! Lowers branches and loops to jumps. Results of branches and loop state are moved into registers that are the same on every path.

use super::{CodeStep, Loop, Lowering};
use crate::error::{Construct, Location};
use crate::graph::{Graph, Op};
use crate::passes::{never_fails, splice};
use crate::plan::InWords;
use crate::plan::scope::{Scope, ScopeKind};
use crate::plan::word_nodes::all_can;
use crate::plan::{Instruction, Register, Source, Target};

/// The maximum number of nodes of a loop condition that is emitted twice.
const TESTED_BEHIND: usize = 8;

impl Lowering {
    pub(super) fn branches(
        &mut self,
        op: &Op,
        inputs: &[Source<Register>],
        outputs: &[Register],
        at: &Location,
    ) {
        let branches = op.subgraphs();
        let choice = match op {
            Op::Cond { .. } => Instruction::JumpIfFalse {
                condition: inputs[0],
                target: 0,
            },
            _ => Instruction::JumpTable {
                index: inputs[0],
                targets: vec![0; branches.len()],
            },
        };
        let choice = self.emit(choice, at);
        let mut starts = Vec::new();
        let mut ends = Vec::new();
        let last = branches.len() - 1;
        for (i, branch) in branches.into_iter().enumerate() {
            starts.push(self.here());
            let results = self.graph(branch, &inputs[1..]);
            self.moves(outputs, &results, at);
            if i < last {
                ends.push(self.emit(Instruction::Jump(0), at));
            }
            let kind = match (op, at.construct) {
                (Op::SwitchCase { .. }, _) => {
                    ScopeKind::Branch(format!("branch {i} of the switch_case"))
                }
                (_, Construct::Match) => ScopeKind::Match,
                (_, Construct::And) => ScopeKind::Branch("the right side of the `&&`".to_owned()),
                (_, Construct::Or) => ScopeKind::Branch("the right side of the `||`".to_owned()),
                (_, Construct::If) => {
                    ScopeKind::Branch(format!("the {} branch of the if", op.subgraph_name(i)))
                }
            };
            self.scope(starts[i], kind, at);
        }
        // If the condition is true, execution continues at the instruction after the jump, which is the first branch.
        let elsewhere = if matches!(op, Op::Cond { .. }) {
            &starts[1..]
        } else {
            &starts
        };
        self.aim(choice, elsewhere);
        let end = self.here();
        for jump in ends {
            self.aim(jump, &[end]);
        }
    }

    pub(super) fn while_loop(
        &mut self,
        cond: &Graph,
        body: &Graph,
        inputs: &[Source<Register>],
        state: &[Register],
        at: &Location,
    ) {
        self.moves(state, &inputs[..state.len()], at);
        let mut operands: Vec<Source<Register>> =
            state.iter().copied().map(Source::Computed).collect();
        operands.extend(&inputs[state.len()..]);

        let start = self.here();
        let inner = self.code.loops.len() as u32;
        let condition = self.graph(cond, &operands)[0];
        let exit = self.leave_unless(condition, start, at);
        let (head, next, condition) = match self.tested_behind(cond, body) {
            Some(both) => {
                let head = self.here();
                let mut next = self.graph(&both, &operands);
                let condition = next.pop();
                (head, next, condition)
            }
            None => (start, self.graph(body, &operands), None),
        };
        self.moves(state, &next, at);
        let number = self.code.loops.len() as u32;
        let repeat = Instruction::Repeat {
            head,
            condition,
            number,
            inner,
        };
        let back = self.emit(repeat, at);
        self.scope(head, ScopeKind::Loop(number), at);
        self.code.loops.push(Loop {
            head: head as usize,
            back,
            state: state.to_vec(),
        });
        let end = self.here();
        self.aim(exit, &[end]);
    }

    /// The body of a loop followed by its condition, or `None` if the condition isn't suitable. A condition of a few scalar nodes that can't
    /// fail is tested at the end of the body, in one word program with the loop counter. A separate test stands before the loop.
    fn tested_behind(&mut self, cond: &Graph, body: &Graph) -> Option<Graph> {
        let last = cond.nodes.last()?;
        let decides = self.options.words == InWords::Scalars
            && matches!(last.op, Op::Primitive(..))
            && last.outputs == cond.outputs
            && cond.nodes.len() <= TESTED_BEHIND
            && all_can(cond, &mut self.known)
            && cond.nodes.iter().all(|node| never_fails(cond, node));
        decides.then(|| {
            let mut both = body.clone();
            let operands = [&both.outputs, &both.inputs[both.outputs.len()..]].concat();
            let condition = splice(&mut both, cond, &operands);
            both.outputs.extend(condition);
            both
        })
    }

    /// Records that all steps from `start` to here came from a construct.
    fn scope(&mut self, start: Target, kind: ScopeKind, at: &Location) {
        self.code.scopes.push(Scope {
            range: start as usize..self.here() as usize,
            kind,
            location: at.clone(),
        });
    }

    /// Leaves the loop if its condition is false; nothing else reads the condition's value. Returns the position of the jump.
    fn leave_unless(&mut self, condition: Source<Register>, head: Target, at: &Location) -> usize {
        // A word program before the head isn't part of the loop, so it can't take the jump: the loop doesn't change its value.
        if self.options.words == InWords::Scalars
            && self.here() > head
            && let Some(CodeStep::Do(Instruction::Words(words))) = self.code.steps.last_mut()
            && words.leave_unless(condition)
        {
            return self.code.steps.len() - 1;
        }
        let target = 0;
        self.emit(Instruction::JumpIfFalse { condition, target }, at)
    }
}
