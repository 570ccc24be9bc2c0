//! Faults: a kernel that finds a wrong operand, such as a divisor of 0, sets a word of the host's memory. Each thread has a word of its own, so that it
//! learns of the faults of its own kernels only.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use super::arena;
use super::error::Failed;
use super::gpu::Gpu;
use super::host_word::HostWord;

thread_local! {
    static WORDS: RefCell<Vec<Fault>> = const { RefCell::new(Vec::new()) };
}

/// The word in which the kernels of a thread report faults on one GPU.
#[derive(Clone)]
pub struct Fault(Rc<Word>);

struct Word {
    word: Arc<HostWord>,
    /// Whether a kernel was launched that may set the word.
    may_be_set: Cell<bool>,
    /// How many of them were launched.
    launches: Cell<u64>,
}

impl Fault {
    /// A word of its own, for a program that is recorded.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn new(gpu: &'static Gpu) -> Result<Fault, Failed> {
        Ok(Fault(Rc::new(Word {
            word: Arc::new(HostWord::new(gpu)?),
            may_be_set: Cell::new(false),
            launches: Cell::new(0),
        })))
    }

    /// The word itself.
    pub fn word(&self) -> &Arc<HostWord> {
        &self.0.word
    }

    /// The word of this thread, or of the program that it records.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn of_thread(gpu: &'static Gpu) -> Result<Fault, Failed> {
        if let Some(recording) = arena::current() {
            return Ok(recording.fault);
        }
        WORDS.with_borrow_mut(|words| {
            let known = words
                .iter()
                .find(|fault| std::ptr::eq(fault.0.word.gpu(), gpu));
            if let Some(fault) = known {
                return Ok(fault.clone());
            }
            let fault = Fault::new(gpu)?;
            words.push(fault.clone());
            Ok(fault)
        })
    }

    /// The parameter of a kernel that may set the word.
    pub fn parameter(&self) -> u64 {
        self.0.may_be_set.set(true);
        self.0.launches.set(self.0.launches.get() + 1);
        self.0.word.address()
    }

    /// Reports a fault that the host finds.
    pub fn set(&self) {
        self.0.may_be_set.set(true);
        self.0.word.set();
    }

    /// The address of the word, if a kernel was launched that may set it.
    pub fn address(&self) -> Option<u64> {
        (self.launches() > 0).then(|| self.0.word.address())
    }

    /// How many kernels that may set the word were launched.
    pub fn launches(&self) -> u64 {
        self.0.launches.get()
    }

    /// Whether a kernel has set the word since the last look; it waits for the kernels.
    ///
    /// # Errors
    /// If the GPU doesn't answer.
    pub fn take(&self) -> Result<bool, Failed> {
        match self.0.may_be_set.replace(false) {
            true => take_word(&self.0.word),
            false => Ok(false),
        }
    }
}

/// Whether a word is set, which is then cleared; it waits for the kernels.
///
/// # Errors
/// If the GPU doesn't answer.
pub fn take_word(word: &HostWord) -> Result<bool, Failed> {
    word.gpu().wait()?;
    let is_set = word.is_set();
    if is_set {
        word.clear();
    }
    Ok(is_set)
}
