//! The kernels: each is described by a value that says all that its text depends on. A text is written and compiled when its description is first
//! seen. Sizes are parameters, so a description serves tensors of all sizes.

mod chain;
mod check;
mod combine;
mod journal;
mod largest;
mod lookup;
mod map;
mod numbers;
mod order;
mod product;
mod random;
mod reduce;
mod rows;
mod scan;
mod scatter;
mod sort;
#[cfg(test)]
mod tests;
mod tile;
mod together;
mod updates;
mod view;
mod waiting;
mod words;

use std::any::Any;
use std::hash::Hash;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use rustc_hash::FxHashMap;

pub use chain::{Chain, Input, Step, can_fail};
pub use journal::{FULL, NEXT, SEED, SEEDS, entry_bytes};
pub use lookup::{Along, Lookup, Outside};
pub use map::Target;
pub use numbers::Number;
pub use order::{Digits, Ranked, Search};
pub use product::{MOST_IN_BATCH, Matrix, Product, Then};
pub use random::Distribution;
pub use reduce::Reduction;
pub use rows::{Row, RowStep};
pub use scan::ScannedRows;
pub use scatter::{Change, Scatter};
pub use updates::Piece;
pub use view::{PerAxis, View};
pub use waiting::Waiting;
pub use words::{Given, WordArray, WordKernel};

use crate::driver::{Blas, Buffer, Conditional, Failed, Gpu, Kernel, Launch};
use crate::ptx::Code;

/// What the text of a kernel depends on.
pub trait Description: Any + Send + Sync + Clone + Hash + Eq {
    /// The number of threads in a block.
    fn threads(&self) -> u32;

    /// Writes the kernel.
    fn write(&self, code: &mut Code);
}

/// The name of each kernel in its text.
const NAME: &str = "kernel";

/// The kernels that a GPU has loaded.
pub struct Kernels {
    gpu: &'static Gpu,
    /// cuBLAS, if it is installed; it is opened at the first product.
    blas: OnceLock<Option<Blas>>,
    /// Loops and branches of recorded work, if the driver has them.
    conditional: OnceLock<Result<Conditional, Failed>>,
    loaded: RwLock<Loaded>,
}

/// The kernels of each type of description.
type Loaded = FxHashMap<std::any::TypeId, Box<dyn Any + Send + Sync>>;
type OfType<D> = FxHashMap<D, Arc<Kernel>>;

impl Kernels {
    /// No kernels yet.
    pub fn new(gpu: &'static Gpu) -> Kernels {
        Kernels {
            gpu,
            blas: OnceLock::new(),
            conditional: OnceLock::new(),
            loaded: RwLock::default(),
        }
    }

    /// The GPU.
    pub fn gpu(&self) -> &'static Gpu {
        self.gpu
    }

    /// Loops and branches of recorded work.
    ///
    /// # Errors
    /// If the driver has none.
    pub fn conditional(&self) -> Result<&Conditional, Failed> {
        let found = self.conditional.get_or_init(|| Conditional::find(self.gpu));
        found.as_ref().map_err(Failed::clone)
    }

    /// Copies a buffer to another one of its size.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn copy(&self, to: &Buffer, from: &Buffer) -> Result<(), Failed> {
        self.pass()?;
        to.copy_from(from)
    }

    /// How many blocks share `work` pieces, at most `most` for each multiprocessor.
    fn blocks(&self, work: usize, most: u32) -> u32 {
        let most = self.gpu.multiprocessors.max(1) * most;
        work.min(most as usize) as u32
    }

    /// The kernel of a description, if it is loaded.
    fn loaded_kernel<D: Description>(&self, description: &D) -> Option<Arc<Kernel>> {
        let loaded = self.loaded.read().unwrap_or_else(PoisonError::into_inner);
        let of_type = loaded.get(&std::any::TypeId::of::<D>())?;
        let of_type = of_type.downcast_ref::<OfType<D>>()?;
        of_type.get(description).cloned()
    }

    /// The kernel of a description.
    fn kernel<D: Description>(&self, description: &D) -> Result<Arc<Kernel>, Failed> {
        if let Some(kernel) = self.loaded_kernel(description) {
            return Ok(kernel);
        }
        let key = std::any::TypeId::of::<D>();
        let text = text(description);
        log::trace!("{text}");
        let kernel = Arc::new(Kernel::load(self.gpu, &text, NAME, description.threads())?);
        let mut loaded = self.loaded.write().unwrap_or_else(PoisonError::into_inner);
        let of_type = loaded
            .entry(key)
            .or_insert_with(|| Box::new(OfType::<D>::default()));
        if let Some(of_type) = of_type.downcast_mut::<OfType<D>>() {
            of_type.insert(description.clone(), kernel.clone());
        }
        Ok(kernel)
    }

    /// Queues a launch of the kernel of a description, now or [later](Self::catching).
    ///
    /// # Safety
    /// As [`Kernel::launch`].
    unsafe fn launch<D: Description>(
        &self,
        description: &D,
        launch: &Launch<'_>,
    ) -> Result<(), Failed> {
        if self.catches(description, launch)? {
            return Ok(());
        }
        let kernel = self.kernel(description)?;
        // SAFETY: the caller keeps the contract.
        unsafe { kernel.launch(launch) }
    }
}

/// The text of the kernel of a description.
fn text(description: &impl Description) -> String {
    let mut code = Code::new();
    description.write(&mut code);
    code.finish(NAME, description.threads())
}
