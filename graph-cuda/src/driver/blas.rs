//! cuBLAS, where it is installed: it is opened at run time, as the driver is. `cuBLAS` numbers columns first, so it is asked for the product of the
//! transposed matrices in the other order.

use std::ffi::{CStr, c_int, c_longlong, c_void};
use std::sync::{Mutex, OnceLock, PoisonError};

use graph_kernels::DType;
use libloading::Library;

use super::buffer::Buffer;
use super::error::Failed;
use super::gpu::Gpu;
use crate::precision::allows_tf32;

/// The names under which the library is installed, the newest first.
const NAMES: [&str; 3] = ["libcublas.so.13", "libcublas.so.12", "libcublas.so.11"];
/// What NVIDIA recommends as workspace for its newer GPUs. With a workspace of its own, cuBLAS may be recorded, and gives the same bits each time.
const WORKSPACE: usize = 32 << 20;

type Status = c_int;
type Handle = *mut c_void;
type Create = unsafe extern "C" fn(*mut Handle) -> Status;
type SetStream = unsafe extern "C" fn(Handle, *mut c_void) -> Status;
type SetWorkspace = unsafe extern "C" fn(Handle, *mut c_void, usize) -> Status;
type Multiply = unsafe extern "C" fn(
    Handle,
    c_int,
    c_int,
    c_int,
    c_int,
    c_int,
    *const c_void,
    *const c_void,
    c_int,
    c_int,
    c_longlong,
    *const c_void,
    c_int,
    c_int,
    c_longlong,
    *const c_void,
    *mut c_void,
    c_int,
    c_int,
    c_longlong,
    c_int,
    c_int,
    c_int,
) -> Status;

/// cuBLAS for one GPU.
pub struct Blas {
    /// A handle is used by one thread at a time.
    handle: Mutex<Opened>,
    set_stream: SetStream,
    set_workspace: SetWorkspace,
    multiply: Multiply,
    workspace: Buffer,
}

struct Opened(Handle);

// SAFETY: cuBLAS allows a handle to be used by any thread, by one at a time.
unsafe impl Send for Opened {}

/// One matrix as cuBLAS takes it: its elements lie row by row, or column by column.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    /// The address of the first element.
    pub address: u64,
    /// Whether it lies column by column.
    pub is_transposed: bool,
    /// The step from row to row, or from column to column.
    pub step: u64,
    /// The step from one matrix of a batch to the next.
    pub batch: i64,
}

/// A product for cuBLAS.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// The dtype of the elements.
    pub dtype: DType,
    /// The rows of the result.
    pub rows: usize,
    /// The columns of the result.
    pub columns: usize,
    /// The columns of the left matrix.
    pub depth: usize,
    /// The number of products.
    pub batch: usize,
}

/// cuBLAS's numbers of a dtype and of the type in which it adds.
fn types(dtype: DType) -> Option<(c_int, c_int)> {
    const IN_F32: c_int = 68;
    const IN_F64: c_int = 70;
    const IN_TF32: c_int = 77;
    match dtype {
        DType::F32 if allows_tf32() => Some((0, IN_TF32)),
        DType::F32 => Some((0, IN_F32)),
        DType::F64 => Some((1, IN_F64)),
        DType::F16 => Some((2, IN_F32)),
        DType::BF16 => Some((14, IN_F32)),
        _ => None,
    }
}

/// Whether cuBLAS multiplies elements of a dtype.
pub fn multiplies(dtype: DType) -> bool {
    types(dtype).is_some()
}

impl Blas {
    /// Opens cuBLAS for a GPU.
    ///
    /// # Errors
    /// The reason why it can't be used.
    pub fn open(gpu: &'static Gpu) -> Result<Blas, String> {
        gpu.enter().map_err(|failed| failed.to_string())?;
        // SAFETY: the names and types are those of `cublas_api.h` from CUDA 11 to 13.
        let (create, set_stream, set_workspace, multiply) = unsafe {
            (
                symbol::<Create>(c"cublasCreate_v2")?,
                symbol::<SetStream>(c"cublasSetStream_v2")?,
                symbol::<SetWorkspace>(c"cublasSetWorkspace_v2")?,
                symbol::<Multiply>(c"cublasGemmStridedBatchedEx")?,
            )
        };
        let mut handle = std::ptr::null_mut();
        // SAFETY: the handle is an output, and the GPU's context is current.
        match unsafe { create(&mut handle) } {
            0 => {}
            status => return Err(format!("cublasCreate answers {status}")),
        }
        Ok(Blas {
            handle: Mutex::new(Opened(handle)),
            set_stream,
            set_workspace,
            multiply,
            workspace: Buffer::new(gpu, WORKSPACE).map_err(|failed| failed.to_string())?,
        })
    }

    /// Queues a product; the result lies row by row, one matrix after the other.
    ///
    /// # Safety
    /// The matrices lie in live memory of the GPU, and are of the sizes that are given.
    ///
    /// # Errors
    /// If cuBLAS refuses.
    pub unsafe fn multiply(
        &self,
        sizes: Sizes,
        left: Side,
        right: Side,
        out: u64,
    ) -> Result<(), Failed> {
        let Some((ty, sum)) = types(sizes.dtype) else {
            return Err(Failed::new("cublasGemmStridedBatchedEx", 15));
        };
        let gpu = self.workspace.gpu();
        let open = gpu.enter()?;
        let handle = self.handle.lock().unwrap_or_else(PoisonError::into_inner);
        let stream = open.stream().as_inner().cast();
        let pointer = |address: u64| std::ptr::with_exposed_provenance_mut(address as usize);
        let (one, zero) = (Number::of(1.0, sizes.dtype), Number::of(0.0, sizes.dtype));
        let length = |n: usize| n as c_int;
        // SAFETY: the handle is used by this thread alone, and the caller says that the matrices are there.
        unsafe {
            checked("cublasSetStream", (self.set_stream)(handle.0, stream))?;
            let workspace = pointer(self.workspace.address());
            let set = (self.set_workspace)(handle.0, workspace, WORKSPACE);
            checked("cublasSetWorkspace", set)?;
            let multiplied = (self.multiply)(
                handle.0,
                c_int::from(right.is_transposed),
                c_int::from(left.is_transposed),
                length(sizes.columns),
                length(sizes.rows),
                length(sizes.depth),
                one.pointer(),
                pointer(right.address),
                ty,
                right.step as c_int,
                right.batch,
                pointer(left.address),
                ty,
                left.step as c_int,
                left.batch,
                zero.pointer(),
                pointer(out),
                ty,
                length(sizes.columns),
                (sizes.rows * sizes.columns) as c_longlong,
                length(sizes.batch),
                sum,
                // The default algorithm.
                -1,
            );
            checked("cublasGemmStridedBatchedEx", multiplied)
        }
    }
}

/// A factor, as the type in which cuBLAS adds.
enum Number {
    F32(f32),
    F64(f64),
}

impl Number {
    fn of(value: f64, dtype: DType) -> Number {
        match dtype {
            DType::F64 => Number::F64(value),
            _ => Number::F32(value as f32),
        }
    }

    fn pointer(&self) -> *const c_void {
        match self {
            Number::F32(value) => std::ptr::from_ref(value).cast(),
            Number::F64(value) => std::ptr::from_ref(value).cast(),
        }
    }
}

fn checked(call: &'static str, status: Status) -> Result<(), Failed> {
    match status {
        0 => Ok(()),
        status => Err(Failed::new(call, status as u32)),
    }
}

/// The library, which is opened once.
fn library() -> Result<&'static Library, String> {
    static LIBRARY: OnceLock<Result<Library, String>> = OnceLock::new();
    let opened = LIBRARY.get_or_init(|| {
        let mut reason = String::new();
        for name in NAMES {
            // SAFETY: the initializers that run are those of NVIDIA's library.
            match unsafe { Library::new(name) } {
                Ok(library) => return Ok(library),
                Err(error) => reason = error.to_string(),
            }
        }
        Err(reason)
    });
    opened.as_ref().map_err(String::clone)
}

/// A function of the library. An emulated driver may have one that stands in for it.
///
/// # Safety
/// The function has this type.
unsafe fn symbol<T: Copy>(name: &CStr) -> Result<T, String> {
    if !graph_cuda_shim::is_library() {
        let found = graph_cuda_shim::symbol(name).ok_or("the driver is emulated")?;
        // SAFETY: a function is a pointer, and the caller says that it has this type.
        return Ok(unsafe { std::mem::transmute_copy(&found) });
    }
    // SAFETY: the caller says so.
    let found = unsafe { library()?.get::<T>(name.to_bytes_with_nul()) };
    found
        .map(|function| *function)
        .map_err(|error| error.to_string())
}
