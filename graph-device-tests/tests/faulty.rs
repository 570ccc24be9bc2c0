//! The suite finds a fault of each kind: a device that does what the CPU does passes it, and the same device with one fault doesn't.

use std::io;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use graph_device_tests::{Report, Suite};
use graph_ir::device::{Backend, Device, Host, Memory, Outputs, Place, Program, Remote, Storage};
use graph_ir::error::Error;
use graph_ir::graph::Graph;
use graph_ir::ops::{Attrs, OpDef};
use graph_ir::print::PrintTo;
use graph_ir::types::TensorType;
use graph_kernels::Array;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    /// Values lose their signs on the way back.
    Value,
    /// Sums are differences.
    Op,
    /// Results are left on the host.
    Place,
    /// Prints are lost.
    Print,
    /// Writes of variables are lost.
    Variable,
    /// What fails gives zeros.
    Error,
    /// From its fourth run on, a program gives its first result for each of them.
    Repeat,
}

/// A device that keeps arrays of its own and computes on the CPU, with a fault.
struct Copying(Fault);

/// Devices exist until the process ends.
static DEVICES: [Copying; 8] = [
    Copying(Fault::None),
    Copying(Fault::Value),
    Copying(Fault::Op),
    Copying(Fault::Place),
    Copying(Fault::Print),
    Copying(Fault::Variable),
    Copying(Fault::Error),
    Copying(Fault::Repeat),
];

#[derive(Debug)]
struct Kept(Array, Fault);

impl UnwindSafe for Kept {}
impl RefUnwindSafe for Kept {}

impl Memory for Kept {
    fn fetch(&self) -> Result<Array, Error> {
        let mut array = self.0.clone();
        if let (Fault::Value, Some(values)) = (self.1, array.values_mut::<f32>()) {
            values.iter_mut().for_each(|value| *value = value.abs());
        }
        Ok(array)
    }
}

fn device(fault: Fault) -> Device {
    Device::new(&DEVICES[fault as usize])
}

impl Copying {
    fn keep(&self, array: Array) -> Storage {
        let (dtype, shape) = (array.dtype(), array.shape().to_vec());
        let memory = Kept(array, self.0);
        Storage::Remote(Arc::new(Remote::new(device(self.0), dtype, &shape, memory)))
    }
}

/// The array that a device keeps.
fn kept(value: &Storage) -> Storage {
    match value {
        Storage::Remote(value) => match value.memory::<Kept>() {
            Some(kept) => kept.0.clone().into(),
            None => unreachable!("no other device is used"),
        },
        host => host.clone(),
    }
}

impl Backend for Copying {
    fn name(&self) -> &str {
        match self.0 {
            Fault::None => "right",
            Fault::Value => "wrong values",
            Fault::Op => "wrong ops",
            Fault::Place => "wrong places",
            Fault::Print => "wrong prints",
            Fault::Variable => "wrong variables",
            Fault::Error => "wrong errors",
            Fault::Repeat => "wrong repetitions",
        }
    }

    fn bring(&self, array: Arc<Array>) -> Result<Storage, Error> {
        Ok(self.keep(Array::clone(&array)))
    }

    fn refuses(&self, _: &OpDef, _: &Attrs, _: &[TensorType]) -> Option<String> {
        None
    }

    fn apply(
        &self,
        op: &'static OpDef,
        attrs: &Attrs,
        operands: &[&Storage],
    ) -> Result<Storage, String> {
        let op = match op.name {
            "add" if self.0 == Fault::Op => &graph_ir::ops::SUB,
            _ => op,
        };
        let operands: Vec<Storage> = operands.iter().map(|x| kept(x)).collect();
        let operands: Vec<&Storage> = operands.iter().collect();
        let result = Device::cpu().apply(op, attrs, &operands);
        let result = match self.0 {
            Fault::Error => result.unwrap_or_else(|_| Array::scalar(0i32).into()),
            _ => result?,
        };
        match (self.0, result) {
            (Fault::Place, result) => Ok(result),
            (_, Storage::Host(array)) => Ok(self.keep(Array::clone(&array))),
            (_, Storage::Remote(_)) => unreachable!("the CPU's results are on the host"),
        }
    }

    fn compile(&self, graph: &Graph, _: &[Arc<dyn Program>]) -> Result<Arc<dyn Program>, String> {
        Ok(Arc::new(Copied {
            program: Device::cpu().compile(graph, &[]),
            variables: graph.variables.len() as u32,
            runs: AtomicUsize::new(0),
            backend: &DEVICES[self.0 as usize],
        }))
    }
}

struct Copied {
    program: Arc<dyn Program>,
    variables: u32,
    runs: AtomicUsize,
    backend: &'static Copying,
}

impl Program for Copied {
    fn run_into(
        &self,
        inputs: &[&Storage],
        host: &mut dyn Host,
        outputs: &mut Outputs,
    ) -> Result<(), Error> {
        let fault = self.backend.0;
        let inputs: Vec<Storage> = inputs.iter().map(|x| kept(x)).collect();
        let places = (0..self.variables).filter_map(|position| host.variable(position));
        let places = places.filter_map(|place| {
            Place::new(
                place.name().clone(),
                place.ty().clone(),
                kept(&place.read()),
            )
            .ok()
        });
        let mut around = Around {
            places: places.collect(),
            host,
            prints: fault != Fault::Print,
        };
        let inputs: Vec<&Storage> = inputs.iter().collect();
        let mut results = self.program.run(&inputs, &mut around)?;
        let run = self.runs.fetch_add(1, Ordering::Relaxed);
        if fault == Fault::Repeat && run >= 3 && !results.is_empty() {
            let first = results[0].clone();
            results.fill(first);
        }
        let Around { places, host, .. } = around;
        for (inside, position) in places.iter().zip(0..).filter(|_| fault != Fault::Variable) {
            if let (Some(place), Storage::Host(array)) = (host.variable(position), inside.read()) {
                place.write(|held| *held = self.backend.keep(Array::clone(&array)));
            }
        }
        for result in results {
            outputs.push(match result {
                Storage::Host(array) => self.backend.keep(Array::clone(&array)),
                remote => remote,
            });
        }
        Ok(())
    }
}

/// A host whose variables are on the CPU.
struct Around<'a> {
    host: &'a mut dyn Host,
    places: Vec<Place>,
    prints: bool,
}

impl Host for Around<'_> {
    fn print(&mut self, text: &str, to: &PrintTo) -> io::Result<()> {
        match self.prints {
            true => self.host.print(text, to),
            false => Ok(()),
        }
    }

    fn next_seed(&mut self, op_seed: Option<i64>) -> [i64; 2] {
        self.host.next_seed(op_seed)
    }

    fn variable(&self, position: u32) -> Option<&Place> {
        self.places.get(position as usize)
    }
}

fn report(fault: Fault) -> Report {
    Suite::new(device(fault)).exact().of_size(2, 20).run()
}

#[test]
fn a_device_without_faults_passes() {
    let report = report(Fault::None);
    assert!(report.differences.is_empty(), "{report}");
    assert!(report.left_to_cpu.is_empty(), "{report}");
    assert!(report.comparisons > 400, "{report}");
}

#[test]
fn a_fault_of_each_kind_is_found() {
    for (fault, text) in [
        (Fault::Value, "a value float32"),
        (Fault::Op, "`add`"),
        (Fault::Place, "the result is on cpu"),
        (Fault::Print, "it prints []"),
        (Fault::Variable, "a variable has"),
        (Fault::Error, "instead of the error"),
        (Fault::Repeat, "(run 4)"),
    ] {
        let report = report(fault);
        let mut found = report.differences.iter();
        assert!(
            found.any(|difference| difference.contains(text)),
            "{fault:?}: {report}"
        );
    }
}
