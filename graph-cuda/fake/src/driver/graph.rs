//! Graphs: nodes in the order in which they were added, which is one that their dependencies allow.

use super::launch::Kernel;
use super::memory::{Copy, Fill};
use super::product::Product;
use super::{Answer, Driver, code, driver};
use crate::exec::Memory;
use std::ffi::c_void;
use std::sync::Arc;

/// A function of the host and its argument.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HostCall {
    pub function: unsafe extern "C" fn(*mut c_void),
    pub data: *mut c_void,
}

// SAFETY: whoever gives the driver a host function lets any thread call it.
unsafe impl Send for HostCall {}
// SAFETY: as above.
unsafe impl Sync for HostCall {}

/// What decides how often bodies run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Test {
    If,
    While,
    Switch,
}

#[derive(Clone, Debug)]
pub(crate) enum Node {
    Kernel(Kernel),
    Copy(Copy),
    Fill(Fill),
    Product(Product),
    Host(HostCall),
    /// Bodies by their graphs' handles.
    Conditional {
        test: Test,
        handle: u64,
        bodies: Vec<usize>,
    },
}

#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub nodes: Vec<(usize, Node)>,
    /// Whether it is the body of a conditional node.
    pub body: bool,
}

/// A conditional handle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Condition {
    pub graph: usize,
    pub default: u32,
    /// Whether each launch sets the default first.
    pub assigns: bool,
}

/// A node of an executable graph, which contains its bodies.
#[derive(Debug)]
pub(crate) enum Action {
    Node(Node),
    Conditional {
        test: Test,
        handle: u64,
        bodies: Vec<Vec<Action>>,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Executable {
    pub actions: Arc<Vec<Action>>,
    pub graph: usize,
}

impl Driver {
    pub(crate) fn new_graph(&mut self, body: bool) -> usize {
        let handle = self.handle();
        self.graphs.insert(
            handle,
            Graph {
                nodes: vec![],
                body,
            },
        );
        handle
    }

    /// The handle of a new node.
    pub(crate) fn add_node(&mut self, graph: usize, node: Node) -> Answer<usize> {
        let handle = self.handle();
        let Some(g) = self.graphs.get_mut(&graph) else {
            return self.refuse(code::INVALID_HANDLE, "not a graph");
        };
        let pageable = |at: u64, m: &Memory, bytes: usize| {
            !Memory::is_device(at) && m.bytes(at, bytes).is_err()
        };
        let allowed = match &node {
            Node::Host(_) => !g.body,
            Node::Copy(c) => {
                !g.body
                    || !pageable(c.to, &self.memory, c.bytes)
                        && !pageable(c.from, &self.memory, c.bytes)
            }
            _ => true,
        };
        if !allowed {
            return self.refuse(
                code::NOT_SUPPORTED,
                "bodies of conditional nodes work without the host",
            );
        }
        g.nodes.push((handle, node));
        Ok(handle)
    }

    /// A conditional node with `count` bodies: its handle, and those of the bodies.
    pub(crate) fn add_conditional(
        &mut self,
        graph: usize,
        test: Test,
        handle: u64,
        count: usize,
    ) -> Answer<(usize, *const usize)> {
        if !self.handles.contains_key(&handle) {
            return self.refuse(code::INVALID_VALUE, "not a conditional handle");
        }
        let bodies: Vec<usize> = (0..count).map(|_| self.new_graph(true)).collect();
        let node = self.add_node(
            graph,
            Node::Conditional {
                test,
                handle,
                bodies: bodies.clone(),
            },
        )?;
        let kept: Box<[usize]> = bodies.into();
        let at = kept.as_ptr();
        self.bodies.push(kept);
        Ok((node, at))
    }

    /// The last node of a graph, as a list of at most one handle that C code may read.
    pub(crate) fn last_node(&mut self, graph: usize) -> (*const usize, usize) {
        let nodes = self.graphs.get(&graph).map(|graph| &graph.nodes);
        let last = nodes
            .and_then(|nodes| nodes.last())
            .map(|(handle, _)| *handle);
        let kept: Box<[usize]> = last.into_iter().collect();
        let (at, count) = (kept.as_ptr(), kept.len());
        self.bodies.push(kept);
        (at, count)
    }

    pub(crate) fn instantiate(&mut self, graph: usize) -> Answer<usize> {
        if !self.graphs.contains_key(&graph) {
            return self.refuse(code::INVALID_HANDLE, "not a graph");
        }
        let actions = Arc::new(self.actions(graph)?);
        let handle = self.handle();
        self.executables
            .insert(handle, Executable { actions, graph });
        Ok(handle)
    }

    fn actions(&self, graph: usize) -> Answer<Vec<Action>> {
        let nodes = &self.graphs.get(&graph).ok_or(code::INVALID_HANDLE)?.nodes;
        let action = |node: &Node| match node {
            Node::Conditional {
                test,
                handle,
                bodies,
            } => {
                let bodies = bodies
                    .iter()
                    .map(|b| self.actions(*b))
                    .collect::<Answer<_>>()?;
                Ok(Action::Conditional {
                    test: *test,
                    handle: *handle,
                    bodies,
                })
            }
            node => Ok(Action::Node(node.clone())),
        };
        nodes.iter().map(|(_, node)| action(node)).collect()
    }

    /// Removes a graph and the bodies in it.
    pub(crate) fn destroy_graph(&mut self, graph: usize) -> Answer {
        let Some(found) = self.graphs.remove(&graph) else {
            return self.refuse(code::INVALID_HANDLE, "not a graph");
        };
        for (_, node) in found.nodes {
            if let Node::Conditional { bodies, .. } = node {
                self.bodies.retain(|kept| kept[..] != bodies[..]);
                for body in bodies {
                    self.destroy_graph(body)?;
                }
            }
        }
        Ok(())
    }

    /// Gives the handles of a graph that is launched their defaults.
    pub(crate) fn set_defaults(&mut self, graph: usize) {
        for (handle, condition) in &self.handles {
            if condition.graph == graph && condition.assigns {
                self.conditions.insert(*handle, condition.default);
            }
        }
    }

    fn run_node(&mut self, node: &Node) -> Answer {
        if let Some(code) = self.failed {
            return Err(code);
        }
        match node {
            Node::Kernel(k) => self.execute(k),
            Node::Copy(c) => self.copy(*c),
            Node::Fill(f) => self.fill(*f),
            Node::Product(p) => self.multiply(p),
            Node::Host(_) | Node::Conditional { .. } => Ok(()),
        }
    }

    /// The value of a condition, unless a kernel failed.
    fn condition(&mut self, handle: u64) -> Answer<u32> {
        match self.failed {
            Some(code) => Err(code),
            None => Ok(self.conditions.get(&handle).copied().unwrap_or(0)),
        }
    }
}

/// Runs a node at once.
pub(crate) fn run_now(node: &Node) -> Answer {
    if let Node::Host(call) = node {
        // SAFETY: whoever gave the driver this function promised that it may be called with this argument.
        unsafe { (call.function)(call.data) };
        return Ok(());
    }
    driver().run_node(node)
}

/// Runs the nodes of a graph. Each takes the lock for itself, because host functions run without it.
pub(crate) fn play(actions: &[Action]) -> Answer {
    for action in actions {
        match action {
            Action::Node(Node::Kernel(_)) if !driver().may_launch()? => {}
            Action::Node(node) => run_now(node)?,
            Action::Conditional {
                test,
                handle,
                bodies,
            } => conditional(*test, *handle, bodies)?,
        }
    }
    Ok(())
}

fn conditional(test: Test, handle: u64, bodies: &[Vec<Action>]) -> Answer {
    loop {
        let value = driver().condition(handle)?;
        let chosen = match test {
            Test::While => (value != 0).then_some(0),
            Test::If => Some(usize::from(value == 0)),
            Test::Switch => Some(value as usize),
        };
        let Some(body) = chosen.and_then(|c| bodies.get(c)) else {
            return Ok(());
        };
        driver().count.conditional_rounds += 1;
        play(body)?;
        if test != Test::While {
            return Ok(());
        }
    }
}
