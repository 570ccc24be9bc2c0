//! The names that nodes can use, as subgraphs and called functions see them.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::error::{Result, invalid, unsupported};
use super::tensor::Folder;
use super::value::Value;
use crate::onnx::proto::{FunctionProto, OperatorSetIdProto};

/// The versions of operator sets by domain.
pub(crate) type Opsets = Rc<FxHashMap<String, i64>>;

/// The deepest nesting of calls and subgraphs.
const MAX_DEPTH: usize = 100;

/// The newest version of ONNX's own operator set that is known.
const NEWEST: i64 = 28;

/// The domain's one name: `ai.onnx` is the default domain.
pub(crate) fn domain(name: &str) -> &str {
    if name == "ai.onnx" { "" } else { name }
}

/// Reads the versions of operator sets that a model or function imports.
pub(crate) fn opsets(imports: &[OperatorSetIdProto]) -> Result<Opsets> {
    let mut versions = FxHashMap::default();
    for import in imports {
        let name = domain(&import.domain);
        if name.is_empty() && !(1..=NEWEST).contains(&import.version) {
            return unsupported(format!(
                "version {} of the operator set (1 to {NEWEST} are known)",
                import.version
            ));
        }
        if !(1..=NEWEST).contains(&import.version) && name.starts_with("ai.onnx") {
            return invalid(format!("version {} of `{name}`", import.version));
        }
        let before = versions.insert(name.to_owned(), import.version);
        if before.is_some_and(|version| version != import.version) {
            return invalid(format!("two versions of the operator set `{name}`"));
        }
    }
    Ok(Rc::new(versions))
}

/// What identifies a function of a model: its domain, name and overload.
pub(crate) type FunctionId<'m> = (&'m str, &'m str, &'m str);

/// The names of a model, a subgraph or a function.
struct Scope {
    names: FxHashMap<String, Value>,
    /// A function's: the names around it aren't visible.
    is_closed: bool,
    opsets: Opsets,
}

/// All names, and what they may refer to.
pub(crate) struct Scopes<'m> {
    /// The functions of the model.
    pub functions: FxHashMap<FunctionId<'m>, &'m FunctionProto>,
    /// Where external data may lie.
    pub folder: Folder,
    scopes: Vec<Scope>,
}

impl<'m> Scopes<'m> {
    pub fn new(
        functions: FxHashMap<FunctionId<'m>, &'m FunctionProto>,
        folder: Folder,
        opsets: Opsets,
    ) -> Scopes<'m> {
        let main = Scope {
            names: FxHashMap::default(),
            is_closed: true,
            opsets,
        };
        Scopes {
            functions,
            folder,
            scopes: vec![main],
        }
    }

    /// Enters a function.
    pub fn enter_closed(&mut self, opsets: Opsets) -> Result<()> {
        self.push(true, opsets)
    }

    /// Enters a subgraph, which sees the names around it.
    pub fn enter(&mut self) -> Result<()> {
        let opsets = self.scopes.last().map(|scope| scope.opsets.clone());
        self.push(false, opsets.unwrap_or_default())
    }

    fn push(&mut self, is_closed: bool, opsets: Opsets) -> Result<()> {
        if self.scopes.len() > MAX_DEPTH {
            return unsupported(format!(
                "calls and subgraphs nested more than {MAX_DEPTH} deep"
            ));
        }
        self.scopes.push(Scope {
            names: FxHashMap::default(),
            is_closed,
            opsets,
        });
        Ok(())
    }

    /// The number of entered scopes.
    pub fn depth(&self) -> usize {
        self.scopes.len()
    }

    /// Leaves all scopes that were entered after the depth.
    pub fn leave_to(&mut self, depth: usize) {
        self.scopes.truncate(depth);
    }

    /// The version of a domain's operator set.
    pub fn version(&self, domain: &str) -> Option<i64> {
        self.scopes.last()?.opsets.get(domain).copied()
    }

    /// The value of a name.
    pub fn find(&self, name: &str) -> Result<Value> {
        for scope in self.scopes.iter().rev() {
            if let Some(value) = scope.names.get(name) {
                return Ok(value.clone());
            }
            if scope.is_closed {
                break;
            }
        }
        invalid(format!("`{name}` is not defined before it is used"))
    }

    /// Gives a name to a value.
    pub fn define(&mut self, name: &str, value: Value) -> Result<()> {
        let Some(scope) = self.scopes.last_mut() else {
            return invalid("no scope is entered");
        };
        match scope.names.insert(name.to_owned(), value) {
            None => Ok(()),
            Some(_) => invalid(format!("`{name}` is defined twice")),
        }
    }
}
