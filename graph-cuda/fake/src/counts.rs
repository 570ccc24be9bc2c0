//! What programs ask of the driver, counted.

/// Counters since the start of the process, or since they were set to zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Kernels that ran, those in graphs included.
    pub launches: u64,
    /// Products of the library that stands in for cuBLAS.
    pub products: u64,
    /// Instructions of all threads.
    pub instructions: u64,
    /// Bytes that kernels read from global memory.
    pub bytes_read: u64,
    /// Bytes that kernels wrote to global memory.
    pub bytes_written: u64,
    /// Copies from the host to a device.
    pub uploads: u64,
    /// Their bytes.
    pub upload_bytes: u64,
    /// Those that streams were asked for, of page-locked memory.
    pub pinned_uploads: u64,
    /// Those of them that were asked for in a stream without kernels.
    pub separate_uploads: u64,
    /// Those of them that were asked for while another stream had work to do that they don't wait for. Only [deferred](crate::control::defer_work) work
    /// is left to do.
    pub early_uploads: u64,
    /// Launches between such a copy and the moment when their stream is told to wait for it: they needn't wait.
    pub overtaking_launches: u64,
    /// Copies from a device to the host.
    pub downloads: u64,
    /// Their bytes.
    pub download_bytes: u64,
    /// Copies within device memory.
    pub device_copies: u64,
    /// Their bytes.
    pub device_copy_bytes: u64,
    /// Fills of device memory.
    pub fills: u64,
    /// Calls that wait for a device: of a stream, an event or a context, and copies without a stream.
    pub synchronizations: u64,
    /// Allocations of device memory.
    pub allocations: u64,
    /// Allocations of device memory that aren't freed.
    pub live_allocations: u64,
    /// Their bytes.
    pub live_bytes: u64,
    /// The highest number of bytes that were live at once.
    pub peak_bytes: u64,
    /// Launches of graphs.
    pub graph_launches: u64,
    /// Modules loaded.
    pub modules: u64,
    /// Bodies of conditional nodes that ran.
    pub conditional_rounds: u64,
}
