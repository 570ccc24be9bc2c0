//! The vault's program of a graph: a plan that runs in the vault, on values that stay there.

use std::io;
use std::sync::Arc;

use graph_runtime::device::{Host, Outputs, Program, Storage};
use graph_runtime::graph::{Graph, Summary};
use graph_runtime::plan::Plan;
use graph_runtime::variable::Place;
use graph_runtime::{Array, DType, Error, PrintTo};

use crate::{Vault, count};

/// Compiles a graph; refuses one with a value of strings.
pub fn compile(graph: &Graph, vault: &'static Vault) -> Result<Arc<dyn Program>, String> {
    let types = graph.values.iter().map(|value| &value.ty);
    let variables = graph.variables.iter().map(|variable| &variable.ty);
    if types.chain(variables).any(|ty| ty.dtype == DType::Str) {
        return Err("the vault holds no text".to_owned());
    }
    Ok(Arc::new(Inside {
        plan: Plan::new(graph),
        vault,
    }))
}

struct Inside {
    plan: Plan,
    vault: &'static Vault,
}

impl Program for Inside {
    fn run_into(
        &self,
        inputs: &[&Storage],
        host: &mut dyn Host,
        outputs: &mut Outputs,
    ) -> Result<(), Error> {
        let vault = self.vault;
        count(&vault.counts.ran);
        let inputs: Vec<Storage> = inputs.iter().map(|x| vault.inside(x).into()).collect();
        let mut variables = Variables::of(&self.plan, host, vault)?;
        let computed = self
            .plan
            .run(&inputs.iter().collect::<Vec<_>>(), &mut variables);
        // If the run fails, the assignments before the failure stay.
        variables.write_back(vault)?;
        for output in computed? {
            outputs.push(vault.keep(output.to_host()?));
        }
        Ok(())
    }
}

/// A host whose variables are copies in the vault.
struct Variables<'a> {
    host: &'a mut dyn Host,
    /// For each variable, its value when the run began, and its place in the vault.
    places: Vec<(Storage, Place)>,
}

impl<'a> Variables<'a> {
    fn of(plan: &Plan, host: &'a mut dyn Host, vault: &'static Vault) -> Result<Self, Error> {
        let places = (0..plan.variables.len() as u32).map_while(|position| {
            let outside = host.variable(position)?;
            let held = Storage::Host(vault.inside(&outside.read()));
            let place = Place::new(outside.name().clone(), outside.ty().clone(), held.clone());
            Some((held, place.ok()?))
        });
        let places = places.collect();
        Ok(Variables { host, places })
    }

    fn write_back(&self, vault: &'static Vault) -> Result<(), Error> {
        for ((before, inside), position) in self.places.iter().zip(0..) {
            let now = inside.read();
            if now.address() == before.address() {
                continue;
            }
            if let Some(outside) = self.host.variable(position) {
                // The variable stays on its device.
                let value = match outside.read() {
                    Storage::Host(_) => now,
                    Storage::Remote(_) => vault.keep(now.to_host()?),
                };
                outside.write(|held| *held = value);
            }
        }
        Ok(())
    }
}

impl Host for Variables<'_> {
    fn print(&mut self, text: &str, to: &PrintTo) -> io::Result<()> {
        self.host.print(text, to)
    }
    fn next_seed(&mut self, op_seed: Option<i64>) -> [i64; 2] {
        self.host.next_seed(op_seed)
    }
    fn writes_summaries(&self) -> bool {
        self.host.writes_summaries()
    }

    fn write_summary(&mut self, summary: &Summary, value: &Array, step: i64) -> io::Result<()> {
        self.host.write_summary(summary, value, step)
    }

    fn variable(&self, position: u32) -> Option<&Place> {
        let place = self.places.get(position as usize);
        place.map(|(_, place)| place)
    }
}
