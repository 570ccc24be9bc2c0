//! Runs the table of cases: it reads the record as Rust values, calls the programs, and compares the results.

pub mod compare;
pub mod errors;
mod onnx;
pub mod record;
pub mod run;
pub mod script;
pub mod value;

use std::cell::RefCell;

use graph_runtime::GraphFunction;

pub use script::Script;
pub use value::{Arguments, IntoValue, Value};

thread_local! {
    static TRACE_LOG: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Replaces Python's `print`, because what is printed at trace time can't be collected from the standard output.
pub fn trace_log(line: impl Into<String>) {
    TRACE_LOG.with_borrow_mut(|log| log.push(line.into()));
}

/// The lines that were printed since the last call.
fn take_trace_log() -> Vec<String> {
    TRACE_LOG.take()
}

/// A translated case.
pub struct Row {
    pub id: &'static str,
    pub program: Program,
}

/// How a case is run.
pub enum Program {
    /// One graph function, called with the recorded arguments.
    Function {
        run: fn(&mut Arguments) -> Value,
        graph: fn() -> &'static GraphFunction,
    },
    /// A program that makes its own calls.
    Script(fn(&mut Script)),
}

/// Calls a graph function with recorded arguments. Their types are those of the parameters, so the call is that of the trace function: the
/// function itself takes other types, too, and wouldn't say which one is meant.
macro_rules! call_recorded {
    ($arguments:ident, $name:ident $(<$dtype:ty>)?, ($($parameter:ident),*)) => {{
        use graph_runtime::autograph::methods::*;
        let call = graph_runtime::autograph::call($name::function());
        $( let $parameter = $arguments.next(stringify!($parameter)); )*
        let ended = $name::trace$(::<$dtype>)?(call, $($parameter),*);
        $crate::harness::IntoValue::into_value(ended.give())
    }};
}
pub(crate) use call_recorded;

/// The rows of a module: `if_basic(x, k)` calls the graph function of that name, which is also the case's id, with as many
/// recorded arguments as are named.
macro_rules! functions {
    ($($name:ident($($parameter:ident),*);)*) => {
        pub const FUNCTIONS: &[$crate::harness::Row] = &[$( $crate::harness::Row {
            id: stringify!($name),
            program: $crate::harness::Program::Function {
                run: |arguments| {
                    $crate::harness::call_recorded!(arguments, $name, ($($parameter),*))
                },
                graph: $name::function,
            },
        } ),*];
    };
}
pub(crate) use functions;

/// The rows of a module's generic functions: `f<i32, f64>(x)` calls the instance for the dtype of the first recorded argument.
macro_rules! generic_functions {
    ($($name:ident<$($dtype:ty),*>$parameters:tt;)*) => {
        pub const GENERIC_FUNCTIONS: &[$crate::harness::Row] = &[$( $crate::harness::Row {
            id: stringify!($name),
            program: $crate::harness::Program::Function {
                run: |arguments| {
                    let dtype = arguments.next_dtype();
                    $( if dtype == <$dtype as graph_runtime::Element>::DTYPE.name() {
                        return $crate::harness::call_recorded!(arguments, $name<$dtype>, $parameters);
                    } )*
                    panic!("no instance for {dtype}")
                },
                graph: $name::function,
            },
        } ),*];
    };
}
pub(crate) use generic_functions;

/// The rows of a module's scripts, each named as its case.
macro_rules! scripts {
    ($($name:ident;)*) => {
        pub const SCRIPTS: &[$crate::harness::Row] = &[$( $crate::harness::Row {
            id: stringify!($name),
            program: $crate::harness::Program::Script($name),
        } ),*];
    };
}
pub(crate) use scripts;
