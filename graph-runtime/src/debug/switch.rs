//! Debugging switches: on or off for all threads, for one thread, or within a scope.

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU8, Ordering};

use super::transfers;

/// A setting that is on or off for all threads, for this thread, or until a scope ends. A thread's own setting takes precedence
/// over the one for all threads.
///
/// ```
/// use graph_runtime::debug;
///
/// {
///     let _scope = debug::EAGER.scope(true);
///     assert!(debug::EAGER.is_on());
///     std::thread::spawn(|| assert!(!debug::EAGER.is_on())).join().unwrap();
/// }
/// assert!(!debug::EAGER.is_on());
/// ```
#[derive(Debug)]
pub struct Switch {
    bit: u8,
}

/// The switches that are on for all threads, one bit each.
static EVERYWHERE: AtomicU8 = AtomicU8::new(0);

/// The settings of one thread.
#[derive(Clone, Copy)]
struct Here {
    /// The switches that the thread has set.
    set: u8,
    /// Those among them that are on.
    on: u8,
}

thread_local! {
    static HERE: Cell<Here> = const { Cell::new(Here { set: 0, on: 0 }) };
}

/// All switches that are on for this thread, one bit each; a call reads them at once.
fn on() -> u8 {
    let here = HERE.get();
    EVERYWHERE.load(Ordering::Relaxed) & !here.set | here.on
}

/// True if one of these switches is on for this thread.
pub(crate) fn any_is_on<const N: usize>(switches: [&Switch; N]) -> bool {
    let bits = switches.iter().fold(0, |bits, switch| bits | switch.bit);
    on() & bits != 0
}

impl Switch {
    pub(super) const fn new(number: u8) -> Switch {
        Switch { bit: 1 << number }
    }

    /// Whether the switch is on for this thread.
    pub fn is_on(&self) -> bool {
        on() & self.bit != 0
    }

    /// Sets the switch for all threads that have no setting of their own.
    pub fn set(&self, on: bool) {
        transfers::watch();
        if on {
            EVERYWHERE.fetch_or(self.bit, Ordering::Relaxed);
        } else {
            EVERYWHERE.fetch_and(!self.bit, Ordering::Relaxed);
        }
    }

    /// Sets the switch for this thread; with `None` the thread follows the setting for all threads again.
    pub fn set_in_thread(&self, on: Option<bool>) {
        transfers::watch();
        let mut here = HERE.get();
        here.set &= !self.bit;
        here.on &= !self.bit;
        if let Some(on) = on {
            here.set |= self.bit;
            here.on |= if on { self.bit } else { 0 };
        }
        HERE.set(here);
    }

    /// Sets the switch for this thread until the scope is dropped, also by a panic.
    pub fn scope(&'static self, on: bool) -> Scope {
        let here = HERE.get();
        let before = (here.set & self.bit != 0).then_some(here.on & self.bit != 0);
        self.set_in_thread(Some(on));
        self.scope_back_to(Before::Here(before))
    }

    /// Sets the switch for all threads until the scope is dropped, also by a panic.
    pub fn scope_everywhere(&'static self, on: bool) -> Scope {
        let before = EVERYWHERE.load(Ordering::Relaxed) & self.bit != 0;
        self.set(on);
        self.scope_back_to(Before::Everywhere(before))
    }

    fn scope_back_to(&'static self, before: Before) -> Scope {
        Scope {
            switch: self,
            before,
            thread: PhantomData,
        }
    }
}

/// Resets a [`Switch`] when dropped.
#[derive(Debug)]
#[must_use = "the switch is set back when the scope is dropped: `let _scope = …;`"]
pub struct Scope {
    switch: &'static Switch,
    before: Before,
    /// A scope ends in the thread that began it.
    thread: PhantomData<*const ()>,
}

#[derive(Clone, Copy, Debug)]
enum Before {
    Here(Option<bool>),
    Everywhere(bool),
}

impl Drop for Scope {
    fn drop(&mut self) {
        match self.before {
            Before::Here(before) => self.switch.set_in_thread(before),
            Before::Everywhere(before) => self.switch.set(before),
        }
    }
}
