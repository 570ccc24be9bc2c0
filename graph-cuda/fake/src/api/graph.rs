//! Graphs and their conditional nodes.

use super::{Handle, api, put};
use crate::driver::graph::{Condition, Test};
use crate::driver::queue::submit_graph;
use crate::driver::{Answer, Driver, code, driver, ready};
use std::ffi::c_void;

/// `CUgraphNodeParams` of `cuda.h`, with its conditional member.
#[repr(C)]
struct NodeParameters {
    kind: u32,
    reserved: [u32; 3],
    handle: u64,
    test: u32,
    size: u32,
    bodies: *const usize,
    context: Handle,
}

/// `CU_GRAPH_NODE_TYPE_CONDITIONAL`
const CONDITIONAL: u32 = 13;
/// `CU_GRAPH_COND_ASSIGN_DEFAULT`
const ASSIGN_DEFAULT: u32 = 1;
/// The first version with IF nodes of two bodies, and with SWITCH.
const WITH_ELSE: u32 = 12080;

/// What a conditional node tests, if the driver's version has it with this number of bodies.
fn test(d: &mut Driver, number: u32, bodies: u32) -> Answer<Test> {
    let new = d.settings.version >= WITH_ELSE;
    match (number, bodies) {
        (0, 1) => Ok(Test::If),
        (0, 2) if new => Ok(Test::If),
        (1, 1) => Ok(Test::While),
        (2, 1..) if new => Ok(Test::Switch),
        _ => d.refuse(
            code::INVALID_VALUE,
            format!("there is no conditional node of type {number} with {bodies} bodies"),
        ),
    }
}

api! {
    fn cuGraphCreate(to: *mut Handle, _flags: u32) {
        let graph = ready()?.new_graph(false);
        put(to, graph as Handle)
    }

    fn cuGraphDestroy(graph: Handle) { driver().destroy_graph(graph as usize) }

    fn cuGraphGetNodes(graph: Handle, to: *mut Handle, count: *mut usize) {
        let mut d = ready()?;
        let Some(found) = d.graphs.get(&(graph as usize)) else { return d.refuse(code::INVALID_HANDLE, "not a graph") };
        let nodes: Vec<usize> = found.nodes.iter().map(|(handle, _)| *handle).collect();
        drop(d);
        if !to.is_null() {
            for (i, node) in nodes.iter().take(*count).enumerate() {
                to.add(i).write(*node as Handle);
            }
        }
        put(count, nodes.len())
    }

    fn cuGraphConditionalHandleCreate(to: *mut u64, graph: Handle, _context: Handle, default: u32, flags: u32) {
        let mut d = ready()?;
        if !d.graphs.contains_key(&(graph as usize)) {
            return d.refuse(code::INVALID_VALUE, "not a graph");
        }
        let handle = d.handle() as u64;
        d.conditions.insert(handle, default);
        d.handles.insert(handle, Condition { graph: graph as usize, default, assigns: flags & ASSIGN_DEFAULT != 0 });
        drop(d);
        put(to, handle)
    }

    fn cuGraphAddNode(to: *mut Handle, graph: Handle, on: *const Handle, count: usize, parameters: *mut NodeParameters) {
        let mut d = ready()?;
        let asked = &mut *parameters;
        if asked.kind != CONDITIONAL || d.settings.version < 12030 {
            return d.refuse(code::NOT_SUPPORTED, "only conditional nodes are emulated here");
        }
        let on: Vec<usize> = (0..count).map(|i| *on.add(i) as usize).collect();
        let known = d.graphs.get(&(graph as usize)).is_some_and(|g| on.iter().all(|n| g.nodes.iter().any(|(handle, _)| handle == n)));
        if !known {
            return d.refuse(code::INVALID_VALUE, "a dependency isn't a node of the graph");
        }
        let test = test(&mut d, asked.test, asked.size)?;
        let (node, bodies) = d.add_conditional(graph as usize, test, asked.handle, asked.size as usize)?;
        asked.bodies = bodies;
        drop(d);
        put(to, node as Handle)
    }

    fn cuGraphInstantiateWithFlags(to: *mut Handle, graph: Handle, _flags: u64) {
        let executable = ready()?.instantiate(graph as usize)?;
        put(to, executable as Handle)
    }

    fn cuGraphInstantiate(to: *mut Handle, graph: Handle, _error_node: *mut Handle, _log: *mut c_void, _size: usize) {
        let executable = ready()?.instantiate(graph as usize)?;
        put(to, executable as Handle)
    }

    fn cuGraphExecDestroy(executable: Handle) {
        let mut d = driver();
        match d.executables.remove(&(executable as usize)) {
            Some(_) => Ok(()),
            None => d.refuse(code::INVALID_HANDLE, "not an executable graph"),
        }
    }

    fn cuGraphUpload(_executable: Handle, _stream: Handle) { ready().map(|_| ()) }

    fn cuGraphLaunch(executable: Handle, stream: Handle) { submit_graph(stream as usize, executable as usize) }
}
