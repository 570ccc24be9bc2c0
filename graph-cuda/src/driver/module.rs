//! Kernels: loaded from text, and launched.

use std::ffi::{CString, c_void};

use cust::function::Function;
use cust::module::Module;
use cust::sys;
use smallvec::SmallVec;

use super::error::{Call, Failed, check};
use super::gpu::Gpu;

/// A kernel that is loaded on a GPU. Kernels are kept until the process ends.
pub struct Kernel {
    gpu: &'static Gpu,
    function: Function<'static>,
    threads: u32,
}

// SAFETY: the driver's handles may be used from any thread in which their context is current; `launch` makes it current.
unsafe impl Send for Kernel {}
// SAFETY: as above; a launch changes nothing of the kernel.
unsafe impl Sync for Kernel {}

/// How many blocks a launch has, on two axes, and its parameters.
pub struct Launch<'a> {
    /// The numbers of blocks.
    pub blocks: (u32, u32),
    /// The parameters, in order.
    pub parameters: &'a [u64],
}

impl Kernel {
    /// Compiles the text of a kernel for the GPU.
    ///
    /// # Errors
    /// If the driver's compiler refuses it, with what it says.
    pub fn load(gpu: &'static Gpu, text: &str, name: &str, threads: u32) -> Result<Kernel, Failed> {
        gpu.enter()?;
        let module = Module::from_ptx(text, &[])
            .call("cuModuleLoadDataEx")
            .map_err(|failed| failed.with_log(compiler_log(text)))?;
        let module: &'static Module = Box::leak(Box::new(module));
        let function = module.get_function(name).call("cuModuleGetFunction")?;
        Ok(Kernel {
            gpu,
            function,
            threads,
        })
    }

    /// Queues a launch.
    ///
    /// # Safety
    /// The parameters are those that the kernel declares: addresses of live buffers that are as large as the kernel takes them to be.
    ///
    /// # Errors
    /// If the driver refuses.
    pub unsafe fn launch(&self, launch: &Launch<'_>) -> Result<(), Failed> {
        let (x, y) = launch.blocks;
        if x == 0 || y == 0 {
            return Ok(());
        }
        let open = self.gpu.enter()?;
        let parameters: SmallVec<[*mut c_void; 32]> = launch
            .parameters
            .iter()
            .map(|value| std::ptr::from_ref(value).cast_mut().cast())
            .collect();
        // SAFETY: the driver reads the parameters during the call, and doesn't write them; the caller says that they fit.
        let launched = unsafe {
            open.stream().launch(
                &self.function,
                (x, y, 1),
                (self.threads, 1, 1),
                0,
                &parameters,
            )
        };
        launched.call("cuLaunchKernel")
    }
}

/// What the driver's compiler says about a text that it refuses: the text is loaded again, because `cust` takes no buffer for it.
fn compiler_log(text: &str) -> String {
    let mut log = vec![0u8; 8192];
    let Ok(source) = CString::new(text) else {
        return "the text contains a zero".to_owned();
    };
    let mut options = [
        sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
        sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
    ];
    let mut values = [
        log.as_mut_ptr().cast::<c_void>(),
        std::ptr::without_provenance_mut(log.len()),
    ];
    let mut module = std::ptr::null_mut();
    // SAFETY: there are as many values as options, and the buffer lives longer than the call.
    let code = unsafe {
        sys::cuModuleLoadDataEx(
            &mut module,
            source.as_ptr().cast(),
            2,
            options.as_mut_ptr(),
            values.as_mut_ptr(),
        )
    };
    if check("cuModuleLoadDataEx", code).is_ok() {
        // SAFETY: the module was just loaded, and nobody uses it.
        let _ = unsafe { sys::cuModuleUnload(module) };
    }
    let end = log.iter().position(|byte| *byte == 0).unwrap_or(log.len());
    String::from_utf8_lossy(&log[..end]).into_owned()
}
