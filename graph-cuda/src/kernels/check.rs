//! Assertions: a kernel that reports a fault unless a truth value holds.

use graph_kernels::DType;

use super::{Description, Kernels};
use crate::driver::{Buffer, Failed, Fault, Launch};
use crate::ptx::{Code, Width};

/// A kernel that reads a truth value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Check;

impl Description for Check {
    fn threads(&self) -> u32 {
        1
    }

    fn write(&self, code: &mut Code) {
        code.fault_parameter();
        let at = code.address();
        let holds = code.load_at("global", DType::Bool, at);
        let fails = code.op(Width::Predicate, "not.pred", &[holds.into()]);
        code.fail_if(fails);
    }
}

impl Kernels {
    /// Reports a fault unless the truth value in a buffer holds.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn assert(&self, condition: &Buffer) -> Result<(), Failed> {
        let fault = Fault::of_thread(self.gpu())?.parameter();
        let launch = Launch {
            blocks: (1, 1),
            parameters: &[fault, condition.address()],
        };
        // SAFETY: the parameters are in the order in which `Check::write` reads them, and a truth value is a byte.
        unsafe { self.launch(&Check, &launch) }
    }
}
