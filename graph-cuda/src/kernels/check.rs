//! Assertions: a kernel that reports a fault unless a truth value holds, and one that always reports a fault.

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

/// A kernel that reports a fault: a branch that only the GPU chooses ends in an error.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fail;

impl Description for Fail {
    fn threads(&self) -> u32 {
        1
    }

    fn write(&self, code: &mut Code) {
        code.fault_parameter();
        let one = code.copy(1, Width::Word);
        let fails = code.compare("ne", one, 0);
        code.fail_if(fails);
    }
}

impl Kernels {
    /// Reports a fault.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn fail(&self) -> Result<(), Failed> {
        let fault = Fault::of_thread(self.gpu())?.parameter();
        let launch = Launch {
            blocks: (1, 1),
            parameters: &[fault],
        };
        // SAFETY: the only parameter is that which `Fail::write` reads.
        unsafe { self.launch(&Fail, &launch) }
    }

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
