//! Updates of several variables by one chain.

use std::fmt;
use std::sync::Arc;

use super::{Fused, Slot, Source};

/// Several variables of one shape, and the chain that gives their new values in one pass. It changes their arrays in place.
#[derive(Clone, Debug)]
pub struct Updates<P = Slot> {
    /// The positions of the variables in [`Plan::variables`](super::Plan::variables), no two of which are equal.
    pub variables: Vec<u32>,
    /// The chain. Its first inputs are the variables' values.
    pub chain: Arc<Fused>,
    /// The inputs behind them.
    pub inputs: Vec<Source<P>>,
    /// Slots that may share a variable's array and whose values are dead.
    pub released: Vec<P>,
}

impl<P> Updates<P> {
    /// Replaces registers by slots.
    pub(super) fn map<Q>(self, place: impl Fn(P) -> Q) -> Updates<Q> {
        let source = |source: Source<P>| source.map(&place);
        Updates {
            variables: self.variables,
            chain: self.chain,
            inputs: self.inputs.into_iter().map(source).collect(),
            released: self.released.into_iter().map(&place).collect(),
        }
    }
}

impl fmt::Display for Updates {
    /// `v0, v1 = mul+add+sub(v0, v1, in0)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = self.variables.iter().map(|variable| format!("v{variable}"));
        let own: Vec<String> = own.collect();
        let all = own.iter().cloned();
        let all: Vec<String> = all
            .chain(self.inputs.iter().map(Source::to_string))
            .collect();
        write!(f, "{} = {}({})", own.join(", "), self.chain, all.join(", "))
    }
}
