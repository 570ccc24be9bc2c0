//! A small host program around the emulated driver: each method calls driver functions by their names and panics if one fails.
#![allow(dead_code, missing_docs)]

use graph_cuda_fake::{last_error, symbol};
use std::ffi::{CStr, CString, c_int, c_void};
use std::ptr::null_mut;

pub type Handle = *mut c_void;

/// Calls a function of the driver; its code.
#[macro_export]
macro_rules! call {
    ($name:ident($($value:expr => $t:ty),* $(,)?)) => {{
        let name = std::ffi::CString::new(stringify!($name)).unwrap();
        let at = graph_cuda_fake::symbol(&name).unwrap_or_else(|| panic!("no symbol {}", stringify!($name)));
        // SAFETY: the types are those of the function of this name.
        let f: unsafe extern "C" fn($($t),*) -> u32 = unsafe { std::mem::transmute(at) };
        #[allow(unused_unsafe, clippy::macro_metavars_in_unsafe)]
        // SAFETY: the arguments are valid for the call.
        unsafe { f($($value),*) }
    }};
}

/// Calls a function of the driver, which must succeed.
#[macro_export]
macro_rules! ok {
    ($name:ident($($rest:tt)*)) => {{
        let code = $crate::call!($name($($rest)*));
        assert_eq!(code, 0, "{}: {}", stringify!($name), graph_cuda_fake::last_error());
    }};
}

/// Whether the driver has a function.
pub fn has(name: &str) -> bool {
    symbol(&CString::new(name).unwrap()).is_some()
}

/// Makes the context of device 0 current in this thread.
pub fn open() {
    ok!(cuInit(0 => u32));
    let mut context: Handle = null_mut();
    ok!(cuDevicePrimaryCtxRetain(&mut context => *mut Handle, 0 => c_int));
    ok!(cuCtxSetCurrent(context => Handle));
}

/// Loads a text, or tells the code and the message. The message comes from the log of this very call: `last_error` belongs to the whole process, where
/// tests run side by side.
pub fn try_load(ptx: &str) -> Result<Handle, (u32, String)> {
    const ERROR_LOG: u32 = 5;
    const ERROR_LOG_BYTES: u32 = 6;
    let text = CString::new(ptx).unwrap();
    let mut module = null_mut();
    let mut log = vec![0u8; 4096];
    let options = [ERROR_LOG, ERROR_LOG_BYTES];
    let values: [Handle; 2] = [log.as_mut_ptr().cast(), log.len() as Handle];
    let code = call!(cuModuleLoadDataEx(
        &mut module => *mut Handle, text.as_ptr() => *const i8,
        options.len() as u32 => u32, options.as_ptr() => *const u32, values.as_ptr() => *const Handle,
    ));
    if code == 0 {
        return Ok(module);
    }
    let message = CStr::from_bytes_until_nul(&log).expect("the driver ends the log with a zero");
    Err((code, message.to_string_lossy().into_owned()))
}

pub fn load(ptx: &str) -> Handle {
    try_load(ptx).unwrap_or_else(|(code, message)| panic!("code {code}: {message}"))
}

pub fn function(module: Handle, name: &str) -> Handle {
    let name = CString::new(name).unwrap();
    let mut f = null_mut();
    ok!(cuModuleGetFunction(&mut f => *mut Handle, module => Handle, name.as_ptr() => *const i8));
    f
}

pub fn alloc(bytes: usize) -> u64 {
    let mut at = 0;
    ok!(cuMemAlloc_v2(&mut at => *mut u64, bytes => usize));
    at
}

pub fn free(at: u64) {
    ok!(cuMemFree_v2(at => u64));
}

pub fn upload<T: Copy>(values: &[T]) -> u64 {
    let at = alloc(size_of_val(values));
    ok!(cuMemcpyHtoD_v2(at => u64, values.as_ptr().cast() => *const c_void, size_of_val(values) => usize));
    at
}

pub fn download<T: Copy + Default>(at: u64, count: usize) -> Vec<T> {
    let mut values = vec![T::default(); count];
    ok!(cuMemcpyDtoH_v2(values.as_mut_ptr().cast() => *mut c_void, at => u64, count * size_of::<T>() => usize));
    values
}

/// An argument of a kernel.
#[derive(Clone, Copy)]
pub enum Arg {
    U32(u32),
    U64(u64),
    F32(f32),
    F64(f64),
}

/// Launches a kernel on a stream; the code of the launch.
pub fn try_launch(
    f: Handle,
    grid: [u32; 3],
    block: [u32; 3],
    shared: u32,
    stream: Handle,
    args: &[Arg],
) -> u32 {
    let mut words: Vec<u64> = args
        .iter()
        .map(|a| match *a {
            Arg::U32(v) => u64::from(v),
            Arg::U64(v) => v,
            Arg::F32(v) => u64::from(v.to_bits()),
            Arg::F64(v) => v.to_bits(),
        })
        .collect();
    let mut pointers: Vec<Handle> = words
        .iter_mut()
        .map(|w| std::ptr::from_mut(w).cast())
        .collect();
    call!(cuLaunchKernel(
        f => Handle, grid[0] => u32, grid[1] => u32, grid[2] => u32, block[0] => u32, block[1] => u32, block[2] => u32,
        shared => u32, stream => Handle, pointers.as_mut_ptr() => *mut Handle, null_mut() => *mut Handle,
    ))
}

/// Launches a kernel with grids and blocks of one axis and waits; the code of the fault, if there is one.
pub fn run(f: Handle, grid: u32, block: u32, args: &[Arg]) -> u32 {
    let launched = try_launch(f, [grid, 1, 1], [block, 1, 1], 0, null_mut(), args);
    assert_eq!(launched, 0, "{}", last_error());
    call!(cuStreamSynchronize(null_mut() => Handle))
}

pub fn stream() -> Handle {
    let mut s = null_mut();
    ok!(cuStreamCreate(&mut s => *mut Handle, 1 => u32));
    s
}

/// The header of texts that tests write.
pub const HEADER: &str = ".version 8.6\n.target sm_90\n.address_size 64\n";

/// A kernel `k` with the parameters `out` and `in`, whose addresses are in `%out` and `%in`, and the thread's number in `%i`.
pub fn kernel(declared: &str, body: &str) -> String {
    format!(
        "{HEADER}{declared}
.visible .entry k(.param .u64 p_out, .param .u64 p_in) {{
  .reg .b64 %out, %in; .reg .b32 %i; .reg .b32 %r<10>; .reg .b64 %rd<10>; .reg .f32 %f<10>; .reg .f64 %fd<10>; .reg .pred %p<10>; .reg .b16 %h<10>;
  ld.param.u64 %out, [p_out]; ld.param.u64 %in, [p_in]; mov.u32 %i, %tid.x;
  {body}
  ret;
}}
"
    )
}
