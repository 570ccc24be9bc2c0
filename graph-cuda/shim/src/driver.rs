//! Where the driver's functions come from: the driver's library, which is opened once, or a table of functions that a test gives.

use std::error::Error;
use std::ffi::{CStr, c_void};
use std::fmt;
use std::sync::OnceLock;

use libloading::Library;

use crate::forward::{self, Functions};

/// The environment variable that names another library than `libcuda.so.1`.
pub const LIBRARY: &str = "GRAPH_CUDA_LIBRARY";

/// The loader's own search comes first, then the folders where containers put the driver without telling the loader.
const PLACES: [&str; 4] = [
    "libcuda.so.1",
    "/usr/local/nvidia/lib64/libcuda.so.1",
    "/usr/local/nvidia/lib/libcuda.so.1",
    "/usr/lib/wsl/lib/libcuda.so.1",
];

/// Finds a function of the driver by its name in C.
type Table = fn(&CStr) -> Option<*mut c_void>;

enum Source {
    Library(Library),
    Table(Table),
}

static SOURCE: OnceLock<Result<Source, NoDriver>> = OnceLock::new();

/// Why no driver could be opened.
#[derive(Clone, Debug)]
pub struct NoDriver {
    /// The library that was to be opened.
    pub library: String,
    /// What the loader says.
    pub reason: String,
}

impl fmt::Display for NoDriver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no CUDA driver ({})", self.reason)
    }
}

impl Error for NoDriver {}

/// Opens the driver's library and finds its functions. Later calls return the first answer.
///
/// # Errors
/// If there is no such library.
pub fn load() -> Result<(), NoDriver> {
    let source = SOURCE.get_or_init(|| open().map(|library| found(Source::Library(library))));
    source.as_ref().map(|_| ()).map_err(NoDriver::clone)
}

/// Takes the functions from a table, for tests with an emulated driver. Returns false if a driver was loaded before.
pub fn use_functions(table: Table) -> bool {
    SOURCE.set(Ok(found(Source::Table(table)))).is_ok()
}

/// A function of the driver by name, for those that are newer than `cust_raw`'s declarations.
pub fn symbol(name: &CStr) -> Option<*mut c_void> {
    SOURCE.get()?.as_ref().ok()?.symbol(name)
}

/// The declared functions that the driver doesn't have.
pub fn missing() -> Vec<&'static str> {
    forward::FUNCTIONS.missing()
}

/// Whether the driver's functions come from its library, and not from a table.
pub fn is_library() -> bool {
    matches!(SOURCE.get(), Some(Ok(Source::Library(_))))
}

impl Source {
    fn symbol(&self, name: &CStr) -> Option<*mut c_void> {
        match self {
            Source::Table(table) => table(name),
            Source::Library(library) => {
                // SAFETY: only the address is taken; whoever calls the function gives it its type.
                let symbol = unsafe { library.get::<*mut c_void>(name.to_bytes_with_nul()) };
                symbol.ok().map(|symbol| *symbol).filter(|p| !p.is_null())
            }
        }
    }
}

/// Fills the forwarders' slots from a source.
fn found(source: Source) -> Source {
    let functions: &Functions = &forward::FUNCTIONS;
    functions.fill(|name| source.symbol(name));
    source
}

fn open() -> Result<Library, NoDriver> {
    let named = std::env::var(LIBRARY).ok();
    let places = match &named {
        Some(name) => vec![name.as_str()],
        None => PLACES.to_vec(),
    };
    let mut first = None;
    for library in places {
        // SAFETY: the initializers that run are those of the driver; each CUDA program runs them when it starts.
        match unsafe { Library::new(library) } {
            Ok(library) => return Ok(library),
            Err(error) => {
                let reason = reason(&error);
                let library = library.to_owned();
                first.get_or_insert(NoDriver { library, reason });
            }
        }
    }
    Err(first.unwrap_or(NoDriver {
        library: String::new(),
        reason: "no library is named".to_owned(),
    }))
}

/// The loader's own words, without those of the crate that called it.
fn reason(error: &libloading::Error) -> String {
    let source = error.source();
    source.map_or_else(|| error.to_string(), ToString::to_string)
}
