//! The driver's result codes, and their names.

/// A `CUresult` other than success.
pub(crate) type Code = u32;

macro_rules! codes {
    ($($name:ident = $number:literal, $text:literal;)*) => {
        $(#[allow(dead_code)] // Some are only described.
        pub(crate) const $name: Code = $number;)*

        /// The name and the meaning of a code, as C texts.
        pub(crate) fn described(code: Code) -> Option<(&'static std::ffi::CStr, &'static std::ffi::CStr)> {
            let both = match code {
                0 => (concat!("CUDA_SUCCESS", "\0"), "no error\0"),
                $($number => (concat!("CUDA_ERROR_", stringify!($name), "\0"), concat!($text, "\0")),)*
                _ => return None,
            };
            let text = |s: &'static str| std::ffi::CStr::from_bytes_with_nul(s.as_bytes()).ok();
            Some((text(both.0)?, text(both.1)?))
        }
    };
}

codes! {
    INVALID_VALUE = 1, "invalid argument";
    OUT_OF_MEMORY = 2, "out of memory";
    NO_DEVICE = 100, "no CUDA-capable device is detected";
    INVALID_DEVICE = 101, "invalid device ordinal";
    INVALID_CONTEXT = 201, "invalid device context";
    NO_BINARY_FOR_GPU = 209, "no kernel image is available for execution on the device";
    INVALID_PTX = 218, "a PTX JIT compilation failed";
    UNSUPPORTED_PTX_VERSION = 222, "the provided PTX was compiled with an unsupported toolchain.";
    INVALID_HANDLE = 400, "invalid resource handle";
    NOT_FOUND = 500, "named symbol not found";
    NOT_READY = 600, "device not ready";
    ILLEGAL_ADDRESS = 700, "an illegal memory access was encountered";
    LAUNCH_OUT_OF_RESOURCES = 701, "too many resources requested for launch";
    LAUNCH_TIMEOUT = 702, "the launch timed out and was terminated";
    MISALIGNED_ADDRESS = 716, "misaligned address";
    LAUNCH_FAILED = 719, "unspecified launch failure";
    NOT_SUPPORTED = 801, "operation not supported";
    STREAM_CAPTURE_UNSUPPORTED = 900, "operation not permitted when stream is capturing";
    STREAM_CAPTURE_INVALIDATED = 901, "operation failed due to a previous error during capture";
    STREAM_CAPTURE_UNMATCHED = 903, "capture was not initiated in this stream";
    STREAM_CAPTURE_IMPLICIT = 906, "operation would make the legacy stream depend on a capturing blocking stream";
    CAPTURED_EVENT = 907, "operation not permitted on an event last recorded in a capturing stream";
    STREAM_CAPTURE_WRONG_THREAD = 908, "attempt to terminate a thread-local capture sequence from another thread";
    UNKNOWN = 999, "unknown error";
}
