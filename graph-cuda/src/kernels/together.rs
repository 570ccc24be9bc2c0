//! Several launches as one: each block of threads belongs to one of them. The kernel is the texts of all, behind a choice by the number of the block.

use std::any::Any;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHasher;

use super::{Description, Kernels};
use crate::driver::{Failed, Kernel, Launch};
use crate::ptx::{Code, Width};

/// The most launches that are one: each of them makes the text longer.
const MOST: usize = 32;
/// The most parameters of a launch; a driver takes 4096 bytes of them.
const MOST_PARAMETERS: usize = 500;

/// A description of any type.
trait Part: Any + Send + Sync {
    fn threads(&self) -> u32;
    fn write(&self, code: &mut Code);
    fn kernel(&self, kernels: &Kernels) -> Result<Arc<Kernel>, Failed>;
    fn number(&self) -> u64;
    fn equals(&self, other: &dyn Part) -> bool;
}

impl<D: Description> Part for D {
    fn threads(&self) -> u32 {
        Description::threads(self)
    }

    fn write(&self, code: &mut Code) {
        Description::write(self, code);
    }

    fn kernel(&self, kernels: &Kernels) -> Result<Arc<Kernel>, Failed> {
        kernels.kernel(self)
    }

    fn number(&self) -> u64 {
        let mut hasher = FxHasher::default();
        Hash::hash(self, &mut hasher);
        hasher.finish()
    }

    fn equals(&self, other: &dyn Part) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref::<D>() == Some(self)
    }
}

/// A launch that isn't queued yet, on one axis of blocks.
pub struct Late {
    part: Arc<dyn Part>,
    blocks: u32,
    parameters: Vec<u64>,
}

impl Late {
    pub(super) fn new(description: &impl Description, launch: &Launch<'_>) -> Late {
        Late {
            part: Arc::new(description.clone()),
            blocks: launch.blocks.0,
            parameters: launch.parameters.to_vec(),
        }
    }
}

/// A kernel of several launches, whose blocks have equally many threads; parts of one thread leave the others of their block idle.
#[derive(Clone)]
pub(super) struct Together(Vec<Arc<dyn Part>>);

impl PartialEq for Together {
    fn eq(&self, other: &Together) -> bool {
        let mut pairs = self.0.iter().zip(&other.0);
        self.0.len() == other.0.len() && pairs.all(|(a, b)| a.equals(&**b))
    }
}

impl Eq for Together {}

impl Hash for Together {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for part in &self.0 {
            state.write_u64(part.number());
        }
    }
}

impl Description for Together {
    fn threads(&self) -> u32 {
        let threads = self.0.iter().map(|part| part.threads());
        threads.max().unwrap_or(1)
    }

    fn write(&self, code: &mut Code) {
        let threads = Description::threads(self);
        let (block, done) = (code.special("%ctaid.x"), code.label());
        let mut first = code.copy(0, Width::Word);
        for part in &self.0 {
            let (next, end) = (code.label(), code.number(Width::Word));
            let is_later = code.compare("ge", block, end);
            code.jump_if(is_later, true, next);
            let blocks = [code.sub(block, first), code.sub(end, first)];
            if part.threads() < threads {
                let thread = code.special("%tid.x");
                let is_idle = code.compare("ge", thread, i64::from(part.threads()));
                code.jump_if(is_idle, true, done);
            }
            code.part(blocks, |code| part.write(code));
            code.jump(done);
            code.place(next);
            first = end;
        }
        code.place(done);
    }
}

/// How many of some launches are one: those before the first one that doesn't fit.
fn fitting(launches: &[&Late]) -> usize {
    let (mut threads, mut parameters) = (1, 0);
    let fits = launches.iter().take(MOST).take_while(|late| {
        let own = late.part.threads();
        parameters += late.parameters.len() + 1;
        let fits = own == 1 || threads == 1 || own == threads;
        threads = threads.max(own);
        fits && parameters <= MOST_PARAMETERS
    });
    // A single launch has few parameters.
    fits.count().max(1)
}

impl Kernels {
    /// Queues launches that don't depend on each other, in as few launches as possible.
    ///
    /// # Safety
    /// The buffers whose addresses are parameters live.
    ///
    /// # Errors
    /// If the driver fails.
    pub(super) unsafe fn together(&self, mut launches: Vec<&Late>) -> Result<(), Failed> {
        launches.sort_by_key(|late| late.part.threads());
        let mut rest = &launches[..];
        while !rest.is_empty() {
            let (now, later) = rest.split_at(fitting(rest));
            // SAFETY: the caller keeps the contract.
            unsafe { self.at_once(now) }?;
            rest = later;
        }
        Ok(())
    }

    /// Queues launches that fit into one.
    ///
    /// # Safety
    /// As [`together`](Self::together).
    unsafe fn at_once(&self, launches: &[&Late]) -> Result<(), Failed> {
        if let [late] = launches {
            let launch = Launch {
                blocks: (late.blocks, 1),
                parameters: &late.parameters,
            };
            // SAFETY: these are the kernel and the launch that were kept.
            return unsafe { late.part.kernel(self)?.launch(&launch) };
        }
        let (mut end, mut parameters) = (0, Vec::new());
        for late in launches {
            end += late.blocks;
            parameters.push(u64::from(end));
            parameters.extend(&late.parameters);
        }
        let together = Together(launches.iter().map(|late| late.part.clone()).collect());
        let launch = Launch {
            blocks: (end, 1),
            parameters: &parameters,
        };
        // SAFETY: the parameters are in the order in which `Together::write` reads them: where a part's blocks end, then its own.
        unsafe { self.kernel(&together)?.launch(&launch) }
    }
}

#[cfg(test)]
impl Together {
    /// The kernel of two descriptions.
    pub fn sample(a: impl Description, b: impl Description) -> Together {
        Together(vec![Arc::new(a), Arc::new(b)])
    }
}
