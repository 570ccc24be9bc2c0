//! What the driver answers, as errors: the call that failed, and the driver's number.

use std::error::Error;
use std::fmt;

use cust::error::CudaError;
use cust::sys;
use graph_cuda_shim::NoDriver;

/// Why no GPU can be used.
#[derive(Clone, Debug)]
pub enum Unavailable {
    /// There is no driver.
    NoDriver(NoDriver),
    /// The driver sees no GPU.
    NoDevice,
    /// There are fewer GPUs.
    NoSuchDevice {
        /// The GPU that was asked for.
        number: u32,
        /// How many there are.
        count: u32,
    },
    /// A call of the driver failed.
    Failed(Failed),
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unavailable::NoDriver(reason) => reason.fmt(f),
            Unavailable::NoDevice => f.write_str("the CUDA driver sees no GPU"),
            Unavailable::NoSuchDevice { number, count } => {
                write!(f, "there is no GPU {number}: the CUDA driver sees {count}")
            }
            Unavailable::Failed(failed) => failed.fmt(f),
        }
    }
}

impl Error for Unavailable {}

impl From<Failed> for Unavailable {
    fn from(failed: Failed) -> Unavailable {
        Unavailable::Failed(failed)
    }
}

/// A call of the driver that failed.
#[derive(Clone, Debug)]
pub struct Failed {
    call: &'static str,
    code: u32,
    /// What the driver's compiler says about a kernel.
    log: String,
}

impl Failed {
    /// A call that answers a code.
    pub fn new(call: &'static str, code: u32) -> Failed {
        Failed {
            call,
            code,
            log: String::new(),
        }
    }

    /// With what the driver's compiler says.
    pub fn with_log(mut self, log: String) -> Failed {
        self.log = log;
        self
    }

    /// Whether the GPU has too little memory.
    pub fn is_out_of_memory(&self) -> bool {
        self.code == sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY as u32
    }

    /// The driver's own name of the error.
    fn name(&self) -> &'static str {
        match self.code {
            2 => "out of memory",
            218 => "invalid PTX",
            700 => "illegal address",
            702 => "launch timeout",
            716 => "misaligned address",
            719 => "launch failure",
            _ => "error",
        }
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (call, code) = (self.call, self.code);
        write!(f, "CUDA: {} ({call} answers {code})", self.name())?;
        if self.log.is_empty() {
            return Ok(());
        }
        write!(f, "\n{}", self.log)
    }
}

impl Error for Failed {}

impl From<Failed> for graph_ir::error::Error {
    fn from(failed: Failed) -> graph_ir::error::Error {
        graph_ir::error::Error::run(failed.to_string(), graph_ir::error::Location::unknown())
    }
}

/// Turns the answer of a raw call into a result.
pub fn check(call: &'static str, code: sys::CUresult) -> Result<(), Failed> {
    match code as u32 {
        0 => Ok(()),
        // The shim reports codes that `cust` doesn't know as 999, and remembers them.
        999 => Err(Failed::new(
            call,
            graph_cuda_shim::last_unlisted().unwrap_or(999),
        )),
        code => Err(Failed::new(call, code)),
    }
}

/// Names the call in the result of a function of `cust`.
pub trait Call<T> {
    fn call(self, call: &'static str) -> Result<T, Failed>;
}

impl<T> Call<T> for Result<T, CudaError> {
    fn call(self, call: &'static str) -> Result<T, Failed> {
        self.map_err(|error| {
            let code = match error {
                CudaError::UnknownError => graph_cuda_shim::last_unlisted(),
                _ => None,
            };
            Failed::new(call, code.unwrap_or(error as u32))
        })
    }
}
