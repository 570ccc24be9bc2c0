//! Finding devices: the GPUs of the machine, and devices by the names that `GRAPH_DEVICE` takes.

use graph_ir::device::Device;

use super::cuda;
use crate::error::{Error, Location, Result};

/// How programs get devices other than [`Device::cpu`]. The [prelude](crate::prelude) has this trait. It is the same with and without the feature
/// `cuda`: without it, there are no GPUs, and errors name the feature.
///
/// ```
/// use graph_runtime::device::Device;
/// use graph_runtime::prelude::*;
///
/// for device in Device::all() {
///     println!("{device}: {}", device.description()); // cuda:0: NVIDIA H200, 139.8 GiB, compute capability 9.0
/// }
/// match Device::cuda(0) {
///     Ok(gpu) => println!("{}", tensor([1.0, 2.0]).to(gpu)),
///     Err(error) => println!("no GPU: {}", error.message()),
/// }
/// ```
pub trait OpenDevice {
    /// Opens an NVIDIA GPU; 0 is the first one. A GPU that is open already is returned at once.
    ///
    /// # Errors
    /// If the GPU can't be opened: the message says whether the program is built without GPUs, or there is no driver, or no such GPU.
    fn cuda(number: u32) -> Result<Device>;

    /// All devices of this machine: the CPU, and then the GPUs in the driver's order. A GPU is opened when it is first used, so listing them takes none
    /// of their memory. One that the driver doesn't describe is left out, with a line in the log.
    fn all() -> Vec<Device>;

    /// The device of a name: `cpu`, `cuda` (the first GPU), `cuda:1`, or `auto`, which is the first GPU if it can be opened, and else the CPU;
    /// a line in the log says which, and why. These are the values of the environment variable `GRAPH_DEVICE`.
    ///
    /// # Errors
    /// If the GPU can't be opened, or for any other name.
    ///
    /// ```
    /// use graph_runtime::device::Device;
    /// use graph_runtime::prelude::*;
    ///
    /// assert_eq!(Device::named("cpu")?, Device::cpu());
    /// let error = Device::named("gpu").unwrap_err();
    /// assert_eq!(error.message(), "there is no device `gpu`: the names are `auto`, `cpu`, `cuda`, and `cuda:1` for the second GPU");
    /// # Ok::<(), graph_runtime::Error>(())
    /// ```
    fn named(name: &str) -> Result<Device>;
}

impl OpenDevice for Device {
    #[track_caller]
    fn cuda(number: u32) -> Result<Device> {
        let at = Location::caller();
        cuda::open(number).map_err(|reason| Error::run(reason, at))
    }

    fn all() -> Vec<Device> {
        let gpus = (0..cuda::count().unwrap_or(0)).filter_map(|number| {
            let found = cuda::find(number);
            found
                .inspect_err(|reason| log::warn!("the GPU {number} can't be listed: {reason}"))
                .ok()
        });
        [Device::cpu()].into_iter().chain(gpus).collect()
    }

    #[track_caller]
    fn named(name: &str) -> Result<Device> {
        let at = Location::caller();
        named(name).map_err(|reason| Error::run(reason, at))
    }
}

/// See [`OpenDevice::named`].
///
/// # Errors
/// The reason why there is no such device.
pub(super) fn named(name: &str) -> Result<Device, String> {
    match name {
        "auto" => Ok(first_gpu_or_cpu()),
        "cpu" => Ok(Device::cpu()),
        "cuda" => cuda::open(0),
        _ => match name.strip_prefix("cuda:").map(str::parse) {
            Some(Ok(number)) => cuda::open(number),
            _ => Err(format!(
                "there is no device `{name}`: the names are `auto`, `cpu`, `cuda`, and `cuda:1` for the second GPU"
            )),
        },
    }
}

fn first_gpu_or_cpu() -> Device {
    match cuda::open(0) {
        Ok(gpu) => {
            log::info!("the device `auto` is {gpu}: {}", gpu.description());
            gpu
        }
        Err(reason) => {
            log::info!("the device `auto` is the CPU: {reason}");
            Device::cpu()
        }
    }
}
