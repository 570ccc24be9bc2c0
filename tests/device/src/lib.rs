//! The vault: a device for tests. It computes with the CPU's kernels, but keeps its values in a table of its own, and a tensor holds only a
//! number. So code that reads a value without asking the device fails, and no GPU is needed to find it.
//!
//! It takes no strings, so that there are values that a device can't hold. The ops in its list are left to the CPU.

mod program;

use std::collections::HashMap;
use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use graph_runtime::device::{
    Backend, Device, Direction, Memory, Program, Remote, Storage, Transfer, transferred,
};
use graph_runtime::graph::{Graph, TensorType};
use graph_runtime::ops::{Attrs, OpDef};
use graph_runtime::{Array, DType, Error};

/// Ops that the vault leaves to the CPU.
const REFUSED: &[&str] = &["sort", "einsum", "cumsum"];

/// A device that keeps its values in a table.
#[derive(Default)]
pub struct Vault {
    values: Mutex<HashMap<u64, Arc<Array>>>,
    next: AtomicU64,
    counts: Counts,
}

/// Counters of copies between host and vault, and of the work of the vault.
#[derive(Default)]
struct Counts {
    brought: AtomicU64,
    fetched: AtomicU64,
    applied: AtomicU64,
    ran: AtomicU64,
}

/// The counters at some moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traffic {
    /// Values copied from the host to the vault.
    pub brought: u64,
    /// Values copied from the vault to the host.
    pub fetched: u64,
    /// Ops applied one by one.
    pub applied: u64,
    /// Runs of programs.
    pub ran: u64,
}

static VAULT: LazyLock<Vault> = LazyLock::new(Vault::default);

/// The vault as a device.
pub fn vault() -> Device {
    Device::new(&*VAULT)
}

/// The counters now.
pub fn traffic() -> Traffic {
    let Counts {
        brought,
        fetched,
        applied,
        ran,
    } = &VAULT.counts;
    let [brought, fetched, applied, ran] =
        [brought, fetched, applied, ran].map(|count| count.load(Ordering::Relaxed));
    Traffic {
        brought,
        fetched,
        applied,
        ran,
    }
}

/// The number of values in the vault.
pub fn kept() -> usize {
    VAULT.table().len()
}

/// The first GPU of an emulated driver, which interprets its kernels on the CPU; with `GRAPH_TESTS_GPU=real` that of the real driver.
///
/// # Panics
/// If there is no GPU.
pub fn gpu() -> Device {
    if std::env::var("GRAPH_TESTS_GPU").as_deref() != Ok("real") {
        graph_cuda_shim::use_functions(graph_cuda_fake::symbol);
    }
    match graph_cuda::device(0) {
        Ok(device) => device,
        Err(reason) => panic!("{reason}"),
    }
}

/// Sets the default device to the one named by the environment: `GRAPH_TESTS_DEVICE=vault` or `gpu`.
pub fn set_default_of_environment() {
    match std::env::var("GRAPH_TESTS_DEVICE").as_deref() {
        Ok("vault") => graph_runtime::device::set_default(vault()),
        Ok("gpu") => graph_runtime::device::set_default(gpu()),
        Ok(other) => panic!("there is no device {other}"),
        Err(_) => {}
    }
}

impl Vault {
    fn table(&self) -> MutexGuard<'_, HashMap<u64, Arc<Array>>> {
        self.values.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a value into the table and returns its storage. Strings stay on the host.
    fn keep(&'static self, array: Arc<Array>) -> Storage {
        if array.dtype() == DType::Str {
            return Storage::Host(array);
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let memory = Kept {
            vault: self,
            number,
        };
        let value = Remote::new(vault(), array.dtype(), array.shape(), memory);
        self.table().insert(number, array);
        Storage::Remote(Arc::new(value))
    }

    /// The array of a value in the vault. A value on the host is copied to the vault.
    fn inside(&'static self, value: &Storage) -> Arc<Array> {
        match value {
            Storage::Host(array) => {
                count(&self.counts.brought);
                report(Direction::ToDevice, array);
                array.clone()
            }
            Storage::Remote(value) => match value.memory::<Kept>() {
                Some(kept) => self.table()[&kept.number].clone(),
                None => unreachable!("there is no third device"),
            },
        }
    }
}

fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

fn report(direction: Direction, array: &Array) {
    transferred(&Transfer {
        device: "vault",
        direction,
        dtype: array.dtype(),
        shape: array.shape(),
    });
}

/// The backend is the static `VAULT`, to which values hold a reference.
impl Backend for Vault {
    fn name(&self) -> &str {
        "vault"
    }

    fn bring(&self, array: Arc<Array>) -> Result<Storage, Error> {
        count(&VAULT.counts.brought);
        report(Direction::ToDevice, &array);
        Ok(VAULT.keep(array))
    }

    fn refuses(&self, op: &OpDef, _: &Attrs, operands: &[TensorType]) -> Option<String> {
        let text = operands.iter().any(|ty| ty.dtype == DType::Str);
        (text || REFUSED.contains(&op.name))
            .then(|| format!("the vault doesn't know `{}` of these operands", op.name))
    }

    fn apply(
        &self,
        op: &'static OpDef,
        attrs: &Attrs,
        operands: &[&Storage],
    ) -> Result<Storage, String> {
        count(&VAULT.counts.applied);
        let inside: Vec<Storage> = operands.iter().map(|x| VAULT.inside(x).into()).collect();
        let result = Device::cpu().apply(op, attrs, &inside.iter().collect::<Vec<_>>())?;
        let result = result.to_host().map_err(|error| error.to_string())?;
        Ok(VAULT.keep(result))
    }

    fn compile(&self, graph: &Graph, _: &[Arc<dyn Program>]) -> Result<Arc<dyn Program>, String> {
        program::compile(graph, &VAULT)
    }
}

/// A value in the vault. It is removed with its last handle.
struct Kept {
    vault: &'static Vault,
    number: u64,
}

impl Memory for Kept {
    fn fetch(&self) -> Result<Array, Error> {
        count(&self.vault.counts.fetched);
        let array = self.vault.table()[&self.number].clone();
        report(Direction::ToHost, &array);
        Ok(Array::clone(&array))
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        let value = self.vault.table().remove(&self.number);
        drop(value);
    }
}

impl UnwindSafe for Kept {}
impl RefUnwindSafe for Kept {}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "vault #{}", self.number)
    }
}
