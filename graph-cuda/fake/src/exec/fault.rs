//! What a kernel does wrong, with the code that the driver gives it.

/// `CUDA_ERROR_ILLEGAL_ADDRESS`
pub(crate) const ILLEGAL_ADDRESS: u32 = 700;
/// `CUDA_ERROR_LAUNCH_TIMEOUT`
pub(crate) const TIMEOUT: u32 = 702;
/// `CUDA_ERROR_MISALIGNED_ADDRESS`
pub(crate) const MISALIGNED: u32 = 716;
/// `CUDA_ERROR_LAUNCH_FAILED`
pub(crate) const LAUNCH_FAILED: u32 = 719;

/// An error in a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub code: u32,
    pub message: String,
}

impl Fault {
    #[cold]
    pub(crate) fn illegal(at: u64, bytes: usize, why: &str) -> Self {
        Self {
            code: ILLEGAL_ADDRESS,
            message: format!("illegal address {at:#x} for {bytes} bytes: {why}"),
        }
    }

    #[cold]
    pub(crate) fn misaligned(at: u64, bytes: usize) -> Self {
        Self {
            code: MISALIGNED,
            message: format!("misaligned address {at:#x} for {bytes} bytes"),
        }
    }

    #[cold]
    pub(crate) fn timeout(executed: u64) -> Self {
        Self {
            code: TIMEOUT,
            message: format!("the thread has executed {executed} instructions without an end"),
        }
    }

    #[cold]
    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self {
            code: LAUNCH_FAILED,
            message: message.into(),
        }
    }

    /// The same with the place where it happened before it.
    #[cold]
    pub(crate) fn at(self, place: &str) -> Self {
        Self {
            message: format!("{place}: {}", self.message),
            ..self
        }
    }
}
